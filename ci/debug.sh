#!/usr/bin/env bash
# The test suite against a build with bounds checks and assertions: the release build trusts every index.
. "$(dirname "$0")/common.sh"
fresh_venv debug
copy_sources "$TEMPORARY/source" # its own build folder, so no release object can slip in
FASTMATCH_DEBUG=1 python -m pip install --quiet "$TEMPORARY/source[test]"
# Left out: how processes end on a full disk or a signal, and how long pairs take, which the release build answers.
FASTMATCH_DEBUG=1 pytest --ignore=tests/cli/test_disturbed.py --ignore=tests/fuzz/test_worst.py "$@"
