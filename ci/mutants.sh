#!/usr/bin/env bash
# Deliberate mistakes in the search for the best map, one a room of _ext/matching: certificates must find each of them.
# Each patch of tests/mutants is applied to a copy of the sources and built; tests/mutants/judge.py must then fail, as it
# must not without a patch. Exit status 1 if a mistake is not found. Some 20 s a mistake on two cores.
. "$(dirname "$0")/common.sh"
fresh_venv mutants
copy_sources "$TEMPORARY/source"
cd "$TEMPORARY/source"
python -m pip install --quiet --editable '.[test,dev]'
python tests/mutants/judge.py
missed=0
for patch in tests/mutants/*.patch; do
    git apply "$patch"
    python setup.py --quiet build_ext --inplace > /dev/null
    if found=$(python tests/mutants/judge.py); then missed=1; fi
    echo "$(basename "$patch" .patch): $found"
    git apply --reverse "$patch"
done
exit $missed
