"""Align-smatch: its options, its lengths, its errors; what the recorded numbers do not hold it to."""

import pickle
import re
from itertools import permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.metrics import from_signature, make
from fastmatch.metrics.align_smatch import end_names, lemmas
from fastmatch.metrics.shared.option_tables import SentenceLengths

from support.nightly import NIGHT
from support.refusal import fails

ROOT = "1 x0 root - :top - - x1 想-01 -"
LENGTHS = {"1": 5, "2": 5}


def rows(*lines: str) -> str:
    return "".join("\t".join(line.split()) + "\n" for line in lines)


def score(pred: str, gold: str, **options) -> tuple[int, int, int]:
    lengths = options.pop("lengths", LENGTHS)
    pairs = fm.score(pred, gold, metric="align-smatch", lengths=lengths, **options).pairs
    assert pairs.certified.all() or options.get("solver") == "climb"
    return int(pairs.matched[0]), int(pairs.n_pred[0]), int(pairs.n_gold[0])


# ---------------------------------------------------------------- what matches


def test_ends() -> None:
    gold = rows(ROOT, "1 x1 想-01 - :arg0 - - x2 他 -", "1 x1 想-01 - :arg1 - - x3 书 -")
    pred = gold.replace("想-01", "想-02").replace("书", "本")
    # concepts 他; anchors 1, 2, 3; the root never, as its whole concept must agree
    assert score(pred, gold, ends="concept") == (4, 9, 9) and score(pred, gold) == (5, 9, 9)
    assert score(pred, gold, ends="free") == (6, 9, 9)


def test_the_column_smatch() -> None:
    """Neither anchors nor words nor ends count, and any root equals any other; it needs no lengths."""
    gold = rows(ROOT, "1 x1 想-01 - :arg0 x3 把 x2 他 x1")
    pred = gold.replace("想-01", "想-02").replace("x2 他", "x4 他").replace("x3 把", "x5 被")
    options = {"preset": "smatch", "solver": "exact"}
    # a concept, the relation, the co-reference, the root; of the prediction another concept
    assert score(pred, gold, **options) == (4, 5, 5) and score(pred, gold, lengths=None, **options) == (4, 5, 5)
    assert score(pred, gold, lengths={"9": 1}, **options) == (4, 5, 5)
    result = fm.score(pred, gold, metric="align-smatch", preset="smatch")
    assert "lengths" not in str(result.signature) and "|std:smatch|" in str(result.signature)
    assert from_signature(result.signature) == make("align-smatch", "smatch")
    # roles are names: Smatch's mod and domain are not turned here
    turned = rows(ROOT, "1 x1 想-01 - :domain - - x2 他 -"), rows(ROOT, "1 x1 想-01 - :mod - - x2 他 -")
    assert score(*turned, **options) == (3, 4, 4)
    graphs = fm.parse("(w / want-01~e.2 :ARG0 (b / boy~1) :polarity -)")
    assert fm.score(graphs, graphs, metric="align-smatch", preset="smatch", solver="exact").n_gold == 5


def test_the_root() -> None:
    """By default that of the row that says so; the program takes the first node of the file."""
    first = rows(ROOT, "1 x1 想-01 - :arg0 - - x2 他 -")
    last = rows("1 x2 他 - :arg0-of - - x1 想-01 -", ROOT)
    assert score(last, first) == (6, 6, 6) and score(last, first, standard="tool") == (5, 6, 6)


@pytest.mark.parametrize(
    ("node", "length", "anchored"),
    [
        ("x3", 3, True), ("x3", 2, False), ("x0", 9, False), ("x03", 3, True), ("x00", 0, True), ("x3_x4", 0, True),
        ("x9_1", 0, True), ("x99999999999999999999", 10**9, False), ("x00000000000000000001", 1, True),
    ],
)  # fmt: skip
def test_what_has_an_anchor(node: str, length: int, anchored: bool) -> None:
    graph = rows(f"1 x0 root - :top - - {node} a -")
    assert score(graph, graph, lengths={"1": length}, triples="attribute") == (anchored,) * 3


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        ("x1_x2", "x2_x1", False), ("x2_4", "x2_x4", False), ("x15_1_2", "x15_1_x15_2", True), ("x03", "x3", False),
        ("x1_2_x3", "x1_2_x3", True),
    ],
)  # fmt: skip
def test_anchors_are_compared_whole(one: str, two: str, equal: bool) -> None:
    graphs = [rows(f"1 x0 root - :top - - {node} a -") for node in (one, two)]
    assert score(*graphs, lengths={"1": 20}, triples="attribute")[0] == equal


def test_copies_of_a_node_have_its_anchor() -> None:
    for node, anchored in (("x2", 2), ("x1_x2", 2), ("x0", 0)):
        graph = rows(f"1 x0 root - :top - - {node} a -", f"1 {node} a - :r - - {node} b -")
        assert score(graph, graph, triples="attribute") == (anchored,) * 3


def random_rows(random: Random) -> str:
    """At most three nodes, a fourth if an id gets another concept."""
    concepts = [random.choice(["a", "b-01", "b-02", "B-01"]) for _ in range(random.randint(1, 3))]
    lines = [f"1 x0 root - :top - - x1 {concepts[0]} -"]
    for k in range(1, len(concepts)):
        i = random.randrange(k)
        lines.append(f"1 x{i + 1} {concepts[i]} - :r - - x{k + 1} {concepts[k]} -")
    for _ in range(random.randint(0, 4)):
        i, j = (random.randrange(len(concepts)) for _ in range(2))
        role = random.choice([":r", ":s", ":r-of", ":top", ":TOP"])
        word = random.choice(["- -", "x1 的"])
        coref = random.choice(["-", f"x{i + 1}"])
        lines.append(f"1 x{i + 1} {concepts[i]} - {role} {word} x{j + 1} {concepts[j]} {coref}")
    if random.random() < 0.2:
        lines.append("1 x1 a - :r - - x1 c -")
    return rows(*lines)


@pytest.mark.parametrize("standard", ["default", "tool"])
@pytest.mark.parametrize("duplicates", ["once", "multiply"])
def test_against_the_definition(standard: str, duplicates: str) -> None:
    """All one-to-one maps of small graphs, and the rules in plain Python."""
    random = Random(5)
    for _ in range(80 if NIGHT else 25):
        pred, gold = random_rows(random), random_rows(random)
        expected = brute_force(pred, gold, standard, duplicates)
        assert score(pred, gold, standard=standard, duplicates=duplicates) == expected, (pred, gold)


def brute_force(pred: str, gold: str, standard: str, duplicates: str) -> tuple[int, int, int]:
    sides = []
    for text in (pred, gold):
        (graph,) = fm.parse(text, dialect="camr-tuples")
        number = {variable: k for k, variable in enumerate(graph.variables)}
        concept = {number[s]: t for s, r, t in graph.triples if r == ":instance"}
        triples = [("concept", k, c.lower()) for k, c in concept.items()]
        triples += [("anchor", k, name.lstrip("x")) for name, k in number.items()]
        triples += [("edge", r, number[s], number[t]) for s, r, t in graph.triples if r != ":instance"]
        root = 0 if standard == "tool" else number[graph.top]
        triples.append(("edge", ":top" if standard == "tool" else "root", root, root))
        if duplicates == "once":
            seen = {}
            for triple in triples:
                key = triple
                if triple[0] == "edge" and not (standard == "tool" and triple[1] == ":top"):
                    key = (triple[0], triple[1].lower(), *triple[2:], "in any case")
                seen.setdefault(key, triple)
            triples = list(seen.values())
        sides.append((triples, {k: c.lower() for k, c in concept.items()}))
    (mine, my_concept), (its, its_concept) = sides

    def lemma(text: str) -> str:
        return text[:-3] if text[-3:-2] == "-" and text[-2:].isdecimal() else text

    def matches(one, two, places: dict[int, int]) -> bool:
        if one[0] != two[0]:
            return False
        if one[0] != "edge":
            return places.get(one[1]) == two[1] and one[2] == two[2]
        if one[1].lower() != two[1].lower() or [places.get(k) for k in one[2:]] != list(two[2:]):
            return False
        whole = one[1] == "root" or (standard == "tool" and one[1] == ":top")
        ends = [(my_concept[a], its_concept[b]) for a, b in zip(one[2:], two[2:], strict=True)]
        return all((a == b) if whole else lemma(a) == lemma(b) for a, b in ends)

    n, m = len(my_concept), len(its_concept)
    best = 0
    for chosen in set(permutations([*range(m), *[-1] * n], n)):
        places = {k: j for k, j in enumerate(chosen) if j >= 0}
        found = [sum(matches(one, two, places) for two in its) for one in mine]
        best = max(best, sum(found) if duplicates == "multiply" else sum(map(bool, found)))
    return best, len(mine), len(its)


def test_an_alignment_shows_as_many_triples_as_match() -> None:
    random = Random(7)
    for standard in ("default", "tool", "smatch"):
        for duplicates in ("once", "bag"):
            for _ in range(40 if NIGHT else 12):
                options = {"metric": "align-smatch", "standard": standard, "duplicates": duplicates, "lengths": LENGTHS}
                found = fm.align(random_rows(random), random_rows(random), **options)
                shown = len(found.matched_triples)
                # in the program ":top" and ":TOP" may both match one triple, which is shown once
                assert shown == found.matched or (standard == "tool" and shown < found.matched)
                assert len(found.unmatched_pred) == found.n_pred - shown
                assert len(found.unmatched_gold) == found.n_gold - shown


# ---------------------------------------------------------------- other notations


def test_penman_graphs_have_their_alignments_as_anchors() -> None:
    gold = "(w / want-01~e.2 :ARG0 (b / boy~1) :polarity -~e.3)"
    result = fm.align("(w / want-02~2 :ARG0 (b / boy~e.1,4) :polarity -)", gold, metric="align-smatch")
    assert (result.matched, result.n_pred, result.n_gold) == (4, 7, 7)
    assert ("w", ":anchor", "2") in [pair[0] for pair in result.matched_triples]
    assert ("b", ":anchor", "1,4") in result.unmatched_pred
    assert ("w", ":polarity", "-") in [pair[0] for pair in result.matched_triples]


def test_texts_score_as_tables_do() -> None:
    folder = Path(__file__).parents[2] / "data" / "recorded"
    texts = fm.read(folder / "camr-text.txt", dialect="camr")
    tables = fm.read(folder / "camr-gold.txt", dialect="camr-tuples")[:12]
    metrics = make("align-smatch"), make("align-smatch", lengths=str(folder / "camr-lengths.txt"))
    one, two = (metric.prepare(corpus).pred for metric, corpus in zip(metrics, (texts, tables), strict=True))
    assert one.n_triples.tolist() == two.n_triples.tolist()
    one = "# ::id 1\n# ::wid x1_a x2_:: x7_b\n(x7 / c)\n"
    sides = [fm.parse(one, dialect="camr") for _ in range(2)]
    assert fm.score(*sides, metric="align-smatch").pairs.n_gold.tolist() == [3]


def test_other_dialects_and_missing_lengths() -> None:
    table = fm.parse(rows(ROOT), dialect="camr-tuples")
    plain, smatch = (fm.parse("(a / b)", dialect=dialect) for dialect in ("penman", "smatch"))
    (graph,) = fm.parse("# ::id 1\n# ::wid x1_a\n(x1 / a)", dialect="camr")
    bare = fm.Corpus.from_graphs([graph]).with_columns(
        comments=plain.comments, comment_offsets=plain.comment_offsets, dialect="camr"
    )
    for corpus, lengths, error, message in (
        (table, None, fm.OptionError, "needs the lengths of their sentences: give the file .*--lengths FILE"),
        (plain, LENGTHS, fm.OptionError, "lengths go with dialect='camr-tuples'; .* dialect='penman'"),
        (smatch, None, fm.OptionError, "these were read with dialect='smatch'"),
        (table, {"2": 3}, fm.ReadError, "^<string>:1:1: sentence '1' has no length"),
        (bare, None, fm.ReadError, "no line '# ::wid'"),
    ):
        fails(error, message, fm.score, corpus, corpus, metric="align-smatch", lengths=lengths)
    assert make("align-smatch").dialect == "penman"
    assert make("align-smatch", lengths=SentenceLengths(LENGTHS)).dialect == "camr-tuples"


# ---------------------------------------------------------------- lengths


def test_lengths_are_a_file_or_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "lengths.txt"
    path.write_bytes(b"\xef\xbb\xbf\r\n 1\t5 \r\n\r\n2 \t 5\r")
    graph = rows(ROOT)
    forms = str(path), path, LENGTHS, SentenceLengths.of(LENGTHS)
    results = [fm.score(graph, graph, metric="align-smatch", lengths=given) for given in forms]
    assert len({result.signature for result in results}) == 1 and all(result.f1 == 1 for result in results)
    metric = make("align-smatch", lengths=str(path))
    assert hash(metric) == hash(make("align-smatch", lengths=str(path)))
    assert pickle.loads(pickle.dumps(metric)) == metric
    mapping = make("align-smatch", lengths=SentenceLengths(LENGTHS))
    assert pickle.loads(pickle.dumps(mapping)) == mapping != make("align-smatch", lengths=SentenceLengths({"1": 5}))
    with pytest.raises(fm.OptionError, match="is a digest of lengths; give what it is of with lengths="):
        from_signature(results[0].signature)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\t5\n1\t5\n", ":2:1: sentence '1' has a length already"),
        ("1\t5\n2 5\n", ":2:1: expected the id of a sentence, a tab and the number of its words, found '2 5'"),
        ("1\tfive\n", ":1:1: expected the id"),
        ("1\t-5\n", ":1:1: expected the id"),
        ("1\t５\n", ":1:1: expected the id"),
        ("1\t5\t6\n", ":1:1: expected the id"),
        ("1\t99999999999\n", ":1:1: expected the id"),
        ("1" * 100 + "\n", f"found '{'1' * 60}…'"),
    ],
)
def test_lengths_that_are_none(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "lengths.txt"
    path.write_text(content, encoding="utf-8")
    found = fails(fm.ReadError, None, make, "align-smatch", lengths=str(path))
    assert str(found).startswith(str(path)) and message in str(found)


def test_lengths_that_cannot_be_read(tmp_path: Path) -> None:
    fails(fm.OptionError, r"lengths: cannot read .*No such file", make, "align-smatch", lengths=str(tmp_path / "none"))
    (tmp_path / "bytes").write_bytes(b"1\t5\n\xff")
    fails(fm.ReadError, r":2:1: byte 0xff is not UTF-8", make, "align-smatch", lengths=str(tmp_path / "bytes"))
    for wrong in ({"1": -1}, {"1": "5"}, {1: 5}, {"1": True}, {"1": 2**40}):
        with pytest.raises(fm.OptionError, match=r"^lengths: expected"):
            fm.score(rows(ROOT), rows(ROOT), metric="align-smatch", lengths=wrong)
    fails(fm.OptionError, "expected the name of a file", make, "align-smatch", lengths=5)


# ---------------------------------------------------------------- pairs


def test_sentences_that_differ_are_no_pair() -> None:
    one, two = rows(ROOT), rows(ROOT.replace("1", "2", 1))
    pred, gold = f"{one}\n{two}", f"{two}\n{one}"
    how = {"metric": "align-smatch", "lengths": LENGTHS}
    message = r"pred has sentence '1' where gold has '2' \(pair 0; 2 pairs in all\); pair_by='id'"
    fails(fm.PairingError, message, fm.score, pred, gold, **how)
    assert fm.score(pred, gold, **how, pair_by="id").f1 == 1
    message = r"2 predictions but 1 gold graph; not in gold: 1 id \('1'\)"
    fails(fm.PairingError, message, fm.score, pred, two, **how)
    assert sorted(fm.score(pred, two, **how, pair_by="id", unpaired="empty").pairs.score.tolist()) == [0, 1]


# ---------------------------------------------------------------- names of ends


CONCEPTS = st.text("想看a-01２٣𝟘½é\x00", max_size=7)


@given(st.lists(CONCEPTS, min_size=1, max_size=8))
def test_lemmas(texts: list[str]) -> None:
    r"""What ``re.sub(r"-\d\d\Z", "", text)`` leaves, whatever the script of the digits."""
    vocabulary = fm.Vocabulary()
    found = lemmas(vocabulary, np.append(vocabulary.ids(texts), np.int32(-1)))
    assert [vocabulary.text(k) for k in found[:-1].tolist()] == [re.sub(r"-\d\d\Z", "", text) for text in texts]
    assert found[-1] == -1


def test_lemmas_of_half_characters() -> None:
    """A text of Python may hold half of a surrogate pair, which is no digit."""
    vocabulary = fm.Vocabulary()
    ids = vocabulary.ids(["a-\ud800\udc00", "a-0\ud800", "\udfff-01"])
    assert [vocabulary.text(k) for k in lemmas(vocabulary, ids).tolist()] == ["a-\ud800\udc00", "a-0\ud800", "\udfff"]


LABELS = st.sampled_from([-2, -1, 0, 1, 63, 64, 4095, 4096, 2**31 - 1])


@given(st.lists(st.tuples(LABELS, LABELS, LABELS), max_size=12))
def test_equal_names_have_equal_labels(rows: list[tuple[int, int, int]]) -> None:
    vocabulary = fm.Vocabulary(["a", "b"])
    columns = np.array(rows, np.int32).reshape(-1, 3).T
    found = end_names(vocabulary.interner, *map(np.ascontiguousarray, columns)).tolist()
    assert len(set(found)) == len(set(rows)) == len(set(zip(found, rows, strict=True)))
    assert all(vocabulary.text(name).isprintable() is False for name in found)  # no label of a graph, most likely
    assert len(vocabulary) == 2 + len(set(rows))
