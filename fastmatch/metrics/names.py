"""Names of this package's metrics. Nothing is loaded here, so that the command line can ask before numpy is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmatch.types import MetricName

#: The metric that is meant where none is named.
DEFAULT: MetricName = "smatch"

#: Metric of this package → its module in this folder. A new one gets a line here, and one in ``types.MetricName``.
BUILT_IN: dict[MetricName, str] = {
    "align-smatch": "align_smatch",
    "ancast": "ancast",
    "docsmatch": "docsmatch",
    "rematch": "rematch",
    "s2match": "s2match",
    "sema": "sema",
    "sembleu": "sembleu",
    "smatch": "smatch",
    "smatch++": "smatchpp",
    "softmatch": "softmatch",
    "softoverlap": "softoverlap",
    "wlk": "wlk",
    "wsmatch": "wsmatch",
    "wwlk": "wwlk",
}

#: Metrics of something else than graphs → what computes them.
ELSEWHERE = {"jumatch": "it compares UMR documents: fastmatch score PRED GOLD --metric jumatch, or fastmatch.umr.score"}
#: Metrics that compare UMR documents, the first one by default.
DOCUMENT_METRICS = ("ancast", "jumatch")
