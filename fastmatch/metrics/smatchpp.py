"""Smatch++: Smatch on standardised graphs.

Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic Graphs".

The same optimum as :mod:`fastmatch.metrics.smatch`, with other defaults: graphs are standardised as smatchpp 1.8.0 does
for AMR (lower case, no quotes, ``domain`` turned into ``mod``, roles de-inverted, relations de-reified, duplicates
removed), and the root's triple holds its concept. The paper recommends reification, the program de-reifies:
``preset="reify"`` does the former. What each standard does is in :mod:`fastmatch.standardization`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fastmatch.metrics.base import register
from fastmatch.metrics.smatch import Smatch

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SmatchPlusPlus"]


@register("smatch++")
@dataclass(frozen=True)
class SmatchPlusPlus(Smatch):
    """Smatch with the defaults of Smatch++; its options are those of Smatch."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tool": Smatch.presets["smatch++"],
        "reify": Smatch.presets["smatch++/reify"],
        "generic": {**Smatch.presets["generic"], "top": "constant"},
        "none": {**Smatch.presets["none"], "top": "constant"},
    }

    top: str = "concept"
    standard: str = "smatch++"
