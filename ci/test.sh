#!/usr/bin/env bash
# The README's commands, to the letter, in a fresh virtual environment: build in isolation, install, test what was
# installed; the demo, which is the first thing a newcomer runs; and the slow tests. With arguments, which go to pytest
# (`-m 'not slow'`), there is one run of tests.
# FASTMATCH_VENV names the folder of the environment, for other steps to use (ci/benches.sh, ci/types.sh); it is temporary
# otherwise.
. "$(dirname "$0")/common.sh"
venv=${FASTMATCH_VENV:-$TEMPORARY/test}
"$PYTHON" -m venv "$venv"
use_venv "$venv"
python -m pip install --quiet '.[test]'
# What few tests need besides: they are skipped without it.
python -m pip install --quiet matplotlib pandas scikit-learn
# A caller of the package smatch that runs unmodified in the tests; only its evaluation, as the rest of it needs torch.
python -m pip install --quiet --no-deps amrlib==0.8.1
touch "$venv/installed" # ci/all.sh waits for it
(cd "$TEMPORARY" && fastmatch demo)
fastmatch-smatch -f fastmatch/data/sample-pred.amr fastmatch/data/sample-gold.amr --pr
# Slow tests first, so that the README's command is what the last line is of.
slow=0
if [ $# -eq 0 ]; then pytest -m slow || slow=$?; fi
pytest "$@"
exit $slow
