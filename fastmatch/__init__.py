"""Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).

    >>> import fastmatch as fm
    >>> fm.score("(a / cat)", "(b / cat)").f1
    1.0

Names below are imported when they are first used: ``import fastmatch`` itself costs nothing, and what scoring needs is
numpy and the compiled kernels. scipy, numba, penman and rich are imported by the few calls that need them.
"""

#: Public name → the module that holds it; a name that is a module itself stands for that module. Type checkers read
#: ``__init__.pyi``.
_HOME = {
    "Agreement": "evaluation.agreed",
    "Alignment": "results.alignment",
    "AspectScores": "fine_grained.scores",
    "Certificates": "evaluation.certificates.making",
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
    "OverlapTraining": "metrics.training.softoverlap",
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
    "Training": "metrics.training.wwlk",
    "TripleScores": "results.pairs",
    "Vocabulary": "graphs.vocabulary",
    "__version__": "version",
    "agreement": "evaluation.agreement",
    "align": "evaluation.scoring",
    "aspects": "fine_grained.scores",
    "cdist": "allpairs.matrix",
    "certificate": "evaluation.certificates.making",
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
    "train_softoverlap": "metrics.training.softoverlap",
    "train_wwlk": "metrics.training.wwlk",
    "umr": "umr",
}

__all__ = [*_HOME]


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
    return sorted({*globals(), *__all__})
