"""The fine-grained scores of PMB 5's script, on documents whose counts can be made by hand."""

import pytest

import fastmatch as fm

PRED = ['male.n.02 Name "Al" NEGATION <1 run.v.01 Agent -1', "red.a.01 AttributeOf +1 car.n.01 odd", "dog.n.01 Agent"]
GOLD = ['male.n.02 Name "Al" CONTRAST <1 run.v.02 Theme -1', "red.a.01 ColourOf +1 car.n.01", "dog.n.01"]


def test_rows() -> None:
    scores = fm.aspects(PRED, GOLD, kind="pmb5", on_error="empty")
    counts = {row: tuple(int(score.pairs.matched[k]) for k in (0, 1)) for row, score in scores.items()}
    # of 9 and 6 triples, without that of the root
    assert counts["none"] == (6, 5) and counts["role"] == (7, 6) and counts["relation"] == counts["sense"] == (7, 5)
    assert counts["Names"] == (1, 0) and counts["Negation"] == counts["Discourse"] == (0, 0)
    assert counts["Roles"] == (1, 0) and counts["Members"] == (2, 2) and counts["Concepts"] == (1, 2)
    assert counts["Con_noun"] == (1, 1) and counts["Con_adj"] == (0, 1) and counts["Con_verb"] == (0, 0)
    # the third document cannot be read: 0 in the means over documents, and in no bag
    assert [(problem.side, problem.pair) for problem in scores.problems] == [("pred", 2)]
    assert scores["none"].macro.f1 == pytest.approx((12 / 18 + 10 / 12) / 3) and scores["Concepts"].n_gold == 4


def test_triples_of_one_kind() -> None:
    """Graphs of their own: nodes that the triples name, and TOP for the first of them."""
    pred = ["dog.n.01 Agent speaker Patient +1 MadeOf +2 red.n.01 EQU now TOP 5 wood.n.01 Name x CONTRAST <1 cat.n.01"]
    gold = ["dog.n.01 Agent hearer Patient +1 MadeOf +2 red.n.01 EQU now TOP 4 wood.n.01 Name x CONTRAST <1 cat.n.01"]
    scores = fm.aspects(pred, gold, kind="pmb5")
    counts = {row: (int(one.matched), int(one.n_pred), int(one.n_gold)) for row, one in scores.items()}
    # three concepts, two roles, the first concept; "speaker" has an "s", "hearer" and "x" have none
    assert counts["Roles_triple"] == (6, 7, 6) and counts["Names_triple"] == (3, 3, 3)
    # two boxes, four concepts, four members, the first concept
    assert counts["Members_triple"] == (11, 11, 11) and counts["Operators_triple"] == (3, 3, 3)
    assert counts["Discourses_triple"] == (4, 4, 4)
    scores = fm.aspects([*pred, "dog.n.01 Agent"], [*gold, *gold], kind="pmb5", on_error="empty")
    assert scores["Members_triple"].n_gold == 11


def test_itself() -> None:
    scores = fm.aspects(GOLD, GOLD, kind="pmb5")
    assert all(score.f1 == 1 for row, score in scores.items())
    assert list(scores)[:4] == ["none", "role", "relation", "sense"] and len(scores) == 19


def test_other_options_are_refused() -> None:
    with pytest.raises(fm.OptionError, match="leave it out"):
        fm.aspects(PRED, GOLD, kind="pmb5", preset="smatch")
    with pytest.raises(fm.OptionError, match="sbn-pmb5-tolerant"):
        fm.aspects(fm.parse(GOLD, dialect="sbn"), fm.parse(GOLD, dialect="sbn"), kind="pmb5")
