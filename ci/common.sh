# Sourced by the other scripts: strict mode, the checkout's root as working directory, a temporary folder, shared data.
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
unset PYTHONPATH PYTHONHOME FASTMATCH_DEBUG
export PIP_DISABLE_PIP_VERSION_CHECK=1

TEMPORARY=$(mktemp -d "${TMPDIR:-/tmp}/fastmatch-ci.XXXXXX")
trap 'rm -rf "$TEMPORARY"' EXIT

# fresh_venv NAME: make a virtual environment in the temporary folder and activate it.
fresh_venv() {
    "$PYTHON" -m venv "$TEMPORARY/$1"
    # shellcheck disable=SC1091
    . "$TEMPORARY/$1/bin/activate"
    hash -r
}

# copy_sources FOLDER: what git tracks or would track, without build products.
copy_sources() {
    mkdir -p "$1"
    git ls-files -z --cached --others --exclude-standard | tar --null --files-from=- --create --ignore-failed-read --file=- |
        tar --extract --file=- --directory="$1"
}
