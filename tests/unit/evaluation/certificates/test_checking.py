"""The checker refuses whatever does not hold, in one line, and trusts nothing of the package."""

import ast
import copy
import gzip
import json
import random
import re
import subprocess
import sys
import tracemalloc
import warnings
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastmatch as fm
from fastmatch.evaluation.certificates import check_certificates
from fastmatch.evaluation.certificates.check_certificates import SIDES, Refused, check, check_pair, check_proof
from fastmatch.evaluation.certificates.making import _fill

from support.places import GOLD, PRED
from support.refusal import fails
from support.strategies import Spec, pairs
from twins.brute_force import best_map

CHECKER = Path(check_certificates.__file__)
RING = "(a / n :r (b / n :r (c / n :r (d / n :r (e / n :r (f / n :r (g / n :r (h / n :r a))))))))"
SQUARES = "(a / n :r (b / n :r (c / n :r (d / n :r a))) :s (e / n :r (f / n :r (g / n :r (h / n :r e)))))"

Record = dict[str, Any]
WRONG = (Refused, *check_certificates.BROKEN)


def made(*texts: str, **options: Any) -> tuple[Record, Record]:
    found = fm.certificate(*texts, **options)
    return found.records[0], found.header


def test_alone(tmp_path: Path) -> None:
    """A copy of the file, without what is installed. It is so short that a reviewer can read all of it."""
    text = CHECKER.read_text("utf-8")
    imported = set(re.findall(r"^ *(?:import|from) (\w+)", text, re.MULTILINE))
    assert text.count("\n") <= 250 and imported - {"penman"} <= sys.stdlib_module_names
    copied, out = tmp_path / "check_certificates.py", tmp_path / "c.jsonl.gz"
    copied.write_bytes(CHECKER.read_bytes())
    fm.certificate(PRED, GOLD, out=out)
    done = subprocess.run([sys.executable, "-I", "-S", copied, out, "--summary"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    score = fm.score(PRED, GOLD)
    assert done.stdout == (
        "40 checked, 0 without a proof, 0 skipped, 0 refused, matched 526, of 599 and 636, "
        f"F1 {score.f1:.6f}, on trust: triples\n"
    )


# ---- a claim that is wrong has no proof ------------------------------------------------------------------------------


def lower(record: Record, random: random.Random) -> Record:
    """The record of a map that is worse, honestly counted, with the proof of the best one."""
    worse = copy.deepcopy(record)
    chosen = [i for i, a in enumerate(worse["map"]) if a >= 0]
    for i in random.sample(chosen, min(len(chosen), random.randint(1, 2))):
        worse["map"][i] = -1
    return worse


def counted(record: Record, header: Record) -> Record:
    """With the number that its map matches."""
    try:
        check_pair({**record, "proof": None}, header)
    except Refused as error:
        found = ast.literal_eval(str(error).split("claimed, ")[1].removesuffix(" counted"))
        return {**record, "matched": found[0]}
    return record


def numbers(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all numbers in a proof."""
    if isinstance(value, int):
        return [path]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in items for place in numbers(part, (*path, key))]


def put(value: Any, path: tuple[Any, ...], change: int) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] += change


@given(pair=pairs(), seed=st.integers(0, 2**32))
def test_no_proof_of_a_worse_map(pair: tuple[Spec, Spec], seed: int) -> None:
    """Neither the proof of the best map, nor any that is made of it by changes."""
    record, header = made(*(spec.text() for spec in pair))
    rng = random.Random(seed)
    for _ in range(10):
        worse = counted(lower(record, rng), header)
        if worse["matched"] == record["matched"]:
            continue
        for place in rng.sample(places := numbers(worse["proof"]), min(len(places), rng.randint(0, 6))):
            put(worse["proof"], place, rng.choice([-3, -2, -1, 1, 2, 5]))
        fails(WRONG, None, check_pair, worse, header)


def cut(proof: list[Record]):
    """The proof without its last step, and without one of the proofs of each branch, which is the last step."""
    *before, last = proof
    yield before
    for name in ("with", "without") if "take" in last else ():
        rest = {key: value for key, value in last.items() if key != name}
        yield [*before, rest]
        for part in cut(last[name]):
            yield [*before, {**rest, name: part}]


def test_each_branch_is_needed() -> None:
    record, header = made(RING, SQUARES)
    proofs = list(cut(record["proof"]))
    assert len(proofs) > 8
    for proof in proofs:
        fails(WRONG, None, check_pair, {**record, "proof": proof}, header)


# ---- each rule of a step, from its definition ------------------------------------------------------------------------

Pair = tuple[int, int]


def any_problem(rng: random.Random) -> tuple[dict[Pair, int], dict[tuple[Pair, Pair], int]]:
    """Gains between three variables and three."""
    all_pairs = [(i, a) for i in range(3) for a in range(3)]
    edges = [(one, two) for one in all_pairs for two in all_pairs if one[0] < two[0] and one[1] != two[1]]
    w = {ia: rng.randint(1, 4) for ia in sorted(rng.sample(all_pairs, rng.randint(0, 5)))}
    return w, {edge: rng.randint(1, 4) for edge in sorted(rng.sample(edges, rng.randint(0, 7)))}


def any_clique(rng: random.Random, elements: list[tuple[Pair, ...]]) -> list[tuple[Pair, ...]]:
    """Of these some of which no map of three variables has two."""
    maps = [set(enumerate(targets)) for targets in permutations([0, 1, 2, -1, -1, -1], 3)]
    found = []  # type: list[tuple[Pair, ...]]
    for one in rng.sample(elements, len(elements)):
        if not any(chosen.issuperset({*one, *two}) for two in found for chosen in maps):
            found.append(one)
    return found[: rng.randint(0, len(found))]


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_is_worth_as_much(seed: int) -> None:
    """Without the candidates that leave, the best map has what is taken, and the best one of what is left."""
    rng = random.Random(seed)
    for _ in range(100):
        w, g = any_problem(rng)
        candidates = sorted(set(w).union(*g))
        gone = set(rng.sample(candidates, rng.randint(0, len(candidates))))
        stay = {ia: gain for ia, gain in w.items() if ia not in gone}
        joint = {edge: gain for edge, gain in g.items() if gone.isdisjoint(edge)}
        rest, open_ends, goal = check_certificates.left(w, g, 100, gone)
        assert best_map(3, 3, stay, joint)[0] == best_map(3, 3, rest, open_ends)[0] + 100 - goal
        assert set(rest).union(*open_ends) <= set(stay).union(*joint)


@given(seed=st.integers(0, 2**32))
def test_a_step_is_what_its_definition_says(seed: int) -> None:
    """u[i] + v[a] must reach r[ia] = D·w[ia] + Σ_b s[ia, b] + Σ_j max(0, max_b (p[ia, jb] - s[ia, b])), and no less."""
    rng = random.Random(seed)
    w, g = any_problem(rng)
    scale, goal = 1 << (d := rng.randint(0, 2)), rng.randint(0, 12)
    split = [rng.randint(-2, scale * gain + 2) for gain in g.values()]
    candidates = sorted(set(w).union(*g))
    cliques = [[rng.randint(0, 3), *any_clique(rng, [*((ia,) for ia in candidates), *g])] for _ in range(2)]
    off = {one: sum(price for price, *some in cliques if one in some) for one in [*((ia,) for ia in candidates), *g]}
    inner = {(ia, b): rng.randint(0, 5) for ia in candidates for b in range(3) if rng.random() < 0.2}
    p = {ia: {} for ia in candidates}  # type: dict[Pair, dict[Pair, int]]
    for (one, two), gain, share in zip(g, g.values(), split, strict=True):
        p[one][two], p[two][one] = share, scale * gain - off[one, two] - share
    r = {
        ia: scale * w.get(ia, 0)
        - off[ia,]
        + sum(s for (here, _), s in inner.items() if here == ia)
        + sum(max([0, *(share - inner.get((ia, b), 0) for (k, b), share in p[ia].items() if k == j)]) for j in range(3))
        for ia in candidates
    }
    u = [max([0, *(need for (i, _), need in r.items() if i == k)]) + rng.choice([0, 0, 1]) for k in range(3)]
    step = {"d": d, "split": split, "inner": [[*ia, b, s] for (ia, b), s in inner.items()], "u": u, "v": [0, 0, 0]}
    step["cliques"] = cliques
    bound = sum(u) + sum(price for price, *_ in cliques)
    most = bound - scale * goal
    expected = {(i, a) for (i, a), need in r.items() if u[i] - need > most}
    gone = check_certificates.gone_after(step, w, g, goal)
    assert gone == (None if most < 0 else expected) and bound >= scale * best_map(3, 3, w, g)[0]
    if candidates:
        i, a = max(candidates, key=lambda ia: r[ia])
        if r[i, a] > 0:
            fails(Refused, "below", check_certificates.gone_after, {**step, "u": [r[i, a] - 1] * 3}, w, g, goal)


def test_each_number_of_a_clique() -> None:
    """Two places, at each of which three can be had by half, and one of them as a whole."""
    w, g, step = {}, {}, {"cliques": [], "u": [0] * 4, "v": [0] * 6}  # type: dict[Any, int], dict[Any, int], Record
    for i, a in ((0, 0), (2, 3)):
        one, two, three = ((i, a),), ((i + 1, a),), ((i, a + 1), (i + 1, a + 2))
        w[one[0]] = w[two[0]] = g[three] = 1
        step["cliques"].append([1, [[i, a]], [[i + 1, a]], [[i, a + 1], [i + 1, a + 2]]])
    proof = [step]
    check_proof(proof, 10, w, g, 3, [0])
    fails(Refused, "nothing is proven", check_proof, proof, 10, w, g, 2, [0])
    places = [place for place in numbers(proof) if place[1] == "cliques"]
    assert len(places) == 2 * (1 + 2 + 2 + 4)
    for place in places:
        for change in (-1, 1, 2, 0.0):
            wrong = copy.deepcopy(proof)
            put(wrong, place, change)
            fails(WRONG, None, check_proof, wrong, 10, w, g, 3, [0])
    one, two, three = step["cliques"][0][1:]
    elsewhere = step["cliques"][1][1]
    for members in ([one, one], [three, three], [one, two, three, elsewhere], [elsewhere, one, two]):
        fails(Refused, "not a clique", check_proof, [{**step, "cliques": [[1, *members]]}], 10, w, g, 3, [0])
    fails(Refused, "too long", check_proof, [{**step, "cliques": [[0, *[one] * 600]]}], 10, w, g, 3, [0])


def test_a_bound_that_is_the_goal() -> None:
    """The map that is claimed matches nothing, another one 1. A candidate in a map that reaches the goal stays."""
    graph = {"variables": ["a"], "triples": [[0, ":instance", "b"]]}
    _, header = made(*TEXTS)
    record = {"pred": graph, "gold": graph, "map": [-1], "matched": 0, "n_pred": 1, "n_gold": 1}
    closing = {"u": [0], "v": [0]}
    for proof in ([{"u": [1], "v": [0]}, closing], [{"d": 1, "u": [2], "v": [0]}, closing], [{"u": [5], "v": [3]}] * 2):
        fails(Refused, None, check_pair, {**record, "proof": proof}, header)
    branch = {"take": [0, 0], "with": [closing], "without": [closing]}
    # with it the goal is 0, and no bound is below
    fails(Refused, "nothing is proven", check_pair, {**record, "proof": [branch]}, header)
    assert check_pair({**record, "map": [0], "matched": 1, "proof": [{"u": [1], "v": [0]}]}, header)[3]


# ---- records that are none -------------------------------------------------------------------------------------------

TEXTS = ("(a / b :c (d / e) :quant 5)", "(x / b :c (y / f) :quant 6)")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"matched": 4}, r"matched, n_pred, n_gold: \[4, 5, 5\] claimed, \[3, 5, 5\] counted"),
        ({"matched": 3.0}, "expected a whole number"),
        ({"matched": True}, "expected a whole number"),
        ({"n_pred": 4}, "counted"),
        ({"map": [0, 0]}, "two variables are mapped to one"),
        ({"map": [0]}, "counted"),
        ({"map": [0, 7]}, "expected a whole number from 0 to 1"),
        ({"map": [0, -2]}, "expected a whole number from 0 to 1"),
        ({"map": None}, "not as certificates are written: TypeError"),
        ({"proof": []}, "nothing is proven"),
        ({"proof": [5]}, "not as certificates are written: AttributeError"),
        ({"proof": [{}]}, "not as certificates are written: KeyError"),
        ({"proof": [{"d": 41, "u": [], "v": []}]}, "from 0 to 40"),
        ({"proof": [{"split": [], "u": [9, 9], "v": [0, 0]}]}, "not as certificates are written: ValueError"),
        ({"proof": [{"u": [9, 9, 9], "v": [0, 0]}]}, "nothing is proven"),
        ({"proof": [{"u": [9], "v": [0, 0]}]}, "not as certificates are written: IndexError"),
        ({"proof": [{"u": [0, 0], "v": [0, 0]}]}, r"u\[0\] \+ v\[0\] is 0, below"),
        ({"proof": [{"u": [10**20, 9], "v": [0, 0]}]}, "expected a whole number"),
        ({"proof": [{"u": [-1, 9], "v": [0, 0]}]}, "expected a whole number"),
        ({"proof": [{"inner": [[0, 1, 0, 1]], "u": [9, 9], "v": [0, 0]}]}, "KeyError"),
        ({"proof": [{"inner": [[9, 0, 0, 1]], "u": [9, 9], "v": [0, 0]}]}, "a whole number from 0 to 2"),
        ({"proof": [{"inner": [[0, 9, 0, 1]], "u": [9, 9], "v": [0, 0]}]}, "a whole number from 0 to 2"),
        ({"proof": [{"inner": [[0, 0, 9, 1]], "u": [9, 9], "v": [0, 0]}]}, "a whole number from 0 to 2"),
        ({"proof": [{"inner": [[0, 0, 1, -5]], "u": [9, 9], "v": [0, 0]}]}, "a whole number"),
        ({"proof": [{"cliques": [[1, [[0, 1]]]], "u": [9, 9], "v": [0, 0]}]}, "KeyError"),
        ({"proof": [{"take": [0, 0], "with": [], "without": []}, {}]}, "nothing is proven"),
        ({"proof": [{"take": [0, 9], "with": [], "without": []}]}, "nothing is proven"),
        ({"proof": [{"take": [0, 0], "with": []}]}, "nothing is proven"),
        ({"pred": {"variables": ["a"], "triples": [[0, ":instance", 3]]}}, "expected a whole number from 0 to 0"),
        ({"pred": {"variables": ["a"], "triples": [[1, ":instance", "b"]]}}, "expected a whole number from 0 to 0"),
        ({"pred": {"variables": ["a"], "triples": [[0, ":instance", "b"]] * 2}}, "a triple stands there twice"),
        ({"pred": {"variables": ["a"], "triples": [[0, ":instance", ["b"]]]}}, "expected a whole number from 0 to 0"),
        ({"pred": {"variables": ["a"], "triples": [[0, ":instance", "b", 1]]}}, "expected 3 entries in a row"),
        ({"pred": {"variables": ["a", "b"], "triples": [[0, ":r", 1.0]]}}, "expected a whole number from 0 to 1"),
        ({"pred": {"variables": ["a", "b"], "triples": [[0, ":r", True]]}}, "expected a whole number from 0 to 1"),
        ({"pred": None}, "not as certificates are written"),
        ({"similar": {"e": {"f": 9**40}}}, "expected a whole number from 0 to 1"),
    ],
)
def test_records_that_are_refused(changes: Record, message: str) -> None:
    record, header = made(*TEXTS)
    assert check_pair(record, header) == (3, 5, 5, True)
    error = fails(WRONG, None, check_pair, {**record, **changes}, {**header, "similarities": [":instance"]})
    assert re.search(message, check_certificates.reason(error))


@pytest.mark.slow
def test_bombs() -> None:
    """What is too large is refused before it is computed."""
    record, header = made(*TEXTS)
    crowd = {"variables": ["a"] * 3000, "triples": [[k, ":instance", "b"] for k in range(3000)]}
    fails(Refused, "more than 80000 matches of triples", check_pair, {**record, "pred": crowd, "gold": crowd}, header)
    crowd = {"variables": ["a"] * 250, "triples": [[k, ":instance", "b"] for k in range(250)]}
    step = {"u": [2] * 250, "v": [0] * 250}
    long = {**record, "pred": crowd, "gold": crowd, "map": [-1] * 250, "matched": 0, "n_pred": 250, "n_gold": 250}
    fails(Refused, "the proof is too long", check_pair, {**long, "proof": [step] * 30}, header)
    # no candidate of these brings anything by itself, but each looks at a gain
    crowd = {"variables": ["a"] * 500, "triples": [[k, ":r", k + 1] for k in range(0, 500, 2)]}
    step = {"u": [500] * 500, "v": [0] * 500}
    long = {**record, "pred": crowd, "gold": crowd, "map": [-1] * 500, "matched": 0, "n_pred": 250, "n_gold": 250}
    fails(Refused, "the proof is too long", check_pair, {**long, "proof": [step] * 2}, header)
    deep: list[Record] = []
    for _ in range(2000):
        deep = [{"take": [1, 1], "with": deep, "without": []}]
    fails(RecursionError, None, check_pair, {**record, "proof": deep}, header)
    similar, header = {"b": {str(k): 1 for k in range(200_000)}}, {**header, "similarities": [":instance"]}
    fails(Refused, "more than 80000 matches of triples", check_pair, {**record, "similar": similar}, header)


def test_numbers_that_share_a_hash() -> None:
    """Multiples of 2^61 - 1 all hash to 0: a table of 60,000 of them would take a minute."""
    record, header = made(*TEXTS)
    alike = [k * (2**61 - 1) for k in range(60_000)]
    graph = record["pred"]
    rows = {**graph, "triples": [*graph["triples"], *([0, k, None] for k in alike)]}
    fails(Refused, "a role second", check_pair, {**record, "pred": rows}, header)
    sentences = {side: {**record[side], "sentences": [alike] * len(record[side]["variables"])} for side in SIDES}
    fails(Refused, "expected a whole number", check_pair, {**record, **sentences}, {**header, "sentences": True})
    for place in range(3):
        inner = [[*(k if p == place else 0 for p in range(3)), 0] for k in alike]
        wrong = {**record, "proof": [{**record["proof"][0], "inner": inner}]}
        fails(Refused, "expected a whole number", check_pair, wrong, header)
    assert check_pair(record, {**header, "similarities": alike}) == (3, 5, 5, True)
    fails(Refused, "a variable that is none in the text", check_certificates.compared, b"(a / b)", ["a", *alike])


# ---- files -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    fm.certificate(PRED, GOLD, out=tmp_path / "c.jsonl")
    return tmp_path / "c.jsonl"


def changed(path: Path, number: int, line: str | None) -> Path:
    lines = path.read_text("utf-8").splitlines()
    lines[number : number + 1] = [] if line is None else [line]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "JSONDecodeError"),
        ("[]", "not as certificates are written: TypeError"),
        ('{"pair": NaN}', "expected pair 2"),
        ('{"pair": 1e999}', "expected pair 2"),
        ("[" * 100_000, "RecursionError"),
        ('{"pair": ' + "9" * 5000 + "}", "ValueError"),
        ('{"pair": 3}', "expected pair 2"),
        ('{"pair": 2}', "not as certificates are written: KeyError"),
    ],
)
def test_a_line_that_is_none(certificates: Path, capsys: pytest.CaptureFixture[str], line: str, message: str) -> None:
    assert check(changed(certificates, 3, line), summary=True) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == 2 and out[0].startswith("pair 2: refused: ") and message in out[0]
    assert "39 checked, 0 without a proof, 0 skipped, 1 refused" in out[1]
    assert check(certificates, strict=True) == 1
    assert len(capsys.readouterr().out.splitlines()) == 3  # it stops there


def test_a_file_that_ends_too_early(certificates: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = certificates.read_bytes()
    for cut in (len(data) - 1, len(data) // 2):
        certificates.write_bytes(data[:cut])
        fails(Refused, r"pair \d+: the file ends before the end of this line", check, certificates)
    certificates.write_bytes(b"")
    fails(Refused, "an empty file", check, certificates)
    certificates.write_bytes(data + b"{}\n")
    fails(Refused, "no certificates of version 1, or too many lines", check, certificates)
    packed = certificates.with_suffix(".gz")
    packed.write_bytes(gzip.compress(data)[:-100])
    fails(Refused, r"pair \d+: .*Compressed file ended", check, packed)
    broken = bytearray(gzip.compress(data))
    broken[len(broken) // 2] ^= 255
    packed.write_bytes(broken)
    fails(Refused, None, check, packed)


def test_other_files(certificates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = tmp_path / "short.amr"
    short.write_text("(a / b)", "utf-8")
    fails(Refused, r"short.amr is not the file that was compared", check, certificates, (PRED, short))
    fails(Refused, "expected two files of graphs besides, or none", check, certificates, (PRED,))
    fails(FileNotFoundError, None, check, tmp_path / "missing")
    fails(Refused, "no certificates of version 1", check, changed(certificates, 0, '{"pairs": 3}'))
    for wrong in ({"pairs": -1}, {"pairs": 0, "unit": 0}, {"pairs": 0, "unit": False}, {"unit": 1.0}):
        header = {"fastmatch_certificates": 1, "unit": 1, **wrong, "plain": True, "similarities": []}
        fails(Refused, "expected a whole number", check, changed(certificates, 0, json.dumps(header)))


def test_other_graphs(certificates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each pair that differs is named; comments and space between graphs make no difference."""
    other = tmp_path / "other.amr"
    text = GOLD.read_text("utf-8")
    other.write_text("# a comment\r\n\r\n" + text.replace("\n", "\r\n").replace("\r\n\r\n", "\r\n \r\n\r\n"), "utf-8")
    assert check(certificates, (PRED, other), strict=True) == 0
    blocks = text.rstrip().split("\n\n")
    blocks[3], blocks[7] = blocks[7], blocks[3]
    blocks[20] = blocks[20].replace(" / ", "  / ", 1)
    other.write_text("\n\n".join(blocks), "utf-8")
    capsys.readouterr()
    assert check(certificates, (PRED, other), summary=True) == 1
    *refused, last = capsys.readouterr().out.splitlines()
    assert refused == [f"pair {k}: refused: gold: not the text that was compared" for k in (3, 7, 20)]
    assert last.startswith("37 checked, 0 without a proof, 0 skipped, 3 refused")
    # the text's hash is what is compared, whatever the file's is said to be
    record = json.loads(certificates.read_text("utf-8").splitlines()[5])
    record["pred"]["sha256"] = "0" * 32
    changed(certificates, 5, json.dumps(record))
    assert check(certificates, (PRED, GOLD), summary=True) == 1
    assert "pair 4: refused: pred: not the text that was compared" in capsys.readouterr().out


def test_triples_that_penman_does_not_read(certificates: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The files are those that were compared, and the certificate speaks of other graphs."""
    assert check(certificates, (PRED, GOLD)) == 0
    lines = certificates.read_text("utf-8").splitlines()
    other = json.loads(lines[1])
    record, _ = made(*TEXTS)
    changed(certificates, 1, json.dumps({**record, "pair": 0}))
    assert check(certificates) == 0
    capsys.readouterr()
    assert check(certificates, (PRED, GOLD), summary=True) == 1
    assert "pair 0: refused: a variable that is none in the text\n" in capsys.readouterr().out
    other["pred"]["triples"][1][2] += "-other"
    assert other["pred"]["triples"][1][1] == ":instance"
    changed(certificates, 1, json.dumps({**counted(other, json.loads(lines[0])), "proof": None}))
    assert check(certificates, (PRED, GOLD), summary=True) == 1
    assert "pair 0: refused: pred: other triples than those of the text" in capsys.readouterr().out


def test_a_file_that_nobody_can_read(certificates: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a text that is not the one that was compared nothing is read, so nothing of it can end the check."""
    broken = tmp_path / "broken.amr"
    broken.write_text(PRED.read_text("utf-8").replace("(", "((", 1), "utf-8")
    assert check(certificates, (broken, GOLD), summary=True) == 1
    assert "pair 0: refused: pred: not the text that was compared\n39 checked" in capsys.readouterr().out


# ---- a claim of other graphs than those of the texts has a proof, too -----------------------------------------------


def proven(record: Record, header: Record) -> None:
    """Give a record the best map of its triples, whatever they are, and a proof."""
    gains, joint_gains, *_ = check_certificates.problem_of(record, header)
    best = best_map(*(len(record[side]["variables"]) for side in SIDES), gains, joint_gains)[1]
    _fill(record, header, np.array(best, np.int32), True)
    assert check_pair(record, header)[3]


#: No map matches more than 4 of 7 triples and 7: both concepts, or both relations, do not go together.
CROSSED = ("(a / b :c (d / e) :f (g / h) :quant 5)", "(x / b :c (y / h) :f (z / e) :quant 6)")


class Forged:
    """Two files of one pair, and the lines of their certificate, to be changed."""

    def __init__(self, folder: Path, texts: tuple[str, str] = CROSSED, **options: Any) -> None:
        self.out, self.files = folder / "c.jsonl", (folder / "pred.amr", folder / "gold.amr")
        for path, text in zip(self.files, texts, strict=True):
            path.write_text(text, "utf-8")
        fm.certificate(*self.files, out=self.out, **options)
        self.header, *self.records = map(json.loads, self.out.read_text("utf-8").splitlines())

    @property
    def sides(self) -> list[Record]:
        return [self.records[0][side] for side in SIDES]

    def check(self, *, alone: bool = False) -> int:
        self.out.write_text("".join(f"{line}\n" for line in map(json.dumps, (self.header, *self.records))), "utf-8")
        return check(self.out, () if alone else self.files)


def test_odd_texts(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A variable that is named as the root's value; empty concepts, or none; a triple twice; nothing at all."""
    odd = (
        "(top / a :r (b / c))",
        '(d / "")',
        "(d)",
        "()",
        "(a / b :x y :x y :z-of 5)",
        '(a / b :x "" :y "c" :top top :domain (e / f))',
    )
    for text in odd:
        for pair in ((text, TEXTS[1]), (TEXTS[0], text), (text, text)):
            with caplog.at_level("WARNING", logger="penman"):
                assert Forged(tmp_path, pair).check() == 0, pair
    assert caplog.records == []  # penman has nothing to say on standard error


@pytest.mark.parametrize("number", [float, lambda k: k == 1])
def test_a_relation_to_a_value_that_equals_the_number_of_a_variable(tmp_path: Path, number: Any) -> None:
    """1.0 and true equal 1 in Python, and stand for no variable: relations would be attributes, and match alone."""
    forged = Forged(tmp_path, ("(a / b :c (d / e))", "(x / b :c (y / f))"))
    rows = [row for side in forged.sides for row in side["triples"] if row[1] == ":c"]
    for row in rows:
        row[2] = "one"
    proven(forged.records[0], forged.header)
    for row in rows:
        row[2] = number(1)
    assert forged.check() == 1 and forged.check(alone=True) == 1


def test_a_constant_that_is_called_a_variable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``:quant 5`` and ``:quant 6`` would be relations to two variables, and match."""
    forged = Forged(tmp_path, TEXTS)
    for side, constant in zip(forged.sides, "56", strict=True):
        side["variables"].append(constant)
        for row in side["triples"]:
            row[2] = 2 if row[2] == constant else row[2]
    proven(forged.records[0], forged.header)
    assert forged.records[0]["matched"] == 4 and forged.check() == 1
    assert "pair 0: refused: a variable that is none in the text" in capsys.readouterr().out


def test_triples_that_are_repeated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As smatch counts them; the triples of the texts stand there once."""
    forged = Forged(tmp_path)
    forged.header.update(duplicates="multiply", plain=False)
    for side in forged.sides:
        side["triples"] += [row for row in side["triples"] if row[2] == "b"] * 5
    proven(forged.records[0], forged.header)
    assert forged.check() == 0
    assert capsys.readouterr().out.endswith(", on trust: triples\n")
    forged.header["plain"] = True
    assert forged.check() == 1
    assert "pair 0: refused: a triple stands there twice" in capsys.readouterr().out


def test_a_graph_without_triples(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = Forged(tmp_path)
    for side in forged.sides:
        side["triples"] = []
    proven(forged.records[0], forged.header)
    assert forged.check() == 1
    assert "pair 0: refused: pred: other triples than those of the text" in capsys.readouterr().out


@pytest.mark.parametrize("weighted", [False, True])
def test_weights_with_limits_of_their_own(tmp_path: Path, weighted: bool) -> None:
    """The numbers behind a weight are no limits for it: it would be -3, and graphs would have fewer triples."""
    forged = Forged(tmp_path)
    forged.header["weights"] = weighted
    for side in forged.sides:
        for row in side["triples"]:
            row += [-3, -9, 9] if row[1] == ":quant" else [1] * weighted
    forged.records[0].update(n_pred=4, n_gold=4)
    assert forged.check() == 1


def test_only_some_pairs_of_the_files(tmp_path: Path) -> None:
    """The best ones; the files are those that were compared."""
    forged = Forged(tmp_path, tuple("\n\n".join(text) for text in zip(TEXTS, CROSSED, strict=True)))
    forged.header["pairs"] = 1
    del forged.records[1]
    fails(Refused, r"pred.amr is not the file that was compared", forged.check)


def test_more_pairs_than_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = Forged(tmp_path)
    forged.header.update(pairs=2, plain=False)
    forged.records.append({**copy.deepcopy(forged.records[0]), "pair": 1})
    for digest in ("", None, [], "0" * 64):
        for side in SIDES:
            forged.records[1][side]["sha256"] = digest
        assert forged.check() == 1
        assert "pair 1: refused: pred: not the text that was compared" in capsys.readouterr().out


def test_a_step_of_a_whole_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of real numbers the claim is that no map is better by a millionth."""
    forged = Forged(tmp_path, metric="s2match")
    assert forged.header["step"] == 1 << 10
    forged.header["step"] += 1
    assert forged.check() == 1
    assert "pair 0: refused: expected a whole number from 1 to 1024" in capsys.readouterr().out


def test_values_of_other_roles_do_not_match_in_part(tmp_path: Path) -> None:
    """A variable may have several, of which one would match twice."""
    forged = Forged(tmp_path, metric="softmatch", similarity={("h", "e"): 0.5})
    forged.header["similarities"].append(":quant")
    forged.records[0]["similar"]["5"] = {"6": forged.header["unit"]}
    assert forged.check(alone=True) == 0  # it has no effect


def test_two_roots_that_match_in_part(tmp_path: Path) -> None:
    """In a forged line: one root of the other graph would match both, so that more match than there are.

    A root is named by its own concept, so the second one matches nothing in part.
    """
    similarity = {("h", "e"): 0.5, ("i", "e"): 0.9}
    forged = Forged(tmp_path, ("(a / h)", "(x / e)"), metric="softmatch", top="concept", similarity=similarity)
    (record,), unit = forged.records, forged.header["unit"]
    assert check_certificates.problem_of(record, forged.header)[0] == {(0, 0): unit}
    record["pred"]["triples"].append([0, ":top", "i"])
    record["similar"]["i"] = {"e": unit * 9 // 10}
    assert check_certificates.problem_of(record, forged.header)[0] == {(0, 0): unit}


def test_what_is_on_trust(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the checker cannot know, it says so."""
    cases: tuple[tuple[Record, str], ...] = (
        ({"metric": "smatch++"}, "triples"),
        ({"metric": "s2match/tool"}, "triples, similarities"),
        ({"metric": "wsmatch"}, "weights"),
        ({"metric": "softmatch"}, "nothing"),
        ({"metric": "softmatch", "similarity": {("h", "e"): 0.5}}, "similarities"),
        ({"metric": "softmatch", "weight": lambda role, a, b: 1 + a + b}, "weights"),
        ({"metric": "docsmatch"}, "sentences"),
    )
    for options, told in cases:
        with warnings.catch_warnings(action="ignore"):  # of docsmatch: there are no sentences
            forged = Forged(tmp_path, **options)
        assert forged.check() == 0
        assert capsys.readouterr().out.endswith(f", on trust: {told}\n")
        forged.check(alone=True)
        assert ", on trust: triples" in capsys.readouterr().out


def test_texts_that_are_no_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their hash is right, and penman does not read one graph there: refused, without a traceback."""
    forged = Forged(tmp_path, ("(a / b)", "(a / b)"))
    for text in ("(a / b)\n(c / d)", "", "(", ")", "a", "(a / b :c", '(a / "', "(" * 5000, "\0"):
        forged.files[0].write_text(text + "\n\n(c / d)", "utf-8")
        forged.files[1].write_text("(a / b)\n\n(c / d)", "utf-8")
        forged.header["pairs"] = 2
        forged.records[0]["pred"]["sha256"] = check_certificates.texts_of(forged.files[0])[1][0][0]
        forged.records[1:] = [{"pair": 1, "skipped": "x", "proof": None}]
        if text == "":
            forged.header["pairs"], forged.records[1:] = 1, []
            forged.files[1].write_text("(a / b)", "utf-8")
        assert forged.check() == 1, text
        out = capsys.readouterr().out.splitlines()
        assert out[0].startswith("pair 0: refused: ") and len(out) == forged.header["pairs"] + 1


@pytest.mark.slow
def test_the_memory_of_two_long_lines(tmp_path: Path) -> None:
    """2 MiB of empty lists take 50 MB; those of a line are gone before the next one is read, and a header is short."""
    _, header = made(*TEXTS)
    line = "[" + ",".join(["[]"] * 699_000) + "]\n"
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({**header, "pairs": 2}) + "\n" + line * 2, "utf-8")
    tracemalloc.start()
    try:
        assert check(path) == 1
        assert tracemalloc.get_traced_memory()[1] < 75_000_000
    finally:
        tracemalloc.stop()
    path.write_text(json.dumps({**header, "more": [[]] * 200_000}) + "\n", "utf-8")
    fails(Refused, "JSONDecodeError", check, path)
