"""The rows Smatch, Unlabeled and No WSD of amrlib (``amrlib.evaluate.smatch_enhanced``, version 0.8.1).

amrlib took the scripts of the kind ``enhanced`` and put smatch 1.0.4 beneath them. So its text is read by another
reader than theirs, in other pieces:

* blocks end at empty lines; a line that begins with ``#`` is dropped, the others are joined by one space, and several
  spaces become one, within strings as well;
* *Unlabeled* and *No WSD* are made of this text by the same regular expressions as in ``enhanced``;
* each pair is then given to smatch 1.0.4, which matches triples as ``smatch`` with ``preset="smatch"`` does here;
* a pair of which smatch cannot read a graph counts nothing, on either side.

amrlib climbs from four random starts; here the optimum is proven unless ``solver="climb"`` asks for a climber. Its
other rows are overlaps, as those of ``enhanced``, and re-entrancies and roles by code of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.evaluation import scoring
from fastmatch.evaluation.checks import warn_odd_pairs
from fastmatch.evaluation.pairing import pairing
from fastmatch.fine_grained.kinds import Found, Match, with_last_second
from fastmatch.fine_grained.old_texts import half_unlabelled_text, old_text, one_sense_text
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.metrics.registry import make
from fastmatch.metrics.shared.search import Shared, sharing
from fastmatch.results.pairs import TripleScores
from fastmatch.results.problems import Problem, problems_of


def score(request: Request) -> Found:
    """The three rows; see :func:`fastmatch.aspects`. ``options`` are those of Smatch's search (``solver``, …)."""
    if request.preset not in (None, "tool"):
        raise OptionError(f"preset={request.preset!r}: aspects of amrlib are its program's anyway; leave it out")
    if request.mapping and request.rules.on_error != "raise":  # pairs with a broken graph count for nothing
        raise OptionError(f"certificate: aspects of amrlib have none with on_error={request.rules.on_error!r}")
    metric = make("smatch", "smatch", **request.options)
    texts = (old_text("pred", request.pred), old_text("gold", request.gold))
    vocabulary = Vocabulary()
    rows: dict[str, Callable[[str], str]] = {
        "Smatch": joined_lines,
        "No WSD": partial(joined_lines, rewrite=one_sense_text),
        "Unlabeled": partial(joined_lines, rewrite=half_unlabelled_text),  # the hardest: see damonte.py
    }
    scores: dict[str, PartScores] = {}
    matches: dict[str, Match] = {}
    shared = Shared.of(0)
    problems: tuple[Problem, ...] = ()
    ids: Sequence[str | None] = ()
    for name, rewrite in rows.items():
        first, second = (text.read(rewrite, "smatch", request.rules.on_error, vocabulary) for text in texts)
        pairs = pairing(first, second, request.rules)
        if pairs is not None:
            first, second = pairs.take(first, second)
        if not scores:
            warn_odd_pairs(first, second)
            problems, ids = problems_of(first, second), pair_ids(first, second)
            shared = Shared.of(len(first))
        found, _ = scoring.score_corpora(
            sharing(metric, shared), first, second, request.rules.workers, request.progress, request.mapping
        )
        assert isinstance(found, TripleScores)
        if request.mapping:
            matches[name] = Match(metric, first, second, found, True)
        scores[name] = _without(found, first, second)
    fields = {**metric.signature_fields("smatch"), "lines": "joined"}
    return Found(with_last_second(scores), fields, problems, ids, with_last_second(matches))


def joined_lines(text: str, rewrite: Callable[[str], str] | None = None) -> str:
    """The text with one line for each block, as amrlib makes it, behind the comments; blocks without a graph are gone.

    ``rewrite`` changes these lines, but not the comments.
    """
    entries = []
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        kept = " ".join(line for line in lines if line and not line.startswith("#"))
        entry = re.sub(" +", " ", kept.replace("\t", " "))
        if entry:
            comments = [line for line in lines if line.startswith("#")]
            entries.append("\n".join([*comments, entry if rewrite is None else rewrite(entry)]))
    return "\n\n".join(entries)


def _without(scores: TripleScores, pred: Corpus, gold: Corpus) -> PartScores:
    """The scores, with nothing on either side of a pair of which a graph could not be read."""
    bad = {number for corpus in (pred, gold) for number, _ in corpus.problems}
    matched, n_pred, n_gold, upper = columns = [
        np.array(column) for column in (scores.matched, scores.n_pred, scores.n_gold, scores.upper)
    ]
    for column in columns:
        column[sorted(bad)] = 0
    return PartScores(matched, n_pred, n_gold, upper, scores.certified)
