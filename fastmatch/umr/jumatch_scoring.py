"""Scores of UMR documents by juːmæʧ: files in, one result out.

:func:`score_jumatch` reads documents, as fastmatch does or as the program compare_umr.pl does, pairs their sentences
and sums up what :mod:`fastmatch.umr.jumatch` counts of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.umr.sentences import Sentences
from fastmatch.errors import OptionError, PairingError, PairingWarning, choice, meant, warn_caller
from fastmatch.evaluation.bootstrap import bootstrap as intervals_of
from fastmatch.evaluation.bootstrap import checked
from fastmatch.graphs.reading import on_error_mode
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.report.cells import Points, count
from fastmatch.report.model import Report, Table
from fastmatch.results import ratios
from fastmatch.results.pairs import PairScores
from fastmatch.results.scores import Interval, Intervals
from fastmatch.results.signature import Signature
from fastmatch.types import Effort, FloatArray, IntervalMethod, OnError
from fastmatch.umr.columns import read_as_tool, sentence_columns
from fastmatch.umr.documents import Document, document_of
from fastmatch.umr.graphs import check_sentences, graphs_of_both, unlike_texts
from fastmatch.umr.inputs import Documents, document_pairs
from fastmatch.umr.jumatch import STATISTICS, WORK, Ignored, Partners, compare
from fastmatch.umr.reporting import ScoresOfDocuments

#: Scores of juːmæʧ: label, precision, recall, F1, and what is counted: matches, or nodes that have a partner.
_PARTS = {
    "juːmæʧ": ("precision", "recall", "f1", "matched", "n_pred", "n_gold"),
    "of nodes with a partner": ("linked_p", "linked_r", "linked_f", "linked", "n_linked_pred", "n_linked_gold"),
    "nodes with a partner": ("mapped_p", "mapped_r", "mapped_f", "mapped_pred", "nodes_pred", "nodes_gold"),
    "token sets of nodes": ("tokens_p", "tokens_r", "tokens_f", "tokens", "n_tokens_pred", "n_tokens_gold"),
}


@dataclass(frozen=True)
class _Measures:
    """From what is counted of sentences to scores; the headline is F1.

    ``linked``: of what is said of nodes with a partner. ``mapped``: nodes with a partner. ``tokens``: distinct sets of
    tokens with which nodes are aligned.
    """

    tool: bool
    name: ClassVar[str] = "jumatch"
    statistics: ClassVar[tuple[str, ...]] = STATISTICS
    summable: ClassVar[bool] = True

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        row = dict(zip(STATISTICS, statistics, strict=True))
        precision, recall, f1 = self._prf(row["matched"], row["matched"], row["n_pred"], row["n_gold"])
        scores = {"f1": f1, "precision": precision, "recall": recall}
        for name, pred, gold, n_pred, n_gold in (
            ("linked", "linked", "linked", "n_linked_pred", "n_linked_gold"),
            ("mapped", "mapped_pred", "mapped_gold", "nodes_pred", "nodes_gold"),
            ("tokens", "tokens", "tokens", "n_tokens_pred", "n_tokens_gold"),
        ):
            p, r, f = self._prf(row[pred], row[gold], row[n_pred], row[n_gold])
            scores.update({f"{name}_f": f, f"{name}_p": p, f"{name}_r": r})
        return scores

    def _prf(self, found: Any, covered: Any, n_pred: Any, n_gold: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Precision, recall and F1; ``found`` and ``covered`` are what matches on either side, mostly the same."""
        if not self.tool:  # nodes match in pairs, so ``found`` and ``covered`` are always the same here
            return ratios.precision_recall_f1(found, n_pred, n_gold)
        p, r = ratios.divided(found, n_pred, 0.0), ratios.divided(covered, n_gold, 0.0)
        return p, r, ratios.harmonic(p, r)


class Role(NamedTuple):
    """How often a role matches, and how often either side has it."""

    matched: int
    n_pred: int
    n_gold: int


@dataclass(frozen=True)
class JumatchScore(ScoresOfDocuments):
    """Scores of documents by juːmæʧ; the headline is F1 over all sentences.

    ``scores`` are ``f1``, ``precision``, ``recall`` of all that is said of nodes and of the relations of the document
    level, over the sentences of all documents; and three parts of the way there, each as ``_f``, ``_p`` and ``_r``:
    ``linked``, what is said of nodes that have a partner; ``mapped``, nodes that have one; ``tokens``, distinct sets of
    tokens with which nodes are aligned. Fractions in [0, 1]; NaN if there is no sentence.

    Attributes
    ----------
    roles : dict of str → Role
        The same counts for each role, and for ``"concept"``.
    partners : tuple of lists of dict
        For each document, for each of its scored sentences, variables of the prediction → those of gold.
    intervals : Intervals or None
        Confidence intervals, over resamples of the sentences, if they were asked for.
    """

    headline: ClassVar[str] = "f1"

    roles: Mapping[str, Role] = field(default_factory=dict)
    partners: tuple[list[Partners], ...] = field(default=(), repr=False)
    intervals: Intervals | None = None

    @property
    def f1(self) -> float:
        return self.scores["f1"]

    @property
    def precision(self) -> float:
        return self.scores["precision"]

    @property
    def recall(self) -> float:
        return self.scores["recall"]

    @property
    def n_certified(self) -> int:
        """Sentences whose links were all compared; the others were cut short by ``effort``."""
        return sum(int(pairs.certified.sum()) for _, pairs in self.sentences)

    @property
    def certified(self) -> bool:
        """Whether no sentence was cut short by a limit of work."""
        return self.n_certified == sum(len(pairs) for _, pairs in self.sentences)

    @property
    def counts(self) -> dict[str, int]:
        """What was counted, over all sentences: the names of the statistics of :attr:`sentences`."""
        return _sums([pairs for _, pairs in self.sentences])

    def to_dict(self) -> dict[str, Any]:
        """Everything but the partners as plain Python values, ready for JSON."""
        return {
            **super().to_dict(),
            "n_certified": self.n_certified,
            **({"intervals": self.intervals.to_dict()} if self.intervals is not None else {}),
            "counts": self.counts,
            "roles": {role: counts._asdict() for role, counts in self.roles.items()},
        }

    def _rows(self) -> list[dict[str, Any]]:
        return [{**row, **_sums([pairs])} for row, (_, pairs) in zip(super()._rows(), self.sentences, strict=True)]

    def report(self) -> Report:
        """The scores and what they are made of, one row a document if there are several, and what was left out."""
        n = sum(len(kept) for kept, _ in self.sentences)
        documents = f"{len(self.documents):,} documents, " if len(self.documents) > 1 else ""
        spans: Mapping[str, Interval] = self.intervals or {}
        interval = "" if self.intervals is None else f", {100 * self.intervals.confidence:g} % interval"
        rows = [
            (
                text,
                *(Points(self.scores[name], spans.get(name) if name == names[2] else None) for name in names[:3]),
                *(self.counts[name] for name in names[3:]),
            )
            for text, names in _PARTS.items()
        ]
        header = ("", "precision", "recall", f"F1{interval}", "matched", "predicted", "gold")
        headlines = {"f1": "juːmæʧ", "linked_f": "of nodes with a partner", "mapped_f": "nodes with a partner"}
        return self._report(Table(header, rows, f"{documents}{count(n, 'sentence')}"), headlines)

    def __repr__(self) -> str:
        values = ", ".join(f"{name} {self.scores[name]:.6f}" for name in ("f1", "precision", "recall"))
        return f"<JumatchScore: {values}, {self.signature}>"


def score_jumatch(
    pred: Documents,
    gold: Documents,
    *,
    preset: Literal["tool"] | None = None,
    on_error: OnError | None = None,
    only: str | Iterable[str] | None = None,
    except_: str | Iterable[str] | None = None,
    top: bool = False,
    document_level: bool = True,
    bootstrap: int | None = None,
    confidence: float = 0.95,
    bootstrap_method: IntervalMethod = "bca",
    bootstrap_seed: int = 0,
    effort: Effort | None = None,
) -> JumatchScore:
    """Compare predicted documents with gold ones by juːmæʧ; :func:`fastmatch.umr.score` with ``metric="jumatch"``.

    Parameters
    ----------
    pred, gold : Document, str, path object, open file, or a sequence of these
        As for :func:`fastmatch.umr.score`.
    preset : {None, "tool"}
        ``"tool"``: as compare_umr.pl of github.com/ufal/umrtools at 4377bc4 does it, with its reading and its slips.
        Sentences are cut to the number of the shorter document, and of a sentence that cannot be read the beginning is
        compared; ``problems`` names both.
    on_error : {None, "raise", "empty", "repair", "skip"}
        What becomes of what cannot be read of a sentence, and of a sentence that one side lacks at the end: an error
        (default); nothing, so that what the other side has there counts against it; a graph that was mended; or both
        sentences of the pair are left out. The preset reads in its own way, and takes none of these.
    only, except_ : str or iterable of str, optional
        Roles that count, or do not count, with or without colon; ``"concept"`` for the concepts. One string may name
        several, with commas in between. Other roles take no part in ``strong`` matches either, so the links between
        nodes may change. With both, those of ``only`` that ``except_`` does not name.
    top : bool
        Add ``:TOP TOP`` to the first node of each graph.
    document_level : bool
        Compare the relations of the document level.
    bootstrap, confidence, bootstrap_method, bootstrap_seed
        Number of resamples of the sentences for confidence intervals, and how they are made, as for
        :func:`fastmatch.score`.
    effort : {None, "minimal", "low", "default", "high", "proof"}
        How much counted work the links of a sentence may take, in steps of about 5 ns: 0.7, 2, 60 or 2,000 million, or
        any number. Where it is spent, the links that are left are made one-to-one greedily, and the sentence is not
        ``certified``. Only sentences of hundreds of nodes that look alike need so much. None: ``"default"``, but
        ``"proof"`` with the preset, because the program has no limit.

    Returns
    -------
    JumatchScore

    Raises
    ------
    PairingError
        If the numbers of documents or sentences differ, or two folders hold files of different names. With the preset:
        if a document has no sentence, or two sentences have different tokens, as the program stops there.
    ReadError
        If a text is no document, or with ``on_error="raise"`` a part of a sentence cannot be read.
    OptionError
        If an option has no such value.
    OSError
        If a file cannot be read.

    Warns
    -----
    PairingWarning
        If there is no sentence in any document.
    FastmatchWarning
        If ``only`` or ``except_`` names a role that no document has.
    """
    choice("preset", preset or "tool", ("tool",))
    tool = preset == "tool"
    if tool and on_error is not None:
        raise OptionError("on_error: preset 'tool' of jumatch compares what the program reads of a broken sentence")
    on_error = "raise" if on_error is None else on_error
    on_error_mode(on_error)
    usual: Effort = "proof" if tool else "default"
    effort = effort or usual
    choice("effort", effort, WORK)
    seen: set[str] = set()
    ignored, fields = _choice(only, except_, seen)
    fields["top"], fields["doc"] = top, document_level
    if effort != usual:
        fields["effort"] = effort

    def reading(text: str, source: str) -> Document:
        if tool:
            return Document((), source, (), text)
        return document_of(text, source, "raise" if on_error == "raise" else "empty", tool=False)

    found: list[_Found] = []
    names = []
    for one, two in document_pairs(pred, gold, reading, mark=tool):
        names.append((one.source, two.source))
        paired = _pair_as_tool(one, two, top) if tool else _pair(one, two, top, on_error)
        compared = compare(
            paired.pred, paired.gold, paired.vocabulary, ignored, document_level, tool, one.source, WORK[effort]
        )
        pairs = PairScores(compared.statistics, _Measures(tool))
        pairs.whole = compared.whole
        found.append(_Found(paired, pairs, compared.partners, compared.by_role))
    statistics = [each.pairs.statistics for each in found] or [np.zeros((len(STATISTICS), 0), np.int64)]
    together = PairScores(np.concatenate(statistics, axis=1), _Measures(tool))
    if not len(together):
        warn_caller("no sentences on either side: there is nothing to score", PairingWarning)
    else:
        _warn_unknown(fields, seen)
    roles: dict[str, list[int]] = {}
    for each in found:
        for role, counts in each.by_role.items():
            name = role.removeprefix(":")
            roles[name] = [a + b for a, b in zip(roles.get(name, (0, 0, 0)), counts, strict=True)]
    return JumatchScore(
        scores=together.micro(),
        documents=tuple(each.pairs.micro() for each in found),
        signature=Signature(
            "jumatch", {"std": "tool" if tool else "default", **fields, "read": "umrtools" if tool else "penman"}
        ),
        problems=tuple((number, *problem) for number, each in enumerate(found) for problem in each.paired.problems),
        names=tuple(names),
        sentences=tuple((each.paired.kept, each.pairs) for each in found),
        unlike=tuple((number, k) for number, each in enumerate(found) for k in each.paired.unlike),
        roles={role: Role(*roles[role]) for role in sorted(roles)},
        partners=tuple(each.partners for each in found),
        intervals=None
        if bootstrap is None
        else intervals_of(together, checked(bootstrap, confidence, bootstrap_method, bootstrap_seed)),
    )


def _sums(sentences: Sequence[PairScores]) -> dict[str, int]:
    totals = (
        np.sum([pairs.statistics.sum(axis=1) for pairs in sentences], axis=0) if sentences else [0] * len(STATISTICS)
    )
    return dict(zip(STATISTICS, map(int, totals), strict=True))


def _choice(only: object, except_: object, seen: set[str]) -> tuple[Ignored, dict[str, Any]]:
    """Which roles are left out, and what the signature says of it; roles that are asked for are put into ``seen``."""
    chosen = {name: _roles(name, given) for name, given in (("only", only), ("except", except_)) if given is not None}
    fields: dict[str, Any] = {name: ",".join(sorted(roles)) for name, roles in chosen.items()}
    but = chosen.get("except", frozenset())
    left = chosen["only"] - but if "only" in chosen else None
    if left is not None and not left:
        raise OptionError("only, except: no role is left that counts")

    @cache
    def ignored(role: str) -> bool:
        role = role.removeprefix(":")
        seen.add(role)
        return role in but if left is None else role not in left

    return ignored, fields


def _warn_unknown(fields: Mapping[str, Any], seen: set[str]) -> None:
    """Say which of the roles that an option names are in no document: they may be misspelt."""
    for option in ("only", "except"):
        for role in fields[option].split(",") if option in fields else ():
            if role not in seen:
                warn_caller(f"{option}: no document has the role {role!r}{meant(role, seen)}")


def _roles(option: str, given: object) -> frozenset[str]:
    """Names of roles without colons."""
    names = given.split(",") if isinstance(given, str) else given
    if not isinstance(names, Iterable):
        raise OptionError(f"{option}: expected names of roles, found {given!r}")
    roles = frozenset(name.strip().removeprefix(":") if isinstance(name, str) else "" for name in names)
    if not roles or any(re.fullmatch(r"[^\s|,()]+", role) is None for role in roles):
        raise OptionError(f"{option}: expected names of roles such as ARG0,mod or concept, found {given!r}")
    return roles


# ---- sentences of both sides -----------------------------------------------------------------------------------------


class _Paired(NamedTuple):
    """The sentences of two documents: those that are compared, their numbers, what was wrong, whose texts differ."""

    pred: Sentences
    gold: Sentences
    vocabulary: Vocabulary
    kept: tuple[int, ...]
    problems: list[tuple[int, str]]
    unlike: list[int]


class _Found(NamedTuple):
    """What was found of two documents."""

    paired: _Paired
    pairs: PairScores
    partners: list[Partners]
    by_role: dict[str, list[int]]


def _pair_as_tool(pred: Document, gold: Document, top: bool) -> _Paired:
    """As the program does it, or stops."""
    for document in (pred, gold):
        if document.sentences and not document.text:
            raise OptionError(f"preset 'tool' of jumatch reads the text of a document, and {document.source} has none")
    vocabulary = Vocabulary()
    read = [read_as_tool(document.text, vocabulary, top) for document in (pred, gold)]
    problems = []
    for document, (sentences, _, broken) in zip((pred, gold), read, strict=True):
        if not len(sentences):
            raise PairingError(
                f"umr: {document.source} has no sentence; preset 'tool' stops there, as the program does"
            )
        for k, message, line, column in broken:
            place = f"{document.source}:{line}:{column}"
            problems.append((k, f"{place}: sentence {k + 1}: {message}; what stands before that is compared"))
    n = min(len(sentences) for sentences, _, _ in read)
    for document, (sentences, _, _) in zip((pred, gold), read, strict=True):
        if len(sentences) > n:
            more = f"sentences {n + 1} to {len(sentences)} are" if len(sentences) > n + 1 else f"sentence {n + 1} is"
            problems.append((n, f"{document.source}: {more} not compared"))
    one, two = (sentences for sentences, _, _ in read)
    other = _unlike(one, two, n)
    if other is not None:
        raise PairingError(
            f"umr: sentence {other + 1} has other tokens in {pred.source}:{read[0][1][other]} than in "
            f"{gold.source}:{read[1][1][other]}; preset 'tool' stops there, as the program does"
        )
    return _Paired(one, two, vocabulary, tuple(range(n)), problems, [])


def _unlike(one: Sentences, two: Sentences, n: int) -> int | None:
    """The first of n sentences with other tokens, or None."""
    (starts, tokens), (others_starts, others) = (
        (np.asarray(side.token_start).tolist(), np.asarray(side.tokens).tolist()) for side in (one, two)
    )
    for k in range(n):
        if tokens[starts[k] : starts[k + 1]] != others[others_starts[k] : others_starts[k + 1]]:
            return k
    return None


def _pair(pred: Document, gold: Document, top: bool, on_error: OnError) -> _Paired:
    """As fastmatch reads them; ``on_error`` says what becomes of what is missing."""
    if on_error == "raise":
        check_sentences(pred, gold)
    vocabulary = Vocabulary()
    corpora, kept, problems = graphs_of_both(pred, gold, "penman", vocabulary, None, on_error)
    sides = []
    for document, corpus in zip((pred, gold), corpora, strict=True):
        own = [k for k in kept if k < len(document)]
        sides.append(sentence_columns(corpus[own], [document.sentences[k] for k in own], len(kept), top))
    return _Paired(sides[0], sides[1], vocabulary, tuple(kept), problems, unlike_texts(pred, gold))
