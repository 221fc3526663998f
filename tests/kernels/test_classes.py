"""Kernel classes: an object whose constructor did not run is not had, or is empty; it does not end the process."""

from support.child import printed

PROGRAM = """
import contextlib, copy, importlib, inspect, pickle, pkgutil
import fastmatch._ext

found = 0
for info in pkgutil.walk_packages(fastmatch._ext.__path__, "fastmatch._ext."):
    for name, kept in vars(importlib.import_module(info.name)).items():
        if not inspect.isclass(kept) or kept.__module__ != info.name:
            continue
        found += 1
        print(info.name, name, flush=True)
        try:
            made = kept.__new__(kept)
        except (TypeError, ValueError):
            continue
        for use in (pickle.dumps, copy.copy, copy.deepcopy, repr, len, list):
            with contextlib.suppress(Exception):
                use(made)
        for part in dir(made):
            with contextlib.suppress(Exception):
                getattr(made, part)
assert found > 20
"""


def test_no_object_without_its_arrays_ends_the_process():
    assert printed("-c", PROGRAM)
