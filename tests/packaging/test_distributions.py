"""What the sdist and the wheel hold. ``ci/package.sh`` builds both and names their folder in ``FASTMATCH_DIST``."""

import importlib
import importlib.metadata
import importlib.util
import os
import platform
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

import fastmatch

CHECKOUT = Path(__file__).parents[2]
SHARED = "fastmatch._ext._shared"  # made by Cython, without a source of ours; see setup.py
EXTENSIONS = sorted(
    ".".join(source.relative_to(CHECKOUT).with_suffix("").parts) for source in CHECKOUT.glob("fastmatch/_ext/**/*.pyx")
)


@pytest.fixture(scope="module")
def dist() -> Path:
    place = os.environ.get("FASTMATCH_DIST")
    if not place:
        pytest.skip("FASTMATCH_DIST is not set: build with ci/package.sh")
    return Path(place)


@pytest.fixture(scope="module")
def sdist(dist: Path) -> set[str]:
    """Names in the sdist, without its top folder."""
    (path,) = dist.glob("fastmatch-*.tar.gz")
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def wheel(dist: Path) -> set[str]:
    (path,) = dist.glob("fastmatch-*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def _under(folder: str, pattern: str) -> set[str]:
    return {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / folder).rglob(pattern)}


def test_sdist_builds_and_tests_from_itself(sdist: set[str]) -> None:
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "CHANGELOG.md", "fastmatch/py.typed"):
        assert name in sdist
    for pattern in ("*.pyx", "*.pxd", "*.h", "*.pyi", "*.py", "*.amr", "*.tsv", "*.txt"):
        assert _under("fastmatch", pattern) <= sdist
    for folder in ("tests", "benches", "examples"):
        assert _under(folder, "*.py") <= sdist
    assert _under("fastmatch/pages/web", "*") <= sdist
    assert {path for path in _under("tests", "*.*") if "__pycache__" not in path} <= sdist


def test_sdist_holds_no_build_products(sdist: set[str]) -> None:
    made = {name for name in sdist if PurePosixPath(name).suffix in (".c", ".cpp", ".so", ".pyd", ".pyc", ".html")}
    assert made == {"fastmatch/pages/web/why.html", "tests/support/failing_memory.c"}  # written by hand


def test_wheel_holds_what_a_user_needs(wheel: set[str]) -> None:
    assert {"fastmatch/py.typed", "fastmatch/data/sample-gold.amr", "fastmatch/data/sample-pred.amr"} <= wheel
    assert _under("fastmatch", "*.py") <= wheel
    assert _under("fastmatch", "*.pyi") | _under("fastmatch", "*.tsv") | _under("fastmatch", "*.txt") <= wheel
    assert _under("fastmatch/pages/web", "*") <= wheel
    compiled = {name.partition(".")[0].replace("/", ".") for name in wheel if name.endswith((".so", ".pyd"))}
    assert compiled == {*EXTENSIONS, SHARED}


def test_wheel_holds_nothing_else(wheel: set[str]) -> None:
    endings = (".py", ".pyi", ".so", ".pyd", ".typed", ".amr", ".tsv", ".txt", ".md")
    elsewhere = (".dist-info/", "fastmatch/pages/web/")
    assert not [n for n in wheel if not n.endswith(endings) and not any(place in n for place in elsewhere)]
    assert {PurePosixPath(name).parts[0].partition("-")[0] for name in wheel} == {"fastmatch"}


@pytest.mark.skipif((sys.platform, platform.machine()) != ("linux", "x86_64"), reason="measured on one platform")
def test_extensions_are_small(dist: Path) -> None:
    """Debug symbols, tables that nothing reads and code that every extension repeats show in their size."""
    (path,) = dist.glob("fastmatch-*.whl")
    with zipfile.ZipFile(path) as archive:
        sizes = {member.filename: member.file_size for member in archive.infolist() if member.filename.endswith(".so")}
    assert sum(sizes.values()) <= 5_000_000, sorted(sizes.items(), key=lambda item: -item[1])[:10]


def test_version_stands_in_one_place_only() -> None:
    try:
        installed = importlib.metadata.version("fastmatch")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("fastmatch is not installed, only on the path")
    assert installed == fastmatch.__version__


def test_pyproject_takes_the_version_from_the_package() -> None:
    settings = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" in settings["project"]["dynamic"] and "version" not in settings["project"]
    assert settings["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "fastmatch.version.__version__"}


def test_citation_names_the_version() -> None:
    path = CHECKOUT / "CITATION.cff"
    if not path.is_file():
        pytest.skip("an sdist holds no CITATION.cff")
    assert re.findall(r"^version: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE) == [fastmatch.__version__]


def test_the_tested_package_is_not_the_bare_source_tree() -> None:
    """Without its extensions nothing works: the message for those who run pytest before building."""
    root = Path(fastmatch.__file__).parents[1]
    compiled = {
        path.relative_to(root).as_posix().partition(".")[0].replace("/", ".")
        for path in (root / "fastmatch" / "_ext").rglob("*")
        if path.suffix in (".so", ".pyd")
    }
    assert set(EXTENSIONS) <= compiled, f"{root} lacks extensions: run `pip install '.[test]'` first"


_CHANGED_HEADER = """
from pathlib import Path
import setup

(extension,) = [each for each in setup._extensions() if each.name == "fastmatch._ext.transport.score"]
before = setup._digest(extension)
assert before == setup._digest(extension)
read = Path.read_bytes
Path.read_bytes = lambda path: read(path) + b"\\n" * (path.name == "dots.h")
assert before != setup._digest(extension)
"""


_FILES_OF_CYTHON = """
import os
import setup
from Cython.Build.Dependencies import DependencyTree
from Cython.Compiler.Main import Context
from Cython.Compiler.Options import CompilationOptions

tree = DependencyTree(Context.from_options(CompilationOptions()))
for extension in setup._extensions():
    (source,) = extension.sources
    if source.endswith(".pyx"):
        assert all(os.path.exists(file) for file in extension.depends)
        missing = {name for name in tree.all_dependencies(source) if not os.path.isabs(name)} - {*extension.depends}
        assert not missing, (source, missing)
"""

_LEVELS = """
import setup

names = {extension.name.removeprefix("fastmatch._ext.").replace(".", "/") for extension in setup._extensions()}
names |= {name.partition("/")[0] for name in names}
listed = [name for level in setup.LEVELS.values() for name in level]
assert len(listed) == len(set(listed)) and set(listed) <= names, set(listed) - names
"""


@pytest.mark.slow
@pytest.mark.parametrize("program", [_CHANGED_HEADER, _FILES_OF_CYTHON, _LEVELS], ids=["header", "files", "levels"])
def test_an_extension_is_built_again_after_a_change_of_any_file_that_it_reads(program: str) -> None:
    """Of a header that only a ``.pxd`` names; of all files that Cython's own search finds; with flags that exist."""
    for needed in ("Cython", "setuptools"):
        if importlib.util.find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed")
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, env=environment, check=True)
