#!/usr/bin/env bash
# Why-pages in real browsers: the tests that click through them in Chromium, axe-core's check of accessibility, and a
# visit in Firefox. None of these tests may be skipped here. Arguments go to pytest.
# Needs Chromium or Chrome, and Firefox, on the path, and npm, which brings axe-core. Every page is left as it was last
# seen, in build/screenshots. FASTMATCH_VENV names an environment in which the package is installed; else it is built.
. "$(dirname "$0")/common.sh"
if [ -n "${FASTMATCH_VENV:-}" ]; then
    use_venv "$FASTMATCH_VENV"
    read_extra='import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["browser"])'
    read -ra tools < <(python -c "$read_extra")
    python -m pip install --quiet 'pytest>=8.2' "${tools[@]}"
else
    fresh_venv browser
    python -m pip install --quiet '.[browser]' 'pytest>=8.2'
fi
(cd "$TEMPORARY" && npm pack --silent axe-core@4.14.1 && tar --extract --gzip --file axe-core-4.14.1.tgz package/axe.min.js)
export FASTMATCH_AXE="$TEMPORARY/package/axe.min.js"
export FASTMATCH_SCREENSHOTS="$ROOT/build/screenshots"
rm -rf "$FASTMATCH_SCREENSHOTS"
pytest tests/unit/pages/test_in_a_browser.py "$@" | tee "$TEMPORARY/log"
if grep -qE '[0-9]+ skipped' "$TEMPORARY/log"; then
    echo "browser: tests were skipped" >&2
    exit 1
fi
echo "browser: $(find "$FASTMATCH_SCREENSHOTS" -name '*.png' | wc -l) pictures in build/screenshots"
