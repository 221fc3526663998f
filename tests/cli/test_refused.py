"""What verbs refuse: with status 2 and one line that says what is wrong, and nothing is written."""

import json
import os
import shlex
import shutil

import pytest

from support.command_line import refused
from support.places import DATA, SAMPLE

ROWS = [
    {"completion": "<think>(x / y)</think> (a / b :x (c / d", "amr": "(a / b :x (c / d))"},
    {"completion": None, "amr": "(g / h :x (i / j))"},
]
TEXTS = {
    "a.amr": "(a / b)\n\n(a / c)\n",
    "b.amr": "(a / c)\n\n(a / b)\n",
    "amr.amr": "(a / b)\n\n(a / c)\n",
    "short.amr": "(a / b)\n",
    "empty.amr": "",
    "remarks.amr": "# no graphs\n\n",
    "broken.amr": "(a / b\n",
    "labels.txt": "".join(f"{k % 5}\n" for k in range(40)),
    "best.txt": "first\ntie\n" * 20,
    "labels.tsv": "alike\ttopic\n1\tx\n",
    "judged.jsonl": '{"a": "It is (a / b).", "b": "(a / c)", "c": "(a / d)", "alike": 1, "class": "no", "best": 1}\n'
    * 40,
    "packed": "PAR1\x15",
    "out.jsonl": "".join(f"{json.dumps(row)}\n" for row in ROWS),
    "two.jsonl": '{"answer": "It is (a / b).", "amr": "(a / c)"}\n' * 2,
    "y": "1\n2\n3",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with inputs of every verb; as nothing may be written there, all cases share it."""
    place = tmp_path_factory.mktemp("refused")
    for name, text in TEXTS.items():
        (place / name).write_text(text, encoding="utf-8")
    for side in ("pred", "gold"):
        shutil.copy(SAMPLE / f"sample-{side}.amr", place / f"{side}.amr")
        shutil.copy(DATA / f"umr-{side}.umr", place)
        shutil.copy(DATA / "recorded" / f"camr-{side}.txt", place / f"{side}.txt")
    for name in ("lengths", "text"):
        shutil.copy(DATA / "recorded" / f"camr-{name}.txt", place / f"{name}.txt")
    (place / "worse.amr").write_bytes((place / "pred.amr").read_bytes())
    os.link(place / "gold.amr", place / "same.amr")
    for name in ("documents", "umr"):
        shutil.copytree(DATA / "recorded" / name, place / name)
    shutil.copytree(DATA / "grapes" / "mini", place / "GrAPES")
    for name, kind in (("a", "grapes"), ("a", "testset"), ("b", "grapes")):
        shutil.copy(DATA / "grapes" / "mini" / "pred" / name / f"{kind}.txt", place / f"{name}-{kind}.txt")
    return place


NEEDS_FIELD = "--extract goes with --pred-field"
NO_FILE = ": No such file or directory"
OVERWRITTEN = "would be overwritten, but is read as well; write to another file\n"
ONCE = "argument --metric: expected once, found 'smatch' and 'wlk'"
STDIN = "'-' (standard input) can stand for one of the two files, not for both"

#: How lines begin → how they go on, and what is said.
REFUSED: dict[str, list[tuple[str, str]]] = {
    "": [
        ("", "VERB"),
        ("scor pred.amr gold.amr", "unknown verb 'scor'; did you mean 'score'?"),
        ("pred.amr gold.amr", "found the file 'pred.amr'; did you mean: fastmatch score pred.amr gold.amr\n"),
        ("a.amr b$.amr --json", "found the file 'a.amr'; did you mean: fastmatch score a.amr 'b$.amr' --json\n"),
        ("- gold.amr", "found the file '-'; did you mean: fastmatch score - gold.amr\n"),
        ("metrics jumatsh", "; did you mean 'jumatch'?\n"),
        ("bench optma a.amr", "unknown verb 'bench optma'; did you mean 'bench optima'?"),
        ("standardize pred.amr --steps smatch++/reifi", "smatch++/reif"),
        ("standardize a.amr --steps reify --triples -o x.fastmatch", "--triples writes text"),
        ("demo x", "found 'x' besides"),
        ("help scroe", "did you mean 'score'"),
    ],
    "score pred.amr gold.amr": [
        ("--metric smatsh", "; did you mean 'smatch'?"),
        ("--metric smatch --metric nope", "--metric 'nope': expected one of"),
        ("--metric smatch/smtch", "; did you mean 'smatch'?\n"),
        ("--metric sembleu,k", "found 'k'"),
        ("--metric sembleu --metric wlk --solver climb",
         "--solver: none of the metrics 'sembleu', 'wlk' has this option; fastmatch metrics li"),
        ("--metric smatch --metric wlk --preset tool", "--preset 'tool': metric 'smatch' has "),
        ("--metric sembleu --aspects=damonte", "--aspects damonte are made with the metric 'smatch', not 'sembleu'"),
        ("--dialect pennman", "did you mean 'penman'?"),
        ("--solver exat", "expected one of exact, climb, ilp, found 'exat'; did you mean 'exact'?"),
        ("--metrc smatch", "unknown option '--metrc'; did you mean '--metric'?"),
        ("--metric s2match --vectors v.txt", "unknown option '--vectors'; did you mean '--embeddings'?"),
        ("--timeout=3", "unknown option '--timeout'; did you mean '--time-limit'?"),
        ("--pre smatch", "unknown option '--pre'; did you mean '--preset'?"),
        ("--sembleu-k 3", "--sembleu-k is an option of sembleu: it needs --metric sembleu"),
        ("--metric sembleu --sembleu-j=3", "unknown option '--sembleu-j'; did you mean '--sembleu-k'?"),
        ("--metric sembleu --sembleu-k 100", "--sembleu-k 100: expected a whole number from 1 to 64"),
        ("--metric wlk --restarts 3", "--restarts: wlk does not have this option"),
        ("third.amr", f"third.amr{NO_FILE}"),
        ("--unpaired skip", "--unpaired 'skip' goes with --pair-by 'id'"),
        ("--time-limit 0", "expected seconds, more than 0, found '0'"),
        ("--time-limit soon", "soon"),
        ("--workers 0", "0"),
        ("--workers all", "all"),
        ("--restarts -1", "-1"),
        ("--seed x", "x"),
        ("--on-error shrug", "shrug"),
        ("--fail-under 0.8", "80"),
        ("--fail-under 101", "101"),
        ("--json --per-pair -", "--per-pair"),
        ("--per-pair ''", f"fastmatch: ''{NO_FILE}\n"),
        ("--per-pair .", ".: Is a directory"),
        ("--per-pair no/such/folder/out.tsv", "no/such/folder/out.tsv"),
        ("--per-pair gold.amr", f"fastmatch: gold.amr: {OVERWRITTEN}"),
        ("--per-pair same.amr", f"fastmatch: same.amr: {OVERWRITTEN}"),
        ("--bootstrap 0", "expected a number of resamples"),
        ("--bootstrap 99999999999", "expected a number of resamples, from 1 to 2,147,483,647"),
        ("--confidence 0.9", "--confidence goes with --bootstrap N"),
        ("--aspects --bootstrap-seed 7", "--bootstrap-seed goes with --bootstrap N"),
        ("--metric jumatch --confidence 0.9", "--confidence goes with --bootstrap N"),
        ("--latex --baseline pred.amr", "--baseline is one of several systems, found one"),
        ("--compress --certificate c.jsonl", "--compress has none; leave it out"),
        ("--aspects --within sentences", "keep to sentences (--aspects 'docsmatch')"),
        ("--certificate -", "give a file name"),
        ("--certificate c.gz --metric wlk",
         "'wlk' has none; those of smatch, docsmatch, smatch++, s2match, wsmatch, softmatch can be checked"),
        ("--certificate c.gz --solver climb", "certificate: --solver 'climb' has none; expected --solver 'exact'"),
        ("--certificate c.gz --aspects smatch++",
         "certificate: aspects of kind 'smatch++' have none, with these options"),
        ("--certificate c.gz --metric smatch --metric smatch++", "--certificate is of one system and one metric"),
        ("--certificate c.gz --per-pair c.gz", "c.gz: --per-pair and --certificate cannot go to one file"),
        ("gold.amr --worst 2 --tsv", "--worst and --tsv would print two tables"),
        ("gold.amr --worst 2 --jsonl", "--worst and --jsonl would print two tables"),
        ("--plot p.jpg", "plot p.jpg: expected a name that ends in .svg, .png, .pdf or .html"),
        ("--plot no/p.svg", f"no/p.svg{NO_FILE}"),
        ("gold.amr --latex --plot p.svg", "not of several systems; fastmatch compare draws systems"),
        ("--plot p.svg --per-pair ./p.svg", "--per-pair and --plot cannot go to one file"),
    ],
    "score": [
        ("'' gold.amr", f"fastmatch: ''{NO_FILE}\n"),
        ("GrAPES/pred/a gold.amr", "predictions but 40 gold graphs"),
        ("'(a / cat)' gold.amr",
         "argument PRED: expected the name of a file, found a graph; fastmatch align --text takes two"),
        ("- - --aspects", STDIN),
        ("- pred.amr - --latex", "'-' (standard input) can stand for one"),
        ("pred.amr pred.amr - --aspects --latex", "expected a file of gold graphs"),
        ("pred.amr empty.amr gold.amr --latex", "empty.amr: no graphs"),
        ("short.amr short.amr --aspects smatch++ --aspect POLARITY --latex", "no graph has anything of these aspects"),
        ("'a b' pred.amr gold.amr --latex", f"a b{NO_FILE}"),
        ("'a b' pred.amr gold.amr --latex --per-pair -", "--per-pair -: the table goes to standard output"),
        ("'a b' pred.amr gold.amr --latex --baseline x.amr", "--baseline x.amr: expected one of a b, pred.amr"),
        ("'a b' pred.amr gold.amr --latex --metric rematch --metric wlk --top none", "none of the metrics"),
        ("'a b' pred.amr gold.amr --latex --metric wlk,kk=3", "kk"),
        ("out.jsonl", "expected GOLD, or --pred-field and --gold-field"),
        ("out.jsonl --markdown", "expected GOLD"),
        ("out.jsonl --pred-field completion", "both --pred-field and --gold-field"),
        ("out.jsonl gold.amr --extract", NEEDS_FIELD),
        ("out.jsonl two.jsonl gold.amr --markdown --extract", NEEDS_FIELD),
        ("out.jsonl --pred-field completion --gold-field gold", "no field 'gold'; the fields are: completion, amr\n"),
        ("out.jsonl --pred-field completion --gold-field amr --extract",
         "fastmatch: out.jsonl: row 0 (line 1), field 'completion':1:40: "),
        ("gold.amr gold.amr --pred-field completion", "this seems to be none of them"),
        ("gone.jsonl --pred-field completion --gold-field amr", "No such file"),
        ("pred.txt gold.txt", "pred.txt: this is a table of Chinese AMR (CAMR): read it with --metric align-smatch "),
        ("text.txt text.txt --preset smatch", "text.txt: this is a text of Chinese AMR (CAMR): read it with "),
        ("gold.txt gold.txt --metric align-smatch --dialect camr-tuples",
         "align-smatch of tables of CAMR needs the lengths"),
        ("text.txt text.txt --metric align-smatch --dialect camr --lengths lengths.txt",
         "lengths go with --dialect 'camr-tuples'"),
        ("pred.amr empty.amr", "no graphs"),
        ("empty.amr gold.amr --fail-under 1", "empty.amr: no graphs, but gold.amr holds 40"),
        ("remarks.amr gold.amr --aspects", "0 predictions"),
    ],
    "score umr/pred.umr umr/gold.umr": [
        ("--only concept", "--only is an option of --metric jumatch"),
        ("--top", "--top is an option of --metric jumatch"),
        ("--bootstrap 10", "--bootstrap is an option of --metric jumatch"),
    ],
    "score umr/pred.umr umr/gold.umr --metric jumatch": [
        ("--ancast-sense 0.5", "--ancast-sense is an option of --metric ancast, not"),
        ("--only 'a b'", "expected names of roles such as ARG0,mod or concept"),
        ("--per-role - --json", "would both write to standard output"),
        ("--per-role - --per-pair -", "-: --per-pair and --per-role cannot"),
        ("", ":118:19: sentence 4: "),
    ],
    "compare": [
        ("pred.amr gold.amr", "expected two systems or more"),
        ("- - gold.amr", "for one of the files only"),
        ("pred.amr no.amr gold.amr", "no.amr: No such file"),
        ("pred.amr worse.amr gold.amr --confidence 95", "did you mean 0.95?"),
        ("pred.amr worse.amr gold.amr --per-pair -", "give a file name"),
        ("pred.amr worse.amr gold.amr --worst 2 --csv", "--worst and --csv would print two tables"),
        ("pred.amr short.amr gold.amr", "short.amr has 1 graph, gold 40"),
        ("pred.amr gold.amr gold.amr --metric jumatch",
         "it compares UMR documents: fastmatch score PRED GOLD --metric"),
        ("out.jsonl two.jsonl gold.amr --extract", NEEDS_FIELD),
        ("pred.amr empty.amr gold.amr", "no graphs"),
    ],
    "agreement": [
        ("", "the following arguments are required: FILE"),
        ("pred.amr", "expected two files or more, found 1"),
        ("pred.amr nowhere.amr", f"nowhere.amr{NO_FILE}"),
        ("pred.amr gold.amr --unpaired skip", "--unpaired 'skip' goes with --pair-by 'id'"),
        ("pred.amr gold.amr --json --tsv", "not allowed with argument"),
        ("pred.amr gold.amr --bootstrap-method percentile", "--bootstrap-method goes with --bootstrap N"),
        ("pred.amr gold.amr --metric smatch --metric wlk", ONCE),
        ("two.jsonl --pred-field amr", "expected two files or more, found 1; of one file, --pred-field names"),
        ("two.jsonl two.jsonl two.jsonl --pred-field answer --pred-field amr",
         "expected one file or 2, as there are fields, found 3"),
        ("two.jsonl --pred-field answer --pred-field amr", "two.jsonl: row 0 (line 1), field 'answer':1:1:"),
        ("amr.amr amr.amr --extract", NEEDS_FIELD),
        ("pred.amr empty.amr gold.amr", "no graphs"),
    ],
    "align pred.amr gold.amr": [
        ("--index 40", "40"),
        ("--metric smatch --metric wlk", ONCE),
        ("--text", "align --text: pred.amr is a file, not a graph; leave out --text"),
        ("gold.amr", "expected PRED GOLD, found 'gold.amr' besides; --page FILE writes a page for a browser"),
        ("gold.amr --page x.html", "fastmatch score and compare take several systems, GOLD last"),
        ("--more gold.amr", "--more goes with --page"),
        ("--frames x", "--frames goes with --page"),
        ("--page x.html --worst 3", "the page lists the worst pairs first"),
        ("--page x.html --json", "--json does not go with --page"),
        ("--page - --certificate c.jsonl", "--certificate does not go with --page"),
        ("--page gold.amr", "would be overwritten"),
        ("--page x.html --index 40", "--index 40"),
        ("--more pred.amr --page x.html --pair-by id --id sample.1", "pairs by position"),
        ("--worst 0", "--worst"),
        ("--metric sembleu --view sides", "compares features, and aligns no nodes"),
        ("--id sampl.8", "did you mean 'sample.8'?"),
    ],
    "align": [
        ("-e '(a / b)' '(a / b)' --more '(a / c)' --page x.html", "--more is for files"),
        ("-e '(a / b)' '(a / b)' --worst 1", "--worst chooses a pair of two files"),
        ("--text '(a / b)' '(a / b' --json", "gold:1:7: "),
        ("--text '(a / b)' '(a / b)' --index 0", "--index"),
        ("--text '(a / b)' '(a / b)' --pair-by id", "--pair-by is for files"),
        ("--text '(a / b)' '(a / b)' --pred-field x", "not for --text"),
        ("--text '(a / b)'", "expected two graphs"),
        ("amr.amr", "expected GOLD"),
        ("pred.amr short.amr --page x.html", "40"),
        ("pred.amr empty.amr", "no graphs"),
        ("umr-pred.umr umr-gold.umr --pair-by id",
         "--pair-by: the sentences of UMR documents are paired by their places"),
        ("umr-pred.umr umr-gold.umr --metric jumatch",
         "it compares UMR documents: fastmatch score PRED GOLD --metric jumatch"),
        ("umr-pred.umr umr-gold.umr --pred-field x", "they have no fields"),
    ],
    "matrix": [
        ("pred.amr", "expected --output OUT, --plot OUT, --groups OUT.tsv or --unique OUT.amr"),
        ("pred.amr gold.amr --n-jobs 2", "unknown option '--n-jobs'; did you mean '--workers'?"),
        ("pred.amr -o m.csv", "expected a name that ends in .npy or .parquet"),
        ("pred.amr -o m.npy --top 3", "expected a name that ends in .parquet"),
        ("pred.amr -o m.parquet --top 0", "expected a whole number, 1 or more"),
        ("pred.amr -o m.parquet --top high", "expected one of constant, concept, none, found 'high'"),
        ("pred.amr -o m.parquet --top 3 -k 3", "are the same"),
        ("pred.amr -o m.parquet --dtype float16", "--dtype is of a matrix"),
        ("pred.amr -o m.npy --cutoff 0.5", "expected points between 0 and 100, found '0.5'; did you mean 50?"),
        ("pred.amr -o m.npy --cutoff 1", "expected points, more than 1, found '1'; did you mean 100?"),
        ("pred.amr -o m.npy --metric smatch --metric wlk", ONCE),
        ("pred.amr gold.amr --groups g.tsv", "leave out OTHER"),
        ("pred.amr --unique u.amr --cutoff 0", "all graphs one group"),
        ("pred.amr --unique x --groups ./x", "cannot go to one file"),
        ("pred.amr --groups g.tsv --resume", "about the file of --output"),
        ("pred.amr --groups g.tsv -k 3", "-k and --top are about the table of --output"),
        ("pred.amr --groups 0.9", "expected a file with --groups and --unique, not 0.9; --cutoff 0.9 says"),
        ("broken.amr --unique u.amr", "not closed"),
        ("two.jsonl --gold-field amr -o m.npy", "both --pred-field and --gold-field are needed"),
        ("amr.amr --extract -o m.npy", NEEDS_FIELD),
        ("two.jsonl --pred-field answer --extract --gold-field amr --plot m.svg", "--plot"),
        ("pred.amr gold.amr --plot p.svg", "--plot draws one corpus: leave out OTHER"),
        ("gold.amr --plot p.svg -k 3", "--plot draws a whole matrix"),
        ("gold.amr --plot p.svg -o m.parquet", "--plot draws a whole matrix"),
        ("gold.amr --plot-as map -o m.npy", "--plot-as is about the picture of --plot"),
        ("empty.amr -o out.npy", "no graphs"),
        ("pred.amr empty.amr -o out.npy", "no graphs"),
    ],
    "search": [
        ("pred.amr -o found.tsv", "expected a name that ends in .parquet"),
        ("pred.amr -o found.parquet --json", "not allowed with argument"),
        ("pred.amr -o found.parquet --sentences", "--sentences is for what is printed"),
        ("pred.amr --resume", "name it with --output"),
        ("pred.amr gold.amr -k 0", "expected a whole number, 1 or more"),
        ("pred.amr - -k 1 --cutoff x", "expected points"),
        ("- - -k 1", "can stand for one of the two files"),
        ("empty.amr gold.amr", "no graphs"),
    ],
    "ensemble a.amr b.amr b.amr": [
        ("-o out.amr --metric sembleu", "select"),
        ("-o out.amr --weights 1,0,2", "above 0"),
        ("-o a.amr", "a.amr"),
        ("short.amr -o out.amr", "short.amr has 1 graph, a.amr 2"),
        ("-o out.amr --page out.amr", "out.amr: --output and --page cannot go to one file"),
        ("-o out.amr --votes v --page v", "v: --votes and --page cannot go to one file"),
        ("-o out.amr --page -", "--page -: a page is a file"),
    ],
    "docamr": [
        ("documents/gold.amr --no-coref", "--no-coref needs --coref"),
        ("documents/gold.amr --coref-root x", "--coref-root needs --coref"),
        ("- --coref -", STDIN),
        ("documents/gold.amr --rep docamr",
         "expected one of unmerged, no-merge, merge-names, doc-amr, merge-all, found"),
        ("documents/sentences.amr --coref documents/gold.amr",
         "gold.amr:3:1: '(d' before any document; expected 'document ID'"),
        ("documents/sentences.amr --coref missing.xml", "missing.xml: No such file"),
        ("documents/gold.amr --coref documents/harbour.xml",
         "harbour.xml:2:1: document 'harbour': sentence 'harbour.1' is not"),
        ("documents/harbour.xml", "harbour.xml:"),
    ],
    "check": [
        ("missing", f"fastmatch: missing{NO_FILE}"),
        ("pred.amr", "fastmatch: pred.amr: not as certificates are written: JSONDecodeError"),
        ("pred.amr gold.amr", "expected two files of graphs besides, or none"),
    ],
    "train wwlk a.amr a.amr": [
        ("y -o theta.tsv", "fastmatch: y: 3 scores for 2 pairs\n"),
    ],
    "bench judgements pred.amr gold.amr": [
        ("", "bench judgements: expected PRED GOLD LABELS, found two files"),
        ("labels.txt --group-field g", "--group-field goes with --label-field"),
        ("labels.txt --pred-field a", "--pred-field goes with one file"),
        ("labels.txt --other-field a", "--other-field goes with one file"),
        ("labels.txt --extract", NEEDS_FIELD),
        ("gold.amr", "gold.amr: 475 labels of 40 pairs of graphs"),
        ("none.txt", "cannot read none.txt: No such file"),
        ("labels.tsv", "labels.tsv has fields (alike, topic); --label-field names that of"),
        ("judged.jsonl", "judged.jsonl has fields (a, b, c, alike, "),
        ("packed", "packed has fields; --label-field names that of the labels"),
        ("labels.txt --yes-from high", "--yes-from 'high': expected a number"),
    ],
    "bench judgements": [
        ("judged.jsonl", "bench judgements: one file needs --pred-field, --gold-field and --label-field"),
        ("a b c d e", "bench judgements: expected four files at most, found 5"),
        ("pred.amr pred.amr gold.amr best.txt --kind graded", "--kind graded: two predictions"),
        # said before graphs are read
        ("none none labels.txt --bamboo nowhere", "nowhere: expected BAMBOO's data, such as sts/main/src.test.amr"),
        ("none none labels.txt --rare nowhere", "--rare: no such file or folder: nowhere"),
    ],
    "bench judgements judged.jsonl --pred-field a --gold-field b --extract": [
        ("--label-field nothing", "judged.jsonl: no field 'nothing'; the fields are: a, b, c, alike"),
        ("--label-field best --kind preferences", "judged.jsonl, field 'best': 40 labels of 20 pairs"),
    ],
    "bench grapes --quiet --write csv": [
        ("GrAPES", "grapes: no predictions; expected --pred FILE, --pred-testset FILE, or both"),
        ("nowhere --pred a-grapes.txt", "nowhere: no such folder; expected a clone of"),
        ("GrAPES --pred -", "expected the name of a file with predictions, found '-'"),
        ("GrAPES --pred nothing.txt", f"nothing.txt{NO_FILE}"),
        ("GrAPES --pred a-testset.txt", "18 predictions in a-testset.txt but 90 gold graphs in GrAPES/corpus"),
        ("GrAPES --pred x=a-grapes.txt --pred x=b-grapes.txt", "a different name for each system"),
        ("GrAPES --pred a-grapes.txt --gold-testset x", "--gold-testset … goes with --pred-testset"),
        ("GrAPES --pred a-grapes.txt --pred-testset x=a --pred-testset b",
         "1 times --pred, but 2 times --pred-testset"),
        ("GrAPES --pred y=a-grapes.txt --pred-testset x=a-testset.txt",
         "the system 'y' of --pred stands where --pred-testset has 'x'"),
        ("GrAPES --pred a-grapes.txt --per-item a-grapes.txt", "would be overwritten"),
    ],
    "bench": [
        ("rare broken.amr", "broken.amr:1:"),
        ("rare missing.amr", f"missing.amr{NO_FILE}"),
        ("rare short.amr --metric smitch", "--metric 'smitch': expected one of"),
        ("rare short.amr --write short.amr", "short.amr: Not a directory"),
        ("rare short.amr --write no/such/folder", "No such file or directory"),
        ("rare short.amr --preset tool --seed 1", "--seed 1: expected 0"),
        ("rare short.amr --split trial", "expected one of train, dev, test, found 'trial'"),
        ("principles pred.amr gold.amr --metric smatch,restarts=many", "restarts is a number, found 'many'"),
        ("principles pred.amr gold.amr --metric smatch,solver", "expected OPTION=VALUE, found 'solver'"),
        ("ranking a.amr gold.amr", "expected two systems or more and GOLD, found 2"),
        ("optima a.amr", "required: GOLD"),
        ("impact a.amr b.amr", "expected GRAPHS, found"),
        ("bamboo nowhere", "nowhere: expected BAMBOO's data"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"), [(f"{v} {more}", told) for v, rows in REFUSED.items() for more, told in rows]
)
def test_refused(place, line, message):
    if "--plot" in line:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    assert message in refused(*shlex.split(line), cwd=place)
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before
