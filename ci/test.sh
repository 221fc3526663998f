#!/usr/bin/env bash
# The README's commands in a fresh virtual environment: build in isolation, install, test what was installed, here with
# the slow tests; and the demo, which is the first thing a newcomer runs. Arguments go to pytest (`-m 'not slow'`).
# FASTMATCH_VENV names the folder of the environment, for other steps to use (ci/benches.sh, ci/types.sh); it is temporary
# otherwise.
. "$(dirname "$0")/common.sh"
venv=${FASTMATCH_VENV:-$TEMPORARY/test}
"$PYTHON" -m venv "$venv"
use_venv "$venv"
python -m pip install --quiet '.[test]'
# What few tests need besides: they are skipped without it.
python -m pip install --quiet matplotlib pandas POT
# A caller of the package smatch that runs unmodified in the tests; only its evaluation, as the rest of it needs torch.
python -m pip install --quiet --no-deps amrlib==0.8.1
touch "$venv/installed" # ci/all.sh waits for it
(cd "$TEMPORARY" && fastmatch demo)
fastmatch-smatch -f fastmatch/data/sample-pred.amr fastmatch/data/sample-gold.amr --pr
pytest -m "slow or not slow" "$@"
