"""What stands for graphs beside one file: folders, patterns, lists, saved corpora; files that hold something else."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.cli import main
from fastmatch.graphs import sources

from support.command_line import printed
from support.refusal import fails

FIRST = "# ::id a\n(a / cat)\n\n# ::id b\n(b / dog)\n"
SECOND = "# ::id c\n(c / cow :mod (d / big))\n"
UMR = (
    "# :: snt1\n1 The cat .\n\n# sentence level graph:\n(s1c / cat)\n\n# alignment:\ns1c: 2-2\n\n"
    "# document level annotation:\n(s1s0 / sentence)\n"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a folder of two files with graphs, and one that is hidden."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "gold"
    folder.mkdir()
    (folder / "2.amr").write_text(SECOND, encoding="utf-8")
    (folder / "1.amr.gz").write_bytes(gzip.compress(FIRST.encode()))
    (folder / ".hidden").write_text("not a graph", encoding="utf-8")
    (folder / "inner").mkdir()
    (tmp_path / "all.amr").write_text(f"{FIRST}\n{SECOND}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "source", ["gold", Path("gold"), "gold/*.amr*", "**/[12].*", ["gold/1.amr.gz", Path("gold/2.amr")], ("gold",)]
)
def test_several_files_are_one_corpus(place, source):
    corpus = fm.read(source)
    assert corpus.ids == ["a", "b", "c"]
    assert [graph.encode() for graph in corpus] == [graph.encode() for graph in fm.read("all.amr")]
    assert len({id(corpus.vocabulary), id(fm.read(source, vocabulary=corpus.vocabulary).vocabulary)}) == 1
    assert fm.score(fm.read(source), Path("all.amr")).f1 == 1


def test_a_file_without_graphs_among_others_is_warned_of(place, capsys):
    """The graphs behind it would be paired with others, and where both folders lack one the numbers agree."""
    (place / "gold" / "0.amr").write_text("# nothing\n", encoding="utf-8")
    warning = "gold: no graphs in 1 of its 3 files (0.amr), so graphs behind it move up and are paired with others"
    with pytest.warns(fm.ReadWarning) as found:
        assert fm.read("gold").ids == ["a", "b", "c"]
    assert str(found[0].message).startswith(warning)
    assert main(["score", "gold", "all.amr"]) == 0
    assert capsys.readouterr().err == f"fastmatch: warning: {warning}; --pair-by 'id' pairs equal ids\n"


def test_they_work_wherever_a_file_does(place, capsys):
    assert fm.score(Path("gold"), Path("all.amr")).f1 == 1
    assert fm.score([Path("gold/1.amr.gz"), Path("gold/2.amr")], Path("gold")).f1 == 1
    assert fm.aspects(Path("gold"), Path("all.amr"), preset="tool")["Smatch"].f1 == 1
    for verb in ("score", "compare gold", "matrix -o m.npy", "bench space"):
        assert main([*verb.split(), "gold", "all.amr"]) == 0 and main([*verb.split(), "gold/*.amr*", "all.amr"]) == 0
    assert "proven optimal: 3 of 3 pairs" in capsys.readouterr().out


def test_saved_corpora_are_files_too(place, capsys):
    fm.read("all.amr").save("all.fastmatch")
    assert fm.read("all.fastmatch").ids == ["a", "b", "c"]
    known = fm.Vocabulary()
    assert fm.read("all.fastmatch", vocabulary=known).vocabulary is known
    assert fm.score(Path("all.fastmatch"), Path("gold")).f1 == 1
    assert fm.aspects(Path("all.fastmatch"), Path("gold"), preset="tool")["Smatch"].f1 == 1
    assert json.loads(printed(capsys, "score", "all.fastmatch", "gold", "--json")[0])["micro"]["f1"] == 1
    assert printed(capsys, "score", "all.fastmatch", "gold", "--preset", "smatch", status=2)[1].count("\n") == 1
    with pytest.raises(fm.ReadError, match=r"a saved corpus is read by the name of its file, not from a stream$"):
        fm.read(io.BytesIO(Path("all.fastmatch").read_bytes()))


def test_errors_name_the_file(place):
    (place / "gold" / "3.amr").write_text("(x / y", encoding="utf-8")
    fails(fm.ReadError, r"gold/3\.amr:1:7: ", fm.read, "gold")
    found = fm.read("gold", on_error="empty")
    ((index, message),) = found.problems
    assert (index, len(found)) == (3, 4)
    assert "3.amr:1:7" in message
    assert found.source == "gold"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("empty", "empty: the folder holds no files"),
        ("gold/*.txt", r"gold/\*\.txt: no file fits this pattern"),
        ([], "read: the list of files is empty"),
    ],
)
def test_nothing_there(place, source, message):
    (place / "empty").mkdir()
    fails(fm.OptionError, message, fm.read, source)
    fails(FileNotFoundError, None, fm.read, "nowhere")


def test_a_file_with_the_letters_of_a_pattern(place):
    (place / "odd[1].amr").write_text(SECOND, encoding="utf-8")
    assert fm.read("odd[1].amr").ids == ["c"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.umr", UMR, "this is a UMR document: --metric ancast"),
        ("a.jsonl", '{"amr": "(a / cat)"}\n', "this is JSON: name the field"),
        ("a.json", ' [{"amr": "(a / cat)"}]\n', "this is JSON: name the field"),
    ],
)
def test_other_formats_are_recognised(place, name, text, message, capsys):
    Path(name).write_text(text, encoding="utf-8")
    for dialect in ("penman", "smatch", "smatchpp", "wlk", "sembleu", "ancast"):
        for on_error in ("raise", "empty", "skip"):
            fails(fm.ReadError, message, fm.read, name, dialect=dialect, on_error=on_error)
    # documents are scored as such, unless a metric of graphs is named
    assert main(["score", name, name, *(["--metric", "smatch"] if name == "a.umr" else [])]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dialect", "reads"), [("sbn", "box notation"), ("sbn-pmb5-tolerant", "box notation"), ("tsv", "tables of triples")]
)
def test_penman_notation_is_not_read_as_something_else(place, dialect, reads):
    """PMB 5's tolerant way of reading made empty documents of it, so that all scores were 100."""
    message = f"a.amr: this is Penman notation, and dialect='{dialect}' reads {reads}"
    for before in ("", "\ufeff", "# ::id 1\r\n\r\n", "% a comment\n  "):
        Path("a.amr").write_text(f"{before}(a / cat)\n", encoding="utf-8", newline="")
        for on_error in ("raise", "empty"):
            fails(fm.ReadError, message, fm.read, "a.amr", dialect=dialect, on_error=on_error)
    assert len(fm.parse(["(a / cat)"], dialect="sbn-pmb5-tolerant")) == 1
    assert main(["score", "a.amr", "a.amr", "--aspects", "pmb5"]) == 2


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b" \n", b"# a comment\r\n", b"%%%\n\n", b"\t\n"])
def test_what_a_file_is_is_seen_at_once_behind_any_number_of_lines(line):
    """Each line once doubled the time: forty of them took longer than anyone waits."""
    assert sources.other_format(1000 * line + b"(a / cat)", "penman") is None
    assert "(SBN)" in sources.other_format(1000 * line + b"cat.n.01\n", "penman")


def test_hints_at_what_may_be_meant(place):
    Path("a.csv").write_text("amr\n(a / cat)\n", encoding="utf-8")
    fails(fm.ReadError, r"in a table, name the field", fm.read, "a.csv")
    for text in ('male.n.02 Name "Tom" % Tom (x)\nsmile.v.01 Agent -1\n', "%%% a\n\nNEGATION <1\n", "A\tdog.n.01 a\n"):
        Path("a.sbn").write_text(text, encoding="utf-8")
        for dialect in ("penman", "smatchpp", "smatch"):
            with pytest.raises(fm.ReadError, match=r"a.sbn: this is box notation \(SBN\): --dialect sbn"):
                fm.read("a.sbn", dialect=dialect)
    Path("a.sbn").write_text("dog.n.01\tb\t:r\n", encoding="utf-8")
    assert len(fm.read("a.sbn", dialect="tsv")) == 1


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("Head,Relation,Tail", "head, relation, tail"),
        ("\ufeffsubject, predicate, object", "subject, predicate, object"),
        ("source;role;target;graph", "source, role, target"),
        ("source\trole\ttarget", "source, role, target"),
    ],
)
def test_a_header_that_is_nearly_that_of_a_table_of_triples(place, header, columns):
    """As programs for spreadsheets write it in many countries, or with words in upper case."""
    for name in ("a.csv", "b.csv"):
        Path(name).write_text(f"{header}\nAda,wrote,Notes\n", encoding="utf-8")
    fails(fm.ReadError, f"would be a table of triples if its header had {columns} in lower case", fm.read, "a.csv")


def test_no_file_of_a_folder_or_a_pattern_is_overwritten(place, capsys):
    before = Path("gold/2.amr").read_bytes()
    Path("a.umr").write_text(UMR, encoding="utf-8")
    for line in (
        "score gold all.amr --per-pair gold/2.amr",
        "score all.amr gold/* --per-pair gold/2.amr",
        "standardize gold/2.amr --steps lower-case -o gold/2.amr",
        "standardize gold --steps lower-case -o gold/2.amr",
        "docamr gold/2.amr --coref gold -o gold/2.amr",
        "score . . --metric jumatch --per-pair a.umr",
    ):
        assert main(line.split()) == 2
        assert "would be overwritten, but is read as well; write to another file" in capsys.readouterr().err
    assert (Path("gold/2.amr").read_bytes(), Path("a.umr").read_text(encoding="utf-8")) == (before, UMR)


def in_tar(data: bytes) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as file:
        entry = tarfile.TarInfo("graphs.amr")
        entry.size = len(data)
        file.addfile(entry, io.BytesIO(data))
    return whole.getvalue()


def in_zip(data: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        file.writestr("graphs.amr", data)
    return whole.getvalue()


PACKED = {
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": in_zip,
    "zstd": lambda data: b"\x28\xb5\x2f\xfd" + data,
    "tar": in_tar,
    "gzip of xz": lambda data: gzip.compress(lzma.compress(data)),
    "gzip of tar": lambda data: gzip.compress(in_tar(data)),
}


@pytest.mark.parametrize("program", PACKED)
def test_files_that_another_program_packed(tmp_path, program):
    path = tmp_path / "graphs.amr"
    path.write_bytes(PACKED[program](b"(a / cat)\n"))
    for dialect in ("penman", "smatch", "amrsuite", "tsv", "sbn-pmb5-tolerant", "camr-tuples"):
        for how in ({}, {"on_error": "empty"}):
            message = rf"graphs.amr: packed by {program.split()[-1]}; expected text"
            fails(fm.ReadError, message, fm.read, path, dialect=dialect, **how)
