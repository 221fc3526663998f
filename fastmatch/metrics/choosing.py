"""The metric that a caller means, and the signature of its scores of two corpora.

Two short strings are scored in some 100 µs, so metrics are looked up once: :func:`fastmatch.metrics.registry.make`
keeps the last few, and options that were checked there are not checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.metrics.base import Metric
from fastmatch.metrics.registry import make, split
from fastmatch.results.signature import Signature, Value
from fastmatch.runtime.cached import from_cache


def chosen_metric(metric: str | Metric, preset: str | None, options: dict[str, Any]) -> Metric:
    """The metric of that name with these options, or the one that was made already.

    The name may be followed by a preset and options, which win: ``"sembleu/tool,k=2"``.

    Raises
    ------
    OptionError
        If there is no such metric, preset or option, or options are given besides a metric that was made.
    TypeError
        If ``metric`` is neither.
    """
    if isinstance(metric, str):
        if "/" in metric or "," in metric:
            metric, own_preset, own = split(metric)
            preset, options = own_preset or preset, {**options, **own}
        return from_cache(make, metric, preset, **options)
    if not isinstance(metric, Metric):
        raise TypeError(f"metric: expected the name of a metric or a Metric, not {type(metric).__name__}")
    if preset is not None or options:
        given = ", ".join(repr(name) for name in (["preset"] if preset is not None else []) + list(options))
        raise OptionError(f"metric is made already: {given} cannot be given besides")
    return metric


def agreed_signature(metric: Metric, pred: Corpus, gold: Corpus) -> Signature:
    """Signature of scores of these corpora.

    Raises
    ------
    OptionError
        If they were read in a way that does not fit the metric or each other.
    """
    dialect = pred.dialect
    metric.check(dialect)
    if dialect != gold.dialect:
        metric.check(gold.dialect)
        raise OptionError(f"pred was read with dialect={dialect!r}, gold with {gold.dialect!r}: read both alike")
    signature = metric.signature(dialect)
    signature = signature.with_fields(**_top(signature.fields, pred, gold))
    if pred.repairs or gold.repairs:  # the same graphs in another mode, if they can be read, score otherwise
        signature = signature.with_fields(on_error="repair")
    return signature


def agreed_fields(metric: Metric, pred: Corpus, gold: Corpus) -> dict[str, Value]:
    """The fields of that signature for scores of parts of the graphs, which have a signature of their own."""
    fields = metric.signature_fields(pred.dialect)
    return {**fields, **_top(fields, pred, gold)}


def _top(fields: Mapping[str, Any], pred: Corpus, gold: Corpus) -> dict[str, str]:
    """Graphs without roots have no triple for a root, whatever it would be."""
    return {"top": "none"} if "top" in fields and _without_roots(pred) and _without_roots(gold) else {}


def _without_roots(corpus: Corpus) -> bool:
    """Whether graphs have nodes, and none of them a root; quick for corpora whose first graph has one."""
    return bool(len(corpus) and corpus.root[0] < 0 and len(corpus.rootless) and not (corpus.root >= 0).any())
