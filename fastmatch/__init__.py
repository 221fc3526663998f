"""Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).

    >>> import fastmatch as fm
    >>> fm.score("(a / cat)", "(b / cat)").f1
    1.0

Names below are imported when they are first used: ``import fastmatch`` itself costs nothing, and what scoring needs is
numpy and the compiled kernels. scipy, numba, penman and rich are imported by the few calls that need them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know it by its name; to import it takes longer than all else here
if TYPE_CHECKING:
    from fastmatch import documents, pages, plot, umr
    from fastmatch.allpairs.chosen import cpdist, pairs
    from fastmatch.allpairs.feature_matrix import features
    from fastmatch.allpairs.groups import Groups, groups
    from fastmatch.allpairs.matrix import cdist
    from fastmatch.allpairs.neighbours import TopK, top_k
    from fastmatch.allpairs.parquet import read_pairs
    from fastmatch.certificates.making import Certificates, certificate
    from fastmatch.ensembles.ensembling import ensemble
    from fastmatch.ensembles.result import Ensemble
    from fastmatch.errors import (
        FastmatchError,
        FastmatchWarning,
        OptionError,
        PairingError,
        PairingWarning,
        ReadError,
        ReadWarning,
    )
    from fastmatch.evaluation.agreed import Agreement
    from fastmatch.evaluation.agreement import agreement
    from fastmatch.evaluation.compared import Comparison
    from fastmatch.evaluation.comparison import compare
    from fastmatch.evaluation.scoring import align, score
    from fastmatch.fine_grained.scores import AspectScores, aspects
    from fastmatch.graphs.corpus import Corpus
    from fastmatch.graphs.extracting import Extraction, extract
    from fastmatch.graphs.graph import Graph
    from fastmatch.graphs.reading import parse, read
    from fastmatch.graphs.repairing import Repaired, repair
    from fastmatch.graphs.standardization.steps import standardize
    from fastmatch.graphs.vocabulary import Vocabulary
    from fastmatch.report.model import Report
    from fastmatch.results.alignment import Alignment
    from fastmatch.results.flow import FlowAlignment
    from fastmatch.results.pairs import PairScores, Scores, TripleScores
    from fastmatch.results.scores import CorpusScore
    from fastmatch.results.signature import Signature
    from fastmatch.rewards.credit import Credit, credit, credit_batch
    from fastmatch.training.softoverlap import OverlapTraining, train_softoverlap
    from fastmatch.training.wwlk import Training, train_wwlk
    from fastmatch.version import __version__

__all__ = [
    "Agreement",
    "Alignment",
    "AspectScores",
    "Certificates",
    "Comparison",
    "Corpus",
    "CorpusScore",
    "Credit",
    "Ensemble",
    "Extraction",
    "FastmatchError",
    "FastmatchWarning",
    "FlowAlignment",
    "Graph",
    "Groups",
    "OptionError",
    "OverlapTraining",
    "PairScores",
    "PairingError",
    "PairingWarning",
    "ReadError",
    "ReadWarning",
    "Repaired",
    "Report",
    "Scores",
    "Signature",
    "TopK",
    "Training",
    "TripleScores",
    "Vocabulary",
    "__version__",
    "agreement",
    "align",
    "aspects",
    "cdist",
    "certificate",
    "compare",
    "cpdist",
    "credit",
    "credit_batch",
    "documents",
    "ensemble",
    "extract",
    "features",
    "groups",
    "pages",
    "pairs",
    "parse",
    "plot",
    "read",
    "read_pairs",
    "repair",
    "score",
    "standardize",
    "top_k",
    "train_softoverlap",
    "train_wwlk",
    "umr",
]

#: Public name → the module that holds it; a name that is a module itself stands for that module.
_HOME = {
    "Agreement": "evaluation.agreed",
    "Alignment": "results.alignment",
    "AspectScores": "fine_grained.scores",
    "Certificates": "certificates.making",
    "Comparison": "evaluation.compared",
    "Corpus": "graphs.corpus",
    "CorpusScore": "results.scores",
    "Credit": "rewards.credit",
    "Ensemble": "ensembles.result",
    "Extraction": "graphs.extracting",
    "FastmatchError": "errors",
    "FastmatchWarning": "errors",
    "FlowAlignment": "results.flow",
    "Graph": "graphs.graph",
    "Groups": "allpairs.groups",
    "OptionError": "errors",
    "OverlapTraining": "training.softoverlap",
    "PairScores": "results.pairs",
    "PairingError": "errors",
    "PairingWarning": "errors",
    "ReadError": "errors",
    "ReadWarning": "errors",
    "Repaired": "graphs.repairing",
    "Report": "report.model",
    "Scores": "results.pairs",
    "Signature": "results.signature",
    "TopK": "allpairs.neighbours",
    "Training": "training.wwlk",
    "TripleScores": "results.pairs",
    "Vocabulary": "graphs.vocabulary",
    "__version__": "version",
    "agreement": "evaluation.agreement",
    "align": "evaluation.scoring",
    "aspects": "fine_grained.scores",
    "cdist": "allpairs.matrix",
    "certificate": "certificates.making",
    "compare": "evaluation.comparison",
    "cpdist": "allpairs.chosen",
    "credit": "rewards.credit",
    "credit_batch": "rewards.credit",
    "documents": "documents",
    "ensemble": "ensembles.ensembling",
    "extract": "graphs.extracting",
    "features": "allpairs.feature_matrix",
    "groups": "allpairs.groups",
    "pages": "pages",
    "pairs": "allpairs.chosen",
    "parse": "graphs.reading",
    "plot": "plot",
    "read": "graphs.reading",
    "read_pairs": "allpairs.parquet",
    "repair": "graphs.repairing",
    "score": "evaluation.scoring",
    "standardize": "graphs.standardization.steps",
    "top_k": "allpairs.neighbours",
    "train_softoverlap": "training.softoverlap",
    "train_wwlk": "training.wwlk",
    "umr": "umr",
}


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'fastmatch' has no attribute {name!r}{_is_module(name)}")
    from importlib import import_module

    module = import_module(f"fastmatch.{home}")
    value = module if home == name else getattr(module, name)
    globals()[name] = value  # found directly from now on
    return value


def _is_module(name: str) -> str:
    """What to add to the error for a module of the package that is not imported with it."""
    from importlib.util import find_spec

    return f"; import fastmatch.{name} first" if not name.startswith("_") and find_spec(f"fastmatch.{name}") else ""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING", "annotations"})
