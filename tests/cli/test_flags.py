"""Every flag that --help names is run here, and help lists what there is."""

import ast
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fastmatch
from fastmatch.report.model import FORMS
from fastmatch.runtime import threads
from fastmatch.runtime.progress import Steps

from support import toy_metric  # noqa: F401 - registers itself
from support.command_line import printed, run, verbs_of
from support.json_records import check_record

#: ``score`` of UMR documents, which has other flags.
DOCUMENTS = "score --metric jumatch"


def runs(before: str, listed: str) -> dict[str, str]:
    """Flag → the arguments of a run with it: what is listed behind ``before``, or only what follows ``--flag:``."""
    found = {"--help": "--help"}
    for each in " ".join(listed.split()).split(" | ") if listed else []:
        flag, whole, arguments = each.partition(": ")
        found[flag.split()[0]] = arguments if whole else f"{before} {each}"
    return found


#: Flags of all verbs that score with a metric.
METRIC = """
    --metric smatch | --dialect smatchpp | --preset smatch | --solver climb | --top concept | --duplicates multiply |
    --triples instance | --effort low | --time-limit 5 | --compress | --within document | --workers 2 |
    --on-error empty | --quiet | --restarts 1 --solver climb | --seed 7 --solver climb |
"""
#: Flags of the verbs that compare each graph with each other.
PAIRS = """
    --metric wlk | --preset smatch | --solver ilp | --top concept | --duplicates multiply | --triples instance |
    --restarts 1 --solver climb | --seed 7 --solver climb | --effort high | --time-limit 5 | --compress |
    --within document | --cutoff 40 | --score-cutoff 40 | --workers 2 | --on-error empty | --quiet |
    --dialect smatch |
"""
#: One run per flag; ``{}`` stands for the two files.
# fmt: off
FLAGS = {
    "score": runs("{}", METRIC + """
        --pair-by id | --unpaired empty --pair-by id | --solver ilp | --aspects enhanced |
        --aspect WIKI --aspects smatch++ --aspect NER | --aspect-align each --aspects smatch++ |
        --frames frames.txt --aspects smatch++ | --bootstrap 50 | --confidence 0.9 --bootstrap 50 |
        --bootstrap-method percentile --bootstrap 50 | --bootstrap-seed 7 --bootstrap 50 |
        --pred-field: out.jsonl gold.jsonl --pred-field answer --gold-field amr |
        --gold-field: out.jsonl --pred-field answer --gold-field amr |
        --extract: out.jsonl --pred-field answer --gold-field amr --extract | --per-pair out.tsv |
        --certificate out.jsonl.gz | --worst 2 | --baseline: pred.amr {} --markdown --baseline pred.amr --bootstrap 50 |
        --fail-under 10 | --plot p.svg
    """),
    "metrics": runs("smatch", "--json"),
    "compare": runs("pred.amr {0}", METRIC + """
        --per-pair out.tsv | --worst: gold.amr {0} --worst 2 | --aspects enhanced --resamples 50 |
        --aspect WIKI --aspects smatch++ --resamples 50 | --aspect-align each --aspects smatch++ --resamples 50 |
        --frames frames.txt --aspects smatch++ --resamples 50 | --pair-by id | --unpaired empty --pair-by id |
        --gold: {0} --gold gold.amr |
        --pred-field: out.jsonl out.jsonl gold.jsonl --pred-field answer --gold-field amr |
        --gold-field: out.jsonl out.jsonl --gold gold.jsonl --pred-field answer --gold-field amr |
        --extract: out.jsonl out.jsonl gold.jsonl --pred-field answer --gold-field amr --extract | --against all |
        --correction bonferroni | --resamples 50 | --confidence 0.9 | --bootstrap-method percentile |
        --bootstrap-seed 7 | --plot p.svg --resamples 50
    """),
    "agreement": runs("{}", METRIC + """
        --pred-field: out.jsonl --pred-field answer --pred-field amr |
        --extract: out.jsonl out.jsonl --pred-field answer --extract | --pair-by id | --unpaired skip --pair-by id |
        --bootstrap 50 | --confidence 0.9 --bootstrap 50 | --bootstrap-method percentile --bootstrap 50 |
        --bootstrap-seed 7 --bootstrap 50
    """),
    "check": runs("certificates.jsonl", "--strict | --summary {}"),
    "ensemble": runs("pred.amr {0} -o out.amr", """
        --output: pred.amr {0} --output out.amr | --method graphene-smatch | --weights 2,1,1 |
        --pred-field: lists.jsonl --pred-field answers -o out.amr |
        --gold-field: lists.jsonl --pred-field answers --gold gold.jsonl --gold-field amr -o out.amr |
        --extract: lists.jsonl --pred-field answers --extract -o out.amr | --dialect smatchpp --method select |
        --metric smatch++ | --preset smatch --method select | --solver climb | --top concept |
        --duplicates bag --method select | --triples instance --method select | --restarts 1 --solver climb |
        --seed 7 --solver climb | --effort low | --time-limit 5 | --compress --method select | --within document |
        --pair-by id | --unpaired empty --pair-by id | --gold gold.amr --resamples 50 | --resamples 50 --gold gold.amr |
        --confidence 0.9 --gold gold.amr --resamples 50 | --bootstrap-method percentile --gold gold.amr --resamples 50 |
        --bootstrap-seed 7 --gold gold.amr --resamples 50 | --workers 2 | --on-error empty | --quiet |
        --page: pred.amr {0} -o best.amr --page page.html | --votes votes.tsv
    """),
    "align": runs("{}", METRIC + """
        --pair-by id | --unpaired empty --pair-by id | --text: --text '(a / b)' '(c / b)' | --index 9 | --id sample.3 |
        --worst 2 | --page - | --certificate out.jsonl --worst 2 | --more pred.amr --page - |
        --frames frames.txt --index 0 --page - | --view sides |
        --pred-field: out.jsonl gold.jsonl --pred-field answer --gold-field amr |
        --gold-field: out.jsonl --pred-field answer --gold-field amr |
        --extract: out.jsonl --pred-field answer --gold-field amr --extract
    """),
    "standardize": runs("pred.amr", """
        --output: pred.amr --steps reify -o /dev/stdout | --steps lower-case,drop-quotes,dereify |
        --table smatch++ --steps reify | --dialect smatch --steps smatch++ | --on-error skip --steps drop-wiki |
        --triples --steps smatch++
    """),
    "bench rare": runs("pred.amr", """
        --metric smatch,top=concept --metric rematch/tool | --embeddings vectors.txt --metric wwlk |
        --split train --split dev | --preset tool | --seed 3 | --write pairs | --workers 2 | --quiet
    """),
    "bench principles": runs("{} --runs 2", """
        --metric smatch,top=concept | --embeddings vectors.txt --metric wwlk | --runs: {} --runs 2 | --seed 3 |
        --workers 2 | --quiet | --probes 5 | --plot p.svg
    """),
    "bench optima": runs("{}", "--preset smatch++/reify | --runs 3 | --seed 3 | --workers 2"),
    "bench space": runs("{}", """
        --metric smatch --metric rematch | --embeddings vectors.txt --metric smatch --metric wlk
    """),
    "bench impact": runs("gold.amr", "--longest 4"),
    "bench ranking": runs("{} gold.amr", """
        --metric smatch --metric wlk | --embeddings vectors.txt --metric wwlk --metric smatch | --workers 2
    """),
    "docamr": runs("documents.amr", """
        --output: documents.amr -o /dev/stdout | --rep merge-all | --flipped | --coref: gold.amr --coref coref.txt |
        --coref-root: gold.amr --coref list.fof --coref-root . | --no-coref: gold.amr --coref coref.txt --no-coref |
        --pairs same-entity | --preset tool
    """),
    DOCUMENTS: runs("{umr}", """
        --metric jumatch | --preset tool | --effort low --metric jumatch | --only concept,ARG0 --metric jumatch |
        --except :aspect --metric jumatch | --top --metric jumatch | --no-document-level --metric jumatch |
        --per-role roles.tsv --metric jumatch | --bootstrap 20 --metric jumatch |
        --confidence 0.9 --metric jumatch --bootstrap 20 |
        --bootstrap-method percentile --metric jumatch --bootstrap 20 |
        --bootstrap-seed 3 --metric jumatch --bootstrap 20 | --per-pair sentences.tsv | --on-error empty | --quiet |
        --ancast-standard tool --metric ancast | --ancast-alpha 0.3 --metric ancast |
        --ancast-beta 0.001 --metric ancast | --ancast-sense 0.5 --metric ancast |
        --ancast-anchors alignment --metric ancast | --ancast-neighbours 2 --metric ancast |
        --ancast-hops apart --metric ancast | --ancast-ops name --metric ancast |
        --ancast-concept pred --metric ancast | --ancast-similarity names --metric ancast |
        --ancast-weight outer --metric ancast | --ancast-ties jaccard --metric ancast
    """),
    "train wwlk": runs("{train} -o theta.tsv", """
        --output: {train} --output theta.tsv | --dev gold.amr pred.amr - | --test gold.amr pred.amr y |
        --plot curve.svg | --batch 4 | --rate 0.5 | --every: {train} -o theta.tsv | --looks: {train} -o theta.tsv |
        --patience 1 | --seed 3 | --preset tool | --embeddings vectors.txt | --wwlk-k 1 | --wwlk-edge-weights ones |
        --wwlk-weights weights.tsv | --wwlk-edges weights | --wwlk-direction 2-way | --wwlk-update tool |
        --wwlk-oov zero --embeddings vectors.txt | --wwlk-stability 0 | --wwlk-variant precision | --wwlk-clip |
        --no-wwlk-clip | --wwlk-standard tool | --quiet | --json
    """),
    "train softoverlap": runs("{own} -o par.tsv", """
        --output: {own} --output par.tsv | --train gold.amr pred.amr - | --dev gold.amr pred.amr - | --leave-out sick |
        --plot curve.svg | --steps 3 | --map-steps 2 --embeddings vectors.txt | --rate 0.01 | --every 1 | --patience 1 |
        --share 0.5 | --genres: bamboo -o par.tsv --genres --steps 2 | --fixed rank --fixed map | --agreement 0.8 |
        --transfer | --embeddings vectors.txt | --softoverlap-parameters start.tsv | --softoverlap-smatch 0 | --quiet |
        --json
    """),
    "bench bamboo": runs("bamboo", """
        --metric all --metric sema/tool | --embeddings vectors.txt --metric s2match --metric smatch |
        --protocol spearman | --split test | --workers 2 | --quiet
    """),
    "bench judgements": runs("{} y", """
        --metric smatch --metric sema/tool | --embeddings vectors.txt --metric s2match |
        --pred-field: judged.jsonl --pred-field a --gold-field b --label-field y |
        --gold-field: judged.jsonl --pred-field a --gold-field b --label-field y |
        --extract: judged.jsonl --pred-field a --gold-field b --label-field y --extract |
        --label-field: {} judged.jsonl --label-field y |
        --group-field: {} judged.jsonl --label-field y --group-field g |
        --other-field: judged.jsonl --pred-field a --gold-field b --other-field a --label-field p | --kind graded |
        --classes 0,1,2,3,4,5,6 | --yes-from 4 | --bamboo bamboo --resamples 5 | --rare pred.amr | --resamples 5 |
        --permutations 5 --metric smatch --metric wlk | --confidence 0.9 | --test acc_eq --metric smatch --metric wlk |
        --test-groups: {} judged.jsonl --label-field y --group-field g --test-groups | --seed 3 | --on-error empty |
        --workers 2 | --quiet | --plot p.svg
    """),
    "demo": runs("", ""),
    "matrix": runs("{} -o m.npy", PAIRS + """
        --output: {} --output m.npy | --dtype float16 | --resume | --plot: gold.amr --plot p.svg |
        --plot-as: gold.amr --plot p.svg --plot-as map | --groups: gold.amr --groups g.tsv |
        --unique: gold.amr --unique u.amr | --pred-field: out.jsonl -o m.npy --pred-field answer |
        --gold-field: out.jsonl -o m.npy --pred-field answer --gold-field amr |
        --extract: out.jsonl gold.amr -o m.npy --pred-field answer --extract
    """),
    "search": runs("{}", PAIRS + """
        --output: {} -o m.parquet | --resume -o m.parquet | --sentences | --pred-field: out.jsonl --pred-field answer |
        --gold-field: out.jsonl --pred-field answer --gold-field amr |
        --extract: out.jsonl gold.amr --pred-field answer --extract
    """),
    "bench grapes": runs("GrAPES --pred p.txt", """
        --pred: GrAPES --pred a=p.txt --pred b=p.txt | --gold: GrAPES --gold GrAPES/corpus/corpus.txt --pred p.txt |
        --gold-testset: GrAPES --gold-testset GrAPES/testset.txt --pred-testset t.txt |
        --pred-testset t.txt --gold-testset GrAPES/testset.txt | --category long_lists --category cp_recursion |
        --smatch --category cp_recursion | --preset tool |
        --pair-by: GrAPES --pred GrAPES/corpus/corpus.txt --pair-by id | --per-item items.tsv | --write csv |
        --workers 2 --category cp_recursion --smatch | --quiet
    """),
}
# fmt: on

#: Verbs that make reports, which have every form, and a run of each.
REPORTS = {
    "ensemble": "pred.amr {} -o best.amr",
    "score": "{}",
    "align": "{} --index 3",
    "compare": "pred.amr {0}",
    "agreement": "pred.amr {}",
    DOCUMENTS: "{umr}",
    "bench judgements": "{} y",
    "bench bamboo": "bamboo",
    "bench rare": "pred.amr",
    "bench principles": "{} --runs 2",
    "bench grapes": "GrAPES --pred p.txt",
    "bench optima": "{}",
    "bench space": "{}",
    "bench impact": "gold.amr",
    "bench ranking": "{} gold.amr --metric smatch --metric wlk",
    "metrics": "smatch wlk",
    "search": "{}",
    "train wwlk": "{train} -o theta.tsv",
    "train softoverlap": "{own} -o found.tsv",
}
for _verb, _run in REPORTS.items():
    FLAGS[_verb] |= {f"--{form}": f"{_run} --{form}" for form in FORMS if form != "text"}


def test_there_are_flags_for_every_verb(tmp_path: Path) -> None:
    assert set(verbs_of(run("--help", cwd=tmp_path).stdout)) <= set(FLAGS)


@pytest.mark.parametrize("verb", FLAGS)
def test_every_flag_in_help_is_run_here(tmp_path: Path, verb: str) -> None:
    text = run(*verb.split(), "--help-all", cwd=tmp_path).stdout
    heads = re.findall(r"^  (-.+?)(?:   |$)", text, re.MULTILINE)  # the names of a flag, before what it means
    assert set(re.findall(r"--[a-z-]+", " ".join(heads))) == {*FLAGS[verb], "--help-all"}
    short = run(*verb.split(), "--help", cwd=tmp_path).stdout
    assert len(short.splitlines()) <= 84
    name = verb.partition(" --")[0]
    assert (short == text) or re.search(rf"^[0-9]+ more options: fastmatch {name} --help-all$", short, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("score one.amr one.amr --within sentences", "--within 'sentences' has no effect: no graph has a sentence"),
        ("align one.amr one.amr --metric docsmatch --json", "the score is that of --within 'document'"),
        ("ensemble one.amr two.amr -o out.amr", "ties go to the first (--weights tells which of them counts more)"),
    ],
)
def test_warnings_name_flags(here, arguments, message, capfd):
    for name, text in (("one.amr", "(a / b)\n"), ("two.amr", "(a / c)\n")):
        (here / name).write_text(text, encoding="utf-8")
    said = printed(capfd, *arguments.split()).err.splitlines()
    lines = [line for line in said if line.startswith("fastmatch: warning: ")]
    assert len(lines) == 1 and message in lines[0]


#: Verbs that say on standard error how far they are.
PROGRESS = ("bench bamboo", "bench judgements", "bench principles", "bench rare", "train softoverlap", "train wwlk")


@pytest.fixture
def running(monkeypatch):
    """How many threads are asked for, and whether a bar of progress is, wherever pairs are counted."""
    seen = {"workers": set(), "progress": set()}
    spread, begin = threads.spread, Steps.__init__

    def spreading(work, chunks, total, workers, *more, **options):
        seen["workers"].add(workers)
        spread(work, chunks, total, workers, *more, **options)

    def beginning(self, progress, *more, **options):
        seen["progress"].add(progress)
        begin(self, progress, *more, **options)

    monkeypatch.setattr(threads, "INLINE", 1e-9)
    monkeypatch.setattr(threads, "spread", spreading)
    monkeypatch.setattr(Steps, "__init__", beginning)
    return seen


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyparsing, in the lowest version of matplotlib
@pytest.mark.parametrize(("verb", "flag"), [(verb, flag) for verb in FLAGS for flag in FLAGS[verb] if flag != "--help"])
def test_flag(few, verb, flag, capfd, running):
    """In this process, as there are many; that these are verbs of the program is tested by other runs."""
    if flag.startswith("--plot"):
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")
    if "parquet" in FLAGS[verb][flag]:
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    folder = few
    (folder / "frames.txt").write_text("go-01  ARG0: goer  ARG4: destination\n", encoding="utf-8")
    for name in ("out", "gold"):
        (folder / f"{name}.jsonl").write_text('{"answer": "(a / b)", "amr": "(c / d)"}\n', encoding="utf-8")
    if verb == "check":
        fastmatch.certificate(folder / "pred.amr", folder / "gold.amr", out=folder / "certificates.jsonl")
    (folder / "lists.jsonl").write_text('{"answers": ["(a / b)", "(a / c)", "(d / b)"]}\n', encoding="utf-8")
    (folder / "vectors.txt").write_text("cat 1 0\ngo 0 1\nmap 1 1\n", encoding="utf-8")
    (folder / "weights.tsv").write_text(":arg0\t0.5\n", encoding="utf-8")
    if verb == "bench grapes":
        mini = Path(__file__).parents[1] / "data" / "grapes" / "mini"
        shutil.copytree(mini, folder / "GrAPES")
        for name, kind in (("p", "grapes"), ("t", "testset")):
            shutil.copy(mini / "pred" / "a" / f"{kind}.txt", folder / f"{name}.txt")
    (folder / "start.tsv").write_text("rank\t2\n", encoding="utf-8")
    (folder / "y").write_text("".join(f"{k % 7}\n" for k in range(12)), encoding="utf-8")
    rows = [{"a": "(a / b)", "b": "(a / c)", "y": k % 7, "p": k % 3 / 2, "g": k % 2} for k in range(12)]
    (folder / "judged.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    coref = "document d\nsentence sample.1\nsentence sample.2\nchain c s1.l s1.m\n"
    (folder / "coref.txt").write_text(coref, encoding="utf-8")
    documents = "(d / document :snt1 (a / boy :coref-of (c / coref-entity)) :snt2 (b / he :coref-of c :same-entity a))"
    (folder / "documents.amr").write_text(documents, encoding="utf-8")
    (folder / "list.fof").write_text("coref.txt\n", encoding="utf-8")
    task = folder / "bamboo" / "sts" / "main"
    task.mkdir(parents=True)
    for side, name in (("src", "gold"), ("tgt", "pred")):
        shutil.copy(folder / f"{name}.amr", task / f"{side}.test.amr")
        shutil.copy(Path(__file__).parents[1] / "data" / f"umr-{name}.umr", folder / f"{name}.umr")
    shutil.copy(folder / "y", task.parent / "test.y")
    if flag == "--genres":
        (task.parent / "orig.train.txt").write_text("main-news\tx\nmain-forum\ty\n" * 6, encoding="utf-8")
        for split in ("train", "dev"):
            shutil.copy(folder / "y", task.parent / f"{split}.y")
            for side in ("src", "tgt"):
                shutil.copy(task / f"{side}.test.amr", task / f"{side}.{split}.amr")
    files = {"umr": "pred.umr gold.umr", "train": "pred.amr gold.amr y --every 2 --looks 2"}
    files["own"] = "--train pred.amr gold.amr y --steps 2 --map-steps 1"
    arguments = shlex.split(FLAGS[verb][flag].format("pred.amr gold.amr", **files))
    if "/dev/stdout" in arguments:
        command = [sys.executable, "-m", "fastmatch", *verb.split(), *arguments]
        assert subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
        return
    out, err = printed(capfd, *verb.split(), *arguments)
    assert out
    assert err == "" or verb in PROGRESS
    if (
        flag in ("--workers", "--quiet") and "--workers" in FLAGS[verb] and verb != "align"
    ):  # of one pair, in one thread
        assert running["workers"] == {2} or (flag == "--quiet" and running["workers"] <= {1})
        assert (True in running["progress"]) == (flag == "--workers" and "--quiet" in FLAGS[verb])
    if flag == "--json":
        check_record(verb.partition(" --")[0], json.loads(out))


def test_the_command_line_knows_no_metric_by_name() -> None:
    """It asks the registry and the options of metrics; only verbs that are about one metric say which."""
    from fastmatch.metrics.names import BUILT_IN

    package = Path(fastmatch.__file__).parent
    found = {
        (path.name, node.value)
        for folder in ("cli", "report")
        for path in (package / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in BUILT_IN
    }
    assert found == {("train.py", "wwlk"), ("train.py", "softoverlap")}


def test_help_of_standardize_lists_every_step_and_preset(tmp_path: Path) -> None:
    from fastmatch.graphs.standardization import steps

    text = run("standardize", "--help", cwd=tmp_path).stdout
    assert {*steps.PRESETS, *steps.STEPS} <= set(re.findall(r"[a-z+/-]+", re.sub(r"-\n +", "-", text)))


@pytest.mark.slow
def test_help_lists_the_presets_of_the_metric(tmp_path: Path) -> None:
    text = run("score", "--help-all", cwd=tmp_path).stdout
    assert re.search(r"presets of smatch:\n  smatch +standard=smatch, duplicates=multiply\n", text)
    text = run("align", "--metric=rematch", "--help", cwd=tmp_path).stdout
    assert "presets of rematch:\n  tool  standard=tool\n" in text
    text = run("score", "--metric", "no-such", "--help", cwd=tmp_path).stdout
    assert "presets of" not in text and text.endswith("more options: fastmatch score --help-all\n")


def test_flags_of_a_metric(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A metric's own options become flags, known when it is named."""
    files = ["score", "pred.amr", "gold.amr"]
    text = " ".join(printed(capsys, *files, "--metric", "toy", "--help")[0].split())
    assert "--toy-counting {bag,set} whether a repeated concept counts again (default: bag)" in text
    record = json.loads(printed(capsys, *files, "--toy-counting", "set", "--metric=toy", "--json")[0])
    assert record["signature"].startswith("toy|counting:set|")
    assert printed(capsys, *files, "--metric", "toy", "--per-pair", "-", "--quiet")[0].startswith("index\tid\tscore\t")
    for flags, message in (
        (("--toy-counting", "set"), "unknown option '--toy-counting'"),
        (("--metric", "toy", "--solver", "ilp"), "--solver: toy does not have this option"),
        (("--metric", "toi"), "--metric 'toi': expected one of"),
    ):
        assert message in printed(capsys, *files, *flags, status=2)[1]
