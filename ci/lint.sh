#!/usr/bin/env bash
# Style: ruff's rules and formatting, and cython-lint for the extensions.
. "$(dirname "$0")/common.sh"
fresh_venv lint
python -m pip install --quiet 'ruff>=0.6' cython-lint
ruff check .
ruff format --check .
if compgen -G 'fastmatch/_ext/*.pyx' >/dev/null; then cython-lint fastmatch/_ext/*.pyx; fi
