# Sourced by the other scripts: strict mode, the checkout's root as working directory, a temporary folder, shared data.
# shellcheck shell=bash
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

PYTHON=${PYTHON:-python3.11}
command -v "$PYTHON" >/dev/null || PYTHON=python3

# Larger corpora and recorded reference scores, where they lie beside the checkout; tests that need them skip otherwise.
if [ -z "${FASTMATCH_DATA:-}" ] && [ -d ../shared ]; then
    FASTMATCH_DATA=$(cd ../shared && pwd)
fi
if [ -n "${FASTMATCH_DATA:-}" ]; then export FASTMATCH_DATA; fi

# An inherited path or flag could make the tests import something other than what was just installed.
# Standard output without a buffer hides what happens when the buffer is written as a program ends.
unset PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE FASTMATCH_DEBUG FASTMATCH_COVERAGE
export PIP_DISABLE_PIP_VERSION_CHECK=1

TEMPORARY=$(mktemp -d "${TMPDIR:-/tmp}/fastmatch-ci.XXXXXX")
trap 'rm -rf "$TEMPORARY"' EXIT

# use_venv FOLDER: activate the virtual environment there.
use_venv() {
    local scripts=bin
    if [ -d "$1/Scripts" ]; then scripts=Scripts; fi # Windows
    # shellcheck disable=SC1090
    . "$1/$scripts/activate"
    hash -r
}

# fresh_venv NAME: make a virtual environment in the temporary folder and activate it.
fresh_venv() {
    "$PYTHON" -m venv "$TEMPORARY/$1"
    use_venv "$TEMPORARY/$1"
}

# copy_sources FOLDER: what git tracks or would track, without build products.
copy_sources() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create --ignore-failed-read --file=- |
        tar --extract --file=- --directory="$1"
}

# The tests that reach kernels, for builds that watch the kernels. The command line, reports, plots, rewards and Dask reach
# no others.
# shellcheck disable=SC2034
KERNEL_TESTS=(tests/fuzz tests/kernels tests/properties tests/test_every_metric.py
    tests/unit/{allpairs,fine_grained,graphs,metrics,umr})
