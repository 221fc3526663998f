"""Fixtures and settings shared by all tests.

The reference data (recorded outputs of peers, corpora that may not be redistributed) live outside the repository: set
``FASTMATCH_DATA`` to the directory that holds ``data/`` and ``reference/``. Tests that need it are skipped without it.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    from hypothesis import HealthCheck, settings
except ImportError:  # the packaging tests run with no more than pytest beside the wheel
    settings = None

# `python -m pytest` puts the checkout first on the path; `pytest` does not. Both shall test the same package.
CHECKOUT = str(Path(__file__).resolve().parent.parent)
if sys.path[0] in ("", CHECKOUT) and CHECKOUT not in os.environ.get("PYTHONPATH", "").split(os.pathsep):
    del sys.path[0]

# Helpers are imported as ``support.<name>`` and ``twins.<name>``. The tests are no package, so that the checkout itself
# stays off the path and an installed fastmatch is the one that is tested.
sys.path.insert(0, str(Path(__file__).parent))

# Child processes find the fastmatch that this process finds: never the checkout through their working directory.
os.environ["PYTHONSAFEPATH"] = "1"
if os.environ.get("PYTHONPATH"):
    os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep)))

# A shell without job control starts what runs in the background with Ctrl-C ignored, and child processes inherit that:
# tests that interrupt a child would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if settings is not None:
    # Deadlines measure the machine, not the code. Each run draws other examples; ``HYPOTHESIS_PROFILE=long`` is for the
    # night.
    settings.register_profile("default", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("long", parent=settings.get_profile("default"), max_examples=2000)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# penman warns of every attribute that looks inverted and every repeated triple; the generated graphs are full of them.
logging.getLogger("penman").setLevel(logging.ERROR)

MOST_WORKERS = 8  # each imports everything, 150 MB


def pytest_collection_finish() -> None:
    """Tests and modules live to the end: to search them for garbage again and again is a fifteenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Runs that name a folder, or nothing, leave out slow tests, and use all processors if pytest-xdist is there.

    ``-m 'slow or not slow'`` takes all tests, as continuous integration does; a run of the night takes them, too.
    ``-n 0`` keeps to one processor. Not in ``addopts``: who names a file wants all of it at once, to start the workers
    takes longer than most files of tests, and pytest refuses ``-n`` where the plugin is not installed.
    """
    if not any(Path(each).is_dir() for each in config.args):
        return
    night = os.environ.get("HYPOTHESIS_PROFILE") == "long"
    if not (config.option.markexpr or config.option.keyword or night):
        config.option.markexpr = "not slow"
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if (
        config.pluginmanager.hasplugin("xdist")
        and not hasattr(config, "workerinput")  # a worker has no workers
        and config.option.numprocesses is None
        and not config.option.usepdb
        and processors > 1
    ):
        config.option.numprocesses = min(processors, MOST_WORKERS)
        config.option.dist = "worksteal"
        config.option.benchmark_disable = True  # pytest-benchmark would do so with a warning


@pytest.fixture(scope="session", autouse=True)
def cache_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Word vectors are cached for this run alone: none in the user's own folder, which runs beside it would share."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FASTMATCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def disk_at_its_leisure() -> Iterator[None]:
    """No test pulls the plug, so nothing waits until what was written is on the disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(scope="module", autouse=True)
def environment_as_it_was() -> Iterator[None]:
    """Dask's clusters leave variables in the environment and folders on the path; the command line sets a variable."""
    variables, path = dict(os.environ), list(sys.path)
    yield
    if os.environ != variables:
        os.environ.clear()
        os.environ.update(variables)
    sys.path[:] = path


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The directory with ``data/`` and ``reference/`` named by ``FASTMATCH_DATA``."""
    place = os.environ.get("FASTMATCH_DATA")
    if not place:
        pytest.skip("FASTMATCH_DATA is not set: the shared corpora and the peers' recorded outputs are needed")
    path = Path(place)
    if not (path / "reference").is_dir():
        pytest.skip(f"FASTMATCH_DATA={place} has no directory 'reference'")
    return path


@pytest.fixture(scope="session")
def own_data() -> Path:
    """The small corpora kept in the repository (``tests/data``)."""
    return Path(__file__).parent / "data"
