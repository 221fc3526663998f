"""Systems on an invented suite in the layout of a clone of GrAPES: what is left out, refused, counted and compared."""

import math
import re
import shutil
from pathlib import Path

import pytest
from scipy.stats import binomtest

import fastmatch as fm
from fastmatch.benchmarks.grapes.categories import CATEGORIES, SETS, chosen
from fastmatch.benchmarks.grapes.evaluation import evaluate
from fastmatch.benchmarks.grapes.results import SMATCH, GrapesResult, GrapesRow
from fastmatch.report.model import emit

from support.refusal import fails

MINI = Path(__file__).parents[3] / "data" / "grapes" / "mini"
PRED = MINI / "pred"
KEYS = {category.key for category in CATEGORIES}
LICENSED = {"word_ambiguities_handcrafted", "unbounded_dependencies"}


def both(*names: str, **options) -> GrapesResult:
    """The systems of these names on everything."""
    return evaluate(
        MINI,
        {name: PRED / name / "grapes.txt" for name in names},
        gold_testset=MINI / "testset.txt",
        pred_testset={name: PRED / name / "testset.txt" for name in names},
        **options,
    )


@pytest.fixture(scope="module")
def result() -> GrapesResult:
    return both("a", "b", "gold")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone that may be changed, with predictions ``pred.txt`` beside it."""
    shutil.copytree(MINI / "corpus", tmp_path / "clone" / "corpus")
    shutil.copy(PRED / "a" / "grapes.txt", tmp_path / "pred.txt")
    return tmp_path / "clone"


def test_categories():
    assert len(CATEGORIES) == len(KEYS) == 38 and sum(category.testset for category in CATEGORIES) == 23
    assert {category.set for category in CATEGORIES} == set(range(1, len(SETS) + 1))
    assert [one.key for one in chosen(["imperatives", "long_lists"])] == ["long_lists", "imperatives"]
    fails(fm.OptionError, "no 'long_list'; did you mean 'long_lists'", chosen, ["long_list"])


def test_nothing_is_left_out_in_silence(clone: Path):
    """Each category has rows or a reason; 13 need nothing but predictions for the suite."""
    [system] = evaluate(clone, clone.parent / "pred.txt").systems
    evaluated = {row.category for row in system.rows if row.main}
    left = {one.category: one.reason for one in system.left_out}
    assert evaluated | left.keys() == KEYS and not evaluated & left.keys() and len(evaluated) == 13
    assert "LDC2020T02" in left["seen_names"] and "Penn Treebank" in left["unbounded_dependencies"]
    assert "word_disambiguation.txt" in left["word_ambiguities_handcrafted"]
    [system] = evaluate(clone, gold_testset=MINI / "testset.txt", pred_testset=PRED / "a" / "testset.txt").systems
    assert len({row.category for row in system.rows}) == 23
    assert "no predictions for the suite" in {one.category: one.reason for one in system.left_out}["long_lists"]


def test_the_same_in_parts(result: GrapesResult):
    """A category alone has the rows that it has among all; so has a system."""
    [alone] = both("b").systems
    assert alone == result.systems[1]
    [some] = both("b", categories=["passives", "cp_recursion"]).systems
    wanted = {"passives", "cp_recursion", "cp_recursion_sanity_check"}
    assert some.rows == tuple(row for row in alone.rows if row.category in wanted)
    given = evaluate(MINI, {"b": fm.read(PRED / "b" / "grapes.txt")}, categories=["cp_recursion"])
    assert given.systems[0].rows == tuple(row for row in some.rows if row.set == 3)


def test_a_prediction_that_cannot_be_read_is_counted(clone: Path):
    blocks = (clone.parent / "pred.txt").read_text(encoding="utf-8").strip().split("\n\n")
    places = [k for k, name in enumerate(fm.read(clone / "corpus" / "corpus.txt").ids) if name == "adjectives_4"]
    pred = clone.parent / "pred.txt"
    before = evaluate(clone, pred).systems[0].row("multiple_adjectives", "Exact Match")
    blocks[places[0]] = "(b / broken"
    pred.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    result = evaluate(clone, pred)
    [system] = result.systems
    [(number, message)] = system.unreadable[str(pred)]
    assert system.n_unreadable == 1 and number == places[0] and "not closed" in message
    row = system.row("multiple_adjectives", "Exact Match")
    lost = [item for item, was, now in zip(row.items, before.passed, row.passed, strict=True) if was != now]
    assert [name for name, _ in lost] == ["adjectives_4"]
    assert result.to_dict()["systems"][0]["unreadable"][str(pred)][0][0] == number


def test_everything_unreadable(clone: Path):
    n = len(fm.read(clone / "corpus" / "corpus.txt"))
    (clone.parent / "pred.txt").write_text("(\n\n" * n, encoding="utf-8")
    [system] = evaluate(clone, clone.parent / "pred.txt", smatch=True).systems
    assert system.n_unreadable == n and all(row.score == 0 for row in system.rows)
    precision = system.row("long_lists", "Conjunct precision")
    assert (precision.total, precision.score) == (0, 0) and math.isnan(precision.interval.low)
    assert system.row("long_lists", "Edge Recall") is None


def test_pairs(clone: Path, recwarn: pytest.WarningsRecorder):
    """By place, with a warning where ids differ; by id in any order."""
    pred = clone.parent / "pred.txt"
    gold = fm.read(clone / "corpus" / "corpus.txt")
    corpus = fm.read(pred)
    named = [f"# ::id {name}\n{graph.encode()}" for name, graph in zip(gold.ids, corpus, strict=True)]
    pred.write_text("\n\n".join(reversed(named)), encoding="utf-8")
    by_id = evaluate(clone, pred, pair_by="id")
    assert by_id.systems[0].rows == evaluate(clone, corpus).systems[0].rows
    assert not recwarn.list
    with pytest.warns(fm.PairingWarning, match="::id differs"):
        shuffled = evaluate(clone, pred)
    assert shuffled.systems[0].rows != by_id.systems[0].rows
    both = (evaluate(clone, pred, pair_by="id", smatch=True), evaluate(clone, corpus, smatch=True))
    one, other = (each.systems[0].row("long_lists", SMATCH) for each in both)
    assert one == other is not None
    pred.write_text("\n\n".join(named[1:]), encoding="utf-8")
    fails(fm.PairingError, r"89 predictions in .*pred.txt but 90 gold graphs in .*corpus.txt", evaluate, clone, pred)
    pred.write_text("\n", encoding="utf-8")
    message = r"0 predictions in .*pred.txt but 90 gold graphs in .*corpus.txt"
    for by in ("position", "id"):
        fails(fm.PairingError, message, evaluate, clone, pred, pair_by=by)


def test_words_from_a_file_of_their_own(clone: Path):
    """All of its graphs, or those whose sentence may be passed on."""
    blanked = clone / "corpus" / "word_disambiguation_clean.txt"
    gold = (clone / "corpus" / "subcorpora" / "word_disambiguation.txt").read_text(encoding="utf-8")
    (clone / "corpus" / "subcorpora" / "word_disambiguation.txt").unlink()
    blocks = gold.strip().split("\n\n")
    blocks[1] = re.sub("::snt .*", "::snt (removed -- see there)", blocks[1])
    blanked.write_text("\n\n".join(blocks), encoding="utf-8")
    words = clone.parent / "word_disambiguation.txt"
    texts = (PRED / "a" / "word_disambiguation.txt").read_text(encoding="utf-8").strip().split("\n\n")
    rows = []
    for lines in (texts, [text for k, text in enumerate(texts) if k != 1]):
        words.write_text("\n\n".join(lines), encoding="utf-8")
        [system] = evaluate(clone, clone.parent / "pred.txt").systems
        row = system.row("word_ambiguities_handcrafted", "Recall")
        rows.append(row)
        notes = [one.reason for one in system.left_out if one.category == row.category and one.partly]
        assert notes == ([] if len(lines) == len(texts) else ["1 of its 6 graphs have no prediction"])
    assert rows[0].total == 6 and rows[1].passed == tuple(passed for k, passed in enumerate(rows[0].passed) if k != 1)
    words.write_text("(a / b)\n", encoding="utf-8")
    message = "1 prediction in .*word_disambiguation.txt but 6"
    fails(fm.PairingError, message, evaluate, clone, clone.parent / "pred.txt")


def test_ids_that_the_gold_file_lacks(clone: Path):
    """Some: the category is incomplete. All: it is left out."""
    table = clone / "corpus" / "seen_dates.tsv"
    table.write_text("MINI_0003.3\t:month 7 :year 1842\nNOT_THERE.1\t:year 1900\n", encoding="utf-8")
    (clone / "corpus" / "unseen_dates.tsv").write_text("NOT_THERE.1\t:year 1900\n", encoding="utf-8")
    (clone / "corpus" / "ellipsis_filtered.tsv").unlink()
    files = {"gold_testset": MINI / "testset.txt", "pred_testset": PRED / "gold" / "testset.txt"}
    [system] = evaluate(clone, **files).systems
    notes = {one.category: (one.reason, one.partly) for one in system.left_out}
    assert notes["seen_dates"] == ("1 of the ids in corpus/seen_dates.tsv are not in the gold file", True)
    assert notes["unseen_dates"][0].startswith("none of its graphs")
    assert notes["ellipsis"] == ("the clone has no corpus/ellipsis_filtered.tsv", False)
    assert system.row("seen_dates", "Recall").total == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("winograd.tsv", b"ID\twinograd_0\nwinograd_0\tbig-01\n", "winograd.tsv:2:1: expected 6 columns or more"),
        ("winograd.tsv", b"x\nwinograd_0\t(a / b\t:ARG1\tc\td\t:ARG0\n", "winograd.tsv:2:1: .*not closed.* in a cell"),
        ("winograd.tsv", b"x\nwinograd_0\ta\tARG1\tc\td\t:ARG0\n", "winograd.tsv:2:1: expected a role"),
        ("unseen_senses_new_sentences.tsv", b"# a comment\n\na\t\xff\n", "sentences.tsv:3:3: byte 0xff is not UTF-8"),
        ("corpus.txt", b"(a / b)\n", "corpus.txt:1:0: graph 1 has no '# ::id'"),
        ("corpus.txt", b"# ::id a_0\n(a / b\n", "corpus.txt:2:7: the text ends"),
    ],
)
def test_broken_clones(clone: Path, name: str, content: bytes, message: str):
    (clone / "corpus" / name).write_bytes(content)
    fails(fm.ReadError, message, evaluate, clone, clone.parent / "pred.txt")


def test_options(clone: Path):
    pred, testset = clone.parent / "pred.txt", {"gold_testset": MINI / "testset.txt"}
    assert evaluate(clone / "corpus", pred).systems == evaluate(clone, pred).systems
    for arguments, options, message in (
        ((clone / "nowhere", pred), {}, "no such folder"),
        ((clone.parent, pred), {}, r"no corpus/corpus\.txt in it"),
        ((clone,), {}, "no predictions"),
        ((clone, {}), {}, "expected a system or more"),
        ((clone, pred), testset, "gold_testset=… goes with pred_testset=…"),
        ((clone, {"a": pred}), {**testset, "pred_testset": {"b": pred}}, "name different systems: 'a', 'b'"),
        ((clone, {"a": pred}), {**testset, "pred_testset": pred}, "mappings from names"),
        ((clone, pred), {"preset": "paper"}, "preset"),
        ((clone, pred), {"categories": ["ellipsis"]}, r"nothing to evaluate; Ellipsis: .* those of the AMR 3\.0"),
    ):
        fails(fm.OptionError, message, evaluate, *arguments, **options)


def test_a_part_of_the_suite(clone: Path):
    """One file of subcorpora alone gives the rows that it gives among all."""
    whole = evaluate(clone, clone.parent / "pred.txt").systems[0]
    part = clone / "corpus" / "subcorpora" / "adjectives.txt"
    corpus = fm.read(clone.parent / "pred.txt")
    places = {name: k for k, name in enumerate(fm.read(clone / "corpus" / "corpus.txt").ids)}
    [system] = evaluate(clone, corpus[[places[name] for name in fm.read(part).ids]], gold=part).systems
    [row] = system.rows
    expected = whole.row("multiple_adjectives", "Exact Match")
    assert (row.successes, row.total, row.sizes) == (expected.successes, expected.total, expected.sizes)
    left = {one.category: one.reason for one in system.left_out}
    assert left["centre_embedding"] == "none of its graphs (their ids are in the suite) is in adjectives.txt"
    message = r"90 predictions in .* but 6 gold graphs in .*adjectives\.txt"
    fails(fm.PairingError, message, evaluate, clone, clone.parent / "pred.txt", gold=part)


def test_smatch(result: GrapesResult):
    """The certified score of the category's graphs, for those whose gold graphs are no placeholders."""
    [system] = both("b", smatch=True).systems
    placeholders = {"unseen_predicate_senses_excl_01", "unseen_edge_labels_ARG2plus"}
    assert {row.category for row in system.rows if row.metric == SMATCH} == KEYS - LICENSED - placeholders
    row = system.row("multiple_adjectives", SMATCH)
    gold = fm.read(MINI / "corpus" / "corpus.txt", dialect="smatch")
    pred = fm.read(PRED / "b" / "grapes.txt", dialect="smatch")
    graphs = [k for k, name in enumerate(gold.ids) if name in {f"adjectives_{n}" for n in range(6)}]
    assert row.score == fm.score(pred[graphs], gold[graphs], preset="smatch").f1 and row.certified
    assert math.isnan(row.interval.low)
    assert system.row("pp_attachment", SMATCH).total == 15  # one graph more than have items
    assert both("b", smatch=True).averages(system) == result.averages(result.systems[1])


def test_they_show_themselves_in_a_line(result: GrapesResult):
    """A prompt showed every item of every category: 37,000 characters."""
    system = result.systems[0]
    row = system.rows[0]
    for shown, start in (
        (result, f"<GrapesResult: {system.name!r} ({len(system.rows)} rows), "),
        (system, f"<GrapesSystem {system.name!r}: {len(system.rows)} rows, {len(system.left_out)} left out>"),
        (row, f"<GrapesRow: {row.category}, {row.metric} {100 * row.score:.2f}, {row.successes} of {row.total}>"),
    ):
        assert repr(shown).startswith(start) and len(repr(shown)) < 150


def test_averages(clone: Path, result: GrapesResult):
    """Right by default; with the preset, those behind a missing category are those of earlier sets."""
    assert result.averages(result.systems[0])[0] == 1
    right = evaluate(clone, clone.parent / "pred.txt")
    tool = evaluate(clone, clone.parent / "pred.txt", preset="tool")
    values, shown = right.averages(right.systems[0]), tool.averages(tool.systems[0])
    assert shown[:6] == values[:6] and shown[6:] == (None, None, values[6]) and values[8] is None
    lists = [row.score for row in right.systems[0].rows if row.set == 3 and row.main]
    assert values[2] == sum(lists) / 10  # seven categories, and three numbers of lists


def test_comparison(result: GrapesResult):
    compared = result.compare(0, 1)
    assert len(compared) == 37  # lists have no items
    for one in compared:
        rows = [system.row(one.category, one.metric) for system in result.systems[:2]]
        pairs = list(zip(rows[0].passed, rows[1].passed, strict=True))  # type: ignore[union-attr]
        assert (one.only_first, one.only_second) == (pairs.count((True, False)), pairs.count((False, True)))
        n = one.only_first + one.only_second
        assert one.p == pytest.approx(binomtest(one.only_first, n).pvalue if n else 1.0) and one.adjusted >= one.p
    assert all(one.p == 1 == one.adjusted for one in result.compare(2, 2))


def test_more_successes_than_items_have_no_interval():
    row = GrapesRow("long_lists", "Long lists", "Conjunct precision", 3, True, 2, 1)
    assert row.score == 2 and row.to_dict()["interval"] is None


def test_as_a_table(result: GrapesResult, capsys: pytest.CaptureFixture[str]):
    frame = pytest.importorskip("pandas") and result.to_pandas()
    assert list(frame.columns[:5]) == ["system", "set", "category", "metric", "score"]
    assert len(frame) == sum(len(system.rows) for system in result.systems)
    emit(result.report(), "tsv")
    header, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(frame)
    first = dict(zip(header.split("\t"), lines[0].split("\t"), strict=True))
    assert float(first["score"]) == frame["score"][0]
    emit(result.report())
    shown = capsys.readouterr().out
    assert "Long lists: Unseen :opi recall" in shown and "left out" not in shown
