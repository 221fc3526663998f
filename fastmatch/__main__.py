"""``python -m fastmatch`` is the command line."""

from __future__ import annotations

import sys

from fastmatch.cli import main

sys.exit(main())
