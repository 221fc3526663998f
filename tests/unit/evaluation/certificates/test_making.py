"""Certificates of corpora: every pair that is certified has a proof here, and the file says what was scored."""

import gzip
import json
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given

import fastmatch as fm
from fastmatch.evaluation.certificates.check_certificates import BROKEN, Refused, check, check_pair, problem_of

from support.nightly import by_day
from support.places import GOLD, PRED, SAMPLE
from support.refusal import fails
from support.sentence_documents import pair as documents
from support.strategies import Spec, pairs
from twins.brute_force import best_map

METRICS = [
    "smatch", "smatch/smatch", "smatch/smatch++", "smatch/smatch++/reify", "smatch/generic", "smatch/none",
    "smatch,duplicates=bag", "smatch,top=concept", "smatch,top=none", "smatch,triples=relation", "smatch++",
    "smatch++/tool", "smatch++/reify", "smatch++/generic", "smatch++/none", "s2match", "s2match/tool", "wsmatch",
    "wsmatch/tool", "wsmatch/core", "wsmatch,levels=1",
]  # fmt: skip
RING = "(a / n :r (b / n :r (c / n :r (d / n :r (e / n :r (f / n :r (g / n :r (h / n :r a))))))))"
SQUARES = "(a / n :r (b / n :r (c / n :r (d / n :r a))) :s (e / n :r (f / n :r (g / n :r (h / n :r e)))))"
HEXAGON = "(a / n :r (b / n :r (c / n :r (d / n :r (e / n :r (f / n :r a))))))"
TRIANGLES = "(a / n :r (b / n :r (c / n :r a)) :s (d / n :r (e / n :r (f / n :r d))))"


def checked(found: fm.Certificates, pairs: object) -> None:
    """The numbers are those of the scores, and each proof holds."""
    for k, record in enumerate(found.records):
        for name in ("matched", "n_pred", "n_gold"):
            assert record[name] == getattr(pairs, name)[k] * found.header["unit"]
        assert check_pair(record, found.header)[3] == (record["proof"] is not None)


def certified(pred, gold, **options) -> fm.Certificates:
    """A certificate of all pairs, which says what the scores say."""
    found = fm.certificate(pred, gold, **options)
    checked(found, fm.score(pred, gold, **options).pairs)
    assert (found.n_proven, found.unproven) == (found.n_pairs, [])
    return found


@pytest.mark.parametrize("metric", by_day(METRICS, 3))
def test_all_pairs_have_a_proof(metric: str) -> None:
    assert certified(PRED, GOLD, metric=metric).n_pairs == 40


@pytest.mark.parametrize("metric", ["smatch", "smatch/smatch", "smatch++", "s2match/tool", "wsmatch"])
@given(pair=pairs())
def test_any_pair(metric: str, pair: tuple[Spec, Spec]) -> None:
    """Repeated triples, loops, labels that differ in case, several edges between two variables."""
    certified(*(spec.text() for spec in pair), metric=metric)


def alike(a: str, b: str) -> float:
    """A similarity that is no whole number of the parts of a match."""
    return len(set(a) & set(b)) / max(1, len(set(a) | set(b)))


def faded(role: str, level: int, other: int) -> float:
    return (0.3 if role == ":instance" else 1.1) / (1 + abs(level - other) + min(level, other))


SOFT = {
    "plain": {},
    "a table": {"similarity": {("a", "b"): 0.1, ("b", "c"): 1 / 3}, "top": "concept"},
    "a function": {"similarity": alike},
    "weights by role": {"similarity": alike, "weight": {":instance": 0.5, ":TOP": 3, ":r": 0.1, ":x": 0}},
    "weights by level": {"similarity": alike, "weight": faded, "top": "concept"},
    "weights of two levels": {"similarity": alike, "weight": lambda role, a, b: 1 / (1 + abs(a - b)) + 0.1 * a},
}


def best(record, header) -> int:
    """The largest value of all maps."""
    sizes = (len(record[side]["variables"]) for side in ("pred", "gold"))
    return best_map(*sizes, *problem_of(record, header)[:2])[0]


@pytest.mark.parametrize("value", ["-", "b", "a"])
@pytest.mark.parametrize("options", [{}, {"weight": faded}], ids=["plain", "weights"])
def test_an_attribute_called_top_is_no_root(options, value):
    """It matches its equal, and nothing in part."""
    texts = [f"(x / a :TOP {value} :r (y / c))", "(x / b)"]
    for pred, gold in (texts, texts[::-1]):
        certified(pred, gold, metric="softmatch", similarity={("a", "b"): 0.5}, top="concept", **options)


@pytest.mark.parametrize("options", SOFT.values(), ids=SOFT)
@given(pair=pairs(max_size=4))
def test_softmatch(options, pair):
    """The certificate counts what the metric counts, and no map of all is better."""
    found = certified(*(spec.text() for spec in pair), metric="softmatch", **options)
    (record,) = found.records
    assert record["matched"] <= best(record, found.header) < record["matched"] + found.header["step"]


@pytest.mark.parametrize("options", SOFT.values(), ids=SOFT)
def test_softmatch_of_the_texts(options, tmp_path):
    """penman reads the same triples, where roots have a constant."""
    found = fm.certificate(PRED, GOLD, metric="softmatch", out=tmp_path / "c.jsonl.gz", **options)
    assert found.n_proven == 40 and found.header["plain"] == ("top" not in options)
    assert check(tmp_path / "c.jsonl.gz", (PRED, GOLD), strict=True) == 0


def test_a_variable_with_several_concepts() -> None:
    """They match equal ones only; else one concept would match two that are like it, or two match one."""
    two, one = "(r / x :p (a / b) :q (a / c))", "(r / x :p (a / d))"
    similarity = {("b", "d"): 0.5, ("c", "d"): 0.75}
    for pair in ((two, one), (one, two)):
        found = certified(*pair, metric="softmatch", similarity=similarity)
        (record,) = found.records
        assert record["matched"] == best(record, found.header) == 3 * found.header["unit"]  # :TOP, x, :p
        assert "similar" not in record
        record["similar"] = {a: dict.fromkeys("bcd", found.header["unit"]) for a in "bcd"}
        assert check_pair(record, found.header)[0] == record["matched"]


def test_a_variable_with_one_concept_twice() -> None:
    """The triple counts once, and matches in part, as that of one concept does."""
    options = {"metric": "softmatch", "similarity": {("cat", "kitten"): 0.5}}
    for text in ("(r / x :p (a / cat) :q (a / Cat) :s (b / cat))", "(r / x :p (a / cat) :q a :s (b / cat))"):
        found = fm.certificate(text, "(r / x :p (a / kitten))", **options)
        assert found.n_proven == 1 and found.records[0]["matched"] == 3.5 * found.header["unit"]


def check_number(found: fm.Certificates, place, key, wrong, message: str | None) -> None:
    """With one number of a record, or of its header, exchanged for any of these, the record is refused."""
    kept = place[key]
    for value in wrong:
        place[key] = value
        fails((Refused, *BROKEN), message, check_pair, found.records[0], found.header)
    place[key] = kept


def test_each_number_of_softmatch() -> None:
    """A changed similarity or weight is another count than is claimed."""
    text = "(a / bcd :r (b / cde :x 5) :r (c / xyz))", "(a / bcd :r (b / cdf :x 5 :x 6) :s (c / xyz))"
    by_level, by_role = (
        fm.certificate(*text, metric="softmatch", **SOFT[f"weights by {how}"]) for how in ("level", "role")
    )
    (record,) = by_level.records
    assert check_pair(record, by_level.header)[3] and record["pred"]["triples"][0] == [0, ":instance", "bcd", 0]
    table = by_level.header["weights"][":instance"]
    kept = table[0][0]
    check_number(by_level, table[0], 0, (kept + (1 << 20),), "counted")
    check_number(by_level, table[0], 0, (float(kept), -1), "a whole number")
    # of a triple that matches nothing only the total counts
    table[1][1] = float(table[1][1])
    lone = {**record, "gold": {"variables": [], "triples": []}, "map": [-1] * 3, "matched": 0, "n_gold": 0}
    fails(Refused, "a whole number", check_pair, lone, by_level.header)
    (record,) = by_role.records
    similar = record["similar"]["cde"]
    check_number(by_role, similar, "cdf", (similar["cdf"] - (1 << 20), similar["cdf"] + (1 << 20)), "counted")
    for row in [*record["pred"]["triples"], *record["gold"]["triples"]]:
        check_number(by_role, row, -1, (row[-1] + 7,), "counted")
        check_number(by_role, row, -1, (-1, 2.0, 10**40, "1", None, [1]), None)
    assert check_pair(record, by_role.header)[3]


def test_a_table_of_weights_that_is_too_long() -> None:
    """All functions have certificates, as long as what they say fits in the first line."""
    chain = " ".join(f"(v{k} / c :r{k}" for k in range(250)) + ")" * 250
    with pytest.raises(fm.OptionError, match=r"its first line would have [\d,]+ characters"):
        fm.certificate(chain, chain, metric="softmatch", weight=lambda role, a, b: 1 + a + b)


# ---- maps that keep to sentences -------------------------------------------------------------------------------------

DOCUMENTS = (
    "(d / document :snt1 (a / n :r (b / n :coref-of (c / chain))) :snt2 (e / n :r (f / n :coref-of c)))",
    "(d / document :snt1 (a / n :r (b / n)) :snt2 (e / n :coref-of (c / chain) :s (f / n :coref-of c)))",
)
#: What is in sentence 1 of one is in sentence 2 of the other.
EXCHANGED = (
    "(d / document :snt1 (a / x :r (b / y)) :snt2 (e / z :coref-of (c / chain)))",
    "(d / document :snt1 (a / z :coref-of (c / chain)) :snt2 (e / x :r (f / y)))",
)
MAPPED = {"metric": "docsmatch", "sentence_map": {"doc": [(1, 2), (2, 1)]}}
WITHIN = (
    {"metric": "docsmatch"},
    {"metric": "docsmatch/tool"},
    {"metric": "s2match", "within": "sentences"},
    {"metric": "softmatch", "within": "sentences", "similarity": alike},
)


@pytest.mark.parametrize("options", [*WITHIN, MAPPED], ids=lambda given: given["metric"])
def test_sentences(options, tmp_path):
    """No map within sentences is better; one of the whole documents is, and the certificate does not speak of it."""
    texts = [f"# ::id doc\n{text}" for text in EXCHANGED]
    found = certified(*texts, **options)
    (record,) = found.records
    assert found.header["sentences"]
    assert record["matched"] <= best(record, found.header) < record["matched"] + found.header["step"]
    free = best(record, {**found.header, "sentences": False})
    assert free >= record["matched"] + found.header["unit"] * ("sentence_map" not in options)
    for path, text in zip((tmp_path / "p", tmp_path / "g"), texts, strict=True):
        path.write_text(text, "utf-8")
    fm.certificate(tmp_path / "p", tmp_path / "g", out=tmp_path / "c.jsonl", **options)
    assert check(tmp_path / "c.jsonl", (tmp_path / "p", tmp_path / "g"), strict=True) == 0


def test_each_sentence_of_a_variable() -> None:
    """A number that is not there makes another problem, of which the map matches less."""
    found = fm.certificate(*DOCUMENTS, metric="docsmatch")
    (record,) = found.records
    assert record["pred"]["sentences"] == [[0], [2], [2], [2, 3], [3], [3]]
    for i, a in enumerate(record["map"]):
        if a >= 0:
            check_number(found, record["pred"]["sentences"], i, ([7, -3],), "counted")
    check_number(found, record["pred"], "sentences", ([], [[0]], None, [0] * 6, [[[]]] * 6, ["0"] * 6), None)
    sides = {side: {**record[side], "sentences": [list(range(40_000))] * 6} for side in ("pred", "gold")}
    fails(Refused, "too many sentences", check_pair, {**record, **sides}, found.header)


def test_a_document_beside_one_without_sentences() -> None:
    """Their variables may match any, as in the score."""
    texts = DOCUMENTS[0], "(a / n :r (b / n :r (c / n)))"
    with pytest.warns(fm.FastmatchWarning, match="no effect") as said:
        (record,) = certified(*texts, metric="docsmatch").records
    assert len(said) == 2 and "sentences" in record["pred"] and "sentences" not in record["gold"]


def aspects(pred, gold, out: Path, **options) -> dict[str, fm.Certificates]:
    """Certificates of aspects with their records, which the file has, a block for each aspect that is matched."""
    scores = fm.aspects(pred, gold, certificate=out, **options)
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    made = {}
    for name, found in scores.certificates.items():
        header, *records = lines[: found.n_pairs + 1]
        lines = lines[found.n_pairs + 1 :]
        assert header == found.header and header["aspect"] == name
        assert header["signature"] == str(scores[name].signature)
        assert found.n_proven == found.n_pairs > 0
        made[name] = found._replace(records=records)
        checked(made[name], scores[name].pairs)
    assert lines == []
    return made


@pytest.mark.parametrize(
    ("kind", "files", "n_blocks"),
    [
        *((kind, "sample-{}.amr", 5) for kind in ("damonte", "enhanced", "s2match")),
        ("amrlib", "sample-{}.amr", 3),
        ("smatch++", "sample-{}.amr", 19),
        ("pmb5", "boxes-{}.sbn", 9),
        ("mrp", "mrp-{}.mrp", 1),  # all rows are counted under one map
    ],
)
def test_aspects(kind: str, files: str, n_blocks: int, own_data: Path, tmp_path: Path) -> None:
    folder = SAMPLE if files.endswith(".amr") else own_data
    graphs = [folder / files.format(side) for side in ("pred", "gold")]
    options = {"align": "each"} if kind == "smatch++" else {}
    assert len(aspects(*graphs, tmp_path / "c.jsonl", kind=kind, **options)) == n_blocks
    assert check(tmp_path / "c.jsonl", graphs, strict=True) == 0


def test_aspects_of_documents(tmp_path: Path) -> None:
    """All rows are counted under one map, of which the certificate is."""
    ((name, found),) = aspects(*DOCUMENTS, tmp_path / "c.jsonl", kind="docsmatch").items()
    assert name == "DocSmatch" and found.header["sentences"]


@given(pair=pairs(max_size=4))
def test_aspects_of_any_pair(pair: tuple[Spec, Spec]) -> None:
    with TemporaryDirectory() as folder:
        made = aspects(*(spec.text() for spec in pair), Path(folder) / "c.jsonl", kind="damonte")
    for found in made.values():
        assert found.records[0]["matched"] == best(found.records[0], found.header)


def test_aspects_that_have_none(tmp_path: Path) -> None:
    for kind, options in (
        ("smatch++", {}),
        ("damonte", {"preset": "tool"}),
        ("docsmatch", {"solver": "climb"}),
        ("damonte", {"solver": "climb"}),
        ("amrlib", {"on_error": "empty"}),
    ):
        fails(fm.OptionError, "certificate: ", fm.aspects, PRED, GOLD, kind=kind, certificate=tmp_path / "c", **options)
    assert not (tmp_path / "c").exists()


def test_a_branch() -> None:
    """Where no bound is below the goal, with cuts or without."""
    found = fm.certificate(RING, SQUARES)
    (record,) = found.records
    assert record["matched"] == 15 and "take" in record["proof"][-1]
    assert check_pair(record, found.header) == (15, 17, 18, True)


def test_cliques() -> None:
    """Where every bound of linear programs is 13, and no map matches more than 11: cuts close it without a branch."""
    found = fm.certificate(HEXAGON, TRIANGLES)
    (record,) = found.records
    (step,) = record["proof"]
    assert check_pair(record, found.header) == (11, 13, 14, True)
    del step["cliques"]
    fails(Refused, "below", check_pair, record, found.header)


@pytest.mark.parametrize("metric", ["smatch", "docsmatch", "docsmatch/tool"])
@pytest.mark.parametrize("kind", ["parsed", "alike", "unrelated"])
def test_documents(kind: str, metric: str) -> None:
    pred, gold = map(list, zip(*(documents(kind, seed, 40) for seed in range(3)), strict=True))
    score, found = fm.score(pred, gold, metric=metric).pairs, fm.certificate(pred, gold, metric=metric)
    checked(found, score)
    assert found.n_proven == int(score.certified.sum())
    assert found.unproven == [] or metric == "smatch"


def test_the_file(tmp_path: Path) -> None:
    packed, plain = tmp_path / "c.jsonl.gz", tmp_path / "c.jsonl"
    found = fm.certificate(PRED, GOLD, out=packed)
    again = fm.certificate(str(PRED.read_text("utf-8")), GOLD, out=plain)
    assert found.records == [] and found.n_proven == again.n_proven == 40
    lines, others = gzip.decompress(packed.read_bytes()).splitlines(), plain.read_bytes().splitlines()
    for line, other in zip(lines[1:], others[1:], strict=True):
        record = json.loads(line)
        assert len(record["pred"].pop("sha256")) == len(record["gold"]["sha256"]) == 32
        assert record == json.loads(other)  # of a text there is no file to compare with
    header = json.loads(lines[0])
    assert header == found.header
    assert header["plain"] and not json.loads(others[0])["plain"]  # of a text there is no file to compare with
    assert header["gold"]["name"] == str(GOLD) and len(header["gold"]["sha256"]) == 64
    before = packed.read_bytes()
    fm.certificate(PRED, GOLD, out=packed, workers=2)
    assert packed.read_bytes() == before and check(packed, (PRED, GOLD)) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            ({"metric": name}, f"metric '{name}' has none; those of smatch")
            for name in ("wlk", "softoverlap", "ancast")
        ),
        ({"solver": "climb"}, "solver='climb' has none; expected solver='exact'"),
        ({"compress": True}, "compress=True has none; leave it out"),
    ],
)
def test_which_have_none(options, message):
    fails(fm.OptionError, message, fm.certificate, "(a / b)", "(a / b)", **options)


def test_lines_that_are_made_in_several_pieces() -> None:
    """A call of the kernel ends after a mebibyte: here after the second pair."""
    long = f"(a / {'n' * 400_000})"
    found = fm.certificate([long, "(b / c)", long, "(d / e)"], [long, "(b / c)", long, "(f / g)"])
    assert [record["pair"] for record in found.records] == [0, 1, 2, 3]
    assert [record["matched"] for record in found.records] == [2, 2, 2, 1] and found.n_proven == 4


def test_small_things() -> None:
    found = fm.certificate(["(", "(a / b)"], ["(a / b)", "()"], on_error="empty")
    assert found.n_proven == 2 and [record["matched"] for record in found.records] == [0, 0]
    assert "2 of 2 pairs have a proof" in repr(found)
    with pytest.warns(fm.PairingWarning, match="nothing to score"):
        assert fm.certificate([], []).n_pairs == 0
    names = ("# ::id x\n(a / b)", "# ::id y\n(c / d)")
    found = fm.certificate("\n\n".join(names), "\n\n".join(names[::-1]), pair_by="id")
    assert [record["id"] for record in found.records] == ["y", "x"]


def test_a_search_that_gives_up_has_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fastmatch.evaluation.certificates.making.WORK", 1_000)
    found = fm.certificate(["(a / b)", RING], ["(a / b)", SQUARES])
    assert found.unproven == [1] and found.records[1]["proof"] is None


@pytest.mark.parametrize("closing", [True, False])
def test_a_step_with_a_price_that_is_too_low_proves_nothing(monkeypatch: pytest.MonkeyPatch, closing: bool) -> None:
    """What a kernel with a mistake would give, at the end of a proof or before it."""
    from fastmatch.evaluation.certificates import making

    prices, n_lowered = making.prices, 0

    def lowered(*arguments):
        nonlocal n_lowered
        text, closes, *more = prices(*arguments)
        step = json.loads(text)
        if closes == closing:
            n_lowered += 1
            step["u"] = [max(0, price - 1) for price in step["u"]]
        return json.dumps(step), closes, *more

    monkeypatch.setattr(making, "prices", lowered)
    assert fm.certificate(RING, SQUARES).unproven == [0] and n_lowered > 0


def test_some_short_proofs_are_checked_when_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first pair and each 2,000th one; of a wrong step another proof is made."""
    from fastmatch.evaluation.certificates import making, sides

    lines, whole = sides.lines, fm.certificate(PRED, GOLD)

    def lowered(*arguments):
        text, _, proven = lines(*arguments)
        records = [json.loads(line) for line in text.splitlines()]
        for record in records:
            record["proof"][0]["u"] = [0 for _ in record["proof"][0]["u"]]
        made = [(json.dumps(record) + "\n").encode("ascii") for record in records]
        return b"".join(made), list(accumulate(map(len, made))), proven

    monkeypatch.setattr(sides, "lines", lowered)
    monkeypatch.setattr(making, "SAMPLE", 3)
    found = fm.certificate(PRED, GOLD)
    for record, expected in zip(found.records, whole.records, strict=True):
        if record["pair"] % 3 == 0:
            assert check_pair(record, found.header) == check_pair(expected, found.header)
        else:
            fails(Refused, "below", check_pair, record, found.header)


def test_a_wrong_optimum_has_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a solver with a mistake would say: a map that is not the best."""
    from fastmatch.evaluation.certificates import making

    scored = making.score_corpora

    def first_only(*arguments):
        scores, signature = scored(*arguments)
        others = np.ones(len(scores.mapping), bool)
        others[scores.mapping_offsets[:-1]] = False
        scores.mapping[others] = -1
        return scores, signature

    monkeypatch.setattr(making, "score_corpora", first_only)
    monkeypatch.setattr(making, "WORK", 10_000_000)  # there is no proof, however long it takes
    found = fm.certificate(PRED, GOLD)
    assert found.n_proven < 5 and all(record["matched"] < record["n_pred"] for record in found.records)


def test_a_pair_that_is_too_large_to_be_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It does not end the others, and the checker says that it is not among them."""
    crowd = "(a / b " + " ".join(f":op{k} (v{k} / b)" for k in range(800)) + ")"
    found = fm.certificate(["(a / b)", crowd], ["(a / b)", crowd], out=tmp_path / "c.jsonl")
    assert (found.n_proven, found.unproven) == (1, [1])
    assert check(tmp_path / "c.jsonl") == 0
    out = capsys.readouterr().out
    assert "pair 1: skipped: matched 0, of 0 and 0\n" in out
    assert "1 checked, 0 without a proof, 1 skipped, 0 refused, matched 2, of 2 and 2, F1 1.000000" in out


def test_a_line_that_is_too_long_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """First it loses its proof, then its triples."""
    whole = fm.certificate(RING, SQUARES).records[0]
    plain = json.dumps({**whole, "proof": None}, separators=(",", ":"))
    for longest, kept in ((len(plain) + 100, True), (len(plain) - 100, False)):
        monkeypatch.setattr("fastmatch.evaluation.certificates.check_certificates.LONGEST", longest)
        record = fm.certificate(RING, SQUARES).records[0]
        assert record == ({**whole, "proof": None} if kept else {**record, "pair": 0, "proof": None})
        assert ("skipped" in record) != kept
