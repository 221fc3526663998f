"""Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).

    >>> import fastmatch as fm
    >>> fm.score("(a / cat)", "(b / cat)").f1
    1.0

Names below are imported when they are first used: ``import fastmatch`` itself costs nothing, and what scoring needs is
numpy and the compiled kernels. scipy, numba, penman and rich are imported by the few calls that need them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastmatch import pairs, umr
    from fastmatch.allpairs import TopK, cdist, cpdist, features, top_k
    from fastmatch.aspect_scores import AspectScores, aspects
    from fastmatch.comparison import Comparison, compare
    from fastmatch.corpus import Corpus
    from fastmatch.errors import FastmatchError, OptionError, PairingError, ReadError
    from fastmatch.flows import FlowAlignment
    from fastmatch.graph import Graph
    from fastmatch.reading import parse, read
    from fastmatch.results import Alignment, CorpusScore, PairScores, Scores, TripleScores
    from fastmatch.scoring import align, score
    from fastmatch.signature import Signature
    from fastmatch.standardization import standardize
    from fastmatch.training import Training, train_wwlk
    from fastmatch.vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "Alignment",
    "AspectScores",
    "Comparison",
    "Corpus",
    "CorpusScore",
    "FastmatchError",
    "FlowAlignment",
    "Graph",
    "OptionError",
    "PairScores",
    "PairingError",
    "ReadError",
    "Scores",
    "Signature",
    "TopK",
    "Training",
    "TripleScores",
    "Vocabulary",
    "align",
    "aspects",
    "cdist",
    "compare",
    "cpdist",
    "features",
    "pairs",
    "parse",
    "read",
    "score",
    "standardize",
    "top_k",
    "train_wwlk",
    "umr",
]

_HOME = {
    "cdist": "allpairs",
    "cpdist": "allpairs",
    "features": "allpairs",
    "top_k": "allpairs",
    "pairs": "pairs",
    "TopK": "allpairs",
    "read": "reading",
    "parse": "reading",
    "score": "scoring",
    "align": "scoring",
    "aspects": "aspect_scores",
    "AspectScores": "aspect_scores",
    "compare": "comparison",
    "standardize": "standardization",
    "umr": "umr",
    "Comparison": "comparison",
    "Corpus": "corpus",
    "FlowAlignment": "flows",
    "Graph": "graph",
    "Training": "training",
    "train_wwlk": "training",
    "Vocabulary": "vocabulary",
    "CorpusScore": "results",
    "PairScores": "results",
    "Scores": "results",
    "TripleScores": "results",
    "Alignment": "results",
    "Signature": "signature",
    "FastmatchError": "errors",
    "OptionError": "errors",
    "PairingError": "errors",
    "ReadError": "errors",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'fastmatch' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"fastmatch.{home}")
    value = module if home == name else getattr(module, name)  # pairs is a module that can be called
    globals()[name] = value  # found directly from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
