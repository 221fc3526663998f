"""Why-pages: one HTML file that shows how predictions match gold graphs, pair by pair.

The file needs no network and no server. It holds the scores of all pairs, which the page shows as a table, and the
graphs with their alignments in blocks of :data:`BLOCK` pairs. Both are JSON, deflated and in base64, so nothing in them
is markup; a block is unpacked when one of its pairs is looked at, which keeps a page of 10,000 pairs quick to open.
The scripts and the style sheet, in the folder ``web``, stand in the file; a Content-Security-Policy with their hashes
keeps everything else from running.

No score is computed here: ``score`` and ``aspects`` are asked for them.
"""

from __future__ import annotations

import json
import os
import re
import warnings
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, cast

from fastmatch.errors import OptionError, PairingError, PairingWarning, choice
from fastmatch.evaluation import bootstrap as resampling
from fastmatch.evaluation.comparison import paired_systems
from fastmatch.evaluation.pairing import Rules
from fastmatch.evaluation.scoring import score_corpora
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.fine_grained.request import Request
from fastmatch.fine_grained.scores import AspectScores, scored
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import Graphs
from fastmatch.metrics.base import Metric
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.metrics.names import DEFAULT
from fastmatch.metrics.shared.search import Searched, Shared, sharing
from fastmatch.pages.evidence import evidence, graph_record
from fastmatch.report.markup import digest
from fastmatch.results.pairs import PairScores, TripleScores
from fastmatch.results.problems import problems_of
from fastmatch.results.scores import CorpusScore
from fastmatch.results.words import label, system_letter
from fastmatch.runtime.files import new_text
from fastmatch.runtime.progress import Steps
from fastmatch.types import AspectKind, IntervalMethod, MetricName, OnErrorPaired, PairBy, Progress, Unpaired
from fastmatch.version import __version__

#: Pairs that are packed together: enough that equal words pack well, few enough to unpack in some milliseconds.
BLOCK = 32

_WEB = Path(__file__).with_name("web")
#: The page's own scripts, in the order in which they stand in it.
_SCRIPTS = ("unpack.js", "dom.js", "model.js", "words.js", "penman.js", "drawing.js", "index.js", "pair.js", "main.js")


@dataclass(frozen=True)
class _System:
    """A system's graphs and their scores."""

    name: str
    pred: Corpus
    gold: Corpus
    result: CorpusScore
    aspects: AspectScores | None


def html(
    pred: Graphs,
    gold: Graphs,
    *more: Graphs,
    out: str | os.PathLike[str] | None = None,
    names: Sequence[str] | None = None,
    title: str | None = None,
    metric: MetricName | str | Metric = DEFAULT,
    preset: str | None = None,
    aspects: AspectKind | bool = True,
    frames: str | os.PathLike[str] | None = None,
    workers: int = 1,
    progress: Progress = None,
    on_error: OnErrorPaired = "raise",
    pair_by: PairBy = "position",
    unpaired: Unpaired = "raise",
    bootstrap: int = 1000,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    **options: Any,
) -> str:
    """A page that shows how predictions match gold graphs: one HTML file that any browser since 2023 opens.

    Parameters
    ----------
    pred, gold : Corpus, or graphs in another form
        As for :func:`fastmatch.score`.
    *more
        Predictions of further systems for the same gold graphs; the page shows any two systems beside each other.
    out : path, optional
        Where to write the page, whole or not at all.
    names : sequence of str, optional
        What the page calls the systems, and behind them the gold graphs if there is one name more. By default the
        names of the files, as far as there are any.
    title : str, optional
        Of the page.
    metric, preset, workers, progress, on_error, pair_by, **options
        As for :func:`fastmatch.score`.
    aspects : {"damonte", "enhanced", "s2match", "smatch++"} or bool
        Which aspects the page scores (:func:`fastmatch.aspects`). True: ``"damonte"`` if the metric reads graphs as
        these do; False: none.
    frames : path, optional
        A file that says what the roles of frames mean, a line ``predicate  ARG0: description  ARG1: …`` each; the page
        shows these descriptions.
    unpaired : {"raise", "empty", "skip"}
        As for :func:`fastmatch.score`, and as for :func:`fastmatch.compare` if there are several systems.
    bootstrap, confidence, bootstrap_method, bootstrap_seed
        Of the confidence intervals; as for :func:`fastmatch.score`.

    Returns
    -------
    str
        The page, in ASCII.

    Raises
    ------
    OptionError
        If an option has no such value, or the frame file is none.
    PairingError, ReadError, TypeError
        As for :func:`fastmatch.score`.
    OSError
        If the page cannot be written, or the frame file cannot be read.

    Notes
    -----
    A pair of sentences takes about 0.5 ms, and 200 bytes in the file.
    """
    rules = Rules("html", pair_by, unpaired, on_error, workers).checked()
    how = resampling.checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)
    kind = _kind(aspects)
    chosen = chosen_metric(metric, preset, options)
    described = {} if frames is None else _frames(frames)
    given = (pred, *more)
    called = _names(given, gold, names)
    found = paired_systems(given, gold, chosen, rules, called[:-1], extra=len(given) == 1)
    _same_pairs(found, called)
    systems = []
    for name, pair in zip(called, found, strict=False):
        shared = Shared.of(len(pair[0]))
        searcher = sharing(chosen, shared) if isinstance(chosen, Searched) else chosen
        scores, signature = score_corpora(searcher, *pair, workers, progress, chosen.aligns == "map")
        intervals = resampling.bootstrap(scores, how, workers)
        result = CorpusScore(scores, signature, problems_of(*pair), intervals)
        fitting = aspects is not True or chosen.dialect == "penman"
        parts = _aspects(kind if fitting else None, pair, (chosen, scores, shared), workers)
        systems.append(_System(name, *pair, result, parts))
    text = "".join(_page(systems, called[-1], chosen, title, described, progress))
    if out is not None:
        with new_text(out) as file:
            file.write(text)
    return text


# ---- what is asked for -----------------------------------------------------------------------------------------------


def _kind(aspects: str | bool) -> AspectKind | None:
    if aspects is False:
        return None
    name = next(iter(KINDS)) if aspects is True else aspects
    choice("aspects", name, tuple(KINDS))
    return cast("AspectKind", name)


def _names(systems: Sequence[Graphs], gold: Graphs, names: Sequence[str] | None) -> list[str]:
    """Names of the systems and of the gold graphs, each once."""
    if names is not None:
        if len(names) not in (len(systems), len(systems) + 1):
            raise OptionError(f"html: {len(systems)} systems but {len(names)} names")
        called = [*names, "gold"][: len(systems) + 1]
    else:
        alone = len(systems) == 1
        called = [_source(graphs, "prediction" if alone else system_letter(n)) for n, graphs in enumerate(systems)]
        called.append(_source(gold, "gold"))
    return [name if called.count(name) == 1 else f"{name} ({n + 1})" for n, name in enumerate(called)]


def _source(graphs: Any, otherwise: str) -> str:
    """The name of the file that graphs came from."""
    known = "name" if hasattr(graphs, "read") else "source"  # of an open file, of a corpus
    name = os.fspath(graphs) if isinstance(graphs, os.PathLike) else getattr(graphs, known, "")
    plain = os.path.basename(name) if isinstance(name, str) else ""
    return plain if plain and not plain.startswith("<") else otherwise


def _frames(path: str | os.PathLike[str]) -> dict[str, dict[str, str]]:
    """Predicate → role → what it means, in lower case."""
    from fastmatch.fine_grained.frames import described_roles

    found: dict[str, dict[str, str]] = {}
    for predicate, role, text in described_roles(path):
        found.setdefault(predicate.lower(), {})[f":{role.lower()}"] = text
    return found


def _same_pairs(pairs: Sequence[tuple[Corpus, Corpus]], names: Sequence[str]) -> None:
    """Systems are shown beside each other, so they must have the same pairs."""
    first = pairs[0][1]
    for name, (_, gold) in zip(names, pairs, strict=False):
        if len(gold) != len(first) or gold.ids != first.ids:
            raise PairingError(f"html: {names[0]} and {name} are not paired with the same gold graphs")


def _aspects(
    kind: AspectKind | None, pair: tuple[Corpus, Corpus], known: tuple[Metric, PairScores, Shared], workers: int
) -> AspectScores | None:
    """Scores of aspects, with the limits of the metric; None where there are none to be had of these graphs.

    ``known``: the metric, its scores of the pairs, and what that search shares with those of aspects.
    """
    if kind is None or not len(pair[0]):
        return None
    metric = known[0]
    limits = {name: getattr(metric, name) for name in ("effort", "time_limit") if hasattr(metric, name)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PairingWarning)  # these pairs have been warned of, by the names of their files
        return scored(Request(*pair, kind, None, Rules("aspects", workers=workers), None, limits, known=known))[1]


# ---- what the page holds ---------------------------------------------------------------------------------------------


def _page(
    systems: Sequence[_System],
    gold_name: str,
    metric: Metric,
    title: str | None,
    frames: Mapping[str, Mapping[str, str]],
    progress: Progress,
) -> Iterator[str]:
    """The parts of the page, in order."""
    if title is None:
        title = f"{', '.join(system.name for system in systems)} against {gold_name}"
    summary = _summary(systems, gold_name, metric, title)
    blocks = list(_blocks(systems, metric, progress))
    known = systems[0].pred.vocabulary.lookup  # only what the graphs have is described
    summary["frames"] = {name: dict(roles) for name, roles in frames.items() if known(name) >= 0}
    style, scripts = (_WEB / "why.css").read_text("utf-8"), _scripts()
    sources = f"script-src {' '.join(map(digest, scripts))}; style-src {digest(style)}"
    data = [_packed("data-summary", summary), *(_packed(f"data-{k}", block) for k, block in enumerate(blocks))]
    parts = {
        "policy": f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'",
        # HTML cannot hold control characters
        "title": escape("".join(character if character.isprintable() else " " for character in title))
        .encode("ascii", "xmlcharrefreplace")
        .decode(),
        "style": f"<style>{style}</style>",
        "data": "\n".join(data),
        "scripts": "\n".join(f"<script>{script}</script>" for script in scripts),
    }
    template = (_WEB / "why.html").read_text("utf-8")
    for number, piece in enumerate(template.split("@@")):
        yield parts[piece] if number % 2 else piece


def _scripts() -> list[str]:
    """The texts of the scripts: the library that lays out graphs with its licence, then the page's own."""
    library, licence = ((_WEB / name).read_text("utf-8") for name in ("dagre.min.js", "dagre.LICENSE.txt"))
    library = "\n".join(line for line in library.splitlines() if not line.startswith("//# sourceMappingURL"))
    own = "\n".join((_WEB / name).read_text("utf-8") for name in _SCRIPTS)
    # all of the page is ASCII, whatever encodes it; these characters stand in strings, patterns and comments
    own = re.sub(r"[^\x00-\x7f]", lambda found: f"\\u{ord(found[0]):04x}", own)
    return [
        f"/*! dagre, https://github.com/dagrejs/dagre\n\n{licence}*/\n{library}",
        f'"use strict";\n(() => {{\n{own}}})();\n',
    ]


def _packed(name: str, value: Any) -> str:
    """A block of data: JSON, deflated without header, in base64; its letters mean nothing in HTML."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = deflate.compress(text) + deflate.flush()
    return f'<script type="text/plain" id="{name}">{b64encode(packed).decode()}</script>'


def _summary(systems: Sequence[_System], gold_name: str, metric: Metric, title: str) -> dict[str, Any]:
    """What the table of pairs shows, a list for each column."""
    first = systems[0]
    snt, pred_snt = [], []
    for k in range(len(first.gold)):
        wanted, own = first.gold.metadata(k).get("snt"), first.pred.metadata(k).get("snt")
        snt.append(wanted if wanted is not None else own or "")
        pred_snt.append(own if own is not None and wanted is not None and own != wanted else "")
    ids = [wanted or own or "" for wanted, own in zip(first.gold.ids, first.pred.ids, strict=True)]
    intervals = first.result.intervals
    assert intervals is not None
    kind = None if first.aspects is None else first.aspects.kind
    return {
        "title": title,
        "version": __version__,
        "metric": metric.name,
        "signature": str(first.result.signature),
        "drawn": str(intervals.signature),
        "confidence": intervals.confidence,
        "shows": metric.aligns or "features",
        "rewritten": metric.standardized(first.gold) is not first.gold,
        "gold": gold_name,
        "block": BLOCK,
        "n": len(first.gold),
        "labels": {name: label(name) for name in first.result.scores},
        "systems": [_system_record(system) for system in systems],
        "aspects": None if kind is None else {"kind": kind, "names": list(first.aspects or ())},
        "id": ids,
        "snt": snt,
        "pred_snt": pred_snt if any(pred_snt) else [],
    }


def _system_record(system: _System) -> dict[str, Any]:
    result, pairs = system.result, system.result.pairs
    intervals = result.intervals
    assert intervals is not None
    micro = pairs.summable
    # a metric whose rules, and no search, lead to the alignment says whether they came to their end
    proven = getattr(pairs, "settled", pairs.certified)
    spans = {name: [_number(end) for end in ends] for name, ends in intervals.items()}
    record: dict[str, Any] = {
        "name": system.name,
        "micro": {name: _number(value) for name, value in result.micro.items()} if micro else None,
        "macro": {name: _number(value) for name, value in result.macro.items()},
        "intervals": spans,
        "sums": result.sums,
        "certified": int(proven.sum()),
        "upper": _number(result.upper_score),
        "problems": [[row.side, row.pair, row.message, row.rule] for row in result.problems],
        "scores": {name: _rounded(column.tolist()) for name, column in pairs.scores.items()},
        "proven": proven.astype(int).tolist(),
    }
    if isinstance(pairs, TripleScores):
        names = ("matched", "n_pred", "n_gold", "upper")
        record["counts"] = {name: _rounded(getattr(pairs, name).tolist()) for name in names}
    if system.aspects is not None:
        record["aspects"] = [_aspect_record(score) for score in system.aspects.values()]
    return record


def _aspect_record(score: CorpusScore) -> dict[str, Any]:
    """An aspect: its scores and counts, and of each pair the score in thousandths, −1 where no graph has any of it."""
    pairs = score.pairs
    absent = pairs.statistics[1:].sum(axis=0) == 0
    thousandths = (1000 * pairs.score).round().astype(int)
    thousandths[absent] = -1
    return {
        "scores": {name: _number(value) for name, value in score.scores.items()},
        "sums": score.sums,
        "pairs": thousandths.tolist(),
    }


def _number(value: float) -> float | None:
    return None if value != value else round(value, 6)


def _rounded(values: list[float]) -> list[float]:
    return [round(value, 6) for value in values]


def _blocks(systems: Sequence[_System], metric: Metric, progress: Progress) -> Iterator[list[Any]]:
    """The graphs and the evidence of all pairs, :data:`BLOCK` pairs at a time."""
    shown = [(metric.standardized(system.pred), metric.standardized(system.gold)) for system in systems]
    n_pairs = len(systems[0].gold)
    with Steps(progress, n_pairs, "pairs of the page") as report:
        for start in range(0, n_pairs, BLOCK):
            block = []
            for k in range(start, min(start + BLOCK, n_pairs)):
                wanted = graph_record(shown[0][1], k)
                rows = []
                for system, (pred, gold) in zip(systems, shown, strict=True):
                    own = graph_record(pred, k)
                    rows.append([own, evidence(metric, system.result.pairs, pred, gold, k, (own, wanted))])
                block.append([wanted, rows])
            report(min(start + BLOCK, n_pairs))
            yield block
