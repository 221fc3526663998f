"""What importing and scoring load. Each test runs in a process of its own, where nothing is imported yet."""

import argparse
import shutil
from importlib import import_module
from pathlib import Path

import pytest

import fastmatch
from fastmatch import cli
from fastmatch.metrics.names import BUILT_IN

from support.child import ended, printed
from support.refusal import fails

HEAVY = ("numba", "scipy", "rich", "penman", "matplotlib", "pandas", "pyarrow")


def test_importing_loads_next_to_nothing():
    """Lazy attributes: ``import fastmatch`` costs less than ``import numpy``, which it does not even do."""
    code = "import sys; before = set(sys.modules); import {}; print(*set(sys.modules) - before)"
    loaded, needed = (printed("-c", code.format(name)).split() for name in ("fastmatch", "typing"))
    assert set(loaded) <= {"fastmatch", "__future__", *needed}


PAIR = "(['(a / b)'], ['(a / c)'], "
VERB = "from fastmatch.cli import main; main(['{}', sys.argv[1], sys.argv[1]])"
OTHERS = ("cli.benchmarks", "cli.umr", "cli.grapes", "pages.terminal", "results.paper", "benchmarks", "compat")
METRICS = [f"fastmatch.metrics.{name}" for name in BUILT_IN.values() if name != "smatch"]
INSTALL = "import fastmatch.compat as compat; compat.install(); import smatch; "
#: What is run with the name of a file of one graph → the modules that are not loaded then. All of a list is run in one
#: process, one after the other, each with what those before it have loaded.
UNLOADED = {
    "graphs, scores and verbs": {
        "from fastmatch.graphs.corpus import Corpus; str(Corpus.from_triples([('a', [('a', ':instance', 'x')])])[0])":
            (*HEAVY, "json", "mmap"),
        f"fm.score{PAIR})": (*HEAVY, "importlib.metadata", *METRICS),
        "fm.score('(a / cat :ARG0 (d / dog))', '(b / cat)').f1": HEAVY,
        "repr(fm.score(['(a / cat)'] * 3, ['(b / cat)'] * 3, preset='smatch', workers=2).macro)": HEAVY,
        "str(fm.align('(a / cat)', '(b / cat)'))": HEAVY,
        "fm.score('(a / cat)', '(b / cat)', solver='climb').f1": HEAVY,
        "fm.compare(['(a / cat)'] * 3, ['(b / cat)'] * 3, ['(b / dog)'] * 3, resamples=9)": HEAVY,
        "fm.agreement([['(a / cat)'] * 3, ['(b / cat)'] * 3], bootstrap=9, bootstrap_method='percentile').matrix":
            HEAVY,
        "[fm.parse('(a / cat)')[0].encode(), fm.parse('(a / cat)').ids]": HEAVY,
        VERB.format("score"): (*HEAVY, "importlib.metadata", *(f"fastmatch.{name}" for name in OTHERS)),
        VERB.format("align"): (*HEAVY, "importlib.metadata"),
        "import fastmatch.pages.terminal": ("fastmatch.pages.why_page",),
        f"{INSTALL}smatch.get_amr_match('(a / b)', '(c / b)')": HEAVY,
    },
    "vectors and figures": {
        "open(sys.argv[1] + 'v', 'w').write('b 1 0\\nc 0 1\\n'); from fastmatch.metrics.softmatch import Softmatch; "
        "all = 's2match', 'wsmatch', Softmatch(similarity=lambda a, b: 0.5), fm.metrics.make('s2match', "
        f"embeddings=sys.argv[1] + 'v'); [fm.score{PAIR}metric=one) for one in all]": ("numba", "scipy", "penman"),
        "fm.plot.histogram, fm.plot.save, fm.plot.heatmap; dir(fm.plot); import fastmatch.cli": ("matplotlib",),
        "import fastmatch.rewards.openrlhf, fastmatch.rewards.verl": ("torch",),
        "[getattr(fm, name) for name in fm.__all__]": ("fastmatch.compat",),
    },
    "names and flags": {
        "import fastmatch.metrics.names, fastmatch.metrics.common_options":
            ("numpy", "dataclasses", "fastmatch.metrics.base", "fastmatch.graphs"),
        "import fastmatch.compat.command; fastmatch.compat.command._parser()": ("numpy",),
    },
}  # fmt: skip


@pytest.mark.parametrize("steps", UNLOADED.values(), ids=UNLOADED)
def test_nobody_waits_for_what_is_not_used(steps, tmp_path):
    file = tmp_path / "a.amr"
    file.write_text("(a / cat)", encoding="utf-8")
    lines = ["import sys, fastmatch as fm; before = set(sys.modules)"]
    lines += [f"{code}; print('loaded:', *set(sys.modules) - before)" for code in steps]
    said = printed("-c", "\n".join(lines), str(file)).splitlines()
    found = [set(line.split()[1:]) for line in said if line.startswith("loaded:")]
    for (code, unloaded), loaded in zip(steps.items(), found, strict=True):
        assert any(name.startswith("fastmatch.") for name in loaded) and not loaded & set(unloaded), code


def test_all_names_are_there_and_listed():
    for name in fastmatch.__all__:
        assert getattr(fastmatch, name) is not None and name in dir(fastmatch)


@pytest.mark.parametrize("verb", cli.VERBS)
def test_the_parser_of_one_verb_is_that_of_all(verb):
    (metric,) = cli._metric_names([verb], cli.DEFAULT)
    (of_all,), (of_one,) = (
        [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        for parser in (cli._parser(metric), cli._parser(metric, verb=verb))
    )
    assert list(of_all) == list(cli.VERBS)
    assert list(of_one) == [verb] and of_one[verb].format_help() == of_all[verb].format_help()
    module, function = of_one[verb].get_default("run")
    assert callable(getattr(import_module(module), function))


def test_unknown_names():
    fails(AttributeError, "no attribute 'smach'", getattr, fastmatch, "smach")
    code = "import fastmatch\ntry:\n    fastmatch.rewards\nexcept AttributeError as error:\n    print(error)"
    assert printed("-c", code) == "module 'fastmatch' has no attribute 'rewards'; import fastmatch.rewards first\n"


def test_the_source_without_extensions_says_what_to_do(tmp_path):
    source = Path(fastmatch.__file__).parent
    bare = tmp_path / "fastmatch"
    shutil.copytree(source, bare, ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    message = f"{bare} is the source of fastmatch without its compiled extensions: build them there with"
    failed = ended("-c", "import fastmatch as fm; fm.score('(a / b)', '(a / b)')", PYTHONPATH=str(tmp_path))
    assert f"NotBuiltError: {message}" in failed.stderr
    failed = ended("-m", "fastmatch", "score", "a.amr", "b.amr", PYTHONPATH=str(tmp_path))
    assert failed.returncode == 2 and failed.stderr.startswith(f"fastmatch: {message}")
    assert failed.stderr.count("\n") == 1
