"""GrAPES: the categories of a suite of challenges for AMR parsers, from the user's clone of it.

``categories``
    what there is, as data;
``suite``
    the clone, read: gold graphs, tables, items;
``views``
    graphs as the suite sees them, and when one contains another;
``judging``
    whether an item is found in a prediction;
``evaluation``
    systems evaluated and compared.
"""

from __future__ import annotations

from fastmatch.benchmarks.grapes.categories import CATEGORIES, SETS, Category
from fastmatch.benchmarks.grapes.evaluation import (
    Compared,
    GrapesResult,
    GrapesRow,
    GrapesSystem,
    LeftOut,
    evaluate,
    wilson,
)

__all__ = [
    "CATEGORIES",
    "SETS",
    "Category",
    "Compared",
    "GrapesResult",
    "GrapesRow",
    "GrapesSystem",
    "LeftOut",
    "evaluate",
    "wilson",
]
