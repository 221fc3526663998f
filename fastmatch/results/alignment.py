"""One pair in detail: which variable stands for which, and which triples match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from fastmatch.graphs.corpus import Corpus
from fastmatch.report.cells import count, points
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.results import ratios
from fastmatch.results.equality import ByValue
from fastmatch.results.pairs import PairScores
from fastmatch.results.signature import Signature
from fastmatch.runtime.cached import cached_property
from fastmatch.types import Int32Array, Triple

Row: TypeAlias = tuple[str, Triple | None, Triple | None]
#: Variable → concept.
Concepts: TypeAlias = dict[str | None, str | None]


#: What an alignment takes from the scores of its pair.
_COUNTS = ("matched", "n_pred", "n_gold", "upper", "certified")


@dataclass(frozen=True)
class Explanation:
    """Which triples match under an alignment; what a metric's ``explain`` returns.

    Attributes
    ----------
    matched : tuple of (triple, triple)
        (predicted triple, gold triple) for every match. A triple stands in at most one pair.
    unmatched_pred, unmatched_gold : tuple of triples
        The other triples of the prediction and of the gold graph.
    """

    matched: tuple[tuple[Triple, Triple], ...]
    unmatched_pred: tuple[Triple, ...]
    unmatched_gold: tuple[Triple, ...]


class Explaining(Protocol):
    """What an alignment needs of the metric that found it."""

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Which triples of graph ``i`` and graph ``j`` match under a map of variables, int32[n_variables of i]."""


class Alignment(ByValue, Reported, Tabular):
    """One prediction aligned with one gold graph.

    Attributes
    ----------
    matched, n_pred, n_gold, upper : int or float
        Of this pair, as in :class:`~fastmatch.TripleScores`: float where triples can match in part.
    certified : bool
        ``matched`` is proven to be the optimum.
    signature : Signature
        What the numbers depend on.

    Notes
    -----
    Where repeated triples count once (the default), ``len(matched_triples) == matched``. Where they multiply (preset
    ``smatch``), k copies of a triple against m copies add k·m to ``matched``, while ``matched_triples`` lists min(k, m)
    pairs, since no triple stands in two of them. ``matched`` may then be larger than the number of these pairs.

    Triples are shown as they were written. The triple of the root (TOP) is among them if the metric counts it. If the
    metric counts repeated triples once, the first of them is shown.
    """

    matched: int
    n_pred: int
    n_gold: int
    upper: int
    certified: bool
    signature: Signature
    _origin: tuple[Explaining, Corpus, Corpus, Int32Array]

    def __init__(self, pairs: PairScores, signature: Signature, metric: Explaining, pred: Corpus, gold: Corpus) -> None:
        """Keep what is needed to compare the triples when they are first asked for.

        Parameters
        ----------
        pairs : PairScores
            One pair, with its map of variables. It is a :class:`~fastmatch.TripleScores` or has the columns of one:
            ``matched``, ``n_pred``, ``n_gold``, ``upper`` and ``certified``.
        signature : Signature
        metric : Explaining
            The metric that scored the pair.
        pred, gold : Corpus
            One graph each, as the metric's ``standardized`` gives them.
        """
        numbers = {name: getattr(pairs, name).item() for name in _COUNTS}
        origin = metric, pred, gold, pairs.mapping_of(0)
        self.__dict__.update(numbers, signature=signature, _origin=origin)

    @cached_property
    def _mapping(self) -> dict[str | None, str | None]:
        _, pred, gold, partners = self._origin
        text, gold_text = pred.vocabulary.text, gold.vocabulary.text
        names = [text(name) if name >= 0 else None for name in pred.variable_names.tolist()]
        gold_names = [gold_text(name) if name >= 0 else None for name in gold.variable_names.tolist()]
        return {names[i]: gold_names[j] for i, j in enumerate(partners.tolist()) if j >= 0}

    @cached_property
    def _explanation(self) -> Explanation:
        metric, pred, gold, partners = self._origin
        return metric.explain(pred, gold, 0, 0, partners)

    @cached_property
    def _concepts(self) -> tuple[Concepts, Concepts]:
        """Variable → concept of either graph; the first one where a variable has several."""
        made: list[Concepts] = [{}, {}]
        for known, corpus in zip(made, self._origin[1:3], strict=True):
            for variable, _, concept in corpus[0].instances:
                known.setdefault(variable, concept)
        return made[0], made[1]

    @property
    def mapping(self) -> dict[str | None, str | None]:
        """Variable of the prediction → variable of the gold graph, by name; variables without a partner are left out.

        The variable of the node ``()``, which has no name, is None.
        """
        return dict(self._mapping)

    @property
    def matched_triples(self) -> list[tuple[Triple, Triple]]:
        """(predicted triple, gold triple) for every match."""
        return list(self._explanation.matched)

    @property
    def unmatched_pred(self) -> list[Triple]:
        """Predicted triples without a match."""
        return list(self._explanation.unmatched_pred)

    @property
    def unmatched_gold(self) -> list[Triple]:
        """Gold triples without a match."""
        return list(self._explanation.unmatched_gold)

    @property
    def precision(self) -> float:
        """matched / n_pred."""
        return ratios.prf(self.matched, self.n_pred, self.n_gold).precision

    @property
    def recall(self) -> float:
        """matched / n_gold."""
        return ratios.prf(self.matched, self.n_pred, self.n_gold).recall

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return ratios.prf(self.matched, self.n_pred, self.n_gold).f1

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain Python values, ready for JSON."""
        return {
            **self.signature.to_dict(),
            "scores": {"f1": self.f1, "precision": self.precision, "recall": self.recall},
            "counts": {"matched": self.matched, "n_pred": self.n_pred, "n_gold": self.n_gold, "upper": self.upper},
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
        explanation = self._explanation
        lines = [repr(self)[1:-1]]
        lines += [f"  {pred} -> {gold}" for pred, gold in self._mapping.items()]
        lines += [f"  = {_triple(pred)}  {_triple(gold)}" for pred, gold in explanation.matched]
        lines += [f"  - {_triple(triple)}" for triple in explanation.unmatched_pred]
        lines += [f"  + {_triple(triple)}" for triple in explanation.unmatched_gold]
        return "\n".join(lines)

    def _triples(self) -> list[Row]:
        """What became of every triple, with the predicted and the gold one: matched ones first, then the others."""
        explanation = self._explanation
        return [
            *((_MATCHED, pred, gold) for pred, gold in explanation.matched),
            *((_ONLY_PRED, triple, None) for triple in explanation.unmatched_pred),
            *((_ONLY_GOLD, None, triple) for triple in explanation.unmatched_gold),
        ]

    def _variables(self) -> list[Row]:
        """The same of every variable, which stands between its name and its concept as if it were a triple."""
        concepts, gold_concepts = self._concepts
        mapping = self._mapping
        same = {one[0] for one, _ in self._explanation.matched if one[1] == ":instance"}
        rows: list[Row] = []
        for variable, concept in concepts.items():
            node = (variable, "/", concept)
            if variable in mapping:
                partner = mapping[variable]
                rows.append(
                    (_MATCHED if variable in same else _OTHER, node, (partner, "/", gold_concepts.get(partner)))
                )
            else:
                rows.append((_ONLY_PRED, node, None))
        taken = set(mapping.values())
        rows += [(_ONLY_GOLD, None, (one, "/", concept)) for one, concept in gold_concepts.items() if one not in taken]
        return rows

    def _table(self) -> dict[str, list[str | None]]:
        return _columns(self._triples())

    def in_words(self) -> str:
        """How many triples match, whether that is proven, and the scores, in a line."""
        proof = "proven optimal" if self.certified else f"at most {self.upper:,} can match"
        return (
            f"{count(self.matched, 'matched triple')} of {self.n_pred:,} predicted and {self.n_gold:,} gold ({proof}): "
            f"precision {points(self.precision)}, recall {points(self.recall)}, F1 {points(self.f1)}"
        )

    def report(self) -> Report:
        """Two tables, of variables and of triples, with the prediction on the left and the gold graph on the right.

        The mark between the two says ``=`` equal, ``~`` aligned with another concept, ``-`` only in the prediction,
        ``+`` only in the gold graph. For programs a row a variable, with its concept as target, and then a row a
        triple.
        """
        variables, triples = self._variables(), self._triples()
        tables = []
        for title, rows in (("variables", variables), ("triples", triples)):
            cells = [(_spelled(pred), MARKS[status], _spelled(gold)) for status, pred, gold in rows]
            styles = [STYLES[mark] for _, mark, _ in cells]
            tables.append(Table(("prediction", "", "gold"), cells, title, (), styles, right=False))
        columns = _columns([*variables, *triples])
        what = ["variable"] * len(variables) + ["triple"] * len(triples)
        data = list(zip(what, *columns.values(), strict=True))
        return self._reported("fastmatch align", tables, ("what", *columns), data, [self.in_words()])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an alignment cannot be changed (set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an alignment cannot be changed (delete {name})")

    def _values(self) -> dict[str, Any]:
        return self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        # the results are pickled, not what they are computed from, which holds both corpora
        lazy = ("_mapping", "_explanation", "_concepts")
        return {name: getattr(self, name) for name in (*_COUNTS, "signature", *lazy)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


_MATCHED, _OTHER, _ONLY_PRED, _ONLY_GOLD = "matched", "other concept", "only predicted", "only gold"
#: What became of a triple or variable → its mark.
MARKS = {_MATCHED: "=", _OTHER: "~", _ONLY_PRED: "-", _ONLY_GOLD: "+"}
#: Mark → style of its row on a terminal.
STYLES = {"=": "", "~": "yellow", "-": "red", "+": "green"}


def _columns(rows: Sequence[Row]) -> dict[str, list[str | None]]:
    columns: dict[str, list[str | None]] = {"status": [status for status, _, _ in rows]}
    for place, side in enumerate(("pred", "gold"), start=1):
        for number, part in enumerate(("source", "role", "target")):
            triples = [row[place] for row in rows]
            columns[f"{side}_{part}"] = [None if triple is None else triple[number] for triple in triples]
    return columns


def _spelled(triple: Triple | None) -> str:
    return "" if triple is None else " ".join(part or "" for part in triple).strip()


def _triple(triple: Triple) -> str:
    source, role, target = triple
    return f"{source} {role} {target}"
