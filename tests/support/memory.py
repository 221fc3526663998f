"""How much memory a computation takes, at its peak."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

needs_peaks = pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss is in KiB on Linux")

_PROGRAM = """
import resource
import fastmatch as fm
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
fm.score("(a / b)", "(a / c)", metric={metric!r})
{before}
start = peak()
fm.score({pair}, metric={metric!r})
print(peak() - start)
"""


def taken(metric: str, pair: str, before: str = "") -> int:
    """Bytes that scoring a pair adds to the peak of a new process, in which a first pair was scored.

    ``pair`` is the source of two arguments, which may use what ``before`` defines.
    """
    command = [sys.executable, "-W", "ignore", "-c", _PROGRAM.format(metric=metric, pair=pair, before=before)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return int(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)
