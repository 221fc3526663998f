"""What editors know of the options is what the metrics have."""

import ast
import dataclasses
import importlib.util
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.registry import get

SCRIPT = Path(__file__).parents[2] / "ci" / "typed_options.py"
STUB = Path(fm.__file__).with_suffix(".pyi")


@pytest.fixture(scope="module")
def script():
    if not SCRIPT.exists():
        pytest.skip("no ci/ beside these tests")
    found = importlib.util.spec_from_file_location("typed_options_script", SCRIPT)
    assert found and found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("metric", BUILT_IN)
def test_a_typed_dictionary_has_the_fields_of_the_metric(metric: str) -> None:
    kind = get(metric)
    listed = getattr(fm, f"{kind.__name__}Options").__annotations__
    assert list(listed) == [entry.name for entry in dataclasses.fields(kind)]


def test_it_is_what_the_script_makes(script):
    """After a change of a metric's options, or of a public signature: ``python ci/typed_options.py``."""
    ours, kept = (
        [ast.unparse(node) for node in ast.parse(text).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        for text in (script.stub(), STUB.read_text(encoding="utf-8"))
    )
    assert ours == kept
