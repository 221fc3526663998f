"""Certificates of corpora: for each pair the triples that are compared, the best map, and a proof that none is better.

``check_certificates.py`` beside this module checks them, and says what a proof is. Its lines, fields and limits are in
docs/proofs.md.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike, fspath
from typing import IO, Any, NamedTuple, TypeAlias, cast

import numpy as np

from fastmatch._ext.matching.proofs import prices
from fastmatch.errors import OptionError
from fastmatch.evaluation.certificates import check_certificates as checker
from fastmatch.evaluation.certificates.sides import Pairs, Side
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import Rules, paired
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs, corpora_of, pair_ids
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.results.pairs import PairScores
from fastmatch.results.signature import Signature
from fastmatch.runtime.collecting import no_collection
from fastmatch.runtime.files import new_bytes
from fastmatch.runtime.progress import Steps
from fastmatch.types import BoolArray, Int32Array, MetricName, OnErrorPaired, PairBy, Progress, Unpaired
from fastmatch.version import __version__

#: Version of the file's format.
FORMAT = 1
#: Metrics whose proofs are written, and parts of a whole match in which they count. Similarities and weights of the
#: user's own are multiples of 2⁻³⁰.
_UNITS = {"smatch": 1, "docsmatch": 1, "smatch++": 1, "s2match": 1 << 30, "wsmatch": 1, "softmatch": 1 << 30}
#: No map is better by so many units. Of real numbers that is 10⁻⁶ of a match.
_STEPS = {1: 1, 1 << 30: 1 << 10}
#: Visits of candidates and their edges for the proof of a pair.
WORK = 1_000_000_000
#: Of so many proofs of one step, which the kernel has checked, the checker's own function checks one more.
SAMPLE = 2000


class Certificates(NamedTuple):
    """What was written.

    Attributes
    ----------
    header : dict
        The first line of the file: what all pairs share.
    records : list of dict
        A line for each pair; empty if they were written to a file.
    n_pairs, n_proven : int
        Pairs, and those of them that have a proof.
    unproven : list of int
        The others.
    """

    header: dict[str, Any]
    records: list[dict[str, Any]]
    n_pairs: int
    n_proven: int
    unproven: list[int]

    def __repr__(self) -> str:
        return f"<Certificates: {self.n_proven:,} of {self.n_pairs:,} pairs have a proof, {self.header['signature']}>"


def certificate(
    pred: Graphs,
    gold: Graphs,
    *,
    metric: MetricName | str | Metric = "smatch",
    preset: str | None = None,
    out: str | PathLike[str] | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    **options: Any,
) -> Certificates:
    """Score pairs and prove, so that another program can check it, that no map of their variables is better.

    Parameters
    ----------
    pred, gold, metric, preset, workers, progress, on_error, pair_by, unpaired, **options
        As for :func:`fastmatch.score`. The metric is Smatch, DocSmatch, Smatch++, S2match, WSmatch or
        Softmatch, with any preset.
    out : path, optional
        The file that is written: JSON Lines, packed by gzip if its name ends in ``.gz``. ``fastmatch check`` checks it,
        and so does ``check_certificates.py``, which needs nothing of this package.

    Returns
    -------
    Certificates

    Raises
    ------
    OptionError
        If the metric has no certificates, or with ``solver="climb"`` or ``compress=True``; or if a function of weights
        has so many roles and levels that what it says of them does not fit in a line.

    Notes
    -----
    A certificate takes 0.02 to 0.2 ms a pair of sentences. Few pairs are left without one; their line has ``proof:
    null``. Proofs of one step are checked by the kernel that makes them, and one of 2,000 by the checker's own
    function; longer ones all by the latter.
    """
    rules = Rules("certificate", pair_by, unpaired, on_error).checked()
    chosen = chosen_metric(metric, preset, options)
    check_certifiable(chosen)
    names = {side: file_of(source) for side, source in (("pred", pred), ("gold", gold))}
    corpora = corpora_of(pred, gold, chosen.dialect, on_error, workers=workers)
    one, two = paired(*corpora, rules)
    warn_odd_pairs(one, two)
    sides = [Side(chosen, chosen.standardized(corpus), number) for number, corpus in enumerate((one, two))]
    scores, signature = score_corpora(chosen, one, two, workers, None, True, (sides[0].prepared, sides[1].prepared))
    plain = one is corpora[0] and two is corpora[1] and on_error == "raise"
    with certificate_file(out) as lines:
        return certified(chosen, one, two, scores, signature, names, lines, progress, plain=plain, sides=sides)


@contextmanager
def certificate_file(out: str | PathLike[str] | None) -> Iterator[IO[bytes] | None]:
    """What :func:`certified` writes to, one block after another: a file that is whole or absent; None for None."""
    if out is None:
        yield None
        return
    with new_bytes(out) as file:
        # packed without a time, so that equal certificates are equal files
        packed = fspath(out).endswith(".gz")
        if not packed:
            yield file
            return
        with gzip.GzipFile("", "wb", _LEVEL, file, 0) as lines:
            yield cast("IO[bytes]", lines)


def check_certifiable(metric: Metric) -> None:
    """Raise :class:`~fastmatch.OptionError` if the metric, with these options, has no certificates."""
    if metric.name not in _UNITS:
        raise OptionError(f"certificate: metric {metric.name!r} has none; those of {', '.join(_UNITS)} can be checked")
    for name, wanted in (("solver", ("exact", "ilp")), ("compress", (False,))):
        value = getattr(metric, name, wanted[0])
        if value not in wanted:
            instead = f"expected {name}={wanted[0]!r}" if wanted[0] else "leave it out"
            raise OptionError(f"certificate: {name}={value!r} has none; {instead}")


def certified(
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    scores: PairScores,
    signature: Signature,
    names: Mapping[str, str | None],
    lines: IO[bytes] | None,
    progress: Progress,
    *,
    plain: bool,
    chosen: tuple[Sequence[int], int] | None = None,
    rewritten: bool = False,
    sides: Sequence[Side] | None = None,
    aspect: str | None = None,
) -> Certificates:
    """Certificates of pairs that were scored with their maps.

    Parameters
    ----------
    metric, pred, gold, scores, signature
        Graph k of one corpus was scored against graph k of the other.
    names : {"pred": str or None, "gold": str or None}
        The files of the graphs.
    lines : binary file or None
        Where the lines are written; None: they are kept.
    progress
        As for :func:`certificate`.
    plain : bool
        The graphs stand in their files in this order, and none was mended.
    chosen : (sequence of int, int), optional
        Only these graphs of the files were compared, in this order, and so many there are in each. Each pair has the
        hashes of their texts, and the files have none.
    rewritten : bool
        The triples are of a part of the graphs, or have other labels.
    sides : (Side, Side), optional
        Both corpora as the metric prepares them, if it was done before.
    aspect : str, optional
        What the graphs are a part of.
    """
    unit = _UNITS[metric.name]
    digests = {side: (None, []) if name is None else _digests(name) for side, name in names.items()}
    n_graphs = chosen[1] if chosen else len(pred)
    texts = {
        side: ([texts[k] for k in chosen[0]] if chosen else texts) if plain and len(texts) == n_graphs else []
        for side, (_, texts) in digests.items()
    }
    readable = plain and not rewritten and None not in names.values() and pred.dialect == gold.dialect == "penman"
    similar = [":instance"] + [":top"] * (getattr(metric, "top", "") == "concept")
    header: dict[str, Any] = {
        "fastmatch_certificates": FORMAT,
        "fastmatch": __version__,
        "signature": str(signature),
        **({} if aspect is None else {"aspect": aspect}),
        "pairs": len(pred),
        "unit": unit,
        "step": _STEPS[unit],
        "duplicates": getattr(metric, "duplicates", "once"),
        "similarities": similar if getattr(metric, "compares", False) else [],
        "weights": False,
        "sentences": getattr(metric, "within", "document") != "document",
        "plain": readable and all(texts.values()) and _is_default(metric),
        **{side: {"name": names[side], "sha256": None if chosen else whole} for side, (whole, _) in digests.items()},
    }
    sides = sides or [Side(metric, metric.standardized(corpus), k) for k, corpus in enumerate((pred, gold))]
    records: list[dict[str, Any]] = []
    unproven: list[int] = []
    with Steps(progress, len(pred)) as report, no_collection():
        pairs = Pairs(metric, sides[0], sides[1], texts, unit, header["step"], scores)
        header["weights"] = pairs.weights
        first = _line(header)
        if len(first) >= checker.HEADER:
            raise OptionError(
                f"certificate: its first line would have {len(first):,} characters; {checker.HEADER:,} are too many"
            )
        found = _blocks(pairs, scores, header, [None] * len(pred) if plain else pair_ids(pred, gold))
        if lines is not None:
            lines.write(first)
        done = 0
        for parts, proven in found:
            unproven += [] if all(proven) else [k for k, holds in enumerate(proven, done) if not holds]
            done += len(proven)
            report(done)
            if lines is None:
                records += map(json.loads, b"".join(parts).splitlines())
            else:
                lines.writelines(parts)
    return Certificates(header, records, len(pred), len(pred) - len(unproven), unproven)


def _line(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, separators=(",", ":")) + "\n").encode("ascii")


def file_of(source: Any) -> str | None:
    """The name of a file of graphs; None if they come in another form."""
    return fspath(source) if isinstance(source, PathLike) else None


def _digests(name: str) -> tuple[str | None, list[bytes]]:
    """The SHA-256 of a file, and half of that of each text in it, as the checker's ``texts_of`` makes them."""
    try:
        digest, texts = checker.texts_of(name)
    except OSError:  # a folder, or standard input
        return None, []
    return digest, [bytes.fromhex(half) for half, _ in texts]


def _is_default(metric: Metric) -> bool:
    """Whether triples are those that penman reads, folded and counted once."""
    wanted = {"standard": "default", "top": "constant", "duplicates": "once", "triples": "all", "quotes": False}
    return all(getattr(metric, name, value) == value for name, value in wanted.items())


#: Of gzip: files are a third larger than the smallest, which would take four times as long.
_LEVEL = 1

# ---- pairs -----------------------------------------------------------------------------------------------------------


def _blocks(
    pairs: Pairs, scores: PairScores, header: dict[str, Any], ids: Sequence[str | None]
) -> Iterator[tuple[list[bytes | memoryview], list[bool]]]:
    """The lines of some pairs, in parts that follow one another, and whether each of the pairs has a proof."""
    small: BoolArray | bool = True
    if pairs.pred.soft:  # else the kernel counts them
        (n, n_triples), (m, m_triples) = pairs.pred.sizes, pairs.gold.sizes
        small = 2 * n_triples * m_triples + n_triples + n + m <= checker.MATCHES
    for start, text, ends, proven in pairs.lines(ids, scores.certified & small, WORK):
        lines, done = memoryview(text), 0
        parts: list[bytes | memoryview] = []
        begins, pair = np.array([0, *ends]), np.arange(start, start + len(ends))
        kept = np.array(proven) & (np.diff(begins) < checker.LONGEST)
        for k in np.flatnonzero(~kept | (pair % SAMPLE == 0)).tolist():
            line = text[begins[k] : ends[k]]
            if not kept[k] or not _holds(line, header):
                parts.append(lines[done : begins[k]])
                done = ends[k]
                record = json.loads(line + b"}" * (not proven[k]))
                _fill(record, header, scores.mapping_of(start + k), bool(scores.certified[start + k]))
                line = _line(record)
                if len(line) >= checker.LONGEST:
                    record["proof"] = None
                    line = _line(record)
                    if len(line) >= checker.LONGEST:
                        line = _line(_skipped(record, f"a line of {checker.LONGEST} characters or more"))
                proven[k] = record["proof"] is not None
                parts.append(line)
        yield [*parts, lines[done:]], proven


def _holds(line: bytes, header: dict[str, Any]) -> bool:
    """Whether the checker finds so."""
    try:
        proven: bool = checker.check_pair(json.loads(line), header)[3]
    except (checker.Refused, *checker.BROKEN):
        return False
    return proven


def _fill(record: dict[str, Any], header: dict[str, Any], mapping: Int32Array, certified: bool) -> None:
    """The numbers and the proof of a pair, by what the checker makes of its triples."""
    try:
        w, g, totals = checker.problem_of(record, header)
    except checker.Refused as error:  # so large that the checker does not count it
        _skipped(record, str(error))
        return
    partner = mapping.tolist()
    matched = sum(gain for (i, a), gain in w.items() if partner[i] == a)
    matched += sum(gain for ((i, a), (j, b)), gain in g.items() if partner[i] == a and partner[j] == b)
    record.update(map=partner, matched=matched, n_pred=totals[0], n_gold=totals[1], proof=None)
    if certified:  # of others the solver does not know that they are the best
        record["proof"] = _proof(record, header, w, g)


def _skipped(record: dict[str, Any], reason: str) -> dict[str, Any]:
    """The record with nothing but its number and the reason."""
    named: dict[str, Any] = {name: record[name] for name in ("pair", "id") if name in record}
    record.clear()
    record.update(named, skipped=reason, proof=None)
    return record


def _proof(record: dict[str, Any], header: dict[str, Any], w: Any, g: Any) -> list[dict[str, Any]] | None:
    n, m = len(record["pred"]["variables"]), len(record["gold"]["variables"])
    goal = record["matched"] + header["step"]
    try:
        proof = Prover(n, m, header["unit"], header["step"], WORK).proof(w, g, goal)
        if proof is not None:
            checker.check_proof(proof, n + m, w, g, goal, [0])
    except checker.Refused:  # a step, or the whole: whatever is wrong with it, it proves nothing
        return None
    return proof


# ---- proofs of several steps -----------------------------------------------------------------------------------------
#
# The search that found the optimum is not asked how it knows it. The problem is that of the checker, computed from the
# triples by the checker's own functions. A compiled kernel finds prices whose bound is as low as rounds of the
# relaxation make it: a step. If its bound is not low enough, candidates leave, or the proof branches.

Pair: TypeAlias = tuple[int, int]
#: Gains of candidates, and of pairs of candidates.
Own: TypeAlias = dict[Pair, int]
Edges: TypeAlias = dict[tuple[Pair, Pair], int]
Step: TypeAlias = dict[str, Any]

#: Visits that take as long as what is done here for a step, about.
_STEP = 20_000


def _columns(pairs: list[Pair]) -> Int32Array:
    """int32[2, n]."""
    return np.array(pairs, np.int32).reshape(-1, 2).T.copy()


class Prover:
    """Looks for a proof with limited work.

    Parameters
    ----------
    n, m : int
        Variables of both graphs.
    unit : int
        So many units are a whole match.
    step : int
        Gains are multiples of 1/``unit`` of a match; no map is to be better by so many units.
    work : int
        Visits of candidates and their edges that may be made.
    """

    def __init__(self, n: int, m: int, unit: int, step: int, work: int) -> None:
        self.n, self.m, self.unit, self.step, self.left = n, m, unit, step, work
        #: So much longer a proof may be, as the checker measures it.
        self.room = checker.WORK

    def proof(self, w: Own, g: Edges, goal: int) -> list[Step] | None:
        """Steps that prove that no map has a value of ``goal`` or more; None if there was no proof within the limit."""
        steps: list[Step] = []
        while goal > 0 and self.left > 0 and self.room > 0:  # the empty map reaches 0
            candidates = sorted({*w, *(end for edge in g for end in edge)})
            place = {pair: k for k, pair in enumerate(candidates)}
            rows, cols = _columns(candidates)
            first, second = _columns([(place[one], place[two]) for one, two in g])
            own = np.array([w.get(pair, 0) for pair in candidates], np.float64) / self.unit
            gains = np.array(list(g.values()), np.float64) / self.unit
            text, closes, doubtful, work = prices(
                self.n, self.m, rows, cols, own, first, second, gains, self.unit, goal, self.step, self.left
            )
            self.left -= work + _STEP
            if text is None:
                return None
            step: Step = json.loads(text)
            length = self.n + self.m + len(candidates) + len(g)
            length += sum(len(some) ** 2 for some in step.get("cliques", ()))
            self.room -= length
            steps.append(step)
            if closes:
                return steps
            gone = checker.gone_after(step, w, g, goal)
            assert gone is not None
            if gone:
                w, g, goal = checker.left(w, g, goal, gone)
            else:
                steps.pop()
                self.room += length
            if doubtful < 0:
                continue
            pair = candidates[doubtful]
            others = {(j, b) for j, b in candidates if (j == pair[0]) != (b == pair[1])}
            branch: Step = {"take": list(pair)}
            for name, gone in (("with", others), ("without", {pair})):
                proof = self.proof(*checker.left(w, g, goal, gone))
                if proof is None:
                    return None
                branch[name] = proof
            return [*steps, branch]
        return None
