"""Every metric against what the published program printed, on inputs that come with these tests.

The inputs are the packaged sample (40 pairs) and ``tests/data/recorded/tricky-*.amr``: 28 pairs of one difficulty each.
The recorded numbers lie beside the latter, a file for each program, with its version, its command and the date. Neither
the programs nor any other data are needed, so these tests are skipped nowhere.

Not recorded: what is drawn at random (WWLK's default weights of roles), Rematch with its map of frames, Smatch++'s
aspects with its table of frames or with one alignment, AnCast on UMR, and the Python 2 original of ``enhanced``.
"""

import json

import numpy as np
import pytest

import fastmatch as fm

from support.places import DATA, SAMPLE

RECORDED = DATA / "recorded"
FOLDER = {"sample": SAMPLE, "tricky": RECORDED}
N_PAIRS = {"sample": 40, "tricky": 28}
#: How far two floats may be apart, relative to their size, that differ only by the order of operations: 4 units in the
#: last place. Counts are compared exactly.
DIGITS = 1e-15
HEADER = {"program", "version", "python", "command", "date", "notes", "results"}

both_sets = pytest.mark.parametrize("name", N_PAIRS)


def recorded(program: str):
    return json.loads((RECORDED / f"{program}.json").read_text(encoding="utf-8"))


def columns(program: str, name: str):
    return recorded(program)["results"][name]


def files(name):
    return FOLDER[name] / f"{name}-pred.amr", FOLDER[name] / f"{name}-gold.amr"


def corpora(name: str, dialect: str) -> tuple[fm.Corpus, fm.Corpus]:
    """Both sides as the program reads them. All programs read all of these graphs, and so must we."""
    pred, gold = (fm.read(path, dialect=dialect) for path in files(name))
    assert len(pred) == len(gold) == N_PAIRS[name]
    return pred, gold


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)
def test_the_header_says_how_it_was_made(path):
    record = recorded(path.stem)
    assert set(record) == HEADER and all(record[key] for key in HEADER) and set(record["results"]) <= {*N_PAIRS, "camr"}


@both_sets
def test_smatch(name: str) -> None:
    """The climber of smatch, with 50 random starts, reaches the optimum of each pair."""
    pairs = fm.score(*corpora(name, "smatch"), preset="smatch").pairs
    for column, expected in columns("smatch", name).items():
        assert getattr(pairs, column).tolist() == expected, column
    assert pairs.certified.all()


@both_sets
def test_sembleu(name: str) -> None:
    pair = corpora(name, "sembleu")
    for column, expected in columns("sembleu", name).items():
        options = {"k": int(column[1:]), "weights": "uniform"} if column[0] == "n" else {}
        direction = "gold-pred" if column == "default_swapped" else "pred-gold"
        result = fm.score(*pair, metric="sembleu", preset="tool", direction=direction, **options)
        found = result.score if column == "corpus" else result.pairs.score.tolist()
        assert found == pytest.approx(expected, rel=DIGITS, abs=0), column


@both_sets
def test_sema(name: str) -> None:
    pairs = fm.score(*corpora(name, "sema"), metric="sema", preset="tool").pairs
    for column, expected in columns("sema", name).items():
        assert getattr(pairs, column).tolist() == pytest.approx(expected, rel=DIGITS, abs=0), column


@both_sets
def test_rematch(name: str) -> None:
    pairs = fm.score(*corpora(name, "sema"), metric="rematch", preset="tool").pairs
    record = columns("rematch", name)
    assert pairs.shared.tolist() == record["shared"] and pairs.union.tolist() == record["union"]
    assert pairs.score.tolist() == [shared / union for shared, union in zip(*record.values(), strict=True)]


@both_sets
def test_wsmatch(name: str) -> None:
    """Counts of triples times their weights; whole numbers. The climber had 50 random starts."""
    record = columns("wsmatch", name)
    settings = {
        "weighted": {},
        "levels2": {"weighted": False, "levels": 2},
        "levels4": {"weighted": False, "levels": 4},
        "plain": {"weighted": False},
    }
    pair = corpora(name, "amrsuite")
    for setting, options in settings.items():
        pairs = fm.score(*pair, metric="wsmatch", preset="tool", **options).pairs
        for column in ("matched", "n_pred", "n_gold"):
            assert getattr(pairs, column).tolist() == record[f"{setting}_{column}"], (setting, column)


@both_sets
def test_wlk(name: str) -> None:
    """Where a score depends on Python's hash seed in the program, the record has null."""
    ways = {"both": "undirected", "fromout": "bottom-up", "fromin": "top-down"}
    pair = corpora(name, "wlk")
    for column, expected in columns("wlk", name).items():
        k, way = column[1:].split("_")
        found = fm.score(*pair, metric="wlk", preset="tool", k=int(k), direction=ways[way]).pairs.score.tolist()
        met = [ours for ours, theirs in zip(found, expected, strict=True) if theirs is not None]
        wanted = [theirs for theirs in expected if theirs is not None]
        assert met == pytest.approx(wanted, rel=0, abs=2e-15), column  # recorded with 15 decimals


@both_sets
def test_ancast(name: str) -> None:
    """All scores of each pair, and the labelled relation F1 of the sums, which the program prints for a file."""
    result = fm.score(*corpora(name, "ancast"), metric="ancast", preset="tool")
    record = columns("ancast", name)
    assert result.score == pytest.approx(record.pop("corpus"), rel=DIGITS, abs=0)
    for score, expected in record.items():
        assert result.pairs.scores[score].tolist() == pytest.approx(expected, rel=DIGITS, abs=0), score


@both_sets
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("none", {"preset": "none"}),
        ("generic", {"preset": "generic"}),
        ("amr", {"preset": "smatch++"}),
        ("amr", {"metric": "smatch++"}),
        ("amr-lossless", {"preset": "smatch++", "compress": True}),
    ],
    ids=str,
)
def test_smatchpp(kind, options, name):
    record = columns("smatchpp", name)
    pairs = fm.score(*corpora(name, "smatchpp"), **options).pairs
    for column in ("matched_pred", "matched_gold", "n_pred", "n_gold"):
        found = pairs.matched if "matched" in column else getattr(pairs, column)
        assert found.tolist() == record[f"{kind}_{column}"], column
    assert pairs.certified.all()


@both_sets
@pytest.mark.parametrize(
    ("setting", "options"),
    [
        ("default", {}),
        ("low", {"cutoff": 0.25, "diffsense": 0.75}),
        ("euclidean", {"similarity": "euclidean", "cutoff": 0.05}),
        ("cityblock", {"similarity": "cityblock", "cutoff": 0.001}),
    ],
    ids=str,
)
def test_s2match(setting, options, name):
    """With word vectors made for these tests. Our similarities are rounded to multiples of 2**-30, so sums are exact.

    A pair has at most one similarity a node, and one for its top.
    """
    record = columns("s2match", name)
    vectors = str(RECORDED / "vectors.txt")
    pairs = fm.score(*corpora(name, "amrsuite"), metric="s2match", preset="tool", embeddings=vectors, **options).pairs
    assert (np.abs(pairs.matched - record[f"{setting}_matched"]) <= pairs.n_pred * 2.0**-31).all()
    assert pairs.n_pred.tolist() == record["default_n_pred"] and pairs.n_gold.tolist() == record["default_n_gold"]
    assert any(matched % 0.25 for matched in record[f"{setting}_matched"])  # vectors matter


@both_sets
@pytest.mark.parametrize(
    ("program", "kind"),
    [("damonte", "damonte"), ("enhanced", "enhanced"), ("s2match-aspects", "s2match"), ("amrlib", "amrlib")],
)
def test_fine_grained_aspects(program: str, kind: str, name: str) -> None:
    """Every row, in whole counts (S2match: to 2**-31 a triple)."""
    vectors = {"embeddings": str(RECORDED / "vectors.txt")} if kind == "s2match" else {}
    found = fm.aspects(*files(name), kind=kind, preset=None if kind == "amrlib" else "tool", **vectors)
    record = columns(program, name)
    if kind == "s2match":
        record = {"S2match" if row == "Smatch" else row: counts for row, counts in record.items()}
    assert set(found) == set(record)
    for row, (matched, n_pred, n_gold) in record.items():
        assert (found[row].n_pred, found[row].n_gold) == (n_pred, n_gold), row
        assert abs(found[row].matched - matched) <= (n_pred * 2.0**-31 if kind == "s2match" else 0), row
        assert found[row].certified, row


@both_sets
def test_smatchpp_aspects(name: str) -> None:
    found = fm.aspects(*corpora(name, "smatchpp"), kind="smatch++", preset="tool", align="each")
    counts = {row: [score.matched, score.matched, score.n_pred, score.n_gold] for row, score in found.items()}
    assert counts == columns("smatchpp-aspects", name)


@both_sets
@pytest.mark.parametrize(
    ("setting", "options"),
    [
        ("ones", {"edge_weights": "ones"}),
        ("constant", {"edge_weights": "constant"}),
        ("precision", {"edge_weights": "constant", "variant": "precision"}),
        ("bottomup", {"edge_weights": "ones", "k": 1, "direction": "bottom-up"}),
        ("nodes", {"edge_weights": "ones", "edges": "nodes"}),
    ],
    ids=str,
)
def test_wwlk(setting, options, name):
    """To 5e-8, since the program computes with float32. Where it draws a vector at random, the record has null."""
    vectors = str(RECORDED / "vectors.txt")
    pairs = fm.score(*corpora(name, "smatchpp"), metric="wwlk", preset="tool", embeddings=vectors, **options).pairs
    expected = columns("wwlk", name)[setting]
    assert expected.count(None) == (name == "tricky")
    for ours, theirs in zip(pairs.score.tolist(), expected, strict=True):
        assert theirs is None or abs(ours - theirs) <= 5e-8


@both_sets
def test_mtool(name: str) -> None:
    """mtool's Smatch, read with ``--full``, is ours with the concept of the top.

    It reads ``"New York"`` as ``New``, so that one more triple of pair 9 matches there.
    """
    pairs = fm.score(*corpora(name, "penman"), top="concept").pairs
    record = columns("mtool", name)
    ours = list(zip(pairs.matched.tolist(), pairs.n_pred.tolist(), pairs.n_gold.tolist(), strict=True))
    theirs = list(zip(record["matched"], record["n_pred"], record["n_gold"], strict=True))
    differ = {k: (mine, other) for k, (mine, other) in enumerate(zip(ours, theirs, strict=True)) if mine != other}
    assert differ == ({9: ((6, 7, 8), (7, 7, 8))} if name == "tricky" else {})


def camr(side: str) -> fm.Corpus:
    return fm.read(RECORDED / f"camr-{side}.txt", dialect="camr-tuples")


@pytest.mark.filterwarnings("ignore::fastmatch.ReadWarning")
@pytest.mark.parametrize("triples", ["all", "instance", "attribute", "relation"])
def test_align_smatch(triples: str) -> None:
    """Precision and recall of each pair, which exceed 1 where rows are repeated. The climber had 200 starts."""
    options = {"preset": "tool", "lengths": str(RECORDED / "camr-lengths.txt"), "triples": triples}
    pairs = fm.score(camr("pred"), camr("gold"), metric="align-smatch", solver="exact", **options).pairs
    record = columns("align-smatch", "camr")[triples]
    assert pairs.certified.all() and len(pairs) == 16
    for name, expected in record.items():
        found = pairs.scores[name].tolist()
        assert found == pytest.approx(expected, rel=0, abs=1e-15), name  # recorded with 15 decimals
    assert (max(record["precision"]) > 1) == (triples in ("all", "relation"))


def test_camr_texts_are_read_as_the_converter_writes_them() -> None:
    """The rows that it makes of these texts are the first graphs of the gold file."""
    texts, rows = fm.read(RECORDED / "camr-text.txt", dialect="camr"), camr("gold")[:12]
    assert len(texts) == 12
    for text, row in zip(texts, rows, strict=True):
        assert text.top == row.top and text.instances == row.instances
        assert sorted(text.triples) == sorted(row.triples)  # type: ignore[type-var]
