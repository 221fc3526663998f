"""Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation).

    >>> import fastmatch as fm
    >>> fm.score("(a / cat)", "(b / cat)").f1
    1.0

Names below are imported when they are first used: ``import fastmatch`` itself costs nothing, and what scoring needs is
numpy and the compiled kernels. scipy, numba, penman and rich are imported by the few calls that need them.
"""

#: Module → the public names that it holds; a name that is a module itself stands for that module. Type checkers read
#: ``__init__.pyi``.
_NAMES = {
    "allpairs.chosen": "cpdist pairs",
    "allpairs.feature_matrix": "features",
    "allpairs.groups": "Groups groups",
    "allpairs.matrix": "cdist",
    "allpairs.neighbours": "TopK top_k",
    "allpairs.parquet": "read_pairs",
    "documents": "documents",
    "ensembles.ensembling": "ensemble",
    "ensembles.result": "Ensemble",
    "errors": "FastmatchError FastmatchWarning OptionError PairingError PairingWarning ReadError ReadWarning",
    "evaluation.agreement": "Agreement agreement",
    "evaluation.certificates.making": "Certificates certificate",
    "evaluation.comparison": "Comparison compare",
    "evaluation.scoring": "align score",
    "fine_grained.scores": "AspectScores aspects",
    "graphs.corpus": "Corpus",
    "graphs.extracting": "Extraction extract",
    "graphs.graph": "Graph",
    "graphs.reading": "parse read",
    "graphs.repairing": "Repaired repair",
    "graphs.standardization.steps": "standardize",
    "graphs.vocabulary": "Vocabulary",
    "metrics.training.softoverlap": "OverlapTraining train_softoverlap",
    "metrics.training.wwlk": "Training train_wwlk",
    "pages": "pages",
    "plot": "plot",
    "report.model": "Report",
    "results.alignment": "Alignment",
    "results.flow": "FlowAlignment",
    "results.pairs": "PairScores Scores TripleScores",
    "results.scores": "CorpusScore",
    "results.signature": "Signature",
    "rewards.credit": "Credit credit credit_batch",
    "umr": "umr",
    "version": "__version__",
}
_HOME = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> object:
    home = _HOME.get(name)
    if home is None and name.endswith("Options"):
        from fastmatch.metrics.registry import typed_options

        globals()[name] = value = typed_options(name)
        return value
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
