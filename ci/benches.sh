#!/usr/bin/env bash
# Once through the benches, not for figures: they must not rot.
# FASTMATCH_VENV names an environment in which the package is installed (ci/test.sh makes one); else it is built here.
. "$(dirname "$0")/common.sh"
if [ -n "${FASTMATCH_VENV:-}" ]; then
    use_venv "$FASTMATCH_VENV"
else
    fresh_venv benches
    python -m pip install --quiet '.[check]'
fi
pytest --quiet --benchmark-disable benches
python -P benches/peers/compare.py fastmatch/data/sample-pred.amr fastmatch/data/sample-gold.amr --repeat 1
python -P benches/all_pairs.py fastmatch/data/sample-gold.amr --sizes 20,40,60 --metrics rematch,smatch
python benches/certificates.py fastmatch/data/sample-{pred,gold}.amr --options smatch,s2match \
    --documents fastmatch/data/sample-{pred,gold}.amr --sizes 30
python benches/ablation.py --check
