#!/usr/bin/env bash
# The README's commands, to the letter, in a fresh virtual environment: build in isolation, install, test what was
# installed; and the demo, which is the first thing a newcomer runs.
. "$(dirname "$0")/common.sh"
fresh_venv test
python -m pip install --quiet '.[test]'
(cd "$TEMPORARY" && fastmatch demo)
# Once through the benches, not for figures: they must not rot.
pytest --quiet --benchmark-disable benches
python -P benches/peers/compare.py fastmatch/data/sample-pred.amr fastmatch/data/sample-gold.amr --repeat 1
python -P benches/all_pairs.py fastmatch/data/sample-gold.amr --sizes 20,40,60 --metrics rematch,smatch
pytest "$@"
