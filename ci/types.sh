#!/usr/bin/env bash
# Types: the package under mypy --strict, a user's code against the *installed* package, and the stubs of the compiled
# modules against the modules themselves.
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
mapfile -t modules < <(find fastmatch/_ext -name '*.pyx' | sort | sed -e 's/\.pyx$//' -e 's|/|.|g')
(cd "$TEMPORARY" && stubtest --ignore-missing-stub "${modules[@]}")
