#!/usr/bin/env bash
# Style: ruff's rules and formatting, cython-lint for the extensions, clang-format for the C headers beside them.
. "$(dirname "$0")/common.sh"
fresh_venv lint
# One version of clang-format, as in .pre-commit-config.yaml: each formats a little differently.
python -m pip install --quiet 'ruff>=0.6' cython-lint clang-format==23.1.5
ruff check .
ruff format --check .
mapfile -t kernels < <(find fastmatch/_ext -name '*.pyx' -o -name '*.pxd' | sort)
cython-lint "${kernels[@]}"
mapfile -t headers < <(find fastmatch/_ext -name '*.h' | sort)
clang-format --dry-run --Werror "${headers[@]}"
