#!/usr/bin/env bash
# Damaged input by the million: tests/fuzz/campaign.py against the release build. Arguments go to it, for instance
#   ci/fuzz.sh readers --count 1000000
. "$(dirname "$0")/common.sh"
fresh_venv fuzz
copy_sources "$TEMPORARY/source"
python -m pip install --quiet "$TEMPORARY/source[arrow]"
python -P tests/fuzz/campaign.py "$@"
