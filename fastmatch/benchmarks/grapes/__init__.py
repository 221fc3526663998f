"""GrAPES: the categories of a suite of challenges for AMR parsers, from the user's clone of it.

``categories``
    what there is, as data;
``suite``
    the clone, read: gold graphs, tables, items;
``views``
    graphs as the suite sees them, and when one contains another;
``judging``, ``rows``
    whether an item of a gold graph or of a table is found in a prediction;
``results``
    shares of the items found, and systems compared;
``evaluation``
    predictions judged.
"""

from __future__ import annotations

from fastmatch.benchmarks.grapes.categories import CATEGORIES, SETS, Category
from fastmatch.benchmarks.grapes.evaluation import evaluate
from fastmatch.benchmarks.grapes.results import Compared, GrapesResult, GrapesRow, GrapesSystem, LeftOut
from fastmatch.benchmarks.shared import wilson

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
