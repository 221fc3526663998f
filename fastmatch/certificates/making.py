"""Certificates of corpora: for each pair the triples that are compared, the best map, and a proof that none is better.

``check_certificates.py`` beside this module checks them, and says what a proof is. Its lines, fields and limits are in
docs/proofs.md.
"""

from __future__ import annotations

import gzip
import json
from contextlib import contextmanager, nullcontext
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from fastmatch.certificates.check_certificates import (
    LONGEST,
    Refused,
    check_proof,
    gains_of,
    texts_of,
    triples_of,
    worth_of,
)
from fastmatch.errors import OptionError
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import check_pairing, paired
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.graphs.forms import corpora_of, pair_ids
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.metrics.options import choice
from fastmatch.metrics.shared.partial_matching import SoftMetric
from fastmatch.metrics.softmatch import Softmatch
from fastmatch.metrics.wsmatch import WSmatch
from fastmatch.runtime.files import new_bytes
from fastmatch.runtime.progress import Steps
from fastmatch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastmatch.graphs.corpus import Corpus
    from fastmatch.graphs.forms import Graphs
    from fastmatch.metrics.base import Metric
    from fastmatch.results.pairs import PairScores
    from fastmatch.results.signature import Signature
    from fastmatch.types import MetricName, OnErrorPaired, PairBy, Progress, Unpaired

__all__ = ["Certificates", "certificate", "certificate_file", "certified", "check_certifiable", "file_of"]

#: Version of the file's format.
FORMAT = 1
#: Metrics whose proofs are written, and parts of a whole match in which they count. Similarities and weights of the
#: user's own are multiples of 2⁻³⁰.
_UNITS = {"smatch": 1, "smatch++": 1, "s2match": 1 << 30, "wsmatch": 1, "softmatch": 1 << 30}
#: No map is better by so many units. Of real numbers that is 10⁻⁶ of a match.
_STEPS = {1: 1, 1 << 30: 1 << 10}
#: Gains and triples of a pair whose line may be longer than the checker reads.
_LONG = 10_000
#: Visits of candidates and their edges for the proof of a pair.
WORK = 1_000_000_000


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
        As for :func:`fastmatch.score`. The metric is Smatch, Smatch++, S2match, WSmatch or Softmatch, with
        any preset.
    out : path, optional
        The file that is written: JSON Lines, packed by gzip if its name ends in ``.gz``. ``fastmatch check`` checks it,
        and so does ``check_certificates.py``, which needs nothing of this package.

    Returns
    -------
    Certificates

    Raises
    ------
    OptionError
        If the metric has no certificates, or with ``solver="climb"``, ``compress=True`` or ``within="sentences"``.

    Notes
    -----
    A certificate takes some 0.3 ms a pair of sentences. Few pairs are left without one; their line has ``proof: null``.
    Each proof was checked when it was made.
    """
    choice("on_error", on_error, ("raise", "empty", "repair"))
    check_pairing(pair_by, unpaired)
    chosen = chosen_metric(metric, preset, options)
    check_certifiable(chosen)
    names = {side: file_of(source) for side, source in (("pred", pred), ("gold", gold))}
    corpora = corpora_of(pred, gold, chosen.dialect, on_error, workers=workers)
    one, two = paired("certificate", *corpora, pair_by, unpaired)
    warn_odd_pairs(one, two)
    scores, signature = score_corpora(chosen, one, two, workers, None, True)
    plain = one is corpora[0] and two is corpora[1] and on_error == "raise"
    with certificate_file(out) as lines:
        return certified(chosen, one, two, scores, signature, names, lines, progress, plain=plain)


@contextmanager
def certificate_file(out: str | PathLike[str] | None) -> Iterator[IO[bytes] | None]:
    """What :func:`certified` writes to, one block after another: a file that is whole or absent; None for None."""
    if out is None:
        yield None
        return
    with new_bytes(out) as file:
        # packed without a time, so that equal certificates are equal files
        packed = fspath(out).endswith(".gz")
        with gzip.GzipFile("", "wb", fileobj=file, mtime=0) if packed else nullcontext(file) as lines:
            yield lines  # type: ignore[misc]


def check_certifiable(metric: Metric) -> None:
    """Raise :class:`~fastmatch.OptionError` if the metric, with these options, has no certificates."""
    if metric.name not in _UNITS:
        raise OptionError(f"certificate: metric {metric.name!r} has none; those of {', '.join(_UNITS)} can be checked")
    for name, wanted in (("solver", ("exact", "ilp")), ("compress", (False,)), ("within", ("document",))):
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
    rewritten: bool = False,
    standardized: bool = False,
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
    rewritten : bool
        The triples are of a part of the graphs, or have other labels.
    standardized : bool
        The graphs have been standardised for the metric.
    aspect : str, optional
        What the graphs are a part of.
    """
    unit = _UNITS[metric.name]
    digests = {side: (None, []) if name is None else _digests(name) for side, name in names.items()}
    texts = {side: texts if plain and len(texts) == len(pred) else [] for side, (_, texts) in digests.items()}
    readable = plain and not rewritten and None not in names.values() and pred.dialect == gold.dialect == "penman"
    header: dict[str, Any] = {
        "fastmatch_certificates": FORMAT,
        "fastmatch": __version__,
        "signature": str(signature),
        **({} if aspect is None else {"aspect": aspect}),
        "pairs": len(pred),
        "unit": unit,
        "step": _STEPS[unit],
        "duplicates": getattr(metric, "duplicates", "once"),
        "soft": [":instance"] + [":top"] * (getattr(metric, "top", "") == "concept") if unit > 1 else [],
        "plain": readable and all(texts.values()) and _is_default(metric),
        **{side: {"name": names[side], "sha256": whole} for side, (whole, _) in digests.items()},
    }
    whole = (pred, gold) if standardized else (metric.standardized(pred), metric.standardized(gold))
    records: list[dict[str, Any]] = []
    unproven: list[int] = []
    report = Steps(progress, len(pred))
    try:
        found = _records(metric, pred, gold, whole, scores, header, texts)
        if lines is not None:
            lines.write(_line(header))
        for record in found:
            if record["proof"] is None:
                unproven.append(record["pair"])
            report(record["pair"] + 1)
            if lines is None:
                records.append(record)
            else:
                lines.write(_line(record))
    finally:
        report.close()
    return Certificates(header, records, len(pred), len(pred) - len(unproven), unproven)


def _line(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, separators=(",", ":")) + "\n").encode("ascii")


def file_of(source: Any) -> str | None:
    """The name of a file of graphs; None if they come in another form."""
    return fspath(source) if isinstance(source, PathLike) else None


def _digests(name: str) -> tuple[str | None, list[str]]:
    try:
        whole, texts = texts_of(name)
    except OSError:  # a folder, or standard input
        return None, []
    return whole, [digest for digest, _ in texts]


def _is_default(metric: Metric) -> bool:
    """Whether triples are those that penman reads, folded and counted once."""
    wanted = {"standard": "default", "top": "constant", "duplicates": "once", "triples": "all", "quotes": False}
    return all(getattr(metric, name, value) == value for name, value in wanted.items())


# ---- pairs -----------------------------------------------------------------------------------------------------------


def _records(
    metric: Metric,
    pred: Corpus,
    gold: Corpus,
    whole: tuple[Corpus, Corpus],
    scores: PairScores,
    header: dict[str, Any],
    texts: dict[str, list[str]],
) -> Iterator[dict[str, Any]]:
    ids, unit = pair_ids(pred, gold), header["unit"]
    soft = (
        (metric, metric.prepare(pred), metric.prepare(gold))
        if isinstance(metric, SoftMetric) and metric.compares
        else None
    )
    for k in range(len(pred)):
        sides = {"pred": _graph(metric, whole[0], k), "gold": _graph(metric, whole[1], k)}
        for side, digests in texts.items():
            if digests:
                sides[side]["sha256"] = digests[k]
        record: dict[str, Any] = {"pair": k, **({"id": ids[k]} if ids[k] is not None else {}), **sides}
        alike: dict[tuple[str | None, str | None], int] = {}
        if soft is not None:
            links = soft[0].similar_labels(soft[1], soft[2], k, k)
            alike = {(_text(pred, a), _text(gold, b)): round(value * unit) for (a, b), value in links.items()}
            record["similar"] = sorted([*values, gain] for values, gain in alike.items())
        if isinstance(metric, Softmatch) and metric.weight is not None:
            record["worth"] = _worth(metric, sides, unit)
        triples = [triples_of(side, header["duplicates"] == "multiply") for side in sides.values()]
        worth = worth_of(record, unit)
        try:
            w, g = gains_of(triples[0], triples[1], unit, worth, alike, header["soft"])
        except Refused as error:  # so large that the checker does not count it
            yield {**_named(record), "skipped": str(error), "proof": None}
            continue
        mapping = scores.mapping_of(k).tolist()
        matched = sum(gain for (i, a), gain in w.items() if mapping[i] == a)
        matched += sum(gain for ((i, a), (j, b)), gain in g.items() if mapping[i] == a and mapping[j] == b)
        totals = [sum(worth(row[1], row[3], row[3]) for row in side) for side in triples]
        record.update(map=mapping, matched=matched, n_pred=totals[0], n_gold=totals[1], proof=None)
        if scores.certified[k]:  # of others the solver does not know that they are the best
            record["proof"] = _proof(record, header, w, g)
        if len(w) + len(g) + sum(map(len, triples)) > _LONG and len(_line(record)) >= LONGEST:
            record["proof"] = None
            if len(_line(record)) >= LONGEST:
                record = {**_named(record), "skipped": f"a line of {LONGEST} characters or more", "proof": None}
        yield record


def _named(record: dict[str, Any]) -> dict[str, Any]:
    return {name: record[name] for name in ("pair", "id") if name in record}


def _proof(record: dict[str, Any], header: dict[str, Any], w: Any, g: Any) -> list[dict[str, Any]] | None:
    from fastmatch.certificates.proving import Prover

    n, m = len(record["pred"]["variables"]), len(record["gold"]["variables"])
    goal = record["matched"] + header["step"]
    try:
        proof = Prover(n, m, header["unit"], header["step"], WORK).proof(w, g, goal)
        if proof is not None:
            check_proof(proof, n, m, w, g, goal, [0])
    except Refused:  # a step, or the whole: whatever is wrong with it, it proves nothing
        return None
    return proof


def _text(corpus: Corpus, label: int) -> str | None:
    return corpus.vocabulary.text(label) if label >= 0 else None


def _graph(metric: Any, corpus: Corpus, k: int) -> dict[str, Any]:
    """Names of the variables, and the triples as they are compared."""
    start, stop = corpus.variable_offsets[k : k + 2].tolist()
    names = [_text(corpus, name) for name in corpus.variable_names[start:stop].tolist()]
    rows: list[list[Any]] = []
    keys = [key for key, _ in metric.keyed_triples(corpus, k)]
    for role, value, *ends in keys:
        name = ":instance" if role == -1 else _text(corpus, role)
        rows.append([ends[0], name, ends[1] if len(ends) == 2 else _text(corpus, value)])
    if isinstance(metric, WSmatch) or (isinstance(metric, Softmatch) and metric.weight is not None):
        for row, kind in zip(rows, metric.classes_of(corpus, k, keys), strict=True):
            row.append(kind[1] if isinstance(metric, Softmatch) else kind)  # its level, or its weight
    return {"variables": names, "triples": rows}


def _worth(metric: Softmatch, sides: dict[str, dict[str, Any]], unit: int) -> list[list[Any]]:
    """What equal triples of both graphs add, and each by itself, by their role and levels."""
    pred, gold = ({(row[1], row[3]) for row in side["triples"]} for side in sides.values())
    kinds = {(role, x, x) for role, x in pred | gold} | {(r, x, y) for r, x in pred for s, y in gold if r == s}
    names = {":top": ":TOP"}
    return sorted([r, x, y, round(metric.worth(names.get(r, r), x, y) * unit)] for r, x, y in kinds)
