"""Soft overlap, trained: slopes, the best look, files, the verb."""

import json
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pytest

import fastmatch as fm
from fastmatch.benchmarks.bamboo import bamboo_pairs
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.shared.overlap_parameters import UNTRAINED, Parameters, read_parameters, write_parameters
from fastmatch.metrics.softoverlap import SoftOverlap
from fastmatch.metrics.training.overlap_loss import TRAINED, Problem, agreed, logit, loss_of, sigmoid
from fastmatch.metrics.training.softoverlap import HELD, train_softoverlap

from support.child import printed
from support.command_line import fastmatch
from support.refusal import fails
from support.scored_texts import scored_texts

WORDS = ("cat", "dog", "boy", "girl", "see-01", "want-01", "go-02", "house", "7", "12")
RANDOM = np.random.default_rng(3)
VECTORS = Embeddings.from_arrays(
    [word.split("-")[0] for word in WORDS], RANDOM.normal(size=(len(WORDS), 10)) + 0.5 * RANDOM.normal(size=10)
)


#: A metric with which another one should agree: polarity matters, ``:mod`` does not.
OTHER = Parameters(incoming={":polarity": 2.0, ":mod": -2.0}, larger=2.0, map=0.5 * RANDOM.normal(size=(10, 10)))
HIDDEN = SoftOverlap(embeddings=VECTORS, parameters=OTHER, smatch=0.0)
START = SoftOverlap(embeddings=VECTORS, smatch=0.0)


def scored(count: int, seed: int) -> tuple[list[str], list[str], np.ndarray]:
    pred, gold = scored_texts(count, seed, WORDS, 0.5)
    return pred, gold, fm.score(pred, gold, metric=HIDDEN).pairs.score


def role_confusion(count: int, seed: int) -> tuple[list[str], list[str], None]:
    """Foils (another polarity) and paraphrases (another modifier) in turn."""
    pred, gold = [], []
    for text in scored_texts(count, seed, WORDS, 0.5)[0]:
        plain = text.replace(" :polarity -", "")
        pred += [plain[:-1] + " :polarity -)", plain[:-1] + " :mod (z / small))"]
        gold += [plain, plain]
    return pred, gold, None


def test_slopes_are_those_of_differences():
    """Of the whole loss, by each kind of number, away from the start, where nothing is equal by design."""
    problem = Problem(SoftOverlap(embeddings=VECTORS, smatch=0.1), [scored(40, 1), role_confusion(10, 2)], [], [])
    rng = np.random.default_rng(0)
    x = problem.start() + 0.1 * rng.normal(size=problem.layout.size)
    slopes = problem.slopes(x)[1]
    for name, stretch in list(vars(problem.layout).items())[:-1]:
        way = np.zeros(len(x))
        way[stretch] = rng.normal(size=stretch.stop - stretch.start)
        step = 1e-3 if name == "map" else 1e-6
        ahead, behind = (problem.slopes(x + sign * step * way)[0] for sign in (1, -1))
        expected = (ahead - behind) / (2 * step)
        assert slopes @ way == pytest.approx(expected, rel=3e-2 if name == "map" else 1e-3), name
        assert abs(expected) > 1e-6


def test_losses():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=20), rng.normal(size=20)
    assert loss_of(x, y)[0] == pytest.approx(-np.corrcoef(x, y)[0, 1]) and loss_of(np.zeros(20), y)[0] == 0
    # where a paraphrase is far above its foil there is nothing to learn
    assert loss_of(np.array([0.0, 1.0, 0.2, 0.9]), None)[0] < 1e-9
    assert loss_of(np.array([1.0, 0.0]), None)[0] == pytest.approx(50)


def test_learning_what_can_be_learnt():
    train, dev = [scored(80, 1), role_confusion(20, 2)], [scored(60, 3), role_confusion(20, 4)]
    calls = []
    how = {"names": ["scores", "roles"], "metric": START, "steps": 20, "map_steps": 20}
    found = train_softoverlap(train, dev, **how, progress=lambda *call: calls.append(call))
    assert [look.update for look in found.looks] == list(range(0, 41, 5))
    assert found.after == max(look.dev for look in found.looks) > found.before + 0.02
    assert found.after == pytest.approx(np.mean([after for _, after in found.sets.values()]))
    assert calls[-1] == (40, 40, found.looks[-1]) and found.parameters.vectors == VECTORS.fingerprint
    assert found.parameters.incoming[":polarity"] > found.parameters.incoming[":mod"]
    # nothing is random
    again = train_softoverlap(train, dev, **how)
    assert (again.looks, again.parameters.digest) == (found.looks, found.parameters.digest)
    assert len(found.to_pandas() if find_spec("pandas") else found.looks) == 9


def test_what_is_reported_is_what_the_parameters_do(tmp_path):
    train, dev = [scored(40, 1)], [scored(30, 5), role_confusion(10, 6)]
    metric = SoftOverlap(embeddings=VECTORS, smatch=0.1)
    found = train_softoverlap(train, dev, names=["scores", "roles"], metric=metric, steps=10, map_steps=10, every=5)
    path = tmp_path / "parameters.tsv"
    found.save(path, ["a remark"])
    assert read_parameters(path).digest == found.parameters.digest and "# a remark" in path.read_text().splitlines()
    for place, parameters in enumerate((None, path)):
        used = replace(metric, parameters=parameters)
        scores = [fm.score(pred, gold, metric=used).pairs.score for pred, gold, _ in dev]
        values = [np.corrcoef(scores[0], dev[0][2])[0, 1], (scores[1][1::2] > scores[1][::2]).mean()]
        assert values == pytest.approx([value[place] for value in found.sets.values()], abs=1e-4)
    # training goes on from where a file left off
    more = train_softoverlap(train, dev, metric=replace(metric, parameters=path), steps=0, map_steps=0)
    assert more.before == pytest.approx(found.after, abs=1e-4) and more.updates == 0


def test_a_share_of_what_is_learnt():
    """Half way from where training begins; what is reported is what the result does."""
    train, dev = [scored(40, 1)], [scored(30, 5)]
    how = {"metric": START, "steps": 10, "map_steps": 0, "every": 10}
    whole, half = (train_softoverlap(train, dev, **how, share=share) for share in (1, 0.5))
    assert (whole.best, half.best) == (1, 1)
    assert half.looks[1].train == whole.looks[1].train  # the way is the same
    one, two = whole.parameters, half.parameters
    assert two.rank == pytest.approx((UNTRAINED.rank + one.rank) / 2, abs=1e-5)
    assert 0 < two.incoming[":polarity"] == pytest.approx(one.incoming[":polarity"] / 2, abs=1e-5)
    assert two.single == pytest.approx(sigmoid(logit(np.array([one.single]))[0] / 2), abs=1e-5)
    scores = fm.score(*dev[0][:2], metric=replace(START, parameters=two)).pairs.score
    assert half.after == pytest.approx(np.corrcoef(scores, dev[0][2])[0, 1], abs=1e-4) != pytest.approx(whole.after)


def test_what_is_fixed_stays():
    kept = ("rank", "power", "edges", "scales", "map")
    train = [scored(40, 1), role_confusion(10, 2)]
    found = train_softoverlap(train, metric=START, steps=5, map_steps=5, every=5, fixed=kept)
    assert (found.updates, found.best) == (5, 1)  # without the map there is no second stage
    now = found.parameters
    assert (now.rank, now.power, now.map) == (UNTRAINED.rank, UNTRAINED.power, None) and not any(now.edges.values())
    assert now.scales == pytest.approx(UNTRAINED.scales, abs=1e-5) and now.depth != UNTRAINED.depth
    assert any(now.incoming.values())
    # every number has a name
    problem = Problem(START, train, [], [])
    assert problem.moving(()).all() and not problem.moving(TRAINED).any()
    assert [(problem.moving([name]) == 0).sum() for name in ("depth", "warp", "map")] == [1, 10, 100]


def test_for_other_sentences_numbers_are_held():
    """``transfer`` is a fixed set of names, an agreement, a start, and a mean over sets left out."""
    train = [scored(40, 1), scored(30, 2), role_confusion(10, 3)]
    how = {"steps": 5, "map_steps": 5, "every": 5}
    found = train_softoverlap(train, metric=START, transfer=True, fixed=["edges"], **how).parameters
    started = replace(UNTRAINED, single=0.9, between=0.5)
    for name in set(HELD) - {"warp"}:
        assert getattr(found, name) == pytest.approx(getattr(started, name), abs=1e-3), name
    assert found.warp == pytest.approx(UNTRAINED.warp) and not any(found.edges.values())
    assert any(found.incoming.values())
    # of three sets it is the mean of what is learnt without each of them; of two they are learnt from together
    by_hand = {"metric": replace(START, parameters=started), "fixed": [*HELD, "edges"], "agreement": 0.8, **how}
    without = [train_softoverlap(train[:left] + train[left + 1 :], **by_hand).parameters for left in range(3)]
    for role, mass in found.incoming.items():
        assert mass == pytest.approx(np.mean([each.incoming[role] for each in without]), abs=2e-6)
    of_two = train_softoverlap(train, metric=START, transfer=True, fixed=["edges"], blocs=["a", "a/part", "b"], **how)
    assert of_two.parameters.incoming == train_softoverlap(train, **by_hand).parameters.incoming
    # what is given is kept: another agreement, and a start of one's own
    free = train_softoverlap(train, metric=START, transfer=True, agreement=0, **how).parameters
    assert free.incoming != found.incoming
    own = replace(UNTRAINED, single=0.2)
    kept = train_softoverlap(train, metric=replace(START, parameters=own), transfer=True, **how).parameters
    assert kept.single == pytest.approx(0.2, abs=1e-3)


def test_slopes_that_sets_agree_on():
    slopes = np.array([[1.0, 1, 1, 1, 0], [1, 1, -1, -1, 0], [1, 1, -1, 0, 0], [1, 1, 0, 0, 0], [1, -3, 0, 0, 0]])
    assert agreed(slopes, 0.8).tolist() == [5, 1, 0, 0, 0] and agreed(slopes, 0.81).tolist() == [5, 0, 0, 0, 0]
    assert agreed(slopes, 0.5).tolist() == [5, 1, -1, 0, 0]
    # four of five is a share of 0.8, whatever the rounding
    assert agreed(np.array([[-1.0]] * 4 + [[2.0]]), 4 / 5).tolist() == [-2]


def test_learning_what_sets_agree_on():
    pred, gold, scores = scored(40, 1)
    against = [(pred, gold, scores), (pred, gold, -scores)]
    how = {"metric": START, "steps": 5, "map_steps": 0, "every": 5}
    found = train_softoverlap(against, [scored(30, 5)], agreement=1, **how)
    start = Problem(START, against, [], [])
    assert not start.slopes(start.begin(), [[0], [1]], 1.0)[1].any()
    assert (found.parameters.rank, found.parameters.warp.tolist()) == (2.5, UNTRAINED.warp.tolist())
    # sets of one name are one set, and one set agrees with itself
    train = [scored(40, 1), scored(30, 2), role_confusion(10, 3)]
    plain = train_softoverlap(train, **how)
    one = train_softoverlap(train, agreement=1, blocs=["a", "a", "a"], **how)
    assert (one.looks, one.parameters.digest) == (plain.looks, plain.parameters.digest)
    # the values of sets stand in their order, not in that of blocs
    problem = Problem(START, train, [], [])
    loss, slopes, values = problem.slopes(problem.begin())
    other_loss, other_slopes, other_values = problem.slopes(problem.begin(), [[0, 2], [1]])
    assert other_values == values
    assert other_loss == pytest.approx(loss) and other_slopes == pytest.approx(slopes, rel=1e-6, abs=1e-9)


def test_what_no_look_betters_is_what_was_given():
    train = [scored(20, 1)]
    dev = [(*train[0][:2], -train[0][2])]
    for parameters in (None, Parameters(rank=1.5, single=0.25)):
        metric = replace(START, parameters=parameters)
        found = train_softoverlap(train, dev, metric=metric, steps=2, map_steps=0, every=1)
        expected = parameters or UNTRAINED
        assert found.best == 0 and (found.parameters.rank, found.parameters.single) == (expected.rank, expected.single)


def test_without_vectors_without_development_set():
    found = train_softoverlap([scored(30, 1)], steps=5, map_steps=50, every=5)
    assert found.updates == 5 and found.parameters.map is None and found.parameters.vectors is None
    assert list(found.sets) == ["train 1"]


def test_patience_and_interruption():
    train = [scored(20, 1)]
    dev = [(*train[0][:2], -train[0][2])]  # what is learnt is wrong
    found = train_softoverlap(train, dev, metric=START, steps=50, map_steps=50, every=1, patience=3)
    assert found.updates == 6 and found.best == 0

    def stop(done, total, look):
        if done == 7:
            raise KeyboardInterrupt

    found = train_softoverlap(train, metric=START, steps=20, map_steps=0, every=5, progress=stop)
    assert found.interrupted and found.updates == 7 and found.best == 1


def test_graphs_without_edges():
    pairs = ["(a / cat)", "(b / dog)"], ["(a / dog)", "(b / dog)"], [1.0, 2.0]
    found = train_softoverlap([pairs], metric=START, steps=2)
    assert found.updates == 52 and found.parameters.edges == {}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("rate", [30.0, 1e308])
def test_however_large_the_rate_numbers_stay_what_a_file_may_hold(rate, tmp_path):
    train = [scored(20, 1), role_confusion(5, 2)]
    found = train_softoverlap(train, metric=START, steps=6, map_steps=6, rate=rate, every=1)
    assert all(np.isfinite([look.dev, look.train]).all() for look in found.looks)
    # what was kept, and numbers at the ends of their ranges
    problem = Problem(START, train, [], [])
    far = problem.bounds(problem.begin())
    for parameters in (found.parameters, problem.parameters(far), problem.parameters(-far)):
        write_parameters(tmp_path / "parameters.tsv", parameters)
        back = read_parameters(tmp_path / "parameters.tsv")
        scores = fm.score(*train[0][:2], metric=replace(START, parameters=back)).pairs.score
        assert ((scores >= 0) & (scores <= 1)).all()


@pytest.mark.slow
def test_the_number_of_threads_of_blas_changes_no_bit():
    """Sums over so many nodes are divided among threads by BLAS; the slopes are printed as they are."""
    script = """
import numpy as np
from unit.metrics.training.test_train_softoverlap import START, scored_texts, WORDS
from fastmatch.metrics.training.overlap_loss import Problem
pred, gold = scored_texts(1500, 1, WORDS, 0.5)
problem = Problem(START, [(pred, gold, np.arange(1500.0) % 7)], [], [])
assert len(problem.node_masses) > 10_000
print(problem.slopes(problem.begin())[1].tobytes().hex())
"""
    assert len({printed("-c", script, OPENBLAS_NUM_THREADS=threads) for threads in ("1", "2")}) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": -1}, "steps=-1"),
        ({"every": 0}, "every=0"),
        ({"rate": 0}, "rate=0"),
        ({"rate": True}, "rate=True"),
        ({"patience": 0}, "patience=0"),
        ({"share": 0}, "share=0"),
        ({"share": 1.5}, r"share=1\.5"),
        ({"share": True}, "share=True"),
        ({"agreement": 1.5}, r"agreement=1\.5"),
        ({"agreement": True}, "agreement=True"),
        ({"fixed": "rank"}, r"fixed='rank': expected several names"),
        ({"fixed": ["rang"]}, "fixed='rang'.*rank"),
        ({"blocs": ["a", "b"]}, "2 names for 1 training sets"),
        ({"train": []}, "at least one set"),
        ({"names": ["a"]}, "1 names for 0"),
        ({"metric": START, "embeddings": VECTORS}, "made already"),
        ({"metric": SoftOverlap(structure=0.5)}, "structure: parameters are learnt without it"),
        ({"metric": SoftOverlap(means=0.5)}, "means: parameters are learnt without it"),
        ({"train": [(["(a / b)"] * 2, ["(a / b)"] * 2, [1.0, 1.0])]}, "whose scores differ"),
        ({"train": [(["(a / b)"] * 2, ["(a / b)"] * 2, [1.0, np.nan])]}, "score 1 is not a finite"),
        ({"train": [(["(a / b)"] * 2, ["(a / b)"] * 2, [1e-200, 2e-200])]}, "whose scores differ"),
        ({"train": [(["(a / b)"] * 2, ["(a / b)"] * 2, ["1,5", "2"])]}, "train 1: expected a number for each pair"),
        ({"train": [(["(a / b)"] * 2, ["(a / b)"] * 2, [1j, 2])]}, "train 1: expected a number for each pair"),
        ({"train": scored(5, 1)}, r"train 1: expected \(pred, gold, scores\), found 5 values"),
        ({"dev": {"a": scored(5, 1)}, "names": ["a"]}, r"a: expected \(pred, gold, scores\), found str"),
    ],
)
def test_wrong_options(change, message):
    fails(fm.OptionError, message, train_softoverlap, **{"train": [scored(5, 1)], **change})


def test_a_file_of_scores_that_do_not_differ_is_named(tmp_path):
    (tmp_path / "flat").write_text("3\n3\n", encoding="utf-8")
    with pytest.raises(fm.OptionError, match="flat: expected at least two pairs whose scores differ"):
        train_softoverlap([(["(a / b)"] * 2, ["(a / b)"] * 2, tmp_path / "flat")])


def test_pairs_that_do_not_fit():
    one = ["(a / b)", "(c / d)"]
    fails(fm.PairingError, "2 predictions but 1", train_softoverlap, [(one, one[:1], [1, 2])])
    fails(fm.PairingError, "1 scores for 2 pairs", train_softoverlap, [(one, one, [1.0])])
    fails(fm.PairingError, "foils and paraphrases", train_softoverlap, [(one[:1], one[:1], None)])
    dev = [scored(5, 1), scored(5, 2)]
    fails(fm.OptionError, "a name of its own", train_softoverlap, [scored(5, 1)], dev, names=["a", "a"])


# ---------------------------------------------------------------- BAMBOO and the verb


@pytest.fixture
def folder(tmp_path):
    """BAMBOO's folders, with pairs of our own."""
    for number, (split, count) in enumerate((("train", 30), ("dev", 20))):
        for variant in ("main", "role_confusion"):
            place = tmp_path / "bamboo" / "sts" / variant
            place.mkdir(parents=True, exist_ok=True)
            pred, gold, scores = (scored if variant == "main" else role_confusion)(count, number)
            (place / f"tgt.{split}.amr").write_text("\n\n".join(pred))
            (place / f"src.{split}.amr").write_text("\n\n".join(gold))
            if scores is not None:
                (tmp_path / "bamboo" / "sts" / f"{split}.y").write_text("\n".join(map(str, scores)))
    rows = zip(VECTORS.words, VECTORS.vectors.tolist(), strict=True)
    (tmp_path / "vectors.txt").write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows))
    return tmp_path


def test_pairs_of_bamboo(folder):
    found = bamboo_pairs(folder / "bamboo", "dev")
    assert list(found) == ["main/sts", "role_confusion/sts"]
    assert len(found["main/sts"][0]) == len(found["main/sts"][2]) == 20 and found["role_confusion/sts"][2] is None
    assert list(bamboo_pairs(folder / "bamboo", "train", variants=["main"])) == ["main/sts"]
    fails(fm.OptionError, "expected BAMBOO's data", bamboo_pairs, folder / "bamboo", "train", leave_out=["sts"])
    fails(fm.OptionError, "variants='man'", bamboo_pairs, folder / "bamboo", "train", variants=["man"])
    fails(fm.OptionError, "split='tests'", bamboo_pairs, folder / "bamboo", "tests")
    (folder / "bamboo" / "sts" / "dev.y").write_text("1\n2\n")
    fails(fm.PairingError, "2 ratings of 20 pairs", bamboo_pairs, folder / "bamboo", "dev")


def test_genres_of_sts(folder):
    table = folder / "bamboo" / "sts" / "orig.train.txt"
    with pytest.raises(fm.OptionError, match=r"cannot read .*orig\.train\.txt: .* \(it says of what genre"):
        bamboo_pairs(folder / "bamboo", "train", genres=True)
    table.write_text("".join(f"{kind}\tx\ty\n" for kind in ["main-captions", "main-forum", "main-forums"] * 10))
    found = bamboo_pairs(folder / "bamboo", "train", genres=True)
    assert list(found) == ["main/sts", "main/sts/captions", "main/sts/forums", "role_confusion/sts"]
    assert found["main/sts/captions"][2].tolist() == found["main/sts"][2][::3].tolist()
    assert [len(found[f"main/sts/{kind}"][0]) for kind in ("captions", "forums")] == [10, 20]
    command("bamboo", "-o", "out.tsv", "--steps", "2", "--genres", "--agreement", "0.6", "--fixed", "rank", cwd=folder)
    assert read_parameters(folder / "out.tsv").rank == UNTRAINED.rank
    table.write_text("main-captions\tx\n")
    fails(fm.PairingError, "1 lines for 30 pairs", bamboo_pairs, folder / "bamboo", "train", genres=True)


def command(*arguments: str, cwd, status: int = 0) -> str:
    """What the verb prints, or says is wrong."""
    done = fastmatch("train", "softoverlap", *arguments, cwd=cwd)
    assert done.returncode == status and (status or not done.stderr), done.stderr
    return done.stderr or done.stdout


def test_the_verb(folder):
    vectors = ("--embeddings", "vectors.txt")
    how = ("--steps", "10", "--map-steps", "10", "--every", "5")
    plot = ("--plot", "curve.svg") if find_spec("matplotlib") else ()
    told = command("bamboo", "-o", "out.tsv", *how, *vectors, *plot, cwd=folder)
    assert "20 steps; best after" in told and "main/sts " in told and "out.tsv: parameters " in told
    parameters = read_parameters(folder / "out.tsv")
    assert parameters.map is not None
    assert "# made by: fastmatch train softoverlap bamboo -o out.tsv" in (folder / "out.tsv").read_text()
    assert not plot or "training of soft overlap" in (folder / "curve.svg").read_text()
    files = ("bamboo/sts/main/tgt.dev.amr", "bamboo/sts/main/src.dev.amr")
    metric = ("--metric", "softoverlap", "--preset", "bamboo", "--softoverlap-parameters", "out.tsv", *vectors)
    used = fastmatch("score", *files, *metric, cwd=folder)
    assert used.returncode == 0 and f"par:{parameters.digest}" in used.stdout


def test_the_verb_with_pairs_of_ones_own(folder):
    own = ("--train", "bamboo/sts/main/tgt.train.amr", "bamboo/sts/main/src.train.amr", "bamboo/sts/train.y")
    roles = ("bamboo/sts/role_confusion/tgt.dev.amr", "bamboo/sts/role_confusion/src.dev.amr", "-")
    more = ("--train", *roles, "--dev", *roles, "--json")
    found = json.loads(command(*own, *more, "-o", "out.tsv", "--steps", "5", cwd=folder))
    assert list(found["sets"]) == ["dev 1"] and found["updates"] == 5
    assert read_parameters(folder / "out.tsv").digest == found["parameters"]
    command(*own, "-o", "other.tsv", "--steps", "5", "--every", "5", "--transfer", "--quiet", cwd=folder)
    held = read_parameters(folder / "other.tsv")
    assert (held.rank, round(held.single, 3)) == (UNTRAINED.rank, 0.9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "nothing to train on"),
        ("--train a b c --genres", "--genres"),
        ("bamboo --transfer", "cannot read bamboo/sts/orig.train.txt"),
        ("bamboo --agreement 2", "--agreement 2"),
        ("bamboo --embeddings nowhere.txt", "cannot read nowhere.txt"),
        ("bamboo --softoverlap-parameters vectors.txt", "vectors.txt:1:1: expected"),
        ("bamboo --plot curve.txt", "curve.txt"),
    ],
)
def test_the_verb_says_what_is_wrong(folder, arguments, message):
    said = command(*arguments.split(), "-o", "out.tsv", cwd=folder, status=2)
    assert message in said and len(said.splitlines()) == 1 and not (folder / "out.tsv").exists()
