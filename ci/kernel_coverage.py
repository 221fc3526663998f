"""Which lines of the kernels ran, of a build with ``FASTMATCH_COVERAGE=1``: a table, and the lines that did not.

    python ci/kernel_coverage.py build/coverage

GCC counts how often each line of C ran (``gcov``), and Cython writes a comment with file and line in front of the C of
each statement. The first line of C behind such a comment that GCC counts stands for the statement: those behind it may
belong to the end of a function, which always runs. (Behind ``finally`` all lines of its block do: there is a copy for
each way into it, and the first is the one for exceptions.) A line of Cython ran if one of its statements ran, in one of
the extensions that hold it; so inline functions of ``.pxd`` files are counted as well.

The table lists the files that have lines which never ran, the worst first.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from itertools import groupby
from pathlib import Path

#: Cython's comments begin with this, and end with a line ``*/``.
_PLACE = re.compile(r'^ */\* "([^"]+\.p(?:yx|xd))":(\d+)$')
#: Lines that C stands for although they are no statements (attributes that Python may read, heads of classes, defaults
#: of parameters), and those that say why no test reaches them.
_EXCLUDED = re.compile(r"^\s*cdef (readonly|class) |^\s+[\w *]+=[^=]+,$|#.*\bno cover\b")


def counted(build: Path) -> dict[str, dict[int, int]]:
    """C file → line → how often it ran, from what GCC left beside the objects."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for notes in sorted(build.rglob("*.gcno")):
        text = subprocess.run(
            ["gcov", "--json-format", "--stdout", str(notes)], capture_output=True, check=True, text=True
        ).stdout
        for line in text.splitlines():
            for file in json.loads(line)["files"]:
                counts = found[file["file"]]
                for entry in file["lines"]:
                    counts[entry["line_number"]] += entry["count"]
    return found


def statements(c: Path, counts: dict[int, int], ran: dict[str, dict[int, bool]]) -> None:
    """Enter the lines of Cython that one C file was made of."""
    place: tuple[str, int] | None = None
    within, closing = False, ""
    for number, line in enumerate(c.read_text(encoding="utf-8").splitlines(), start=1):
        if match := _PLACE.match(line):
            place, within, closing = (match[1], int(match[2])), True, ""
        elif within:
            within = "*/" not in line
        elif "/*finally:*/" in line:
            closing = line.partition("/")[0] + "}"
        elif closing and line == closing:
            place, closing = None, ""
        elif place is not None and number in counts:
            file, at = place
            ran[file][at] = ran[file].get(at, False) or counts[number] > 0
            place = place if closing else None


def main() -> int:
    build = Path(sys.argv[1])
    ran: dict[str, dict[int, bool]] = defaultdict(dict)
    for name, counts in counted(build).items():
        if name.endswith(".c") and Path(name).exists():
            statements(Path(name), counts, ran)
    rows, total, missed = [], 0, 0
    for name in sorted(ran):
        if not Path(name).exists():
            continue  # Cython's own, such as libc/math.pxd
        lines = Path(name).read_text(encoding="utf-8").splitlines()
        kept = {at: hit for at, hit in ran[name].items() if not _EXCLUDED.search(lines[at - 1])}
        never = sorted(at for at, hit in kept.items() if not hit)
        total, missed = total + len(kept), missed + len(never)
        if never:
            rows.append((len(never) / len(kept), name, len(kept), never))
    print(f"{'kernel':50}{'lines':>7}{'never':>7}{'ran':>6}   lines that never ran")
    for share, name, n, never in sorted(rows, reverse=True):
        print(f"{name:50}{n:7}{len(never):7}{100 * (1 - share):5.0f}%   {ranges(never)}")
    print(f"{'all kernels':50}{total:7}{missed:7}{100 * (1 - missed / max(total, 1)):5.1f}%")
    return 0


def ranges(numbers: list[int]) -> str:
    """``3-5, 9``: numbers that follow each other as one range."""
    parts = []
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        parts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
