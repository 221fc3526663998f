"""What editors and type checkers know of the options of each metric: ``python ci/typed_options.py`` writes it.

``fastmatch/__init__.pyi`` has the public names; a typed dictionary for each metric, the fields of its dataclass with
their choices; and each function that takes ``**options`` once more for every metric, with the options and presets of
that metric. So ``fm.score(pred, gold, metric="sembleu", `` completes to ``k=``, ``direction=``, … Another name, and a
metric that was made already, go to the last signature, which takes any options. Where the type of the result depends on
other arguments, there is a signature for each, of which the first is repeated for every metric.

It is made from the metrics and from the signatures as they stand in the source. A test makes it again, so that it
cannot differ from these.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import pkgutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import Any

import fastmatch as fm
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.registry import get

ROOT = Path(__file__).parents[1]
STUB = ROOT / "fastmatch" / "__init__.pyi"

#: Public functions whose further arguments are options of a metric.
FUNCTIONS = (
    "score",
    "align",
    "compare",
    "ensemble",
    "agreement",
    "cdist",
    "cpdist",
    "pairs",
    "top_k",
    "groups",
    "features",
)

_DENSE = "out: Path | None = None, sparse: Literal[False] = False"

#: Where the type of the result depends on arguments: these, and the result, in place of what the function itself says.
OVERLOADS = {
    "align": (
        "metric: Literal['wwlk'] | Wwlk) -> FlowAlignment",
        "metric: AligningMetric = 'smatch') -> Alignment",
        "metric: str | Metric) -> Alignment | FlowAlignment",
    ),
    "cdist": (
        f"dtype: type[np.float32] = ..., {_DENSE}) -> NDArray[np.float32]",
        f"dtype: type[Float] | np.dtype[Float], {_DENSE}) -> NDArray[Float]",
        f"dtype: DTypeLike, {_DENSE}) -> NDArray[Any]",
        "out: NDArray[Float], sparse: Literal[False] = False) -> NDArray[Float]",
        "out: None = None, sparse: Literal[True]) -> scipy.sparse.csr_array",
        "out: SomePath, sparse: Literal[True]) -> SomePath",
    ),
    "cpdist": (
        "dtype: type[np.float64] = ...) -> NDArray[np.float64]",
        "dtype: type[Float] | np.dtype[Float]) -> NDArray[Float]",
        "dtype: DTypeLike) -> NDArray[Any]",
    ),
    "features": (
        "B: None = None) -> scipy.sparse.csr_array",
        "B: Graphs) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]",
    ),
}

#: What only these name.
_NAMED = """\
from typing import TypeVar

from fastmatch.metrics.wwlk import Wwlk
from fastmatch.types import AligningMetric

Float = TypeVar("Float", bound=np.floating[Any])
SomePath = TypeVar("SomePath", bound=Path)
"""

_MADE = "Made by ci/typed_options.py: change the metrics, and run it."


def class_name(metric: str) -> str:
    """The name of a metric's typed dictionary: ``SmatchOptions``."""
    return f"{get(metric).__name__}Options"


class Source:
    """What a module imports and defines, so that its annotations can be written elsewhere."""

    def __init__(self, module: ModuleType) -> None:
        self.name = module.__name__
        self.tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
        self.imports: dict[str, str] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module != "__future__":
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = f"from {node.module} import {alias.name}"
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    self.imports[alias.asname or alias.name.split(".")[0]] = f"import {alias.name}" + (
                        f" as {alias.asname}" if alias.asname else ""
                    )
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.imports.setdefault(node.targets[0].id, f"from {self.name} import {node.targets[0].id}")
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                self.imports.setdefault(node.target.id, f"from {self.name} import {node.target.id}")
            elif isinstance(node, ast.ClassDef):
                self.imports.setdefault(node.name, f"from {self.name} import {node.name}")

    def needed(self, annotation: ast.AST) -> dict[str, str]:
        """Imports of the names in an annotation."""
        names = {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
        return {name: self.imports[name] for name in sorted(names & self.imports.keys())}


@cache
def source_of(module: ModuleType) -> Source:
    """The source of a module, read once: many fields come from few modules."""
    return Source(module)


def annotated(kind: type) -> dict[str, tuple[str, bool]]:
    """Option of a metric → its annotation, and whether that names types: choices do not."""
    found = {}
    for entry in dataclasses.fields(kind):
        choices = entry.metadata.get("choices")
        found[entry.name] = f"Literal[{', '.join(map(repr, choices))}]" if choices else str(entry.type), not choices
    return found


def inherits(above: type, annotations: dict[str, tuple[str, bool]]) -> bool:
    """Whether all options of a class above, of which there are some, are among these as they are."""
    if not dataclasses.is_dataclass(above):
        return False
    own = annotated(above)
    return bool(own) and all(annotations.get(option) == annotation for option, annotation in own.items())


def dictionaries() -> tuple[set[str], str]:
    """The imports that typed dictionaries need, and the dictionaries."""
    imports: dict[str, str] = {}
    bodies: dict[type, str] = {}

    def add(kind: type[Any]) -> None:
        """The dictionary of a class: what it adds to that of the class whose options it inherits as they are."""
        if kind in bodies:
            return
        annotations = annotated(kind)
        above = next((each for each in kind.__mro__[1:] if inherits(each, annotations)), None)
        base = "TypedDict"
        if above is not None:
            base = f"{above.__name__}Options"
            add(above)
        homes = {
            name: source_of(sys.modules[owner.__module__])
            for owner in reversed(kind.__mro__)
            for name in vars(owner).get("__annotations__", ())
        }
        what = f"the metric {kind.name!r}" if kind.name else f"all metrics of the class {kind.__name__}"
        lines = [f"class {kind.__name__}Options({base}, total=False):", f'    """Options of {what}."""', ""]
        for option, (annotation, free) in annotations.items():
            if above is not None and option in annotated(above):
                continue
            if free:
                imports.update(homes[option].needed(ast.parse(annotation)))
            lines.append(f"    {option}: {annotation}")
        bodies[kind] = "\n".join(lines).rstrip()

    for metric in BUILT_IN:
        add(get(metric))
    return set(imports.values()), "\n\n\n".join(bodies.values())


def signatures(source: Source, name: str) -> list[ast.FunctionDef]:
    """The signatures of a function: one for each of its ``OVERLOADS``, else its own."""
    (own,) = (node for node in source.tree.body if isinstance(node, ast.FunctionDef) and node.name == name)
    return [_changed(own, ast.parse(f"def f(*, {text}: ...").body[0]) for text in OVERLOADS.get(name, ())] or [own]


def _changed(signature: ast.FunctionDef, other: Any) -> ast.FunctionDef:
    """A signature with the arguments and the result of another one, which has only those that differ."""
    made = copy.deepcopy(signature)
    made.returns = other.returns
    arguments = made.args
    for argument, default in zip(other.args.kwonlyargs, other.args.kw_defaults, strict=True):
        names = [each.arg for each in arguments.kwonlyargs]
        if argument.arg in names:
            place = names.index(argument.arg)
            arguments.kwonlyargs[place], arguments.kw_defaults[place] = argument, default
        else:  # the last positional one
            arguments.args[-1], arguments.defaults[-1:] = argument, [default] if default else []
    return made


def of_metric(signature: ast.FunctionDef, metric: str) -> str | None:
    """The signature for one metric; None if it is for others."""
    places = {argument.arg: k for k, argument in enumerate(signature.args.kwonlyargs)}
    default = signature.args.kw_defaults[places["metric"]]
    annotation = signature.args.kwonlyargs[places["metric"]].annotation
    assert annotation is not None
    clash = {argument.arg for argument in (*signature.args.args, *signature.args.kwonlyargs)}
    if clash & {entry.name for entry in dataclasses.fields(get(metric))}:  # type: ignore[arg-type]
        return None  # a parameter of the function hides the option
    if name_of_flow := [node for node in ast.walk(annotation) if isinstance(node, ast.Constant)]:
        if metric not in {node.value for node in name_of_flow}:  # an overload for some metrics
            return None
    elif ast.unparse(annotation) == "AligningMetric":
        if get(metric)().aligns != "map":
            return None
    elif signature.name == "align":  # the overload for all others: there is nothing to complete
        return None
    is_default = isinstance(default, ast.Constant) and default.value == metric
    presets = [*get(metric).presets]
    return _written(
        signature,
        metric=(f"Literal[{metric!r}]", repr(metric) if is_default else None),
        preset=(f"Literal[{', '.join(map(repr, presets))}] | None" if presets else "None", "None"),
        options=f"Unpack[{class_name(metric)}]",
    )


def of_others(signature: ast.FunctionDef, *, default: bool) -> str:
    """The signature for metrics of other packages, and for those that were made already.

    ``default``: it also serves calls without ``metric``.
    """
    places = {argument.arg: k for k, argument in enumerate(signature.args.kwonlyargs)}
    annotation = signature.args.kwonlyargs[places["metric"]].annotation
    assert annotation is not None
    value = signature.args.kw_defaults[places["metric"]]
    told = ast.unparse(value) if default and value is not None else None
    return _written(signature, metric=(ast.unparse(annotation), told), preset=("str | None", "None"), options="Any")


def _written(
    signature: ast.FunctionDef, *, metric: tuple[str, str | None], preset: tuple[str, str], options: str
) -> str:
    """A signature with other types of ``metric``, ``preset`` and ``options``, each with its default."""
    arguments = signature.args
    changed = {"metric": metric, "preset": preset}
    parts = []
    missing = len(arguments.args) - len(arguments.defaults)
    for number, argument in enumerate(arguments.args):
        value = "" if number < missing else f" = {ast.unparse(arguments.defaults[number - missing])}"
        parts.append(f"{argument.arg}: {ast.unparse(argument.annotation)}{value}")  # type: ignore[arg-type]
    parts.append(f"*{arguments.vararg.arg}: {ast.unparse(arguments.vararg.annotation)}" if arguments.vararg else "*")  # type: ignore[arg-type]
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        annotation = ast.unparse(argument.annotation)  # type: ignore[arg-type]
        given = None if default is None else ast.unparse(default) if isinstance(default, ast.Constant) else "..."
        told, shown = changed.get(argument.arg, (annotation, given))
        parts.append(f"{argument.arg}: {told}" + ("" if shown is None else f" = {shown}"))
    parts.append(f"**options: {options}")
    returns = ast.unparse(signature.returns)  # type: ignore[arg-type]
    lines = [""]
    for part in parts:
        first, *rest = wrap(f"{part},", 116, subsequent_indent="    ", break_on_hyphens=False)
        lines[-1:] = [joined] if len(joined := f"{lines[-1]} {first}".strip()) <= 116 else [lines[-1], first]
        lines += rest
    within = "\n    ".join(lines).replace("'", '"')
    return f"@overload\ndef {signature.name}(\n    {within}\n) -> {returns}: ..."


def stub() -> str:
    """The stub of the package, of which imports and names are not yet formatted.

    Signatures have several arguments a line: with one a line, as the formatter has it, there are three times as many.
    """
    own, classes = dictionaries()
    own.add("from typing import Any, Literal, TypedDict, Unpack, overload")
    imports: dict[str, str] = {}  # modules may have the same alias, each its own: one of them serves
    functions = []
    for name, home in sorted(vars(fm)["_HOME"].items()):
        if name in FUNCTIONS:
            source = Source(pkgutil.resolve_name(f"fastmatch.{home}"))
            made = signatures(source, name)
            for signature in made:
                for node in ast.walk(signature):
                    if (
                        isinstance(node, ast.arg)
                        and node.annotation is not None
                        and node.arg not in ("preset", "options")
                    ):
                        imports = source.needed(node.annotation) | imports
                assert signature.returns is not None
                imports = source.needed(signature.returns) | imports
            kinds = made if name == "align" else made[:1]
            written = [one for metric in BUILT_IN for signature in kinds if (one := of_metric(signature, metric))]
            rest = [of_others(signature, default=len(written) < len(BUILT_IN) or len(made) > 1) for signature in made]
            functions.append("\n".join(written + rest))
        else:
            own.add(f"from fastmatch{'' if home == name else f'.{home}'} import {name} as {name}")
    names = f"__all__ = [{', '.join(map(repr, fm.__all__))}]"
    head = f'"""The public names, and the options of each metric. {_MADE}"""\n\n'
    own |= {line for name, line in imports.items() if name not in fm.__all__}
    return head + "\n".join([*sorted(own), _NAMED, names, "\n", classes, "\n", "# fmt: off", *functions, ""])


def _formatted(text: str, path: Path) -> str:
    """The text as ruff formats it."""
    for command in (["check", "--fix", "--quiet", "--select", "I,RUF022,F401"], ["format", "--quiet"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(path), "-"],
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=True,
            cwd=ROOT,
        )
        text = done.stdout
    return text


if __name__ == "__main__":
    STUB.write_text(_formatted(stub(), STUB), encoding="utf-8")
