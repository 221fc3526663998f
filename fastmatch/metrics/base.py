"""What a metric is: all that a new one imports.

A metric is a frozen dataclass: its fields are its options, checked when it is made. It says how to turn a corpus into
the numbers it needs, once per graph (``prepare``), and how to fill one range of a list of pairs from them (``score``).

====================  ==============================================================  =================================
to write              what                                                            explained in
====================  ==============================================================  =================================
always                ``prepare``, ``score``                                          :mod:`.contract.required`
for F1                ``sizes``: what precision and recall divide by
for other scores      ``statistics``, ``combine``: from sums to scores
for the signature     ``signature_names``, ``fields``, ``options``, ``without_effect``
if they differ        ``dialect``, ``check``, ``symmetric``, ``bounded``, ``costs``
to align              ``explain``, ``standardized``; or ``flow``                      :mod:`.contract.metric`
to compare by an      ``overlaps``, ``overlap_scorer``                                :mod:`.contract.metric`
index of features
to skip pairs         ``bounds`` (of whole rows), ``reaching`` (of single pairs)      :mod:`.contract.metric`
====================  ==============================================================  =================================

Threads, progress and Ctrl-C (:mod:`fastmatch.runtime.threads`), reading and pairing
(:mod:`fastmatch.evaluation.scoring`), blocks of matrices (:mod:`fastmatch.allpairs`) and the flags of the command line
are written once for all metrics.

A new metric of this package is one module in this folder and a line in :mod:`fastmatch.metrics.names`. Other packages
offer theirs through the entry-point group ``fastmatch.metrics`` (name of the metric = module:class).
"""

from __future__ import annotations

from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.contract.required import PairRange
from fastmatch.metrics.options import common, described, option
from fastmatch.metrics.registry import available, from_signature, from_text, get, make, register
from fastmatch.results.pairs import PairScores, TripleScores

__all__ = [
    "Metric",
    "PairRange",
    "PairScores",
    "TripleScores",
    "available",
    "common",
    "described",
    "from_signature",
    "from_text",
    "get",
    "make",
    "option",
    "register",
]
