"""WWLK-θ: updates as the formula has them, the best look kept, the same for the same seed; files and the verb."""

import json
import xml.etree.ElementTree as ElementTree
from importlib.util import find_spec

import numpy as np
import pytest

import fastmatch as fm
from fastmatch import OptionError, PairingError, ReadError
from fastmatch._ext.transport.labels import draw_weights, text_keys
from fastmatch.benchmarks.bamboo import TASKS, bamboo
from fastmatch.metrics import make
from fastmatch.metrics.shared.role_weights import read_weights, write_weights
from fastmatch.metrics.training.human_scores import counted, pearson, read_scores
from fastmatch.metrics.training.wwlk import train_wwlk

from support.command_line import fastmatch
from support.refusal import fails
from support.scored_texts import scored_texts

WORDS = ("cat", "dog", "boy", "girl", "see-01", "want-01", "go-02", "house")


def texts(count: int, seed: int) -> tuple[list[str], list[str]]:
    return scored_texts(count, seed, WORDS, 0.4)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], list[str], np.ndarray]:
    """40 pairs and the scores that a metric with other weights gives them."""
    hidden = tmp_path_factory.mktemp("hidden") / "hidden.tsv"
    write_weights(hidden, {":arg0": 0.9, ":arg1": -0.5, ":mod": 0.1, ":polarity": -0.8})
    pred, gold = texts(40, 1)
    return pred, gold, fm.score(pred, gold, metric="wwlk", weights=hidden, clip=False).pairs.score


def test_learning_what_can_be_learnt(data: tuple[list[str], list[str], np.ndarray]) -> None:
    found = train_wwlk(*data, rate=20, every=40, looks=10, edge_weights="constant")
    assert found.looks[0] == (0, found.before, pytest.approx(np.nan, nan_ok=True))
    assert [look.update for look in found.looks] == list(range(0, 401, 40))
    assert found.after == max(look.dev for look in found.looks) > found.before + 0.005
    assert set(found.weights) == {":arg0", ":arg1", ":mod", ":polarity"}
    again = train_wwlk(*data, rate=20, every=40, looks=10, edge_weights="constant")
    assert again.weights == found.weights and again.looks[1:] == found.looks[1:]
    assert train_wwlk(*data, rate=20, every=40, looks=10, edge_weights="constant", seed=1).weights != found.weights


def test_what_is_reported_is_what_the_weights_do(data, tmp_path):
    pred, gold = texts(20, 2)
    target = np.arange(20.0)
    found = train_wwlk(*data, dev=(pred, gold, target), rate=20, every=10, looks=4)
    path = tmp_path / "theta.tsv"
    found.save(path, ["a remark"])
    assert read_weights(path)[0] == found.weights and "# a remark" in path.read_text().splitlines()
    for weights, value in ((None, found.before), (path, found.after)):
        similarity = fm.score(pred, gold, metric="wwlk", weights=weights, clip=False).pairs.score
        assert pearson(similarity, target) == pytest.approx(value, abs=1e-9)


def test_a_test_set_is_scored_and_chooses_nothing(data, tmp_path):
    """With a role that no training pair has, which keeps its weight."""
    pred, gold = texts(20, 3)
    pred[0] = pred[0].replace(":mod", ":quant")
    target = np.arange(20.0)
    options = {"rate": 20, "every": 10, "looks": 4, "edges": "weights"}
    found = train_wwlk(*data, test=(pred, gold, target), **options)
    assert found.weights == train_wwlk(*data, **options).weights
    path = tmp_path / "theta.tsv"
    found.save(path)
    assert f"test set: {found.test[0]:.6f} before, {found.test[1]:.6f} after" in path.read_text()
    assert found.to_dict()["test"] == {"before": found.test[0], "after": found.test[1]}
    for weights, value in zip((None, path), found.test, strict=True):
        similarity = fm.score(pred, gold, metric="wwlk", weights=weights).pairs.score
        assert pearson(similarity, target) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("clip", [True, False])
def test_test_sets_of_bamboo_score_as_in_bamboo(data_dir, clip):
    """Rows that are no pairs count in neither, and scores below 0 are 0 in both if the metric says so."""
    folder = data_dir / "data" / "bamboo"
    # in draws without vectors few words are alike, so that many scores are clipped
    metric = make("wwlk", clip=clip, k=1)
    values = dict(zip(TASKS, bamboo(folder, [metric]).rows[0].values, strict=True))
    for name in ("sts", "sick"):
        test = (*(folder / name / "main" / f"{side}.test.amr" for side in ("tgt", "src")), folder / name / "test.y")
        found = train_wwlk(*test, test=test, metric=metric, looks=0).test
        assert 100 * found[0] == pytest.approx(values["main", name], abs=1e-9), name


def test_rows_that_are_no_pairs() -> None:
    """Known by the number of rows and the last sentence; 502 rows of other data all count."""

    def corpus(n: int, last: str) -> fm.Corpus:
        return fm.parse([*["(a / x)"] * (n - 1), f"# ::snt {last}\n(b / y)"])

    for n, first in ((1380, 0), (502, 1), (4929, 1), (1727, 1)):
        empty = corpus(n, "Empty line")
        assert counted(empty, empty).tolist() == list(range(first, n - 1))
        assert len(counted(empty, corpus(n, "A line"))) == n
    assert len(counted(corpus(501, "Empty line"), corpus(501, "Empty line"))) == 501
    assert len(counted(fm.parse([]), fm.parse([]))) == 0


def test_training_goes_on_from_a_file(data, tmp_path):
    path = tmp_path / "theta.tsv"
    first = train_wwlk(*data, rate=20, every=20, looks=3)
    first.save(path)
    again = train_wwlk(*data, rate=20, every=20, looks=3, metric=make("wwlk", weights=path), seed=1)
    assert again.before == pytest.approx(first.after, abs=1e-12) and again.after >= again.before


@pytest.mark.parametrize("direction", ["undirected", "2-way", "top-down"])
def test_one_update_is_the_formula(data, direction, tmp_path):
    """By hand, from scores that the metric gives with weights in files. One look: the update is kept if better."""
    pred, gold, target = data
    chosen = make("wwlk", direction=direction, edge_weights="uniform", seed=3)
    found = train_wwlk(pred, gold, target, metric=chosen, seed=5, every=1, looks=1, batch=12, rate=2.0)
    names = sorted(found.weights)
    rng = np.random.default_rng(5)
    index = rng.integers(0, len(pred), 12, dtype=np.int32)
    order = _order_of_appearance(pred, gold)
    signs = 2.0 * rng.integers(0, 2, (2 if direction == "2-way" else 1, 4)) - 1.0
    start = {name: float(draw_weights(text_keys([name.encode()]), 3, 1, 1)[0, 0]) for name in names}
    sign = {name: signs[int(name.endswith("-of")), order.index(name.removesuffix("-of"))] for name in names}
    losses = []
    for way in (1, -1):
        path = tmp_path / f"{way}.tsv"
        write_weights(path, {name: start[name] + way * 0.01 * sign[name] for name in names})
        chosen = make("wwlk", direction=direction, weights=path, seed=3, clip=False)
        pairs = fm.score([pred[k] for k in index], [gold[k] for k in index], metric=chosen).pairs
        losses.append(1 - np.corrcoef(pairs.score, target[index])[0, 1])
    texts = [side[k].lower() for side in (pred, gold) for k in index]
    uses = {name: sum(text.count(f"{name.removesuffix('-of')} ") for text in texts) for name in names}
    expected = {}
    for name in names:
        slope = (losses[0] - losses[1]) / (2 * 0.01 * sign[name]) * uses[name] / sum(uses.values())
        expected[name] = start[name] - 2.0 / 3**0.5 * np.clip(slope, -0.01, 0.01)
    assert found.best == 1 and found.weights == pytest.approx(expected, abs=1e-9)


def _order_of_appearance(pred: list[str], gold: list[str]) -> list[str]:
    """Roles are numbered by the ids of their folded forms, which are given as the texts are read."""
    both = fm.parse(pred)
    both += fm.parse(gold, vocabulary=both.vocabulary)
    roles = both.vocabulary.fold(1)[np.concatenate([both.attributes[1], both.relations[1]])]
    return [both.vocabulary.text(role) for role in np.unique(roles).tolist()]


def test_ctrl_c_keeps_the_best(data: tuple[list[str], list[str], np.ndarray]) -> None:
    def stop(done, total, look):
        assert total == 400
        if done >= 120:
            raise KeyboardInterrupt

    found = train_wwlk(*data, rate=20, every=40, looks=10, progress=stop)
    assert found.interrupted and found.updates == 120 and len(found.looks) == 4
    whole = train_wwlk(*data, rate=20, every=40, looks=3)
    assert whole.weights == found.weights and not whole.interrupted


def test_patience(data: tuple[list[str], list[str], np.ndarray]) -> None:
    """With scores that say nothing the development set sees no better for long."""
    pred, gold, _ = data
    noise = np.random.default_rng(0).random(len(pred))
    found = train_wwlk(*data, dev=(pred, gold, noise), every=5, looks=50, rate=30, patience=3)
    assert len(found.looks) - 1 - found.best == 3 or len(found.looks) == 51
    assert found.updates == found.looks[-1].update


def test_no_look_is_the_start(data: tuple[list[str], list[str], np.ndarray]) -> None:
    found = train_wwlk(*data, looks=0, edge_weights="constant")
    assert set(found.weights.values()) == {0.2} and found.updates == 0


def test_role_confusion_needs_no_scores(data: tuple[list[str], list[str], np.ndarray]) -> None:
    pred, gold, _ = data
    none = train_wwlk(pred, gold, every=2, looks=1)
    assert none.weights == train_wwlk(pred, gold, [0, 1] * 20, every=2, looks=1).weights


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        ((["(a / b)"] * 3, ["(a / b)"] * 2), {}, PairingError, "train: 3 predictions but 2 gold graphs"),
        ((["(a / b)"] * 3, ["(a / c)"] * 3, [1, 2]), {}, PairingError, "train: 2 scores for 3 pairs"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2, [1, np.nan]), {}, OptionError, "train: score 1 is not a finite number"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2, [1, -1e308]), {}, OptionError, "score 1 is -1e\\+308, expected 1e\\+100"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2, [1, 1]), {}, OptionError, "at least two pairs whose scores differ"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"batch": 1}, OptionError, "batch=1: expected a whole number, 2 or more"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"rate": 0}, OptionError, "rate=0: expected a positive number"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"patience": 0}, OptionError, "patience=0"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"stability": 2}, OptionError, "stability=2: weights are learnt for one"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"edges": "nodes"}, OptionError, "roles that are nodes have no weights"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"metric": make("smatch")}, OptionError, "only WWLK has weights"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2), {"metric": make("wwlk"), "k": 1}, OptionError, "metric is made already"),
        ((["(a / b)"] * 2, ["(a / c)"] * 2, "nowhere.y"), {}, OptionError, "cannot read nowhere.y"),
    ],
)  # fmt: skip
def test_wrong_arguments(arguments, options, error, message):
    fails(error, message, train_wwlk, *arguments, **options)


def test_files_of_scores(tmp_path):
    path = tmp_path / "scores.y"
    path.write_text("0.5\n1\n-2e1")
    assert read_scores(path).tolist() == [0.5, 1, -20]
    path.write_text("0.5\n1\n\n")
    assert read_scores(path).tolist() == [0.5, 1]
    path.write_text("0.5\nhigh\n1")
    fails(ReadError, r"scores\.y:2:1: expected a number, found 'high'", read_scores, path)


def test_the_verb(data, tmp_path):
    """Train, then score with what was learnt."""
    pred, gold, target = data
    (tmp_path / "a.amr").write_text("\n\n".join(pred))
    (tmp_path / "b.amr").write_text("\n\n".join(gold))
    (tmp_path / "y").write_text("\n".join(map(str, target)))
    words = ("cat", "dog", "boy", "girl", "see", "want", "go", "house")
    rows = np.random.default_rng(0).normal(size=(len(words), 4)).round(4).tolist()
    lines = (f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows, strict=True))
    (tmp_path / "vectors.txt").write_text("\n".join(lines))
    command = ["train", "wwlk", "a.amr", "b.amr", "y", "-o", "theta.tsv", "--embeddings", "vectors.txt", "--rate", "20"]
    command += ["--every", "20", "--looks", "3", "--wwlk-k", "1", "--seed", "4"]
    drawn = find_spec("matplotlib") is not None
    plot = ["--plot", "curve.svg"] if drawn else []
    done = fastmatch(*command, *plot, "--test", "a.amr", "b.amr", "y", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" and "  test set " in done.stdout and "theta.tsv: weights of 4 roles" in done.stdout
    if drawn:
        assert "development set" in "".join(ElementTree.parse(tmp_path / "curve.svg").getroot().itertext())
    record = json.loads(fastmatch(*command, "--json", "--dev", "a.amr", "b.amr", "-", cwd=tmp_path).stdout)
    assert record["looks"][0]["train"] is None
    assert set(record["weights"]) == set(read_weights(tmp_path / "theta.tsv")[0])
    how = ("--metric", "wwlk", "--embeddings", "vectors.txt", "--wwlk-k", "1", "--wwlk-weights", "theta.tsv", "--json")
    scored = fastmatch("score", "a.amr", "b.amr", *how, cwd=tmp_path)
    assert scored.returncode == 0, scored.stderr
    assert "|theta:" in json.loads(scored.stdout)["signature"]
