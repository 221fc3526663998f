"""UMR documents with preset ``tool`` against the package ancast 0.1.1: own documents, and generated ones."""

import contextlib
import io
import random

import pytest

from fastmatch import umr

from support.nightly import NIGHT

pytestmark = pytest.mark.slow

CONCEPTS = ("cat", "dog", "want-01", "want-02", "see-01", "person", "thing", "run-02")
ROLES = ("ARG0", "ARG1", "ARG0-of", "mod", "op1", "temporal", "consist-of")
ATTRIBUTES = ("aspect performance", "refer-number singular", "polarity -", "quant 5", "mode s2x", 'op1 "Kim"')
RELATIONS = {
    "temporal": ("after", "before", "depends-on", "contained", "includes", "overlap", "odd"),
    "modal": ("full-affirmative", "partial-affirmative", "modal"),
    "coref": ("same-entity", "same-event", "subset-of", "odd"),
}
#: Behind a relation: the package loses the whole group, or reads what is in brackets.
COMMENTS = ("", "", "", "", "", "", "", " # why", " # (s1x :same-entity s2x)", " # )")
CONSTANTS = ["author", "document-creation-time", "root"]


@pytest.fixture(scope="module")
def package():
    return pytest.importorskip("ancast", reason="needs the package ancast")


def test_own_documents(package, own_data):
    paths = own_data / "umr-pred.umr", own_data / "umr-gold.umr"
    expected = package.evaluate(*map(str, paths), scope="doc")
    found = umr.score(*paths, preset="tool")
    assert {name: found.scores[name] for name in expected} == pytest.approx(expected, abs=1e-12)
    assert 0 < expected["coref"] < expected["comp"] < 1


def sentence(random_: random.Random, number: int) -> tuple[list[str], str, str]:
    """Variables, graph, text."""
    n = random_.randint(1, 6)
    names = [f"s{number}{random_.choice('abcx')}{k or ''}" for k in range(n)]
    concepts = [random_.choice(CONCEPTS) for _ in range(n)]
    children: list[list[int]] = [[] for _ in range(n)]
    for k in range(1, n):
        children[random_.randrange(k)].append(k)

    def node(k: int) -> str:
        parts = [f"{random_.choice(ROLES)} {node(child)}" for child in children[k]]
        if random_.random() < 0.5:
            parts.append(random_.choice(ATTRIBUTES))
        if random_.random() < 0.15:
            parts.append(f"ARG2 {random_.choice(names)}")
        return f"({names[k]} / {concepts[k]}" + "".join(f"\n    :{part}" for part in parts) + ")"

    graph = node(0)
    if random_.random() < 0.02:
        graph = graph.replace(")", "", 1)
    return names, graph, " ".join(concept.split("-")[0] for concept in concepts)


def document(random_: random.Random, sentences: list[tuple[list[str], str, str]]) -> str:
    names = [name for one, _, _ in sentences for name in one]
    blocks = []
    for number, (own, graph, text) in enumerate(sentences, start=1):
        known = own + names[: random_.randint(0, len(names))] + CONSTANTS
        annotation = f"(s{number}s0 / sentence"
        for aspect, relations in RELATIONS.items():
            if random_.random() < 0.8:
                triples = [
                    f"({random_.choice(known)} :{random_.choice(relations)} {random_.choice(known)})"
                    f"{random_.choice(COMMENTS)}"
                    for _ in range(random_.randint(1, 4))
                ]
                annotation += f"\n    :{aspect} (" + "\n        ".join(triples) + "\n    )"
        alignment = "\n".join(f"{name}: {k}-{k}" for k, name in enumerate(own))
        blocks.append(
            f"{number}\t{text}\n\n# sentence level graph:\n{graph}\n\n# alignment:\n{alignment}\n\n"
            f"# document level annotation:\n{annotation})"
        )
    return "\n\n\n".join(blocks) + "\n"


@pytest.mark.parametrize(
    ("seed", "count", "their_options", "options"),
    [
        (7, 120, {}, {}),
        (8, 60, {"use_alignment": True}, {"anchors": "alignment"}),
        (9, 30, {"separate_1_and_2": True, "Cneighbor": 2}, {"hops": "apart", "neighbours": 2}),
        (10, 30, {"allow_reify": True}, {}),  # which it takes, and does not use
    ],
)
def test_generated_documents(package, tmp_path, seed, count, their_options, options):
    random_ = random.Random(seed)
    compared = 0
    paths = tmp_path / "pred.umr", tmp_path / "gold.umr"
    count = count if NIGHT else count // 2
    for _ in range(count):
        gold = [sentence(random_, k) for k in range(1, random_.randint(1, 5) + 1)]
        pred = []
        for number, (names, graph, text) in enumerate(gold, start=1):
            if random_.random() < 0.2:
                names, graph, text = sentence(random_, number)
            elif random_.random() < 0.6:
                graph = graph.replace(f"/ {random_.choice(CONCEPTS)}", f"/ {random_.choice(CONCEPTS)}", 1)
            pred.append((names, graph, text))
        texts = document(random_, pred), document(random_, gold)
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                expected = package.evaluate(*map(str, paths), scope="doc", **their_options)
        except ZeroDivisionError:
            continue  # a gold thing that is nothing but itself
        except KeyError:
            assert "anchors" in options  # two of a node's anchors vanish
            continue
        found = umr.score(*map(umr.read, paths), preset="tool", **options).scores
        assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9), texts
        compared += 1
    assert compared > (0.5 if "anchors" in options else 0.75) * count
