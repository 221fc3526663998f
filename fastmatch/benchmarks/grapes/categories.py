"""The categories of GrAPES as data: what each takes from the clone, and how its items are judged.

The suite has nine sets of categories (paper, table 1). A category has items, and an item is found in the predicted
graph of its sentence or not. :mod:`fastmatch.benchmarks.grapes.judging` says how, for each *kind* of category.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fastmatch.errors import OptionError, meant

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Kind: TypeAlias = Literal[
        "edge",
        "node",
        "wiki",
        "name",
        "date",
        "other",
        "type",
        "exact",
        "list",
        "handcrafted",
        "karidi",
        "pp",
        "ellipsis",
        "subgraph",
        "imperative",
    ]

#: Titles of the sets, from 1.
SETS = (
    "Pragmatic reentrancies",
    "Unambiguous reentrancies",
    "Structural generalization",
    "Rare and unseen words",
    "Special entities",
    "Entity classification and linking",
    "Lexical disambiguations",
    "Edge attachments",
    "Non-trivial word-to-node relations",
)

#: Names of metrics that stand beside a category's main one, as the program prints them.
PREREQUISITES, UNLABELLED = "Prerequisites", "Unlabeled edge recall"

#: What is put behind the key of a category for its sanity check.
SANITY = "_sanity_check"


@dataclass(frozen=True)
class Category:
    """One category.

    Attributes
    ----------
    key : str
        Its name on the program's command line and here.
    title : str
        Its name in tables.
    set : int
        Number of its set, from 1.
    kind : str
        How items are judged.
    material : tuple of str
        One TSV file of ``corpus/``; or the beginnings of graph ids, for categories whose items are whole graphs.
    metric : str
        Name of the main metric.
    testset : bool
        The graphs are those of the AMR 3.0 test set, not of the suite.
    prerequisites : bool
        A row of prerequisites is reported.
    senses : bool
        Senses of predicates count.
    columns : tuple of int
        Columns of the TSV file that the kind reads, in the order in which it wants them.
    header : bool
        The first row of the TSV file names its columns.
    sizes : tuple of (int, int)
        Of categories that are also reported by size: (minus, divided by) → size, from the gold graph's ``::size0``.
    """

    key: str
    title: str
    set: int
    kind: Kind
    material: tuple[str, ...]
    metric: str
    testset: bool = False
    prerequisites: bool = False
    senses: bool = False
    columns: tuple[int, ...] = ()
    header: bool = False
    sizes: tuple[int, int] | None = None

    @property
    def table(self) -> str | None:
        """Its TSV file; None if its items are whole graphs."""
        return self.material[0] if self.columns else None

    @property
    def structural(self) -> bool:
        """Whether it has a sanity check: the structures of its graphs, each on its own."""
        return self.set == 3

    @property
    def dummies(self) -> bool:
        """Whether the gold graphs are placeholders, so that nothing can be compared with them."""
        return self.key in ("unseen_predicate_senses_excl_01", "unseen_edge_labels_ARG2plus", *_LICENSED)


_LICENSED = ("word_ambiguities_handcrafted", "unbounded_dependencies")
_EDGE = (1, 2, 3)
_TWO_PARENTS = (1, 2, 3, 4, 5)


def _test(
    key: str,
    title: str,
    number: int,
    kind: Kind,
    material: str,
    metric: str,
    *,
    columns: tuple[int, ...] | None = None,
    prerequisites: bool = False,
    senses: bool = False,
) -> Category:
    """A category of the test set."""
    columns = columns or (_EDGE if kind == "edge" else (1,))
    return Category(key, title, number, kind, (material,), metric, True, prerequisites, senses, columns)


def _structure(key: str, title: str, *material: str, sizes: tuple[int, int] | None = None) -> Category:
    return Category(key, title, 3, "exact", material, "Exact Match", sizes=sizes)


#: All categories, in the program's order.
CATEGORIES: tuple[Category, ...] = (
    _test(
        "pragmatic_coreference_testset",
        "Pragmatic coreference (testset)",
        1,
        "edge",
        "reentrancies_pragmatic_filtered.tsv",
        "Edge Recall",
        prerequisites=True,
        columns=_TWO_PARENTS,
    ),
    Category(
        "pragmatic_coreference_winograd",
        "Pragmatic coreference (Winograd)",
        1,
        "edge",
        ("winograd.tsv",),
        "Edge Recall",
        prerequisites=True,
        columns=_TWO_PARENTS,
        header=True,
    ),
    _test(
        "syntactic_gap_reentrancies",
        "Syntactic (gap) reentrancies",
        2,
        "edge",
        "reentrancies_syntactic_gap_filtered.tsv",
        "Edge Recall",
        prerequisites=True,
        columns=_TWO_PARENTS,
    ),
    _test(
        "unambiguous_coreference",
        "Unambiguous coreference",
        2,
        "edge",
        "reentrancies_unambiguous_coreference_filtered.tsv",
        "Edge Recall",
        prerequisites=True,
        columns=_TWO_PARENTS,
    ),
    _structure("nested_control_and_coordination", "Nested control and coordination", "nested_control", sizes=(0, 1)),
    _structure("multiple_adjectives", "Multiple adjectives", "adjectives", sizes=(2, 1)),
    _structure("centre_embedding", "Centre embedding", "centre_embedding", sizes=(2, 2)),
    _structure("cp_recursion", "CP recursion", "deep_recursion_basic", sizes=(1, 1)),
    _structure(
        "cp_recursion_plus_coreference",
        "CP recursion + coreference",
        "deep_recursion_pronouns",
        "deep_recursion_3s",
        sizes=(1, 1),
    ),
    _structure("cp_recursion_plus_rc", "CP recursion + relative clause (RC)", "deep_recursion_rc", sizes=(-1, 1)),
    _structure(
        "cp_recursion_plus_rc_plus_coreference",
        "CP recursion + RC + coreference",
        "deep_recursion_rc_contrastive_coref",
        sizes=(-1, 1),
    ),
    Category("long_lists", "Long lists", 3, "list", ("long_lists",), "Conjunct recall"),
    _test("rare_node_labels", "Rare node labels", 4, "node", "rare_node_labels_test.tsv", "Label Recall", senses=True),
    _test(
        "unseen_node_labels",
        "Unseen node labels",
        4,
        "node",
        "unseen_node_labels_test_filtered.tsv",
        "Label Recall",
        senses=True,
    ),
    _test(
        "rare_predicate_senses_excl_01",
        "Rare predicate senses (excl. -01)",
        4,
        "node",
        "rare_senses_filtered.tsv",
        "Label Recall",
        prerequisites=True,
        senses=True,
    ),
    Category(
        "unseen_predicate_senses_excl_01",
        "Unseen predicate senses (excl. -01)",
        4,
        "node",
        ("unseen_senses_new_sentences.tsv",),
        "Label Recall",
        prerequisites=True,
        senses=True,
        columns=(1,),
    ),
    _test(
        "rare_edge_labels_ARG2plus",
        "Rare edge labels (ARG2+)",
        4,
        "edge",
        "rare_roles_arg2plus_filtered.tsv",
        "Edge Recall",
        prerequisites=True,
        senses=True,
    ),
    Category(
        "unseen_edge_labels_ARG2plus",
        "Unseen edge labels (ARG2+)",
        4,
        "edge",
        ("unseen_roles_new_sentences.tsv",),
        "Edge Recall",
        prerequisites=True,
        senses=True,
        columns=_EDGE,
    ),
    _test("seen_names", "Seen names", 5, "name", "seen_names.tsv", "Recall"),
    _test("unseen_names", "Unseen names", 5, "name", "unseen_names.tsv", "Recall"),
    _test("seen_dates", "Seen dates", 5, "date", "seen_dates.tsv", "Recall"),
    _test("unseen_dates", "Unseen dates", 5, "date", "unseen_dates.tsv", "Recall"),
    _test(
        "other_seen_entities", "Other seen entities", 5, "other", "seen_special_entities.tsv", "Recall", columns=(3,)
    ),
    _test(
        "other_unseen_entities",
        "Other unseen entities",
        5,
        "other",
        "unseen_special_entities.tsv",
        "Recall",
        columns=(3,),
    ),
    _test(
        "types_of_seen_named_entities",
        "Types of seen named entities",
        6,
        "type",
        "seen_ne_types_test.tsv",
        "Recall",
        prerequisites=True,
        columns=(1, 2),
    ),
    _test(
        "types_of_unseen_named_entities",
        "Types of unseen named entities",
        6,
        "type",
        "unseen_ne_types_test.tsv",
        "Recall",
        prerequisites=True,
        columns=(1, 2),
    ),
    _test(
        "seen_andor_easy_wiki_links",
        "Seen and/or easy wiki links",
        6,
        "wiki",
        "seen_andor_easy_wiki_test_data.tsv",
        "Recall",
    ),
    _test("hard_unseen_wiki_links", "Hard unseen wiki links", 6, "wiki", "hard_wiki_test_data.tsv", "Recall"),
    _test(
        "frequent_predicate_senses_incl_01",
        "Frequent predicate senses (incl. -01)",
        7,
        "node",
        "common_senses_filtered.tsv",
        "Recall",
        prerequisites=True,
        senses=True,
    ),
    Category(
        "word_ambiguities_handcrafted",
        "Word ambiguities (handcrafted)",
        7,
        "handcrafted",
        ("word_disambiguation",),
        "Recall",
    ),
    Category(
        "word_ambiguities_karidi_et_al_2021",
        "Word ambiguities (karidi-et-al-2021)",
        7,
        "karidi",
        ("berts_mouth",),
        "Recall",
    ),
    Category(
        "pp_attachment",
        "PP attachment",
        8,
        "pp",
        ("see_with", "read_by", "bought_for", "keep_from", "give_up_in"),
        "Edge Recall",
        prerequisites=True,
    ),
    Category(
        "unbounded_dependencies",
        "Unbounded dependencies",
        8,
        "edge",
        ("unbounded_dependencies.tsv",),
        "Edge Recall",
        prerequisites=True,
        columns=(2, 3, 4),
        header=True,
    ),
    _test("passives", "Passives", 8, "edge", "passives_filtered.tsv", "Edge Recall", prerequisites=True, senses=True),
    _test(
        "unaccusatives",
        "Unaccusatives",
        8,
        "edge",
        "unaccusatives2_filtered.tsv",
        "Recall",
        prerequisites=True,
        senses=True,
    ),
    _test("ellipsis", "Ellipsis", 9, "ellipsis", "ellipsis_filtered.tsv", "Recall", prerequisites=True),
    _test(
        "multinode_word_meanings",
        "Multinode word meanings",
        9,
        "subgraph",
        "multinode_constants_filtered.tsv",
        "Recall",
    ),
    _test(
        "imperatives",
        "Imperatives",
        9,
        "imperative",
        "imperatives_filtered.tsv",
        "Recall",
        prerequisites=True,
        columns=(1, 2, 3),
    ),
)


def chosen(keys: Iterable[str] | None) -> tuple[Category, ...]:
    """The categories of these keys, in the suite's order; all by default.

    Raises
    ------
    OptionError
        If there is no such category.
    """
    if keys is None:
        return CATEGORIES
    known = {category.key: category for category in CATEGORIES}
    wanted = set()
    for key in keys:
        if key not in known:
            raise OptionError(f"category: GrAPES has no {key!r}{meant(key, known)}")
        wanted.add(key)
    return tuple(category for category in CATEGORIES if category.key in wanted)
