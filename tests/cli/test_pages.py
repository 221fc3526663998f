"""Every command and every piece of Python in README.md and docs/ runs as it is printed, and prints what is shown.

A page is one test: its blocks run in their order, in one folder and one session, as a reader would run them. The pages
name files as a reader would have them; the fixture ``place`` makes small ones of these names.

=========  =========================================================================================================
``sh``     commands. What a block with one command prints may stand in a block marked ``text`` right below it, in
           which ``…`` stands for what the page leaves out
``pycon``  a session: every value is shown, and compared as doctests are: ``...`` stands for what is left out,
           and lines may be broken
``python``  code to be copied. It shows no values: a line that only computes one would be an example never checked
``py``     needs a cluster, or a model, and is only compiled
``text``   and ``json``: what a file holds
=========  =========================================================================================================
"""

import ast
import builtins
import doctest
import functools
import io
import json
import random
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import fastmatch as fm
from fastmatch.cli import main
from fastmatch.compat import uninstall
from fastmatch.compat.command import main as smatch
from fastmatch.metrics import registry
from fastmatch.metrics.names import BUILT_IN

from support.places import SAMPLE

CHECKOUT = Path(__file__).parents[2]
DOCS = CHECKOUT / "docs"
PAGES = [page for page in (CHECKOUT / "README.md", *sorted(DOCS.rglob("*.md"))) if page.exists()]
EXTRAS = ("dask", "matplotlib", "pandas", "pyarrow", "sklearn")
RUN = ("sh", "pycon", "python")
#: Flags that name a file to be written.
WRITTEN = ("-o", "--per-pair", "--per-role", "--plot", "--page")


class Block(NamedTuple):
    """A block of code: its language, its text, and the text of the block ``text`` right below it, if there is one."""

    language: str
    text: str
    output: str | None


@functools.cache
def blocks(page: Path) -> list[Block]:
    found = re.findall(
        r"^```(\w+)\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return [Block(language, text, output or None) for language, text, output in found]


def code(page: Path, language: str) -> list[str]:
    return [block.text for block in blocks(page) if block.language == language]


def commands(text: str) -> list[str]:
    """The lines of an ``sh`` block: comments dropped, broken lines joined. ``ci/test.sh`` runs those of pip."""
    lines = (re.sub(r"(^|\s)#.*", "", line).strip() for line in text.replace("\\\n", " ").splitlines())
    return [line for line in lines if line and not line.startswith("pip install ")]


def needed(page: Path) -> set[str]:
    """The extras that the page needs."""
    text = "\n".join(block.text for block in blocks(page) if block.language in RUN)
    found = {module for module in EXTRAS if re.search(rf"\b(?:import|from) {module}\b", text)}
    found |= {"pyarrow"} if ".parquet" in text or "to_arrow" in text else set()
    found |= {"pandas"} if "to_pandas" in text else set()
    found |= {"sklearn"} if "fastmatch.sklearn" in text else set()
    return found | ({"matplotlib"} if "--plot" in text or "fm.plot" in text else set())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, own_data: Path) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for names, side in (
        ("pred a baseline new one two src.train src.dev", "pred"),
        ("gold b tgt.train tgt.dev", "gold"),
    ):
        for name in names.split():
            shutil.copy(SAMPLE / f"sample-{side}.amr", folder / f"{name}.amr")
    gold = fm.read(folder / "gold.amr")
    rows = [{"completion": f"It is {graph.encode()}.", "amr": graph.encode()} for graph in gold]
    for name in ("out", "new"):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    rng = random.Random(0)
    ratings = "".join(f"{rng.random():.3f}\n" for _ in gold)
    for split in ("train", "dev", "test"):
        (folder / f"{split}.y").write_text(ratings, encoding="utf-8")
    (folder / "labels.txt").write_text(ratings, encoding="utf-8")
    judged = [
        {"a": row["amr"], "b": row["amr"], "c": "(a / cat)", "alike": k, "topic": k % 2, "best": k % 3 / 2}
        for k, row in enumerate(rows)
    ]
    (folder / "judged.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged), encoding="utf-8")
    words = sorted({concept.split("-")[0] for graph in gold for _, _, concept in graph.instances if concept})
    vectors = "".join(f"{word} " + " ".join(f"{rng.gauss(0, 1):.3f}" for _ in range(10)) + "\n" for word in words)
    (folder / "glove.6B.100d.txt").write_text(vectors, encoding="utf-8")
    (folder / "frames.txt").write_text("go-01  ARG0: goer  ARG4: destination\n", encoding="utf-8")
    (folder / "graphs.tsv").write_text("# ::id 1\na :instance cat\n\n", encoding="utf-8")
    (folder / "sentences.tsv").write_text("sample.1\t1\t1\n", encoding="utf-8")
    (folder / "theta.tsv").write_text(":arg0\t0.3\n", encoding="utf-8")
    for name, side in (("pred", "pred"), ("gold", "gold"), ("a", "pred"), ("b", "gold")):
        shutil.copy(own_data / f"boxes-{side}.sbn", folder / f"{name}.sbn")
    for side in ("pred", "gold"):
        shutil.copy(own_data / f"mrp-{side}.mrp", folder / f"{side}.mrp")
        shutil.copy(own_data / f"umr-{side}.umr", folder / f"{side}.umr")
        documents = folder / ("system" if side == "pred" else "reference")
        documents.mkdir()
        shutil.copy(own_data / f"umr-{side}.umr", documents / "one.umr")
    shutil.copytree(own_data / "triples", folder, dirs_exist_ok=True)
    for side in ("pred", "gold"):
        table = (own_data / "recorded" / f"camr-{side}.txt").read_text(encoding="utf-8")
        (folder / f"{side}-camr.txt").write_text(table.replace("\tx9\n", "\t-\n"), encoding="utf-8")  # no warning
        shutil.copy(own_data / "recorded" / "camr-text.txt", folder / f"{side}.camr")
    shutil.copy(own_data / "recorded" / "camr-lengths.txt", folder / "max_len.txt")
    shutil.copytree(own_data / "grapes" / "mini", folder / "GrAPES")
    for name, system in (("out", "a"), ("mine", "a"), ("theirs", "b")):
        for kind, suffix in (("grapes", ""), ("testset", "-testset")):
            shutil.copy(own_data / "grapes" / "mini" / "pred" / system / f"{kind}.txt", folder / f"{name}{suffix}.txt")
    shutil.copy(own_data / "grapes" / "mini" / "testset.txt", folder / "amr3-test.txt")
    shutil.copy(own_data / "grapes" / "mini" / "corpus" / "subcorpora" / "adjectives.txt", folder / "few.txt")
    recorded = own_data / "recorded" / "documents"
    for name, source in (("documents.amr", "gold.amr"), ("sentences.amr", "sentences.amr"), ("coref.txt", "both.txt")):
        shutil.copy(recorded / source, folder / name)
    (folder / "coref").mkdir()
    for name in ("harbour.xml", "quarrel.xml"):
        shutil.copy(recorded / name, folder / "coref")
    for variant in ("main", "role_confusion"):
        task = folder / "bamboo" / "sts" / variant
        task.mkdir(parents=True)
        for side, sample in (("src", "gold"), ("tgt", "pred")):
            for split in ("train", "dev", "test"):
                shutil.copy(SAMPLE / f"sample-{sample}.amr", task / f"{side}.{split}.amr")
    for split in ("train", "dev", "test"):
        (folder / "bamboo" / "sts" / f"{split}.y").write_text(ratings, encoding="utf-8")
    genres = "".join(f"main-{('news', 'forum')[k % 2]}\n" for k in range(len(ratings.split())))
    (folder / "bamboo" / "sts" / "orig.train.txt").write_text(genres, encoding="utf-8")
    return folder


@pytest.fixture
def place(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints; it must end with status 0, say nothing on standard error, and write the files it names."""
    program, *arguments = shlex.split(command)
    if arguments and arguments[-2:-1] == ["<"]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(arguments[-1]).read_bytes())))
        del arguments[-2:]
    if arguments[:2] == ["train", "wwlk"]:  # what it does is tested elsewhere
        arguments += ["--every", "2", "--looks", "1"]
    if arguments[:2] == ["train", "softoverlap"]:
        arguments += ["--steps", "2", "--map-steps", "1"]
    if "10000" in arguments:
        arguments[arguments.index("10000")] = "100"
    assert {"fastmatch": main, "fastmatch-smatch": smatch}[program](arguments) == 0, command
    printed = capsys.readouterr()
    assert printed.err == "" or program == "fastmatch-smatch", command  # which names itself, once a process
    assert printed.out or "-o" in arguments, command
    written = [arguments[k + 1] for k, argument in enumerate(arguments) if argument in WRITTEN]
    assert all(Path(name).exists() for name in written), command
    return printed.out


def _compare(output: str, printed: str) -> None:
    lines = "\n".join(line.rstrip() for line in printed.strip().splitlines())
    assert re.fullmatch(".*?".join(map(re.escape, output.strip().split("…"))), lines, re.DOTALL), lines


def _session(text: str, names: dict[str, Any], page: Path) -> None:
    """A doctest that goes on with these names."""
    session = doctest.DocTestParser().get_doctest(text, {}, page.stem, str(page), 0)
    session.globs = names
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        session, out=report.append, clear_globs=False
    )
    assert not report, "".join(report)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(
            page,
            id=page.relative_to(CHECKOUT).with_suffix("").as_posix(),
            marks=[pytest.mark.slow] if needed(page) & {"dask", "matplotlib", "sklearn"} else [],
        )
        for page in PAGES
        if {block.language for block in blocks(page)} & set(RUN)
    ],
)
def test_page(page: Path, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for module in sorted(needed(page)):
        pytest.importorskip(module)
    if "dask" in needed(page):  # workers that are threads: processes are tested elsewhere
        from dask import distributed

        client = functools.partial(distributed.Client, processes=False, dashboard_address=":0")
        monkeypatch.setattr(distributed, "Client", client)
    names: dict[str, Any] = {"__name__": "__main__"}
    known = {*registry._REGISTRY, *BUILT_IN}
    try:
        for language, text, output in blocks(page):
            if language == "sh":
                capsys.readouterr()
                printed = [_run(command, monkeypatch, capsys) for command in commands(text)]
                if output is not None:
                    assert len(printed) == 1, "which of the commands prints this?"
                    _compare(output, printed[0])
            elif language == "pycon":
                _session(text, names, page)
            elif language == "python":
                exec(compile(text, page.name, "exec"), names)
    finally:
        if hasattr(names.get("client"), "close"):
            names["client"].close()
        uninstall()
        vars(builtins).pop("_", None)  # the last value of a session
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")
        for name in registry._REGISTRY.keys() - known:  # the metric that a page writes
            del registry._REGISTRY[name]


def test_python_that_needs_a_cluster_is_python() -> None:
    for page in PAGES:
        for block in code(page, "py"):
            compile(block, page.name, "exec")


def test_code_to_be_copied_shows_no_values() -> None:
    """``result.f1   # 0.85`` in a ``python`` block would be compared with nothing; sessions are."""
    for page in PAGES:
        for block in code(page, "python"):
            for statement in ast.parse(block, page.name).body:
                if isinstance(statement, ast.Expr):
                    assert isinstance(statement.value, ast.Call), (page, ast.unparse(statement))
                    assert not ast.unparse(statement).startswith("print("), (page, ast.unparse(statement))


def test_code_fits_80_columns() -> None:
    """What is wider is cut off in the site. Output is as wide as it is."""
    for page in PAGES[1:]:
        for block in blocks(page):
            for line in block.text.splitlines() if block.language != "text" else ():
                shown = block.language == "pycon" and not line.startswith((">>>", "..."))
                assert shown or len(line) <= 80, (page, line)


def test_there_are_pages() -> None:
    if not PAGES:
        pytest.skip("no docs beside these tests")
    assert sum(len(commands(text)) for page in PAGES for text in code(page, "sh")) > 120
    assert all(block.language in (*RUN, "py", "text", "json", "yaml") for page in PAGES for block in blocks(page))


def test_no_row_of_the_migration_page_contradicts_another() -> None:
    """A row said that two scores of mtool have no command here, below the row with their commands."""
    page = DOCS / "migration.md"
    if not page.exists():
        pytest.skip("no documentation beside these tests")
    rows = [line.strip("|").split(" | ") for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    known: dict[tuple[str, str], str] = {}
    for there, here, *_ in rows:
        for words in re.findall(r"`([^`]+)`", there):
            what = (there.partition(":")[0], words.split()[-1])
            assert "none" not in (here, known.setdefault(what, here)) or known[what] == here, what


# ---- links, which lead to pages and headings that exist, where the repository is hosted; the site checks its own -----

#: Pages with links.
LINKED = [*PAGES, *(page for page in (CHECKOUT / "CONTRIBUTING.md", CHECKOUT / "SECURITY.md") if page.exists())]
needs_docs = pytest.mark.skipif(not DOCS.exists(), reason="no docs beside these tests")


def without_code(page: Path) -> str:
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def places(page: Path) -> set[str]:
    """What GitHub makes of the headings: lower case, punctuation dropped, hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_somewhere() -> None:
    for page in LINKED:
        for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
            if link.startswith(("https:", "http:", "mailto:")):
                continue
            path, _, place = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), f"{page.name}: {link}"
            assert not place or place in places(target), f"{page.name}: {link}"


@needs_docs
def test_every_page_is_in_the_navigation() -> None:
    """The lists of index.md are the navigation of the site."""
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\)", (DOCS / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted([*listed, "index.md"]) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


@needs_docs
def test_every_public_name_is_in_the_reference() -> None:
    reference = (DOCS / "api.md").read_text(encoding="utf-8")
    named = {
        name for names in re.findall(r"<!-- docstrings:\s(.*?)\s-->", reference, re.DOTALL) for name in names.split()
    }
    assert set(fm.__all__) - {"__version__"} <= named
