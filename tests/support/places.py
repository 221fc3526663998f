"""Where the graphs are that tests take from files: the sample of the package, and the data of the tests."""

from pathlib import Path

import fastmatch as fm

SAMPLE = Path(fm.__file__).parent / "data"
PRED, GOLD = SAMPLE / "sample-pred.amr", SAMPLE / "sample-gold.amr"
DATA = Path(__file__).parents[1] / "data"
