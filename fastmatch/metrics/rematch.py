"""Rematch: overlap of motifs (Kachwala et al., 2024, "Rematch: Robust and Efficient Matching of Local Knowledge
Graphs to Improve Structural and Semantic Similarity").

A graph becomes the set of its attribute, instance and relation motifs (:mod:`fastmatch._ext.features.motifs`). The
score of a pair is the Jaccard index of the two sets; that of a corpus is the sum of the sizes of all intersections over
the sum of the sizes of all unions.

By default graphs are read as penman does, labels are compared in lower case and without surrounding quotes, and
``(a :domain b)`` is ``(b :mod a)``. ``preset="tool"`` is the published program (``osome-iu/Rematch-RARE``): its reader,
labels without trailing underscores, roles of relations with their case, no attributes whose value is ``top``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from fastmatch._ext.features.motifs import motif_sets
from fastmatch._ext.features.sets import FeatureSets, count_shared
from fastmatch._ext.index.formulas import OverlapScorer, RatioScorer
from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.vocabulary import CASE, UNDERSCORES, Vocabulary
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.feature_lists import FeatureLists
from fastmatch.metrics.options import common, keys_of, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.shared import labels as _features
from fastmatch.metrics.shared.naming import NamedGraph, compared, labelled_graph
from fastmatch.results.features import NamedFeature
from fastmatch.results.pairs import PairScores
from fastmatch.results.signature import Value
from fastmatch.runtime.files import version
from fastmatch.types import BoolArray, Dialect, FloatArray, Int32Array

_CLASSES = {"attributes": 1, "instances": 2, "relations": 4, "labels": 8}

#: Motifs of one graph by the option ``effort``, repeated ones included: about 0.15 µs and 32 bytes each, and five times
#: that in a matrix of features. Sentences have some tens, documents of 1,000 variables some thousands.
_MOST = {"minimal": 5 * 10**4, "low": 10**5, "default": 5 * 10**5, "high": 10**7, "proof": 5 * 10**7}


@register("rematch")
@dataclass(frozen=True)
class Rematch(_features.ToolReads, Metric["FeatureSets"]):
    """Jaccard index of motifs.

    Attributes
    ----------
    attributes, instances, relations : bool
        Whether motifs of this kind count (table 5 of the paper leaves them out one by one).
    labels : bool
        Whether concepts, roles and values count by themselves, too; with nothing else, they are the row "labels" of
        that table.
    frames : str or None
        A file that says which frame a concept stands for. VerbAtlas, which the paper uses, may not be passed on.
    keys : {"hashed", "exact"}
        What stands for a motif: a 64-bit hash, or a number from a table.
    effort : {"minimal", "low", "default", "high", "proof"}
        A graph may have 10⁵, 5·10⁵, 10⁷ or 5·10⁷ motifs. A relation that would bring more has none, and pairs of such a
        graph are not ``certified``.
    standard : {"default", "tool"}
        How text is read and labels are compared (see above).
    """

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"tool": {"standard": "tool"}}
    statistics: ClassVar[tuple[str, ...]] = ("shared", "union")

    attributes: bool = option(True, "count attribute motifs")
    instances: bool = option(True, "count instance motifs")
    relations: bool = option(True, "count relation motifs")
    labels: bool = option(False, "count plain labels as well")
    frames: str | None = option(
        None,
        "file of two columns, concept and frame, or a JSON object; concepts are compared by their frames",
        takes="frames",
    )
    keys: str = option("hashed", _features.KEYS_HELP, choices=_features.KEYS)
    effort: str = common("effort")
    standard: str = option("default", "equality of labels, and reading", choices=("default", "tool"))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self._classes:
            raise OptionError("rematch without attributes, instances, relations and labels has nothing to compare")
        if self.frames is not None:
            _frames(self.frames)

    @property
    def _classes(self) -> int:
        return sum(bit for name, bit in _CLASSES.items() if getattr(self, name))

    symmetric = True

    def combine(self, statistics: NDArray[Any]) -> dict[str, FloatArray]:
        """Shared over union; two graphs without any motif are equal."""
        shared, union = np.asarray(statistics, np.float64)
        return {"jaccard": np.divide(shared, union, out=np.ones_like(union), where=union > 0)}

    def prepare(self, corpus: Corpus) -> FeatureSets:
        """Motifs of every graph, a set of 64-bit keys each; O(M log M) for a graph of M motifs."""
        vocabulary, exact = corpus.vocabulary, self.keys == "exact"
        tool = self.standard == "tool"
        corpus = corpus if tool else _features.without_domain(corpus)
        fold, frames = self._tables(vocabulary)
        constants = roles = _features.keys(corpus, fold, exact)
        if tool:  # roles of relations keep their case
            roles = _features.keys(corpus, np.arange(len(fold), dtype=np.int32), exact)
        words = (constants if frames is fold else _features.keys(corpus, frames, exact)), constants, roles
        hidden = vocabulary.interner.intern(b"top") if tool else -2
        most, table = _MOST[self.effort], _features.join_table(corpus, self.keys)
        return motif_sets(corpus.columns, *words, classes=self._classes, hidden_value=hidden, most=most, table=table)

    def _tables(self, vocabulary: Vocabulary) -> tuple[Int32Array, Int32Array]:
        """By id of a label: what it is as a role or a constant, and what it is as a concept; int32[n_labels] each."""
        fold = vocabulary.fold(CASE | UNDERSCORES if self.standard == "tool" else _features.FOLD)
        return fold, fold if self.frames is None else _framed(vocabulary, fold, self.frames)

    def costs(self, pred: FeatureSets, gold: FeatureSets, index_pred: Int32Array, index_gold: Int32Array) -> FloatArray:
        return 2e-9 * (pred.totals[0][index_pred] + gold.totals[0][index_gold]) + 1e-8

    def cut(self, prepared: FeatureSets) -> BoolArray | None:
        return prepared.cut

    def score(self, pred: FeatureSets, gold: FeatureSets, pairs: PairRange, out: PairScores) -> None:
        count_shared(pred, gold, pairs, out.statistics)
        i, j = pairs.graphs
        shared, union = out.statistics[:, pairs.places]
        np.subtract(pred.totals[0][i] + gold.totals[0][j], shared, out=union)

    def named_features(self, pred: Corpus, gold: Corpus, i: int, j: int) -> list[NamedFeature] | None:
        """The motifs of both graphs."""
        chosen = {name for name in _CLASSES if getattr(self, name)}
        sides = (self._named_graph(*side) for side in ((pred, i), (gold, j)))
        return compared(*(_named_motifs(side, chosen) for side in sides), sets=True)

    def _named_graph(self, corpus: Corpus, g: int) -> NamedGraph:
        """Graph ``g`` with the labels that :meth:`prepare` gives it."""
        vocabulary, tool = corpus.vocabulary, self.standard == "tool"
        corpus = corpus if tool else _features.without_domain(corpus)
        fold, frames = self._tables(vocabulary)
        roles = np.arange(len(fold), dtype=np.int32) if tool else fold
        hidden = vocabulary.lookup("top") if tool else -2
        return labelled_graph(corpus, g, frames, fold, roles, hidden)

    def overlaps(self, prepared: FeatureSets) -> tuple[FeatureLists, ...]:
        return _features.level_lists(prepared, "set", "jaccard")

    def overlap_scorer(self, pred: FeatureSets, gold: FeatureSets) -> OverlapScorer:
        return RatioScorer("jaccard", np.ones(1), pred.totals[0].astype(np.float64), gold.totals[0].astype(np.float64))

    tool_dialect: ClassVar[Dialect] = "sema"
    signature_names: ClassVar = keys_of("frames# keys effort std=standard")

    def fields(self, dialect: str) -> dict[str, Value]:
        return {"motifs": "+".join(name for name in _CLASSES if getattr(self, name)), **super().fields(dialect)}

    def digest(self, option: str) -> str | None:
        return None if self.frames is None else _frames(self.frames)[0]

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        chosen = fields["motifs"].split("+")
        return {**{name: name in chosen for name in _CLASSES}, **super().options(fields)}


def _frames(path: str) -> tuple[str, dict[str, str]]:
    """A digest of a file of frames (16 hexadecimal digits), and the frame of each concept in it."""
    return _read_frames(*version(path, "frames", quoted=True))


@lru_cache(maxsize=4)
def _read_frames(path: str, *state: int) -> tuple[str, dict[str, str]]:
    """The same, read once for each state of the file."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"frames: cannot read {path!r}: {getattr(error, 'strerror', None) or error}") from None
    frames: dict[str, str] = {}
    if text.lstrip().startswith("{"):
        try:
            table = json.loads(text)
        except json.JSONDecodeError as error:
            raise OptionError(f"frames: {path}: {error}") from None
        except (ValueError, RecursionError):  # a number of more than 4,300 digits; brackets within brackets
            raise OptionError(f"frames: {path}: not JSON that can be read: a number too long, or too deep") from None
        for concept, entry in table.items():
            frame = entry.get("label") if isinstance(entry, dict) else entry
            if not isinstance(frame, str):
                raise OptionError(f"frames: {path}: expected a frame, or an object with a label, for {concept!r}")
            frames[concept] = frame
    else:
        for number, line in enumerate(text.splitlines(), 1):
            columns = line.split()
            if not columns or line.startswith("#"):
                continue
            if len(columns) != 2:
                raise OptionError(f"frames: {path}:{number}: expected a concept and a frame, found {line.strip()!r}")
            frames[columns[0]] = columns[1]
    return hashlib.sha256(data).hexdigest()[:16], frames


def _framed(vocabulary: Vocabulary, fold: Int32Array, path: str) -> Int32Array:
    """``fold``, with the concepts of the file turned into their frames; int32[n_labels]."""
    intern, lookup = vocabulary.interner.intern, vocabulary.interner.lookup
    target = np.arange(len(fold), dtype=np.int32)
    for concept, frame in _frames(path)[1].items():
        found = lookup(concept.encode("utf-8", "surrogatepass"))
        if 0 <= found < len(fold):
            target[found] = intern(frame.encode("utf-8", "surrogatepass"))
    return target[fold]


def _named_motifs(graph: NamedGraph, classes: Set[str]) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Every motif where it occurs: its class, its labels, its triples."""
    instances: list[list[tuple[str, tuple[int, ...]]]] = [[] for _ in range(graph.n_variables)]
    for source, role, target, triple, constant in graph.edges:
        if constant:
            value = f"{role} {graph.labels[target]}"
            instances[source].append((f"{graph.labels[source]} {value}", (graph.triples[source], triple)))
            if "attributes" in classes:
                yield "attribute motifs", value, (triple,)
            if "labels" in classes:
                yield "labels", graph.labels[target], (triple,)
        if "labels" in classes:
            yield "labels", role, (triple,)
    for variable, motifs in enumerate(instances):
        label, place = graph.labels[variable], (graph.triples[variable],)
        motifs[:] = motifs or [(label, place)]
        if "instances" in classes:
            yield from (("instance motifs", *motif) for motif in motifs)
        if "labels" in classes and place[0] >= 0:
            yield "labels", label, place
    if "relations" in classes:
        for source, role, target, triple, constant in graph.edges:
            if not constant:
                for (one, places), (two, others) in product(instances[source], instances[target]):
                    yield "relation motifs", f"{one} | {role} | {two}", (*places, triple, *others)
