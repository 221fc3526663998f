"""What scoring gives back. Nothing here computes an alignment; heavy fields are made when they are first asked for.

:class:`PairScores`
    one row a pair, as numpy arrays: the sufficient statistics and the certificate;
:class:`CorpusScore`
    the same summed up, with the signature that makes the number comparable;
:class:`Alignment`
    one pair in detail: which variable stands for which, and which triples match.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fastmatch import statistics
from fastmatch.statistics import PRF

if TYPE_CHECKING:
    from fastmatch.corpus import Corpus
    from fastmatch.metrics.base import Metric
    from fastmatch.signature import Signature
    from fastmatch.types import BoolArray, FloatArray, Int32Array, Int64Array, Triple

__all__ = ["Alignment", "CorpusScore", "Explanation", "PairScores"]


@dataclass(frozen=True, eq=False, repr=False)
class PairScores:
    """Scores of many pairs, one entry a pair, in the order the pairs were given.

    Attributes
    ----------
    matched : int64[n_pairs]
        Triples matched by the alignment that was found: a lower bound of the optimum. With triples that multiply
        (preset ``smatch``: k copies against m copies count k·m) it may exceed ``n_pred`` or ``n_gold``.
    n_pred, n_gold : int64[n_pairs]
        Triples of the prediction and of the gold graph.
    upper : int64[n_pairs]
        Proven upper bound on ``matched`` over all alignments.
    certified : bool[n_pairs]
        ``matched`` is proven to be the optimum.
    mapping_offsets : int64[n_pairs + 1] or None
    mapping : int32[·] or None
        For pair k, ``mapping[mapping_offsets[k]:mapping_offsets[k + 1]]`` holds for each variable of the prediction the
        variable of the gold graph it stands for, or −1. None when alignments were not asked for.
    """

    matched: Int64Array
    n_pred: Int64Array
    n_gold: Int64Array
    upper: Int64Array
    certified: BoolArray
    mapping_offsets: Int64Array | None = None
    mapping: Int32Array | None = None

    @cached_property
    def _prf(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return statistics.precision_recall_f1(self.matched, self.n_pred, self.n_gold)

    @property
    def precision(self) -> FloatArray:
        """matched / n_pred, float64[n_pairs]; empty sides as :mod:`fastmatch.statistics` says."""
        return self._prf[0]

    @property
    def recall(self) -> FloatArray:
        """matched / n_gold, float64[n_pairs]."""
        return self._prf[1]

    @property
    def f1(self) -> FloatArray:
        """Harmonic mean of precision and recall, float64[n_pairs]."""
        return self._prf[2]

    def mapping_of(self, pair: int) -> Int32Array:
        """The alignment of one pair, int32[n_variables of its prediction]; −1 for a variable that has no partner.

        Raises
        ------
        ValueError
            If alignments were not asked for.
        IndexError
            If there is no such pair.
        """
        if self.mapping is None or self.mapping_offsets is None:
            raise ValueError("alignments were not asked for: score with mapping=True, or use fastmatch.align")
        if not -len(self) <= pair < len(self):
            raise IndexError(f"pair {pair} of {len(self)}")
        pair %= len(self)
        return self.mapping[self.mapping_offsets[pair] : self.mapping_offsets[pair + 1]]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as plain lists, ready for JSON."""
        names = ("matched", "n_pred", "n_gold", "upper", "certified", "precision", "recall", "f1")
        return {name: getattr(self, name).tolist() for name in names}

    def __len__(self) -> int:
        return len(self.matched)

    def __repr__(self) -> str:
        return f"<PairScores: {_count(len(self), 'pair')}, {int(self.certified.sum()):,} certified>"


@dataclass(frozen=True, eq=False, repr=False)
class CorpusScore:
    """The score of a corpus of predictions against a corpus of gold graphs.

    Attributes
    ----------
    pairs : PairScores
        The pairs' own counts and scores.
    signature : Signature
        What the number depends on. Two scores may be compared if their signatures are equal.
    problems : tuple of (side, index, message)
        Graphs that could not be read and count as empty (``on_error="empty"``): side is ``"pred"`` or ``"gold"``,
        index the number of the pair.
    """

    pairs: PairScores
    signature: Signature
    problems: tuple[tuple[str, int, str], ...] = ()

    @cached_property
    def _totals(self) -> tuple[int, int, int, int]:
        pairs = self.pairs
        if len(pairs) == 1:  # four sums over one element cost 10 µs, a tenth of what one small pair may cost in all
            return pairs.matched.item(), pairs.n_pred.item(), pairs.n_gold.item(), pairs.upper.item()
        matched, n_pred, n_gold = pairs.matched.sum().item(), pairs.n_pred.sum().item(), pairs.n_gold.sum().item()
        return matched, n_pred, n_gold, pairs.upper.sum().item()

    @cached_property
    def micro(self) -> PRF:
        """Precision, recall and F1 of the sums over all pairs."""
        return statistics.prf(*self._totals[:3])

    @cached_property
    def macro(self) -> PRF:
        """Means of the pairs' precision, recall and F1."""
        return statistics.macro(self.pairs.matched, self.pairs.n_pred, self.pairs.n_gold)

    @property
    def precision(self) -> float:
        """Micro precision: matched / n_pred, in [0, 1]."""
        return self.micro.precision

    @property
    def recall(self) -> float:
        """Micro recall: matched / n_gold, in [0, 1]."""
        return self.micro.recall

    @property
    def f1(self) -> float:
        """Micro F1, in [0, 1]."""
        return self.micro.f1

    @property
    def matched(self) -> int:
        """Triples matched, over all pairs."""
        return self._totals[0]

    @property
    def n_pred(self) -> int:
        """Triples of all predictions."""
        return self._totals[1]

    @property
    def n_gold(self) -> int:
        """Triples of all gold graphs."""
        return self._totals[2]

    @property
    def upper(self) -> int:
        """Proven upper bound of ``matched``."""
        return self._totals[3]

    @cached_property
    def n_certified(self) -> int:
        """Number of pairs whose count is proven to be the optimum."""
        return int(self.pairs.certified.sum())

    @property
    def certified(self) -> bool:
        """Every pair's count is proven to be the optimum."""
        return self.n_certified == len(self.pairs)

    def to_dict(self, *, pairs: bool = False) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON; with ``pairs`` also the pairs' columns."""
        result: dict[str, Any] = {
            "metric": self.signature.metric,
            "signature": str(self.signature),
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "macro": self.macro._asdict(),
            "matched": self.matched,
            "n_pred": self.n_pred,
            "n_gold": self.n_gold,
            "upper": self.upper,
            "n_pairs": len(self.pairs),
            "n_certified": self.n_certified,
            "certified": self.certified,
            "problems": [{"side": side, "index": index, "message": text} for side, index, text in self.problems],
        }
        if pairs:
            result["pairs"] = self.pairs.to_dict()
        return result

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        unread = f", {len(self.problems):,} unreadable" if self.problems else ""
        return (
            f"<CorpusScore: F1 {self.f1:.6f} P {self.precision:.6f} R {self.recall:.6f}, {_count(len(self), 'pair')}, "
            f"{self.n_certified:,} certified{unread}, {self.signature}>"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th>" + "".join(f"<td>{100 * value:.2f}</td>" for value in values) + "</tr>"
            for name, values in (("micro", self.micro), ("macro", self.macro))
        )
        return (
            "<table><thead><tr><th></th><th>Precision</th><th>Recall</th><th>F1</th></tr></thead>"
            f"<tbody>{rows}</tbody></table>"
            f"<p>{_count(len(self), 'pair')}, {self.n_certified:,} certified; {self.matched:,} triples matched of "
            f"{self.n_pred:,} predicted and {self.n_gold:,} gold<br><code>{_escape(str(self.signature))}</code></p>"
        )


@dataclass(frozen=True)
class Explanation:
    """Which triples an alignment matches; what a metric's ``explain`` returns.

    Attributes
    ----------
    matched : tuple of (triple, triple)
        Predicted triple, gold triple. A triple stands in at most one pair.
    unmatched_pred, unmatched_gold : tuple of triples
        The rest.
    """

    matched: tuple[tuple[Triple, Triple], ...]
    unmatched_pred: tuple[Triple, ...]
    unmatched_gold: tuple[Triple, ...]


class Alignment:
    """One prediction aligned with one gold graph.

    Attributes
    ----------
    matched, n_pred, n_gold, upper : int
        As in :class:`PairScores`.
    certified : bool
    signature : Signature

    Notes
    -----
    Where repeated triples count once (the default) ``len(matched_triples) == matched``. Where they multiply (preset
    ``smatch``), k copies of a triple against m copies add k·m to ``matched``, while ``matched_triples`` lists min(k, m)
    pairs: no triple stands in two of them. ``matched`` may therefore be larger than the list is long.

    Triples are printed as they were written; TOP is among them where the metric counts it. Where the metric counts
    repeated triples once, the first of them stands for all.
    """

    __slots__ = (
        "__weakref__",
        "_explanation",
        "_mapping",
        "_origin",
        "certified",
        "matched",
        "n_gold",
        "n_pred",
        "signature",
        "upper",
    )

    matched: int
    n_pred: int
    n_gold: int
    upper: int
    certified: bool
    signature: Signature
    _origin: tuple[Metric, Corpus, Corpus, Int32Array] | None
    _mapping: dict[str | None, str | None] | None
    _explanation: Explanation | None

    def __init__(self, pairs: PairScores, signature: Signature, metric: Metric, pred: Corpus, gold: Corpus) -> None:
        """``pairs`` holds one pair, the first graphs of the two corpora, with its alignment."""
        put = object.__setattr__
        put(self, "matched", pairs.matched.item())
        put(self, "n_pred", pairs.n_pred.item())
        put(self, "n_gold", pairs.n_gold.item())
        put(self, "upper", pairs.upper.item())
        put(self, "certified", pairs.certified.item())
        put(self, "signature", signature)
        put(self, "_origin", (metric, pred, gold, pairs.mapping_of(0)))
        put(self, "_mapping", None)
        put(self, "_explanation", None)

    def _mapped(self) -> dict[str | None, str | None]:
        mapping = self._mapping
        if mapping is None:
            assert self._origin is not None
            _, pred, gold, partners = self._origin
            text, gold_text = pred.vocabulary.text, gold.vocabulary.text
            names = [text(name) if name >= 0 else None for name in pred.variable_names.tolist()]
            gold_names = [gold_text(name) if name >= 0 else None for name in gold.variable_names.tolist()]
            mapping = {names[i]: gold_names[j] for i, j in enumerate(partners.tolist()) if j >= 0}
            object.__setattr__(self, "_mapping", mapping)
        return mapping

    def _explained(self) -> Explanation:
        explanation = self._explanation
        if explanation is None:
            assert self._origin is not None  # only what was pickled lacks it, and then the rest is there
            metric, pred, gold, partners = self._origin
            explanation = metric.explain(pred, gold, 0, 0, partners)
            object.__setattr__(self, "_explanation", explanation)
        return explanation

    @property
    def mapping(self) -> dict[str | None, str | None]:
        """Variable of the prediction → variable of the gold graph, by name; variables without a partner are left out.

        The variable of the node ``()``, which has no name, is None.
        """
        return dict(self._mapped())

    @property
    def matched_triples(self) -> list[tuple[Triple, Triple]]:
        """(predicted triple, gold triple) for every match."""
        return list(self._explained().matched)

    @property
    def unmatched_pred(self) -> list[Triple]:
        """Predicted triples without a match."""
        return list(self._explained().unmatched_pred)

    @property
    def unmatched_gold(self) -> list[Triple]:
        """Gold triples without a match."""
        return list(self._explained().unmatched_gold)

    @property
    def precision(self) -> float:
        """matched / n_pred."""
        return statistics.prf(self.matched, self.n_pred, self.n_gold).precision

    @property
    def recall(self) -> float:
        """matched / n_gold."""
        return statistics.prf(self.matched, self.n_pred, self.n_gold).recall

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return statistics.prf(self.matched, self.n_pred, self.n_gold).f1

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            "metric": self.signature.metric,
            "signature": str(self.signature),
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "matched": self.matched,
            "n_pred": self.n_pred,
            "n_gold": self.n_gold,
            "upper": self.upper,
            "certified": self.certified,
            # pairs, not an object: the name of the node () is None, which JSON would turn into a string
            "mapping": [list(pair) for pair in self.mapping.items()],
            "matched_triples": [[list(pred), list(gold)] for pred, gold in self.matched_triples],
            "unmatched_pred": [list(triple) for triple in self.unmatched_pred],
            "unmatched_gold": [list(triple) for triple in self.unmatched_gold],
        }

    def __repr__(self) -> str:
        proof = "optimal" if self.certified else f"at most {self.upper}"
        return (
            f"<Alignment: F1 {self.f1:.6f}, {self.matched} triples matched ({proof}) of {self.n_pred} predicted and "
            f"{self.n_gold} gold, {self.signature}>"
        )

    def __str__(self) -> str:
        explanation = self._explained()
        lines = [repr(self)[1:-1]]
        lines += [f"  {pred} -> {gold}" for pred, gold in self._mapped().items()]
        lines += [f"  = {_triple(pred)}  {_triple(gold)}" for pred, gold in explanation.matched]
        lines += [f"  - {_triple(triple)}" for triple in explanation.unmatched_pred]
        lines += [f"  + {_triple(triple)}" for triple in explanation.unmatched_gold]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        explanation = self._explained()
        rows = [(_triple(pred), _triple(gold)) for pred, gold in explanation.matched]
        rows += [(_triple(triple), "") for triple in explanation.unmatched_pred]
        rows += [("", _triple(triple)) for triple in explanation.unmatched_gold]
        body = "".join(f"<tr><td>{_escape(pred)}</td><td>{_escape(gold)}</td></tr>" for pred, gold in rows)
        pairs = ", ".join(f"{pred} → {gold}" for pred, gold in self._mapped().items())
        return (
            f"<p>{_escape(repr(self)[1:-1])}<br>{_escape(pairs)}</p>"
            f"<table><thead><tr><th>prediction</th><th>gold</th></tr></thead><tbody>{body}</tbody></table>"
        )

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an alignment cannot be changed (set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an alignment cannot be changed (delete {name})")

    def __getstate__(self) -> dict[str, Any]:
        # what is to be known instead of the way to it, which holds both corpora
        self._mapped(), self._explained()
        return {name: getattr(self, name) for name in self.__slots__ if name not in ("__weakref__", "_origin")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        object.__setattr__(self, "_origin", None)
        for name, value in state.items():
            object.__setattr__(self, name, value)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _triple(triple: Triple) -> str:
    source, role, target = triple
    return f"{source} {role} {target}"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
