"""Figures of results, drawn with matplotlib (``pip install 'fastmatch[plot]'``), which is imported when one is drawn.

>>> import fastmatch as fm
>>> result = fm.score(["(c / cat)", "(c / cat)"], ["(c / cat)", "(c / cat :mod (b / big))"])
>>> axes = fm.plot.histogram(result)
>>> axes.get_xlabel()
'F1 of a pair, points'

``fm.plot.save(axes, "scores.svg")`` writes it to a file.

Every function draws into one pair of axes, those given as ``ax`` or new ones of ``matplotlib.pyplot``, and returns
them; ``axes.figure`` is the figure.

``histogram``, ``aspects``
    the scores of the pairs of a corpus; the scores of its aspects;
``systems``, ``differences``
    of a comparison: scores with intervals; differences with intervals and p-values;
``principles``, ``cost_and_agreement``, ``learning_curve``
    what metrics violate; what they cost against how well they agree with people; how a training went;
``heatmap``, ``dendrogram``, ``corpus_map``
    a corpus by the similarity of its graphs;
``save``
    to a file, with a text that says what is to be seen.

Colours can be told apart by colour-blind people, and nothing is said by colour alone.
"""

from __future__ import annotations

from fastmatch.plot.canvas import save
from fastmatch.plot.corpora import corpus_map, dendrogram, heatmap
from fastmatch.plot.judging import cost_and_agreement, learning_curve, principles
from fastmatch.plot.scores import aspects, differences, histogram, systems

__all__ = [
    "aspects",
    "corpus_map",
    "cost_and_agreement",
    "dendrogram",
    "differences",
    "heatmap",
    "histogram",
    "learning_curve",
    "principles",
    "save",
    "systems",
]
