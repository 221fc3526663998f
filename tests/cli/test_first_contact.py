"""What a new user meets: the list of metrics, aspects, the worst pairs, help, demo. Slips are in test_refused.py."""

import json
import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.errors import meant
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.options import described
from fastmatch.metrics.registry import from_text, get

from support.command_line import needs_signals, on_terminal, printed, run, table
from support.refusal import fails

PRED = "# ::id a\n(a / cat :polarity -)\n\n# ::id b\n(b / dog :mod (c / big))\n"
GOLD = "# ::id a\n(a / cat)\n\n# ::id b\n(b / dog :mod (c / small))\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """A small prediction and gold file, in the working directory."""
    monkeypatch.chdir(tmp_path)
    Path("pred.amr").write_text(PRED, encoding="utf-8")
    Path("gold.amr").write_text(GOLD, encoding="utf-8")
    return "pred.amr", "gold.amr"


# ---- fastmatch metrics -----------------------------------------------------------------------------------------------


def test_metrics_are_listed(capsys):
    out = printed(capsys, "metrics")[0]
    heads = [line.split()[0] for line in out.splitlines() if line and not line.startswith((" ", "fastmatch"))]
    assert set(BUILT_IN) <= set(heads)
    assert "Smatch on standardised graphs [presets: tool, reify, generic, none]" in " ".join(out.split())


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_metric_is_described(capsys, name):
    out = " ".join(printed(capsys, "metrics", name)[0].split())
    (record,) = json.loads(printed(capsys, "metrics", name, "--json")[0])
    assert record["about"] and list(record["presets"]) == list(get(name).presets)
    assert [option["name"] for option in record["options"]] == [option.name for option in described(get(name))]
    help_text = " ".join(printed(capsys, "score", "--metric", name, "--help")[0].split())
    for option in record["options"]:
        assert option["flag"] in out and option["flag"] in help_text
    assert from_text(out.rsplit(": ", 1)[1]).name == name


@pytest.mark.parametrize(("word", "wanted"), [("yes", True), ("True", True), ("no", False), ("false", False)])
def test_yes_and_no_have_two_spellings(word, wanted):
    assert from_text(f"rematch,labels={word}").labels is wanted


def test_what_may_be_meant():
    assert meant("Smatch", ["smatch", "wlk"]) == "; did you mean 'smatch'?"
    assert meant("smatchpp", ["smatch", "smatch++"]) == "; did you mean 'smatch++'?"
    assert meant("bamboo", ["smatch", "wlk"]) == "" and meant(3, ["smatch"]) == ""
    fails(fm.OptionError, r"; did you mean 'solver'\?$", fm.score, "(a / b)", "(a / b)", sovler="exact")


# ---- aspects ---------------------------------------------------------------------------------------------------------


def test_pairs_and_threshold_of_aspects(files, capsys):
    result = fm.aspects(*map(Path, files))
    out, err = printed(capsys, "score", *files, "--aspects", "--per-pair", "-")
    header, *rows = (line.split("\t") for line in out.splitlines())
    assert header == ["index", "id", *result, "n_invalid", "n_repaired"]
    assert [row[:2] for row in rows] == [["0", "a"], ["1", "b"]]
    assert [row[header.index("Negations")] for row in rows] == ["0.0", ""]
    assert [float(row[header.index("Smatch")]) for row in rows] == result["Smatch"].pairs.score.tolist()
    assert err.startswith("damonte: 2 pairs\n")
    # named entities occur in no graph: they are not below anything
    err = printed(capsys, "score", *files, "--aspects", "--fail-under", "99", status=1)[1]
    assert "F1 of Negations 0.0000 is below 99" in err and "Named Ent." not in err
    printed(capsys, "score", *files, "--aspects", "--fail-under", "0")


@pytest.mark.parametrize("kind", ["damonte", "enhanced", "s2match", "amrlib", "smatch++", "docsmatch"])
def test_aspects_know_the_ids_of_their_pairs(files, kind):
    assert next(tuple(score.ids) for score in fm.aspects(*map(Path, files), kind=kind).values()) == ("a", "b")


@pytest.mark.parametrize("options", [{}, {"preset": "smatch"}, {"preset": "smatch++"}, {"metric": "wlk/tool"}])
def test_strings_are_graphs_and_not_file_names(files, options):
    with pytest.raises(fm.ReadError, match=r"^pred: expected a graph, found 'pred.amr'; if it is a file, give pathlib"):
        fm.score(*files, **options)
    with pytest.raises(fm.ReadError, match=r"^gold: expected a graph, found 'gold.amr'"):
        fm.align(fm.read(files[0])[0], files[1], **options)
    assert len(fm.score(*map(Path, files), **options)) == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("score pred.amr gold.amr --json", "score pred.amr --json gold.amr"),
        ("compare pred.amr gold.amr gold.amr --tsv", "compare pred.amr --tsv gold.amr gold.amr"),
        ("bench space pred.amr gold.amr --json", "bench space pred.amr --json gold.amr"),
        ("score pred.amr gold.amr gold.amr --markdown", "score pred.amr gold.amr --markdown gold.amr"),
    ],
)
def test_files_may_stand_behind_options(files, capsys, before, after):
    assert printed(capsys, *before.split()) == printed(capsys, *after.split())


# ---- the worst pairs -------------------------------------------------------------------------------------------------


def test_the_worst_pairs_follow_the_report(files, capsys):
    report = printed(capsys, "score", *files)[0]
    out, err = printed(capsys, "score", *files, "--worst", "1")
    report, _, signature = report.rpartition("signature: ")
    assert out.startswith(report) and out.endswith(f"\n\nsignature: {signature}")
    assert err == ""
    worst = fm.score(*map(Path, files)).worst(1)[0]
    rest = out.removeprefix(report)
    assert "1 pair with the lowest scores" in rest
    aligned = printed(capsys, "align", *files, "--id", worst.id)[0].rpartition("signature: ")[0]
    assert f"pair {worst.index}, {worst.id}\n\n{aligned}" in rest
    record = json.loads(printed(capsys, "score", *files, "--worst", "5", "--json")[0])
    assert [(pair["index"], pair["id"]) for pair in record["worst"]] == [(1, "b"), (0, "a")]
    assert record["worst"][0]["alignment"]["mapping"] == [["b", "b"], ["c", "c"]]
    # a metric without alignments has scores only
    record = json.loads(printed(capsys, "score", *files, "--worst", "2", "--metric", "sembleu", "--json")[0])
    assert "alignment" not in record["worst"][0]


@pytest.mark.parametrize("more", ["--metric wlk --metric smatch", "--aspects"])
def test_the_worst_pairs_of_each(files, capsys, more):
    out = printed(capsys, "score", *files, "--worst", "1", *more.split())[0]
    records = json.loads(printed(capsys, "score", *files, "--worst", "1", "--json", *more.split())[0])
    if "--aspects" in more:
        results = dict(fm.aspects(*map(Path, files)))
        found = records["worst"]
    else:
        results = {name: fm.score(*map(Path, files), metric=name) for name in ("wlk", "smatch")}
        found = {record["metric"]: record["worst"] for record in records}
    assert set(found) == set(results)
    for name, result in results.items():
        assert found[name] == [{"index": index, "id": id, "score": score} for index, id, score in result.worst(1)]
        assert (f"\n{name}: 1 pair with the lowest scores\n" in out) == any(pair.score < 1 for pair in result.worst(1))


def test_help_is_a_word_as_well(capsys):
    for arguments in ((), ("score",), ("metrics",)):
        assert printed(capsys, "help", *arguments) == printed(capsys, *arguments, "--help")


# ---- a table of pairs ------------------------------------------------------------------------------------------------

COLUMNS = ["index", "id", "score", "precision", "recall", "matched", "n_pred", "n_gold", "upper", "certified"]
COLUMNS += ["n_invalid", "n_repaired"]


def test_per_pair_file(folder: Path) -> None:
    (folder / "out.tsv").write_text("old", encoding="utf-8")
    assert "matched triples" in run("score", "pred.amr", "gold.amr", "--per-pair", "out.tsv", cwd=folder).stdout
    text = (folder / "out.tsv").read_text(encoding="utf-8")
    assert text.splitlines()[0].split("\t") == COLUMNS
    rows = table(text)
    pairs = fm.score(fm.read(folder / "pred.amr"), fm.read(folder / "gold.amr")).pairs
    assert [row["id"] for row in rows] == [f"sample.{number}" for number in range(1, 41)]
    assert [int(row["index"]) for row in rows] == list(range(40))
    for column, values in (("score", pairs.f1), ("precision", pairs.precision), ("recall", pairs.recall)):
        assert [float(row[column]) for row in rows] == values.tolist()
    for column in ("matched", "n_pred", "n_gold", "upper", "certified"):
        assert [int(row[column]) for row in rows] == getattr(pairs, column).tolist()
    assert sorted(path.name for path in folder.iterdir()) == ["gold.amr", "out.tsv", "pred.amr"]


def test_per_pair_ids_cannot_break_the_table(tmp_path: Path) -> None:
    (tmp_path / "pred.amr").write_text("# ::id only here\n(a / b)\n\n(a / b)\n", encoding="utf-8")
    (tmp_path / "gold.amr").write_text("(a / b)\n\n# ::id x\ty z\n(a / b)\n", encoding="utf-8")
    rows = table(run("score", "pred.amr", "gold.amr", "--per-pair", "-", "--quiet", cwd=tmp_path).stdout)
    assert [row["id"] for row in rows] == ["only here", "x y z"]


# ---- align, demo, terminal -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_demo(tmp_path: Path) -> None:
    out = run("demo", cwd=tmp_path).stdout
    assert "proven optimal: 40 of 40 pairs" in out
    # the commands it proposes work
    commands = [shlex.split(line) for line in out.splitlines() if line.startswith("  fastmatch ")]
    assert len(commands) == 2
    for command in commands:
        run(*command[1:], cwd=tmp_path)


@pytest.mark.slow
@needs_signals
@pytest.mark.parametrize(
    "arguments", [["score", "pred.amr", "gold.amr"], ["align", "pred.amr", "gold.amr", "--view", "tables"], ["demo"]]
)
def test_on_a_terminal(folder: Path, arguments: list[str]) -> None:
    text = on_terminal(*arguments, cwd=folder)
    assert "signature: smatch|" in text and "─" in text


def test_report_of_several_scores(folder: Path) -> None:
    """Five F scores with precision and recall: a line each, first the micro scores."""
    expected = fm.score(folder / "pred.amr", folder / "gold.amr", metric="ancast")
    out = run("score", "pred.amr", "gold.amr", "--metric", "ancast", cwd=folder).stdout
    header, *rows = (re.split(r" {2,}", line.strip()) for line in out.splitlines()[2:13])
    assert header == ["precision", "recall", "F1"]
    names = ("lr", "concept", "ulr", "wlr", "mock smatch")
    assert [row[0] for row in rows] == [f"{line} {name}" for line in ("micro", "macro") for name in names]
    for k, scores in ((3, expected.micro), (8, expected.macro)):
        assert rows[k][1:] == [f"{100 * scores[f'wlr_{part}']:.2f}" for part in "prf"]


def test_version(tmp_path: Path) -> None:
    assert run("--version", cwd=tmp_path).stdout == f"fastmatch {fm.__version__}\n"


def test_console_script(tmp_path: Path) -> None:
    script = Path(sysconfig.get_path("scripts")) / "fastmatch"
    if not script.exists():
        pytest.skip("fastmatch is not installed, only on the path")
    done = subprocess.run([str(script), "--version"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == f"fastmatch {fm.__version__}\n"
