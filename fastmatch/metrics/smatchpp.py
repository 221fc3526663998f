"""Smatch++: Smatch on standardised graphs.

Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic Graphs".

The same optimum as :mod:`fastmatch.metrics.smatch`, with other defaults: graphs are standardised as smatchpp 1.8.0 does
for AMR (lower case, no quotes, ``domain`` turned into ``mod``, roles de-inverted, relations de-reified, duplicates
removed), and the triple of the root holds its concept. The paper recommends reification, the program de-reifies;
``preset="reify"`` follows the paper. What each standard does is in :mod:`fastmatch.graphs.standardization.steps`.

Text is read as penman reads it. ``preset="tool"`` reads it as smatchpp does, which takes any text for a graph; it is
the same as Smatch with ``preset="smatch++"``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from fastmatch.metrics.options import common, option
from fastmatch.metrics.registry import register
from fastmatch.metrics.smatch import Smatch
from fastmatch.types import Dialect


@register("smatch++")
@dataclass(frozen=True)
class SmatchPlusPlus(Smatch):
    """Smatch with the defaults of Smatch++; its options are those of Smatch."""

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "tool": {"reader": "smatchpp"},
        "reify": Smatch.presets["smatch++/reify"],
        "generic": {**Smatch.presets["generic"], "top": "constant"},
        "none": {**Smatch.presets["none"], "top": "constant"},
    }

    top: str = common("top", "concept")
    standard: str = "smatch++"
    reader: str = option("penman", "whose reading of text to follow", choices=("penman", "smatchpp"))

    @property
    def dialect(self) -> Dialect:
        return "smatchpp" if self.reader == "smatchpp" else "penman"

    def without_effect(self) -> frozenset[str]:
        return super().without_effect() | {"reader"}  # the signature says how the graphs were read

    @classmethod
    def options(cls, fields: Mapping[str, str]) -> dict[str, Any]:
        reader = {"reader": "smatchpp"} if fields.get("read") == "smatchpp" else {}
        return {**super().options(fields), **reader}
