"""Where the programs begin: ``fastmatch``, which is also ``python -m fastmatch``, and ``fastmatch-smatch``.

Everything else is imported by the functions here, so that Ctrl-C ends a program that is still being imported, too.
"""

from __future__ import annotations

import gc
import sys

from fastmatch.runtime.interrupts import interruptible


def main() -> int:
    """Run the command line; see :mod:`fastmatch.cli`."""
    # Graphs and texts are many objects that live until the end: to look for garbage among them took up to a tenth.
    gc.set_threshold(100_000, 20, 100)

    def program() -> int:
        from fastmatch.cli import main

        return main()

    return interruptible("fastmatch", program)


def smatch() -> int:
    """Run ``fastmatch-smatch``; see :mod:`fastmatch.compat.command`."""

    def program() -> int:
        from fastmatch.compat.command import main

        return main()

    return interruptible("fastmatch-smatch", program)


if __name__ == "__main__":
    sys.exit(main())
