"""Preset ``tool`` against the package ancast 0.1.1: recorded scores of three corpora, and generated graphs.

The recorded tables hold the package's full-precision numbers for ``--data-format amr --scope snt``. The generated
graphs are what the package's reader and its slips react to: repeated variables, references to variables that come later
or never, inverse roles of all kinds, roles at the end of a line, values it does not know.
"""

import contextlib
import io
import random

import numpy as np
import pytest

import fastmatch as fm

from support.nightly import NIGHT
from support.recorded import SETS, cells_of, corpora

pytestmark = pytest.mark.slow

NAMES = ("concept_f", "lr_f", "ulr_f", "wlr_f", "mock_smatch_f")

CONCEPTS = ("cat", "dog", "want-01", "want-02", "Cat", "cats", "covid-19-01", "name", "a-b", "Über", "i", "see-001")
ROLES = (
    "ARG0", "ARG1", "ARG0-of", "mod", "domain", "mod-of", "op1", "OP1", "arg0", "consist-of", "op1-of", "ARG0-OF",
)  # fmt: skip
ATTRIBUTES = ("quant", "polarity", "op1", "op2", "OP1", "mod", "mode", "opposite")
VALUES = ("-", "5", '"5"', '"Kim"', '"New York"', "imperative", "interrogative", "1,000", "3.5", '"b"', "1:30")


@pytest.mark.parametrize("name", SETS)
def test_recorded_scores(data_dir, name):
    header, *rows = cells_of(data_dir / "reference" / "ancast" / f"{name}.tsv")
    expected = np.array([[float(row[header.index(score)]) for score in NAMES] for row in rows])
    result = fm.score(*corpora(data_dir, name, "ancast"), metric="ancast", preset="tool")
    found = np.stack([result.pairs.scores[score] for score in NAMES], axis=1)
    assert len(expected) == SETS[name][2]
    assert np.abs(found - expected).max() < 1e-9  # recorded with ten decimals


@pytest.mark.parametrize(("name", "f"), [("lpp-parsers", 0.619311338), ("sts-main-test", 0.4226189814)])
def test_recorded_micro(data_dir, name, f):
    """What the package prints for a file: labelled relation F1 of the sums."""
    pred, gold = (fm.read(data_dir / path, dialect="ancast") for path in SETS[name][:2])
    assert fm.score(pred, gold, metric="ancast", preset="tool").score == pytest.approx(f, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "f"),
    [
        ({"anchors": "alignment"}, 61.95),  # AMRs have none, so that there are no anchors
        ({"hops": "apart"}, 61.83),
        ({"neighbours": 0}, 61.55),
        ({"neighbours": 2}, 61.64),
        ({"sense": 0.5}, 61.16),
    ],
)
def test_recorded_micro_by_option(data_dir, options, f):
    """The same of the LPP for the package's options, recorded with two decimals."""
    pred, gold = (fm.read(data_dir / path, dialect="ancast") for path in SETS["lpp-parsers"][:2])
    assert round(100 * fm.score(pred, gold, metric="ancast", preset="tool", **options).score, 2) == f


def graph(random_: random.Random, size: int) -> tuple[str, str]:
    """Text of a graph, and a sentence."""
    n = random_.randint(1, size)
    names = [random_.choice("abcx") + (str(k) if k else "") for k in range(n)]
    concepts = [random_.choice(CONCEPTS) for _ in range(n)]
    children: list[list[int]] = [[] for _ in range(n)]
    for k in range(1, n):
        children[random_.randrange(k)].append(k)
    repeats = random_.random() < 0.08

    def space() -> str:
        return random_.choice((" ", "  ", "\n   ", "\t ")) if random_.random() < 0.3 else " "

    def node(k: int) -> str:
        name = random_.choice(names) if repeats and k and random_.random() < 0.4 else names[k]
        parts = [
            f":{random_.choice(ROLES)}{' ' if random_.random() < 0.95 else chr(10) + '  '}{node(child)}"
            for child in children[k]
        ]
        parts += [
            f":{random_.choice(ATTRIBUTES)} {random_.choice(VALUES)}" for _ in range(random_.choice((0, 0, 1, 2)))
        ]
        if random_.random() < 0.2:
            parts.append(f":{random_.choice(ROLES)} {random_.choice(names)}")
        random_.shuffle(parts)
        return "".join([f"({name} / {concepts[k]}", *(space() + part for part in parts), ")"])

    text = node(0)
    if random_.random() < 0.05:
        at = random_.randrange(len(text))
        text = text[:at] + random_.choice('():" x/\n') + text[at + random_.randint(0, 1) :]
    return text, " ".join(random_.sample(concepts, (n + 1) // 2)).replace("-01", "")


def edited(random_: random.Random, text: str) -> str:
    for _ in range(random_.randint(0, 3)):
        text = text.replace(f"/ {random_.choice(CONCEPTS)}", f"/ {random_.choice(CONCEPTS)}", 1)
        text = text.replace(f":{random_.choice(ROLES)} ", f":{random_.choice(ROLES)} ", 1)
    return text


#: what the package calls its options, their values, and ours
OPTIONS = [
    ({"Cneighbor": 0}, {"neighbours": 0}),
    ({"Cneighbor": 2}, {"neighbours": 2}),
    ({"Cneighbor": 0.7}, {"neighbours": 0.7}),
    ({"separate_1_and_2": True}, {"hops": "apart"}),
    ({"separate_1_and_2": True, "Cneighbor": 3}, {"hops": "apart", "neighbours": 3}),
    ({"use_alignment": True}, {"anchors": "alignment"}),
    (
        {"use_alignment": True, "Cneighbor": 2, "separate_1_and_2": True},
        {"anchors": "alignment", "neighbours": 2, "hops": "apart"},
    ),
    ({"sense_coefficient": 0.5, "use_smatch_top": False}, {"sense": 0.5, "top": "none"}),
]


@pytest.mark.parametrize(
    ("seed", "size", "count", "their_options", "options"),
    [
        *[(seed, size, count, {}, {}) for seed, size, count in ((1, 5, 500), (2, 10, 300), (3, 25, 100))],
        *[(4 + seed, 12, 100, *pair) for seed, pair in enumerate(OPTIONS)],
    ],
)
def test_generated_graphs(seed, size, count, their_options, options):
    matches = pytest.importorskip("ancast.matches", reason="needs the package ancast")
    from ancast.sentence import Sentence

    random_ = random.Random(seed)
    compared = refused = 0
    count = count if NIGHT else max(count // 4, 50)
    for _ in range(count):
        pred, pred_sentence = graph(random_, size)
        if random_.random() < 0.5:
            gold, gold_sentence = graph(random_, size)
        else:
            gold, gold_sentence = edited(random_, pred), pred_sentence
        if "\n\n" in pred + gold:
            continue
        spans = {}
        if "anchors" in options:
            spans = {
                name + str(k or ""): f"{(first := random_.randrange(30))}-{first + random_.randrange(2)}"
                for name in "abcx"
                for k in range(12)
            }
        with contextlib.redirect_stdout(io.StringIO()):
            sides = [
                Sentence(sent=sentence, semantic_text=text, alignment=dict(spans), sent_num=0, format="amr")
                for text, sentence in ((pred, pred_sentence), (gold, gold_sentence))
            ]
        aligned = "".join(f" {variable}: {span}" for variable, span in spans.items())
        comment = f"# ::alignment{aligned}\n" if spans else ""
        texts = [f"# ::snt {pred_sentence}\n{comment}{pred}", f"# ::snt {gold_sentence}\n{comment}{gold}"]
        for side, text in zip(sides, texts, strict=True):
            if side.invalid:
                refused += 1
                with pytest.raises(fm.ReadError):
                    fm.parse([text], dialect="ancast")
        if sides[0].invalid or sides[1].invalid:
            continue
        try:
            match = matches.MatchResolution(*sides, **their_options)
        except (TypeError, ZeroDivisionError):
            continue  # a constant under an inverse role kills it; we leave the relation out
        except KeyError:
            assert "anchors" in options  # two of a node's anchors vanish
            continue
        scores = fm.score(texts[:1], texts[1:], metric="ancast", preset="tool", **options).pairs.scores
        found = [scores[name][0] for name in ("concept_f", "lr_p", "lr_r", *NAMES[1:])]
        expected = [
            match.concept_match_fscore, match.lbd_p, match.lbd_r, match.lbd_fscore, match.ulbd_fscore,
            match.wlbd_fscore, match.smatch_format_score,
        ]  # fmt: skip
        assert found == pytest.approx(expected, abs=1e-9), "\n".join(texts)
        compared += 1
    assert compared > (0.5 if "anchors" in options else 0.8) * count
    assert refused or options


def test_a_whole_file(tmp_path):
    """Blocks, comments and sentences as the package finds them in a file."""
    package = pytest.importorskip("ancast", reason="needs the package ancast")
    pred = "# ::id 1 ::snt The boy\n# ::tok x\n(b / boy)\n\n\n# ::snt It #1 runs\n(r / run-01 :ARG0 (i / it))\n"
    gold = (
        "# header\n\n# ::snt The boy\n(b / boy :mod (b2 / big))\n\n# ::snt It runs\n(r / run-02 :ARG0 (i / it))\n\n\n"
    )
    paths = tmp_path / "pred.amr", tmp_path / "gold.amr"
    for path, text in zip(paths, (pred, gold), strict=True):
        path.write_text(text, encoding="utf-8")
    (expected,) = package.evaluate(str(paths[0]), str(paths[1]), scope="snt", data_format="amr")
    for newline in ("\n", "\r\n", "\r"):
        sides = [fm.parse(text.replace("\n", newline), dialect="ancast") for text in (pred, gold)]
        assert [len(side) for side in sides] == [2, 2]
        assert sides[0][1].metadata["snt"] == "It #1 runs"
        assert fm.score(*sides, metric="ancast", preset="tool").score == pytest.approx(expected, abs=1e-12)


#: first pair whose prediction a # cuts off, and the scores of the pairs that the package then counts
CUTS = [
    # behind the line of the # nothing is left: the package leaves the pair out
    ('(a / b :wiki "X#Y")', "(c / d :mod (e / f))", False),
    ("(a / b :mod (c / d))\n# ::note behind it", "(a / b :mod (c / d))", False),
    # a graph is left, which it takes for the whole
    ('(a / b\n   :wiki "X#Y"\n   :ARG0 (c / d :mod (e / f)))', "(c / d :mod (e / f) :ARG1 (g / h))", True),
    ('(a / b :wiki "#1"\n   :ARG0 (c / d :ARG1 (e / f)))', "(c / d :ARG1 (e / f))", True),
]


@pytest.mark.parametrize(("cut", "gold", "left"), CUTS)
def test_a_hash_inside_a_graph(tmp_path, cut, gold, left):
    """By default the block is a broken graph in its place; ``ancast-cut`` is the package's way, if one is left."""
    package = pytest.importorskip("ancast", reason="needs the package ancast")
    other = "# ::snt z w\n(z / go-01 :ARG0 (w / work-01 :ARG1 z))\n", "# ::snt z w\n(z / go-01 :ARG0 (w / work-01))\n"
    texts = [f"# ::snt X D\n{first}\n\n{second}" for first, second in zip((cut, gold), other, strict=True)]
    paths = tmp_path / "pred.amr", tmp_path / "gold.amr"
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()):
        (expected,) = package.evaluate(str(paths[0]), str(paths[1]), scope="snt", data_format="amr")
    for dialect in ("ancast", "ancast-cut"):
        pred, gold_ = (fm.read(path, dialect=dialect, on_error="empty") for path in paths)
        assert [len(pred), len(gold_)] == [2, 2]
        reads = dialect == "ancast-cut" and left
        assert [index for index, _ in pred.problems] == ([] if reads else [0]) and (len(pred[0].triples) > 0) == reads
        first = 0 if reads else 1
        counted = fm.score(pred[first:], gold_[first:], metric="ancast", preset="tool").score
        if reads or not left:
            assert counted == pytest.approx(expected, abs=1e-12)
        assert len(fm.read(paths[0], dialect=dialect, on_error="skip")) == 2 - (not reads)
