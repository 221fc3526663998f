"""Arrows between rooms: a module imports from its own room and from rooms that stand above its own in the table.

The table of rooms in docs/architecture.md is the rule: one row a room, in order. This test reads the
``import`` statements of all modules (those within functions and for type checkers too) and the ``cimport`` statements
of all kernels. It fails where a module imports from a row below its own, where a room has no row, and where modules
import each other in a circle.
"""

import ast
import functools
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "fastmatch"
PAGE = ROOT / "docs" / "architecture.md"

if not (PAGE.is_file() and PACKAGE.is_dir()):
    pytest.skip("the checkout is not beside the tests", allow_module_level=True)


def rooms() -> list[str]:
    """The places named in the first column of the table, in order: ``fastmatch/`` is left out."""
    rows = re.findall(r"^\| (`.*?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [place for row in rows for place in re.findall(r"`([^`]+)`", row)]


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def sources() -> dict[str, list[Path]]:
    """Module → its files: a kernel has its ``.pyx`` and ``.pxd``."""
    found: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".pyi", ".pyx", ".pxd"):
            found.setdefault(module_of(path), []).append(path)
    return found


MODULES = sources()
ROOMS = rooms()


def room_of(module: str) -> str:
    """The row of a module: the longest place in the table that holds it."""
    path = module.removeprefix("fastmatch").removeprefix(".").replace(".", "/")
    if path == "":
        path = "__init__"
    fitting = [place for place in ROOMS if path == place.removesuffix(".py") or f"{path}/".startswith(place)]
    assert fitting, f"{module} is in no row of the table of rooms"
    return max(fitting, key=len)


def named(base: str, names: list[str]):
    """What ``from base import names`` imports: modules where the names are modules, else the base."""
    for name in names:
        yield f"{base}.{name}" if f"{base}.{name}" in MODULES else base


@functools.cache
def statements(path: Path) -> list[ast.Import | ast.ImportFrom | ast.Assign]:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign))]


def imports(path: Path):
    if path.suffix in (".py", ".pyi"):
        for node in statements(path):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield from named(node.module, [alias.name for alias in node.names])
            elif isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
        return
    text = path.read_text(encoding="utf-8")
    for base, names in re.findall(r"^\s*from ([\w.]+) c?import (\([^)]*\)|[^\n#]+)", text, re.MULTILINE):
        yield from named(base, re.findall(r"(\w+)(?: as \w+)?", re.sub(r"#.*", "", names)))
    yield from re.findall(r"^\s*c?import ([\w.]+)", text, re.MULTILINE)


@functools.cache
def arrows() -> dict[str, set[str]]:
    """Module → modules of this package that it imports."""
    found: dict[str, set[str]] = {}
    for module, paths in MODULES.items():
        targets = {target for path in paths for target in imports(path)}
        found[module] = {target for target in targets if target in MODULES and target != module}
    return found


def test_the_reader_of_imports_sees_something():
    assert "fastmatch.graphs.corpus" in arrows()["fastmatch.graphs.reading"]
    assert "fastmatch._ext.base.arena" in arrows()["fastmatch._ext.matching.problem"]
    assert sum(map(len, arrows().values())) > 500


def test_every_row_of_the_table_is_a_room():
    for place in ROOMS:
        assert (PACKAGE / place).is_dir() if place.endswith("/") else (PACKAGE / place).is_file(), place


def test_every_module_has_a_room():
    for module in MODULES:
        room_of(module)


def test_no_arrow_runs_down_the_table():
    order = {place: number for number, place in enumerate(ROOMS)}
    wrong = [
        f"{module} ({room_of(module)}) imports {target} ({room_of(target)})"
        for module, targets in arrows().items()
        for target in sorted(targets)
        if order[room_of(target)] > order[room_of(module)]
    ]
    assert not wrong, "\n".join(wrong)


def test_names_are_offered_in_one_way():
    """What begins with ``_`` stays in its module; ``__all__`` lists only what is passed on from other modules."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        froms = [node for node in statements(path) if isinstance(node, ast.ImportFrom)]
        imported = {alias.asname or alias.name for node in froms for alias in node.names}
        for node in statements(path):
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("fastmatch"):
                names = [alias.name for alias in node.names if re.match("_(?!_|ext$)", alias.name)]
                wrong += [f"{path}: {name} is private to {node.module}" for name in names]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                passed_on = {each.value for each in ast.walk(node.value) if isinstance(each, ast.Constant)} & imported
                if path.name != "__init__.py" and not passed_on:
                    wrong.append(f"{path}: __all__ lists names of its own, which need no list")
    assert not wrong, "\n".join(wrong)


def test_no_circle():
    """Modules of one room included; the error names the circle."""
    TopologicalSorter(arrows()).prepare()
