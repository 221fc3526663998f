#!/usr/bin/env bash
# Types: the package under mypy --strict, a user's code against the *installed* package, and the stubs of the compiled
# modules against the modules themselves.
. "$(dirname "$0")/common.sh"
fresh_venv types
python -m pip install --quiet . mypy scipy-stubs
mypy --strict fastmatch
if [ -d tests/typing ]; then
    cp -r tests/typing "$TEMPORARY/user"
    (cd "$TEMPORARY/user" && mypy --strict --config-file= ./*.py)
fi
mapfile -t modules < <(find fastmatch/_ext -name '*.pyx' | sort | sed -e 's/\.pyx$//' -e 's|/|.|g')
(cd "$TEMPORARY" && stubtest --ignore-missing-stub "${modules[@]}")
