#!/usr/bin/env bash
# Which lines the tests run, of Python and of the kernels: two tables, and build/coverage-report/index.html for Python.
# The kernels are a debug build in which GCC counts lines; arguments go to pytest (`-m 'not slow'`).
. "$(dirname "$0")/common.sh"
fresh_venv coverage
copy_sources "$TEMPORARY/source"
python -m pip install --quiet 'setuptools>=77' 'Cython>=3.1' 'coverage>=7.10'
FASTMATCH_COVERAGE=1 python -m pip install --quiet --no-build-isolation --editable "$TEMPORARY/source[check]"

cd "$TEMPORARY/source"
# What GCC has to say while it adds up counts would stand on the standard error that tests of the command line look at.
export GCOV_ERROR_FILE="$TEMPORARY/gcov.txt"
# pytest-xdist kills workers that take more than ten seconds to end; but GCC writes a process's counts as it ends.
workers=$(python -c 'import xdist.workermanage; print(xdist.workermanage.__file__)')
grep -q 'EXIT_TIMEOUT = 10$' "$workers"
sed -i 's/EXIT_TIMEOUT = 10$/EXIT_TIMEOUT = 600/' "$workers"
status=0
# Left out: processes on full disks, which would damage the files of counts, and tests of how long pairs take.
coverage run -m pytest -m "slow or not slow" --ignore=tests/cli/test_disturbed.py --ignore=tests/fuzz/test_worst.py "$@" || status=$?
coverage combine --quiet
report=$ROOT/build/coverage-report
mkdir -p "$report"
coverage html --quiet --directory "$report"
coverage report --skip-covered --sort=cover --show-missing | tee "$report/python.txt"
python "$ROOT/ci/kernel_coverage.py" build/coverage | tee "$report/kernels.txt"
if [ -s "$GCOV_ERROR_FILE" ]; then
    echo "counts that GCC could not add up:"
    sort "$GCOV_ERROR_FILE" | uniq --count
fi
exit "$status"
