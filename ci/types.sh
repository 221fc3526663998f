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
modules=()
for source in fastmatch/_ext/*.pyx; do
    if [ -e "$source" ]; then modules+=("fastmatch._ext.$(basename "$source" .pyx)"); fi
done
if [ ${#modules[@]} -gt 0 ]; then
    (cd "$TEMPORARY" && stubtest --ignore-missing-stub "${modules[@]}")
fi
