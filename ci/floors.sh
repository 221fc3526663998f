#!/usr/bin/env bash
# The tests against the lowest versions of the dependencies that pyproject.toml allows, on the oldest Python it allows.
# Tests marked slow are left out; arguments go to pytest.
. "$(dirname "$0")/common.sh"
fresh_venv floors
python -m pip install --quiet uv
copy_sources "$TEMPORARY/source"
# "direct" are the dependencies that we name; theirs come in the newest version that fits. Wheels only, where there are
# any: what is built from source would be compiled for newer versions than these.
uv pip install --quiet --resolution lowest-direct "$TEMPORARY/source[check]"
uv pip list
pytest -m 'not slow' "$@"
