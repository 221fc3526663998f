#!/usr/bin/env bash
# Types: the package under mypy --strict, and a user's code against the *installed* package. Compiled modules check the
# types of their arguments themselves, when they are called.
# FASTMATCH_VENV names an environment in which the package is installed (ci/test.sh makes one); else it is built here.
. "$(dirname "$0")/common.sh"
if [ -n "${FASTMATCH_VENV:-}" ]; then
    use_venv "$FASTMATCH_VENV"
    python -m pip install --quiet mypy scipy-stubs
else
    fresh_venv types
    python -m pip install --quiet . mypy scipy-stubs
fi
mypy --strict fastmatch
cp -r tests/typing "$TEMPORARY/user"
(cd "$TEMPORARY/user" && mypy --strict --config-file= ./*.py)
