#!/usr/bin/env bash
# Which lines the tests run, of Python and of the kernels: a table, and build/coverage-report/index.html.
# The build reports every line of a kernel, so it is many times slower; arguments go to pytest (`-m 'not slow'`).
. "$(dirname "$0")/common.sh"
fresh_venv coverage
copy_sources "$TEMPORARY/source"
python -m pip install --quiet 'setuptools>=77' 'Cython>=3.1' 'coverage>=7.10'
FASTMATCH_COVERAGE=1 python -m pip install --quiet --no-build-isolation --editable "$TEMPORARY/source[test]"

cd "$TEMPORARY/source"
cp -R build/coverage/c/fastmatch . # Cython's plugin reads which lines can run from the C beside the sources
# The older of CPython's interfaces for tracing: the newer one passes no lines of other languages on.
export COVERAGE_CORE=ctrace
status=0
coverage run -m pytest "$@" || status=$?
coverage combine --quiet
coverage report --skip-covered --sort=cover | tee coverage.txt
coverage html --quiet --directory "$ROOT/build/coverage-report"
cp coverage.txt "$ROOT/build/coverage-report/"
exit "$status"
