"""Box notation as three programs of the Parallel Meaning Bank read it, and the scores that they print.

ud-boxer (cc0bfbf), SBN-evaluation-tool (51f7ac0) and the scripts of PMB 5 (60ad482) make Penman text of a document, and
score that with mtool or smatch 1.0.4. Recorded are the texts, smatch's triples of them, and the counts of pairs: for
some invented documents in ``tests/data/recorded/boxes/sbn.json``, for more of them where ``FASTMATCH_DATA`` is.
"""

import json
import re
from pathlib import Path

import pytest

import fastmatch as fm

RECORDED = Path(__file__).parents[1] / "data" / "recorded" / "boxes" / "sbn.json"
#: Dialect → program and mode in the larger record.
MODES = {
    "sbn-ud-boxer": ("ud-boxer", "strict"),
    "sbn-ud-boxer-no-sense": ("ud-boxer", "no_sense"),
    "sbn-ud-boxer-lenient": ("ud-boxer", "ill_formed_allowed"),
    "sbn-evaluation": ("sbn-evaluation-tool", "strict"),
    "sbn-evaluation-lenient": ("sbn-evaluation-tool", "lenient"),
    "sbn-pmb5": ("pmb5", "strict"),
}
#: Column of the pairs → preset.
PRESETS = {
    "ud_strict": "ud-boxer",
    "ud_no_sense": "ud-boxer/no-sense",
    "et_strict": "sbn-evaluation",
    "et_lenient": "sbn-evaluation/lenient",
    "p5_strict": "pmb5",
}


def recorded():
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def all_recorded(data_dir: Path):
    """The larger record in the form of the smaller one."""
    folder = data_dir / "reference" / "sbn"
    samples = []
    for sample in json.loads((folder / "samples.json").read_text(encoding="utf-8")):
        texts = {}
        for dialect, (program, mode) in MODES.items():
            text = sample[program].get(mode)
            if text is not None or mode != "ill_formed_allowed":
                texts[dialect] = text if isinstance(text, str) else None
        made = {"name": sample["name"], "text": sample["text"], "penman": texts}
        if "triples" in sample["pmb5"]:
            made["triples"] = sample["pmb5"]["triples"]
        samples.append(made)
    header, *rows = [line.split("\t") for line in (folder / "pairs.tsv").read_text(encoding="utf-8").splitlines()]
    pairs = [[gold, json.loads(pred), *counts] for gold, pred, *counts in rows]
    return {"samples": samples, "columns": header[2:], "pairs": pairs}


@pytest.fixture(params=["some", "all"])
def record(request):
    if request.param == "some":
        return recorded()
    return all_recorded(request.getfixturevalue("data_dir"))


def of_penman(text: str, dialect: str) -> set[tuple[str, str, str]] | None:
    """The triples of a program's text as its scorer has them, but for tabs; None if it cannot read the text."""
    (graph,) = corpus = fm.parse([text], dialect="smatch", on_error="empty")
    if corpus.problems:
        return None
    concepts = {s: c for s, r, c in graph.triples if r == ":instance"}
    triples = set()
    for source, role, target in graph.triples:
        constant = target not in concepts and role != ":instance"
        if constant and role == ":TOP":  # smatch's own name for the root's triple
            if dialect == "sbn-pmb5":
                continue
            target = concepts[source]
        if constant and dialect != "sbn-pmb5":  # of a node's attributes with one role, mtool has the last
            triples = {triple for triple in triples if triple[:2] != (source, role) or triple[2] in concepts}
        triples.add((source, role, target))
    return triples


@pytest.mark.parametrize("dialect", MODES)
def test_what_is_read(record, dialect):
    """The documents that the program can write, and the triples of its text."""
    samples = [sample for sample in record["samples"] if dialect in sample["penman"]]
    corpus = fm.parse([sample["text"] for sample in samples], dialect=dialect, on_error="empty").validate()
    broken = {number for number, _ in corpus.problems}
    assert len(samples) > 1
    for number, sample in enumerate(samples):
        text = sample["penman"][dialect]
        wanted = None if text is None else of_penman(text, dialect)
        if wanted is None:
            assert number in broken, sample["name"]
            continue
        assert number not in broken, (sample["name"], dict(corpus.problems)[number])
        found = {(s, r, t.rstrip("\t")) for s, r, t in corpus[number].triples}
        # smatch loses an inverse role with a constant, mtool keeps it
        kept = {triple for triple in found if triple[1].endswith("-of")} if dialect != "sbn-pmb5" else set()
        assert found - kept == wanted - kept, sample["name"]


def test_triples_with_tabs(record):
    """What smatch makes of the text of PMB 5, in which tabs become a part of concepts."""
    samples = [sample for sample in record["samples"] if "triples" in sample]
    corpus = fm.parse([sample["text"] for sample in samples], dialect="sbn-pmb5")
    for graph, sample in zip(corpus, samples, strict=True):
        wanted = sorted((source, f":{role}", target) for role, source, target in sample["triples"] if role != "TOP")
        assert sorted(triple for triple in graph.triples if triple[1] != ":TOP") == wanted, sample["name"]
    assert any("\t\t\t" in target for graph in corpus for _, _, target in graph.triples)


@pytest.mark.parametrize("column", PRESETS)
def test_pairs(record, column):
    """Triples matched, of gold and of the prediction; which side cannot be written."""
    place = 2 + record["columns"].index(column)
    texts = {sample["name"]: sample["text"] for sample in record["samples"]}
    preset = PRESETS[column]
    golds = [texts[pair[0]] for pair in record["pairs"]]
    result = fm.score([pair[1] for pair in record["pairs"]], golds, preset=preset, on_error="empty")
    assert result.certified
    for k, pair in enumerate(record["pairs"]):
        wanted, pairs = pair[place], result.pairs
        found = f"{pairs.matched[k]}/{pairs.n_gold[k]}/{pairs.n_pred[k]}"
        if wanted[0].isdigit():
            assert found == wanted, pair
        else:
            matched, gold, pred = (int(count) for count in found.split("/"))
            empty = {"gold!": gold == 0, "pred!": pred == 0, "both!": gold == pred == 0, "scorer!": 0 in (gold, pred)}
            assert matched == 0 and empty[wanted], pair
            assert pairs.score[k] == 0


def test_what_the_script_prints(data_dir: Path) -> None:
    """``sbn_smatch.py``: the score of every line that both sides can write, and the mean over all lines."""
    folder = data_dir / "reference" / "sbn" / "pmb5"
    printed = (folder / "sbn_smatch.txt").read_text(encoding="utf-8")
    wanted = {int(number): float(score) for number, score in re.findall(r"^(\d+):([\d.]+)$", printed, re.MULTILINE)}
    mean = float(re.findall(r"average f1 smatch score: ([\d.]+)", printed)[0])
    ill = float(re.findall(r"ill-formed: ([\d.]+)", printed)[0])
    dialect = "sbn-pmb5"
    gold = fm.read(folder / "gold.sbn", dialect=dialect, on_error="empty")
    pred = fm.read(folder / "pred.sbn", dialect=dialect, on_error="empty", vocabulary=gold.vocabulary)
    broken_gold, broken_pred = ({number for number, _ in corpus.problems} for corpus in (gold, pred))
    assert len(gold) == len(pred) == 290
    assert wanted.keys() == set(range(290)) - broken_gold - broken_pred
    result = fm.score(pred, gold, preset="pmb5")
    assert result.certified
    for number, score in wanted.items():
        assert result.pairs.score[number] == pytest.approx(score, abs=1e-15)
    assert result.macro.f1 == pytest.approx(mean, abs=1e-14)
    assert len(broken_pred - broken_gold) / 290 == ill


def test_fine_grained_scores(data_dir: Path) -> None:
    """``sbn_smatch_fine_grained.py``: Smatch of changed texts, line by line and as a mean; bags of labels."""
    folder = data_dir / "reference" / "sbn" / "pmb5"
    found = fm.aspects(folder / "pred.sbn", folder / "gold.sbn", kind="pmb5", on_error="empty")
    broken = {problem.pair for problem in found.problems}
    for row in ("none", "role", "relation", "sense"):
        printed = (folder / f"fine_{row}.txt").read_text(encoding="utf-8")
        wanted = {int(number): float(score) for number, score in re.findall(r"^(\d+):([\d.]+)$", printed, re.MULTILINE)}
        mean = float(re.findall(r"average f1 smatch score under \w+ evaluation: ([\d.]+)", printed)[0])
        assert wanted.keys() == set(range(290)) - broken
        for number, score in wanted.items():
            assert found[row].pairs.score[number] == pytest.approx(score, abs=1e-15), (row, number)
        assert found[row].macro.f1 == pytest.approx(mean, abs=1e-14)
    # nothing is changed, whatever the expression was meant to find
    without_title = [
        [line for line in (folder / f"fine_{row}.txt").read_text(encoding="utf-8").splitlines() if ":" in line][:-2]
        for row in ("none", "operator")
    ]
    assert without_title[0] == without_title[1]
    printed = "".join((folder / f"fine_{kind}.txt").read_text(encoding="utf-8") for kind in ("node", "triple"))
    rows = re.findall(r"^(\w+) -> P: ([\d.]+) , R: ([\d.]+) , F: ([\d.]+)", printed, re.MULTILINE)
    assert len(rows) == 15
    assert all(scores.certified for scores in found.values())
    for row, first, second, both in rows:
        # gold is the script's first file, so its P is the recall
        scores = found[row].recall, found[row].precision, found[row].f1
        assert [f"{score:.3f}" for score in scores] == [f"{float(score):.3f}" for score in (first, second, both)], row
