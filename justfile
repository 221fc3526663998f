# Shortcuts for developers: `just dev`, `just t tests/unit/test_x.py`, `just check`. Every recipe calls a script in ci/,
# where the steps themselves are written. `pip install rust-just` brings `just`; it is part of the extra "dev".

set positional-arguments

# what there is
_default:
    @'{{ just_executable() }}' --list --unsorted

# the editable installation, up to date: compiles only what changed (FASTMATCH_DEBUG=1 for a debug build)
dev:
    bash ci/dev.sh

# the tests in FILE, or any arguments of pytest, after `just dev`
t *arguments:
    bash ci/dev.sh pytest "$@"

# everything that continuous integration runs for a change
check:
    bash ci/all.sh

# one step of it: lint, types, package, benches, debug or test; or floors, coverage, sanitizers, which take longer
step name *arguments:
    name=$1 && shift && bash "ci/$name.sh" "$@"

# the kernels' benches; arguments go to pytest
bench *arguments:
    bash ci/dev.sh pytest benches/kernels "$@"

# why-pages in Chromium and Firefox; pictures of them in build/screenshots; arguments go to pytest
browser *arguments:
    bash ci/dev.sh bash -c 'FASTMATCH_VENV=$VIRTUAL_ENV bash ci/browser.sh "$@"' browser "$@"

# the examples in README.md, docs/ and docstrings; then the site, in build/site
docs:
    bash ci/dev.sh pytest tests/cli/test_pages.py tests/cli/test_links.py tests/unit/test_docstrings.py
    bash ci/dev.sh bash -c 'FASTMATCH_VENV=$VIRTUAL_ENV bash ci/docs.sh'
