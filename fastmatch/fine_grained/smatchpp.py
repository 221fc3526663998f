"""Smatch++'s aspects: Smatch of the parts of two graphs that are about one thing, such as cause, place or negation.

Opitz (2023), "SMATCH++", section 7. Graphs are standardised as the metric ``smatch++`` does. An aspect has roles and
concepts that trigger it; its part of a graph is the triples with these, and what hangs on them. The parts are matched
with the best alignment of the whole graphs (``align="one"``), or each with its own (``align="each"``).

:data:`ASPECTS` is the table, as smatchpp 1.8.0 has it. It can also use what a role of a frame means: if a frame file
says that ``ARG2`` of a predicate is its instrument, the edge counts as ``:instrument``. smatchpp downloads that file
(without network it goes on without). Here the file is used if it is named, ``frames="file"``, one predicate a line::

    abase-01  ARG0: causer  ARG1: thing abased  ARG2: instrument

An aspect that no graph has anything of scores 1 by convention and has 0 triples in the predictions and in the gold
graphs; reports say so. What its means leave out is the same for all kinds (:mod:`fastmatch.fine_grained.request`).

Where several alignments of the whole graphs are best, ``align="one"`` depends on which of them is taken; here it is
always the same one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fastmatch._ext.matching.triples import TripleFeatures, triple_features
from fastmatch.errors import OptionError, choice
from fastmatch.fine_grained.frames import described_roles
from fastmatch.fine_grained.kinds import Found, Match
from fastmatch.fine_grained.request import PartScores, Request
from fastmatch.graphs.arrays import kept_rows, owners_of
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.forms import pair_ids
from fastmatch.graphs.standardization.labels import turned_labels
from fastmatch.graphs.standardization.steps import standardize
from fastmatch.metrics.choosing import agreed_fields
from fastmatch.metrics.registry import make
from fastmatch.metrics.shared.search import Shared, sharing
from fastmatch.metrics.smatch import Smatch
from fastmatch.results.problems import problems_of
from fastmatch.types import BoolArray, ByteArray, Int32Array


class Aspect(NamedTuple):
    """What belongs to an aspect.

    Attributes
    ----------
    roles : str
        Roles that trigger, without colon; ``instance`` stands for concepts.
    concepts : str
        Concepts that trigger.
    frames : str
        ``words→role``: a frame's role described with one of the words becomes this role. Words ``w`` alone stand for
        ``w→w``; a word in quotes may stand within another.
    depth : int
        How far to follow what is triggered.
    parents, predicates : bool
        Whether to go back to what leads there.
    reentrancies : bool
        The triples into variables that more than one triple leads to, instead of all the above.
    """

    roles: str = ""
    concepts: str = ""
    frames: str = ""
    depth: int = 2
    parents: bool = False
    predicates: bool = True
    reentrancies: bool = False


def _aspect(line: str) -> tuple[str, Aspect]:
    name, roles, concepts, frames, others = line.split("\t")
    numbers: dict[str, Any] = {key: int(value) for key, _, value in (each.partition("=") for each in others.split())}
    return name, Aspect(roles, concepts, frames, **numbers)


# smatchpp has "forest moon" as one concept, and "voltage-quantity (zap!)": slips that match nothing in AMR
_LINES = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
#: Smatch++'s aspects, in its order.
ASPECTS: Mapping[str, Aspect] = dict(map(_aspect, _LINES))


def score(request: Request) -> Found:
    """All aspects; see :func:`fastmatch.aspects`.

    ``options``: ``align``, ``frames``, ``only`` (names of aspects), and those of the metric ``smatch++``.
    """
    kind, preset = request.kind, request.preset
    given = dict(request.options)
    align = given.pop("align", "one")
    choice("align", align, ("one", "each"))
    frames = given.pop("frames", None)
    chosen = _chosen(given.pop("only", None))
    metric = make(kind, preset, **given)
    assert isinstance(metric, Smatch)
    if metric.duplicates != "once" or metric.triples != "all" or metric.standard not in ("smatch++", "smatch++/reify"):
        raise OptionError(f"aspects: need graphs standardised for AMR, all triples once; preset={preset!r} has others")
    roles = {} if frames is None else _frame_roles(frames)
    corpora = request.corpora(metric)
    steps = ["root-concept", "remove-duplicates"]
    graphs = [_Parts(_with_frame_roles(standardize(metric.standardized(corpus), steps), roles)) for corpus in corpora]
    solver, n_pairs = replace(metric, top="none"), len(corpora[0])
    whole = None
    if align == "one":
        prepared = [solver.compressible(part.features(part.corpus), part.corpus) for part in graphs]
        whole = request.scored(solver, prepared, n_pairs, mapping=True)
    shared = sharing(solver, Shared.of(n_pairs, first_alone=False))
    scores: dict[str, PartScores] = {}
    matches: dict[str, Match] = {}
    for name in chosen:
        own = [graph.part(ASPECTS[name]) for graph in graphs]
        parts = [graph.features(text) for graph, text in zip(graphs, own, strict=True)]
        if whole is None:
            prepared = [solver.compressible(part, graph.corpus) for part, graph in zip(parts, graphs, strict=True)]
            found = replace(request, progress=None).scored(shared, prepared, n_pairs, mapping=request.mapping)
            if request.mapping:
                matches[name] = Match(solver, own[0], own[1], found, rewritten=True, standardized=True)
            scores[name] = PartScores.of(found)
        else:
            scores[name] = PartScores.counted(whole, *parts)
    fields = {**agreed_fields(metric, *corpora), "align": align, "frames": frames is not None}
    return Found(scores, fields, problems_of(*corpora), pair_ids(*corpora), matches)


def _chosen(only: Any) -> list[str]:
    if only is None:
        return list(ASPECTS)
    names = [only] if isinstance(only, str) else list(only)
    for name in names:
        if name not in ASPECTS:
            raise OptionError(f"only={name!r}: expected aspects, of {', '.join(map(repr, ASPECTS))}")
    return names


class _Parts:
    """A standardised corpus, and the features of its parts."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.n_labels = len(corpus.vocabulary)
        self.turned = turned_labels(corpus, self.n_labels)
        self.fold = np.arange(self.n_labels, dtype=np.int32)
        # The ends of all triples, instances first, then attributes and relations: numbers of variables, and behind
        # them of constants, of which each graph has its own. Concepts are constants.
        tables = corpus.instances, corpus.attributes, corpus.relations
        offsets = corpus.instance_offsets, corpus.attribute_offsets, corpus.relation_offsets
        self.bounds = np.cumsum([table.shape[1] for table in tables])
        graphs = [owners_of(each) for each in offsets]
        first = corpus.variable_offsets[np.concatenate(graphs)]
        self.constants = np.concatenate([corpus.instances[1], corpus.attributes[2]])
        owned = np.concatenate(graphs[:2]) * (self.n_labels + 1) + self.constants
        _, numbers = np.unique(owned, return_inverse=True)
        self.roles = np.concatenate([corpus.attributes[1], corpus.relations[1]])
        self.sources = first + np.concatenate([table[0] for table in tables])
        self.targets = np.concatenate([len(corpus.variable_names) + numbers, first[len(owned) :] + corpus.relations[2]])
        self.n_nodes = len(corpus.variable_names) + int(numbers.max(initial=-1)) + 1
        self.inverse = np.zeros(len(self.targets), np.bool_)
        self.inverse[self.bounds[0] : self.bounds[1]] = self.turned[corpus.attributes[1]] != 0
        turned = np.where(self.inverse, self.targets, self.sources), np.where(self.inverse, self.sources, self.targets)
        self.sources, self.targets = turned

    def _marked(self, labels: Sequence[str], turned: Sequence[str] = ()) -> ByteArray:
        """uint8[n_labels]: 1 for the labels, 2 for those turned around."""
        marks = np.zeros(self.n_labels, np.uint8)
        for mark, texts in ((1, labels), (2, turned)):
            found = [self.corpus.vocabulary.lookup(text) for text in texts]
            marks[[label for label in found if 0 <= label < self.n_labels]] |= np.uint8(mark)
        return marks

    def part(self, aspect: Aspect) -> Corpus:
        """What of every graph belongs to an aspect; the variables keep their numbers.

        1. Triples with a role that triggers, and all triples of a variable that has a concept or constant that does; or
           the triples that lead to a variable that is the target of several.
        2. ``depth`` times, the triples that leave the target of one of these.
        3. With ``parents``, the triples that lead to the source of one.
        4. With ``predicates``, the triples that lead to a node of one from a node that has no other triple but
           instances. The triple that marks the root is left out.
        5. The instances of all variables in these.

        The definition is that of smatchpp 1.8.0.
        """
        corpus, n, sources, targets = self.corpus, self.bounds[0], self.sources, self.targets
        roles = aspect.roles.split()
        if aspect.reentrancies or aspect.predicates:
            n_in, n_out = (np.bincount(ends[n:], minlength=self.n_nodes) for ends in (targets, sources))
        inside = np.zeros(len(targets), np.bool_)
        if aspect.reentrancies:
            inside[n:] = (targets[n:] < len(corpus.variable_names)) & (n_in[targets[n:]] > 1)
        else:
            triggers = self._marked([f":{role}" for role in roles], [f":{role}-of" for role in roles])[self.roles]
            inside[:n] = "instance" in roles
            inside[n:] = triggers & np.where(self.inverse[n:], 2, 1) != 0
            group = (self.constants >= 0) & (self._marked(aspect.concepts.split())[self.constants] != 0)
            owners = self._at(sources[: len(group)][group & ~self.inverse[: len(group)]])
            inside |= owners[sources] | owners[targets]
        for _ in range(aspect.depth):
            inside[n:] |= self._at(targets[inside])[sources[n:]]
        if aspect.parents:
            inside |= self._at(sources[inside])[targets]
        if aspect.predicates:
            lonely = (n_in == 0) & (n_out == 1)
            leading = self._at(sources[inside], targets[inside])[targets[n:]] & lonely[sources[n:]]
            inside[n:] |= leading & (self.roles != corpus.vocabulary.lookup(":root"))
        inside[:n] |= self._at(sources[inside], targets[inside])[sources[:n]]
        masks = np.split(inside, self.bounds[:2])
        kept: dict[str, Any] = {}
        for kind, mask in zip(("instance", "attribute", "relation"), masks, strict=True):
            kept |= kept_rows(corpus, kind, mask)
        return corpus.with_columns(**kept)

    def _at(self, *nodes: Any) -> BoolArray:
        """Which nodes are among these."""
        marked = np.zeros(self.n_nodes, np.bool_)
        for each in nodes:
            marked[each] = True
        return marked

    def features(self, corpus: Corpus) -> TripleFeatures:
        """Features of the corpus, or of a part of it."""
        return triple_features(corpus.columns, self.fold, top=0, top_role=-1, top_value=-1)


# ---- frames ----------------------------------------------------------------------------------------------------------


def _frame_roles(frames: str | PathLike[str]) -> dict[tuple[str, str], str]:
    """(predicate, role) → role of an aspect, for every role that the file describes with its words."""
    status = os.stat(frames)
    return _read_frames(fspath(frames), status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read_frames(name: str, changed: int, size: int) -> dict[tuple[str, str], str]:
    """``changed`` and ``size``: the file's, so that another file of the same name is read again."""
    described = []
    for predicate, role, text in described_roles(name):
        # smatchpp, too, ends at a second colon
        plain = " ".join(text.partition(":")[0].lower().split()).replace(", ", " ")
        described.append((predicate.lower(), f":{role.lower()}", f" {plain} "))
    renamed: dict[tuple[str, str], str] = {}
    for aspect in ASPECTS.values():  # later aspects win
        for entry in aspect.frames.split():
            word, _, role = entry.partition("→")
            within = word.startswith('"')
            needle = word.strip('"') if within else f" {word} "
            for predicate, own, text in described:
                if needle in text:
                    renamed[predicate, own] = f":{role or word}"
    return renamed


def _with_frame_roles(corpus: Corpus, renamed: Mapping[tuple[str, str], str]) -> Corpus:
    """Roles of frames by what they mean; looked up once for each predicate and role that meet in the corpus."""
    if not renamed:
        return corpus
    vocabulary = corpus.vocabulary
    owner = np.repeat(corpus.variable_offsets[:-1], np.diff(corpus.instance_offsets))
    concept = np.full(len(corpus.variable_names), -1, np.int64)
    concept[owner + corpus.instances[0]] = corpus.instances[1]
    changed: dict[str, Int32Array] = {}
    for name, offsets in (("attributes", corpus.attribute_offsets), ("relations", corpus.relation_offsets)):
        table = getattr(corpus, name).copy()
        of = concept[np.repeat(corpus.variable_offsets[:-1], np.diff(offsets)) + table[0]]
        codes, places = np.unique((of << 32) | table[1], return_inverse=True)
        labels = (codes & 0xFFFFFFFF).astype(np.int32)
        for number, code in enumerate(codes.tolist()):
            predicate = code >> 32
            if predicate >= 0:
                role = renamed.get((vocabulary.text(predicate), vocabulary.text(code & 0xFFFFFFFF)))
                if role is not None:
                    # of an attribute "-of" would say that it leads from its constant
                    labels[number] = vocabulary.id(role.replace("-of", "-of ") if name == "attributes" else role)
        table[1] = labels[places]
        changed[name] = table
    return corpus.with_columns(**changed)
