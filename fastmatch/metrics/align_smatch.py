"""Align-smatch: Smatch whose triples also say on which words nodes and relations stand.

Xiao et al. (2022), "Align-smatch: A Novel Evaluation Method for Chinese Abstract Meaning Representation Parsing based
on Alignment of Concept and Relation"; the main metric of the CAMRP shared tasks on Chinese AMR (CAMR) since 2022.

A graph has these triples:

* a concept for each node;
* an *anchor* for each node that stands on words: one string for all of them, such as ``3``, ``1_5`` (words 1 and 5),
  ``15.1_15.2`` (two characters of word 15). An id without ``_`` whose number exceeds the length of the sentence is
  that of an implied concept, which has no anchor;
* a relation between two nodes, and one more for the function words that stand on it (``:arg1(x2/把)``), whose name is
  the ids and the text of the words; a co-reference is a relation as well;
* the root.

Under a one-to-one map of nodes, concepts and anchors match if they are equal. A relation matches if its name is equal
and so are the *lemmas* at both its ends: concepts without their sense (``想-02`` and ``想-01`` have the lemma ``想``).
``ends="concept"`` asks for equal concepts, which is how the paper can be read; ``ends="free"`` asks for nothing. The
root matches if its whole concept does.

Each relation is named by its role and the lemmas of its ends here, and the root by its concept. Then this is the
problem of :mod:`fastmatch.metrics.smatch`, which solves it: the optimum is proven.

``preset="tool"`` follows the program of the shared tasks: hill-climbing from four starts, k copies of a triple against
m copies count k·m, the root is the first node that a file mentions, and a relation ``:top`` is the same as the root.

``preset="smatch"`` is the column "Smatch" in the rankings of the shared tasks: no anchors and no words, relations that
match by their names alone, and a root that is the same in all graphs. It needs no lengths.

Tables of the shared tasks (dialect ``camr-tuples``) come with the lengths of their sentences, in the option
``lengths``. CAMR text (``camr``) has them in ``# ::wid``. Graphs in Penman notation can be compared as well: their
anchors are the alignments of concepts (``~e.4``), and a constant is a triple that matches if its role, its value and
the lemma of its node are equal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.matching.triples import TripleFeatures
from fastmatch._ext.reading.interner import Interner
from fastmatch.errors import OptionError, ReadError
from fastmatch.graphs.arrays import kept_rows, owners_of, starts_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.notation import ALIGNMENT
from fastmatch.graphs.vocabulary import CASE, QUOTES, Vocabulary, distinct, relabelled
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import make, register
from fastmatch.metrics.shared.option_tables import SentenceLengths
from fastmatch.metrics.shared.search import Searched
from fastmatch.metrics.shared.sentence_groups import grouped
from fastmatch.metrics.shared.triples import (
    ATTRIBUTE,
    INSTANCE,
    RELATION,
    BothSides,
    Labels,
    explanation,
    without_bare_nodes,
)
from fastmatch.metrics.smatch import CLASSES, Smatch
from fastmatch.results.pairs import TripleScores
from fastmatch.types import Dialect, FloatArray, Int32Array, Int64Array, Triple

if TYPE_CHECKING:
    from fastmatch.metrics.row_bounds import RowBounds
    from fastmatch.results.alignment import Explanation

_DIALECTS = ("penman", "camr", "camr-tuples")
#: No text of a graph has control characters for hexadecimal digits, but text that is made to.
_DIGITS = bytes.maketrans(b"0123456789abcdef", bytes(range(16, 32)))

#: What stands for the absent source or target in the name of a constant; other labels are ids, or −1 for none.
_NO_END = -2
#: The least length of a sentence that has an anchor, where all sentences have it, and where none has.
_ALWAYS, _NO_LENGTH = -1, 2**62

_WORD = re.compile(rb"(?<!\S)x([0-9]+)_")


class _Named(NamedTuple):
    """A corpus whose labels are names, its rows as those of the corpus it was made of, with more behind them.

    Attributes
    ----------
    corpus : Corpus
        Concepts are folded; roles carry their ends. Attributes are constants, then anchors; relations of each graph
        are its own, then its root.
    asked : int64[n]
        Relations ``:top`` of the corpus that have two names in the gold graphs of the published program.
    """

    corpus: Corpus
    asked: Int64Array


@register("align-smatch")
@dataclass(frozen=True)
class AlignSmatch(Searched["BothSides"]):
    """Align-smatch with its options.

    Attributes
    ----------
    ends : {"lemma", "concept", "free"}
        What of the concepts at its ends must agree for a relation to match: the lemma, all, or nothing.
    duplicates : {"once", "bag", "multiply"}
        What k copies of a triple against m copies count: 1, min(k, m) or k·m.
    triples : {"all", "instance", "attribute", "relation"}
        Match and count only triples of one class. Anchors are attributes; words, co-references and the root relations.
    within : {"document", "sentences", "tool"}
        What nodes of documents must share to match; as for Smatch.
    standard : {"default", "tool", "smatch"}
        The root is the node that a graph names as its root, or the first one that is mentioned; ``"smatch"``: of the
        column "Smatch" of the shared tasks; see above.
    lengths : str, mapping or None
        Words of each sentence, by its id, for graphs read with ``camr-tuples``: a mapping or the name of a file.
    solver, restarts, seed, effort, time_limit
        As for Smatch.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tool": {"standard": "tool", "duplicates": "multiply", "solver": "climb", "restarts": 3},
        "smatch": {"standard": "smatch", "ends": "free", "duplicates": "multiply", "solver": "climb", "restarts": 4},
    }

    ends: str = option(
        "lemma",
        "what must agree at the ends of a relation that matches: concepts without their sense, concepts, or nothing",
        choices=("lemma", "concept", "free"),
    )
    duplicates: str = common("duplicates")
    triples: str = common("triples")
    standard: str = option(
        "default",
        "the root, and relations ':top': well-defined, or the program's; or what the shared tasks call Smatch",
        choices=("default", "tool", "smatch"),
    )
    lengths: str | Mapping[str, int] | None = common("lengths")

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "lengths", SentenceLengths.checked(self.lengths))

    @property
    def dialect(self) -> Dialect:
        """Tables of CAMR are what comes with lengths."""
        return "penman" if self.lengths is None and self.standard != "smatch" else "camr-tuples"

    @property
    def symmetric(self) -> bool:
        """True but for the hill-climber, and for the program's relations ``:top``."""
        return super().symmetric and self.standard != "tool"

    @property
    def bounded(self) -> bool:
        """False if repeated triples multiply, or ``:top`` and ``:TOP`` match one triple: scores can then exceed 1."""
        return self.duplicates != "multiply" and self.standard != "tool"

    def check(self, dialect: str) -> None:
        if dialect not in _DIALECTS:
            raise OptionError(
                f"align-smatch needs graphs read with dialect='camr-tuples', 'camr' or 'penman', these were read with "
                f"dialect={dialect!r}"
            )
        if self.standard == "smatch":
            return  # without anchors, no length matters
        if dialect == "camr-tuples" and self.lengths is None:
            raise OptionError(
                "align-smatch of tables of CAMR needs the lengths of their sentences: give the file of ids and numbers "
                "of words (--lengths FILE, lengths=…)"
            )
        if dialect != "camr-tuples" and self.lengths is not None:
            raise OptionError(f"lengths go with dialect='camr-tuples'; these graphs were read with dialect={dialect!r}")

    @property
    def _smatch(self) -> Smatch:
        """What finds the best map: all that is left is Smatch's problem."""
        options = ("duplicates", "triples", "solver", "restarts", "seed", "effort", "time_limit")
        metric: Any = make("smatch", None, top="none", **{name: getattr(self, name) for name in options})
        return metric.knowing(_shared=self._shared)

    # ---- graphs ------------------------------------------------------------------------------------------------------

    def standardized(self, corpus: Corpus) -> Corpus:
        corpus = without_bare_nodes(corpus)
        return _without_words(corpus) if self.standard == "smatch" and corpus.dialect != "penman" else corpus

    def prepare(self, corpus: Corpus) -> BothSides:
        """Features of every graph; O(T log T) for a graph of T triples."""
        corpus = self.standardized(corpus)
        # the relations that tell sentences apart are found by their names, which `_named` changes
        pred = grouped(self._features(self._named(corpus, "pred").corpus), corpus, self.within)
        if self.standard != "tool":
            return BothSides(pred, pred)
        arrays = self._features(self._named(corpus, "gold").corpus).arrays
        gold = grouped(TripleFeatures(arrays[0], pred.n_triples, *arrays[2:]), corpus, self.within)
        return BothSides(pred, gold)

    def _features(self, named: Corpus) -> TripleFeatures:
        if self.duplicates == "bag":
            from fastmatch.graphs.standardization.triples import number_copies

            named = number_copies(named)
        labels = Labels(-1, -1, -1, -1, np.arange(len(named.vocabulary), dtype=np.int32))
        multiply, classes = self.duplicates == "multiply", CLASSES[self.triples]
        return labels.features(named, "none", multiply_duplicates=multiply, classes=classes)

    def _named(self, corpus: Corpus, side: str) -> _Named:
        """The graphs with names for roles, so that two triples match if they are equal and their nodes correspond.

        Parameters
        ----------
        corpus : Corpus
            What :meth:`standardized` gives.
        side : {"pred", "gold"}
            Where it stands in a pair; it matters to the published program alone.
        """
        vocabulary, interner = corpus.vocabulary, corpus.vocabulary.interner
        fold = vocabulary.fold(CASE | QUOTES if corpus.dialect == "penman" else CASE)
        concepts = _folded(fold, corpus.instances[1])
        # the first concept of each variable, by its place among all variables
        of_variable = np.full(len(corpus.variable_names), -1, np.int32)
        starts = corpus.variable_offsets[:-1]
        first = corpus.instances[0] + np.repeat(starts, np.diff(corpus.instance_offsets))
        of_variable[first[::-1]] = concepts[::-1]
        labels = of_variable
        if self.ends != "concept":
            labels = lemmas(vocabulary, of_variable) if self.ends == "lemma" else np.full_like(of_variable, -1)

        owners = owners_of(corpus.relation_offsets)
        source, role, target = corpus.relations[0], fold[corpus.relations[1]], corpus.relations[2]
        ends = [labels[variable + starts[owners]] for variable in (source, target)]
        names = [end_names(interner, role, *ends)]
        rooted = np.flatnonzero(corpus.root >= 0)
        root = corpus.root[rooted] if self.standard == "default" else np.zeros(len(rooted), np.int32)
        concept = of_variable[starts[rooted] + root]
        if self.standard == "smatch":
            concept = np.full_like(concept, -1)  # any root equals any other
        tops = np.full(len(rooted), interner.intern(b"\0top"), np.int32)
        names.append(end_names(interner, tops, concept, concept))
        owner, rows = [owners, rooted], [corpus.relations[[0, 2]], np.stack([root, root])]
        asked = np.zeros(0, np.int64)
        if self.standard == "tool":
            written, top = interner.intern(b":top"), interner.lookup(b"\0top")
            loops = end_names(interner, np.full(len(rooted), written, np.int32), *[labels[starts[rooted] + root]] * 2)
            whole = [of_variable[variable + starts[owners]] for variable in (source, target)]
            asked = np.flatnonzero(corpus.relations[1] == written if side == "pred" else role == written)
            exact = end_names(interner, np.full(len(asked), top, np.int32), *(end[asked] for end in whole))
            if side == "pred":
                names[0][asked] = exact
            else:  # what the prediction writes decides whether whole concepts are asked for
                names += [exact, loops]
                owner += [owners[asked], rooted]
                rows += [rows[0][:, asked], rows[1]]
        order = np.argsort(np.concatenate(owner), kind="stable")
        offsets = starts_of(np.bincount(np.concatenate(owner), minlength=len(corpus)))
        relations = np.zeros((5, len(order)), np.int32)
        relations[[0, 2]] = np.concatenate(rows, axis=1)[:, order]
        relations[1] = np.concatenate(names)[order]

        instances = corpus.instances.copy()
        instances[1] = concepts
        constants = self._attributes(corpus, fold, labels)
        made = corpus.with_columns(instances=instances, relation_offsets=offsets, relations=relations, **constants)
        return _Named(made, asked)

    def _attributes(self, corpus: Corpus, fold: Int32Array, labels: Int32Array) -> dict[str, NDArray[Any]]:
        """Offsets and rows of the constants of each graph and then its anchors."""
        interner = corpus.vocabulary.interner
        starts = corpus.variable_offsets[:-1]
        owners = owners_of(corpus.attribute_offsets)
        variable, role, value = corpus.attributes[:3]
        ends = labels[variable + starts[owners]]
        names = end_names(interner, fold[role], ends, np.full(len(ends), _NO_END, np.int32))
        graph, anchored, anchors = self._anchors(corpus)
        owner = np.concatenate([owners, graph])
        order = np.argsort(owner, kind="stable")
        offsets = starts_of(np.bincount(owner, minlength=len(corpus)))
        rows = np.zeros((4, len(owner)), np.int32)
        rows[0] = np.concatenate([variable, anchored])
        rows[1] = np.concatenate([names, np.full(len(anchors), interner.intern(b"\0anchor"), np.int32)])
        rows[2] = np.concatenate([_folded(fold, value), anchors])
        return {"attribute_offsets": offsets, "attributes": np.ascontiguousarray(rows[:, order])}

    def _anchors(self, corpus: Corpus) -> tuple[Int64Array, Int32Array, Int32Array]:
        """Graph, variable and text of every anchor, in the order of graphs and variables."""
        if self.standard == "smatch":
            return np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32)
        if corpus.dialect == "penman":
            return _alignments(corpus)
        vocabulary = corpus.vocabulary
        names, places = distinct(corpus.variable_names)
        found = [_anchor(vocabulary.text(name)) for name in names.tolist()]
        texts = vocabulary.ids(text for text, _ in found)[places]
        least = np.array([number for _, number in found], np.int64)[places]
        graphs = owners_of(corpus.variable_offsets)
        kept = np.flatnonzero(least <= self._lengths(corpus)[graphs])
        variable = kept - corpus.variable_offsets[graphs[kept]]
        return graphs[kept], variable.astype(np.int32), texts[kept]

    def _lengths(self, corpus: Corpus) -> Int64Array:
        """Words of the sentence of each graph, int64[n_graphs]; 0 for empty graphs.

        Raises
        ------
        ReadError
            If a sentence has no length; it names the file and the line of the graph.
        """
        lengths = np.zeros(len(corpus), np.int64)
        known = None if self.lengths is None else SentenceLengths.of(self.lengths)
        ids = corpus.ids if known is not None else ()
        bounds = corpus.comment_offsets.tolist()
        for g in np.flatnonzero(corpus.root >= 0).tolist():
            if known is None:
                length = _n_words(corpus.comments[bounds[g] : bounds[g + 1]].tobytes())
                lacking = "the graph has no line '# ::wid' with the words of its sentence"
            else:
                length = known.get(ids[g] or "")
                lacking = (
                    f"sentence {ids[g]!r} has no length: expected a line with its id and the number of its words in "
                    "the file of lengths"
                )
            if length is None:
                raise ReadError(lacking, source=corpus.source, line=int(corpus.lines[g]), column=1)
            lengths[g] = length
        return lengths

    # ---- pairs -------------------------------------------------------------------------------------------------------

    def costs(self, pred: BothSides, gold: BothSides, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        return self._smatch.costs(pred.pred, gold.gold, index_pred, index_gold)

    def empty(
        self, pred: BothSides, gold: BothSides, index_pred: Int32Array, index_gold: Int32Array, mapping: bool
    ) -> TripleScores:
        return self._smatch.empty(pred.pred, gold.gold, index_pred, index_gold, mapping)

    def score(self, pred: BothSides, gold: BothSides, pairs: PairRange, out: TripleScores) -> None:
        self._smatch.score(pred.pred, gold.gold, pairs, out)
        if self.standard == "tool":  # ":top" and ":TOP" may both match one triple, which the climber's bound leaves out
            upper = out.upper[pairs.places]
            np.maximum(upper, out.matched[pairs.places], out=upper)

    def bounds(self, pred: BothSides, gold: BothSides) -> RowBounds | None:
        """As Smatch's; none for the program's standard, where the two sides of a graph differ."""
        if self.standard == "tool":
            return None
        return self._smatch.bounds(pred.pred, pred.pred if pred is gold else gold.pred)

    def explain(self, pred: Corpus, gold: Corpus, i: int, j: int, mapping: Int32Array) -> Explanation:
        """Pair each predicted triple with the gold triple that it becomes under the map, each gold triple once at most.

        Anchors are written ``(x3, ":anchor", "3")``, the root ``(x3, ":TOP", concept)``.
        """
        places = mapping.tolist()
        mine = [(keys[0], triple) for keys, triple in self._keyed(pred, i, "pred")]
        wanted = Counter((*key[:2], *(places[variable] for variable in key[2:])) for key, _ in mine)
        theirs = []
        for keys, triple in self._keyed(gold, j, "gold"):
            chosen = next((key for key in keys if wanted[key] > 0), keys[0])
            wanted[chosen] -= 1
            theirs.append((chosen, triple))
        return explanation(mine, theirs, mapping)

    def _keyed(self, corpus: Corpus, graph: int, side: str) -> list[tuple[list[tuple[int, ...]], Triple]]:
        """The triples of a graph that count, each with the keys that let it match: the root, then as in the text.

        Keys are (−1, concept, variable), (role, value, variable) and (role, −2, source, target).
        """
        one = corpus[graph : graph + 1]
        named = self._named(one, side)
        shown, made = one[0], named.corpus
        n_constants, n_relations = one.attributes.shape[1], one.relations.shape[1]
        instances, attributes, relations = (
            part.T.tolist() for part in (made.instances, made.attributes, made.relations)
        )
        keys: list[list[tuple[int, ...]]] = [
            [(role, _NO_END, source, target)] for source, role, target, *_ in relations[: n_relations + 1]
        ]
        if side == "gold" and self.standard == "tool":
            for place, (source, role, target, *_) in zip(
                [*named.asked.tolist(), n_relations], relations[n_relations + 1 :], strict=False
            ):
                keys[place].append((role, _NO_END, source, target))
            written = corpus.vocabulary.lookup(":top")
            for place in np.flatnonzero(one.relations[1] == written).tolist():
                keys[place].reverse()  # the one that it has in a prediction comes first, and tells copies
        rows: list[tuple[int, int, list[tuple[int, ...]]]] = [
            (position, INSTANCE, [(-1, concept, variable)])
            for (variable, concept, _), position in zip(instances, one.instances[2].tolist(), strict=True)
        ]
        rows += [
            (position, ATTRIBUTE, [(role, value, variable)])
            for (variable, role, value, _), position in zip(attributes, one.attributes[3].tolist(), strict=False)
        ]
        rows += zip(one.relations[3].tolist(), [RELATION] * n_relations, keys, strict=False)
        rows.sort()
        listed: list[tuple[int, list[tuple[int, ...]], Triple]] = []
        names = shown.variables
        if len(keys) > n_relations:
            root = names[keys[-1][0][2]]
            concept = next((text for source, role, text in shown.triples if (source, role) == (root, ":instance")), "")
            if self.standard == "smatch":
                concept = "top"
            listed.append((RELATION, keys[-1], (root, ":TOP", concept)))
        listed += [(kind, found, triple) for (_, kind, found), triple in zip(rows, shown.triples, strict=True)]
        text = corpus.vocabulary.text
        listed += [
            (ATTRIBUTE, [(role, value, variable)], (names[variable], ":anchor", text(value)))
            for variable, role, value, _ in attributes[n_constants:]
        ]
        classes = CLASSES[self.triples]
        result = [(found, triple) for kind, found, triple in listed if kind & classes]
        if self.duplicates != "once":
            return result
        first: dict[tuple[int, ...], tuple[list[tuple[int, ...]], Triple]] = {}
        for found, triple in result:
            first.setdefault(found[0], (found, triple))
        return list(first.values())

    # ---- signature ---------------------------------------------------------------------------------------------------

    def without_effect(self) -> frozenset[str]:
        return super().without_effect() | ({"lengths"} if self.standard == "smatch" else frozenset())

    signature_names: ClassVar = keys_of("solver ends dup=duplicates triples within std=standard lengths#")

    def digest(self, option: str) -> str | None:
        return None if self.lengths is None or self.standard == "smatch" else SentenceLengths.of(self.lengths).digest


def _without_words(corpus: Corpus) -> Corpus:
    """The corpus without the words that stand on relations: of roles only theirs have a "=" (``:x2=把``)."""
    vocabulary = corpus.vocabulary
    roles = np.unique(corpus.relations[1])
    words = [role for role in roles.tolist() if "=" in vocabulary.text(role)]
    return corpus.with_columns(**kept_rows(corpus, "relation", ~np.isin(corpus.relations[1], words)))


def _n_words(comments: bytes) -> int | None:
    """The largest number of a word in comment lines, as CAMR has them in ``# ::wid x1_… x2_…``; None without these."""
    # no metadata by penman's rule: a word may be "::"
    _, found, words = comments.rpartition(b"::wid")
    return max(map(int, _WORD.findall(words.partition(b"\n")[0])), default=0) if found else None


def _folded(fold: Int32Array, labels: Int32Array) -> Int32Array:
    """The ids of labels as they are compared; −1 stays."""
    return np.where(labels >= 0, fold[labels], np.int32(-1))


def _anchor(name: str) -> tuple[str, int]:
    """The anchor of a variable, and the least length of a sentence that has it: −1 if every one has.

    A variable is called by the id of its node, with more letters ``x`` in front if the id stands for several nodes.
    """
    number = name.lstrip("x")
    if "_" not in number:
        # no length reaches a number of so many digits
        return number, _NO_LENGTH if number == "0" or len(number.lstrip("0")) > 10 else int(number)
    parts = []
    for group in number.split("_x"):
        word, *characters = group.split("_")
        parts += [f"{word}.{character}" for character in characters] or [word]
    return "_".join(parts), _ALWAYS


def _alignments(corpus: Corpus) -> tuple[Int64Array, Int32Array, Int32Array]:
    """Graph, variable and tokens of every concept of a Penman graph that has an alignment."""
    surface = corpus.surface
    graph = owners_of(corpus.surface_offsets)
    owners = owners_of(corpus.instance_offsets)
    of_concepts = np.flatnonzero(surface[1] == 0)
    # the instance at the same place of the same graph; instances ascend by graph and position
    places = owners << 32 | corpus.instances[2]
    wanted = graph[of_concepts] << 32 | surface[0, of_concepts]
    at = np.searchsorted(places, wanted)
    found = np.flatnonzero(np.append(places, -1)[at] == wanted)
    rows, texts = at[found], surface[2, of_concepts[found]]
    return owners[rows], corpus.instances[0, rows], relabelled(corpus.vocabulary, texts, _tokens)


def _tokens(alignment: str) -> str:
    match = re.fullmatch(ALIGNMENT, alignment)
    return match[1] if match is not None else ""


def end_names(interner: Interner, *labels: Int32Array) -> Int32Array:
    """Names of relations that carry their ends: strings of the vocabulary, so that kernels take them for roles.

    Parameters
    ----------
    interner : Interner
        Gets the names.
    *labels : int32[n]
        Of each relation the role and both ends.

    Returns
    -------
    int32[n]
        Ids of the names. Two are equal if and only if all three labels are.
    """
    names = np.stack(labels, axis=1).tobytes().hex().encode().translate(_DIGITS)
    return interner.intern_table(np.frombuffer(names, np.uint8), np.arange(0, len(names) + 1, 8 * len(labels)))


def lemmas(vocabulary: Vocabulary, concepts: Int32Array) -> Int32Array:
    """Lemmas of concepts, int32[n]: without a hyphen and two decimal digits of any script at the end, once; −1 stays.

    ``想-02`` and ``想-０２`` have the lemma ``想``, ``看-01-02`` has ``看-01``; ``想-001`` and ``想-1`` are their own.
    """
    return relabelled(vocabulary, concepts, _lemma)


def _lemma(text: str) -> str:
    return text[:-3] if text[-3:-2] == "-" and text[-2:].isdecimal() else text
