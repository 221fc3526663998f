"""The examples in docstrings do what they show."""

import builtins
import doctest
import importlib
import pkgutil

import pytest

import fastmatch

MODULES = [
    "fastmatch",
    *(
        module.name
        for module in pkgutil.walk_packages(fastmatch.__path__, "fastmatch.")
        if not module.name.startswith("fastmatch._ext") and not module.name.endswith("__main__")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if "pip install" not in str(error):
            raise
        pytest.skip(str(error))  # an extra that is not installed
    if name == "fastmatch.plot":
        pytest.importorskip("matplotlib", reason="matplotlib is not installed: pip install 'fastmatch[plot]'")
    try:
        assert doctest.testmod(module).failed == 0
    finally:
        vars(builtins).pop("_", None)  # the last value of a session
