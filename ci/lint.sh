#!/usr/bin/env bash
# Style: ruff's rules and formatting, and cython-lint for the extensions.
. "$(dirname "$0")/common.sh"
fresh_venv lint
python -m pip install --quiet 'ruff>=0.6' cython-lint
ruff check .
ruff format --check .
mapfile -t kernels < <(find fastmatch/_ext -name '*.pyx' | sort)
cython-lint "${kernels[@]}"
