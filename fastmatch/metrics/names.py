"""Names of this package's metrics. Nothing is loaded here, so that the command line can ask before numpy is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmatch.types import MetricName

#: The metric that is meant where none is named.
DEFAULT: MetricName = "smatch"

#: Metric of this package → its module in this folder. A new one gets a line here, and one in ``types.MetricName``.
_NAMES: tuple[MetricName, ...] = (
    *("align-smatch", "ancast", "docsmatch", "rematch", "s2match", "sema", "sembleu", "smatch", "smatch++"),
    *("softmatch", "softoverlap", "wlk", "wsmatch", "wwlk"),
)
BUILT_IN = {name: name.replace("-", "_").replace("+", "p") for name in _NAMES}

#: Metrics of something else than graphs → what computes them.
ELSEWHERE = {"jumatch": "it compares UMR documents: fastmatch score PRED GOLD --metric jumatch, or fastmatch.umr.score"}
#: Metrics that compare UMR documents, the first one by default.
DOCUMENT_METRICS = ("ancast", "jumatch")
