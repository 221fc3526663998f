"""The verb ``score`` of UMR documents: its flags, and one call of :func:`fastmatch.umr.scoring.score`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from fastmatch.cli import inputs
from fastmatch.cli.notices import warn_left_out
from fastmatch.cli.outputs import role_lines, sentence_lines, to_standard_output
from fastmatch.errors import OptionError
from fastmatch.metrics.names import DOCUMENT_METRICS
from fastmatch.report.model import emit
from fastmatch.report.writing import write_lines
from fastmatch.umr.scoring import score

#: The metric whose options are flags.
METRIC = DOCUMENT_METRICS[0]
#: Arguments that only juːmæʧ has; their flags have hyphens, and "except_" is no name of Python's.
_JUMATCH = ("only", "except_", "top", "no_document_level", "per_role", "bootstrap")


def run_documents(arguments: argparse.Namespace) -> int:

    inputs.check_resampling(arguments)
    tables = {"--per-pair": arguments.per_sentence, "--per-role": arguments.per_role}
    to_stdout = to_standard_output(arguments.form, tables)
    options = _options(arguments)
    options |= inputs.flags(arguments, "metric", "preset", "on_error")
    result = score(Path(arguments.pred), Path(arguments.gold), **options)
    if not arguments.quiet:
        warn_left_out(result)
    if arguments.per_sentence is not None:
        write_lines(sentence_lines(result), arguments.per_sentence)
    if arguments.per_role is not None:
        write_lines(role_lines(result), arguments.per_role)
    if not (to_stdout and arguments.quiet):
        emit(result.report(), arguments.form, sys.stderr if to_stdout else None)
    return 0


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options of the metric; those of the other one are an error, as they would have no effect."""
    own = inputs.own_options(arguments, METRIC)
    effort = {} if arguments.effort is None else {"effort": arguments.effort}
    if arguments.metric == METRIC:
        for name in _JUMATCH:
            if getattr(arguments, name) not in (None, False):
                raise OptionError(f"--{name.rstrip('_').replace('_', '-')} is an option of --metric jumatch")
        return {**own, **effort}
    if own:
        raise OptionError(f"--ancast-{next(iter(own))} is an option of --metric ancast, not of jumatch")
    return {
        "document_level": not arguments.no_document_level,
        **inputs.flags(arguments, "only", "except_", "top", "bootstrap", *inputs.RESAMPLING),
        **effort,
    }
