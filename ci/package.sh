#!/usr/bin/env bash
# Packaging: the sdist is built first, the wheel from the sdist; then both are looked into, and the wheel is installed
# into a fresh environment and run from outside the checkout.
. "$(dirname "$0")/common.sh"
fresh_venv build
python -m pip install --quiet build twine check-wheel-contents
copy_sources "$TEMPORARY/source"
builds() { python -m build --outdir "$TEMPORARY/dist" "$@" >>"$TEMPORARY/build.log" 2>&1 || { cat "$TEMPORARY/build.log" && exit 1; }; }
builds --sdist "$TEMPORARY/source"
mkdir "$TEMPORARY/unpacked"
tar --extract --file "$TEMPORARY"/dist/*.tar.gz --directory "$TEMPORARY/unpacked" --strip-components 1
# What an installation from this checkout has compiled is good for the wheel as well, where the contents of the sources in
# the sdist are the same: setup.py compares them, and compiles what differs.
if [ -d build/release ]; then mkdir "$TEMPORARY/unpacked/build" && cp -r build/release "$TEMPORARY/unpacked/build/"; fi
builds --wheel "$TEMPORARY/unpacked"
ls -l "$TEMPORARY/dist"
twine check --strict "$TEMPORARY"/dist/*
# W002: the licence of dagre stands beside it and among the package's licences
check-wheel-contents --ignore W002,W004 "$TEMPORARY"/dist/*.whl
deactivate

fresh_venv run
python -m pip install --quiet "$TEMPORARY"/dist/*.whl pytest pytest-randomly pytest-benchmark Cython setuptools
FASTMATCH_DIST="$TEMPORARY/dist" pytest tests/packaging "$@"
(cd "$TEMPORARY" && fastmatch demo >/dev/null && python -c 'import fastmatch; print("wheel:", fastmatch.__file__)')
