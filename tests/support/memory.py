"""How much memory a computation takes, at its peak."""

import sys

import pytest

from support.child import printed

needs_peaks = pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")

#: A function for programs, the bytes of their peak. Not ``ru_maxrss``: it begins with the peak of the process that
#: started the program, which is far above that of a new one where pytest runs.
PEAK = """
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) * 1024
"""

_PROGRAM = (
    PEAK
    + """
import fastmatch as fm
fm.score("(a / b)", "(a / c)", metric={metric!r})
{before}
start = peak()
fm.score({pair}, metric={metric!r})
print(peak() - start)
"""
)


def taken(metric: str, pair: str, before: str = "") -> int:
    """Bytes that scoring a pair adds to the peak of a new process, in which a first pair was scored.

    ``pair`` is the source of two arguments, which may use what ``before`` defines.
    """
    return int(printed("-W", "ignore", "-c", _PROGRAM.format(metric=metric, pair=pair, before=before)))
