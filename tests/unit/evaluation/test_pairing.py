"""Which graphs make a pair: by place or by id, what is refused, and what is warned of."""

import warnings

import pytest

import fastmatch as fm
from fastmatch import OptionError, PairingError, PairingWarning

from support.refusal import fails, warned

CONCEPTS = ("cat", "dog", "hen", "owl", "bee", "fox", "cow", "rat")
SENTENCES = [f'There is a {concept}, and it\'s "well-known" here.' for concept in CONCEPTS]


def graph(k, *, id=None, snt=None, more=""):
    lines = [f"# ::id {id}"] * (id is not None) + [f"# ::snt {snt}"] * (snt is not None)
    return "\n".join([*lines, f"(x / {CONCEPTS[k]}{more})"])


def texts(order=range(8), *, id="s.{}".format, snt=None, more=""):
    return [graph(k, id=id and id(k), snt=snt and snt(k), more=more) for k in order]


def corpus(*args, **kwargs):
    return fm.parse(texts(*args, **kwargs))


# ---------------------------------------------------------------- by position, with warnings


def test_sentences_of_other_graphs():
    message = warned(texts(snt=lambda k: SENTENCES[k - 1], id=None), texts(snt=SENTENCES.__getitem__, id=None))
    assert message.startswith("::snt differs in 8 of 8 pairs of pred and gold (pair 0: 'There is a rat, and ")
    assert message.count(" and 'There is a ") == 5 and "do these graphs belong together?" in message
    assert warned(texts(snt=SENTENCES.__getitem__), texts(snt=lambda k: SENTENCES[max(k, 1)]))  # one is enough


@pytest.mark.parametrize(
    "change",
    [
        str.lower,
        str.upper,
        lambda text: text.replace(",", " ,").replace("'s", " 's").replace(".", " ."),
        lambda text: f"  {text}   ".replace(" ", "  \t"),
        lambda text: text.replace('"', "``").replace("-", " @-@ "),
        lambda text: text.replace('"', "“").replace("'", "’"),
        lambda text: text.replace(",", " -LRB- -RRB- ,"),
        lambda text: text[:-6],  # cut off by a parser with a limit
        lambda text: "",
        lambda text: None,
    ],
)
def test_tokenised_sentences_are_the_same(change):
    assert warned(texts(snt=lambda k: change(SENTENCES[k])), texts(snt=SENTENCES.__getitem__)) is None


def test_accents_and_compatible_characters():
    one = texts([0], snt=lambda k: "Ein Ärger, ﬁnde ich: １２ straße")
    assert warned(one, texts([0], snt=lambda k: "ein ärger , finde ich : 12 STRASSE")) is None
    assert warned(one, texts([0], snt=lambda k: "ein arger , finde ich : 12 strasse")) is not None


@pytest.mark.parametrize(
    ("mine", "its"),
    [
        (None, "s.{}"),  # no ids on one side
        ("{}", "s.{}"),  # the numbers of the graphs, from 0
        ("{1}", "s.{}"),  # and from 1
        ("{}", "{1}"),
        ("graph-{}", "s.{1}"),
        ("s.{}", "s.{1}"),
    ],
)
def test_numbers_are_no_ids(mine, its):
    """A parser that numbers its graphs says no more than their places do."""
    sides = [corpus(id=form and (lambda k, form=form: form.format(k, k + 1))) for form in (mine, its)]
    assert warned(*sides) is None and warned(*sides[::-1]) is None


def test_numbers_out_of_order_are_ids():
    forward, shifted = corpus(id=str), corpus(id=lambda k: str(k + 2))
    assert "8 of 8" in warned(corpus(id=lambda k: str(7 - k)), forward)
    assert "8 of 8" in warned(corpus(id=lambda k: f"s.{k + 40}"), corpus())  # another part of the same data
    assert "8 of 8" in warned(shifted, forward)  # from 2: the first two are missing, and two more at the end
    assert "8 of 8" in warned(corpus(id=lambda k: f"a.{3 * k}"), corpus(id=lambda k: f"b.{k * k}"))
    assert warned(corpus(id="a.x{}y".format), corpus(id=lambda k: f"b.{k * k}")) is None
    assert "1 of 8" in warned(corpus(id=lambda k: f"s.{k if k else 9}"), corpus())


def test_some_without_ids():
    some = corpus(id=lambda k: f"n.{k * k}" if k % 2 else None)
    assert "::id differs in 4 of 4 pairs" in warned(some, corpus(id=lambda k: f"q{k}{k}"))
    assert warned(some, corpus(id=lambda k: f"n.{k * k}")) is None


def test_only_one_side_has_wiki():
    plain, linked = corpus(), corpus(more=' :wiki "X"')
    assert warned(plain, linked).startswith("gold has :wiki in 8 graphs of 8, pred in none: ")
    assert warned(linked, plain).startswith("pred has :wiki in 8 graphs of 8, gold in none: ")
    assert warned(linked, linked) is None and warned(linked[:1], plain[:1]) is not None
    for preset in ("smatch", "smatch++"):
        assert "gold has :wiki" in warned(texts(), texts(more=" :wiki -"), preset=preset)


def test_only_one_side_has_alignments():
    plain, aligned = texts(), texts(more="~e.3 :polarity -~e.1")
    assert warned(plain, aligned) == (
        "gold has alignments (~e.1) in 8 graphs of 8, pred in none: they are left out of the comparison"
    )
    message = warned(aligned, plain, preset="smatch")
    assert message.startswith("pred has alignments (~e.1) in 8 graphs of 8, gold in none: the reader 'smatch' takes")
    assert warned(aligned, aligned, preset="smatch") is None
    for more in (" :time~e.4 (t / then)", " :polarity -~e.1", "~e.7"):
        assert "pred has alignments" in warned(texts(more=more), plain, preset="smatch")
    assert warned(texts(more=" :quant 3"), plain, preset="smatch") is None


def test_once_a_run_without_remembering_every_text(monkeypatch):
    """A loop over pairs warns once, though every text is another one; another line of code warns again."""
    from fastmatch.evaluation import checks

    monkeypatch.setattr(checks, "_GIVEN", set())
    registry = globals().setdefault("__warningregistry__", {})
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        warnings.simplefilter("default")
        registry.clear()
        for k in range(50):
            fm.score(graph(0, id=f"a{k}"), graph(0, id=f"b{k}"))
        assert len(caught) == 1
        fm.score(graph(0, id="a"), graph(0, id="b"))
        assert len(caught) == 2
    assert len(checks._GIVEN) == 2


# ---------------------------------------------------------------- by id


def test_unequal_numbers_name_the_ids():
    for function, graphs, message in (
        (fm.score, ([0, 1, 2, 4, 6, 7],), r"^score: 6 predictions but 8 gold .*; not in pred: 2 ids \('s.3', 's.5'\)"),
        (fm.compare, (range(8), range(7)), r"^compare: B has 7 graphs, gold 8; not in B: 1 id \('s.7'\)"),
        (fm.aspects, (range(7),), r"^aspects: 7 predictions but 8 gold graphs; not in pred: 1 id \('s.7'\)"),
    ):
        fails(PairingError, message, function, *map(corpus, graphs), corpus())
    message = r"8 predictions but 2 .*; not in gold: 6 ids \('s.1', 's.2', 's.3', 's.4', 's.5', …\)"
    fails(PairingError, message, fm.score, corpus(), corpus([0, 7]))
    message = "^score: 1 prediction but 8 gold graphs; an unreadable"
    fails(PairingError, message, fm.score, corpus([0], id=None), corpus())


def test_missing_extra_and_repeated_ids_are_listed():
    pred = [*texts([5, 0, 1, 2]), graph(3, id="s.1"), graph(4, id="new"), graph(6)]
    error = fails(PairingError, None, fm.score, pred, texts(), pair_by="id")
    assert str(error) == (
        "score: paired by ::id: 1 graph of pred without ::id (number 6); 1 repeated id in pred ('s.1' 2 times); "
        "4 ids of gold not in pred ('s.3', 's.4', 's.6', 's.7'); 1 id of pred not in gold ('new')"
    )
    message = "7 ids of gold not in pred .*; unpaired='empty' counts what is missing as"
    fails(PairingError, message, fm.score, texts([3]), texts(), pair_by="id")
    for unpaired in ("empty", "skip"):  # a repeated id leaves open which graph is meant
        twice = {"pred": texts(), "gold": texts([*range(8), 0]), "pair_by": "id", "unpaired": unpaired}
        fails(PairingError, "1 repeated id in gold", fm.score, **twice)


def test_a_missing_prediction_scores_zero():
    pred, gold = corpus([7, 2, 0, 5]), corpus()
    result = fm.score(pred, gold, pair_by="id", unpaired="empty")
    assert result.pairs.f1.tolist() == [1, 0, 1, 0, 0, 1, 0, 1] and result.n_gold == fm.score(gold, gold).n_gold
    assert result.recall == 0.5 and result.problems[0][:3] == ("pred", 1, "no graph with ::id 's.1'")
    assert [(side, k) for side, k, *_ in result.problems] == [("pred", 1), ("pred", 3), ("pred", 4), ("pred", 6)]
    # and what no gold graph is for counts against precision, at the end
    result = fm.score(corpus(), corpus([1, 0]), pair_by="id", unpaired="empty")
    assert result.pairs.f1.tolist() == [1, 1, 0, 0, 0, 0, 0, 0] and (result.precision, result.recall) == (0.25, 1)


def test_what_both_have():
    with pytest.warns(PairingWarning, match=r"^score: left out: 5 ids of gold not in pred \('s.1', 's.3',") as caught:
        result = fm.score(corpus([7, 2, 0]) + corpus([1], id="new{}".format), corpus(), pair_by="id", unpaired="skip")
    assert "; 1 id of pred not in gold ('new1')" in str(caught[0].message)
    assert len(result) == 3 and result.f1 == 1


def test_an_unreadable_prediction_is_no_perfect_pair():
    """Its gold graph scores 0, whether its id could be read or not; one that no gold graph is for counts nothing."""
    pred = [graph(0, id="s.0"), "# ::id s.1\n(a / ", "(b / ", "# ::id s.99\n(c / "]
    given = {"pred": pred, "gold": texts([0, 1, 2]), "pair_by": "id", "on_error": "empty"}
    message = "left out: 1 unreadable graph of pred without ::id; the empty graph 's.99'"
    with pytest.warns(PairingWarning, match=message):
        result = fm.score(**given, unpaired="empty")
    assert result.pairs.f1.tolist() == [1, 0, 0]
    assert [(side, k) for side, k, *_ in result.problems] == [("pred", 1), ("pred", 2)]
    fails(PairingError, "1 graph of pred without ::id", fm.score, **given)


def test_pairs_that_cannot_be_read_on_either_side():
    """Two empty graphs are equal: two wrong files have the score 1, which is no news to rejoice at."""
    message = r"^2 pairs of pred and gold cannot be read on either side \(pair 1, 2\): two empty graphs are equal"
    with pytest.warns(PairingWarning, match=message):
        fm.score(["(a / b)", b"(a / b)", "(", "("], ["(a / b)", b"(a / b)", None, "(c / d)"], on_error="empty")
    with warnings.catch_warnings(action="error"):
        fm.score(["(a / b)", "("], [None, "(a / b)"], on_error="empty")


def test_compare_by_id():
    gold, one, two = corpus(), corpus([7, 6, 5, 4, 3, 2]), corpus([0, 1, 2, 3])
    message = r"compare: paired by ::id: 2 ids of gold not in A \('s.0', 's.1'\)"
    fails(PairingError, message, fm.compare, one, two, gold, pair_by="id")
    asked = {"pair_by": "id", "unpaired": "empty", "names": ["mine", "its"]}
    found = fm.compare(one, two, gold, **asked)
    assert [result.recall for result in found.results] == [6 / 8, 4 / 8]
    message = r"1 id of its not in gold \('s.3'\)"
    fails(PairingError, message, fm.compare, one[:4], two, gold[[7, 6, 5, 4, 0, 1, 2]], **asked)
    with pytest.warns(PairingWarning) as caught:  # the same pairs for all: those that all systems have
        found = fm.compare(one, two, gold, pair_by="id", unpaired="skip")
    assert [len(result) for result in found.results] == [2, 2] and [result.f1 for result in found.results] == [1, 1]
    assert len(caught) == 2


def test_wrong_options():
    read = fm.parse("(a / b)")  # a corpus, which is read already
    unpaired = "unpaired='drop': expected one of 'raise', 'empty', 'skip'"
    for function, options, message in (
        (fm.score, {"pair_by": "name"}, "pair_by='name': expected one of 'position', 'id'"),
        (fm.aspects, {"pair_by": "id", "unpaired": "drop"}, unpaired),
        (fm.compare, {"unpaired": "skip"}, "unpaired='skip' goes with pair_by='id'"),
        (fm.compare, {"on_error": "emty"}, "on_error='emty': expected one of 'raise', 'empty', 'repair'"),
        (fm.score, {"metric": "wlk", "preset": ["tool"]}, r"preset=\['tool'\]: metric 'wlk' has 'tool'"),
    ):
        fails(OptionError, message, function, *[read] * (3 if function is fm.compare else 2), **options)


def test_both_sides_empty():
    assert warned([], []) == "no graphs on either side: there is nothing to score"
    assert warned([], [], pair_by="id") == "no graphs on either side: there is nothing to score"
    fails(PairingError, "0 predictions but 8 gold graphs", fm.score, [], corpus())
