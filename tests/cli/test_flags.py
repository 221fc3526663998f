"""Every flag that --help names is run here, and help lists what there is."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

import fastmatch
from fastmatch.report.model import FORMS

from support.command_line import run, run_apart, verbs_of
from support.json_records import check_record

#: ``score`` of UMR documents, which has other flags.
DOCUMENTS = "score --metric jumatch"

#: One run per flag; ``{}`` stands for the two files.
FLAGS = {
    "score": {
        "--help": "--help",
        "--pair-by": "{} --pair-by id",
        "--unpaired": "{} --pair-by id --unpaired empty",
        "--metric": "{} --metric smatch",
        "--dialect": "{} --dialect smatchpp",
        "--preset": "{} --preset smatch",
        "--solver": "{} --solver ilp",
        "--top": "{} --top concept",
        "--duplicates": "{} --duplicates multiply",
        "--triples": "{} --triples instance",
        "--restarts": "{} --solver climb --restarts 1",
        "--seed": "{} --solver climb --seed 7",
        "--effort": "{} --effort low",
        "--time-limit": "{} --time-limit 5",
        "--aspects": "{} --aspects enhanced",
        "--aspect": "{} --aspects smatch++ --aspect WIKI --aspect NER",
        "--aspect-align": "{} --aspects smatch++ --aspect-align each",
        "--frames": "{} --aspects smatch++ --frames frames.txt",
        "--compress": "{} --compress",
        "--within": "{} --within document",
        "--bootstrap": "{} --bootstrap 50",
        "--confidence": "{} --bootstrap 50 --confidence 0.9",
        "--bootstrap-method": "{} --bootstrap 50 --bootstrap-method percentile",
        "--bootstrap-seed": "{} --bootstrap 50 --bootstrap-seed 7",
        "--workers": "{} --workers 2",
        "--on-error": "{} --on-error empty",
        "--pred-field": "out.jsonl gold.jsonl --pred-field answer --gold-field amr",
        "--gold-field": "out.jsonl --pred-field answer --gold-field amr",
        "--extract": "out.jsonl --pred-field answer --gold-field amr --extract",
        "--quiet": "{} --quiet",
        "--per-pair": "{} --per-pair out.tsv",
        "--certificate": "{} --certificate out.jsonl.gz",
        "--worst": "{} --worst 2",
        "--baseline": "pred.amr {} --markdown --baseline pred.amr --bootstrap 50",
        "--fail-under": "{} --fail-under 10",
        "--plot": "{} --plot p.svg",
    },
    "metrics": {"--help": "--help", "--json": "smatch --json"},
    "compare": {
        "--per-pair": "pred.amr {0} --per-pair out.tsv",
        "--worst": "gold.amr {0} --worst 2",
        "--aspects": "pred.amr {0} --aspects enhanced --resamples 50",
        "--aspect": "pred.amr {0} --aspects smatch++ --aspect WIKI --resamples 50",
        "--aspect-align": "pred.amr {0} --aspects smatch++ --aspect-align each --resamples 50",
        "--frames": "pred.amr {0} --aspects smatch++ --frames frames.txt --resamples 50",
        "--help": "--help",
        "--pair-by": "pred.amr {0} --pair-by id",
        "--unpaired": "pred.amr {0} --pair-by id --unpaired empty",
        "--gold": "{0} --gold gold.amr",
        "--pred-field": "out.jsonl out.jsonl gold.jsonl --pred-field answer --gold-field amr",
        "--gold-field": "out.jsonl out.jsonl --gold gold.jsonl --pred-field answer --gold-field amr",
        "--extract": "out.jsonl out.jsonl gold.jsonl --pred-field answer --gold-field amr --extract",
        "--metric": "pred.amr {0} --metric smatch",
        "--dialect": "pred.amr {0} --dialect smatchpp",
        "--preset": "pred.amr {0} --preset smatch",
        "--solver": "pred.amr {0} --solver ilp",
        "--top": "pred.amr {0} --top concept",
        "--duplicates": "pred.amr {0} --duplicates multiply",
        "--triples": "pred.amr {0} --triples instance",
        "--restarts": "pred.amr {0} --solver climb --restarts 1",
        "--seed": "pred.amr {0} --solver climb --seed 7",
        "--effort": "pred.amr {0} --effort proof",
        "--time-limit": "pred.amr {0} --time-limit 5",
        "--compress": "pred.amr {0} --compress",
        "--within": "pred.amr {0} --within document",
        "--against": "pred.amr {0} --against all",
        "--correction": "pred.amr {0} --correction bonferroni",
        "--resamples": "pred.amr {0} --resamples 50",
        "--confidence": "pred.amr {0} --confidence 0.9",
        "--bootstrap-method": "pred.amr {0} --bootstrap-method percentile",
        "--bootstrap-seed": "pred.amr {0} --bootstrap-seed 7",
        "--workers": "pred.amr {0} --workers 2",
        "--on-error": "pred.amr {0} --on-error empty",
        "--quiet": "pred.amr {0} --quiet",
        "--plot": "pred.amr {0} --resamples 50 --plot p.svg",
    },
    "agreement": {
        "--help": "--help",
        "--pred-field": "out.jsonl --pred-field answer --pred-field amr",
        "--extract": "out.jsonl out.jsonl --pred-field answer --extract",
        "--pair-by": "{} --pair-by id",
        "--unpaired": "{} --pair-by id --unpaired skip",
        "--metric": "{} --metric smatch",
        "--dialect": "{} --dialect smatchpp",
        "--preset": "{} --preset smatch",
        "--solver": "{} --solver climb",
        "--top": "{} --top concept",
        "--duplicates": "{} --duplicates multiply",
        "--triples": "{} --triples instance",
        "--restarts": "{} --solver climb --restarts 1",
        "--seed": "{} --solver climb --seed 7",
        "--effort": "{} --effort low",
        "--time-limit": "{} --time-limit 5",
        "--compress": "{} --compress",
        "--within": "{} --within document",
        "--bootstrap": "{} --bootstrap 50",
        "--confidence": "{} --bootstrap 50 --confidence 0.9",
        "--bootstrap-method": "{} --bootstrap 50 --bootstrap-method percentile",
        "--bootstrap-seed": "{} --bootstrap 50 --bootstrap-seed 7",
        "--workers": "{} --workers 2",
        "--on-error": "{} --on-error empty",
        "--quiet": "{} --quiet",
    },
    "check": {
        "--help": "--help",
        "--strict": "certificates.jsonl --strict",
        "--summary": "certificates.jsonl {} --summary",
    },
    "ensemble": {
        "--help": "--help",
        "--output": "pred.amr {0} --output out.amr",
        "--method": "pred.amr {0} -o out.amr --method graphene-smatch",
        "--weights": "pred.amr {0} -o out.amr --weights 2,1,1",
        "--pred-field": "lists.jsonl --pred-field answers -o out.amr",
        "--gold-field": "lists.jsonl --pred-field answers --gold gold.jsonl --gold-field amr -o out.amr",
        "--extract": "lists.jsonl --pred-field answers --extract -o out.amr",
        "--dialect": "pred.amr {0} -o out.amr --method select --dialect smatchpp",
        "--metric": "pred.amr {0} -o out.amr --metric smatch++",
        "--preset": "pred.amr {0} -o out.amr --preset smatch --method select",
        "--solver": "pred.amr {0} -o out.amr --solver climb",
        "--top": "pred.amr {0} -o out.amr --top concept",
        "--duplicates": "pred.amr {0} -o out.amr --method select --duplicates bag",
        "--triples": "pred.amr {0} -o out.amr --method select --triples instance",
        "--restarts": "pred.amr {0} -o out.amr --solver climb --restarts 1",
        "--seed": "pred.amr {0} -o out.amr --solver climb --seed 7",
        "--effort": "pred.amr {0} -o out.amr --effort low",
        "--time-limit": "pred.amr {0} -o out.amr --time-limit 5",
        "--compress": "pred.amr {0} -o out.amr --method select --compress",
        "--within": "pred.amr {0} -o out.amr --within document",
        "--pair-by": "pred.amr {0} -o out.amr --pair-by id",
        "--unpaired": "pred.amr {0} -o out.amr --pair-by id --unpaired empty",
        "--gold": "pred.amr {0} -o out.amr --gold gold.amr --resamples 50",
        "--resamples": "pred.amr {0} -o out.amr --gold gold.amr --resamples 50",
        "--confidence": "pred.amr {0} -o out.amr --gold gold.amr --resamples 50 --confidence 0.9",
        "--bootstrap-method": "pred.amr {0} -o out.amr --gold gold.amr --resamples 50 --bootstrap-method percentile",
        "--bootstrap-seed": "pred.amr {0} -o out.amr --gold gold.amr --resamples 50 --bootstrap-seed 7",
        "--workers": "pred.amr {0} -o out.amr --workers 2",
        "--on-error": "pred.amr {0} -o out.amr --on-error empty",
        "--quiet": "pred.amr {0} -o out.amr --quiet",
        "--page": "pred.amr {0} -o best.amr --page page.html",
        "--votes": "pred.amr {0} -o out.amr --votes votes.tsv",
    },
    "align": {
        "--help": "--help",
        "--pair-by": "{} --pair-by id",
        "--unpaired": "{} --pair-by id --unpaired empty",
        "--text": "--text '(a / b)' '(c / b)'",
        "--index": "{} --index 39",
        "--id": "{} --id sample.3",
        "--worst": "{} --worst 2",
        "--page": "{} --page -",
        "--certificate": "{} --worst 2 --certificate out.jsonl",
        "--more": "{} --more pred.amr --page -",
        "--frames": "{} --index 0 --page - --frames frames.txt",
        "--view": "{} --view sides",
        "--pred-field": "out.jsonl gold.jsonl --pred-field answer --gold-field amr",
        "--gold-field": "out.jsonl --pred-field answer --gold-field amr",
        "--extract": "out.jsonl --pred-field answer --gold-field amr --extract",
        "--metric": "{} --metric smatch",
        "--dialect": "{} --dialect smatchpp",
        "--preset": "{} --preset smatch",
        "--solver": "{} --solver climb",
        "--top": "{} --top none",
        "--duplicates": "{} --duplicates once",
        "--triples": "{} --triples relation",
        "--restarts": "{} --solver climb --restarts 1",
        "--seed": "{} --solver climb --seed 7",
        "--effort": "{} --effort low",
        "--time-limit": "{} --time-limit 5",
        "--compress": "{} --compress",
        "--within": "{} --within document",
        "--workers": "{} --worst 2 --workers 2",
        "--on-error": "{} --on-error empty",
        "--quiet": "{} --quiet",
    },
    "standardize": {
        "--help": "--help",
        "--output": "pred.amr --steps reify -o /dev/stdout",
        "--steps": "pred.amr --steps lower-case,drop-quotes,dereify",
        "--table": "pred.amr --steps reify --table smatch++",
        "--dialect": "pred.amr --steps smatch++ --dialect smatch",
        "--on-error": "pred.amr --steps drop-wiki --on-error skip",
        "--triples": "pred.amr --steps smatch++ --triples",
    },
    "bench rare": {
        "--help": "--help",
        "--metric": "pred.amr --metric smatch,top=concept --metric rematch/tool",
        "--embeddings": "pred.amr --metric wwlk --embeddings vectors.txt",
        "--split": "pred.amr --split train --split dev",
        "--preset": "pred.amr --preset tool",
        "--seed": "pred.amr --seed 3",
        "--write": "pred.amr --write pairs",
        "--workers": "pred.amr --workers 2",
        "--quiet": "pred.amr --quiet",
    },
    "bench principles": {
        "--help": "--help",
        "--metric": "{} --runs 2 --metric smatch,top=concept",
        "--embeddings": "{} --runs 2 --metric wwlk --embeddings vectors.txt",
        "--runs": "{} --runs 2",
        "--seed": "{} --runs 2 --seed 3",
        "--workers": "{} --runs 2 --workers 2",
        "--quiet": "{} --runs 2 --quiet",
        "--probes": "{} --runs 2 --probes 5",
        "--plot": "{} --runs 2 --plot p.svg",
    },
    "bench optima": {
        "--help": "--help",
        "--preset": "{} --preset smatch++/reify",
        "--runs": "{} --runs 3",
        "--seed": "{} --seed 3",
        "--workers": "{} --workers 2",
    },
    "bench space": {
        "--help": "--help",
        "--metric": "{} --metric smatch --metric rematch",
        "--embeddings": "{} --metric smatch --metric wlk --embeddings vectors.txt",
    },
    "bench impact": {
        "--help": "--help",
        "--longest": "gold.amr --longest 4",
    },
    "bench ranking": {
        "--help": "--help",
        "--metric": "{} gold.amr --metric smatch --metric wlk",
        "--embeddings": "{} gold.amr --metric wwlk --metric smatch --embeddings vectors.txt",
        "--workers": "{} gold.amr --workers 2",
    },
    "docamr": {
        "--help": "--help",
        "--output": "documents.amr -o /dev/stdout",
        "--rep": "documents.amr --rep merge-all",
        "--flipped": "documents.amr --flipped",
        "--coref": "gold.amr --coref coref.txt",
        "--coref-root": "gold.amr --coref list.fof --coref-root .",
        "--no-coref": "gold.amr --coref coref.txt --no-coref",
        "--pairs": "documents.amr --pairs same-entity",
        "--preset": "documents.amr --preset tool",
    },
    DOCUMENTS: {
        "--help": "--help",
        "--metric": "{umr} --metric jumatch",
        "--preset": "{umr} --preset tool",
        "--effort": "{umr} --metric jumatch --effort low",
        "--only": "{umr} --metric jumatch --only concept,ARG0",
        "--except": "{umr} --metric jumatch --except :aspect",
        "--top": "{umr} --metric jumatch --top",
        "--no-document-level": "{umr} --metric jumatch --no-document-level",
        "--per-role": "{umr} --metric jumatch --per-role roles.tsv",
        "--bootstrap": "{umr} --metric jumatch --bootstrap 20",
        "--confidence": "{umr} --metric jumatch --bootstrap 20 --confidence 0.9",
        "--bootstrap-method": "{umr} --metric jumatch --bootstrap 20 --bootstrap-method percentile",
        "--bootstrap-seed": "{umr} --metric jumatch --bootstrap 20 --bootstrap-seed 3",
        "--per-pair": "{umr} --per-pair sentences.tsv",
        "--on-error": "{umr} --on-error empty",
        "--quiet": "{umr} --quiet",
        "--ancast-standard": "{umr} --metric ancast --ancast-standard tool",
        "--ancast-alpha": "{umr} --metric ancast --ancast-alpha 0.3",
        "--ancast-beta": "{umr} --metric ancast --ancast-beta 0.001",
        "--ancast-sense": "{umr} --metric ancast --ancast-sense 0.5",
        "--ancast-anchors": "{umr} --metric ancast --ancast-anchors alignment",
        "--ancast-neighbours": "{umr} --metric ancast --ancast-neighbours 2",
        "--ancast-hops": "{umr} --metric ancast --ancast-hops apart",
        "--ancast-ops": "{umr} --metric ancast --ancast-ops name",
        "--ancast-concept": "{umr} --metric ancast --ancast-concept pred",
        "--ancast-similarity": "{umr} --metric ancast --ancast-similarity names",
        "--ancast-weight": "{umr} --metric ancast --ancast-weight outer",
        "--ancast-ties": "{umr} --metric ancast --ancast-ties jaccard",
    },
    "train wwlk": {
        "--help": "--help",
        "--output": "{train} --output theta.tsv",
        "--dev": "{train} -o theta.tsv --dev gold.amr pred.amr -",
        "--test": "{train} -o theta.tsv --test gold.amr pred.amr y",
        "--plot": "{train} -o theta.tsv --plot curve.svg",
        "--batch": "{train} -o theta.tsv --batch 4",
        "--rate": "{train} -o theta.tsv --rate 0.5",
        "--every": "{train} -o theta.tsv",
        "--looks": "{train} -o theta.tsv",
        "--patience": "{train} -o theta.tsv --patience 1",
        "--seed": "{train} -o theta.tsv --seed 3",
        "--preset": "{train} -o theta.tsv --preset tool",
        "--embeddings": "{train} -o theta.tsv --embeddings vectors.txt",
        "--wwlk-k": "{train} -o theta.tsv --wwlk-k 1",
        "--wwlk-edge-weights": "{train} -o theta.tsv --wwlk-edge-weights ones",
        "--wwlk-weights": "{train} -o theta.tsv --wwlk-weights weights.tsv",
        "--wwlk-edges": "{train} -o theta.tsv --wwlk-edges weights",
        "--wwlk-direction": "{train} -o theta.tsv --wwlk-direction 2-way",
        "--wwlk-update": "{train} -o theta.tsv --wwlk-update tool",
        "--wwlk-oov": "{train} -o theta.tsv --wwlk-oov zero --embeddings vectors.txt",
        "--wwlk-stability": "{train} -o theta.tsv --wwlk-stability 0",
        "--wwlk-variant": "{train} -o theta.tsv --wwlk-variant precision",
        "--wwlk-clip": "{train} -o theta.tsv --wwlk-clip",
        "--wwlk-standard": "{train} -o theta.tsv --wwlk-standard tool",
        "--quiet": "{train} -o theta.tsv --quiet",
        "--json": "{train} -o theta.tsv --json",
    },
    "train softoverlap": {
        "--help": "--help",
        "--output": "{own} --output par.tsv",
        "--train": "{own} -o par.tsv --train gold.amr pred.amr -",
        "--dev": "{own} -o par.tsv --dev gold.amr pred.amr -",
        "--leave-out": "{own} -o par.tsv --leave-out sick",
        "--plot": "{own} -o par.tsv --plot curve.svg",
        "--steps": "{own} -o par.tsv --steps 3",
        "--map-steps": "{own} -o par.tsv --map-steps 2 --embeddings vectors.txt",
        "--rate": "{own} -o par.tsv --rate 0.01",
        "--every": "{own} -o par.tsv --every 1",
        "--patience": "{own} -o par.tsv --patience 1",
        "--share": "{own} -o par.tsv --share 0.5",
        "--genres": "bamboo -o par.tsv --genres --steps 2",
        "--fixed": "{own} -o par.tsv --fixed rank --fixed map",
        "--agreement": "{own} -o par.tsv --agreement 0.8",
        "--embeddings": "{own} -o par.tsv --embeddings vectors.txt",
        "--softoverlap-parameters": "{own} -o par.tsv --softoverlap-parameters start.tsv",
        "--softoverlap-smatch": "{own} -o par.tsv --softoverlap-smatch 0",
        "--quiet": "{own} -o par.tsv --quiet",
        "--json": "{own} -o par.tsv --json",
    },
    "bench bamboo": {
        "--help": "--help",
        "--metric": "bamboo --metric all --metric sema/tool",
        "--embeddings": "bamboo --metric s2match --metric smatch --embeddings vectors.txt",
        "--protocol": "bamboo --protocol spearman",
        "--split": "bamboo --split test",
        "--workers": "bamboo --workers 2",
        "--quiet": "bamboo --quiet",
    },
    "bench judgements": {
        "--help": "--help",
        "--metric": "{} y --metric smatch --metric sema/tool",
        "--embeddings": "{} y --metric s2match --embeddings vectors.txt",
        "--pred-field": "judged.jsonl --pred-field a --gold-field b --label-field y",
        "--gold-field": "judged.jsonl --pred-field a --gold-field b --label-field y",
        "--extract": "judged.jsonl --pred-field a --gold-field b --label-field y --extract",
        "--label-field": "{} judged.jsonl --label-field y",
        "--group-field": "{} judged.jsonl --label-field y --group-field g",
        "--other-field": "judged.jsonl --pred-field a --gold-field b --other-field a --label-field p",
        "--kind": "{} y --kind graded",
        "--classes": "{} y --classes 0,1,2,3,4,5,6",
        "--yes-from": "{} y --yes-from 4",
        "--bamboo": "{} y --bamboo bamboo --resamples 5",
        "--rare": "{} y --rare pred.amr",
        "--resamples": "{} y --resamples 5",
        "--permutations": "{} y --metric smatch --metric wlk --permutations 5",
        "--confidence": "{} y --confidence 0.9",
        "--seed": "{} y --seed 3",
        "--on-error": "{} y --on-error empty",
        "--workers": "{} y --workers 2",
        "--quiet": "{} y --quiet",
        "--plot": "{} y --plot p.svg",
    },
    "demo": {"--help": "--help"},
    "bench grapes": {
        "--help": "--help",
        "--pred": "GrAPES --pred a=p.txt --pred b=p.txt",
        "--gold": "GrAPES --gold GrAPES/corpus/corpus.txt --pred p.txt",
        "--gold-testset": "GrAPES --gold-testset GrAPES/testset.txt --pred-testset t.txt",
        "--pred-testset": "GrAPES --pred p.txt --gold-testset GrAPES/testset.txt --pred-testset t.txt",
        "--category": "GrAPES --pred p.txt --category long_lists --category cp_recursion",
        "--smatch": "GrAPES --pred p.txt --category cp_recursion --smatch",
        "--preset": "GrAPES --pred p.txt --preset tool",
        "--pair-by": "GrAPES --pred GrAPES/corpus/corpus.txt --pair-by id",
        "--per-item": "GrAPES --pred p.txt --per-item items.tsv",
        "--write": "GrAPES --pred p.txt --write csv",
        "--workers": "GrAPES --pred p.txt --category cp_recursion --smatch --workers 2",
        "--quiet": "GrAPES --pred p.txt --quiet",
    },
}

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
    "train wwlk": "{train} -o theta.tsv",
    "train softoverlap": "{own} -o found.tsv",
}
for _verb, _run in REPORTS.items():
    FLAGS[_verb] |= {f"--{form}": f"{_run} --{form}" for form in FORMS if form != "text"}


def test_there_are_flags_for_every_verb(tmp_path: Path) -> None:
    text = run("--help", cwd=tmp_path).stdout
    assert set(verbs_of(text)) - set(FLAGS) <= {"matrix", "search"}


@pytest.mark.parametrize("verb", FLAGS)
def test_every_flag_in_help_is_run_here(tmp_path: Path, verb: str) -> None:
    text = run(*verb.split(), "--help-all", cwd=tmp_path).stdout
    found = re.findall(r"^ +(?:-\w, )?(?:-\w [A-Z]+(?:\.tsv)?, )?(--[a-z-]+)", text, re.MULTILINE)
    assert set(found) == {*FLAGS[verb], "--help-all"}
    short = run(*verb.split(), "--help", cwd=tmp_path).stdout
    assert len(short.splitlines()) <= 84
    name = verb.partition(" --")[0]
    assert (short == text) or re.search(rf"^[0-9]+ more options: fastmatch {name} --help-all$", short, re.MULTILINE)


#: Verbs that say on standard error how far they are.
PROGRESS = (
    *(f"bench {name}" for name in ("bamboo", "judgements", "principles", "rare")),
    "train softoverlap",
    "train wwlk",
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of pyparsing, in the lowest version of matplotlib
@pytest.mark.parametrize(("verb", "flag"), [(verb, flag) for verb in FLAGS for flag in FLAGS[verb] if flag != "--help"])
def test_flag(
    folder: Path, verb: str, flag: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, as there are many; that these are verbs of the program is tested by other runs."""
    if flag == "--plot":
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")
    from fastmatch.cli import main

    monkeypatch.chdir(folder)
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
    (folder / "y").write_text("".join(f"{k % 7}\n" for k in range(40)), encoding="utf-8")
    rows = [{"a": "(a / b)", "b": "(a / c)", "y": k % 7, "p": k % 3 / 2, "g": k % 2} for k in range(40)]
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
        (task.parent / "orig.train.txt").write_text("main-news\tx\nmain-forum\ty\n" * 20, encoding="utf-8")
        for split in ("train", "dev"):
            shutil.copy(folder / "y", task.parent / f"{split}.y")
            for side in ("src", "tgt"):
                shutil.copy(task / f"{side}.test.amr", task / f"{side}.{split}.amr")
    files = {"umr": "pred.umr gold.umr", "train": "pred.amr gold.amr y --every 2 --looks 2"}
    files["own"] = "--train pred.amr gold.amr y --steps 2 --map-steps 1"
    arguments = shlex.split(FLAGS[verb][flag].format("pred.amr gold.amr", **files))
    if "/dev/stdout" in arguments:
        assert run_apart(*verb.split(), *arguments, cwd=folder).stdout
        return
    assert main([*verb.split(), *arguments]) == 0
    out, err = capfd.readouterr()
    assert out
    assert err == "" or verb in PROGRESS
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
    assert found == {("train.py", "wwlk"), ("train_overlap.py", "softoverlap")}


def test_help_of_standardize_lists_every_step_and_preset(tmp_path: Path) -> None:
    from fastmatch.standardization import steps

    text = run("standardize", "--help", cwd=tmp_path).stdout
    listed = set(re.findall(r"[a-z+/-]+", re.sub(r"-\n +", "-", text)))
    assert {*steps.PRESETS, *steps.STEPS} <= listed


@pytest.mark.slow
def test_help_lists_the_presets_of_the_metric(tmp_path: Path) -> None:
    text = run("score", "--help-all", cwd=tmp_path).stdout
    assert re.search(r"presets of smatch:\n  smatch +standard=smatch, duplicates=multiply\n", text)
    text = run("align", "--metric=rematch", "--help", cwd=tmp_path).stdout
    assert "presets of rematch:\n  tool  standard=tool\n" in text
    text = run("score", "--metric", "no-such", "--help", cwd=tmp_path).stdout
    assert "presets of" not in text and text.endswith("more options: fastmatch score --help-all\n")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The metric of ``toy_metric.py``, known in this process."""
    from support import toy_metric

    assert toy_metric


@pytest.mark.usefixtures("toy")
def test_flags_of_a_metric(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A metric's own options become flags, known when it is named."""
    from fastmatch.cli import main

    monkeypatch.chdir(folder)
    files = ["score", "pred.amr", "gold.amr"]
    with pytest.raises(SystemExit):
        main([*files, "--metric", "toy", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "--toy-counting {bag,set} whether a repeated concept counts again (default: bag)" in text
    assert main([*files, "--toy-counting", "set", "--metric=toy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["signature"].startswith("toy|counting:set|")
    assert main([*files, "--metric", "toy", "--per-pair", "-", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[0].startswith("index\tid\tscore\t")
    with pytest.raises(SystemExit) as stop:
        main([*files, "--toy-counting", "set"])
    assert stop.value.code == 2
    assert "unknown option '--toy-counting'" in capsys.readouterr().err
    assert main([*files, "--metric", "toy", "--solver", "ilp"]) == 2
    assert "--solver: toy does not have this option" in capsys.readouterr().err
    assert main([*files, "--metric", "toi"]) == 2
    assert "--metric 'toi': expected one of" in capsys.readouterr().err
