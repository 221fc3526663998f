#!/usr/bin/env bash
# The package in an editable installation, with every extension up to date: only what changed is compiled again.
#   ci/dev.sh [COMMAND...]     then run COMMAND in that environment, for instance `ci/dev.sh pytest tests/unit`
# It takes the active virtual environment, or .venv in the checkout, which it makes if there is none.
# FASTMATCH_DEBUG=1 in front makes a debug build; without it the next call goes back to the release build.
debug=${FASTMATCH_DEBUG:-}
. "$(dirname "$0")/common.sh"
if [ -n "$debug" ]; then export FASTMATCH_DEBUG=$debug; fi

if [ -z "${VIRTUAL_ENV:-}" ]; then
    if [ ! -d .venv ]; then "$PYTHON" -m venv .venv; fi
    use_venv "$ROOT/.venv"
fi
# -P: the checkout is the working directory, and must not be what is found for that reason.
found=$(python -P -c 'import importlib.util as u; s = u.find_spec("fastmatch"); print(s.origin if s else "")')
if [ "$found" = "$ROOT/fastmatch/__init__.py" ]; then
    python setup.py --quiet build_ext --inplace
else
    python -m pip install --quiet --editable '.[check,dev]'
fi
if [ $# -gt 0 ]; then "$@"; fi
