"""RARE: splits, pairs, what metrics are correlated with, files and command."""

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import numpy as np
import pytest
from scipy.stats import spearmanr

import fastmatch as fm
from fastmatch.benchmarks import rare
from fastmatch.benchmarks.rare import SPLITS, RarePairs, RareSet, divide, evaluate, generate, load, write
from fastmatch.metrics import base, registry
from fastmatch.metrics.registry import from_text

from support.command_line import needs_limits, refused, run, small_files, table
from support.hostile import FAMILIES
from support.refusal import fails

SAMPLE = Path(fm.__file__).parent / "data" / "sample-gold.amr"


BOTH = pytest.mark.parametrize("preset", ["default", "tool"])


@pytest.fixture(scope="module")
def corpus() -> fm.Corpus:
    return fm.read(SAMPLE)


@pytest.fixture(scope="module")
def made(corpus: fm.Corpus) -> dict[str, RareSet]:
    return {preset: generate(corpus, preset=preset) for preset in ("default", "tool")}


def check_same(one: RarePairs, other: RarePairs) -> None:
    for name in ("split", "originals", "rewired", "labels"):
        assert getattr(one, name) == getattr(other, name)
    assert np.array_equal(one.index, other.index) and np.array_equal(one.scores, other.scores)


@pytest.mark.parametrize("metric", ["smatch", "smatch,compress=yes", "align-smatch", "softoverlap", "ancast", "wwlk"])
def test_large_pairs_have_little_work(metric, monkeypatch):
    monkeypatch.setattr("fastmatch.metrics.shared.search._VISITS", 1e15)  # its pairs take long
    pred, gold = FAMILIES["trees without concepts"](0, 800)
    split = RarePairs("test", 1, (pred,), (gold, pred), np.zeros(2, np.int32), ("0_0_2", "0_-1"), np.array([0.9, 1.0]))
    pairs = RareSet((split,), "trees", "default", 0)
    monkeypatch.setattr("fastmatch.benchmarks.shared.LARGE", 100)
    found = evaluate(pairs, metric)
    assert found.rows[0].n_limited == (1,)  # what is equal is proven
    assert found.to_dict()["rows"][0]["limited"] == {"test": 1}
    assert found.report().notes[0].startswith(f"{metric}: 1 pair searched with little work, no proof; ")
    whole = evaluate(pairs, "smatch,effort=low")
    assert whole.rows[0].n_limited == (0,) and not whole.report().notes


@pytest.mark.parametrize("metric", ["smatch", "s2match", "softoverlap,smatch=1"])
def test_a_long_series_is_hurried_and_begins_where_variables_keep_their_names(metric, monkeypatch):
    [split] = generate(FAMILIES["trees of five concepts"](0)[0], ("test",)).splits
    monkeypatch.setattr(rare, "_SERIES", 0)
    metric, told = from_text(metric), []
    corpora = rare._read(split, metric.dialect)
    scores, n_open = rare._scored(metric, *corpora, split.index, 1, lambda *steps: told.append(steps))
    # concepts match where variables keep their names, and edges that are still there
    n_nodes, n_edges = len(corpora[0][0].instances), len(corpora[0][0].relations)
    assert (scores >= (n_nodes + split.scores * n_edges) / (n_nodes + n_edges) - 1e-12).all()
    assert n_open > len(split) / 2 and told[-1] == (len(split), len(split))


@BOTH
def test_division(preset: str):
    divided = divide(57, preset, 0)
    assert {split: len(divided[split]) for split in SPLITS} == {"train": 45, "dev": 5, "test": 7}
    numbers, indices = zip(*(pair for split in SPLITS for pair in divided[split]), strict=True)
    assert sorted(indices) == list(range(57))
    if preset == "default":
        assert numbers == indices and divide(57, preset, 1) != divided
    else:  # labels count positions after the program's shuffle
        assert list(numbers) == list(range(57))


@BOTH
def test_a_split_is_made_alone_as_with_the_others(corpus: fm.Corpus, made: dict[str, RareSet], preset: str):
    [alone] = generate(corpus, ["dev"], preset=preset).splits
    check_same(alone, made[preset].splits[1])


def test_seed(corpus: fm.Corpus, made: dict[str, RareSet]):
    assert generate(corpus, ["test"], seed=1).splits[0].rewired != made["default"].splits[2].rewired


@BOTH
def test_pairs(made: dict[str, RareSet], preset: str):
    for split in made[preset].splits:
        assert 0 < len(split.originals) <= split.n_graphs
        assert len(split) == len(split.labels) == len(split.scores) == len(split.index)
        assert sorted(set(split.index.tolist())) == list(range(len(split.originals)))
        for k, label in enumerate(split.labels):
            if label.endswith("_-1"):
                assert split.rewired[k] == split.originals[split.index[k]] and split.scores[k] == 1
        assert (split.scores == 1).sum() == len(split.originals)


def test_correlation(made: dict[str, RareSet]):
    """Against scipy, with the prediction the original."""
    metrics = ["smatch", "sembleu", "sembleu/tool"]
    result = evaluate(made["tool"], metrics)
    assert [row.metric for row in result.rows] == metrics
    for row in result.rows:
        assert row.n_unreadable == row.n_unscored == (0, 0, 0)
        for value, split in zip(row.values, made["tool"].splits, strict=True):
            pred = [split.originals[k] for k in split.index]
            scores = fm.score(pred, list(split.rewired), metric=fm.metrics.base.from_text(row.metric)).pairs.score
            assert value == pytest.approx(100 * spearmanr(scores, split.scores).statistic) and value > 50
    assert [row.published for row in result.rows] == [96.57, 94.83, 94.83]
    again = evaluate(made["tool"], metrics, workers=2)
    assert [row.values for row in again.rows] == [row.values for row in result.rows]


def test_what_a_reader_refuses_is_counted():
    texts = ("(a / b)", "(a / c", "(a / d)")
    split = RarePairs("test", 3, texts, texts[:1] * 3, np.arange(3, dtype=np.int32), ("",) * 3, np.ones(3))
    pairs = RareSet((split,), "x", "default", 0)
    [row] = evaluate(pairs).rows
    assert row.n_unreadable == (1,)
    assert np.isnan(row.values[0])  # all labels alike: no correlation
    assert json.loads(json.dumps(evaluate(pairs).to_dict()))["rows"][0]["spearman"] == {"test": None}


@dataclass(frozen=True)
class Gappy(base.Metric):
    """Scores a pair by its number, and every third not at all."""

    statistics: ClassVar[tuple[str, ...]] = ("number",)
    counts: ClassVar[bool] = False
    name: ClassVar[str] = "gappy"

    def combine(self, statistics):
        return {"number": statistics[0]}

    def prepare(self, corpus):
        return len(corpus)

    def score(self, pred, gold, pairs, out):
        numbers = np.arange(pairs.start, pairs.stop, dtype=np.float64)
        out.statistics[0, pairs.places] = np.where(numbers % 3 == 0, np.nan, numbers)


def test_pairs_without_score_are_left_out(made: dict[str, RareSet], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(registry._REGISTRY, "gappy", Gappy)
    [row] = evaluate(made["tool"], ["gappy"]).rows
    for value, missing, split in zip(row.values, row.n_unscored, made["tool"].splits, strict=True):
        scores = np.arange(len(split), dtype=np.float64)
        scores[::3] = np.nan
        assert missing == len(scores[::3])
        assert value == pytest.approx(100 * spearmanr(scores, split.scores, nan_policy="omit").statistic)


def test_graphs_that_are_too_large_are_named(corpus: fm.Corpus, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fastmatch.benchmarks.rewiring.WORK", 10)
    with pytest.warns(fm.FastmatchWarning, match=r"4 of 40 graphs are too large for all .* \(graph \d+, .*\)"):
        assert not generate(corpus, ["test"]).splits[0].rewired


def test_progress(corpus: fm.Corpus):
    seen: list[tuple[int, int]] = []
    pairs = generate(corpus, ["dev", "test"], progress=lambda done, total: seen.append((done, total)))
    n = sum(split.n_graphs for split in pairs.splits)
    assert seen == [(k, n) for k in range(1, n + 1)]
    seen.clear()
    evaluate(pairs, ["smatch", "rematch"], progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (2 * sum(map(len, pairs.splits)),) * 2 and seen == sorted(seen)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"splits": ["trial"]}, "split='trial': expected one of 'train', 'dev', 'test'"),
        ({"preset": "paper"}, "preset='paper': expected one of 'default', 'tool'"),
        ({"seed": -1}, "seed=-1: expected 0 or more"),
        ({"seed": 1, "preset": "tool"}, "seed=1: expected 0, the seed of the program"),
    ],
)
def test_wrong_options(corpus: fm.Corpus, given: dict, message: str):
    fails(fm.OptionError, message, generate, corpus, **given)


def test_corpora_that_cannot_be_rewired():
    fails(fm.OptionError, "<string>: no graphs, expected at least one to rewire", generate, fm.parse(""))
    message = "expected graphs read with dialect='penman', not 'smatch'"
    fails(fm.OptionError, message, generate, fm.parse("(a / b)", dialect="smatch"))
    fails(fm.OptionError, "expected one of", evaluate, RareSet((), "x", "default", 0), ["smitch"])


@BOTH
def test_files(made: dict[str, RareSet], tmp_path: Path, preset: str):
    folder = tmp_path / "pairs"
    write(made[preset], folder)
    write(made[preset], folder)  # what was there is replaced
    for split in made[preset].splits:
        name = split.split
        if preset == "tool":
            pred, gold = (fm.read(folder / f"{name}_unwiki_{kind}_rewire.txt") for kind in ("unoisy", "noisy"))
            columns = [np.load(folder / f"{name}_noisy_{kind}_rewire.npy").tolist() for kind in ("labels", "scores")]
        else:
            pred, gold = (fm.read(folder / f"{name}.{kind}.amr") for kind in ("original", "rewired"))
            rows = table((folder / f"{name}.tsv").read_text(encoding="utf-8"))
            columns = [[row["label"] for row in rows], [float(row["score"]) for row in rows]]
        labels = list(split.labels)
        assert columns == [labels, split.scores.tolist()]
        assert list(pred) == [fm.parse(split.originals[k])[0] for k in split.index]
        assert list(gold) == list(fm.parse(split.rewired)) and [graph.metadata["label"] for graph in gold] == labels
    assert len(list(folder.iterdir())) == (12 if preset == "tool" else 9)


@BOTH
def test_written_pairs_can_be_loaded(made: dict[str, RareSet], tmp_path: Path, preset: str):
    """The same pairs and the same figures, whoever wrote the files; line breaks and packing do not matter."""
    write(made[preset], tmp_path)
    again = load(tmp_path)
    assert (again.source, again.preset, again.seed) == (str(tmp_path), preset, None)
    for one, other in zip(again.splits, made[preset].splits, strict=True):
        assert one.n_graphs == len(other.originals)
        check_same(one, other)
    metrics = ["smatch", "sembleu/tool"]
    expected = [row.values for row in evaluate(made[preset], metrics).rows]
    assert [row.values for row in evaluate(again, metrics).rows] == expected
    texts = [path for path in tmp_path.iterdir() if path.suffix in (".amr", ".txt")]
    for path in texts:
        path.write_bytes(gzip.compress(path.read_bytes().replace(b"\n", b"\r\n")))
    assert [row.values for row in evaluate(load(tmp_path), metrics).rows] == expected
    [dev] = load(tmp_path, ["dev"]).splits
    assert dev.rewired == made[preset].splits[1].rewired


def test_what_cannot_be_loaded(made: dict[str, RareSet], tmp_path: Path):
    message = r"no pairs of RARE for dev; expected files such as dev\.original\.amr or dev_"
    fails(fm.OptionError, message, load, tmp_path, ["dev"])
    write(made["default"], tmp_path)
    path = tmp_path / "test.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    n, finite = len(lines) - 1, "expected label, a tab and a finite score"
    for wrong, where, message in (
        (lines[:-1], "test.rewired.amr", f"{n} graphs, but {n} originals and {n - 1} scores"),
        (["a\t1", *lines[1:]], r"test\.tsv:1:1", "expected the header 'label', a tab, 'score', found"),
        (["a"], r"test\.tsv:1:1", "expected the header 'label', a tab, 'score', found 'a'"),
        ([*lines[:2], "3_1_2", *lines[3:]], r"test\.tsv:3:1", f"{finite}, found '3_1_2'"),
        ([*lines[:2], "3_1_2\tnan", *lines[3:]], r"test\.tsv:3:1", finite),
    ):
        path.write_text("\n".join(wrong), encoding="utf-8")
        fails(fm.ReadError, f"{where}: {message}", load, tmp_path, ["test"])
    path.write_text("\r\n".join(lines), encoding="utf-8-sig")
    assert load(tmp_path, ["test"]).splits[0].labels == made["default"].splits[2].labels
    path.unlink()
    fails(FileNotFoundError, None, load, tmp_path, ["test"])


def test_arrays_that_cannot_be_loaded(made: dict[str, RareSet], tmp_path: Path):
    write(made["tool"], tmp_path)
    (tmp_path / "dev_noisy_scores_rewire.npy").write_bytes(b"nothing")
    fails(fm.ReadError, r"dev_noisy_scores_rewire\.npy: no \.npy file", load, tmp_path, ["dev"])
    with open(tmp_path / "train_noisy_scores_rewire.npy", "wb") as file:
        np.savez(file, np.zeros(3))
    fails(fm.ReadError, r"train_noisy_scores_rewire\.npy: an archive of arrays", load, tmp_path, ["train"])
    np.save(tmp_path / "test_noisy_scores_rewire.npy", np.array(["a"]))
    fails(fm.ReadError, "expected a list of finite numbers", load, tmp_path, ["test"])


def test_nothing_is_half_written(made: dict[str, RareSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(np, "save", Mock(side_effect=OSError(28, "No space left on device")))
    fails(OSError, "No space left", write, made["tool"], tmp_path / "new")
    assert not (tmp_path / "new").exists()
    old = tmp_path / "old"
    old.mkdir()
    (old / "notes").touch()
    fails(OSError, "No space left", write, made["tool"], old)
    assert os.listdir(old) == ["notes"]


@needs_limits
def test_a_disk_that_is_full_by_the_last_file(made: dict[str, RareSet], tmp_path: Path):
    """What is held back in memory is written before the first file takes its place."""
    write(made["default"], tmp_path)
    sizes = {path.name: path.stat().st_size for path in tmp_path.iterdir()}
    for name in sizes:
        (tmp_path / name).write_text("old")
    with small_files(max(sizes.values()) - 1):
        fails(OSError, "File too large", write, made["default"], tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == dict.fromkeys(sizes, "old")


# ---- the command -----------------------------------------------------------------------------------------------------


def bench(folder: Path, flags: str, source: object = SAMPLE) -> str:
    """What the verb prints."""
    return run("bench", "rare", str(source), "--quiet", *flags.split(), cwd=folder).stdout


def test_table(tmp_path: Path):
    text = bench(tmp_path, "--metric rematch --metric sema --split test --split dev")
    lines = [line.split() for line in text.splitlines()]
    result = evaluate(generate(fm.read(SAMPLE), ["dev", "test"]), ["rematch", "sema"])
    assert ["metric", "dev", "test", "s"] in lines
    for row in result.rows:
        assert any(line[:3] == [row.metric, *(f"{value:.2f}" for value in row.values)] for line in lines)
    assert lines.count(["paper,", "AMR", "3.0", "95.32"]) == 1
    assert f"signature of rematch: {result.rows[0].signature}" in text


def test_json_and_tsv(tmp_path: Path):
    record = json.loads(bench(tmp_path, "--metric rematch --json --seed 5"))
    result = evaluate(generate(fm.read(SAMPLE), ["test"], seed=5), ["rematch"])
    [row], [split] = record["rows"], result.pairs.splits
    assert row["spearman"] == {"test": result.rows[0].values[0]} and record["seed"] == 5
    assert [*record["splits"]["test"].values()] == [split.n_graphs, len(split.originals), len(split)]
    [cells] = table(bench(tmp_path, "--metric rematch --tsv --seed 5"))
    assert float(cells["spearman"]) == row["spearman"]["test"]
    assert (cells["metric"], cells["split"], cells["published"]) == ("rematch", "test", "95.32")


def test_write_only(tmp_path: Path):
    text = bench(tmp_path, "--write pairs --preset tool")
    assert "signature" not in text and [line.split()[0] for line in text.splitlines()[-3:]] == list(SPLITS)
    assert len(load(tmp_path / "pairs").splits) == 3


def test_graphs_in_which_nothing_can_be_exchanged(tmp_path: Path):
    (tmp_path / "small.amr").write_text("(a / b)\n\n(c / d)\n", encoding="utf-8")
    assert ["smatch", "–"] in [line.split()[:2] for line in bench(tmp_path, "", "small.amr").splitlines()]


def test_a_folder_of_pairs(tmp_path: Path):
    made = json.loads(bench(tmp_path, "--seed 3 --write pairs --metric smatch --json"))
    loaded = json.loads(bench(tmp_path, "--json", "pairs"))
    assert loaded["rows"][0]["spearman"] == made["rows"][0]["spearman"]
    assert (loaded["corpus"], loaded["seed"]) == ("pairs", None)
    assert "RARE of pairs, pairs as they were" in bench(tmp_path, "--split dev", "pairs")
    for flags in ("--seed 0", "--preset tool", "--write pairs"):
        said = refused("bench", "rare", "pairs", *flags.split(), cwd=tmp_path)
        assert f"{flags.split()[0]} is about making pairs" in said
