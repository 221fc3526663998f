"""The strings of ``fastmatch.types`` are those that the tables hold at run time."""

from typing import get_args

from fastmatch import types
from fastmatch.evaluation import bootstrap, significance
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.metrics.common_options import COMMON
from fastmatch.metrics.names import BUILT_IN
from fastmatch.metrics.registry import make


def test_dialects():
    assert set(get_args(types.Dialect)) == set(DIALECTS)


def test_metrics_that_align_variables():
    assert set(get_args(types.AligningMetric)) == {name for name in BUILT_IN if make(name).aligns == "map"}


def test_paired_graphs_cannot_be_skipped():
    assert set(get_args(types.OnErrorPaired)) == set(get_args(types.OnError)) - {"skip"}


def test_kinds_of_aspects_intervals_and_corrections():
    assert get_args(types.AspectKind) == tuple(KINDS) and get_args(types.IntervalMethod) == bootstrap.METHODS
    assert get_args(types.Correction) == significance.CORRECTIONS


def test_levels_of_effort():
    assert get_args(types.Effort) == COMMON["effort"].choices
