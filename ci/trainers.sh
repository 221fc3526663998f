#!/usr/bin/env bash
# Programs of language models themselves: a real GRPO run of TRL on a tiny model, and the tests of the doors that need
# the packages of trainers and evaluators. Heavy to install (PyTorch), so not one of the steps of ci/all.sh.
# PIP_CONSTRAINT, a variable of pip, may name a file of versions (`torch==2.13.0`), for instance of a PyTorch that is on
# the machine already.
. "$(dirname "$0")/common.sh"
fresh_venv trainers
python -m pip install --quiet '.[test]' torch trl verifiers inspect-ai lm-eval
(cd "$TEMPORARY" && time python -P "$ROOT/examples/grpo_trl.py" --steps 30)
pytest tests/unit/rewards
