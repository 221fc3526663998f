#!/usr/bin/env bash
# The tests against a build with bounds checks and assertions: the release build trusts every index.
#
# Arguments go to pytest. Without any, these are the tests that reach kernels and those of parity, the slow ones left out;
# `ci/debug.sh tests` runs all of them, as every night does.
. "$(dirname "$0")/common.sh"
fresh_venv debug
copy_sources "$TEMPORARY/source" # its own build folder, so no release object can slip in
FASTMATCH_DEBUG=1 python -m pip install --quiet "$TEMPORARY/source[check]"
# Kernels are compiled without counting from the end: a place below 0 reaches a Python object as it is, and NumPy 2.5
# refuses it, which older ones did not.
kernels=$TEMPORARY/source/build/debug/c
test -d "$kernels"
if grep -rnE 'ItemInt\w*\([^,]+, -' --include='*.c' "$kernels" | grep -v '#define'; then
    echo "a place below 0 of a Python object in a kernel" >&2
    exit 1
fi
if [ $# -eq 0 ]; then
    # Left out besides: how long pairs take.
    set -- -m "not slow" --ignore=tests/fuzz/test_worst.py "${KERNEL_TESTS[@]}" tests/parity
fi
pytest -m "slow or not slow" "$@"
