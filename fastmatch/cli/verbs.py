"""The verbs: under which heading ``--help`` lists them, which module holds them, and what their help says first."""

from __future__ import annotations

from typing import NamedTuple

EPILOG = """\
The prediction comes first, the gold second. "-" stands for standard input, for one of the two; gzipped input is
unpacked. Exit status: 0 fine, 1 below --fail-under, 2 bad usage or input, 130 interrupted.
"""

_METRICS = """\
A metric is NAME[/PRESET][,OPTION=VALUE]..., for instance smatch, smatch/smatch, sembleu/tool,k=2 or
s2match,embeddings=glove.txt,cutoff=0.9. Repeat --metric for several; all stands for every metric with its defaults.
"""

_MATRIX = (
    '"-" stands for standard input, for one of the two files; gzipped input is unpacked. OUT appears when it is whole; '
    "until then OUT.part and OUT.journal hold what is done. Exit status: 0 fine, 2 bad usage or input, 130 interrupted."
)


class Verb(NamedTuple):
    """A verb. ``add_<last word of the verb>`` in its module adds its flags to its parser.

    Attributes
    ----------
    module : str
        In ``fastmatch.cli``.
    help : str
        What the list of all verbs says.
    description, epilog, usage : str
        What its own help begins with, and ends with; how it is called, if argparse cannot say that.
    """

    module: str
    help: str
    description: str
    epilog: str | None = None
    usage: str | None = None


#: Heading → its verbs.
HEADINGS = {
    "scores": {
        "demo": Verb(
            "score",
            "score a packaged corpus of 40 pairs",
            "Score the sample corpus that comes with fastmatch and show what the report means.",
        ),
        "score": Verb(
            "score",
            "score predicted graphs against gold graphs",
            "Score the graphs of PRED against those of GOLD, pair by pair in the order of the files.",
            epilog=EPILOG,
        ),
        "align": Verb(
            "align",
            "show which variables and triples match, of a pair or of all pairs",
            "Align pairs of graphs and show which variables and which triples match, or which features both have if "
            "the metric compares features: one pair (the first, or that of --index or --id), the worst pairs "
            "(--worst), or all of them in a page for a browser (--page). Of UMR documents the sentence graphs are "
            "aligned, by AnCast if no metric is named.",
            epilog=EPILOG,
        ),
        "check": Verb(
            "check",
            "check the proofs that score --certificate wrote",
            "Check for each pair that the map matches as many triples as is claimed, and that no map matches more. "
            "With PRED and GOLD, also that these are the graphs that were compared, and, without options that rewrite "
            "graphs, that penman reads the same triples. The last line names what is on trust. The program "
            "check_certificates.py does the same without fastmatch.",
            epilog="Exit status: 0 nothing is refused, 1 a pair is refused (with --strict: or has no proof), 2 bad "
            "usage or input, 130 interrupted.",
        ),
        "compare": Verb(
            "compare",
            "test whether systems differ on the same gold graphs",
            "Score each system against GOLD, and test whether the others differ from the first one.",
            epilog="The last file is the gold one unless --gold names it. Exit status: 0 fine, 2 bad usage or input, "
            "130 interrupted.",
            usage="fastmatch compare SYSTEM_A SYSTEM_B GOLD [options]\n"
            "       fastmatch compare SYSTEM_A SYSTEM_B SYSTEM_C ... --gold GOLD [options]",
        ),
        "agreement": Verb(
            "agreement",
            "score annotators, or systems, against each other",
            "Score every annotator of the same sentences against every other one: a matrix, and the mean. Metrics "
            "that are not symmetric are computed in both directions.",
            epilog='"-" stands for standard input, for one of the files. Exit status: 0 fine, 2 bad usage or input, '
            "130 interrupted.",
        ),
        "ensemble": Verb(
            "ensemble",
            "make one graph of many for each sentence",
            "Write for each sentence the graph with the best mean score against the graphs of all systems, or against "
            "all answers of a list.",
            epilog="Exit status: 0 fine, 2 bad usage or input, 130 interrupted.",
            usage="fastmatch ensemble SYSTEM_A SYSTEM_B [SYSTEM_C ...] -o OUT [options]\n"
            "       fastmatch ensemble SAMPLES.jsonl --pred-field NAME -o OUT [options]",
        ),
    },
    "many graphs": {
        "matrix": Verb(
            "matrix",
            "score every graph against every graph",
            "Score every graph of CORPUS (rows) against every graph of OTHER (columns), or of CORPUS itself.",
            epilog=_MATRIX,
        ),
        "search": Verb(
            "matrix",
            "find the graphs most similar to each query",
            "For every graph of QUERIES, the K graphs of CORPUS that score highest with it, the best first.",
            epilog=_MATRIX,
        ),
    },
    "graphs": {
        "standardize": Verb(
            "standardize",
            "rewrite graphs so that what means the same is written the same",
            "Read the graphs of IN, rewrite them step by step, and write the result.",
        ),
        "docamr": Verb(
            "standardize",
            "rewrite document graphs, or make them of sentence graphs and coreference",
            "Read the document graphs of IN and write them in another representation of coreference. With --coref, IN "
            "holds sentence graphs, and documents are made of them first.",
        ),
    },
    "metrics": {
        "metrics": Verb(
            "metrics",
            "list the metrics, their presets and their options",
            "List all metrics, those of other installed packages included, with a sentence for each; or, of the "
            "metrics that are named, every preset and every option.",
        ),
        "train wwlk": Verb(
            "train",
            "learn role weights for WWLK from scored pairs",
            "Learn the weights of roles (WWLK-theta) from pairs of graphs and human scores of them. Ctrl-C ends "
            "training and keeps the weights that were best until then.",
        ),
        "train softoverlap": Verb(
            "train_overlap",
            "learn the parameters of soft overlap from scored pairs",
            "Learn the parameters of soft overlap from BAMBOO's training pairs, or from any pairs of graphs with "
            "human scores. Ctrl-C ends training and keeps the parameters that were best until then.",
        ),
    },
    "benchmarks and studies": {
        "bench judgements": Verb(
            "judgements",
            "do metrics agree with judgements of people that you have?",
            "Compare scores with labels of people: numbers, classes, yes and no, or preferences between two "
            "predictions for a gold graph. LABELS has a label a line, or fields; or it is the file of judgements of "
            "AMRParseEval.",
            epilog=_METRICS,
            usage="fastmatch bench judgements PRED GOLD LABELS [options]\n"
            "       fastmatch bench judgements FIRST SECOND GOLD LABELS [options]\n"
            "       fastmatch bench judgements DATA --pred-field NAME --gold-field NAME --label-field NAME [options]",
        ),
        "bench bamboo": Verb(
            "benchmarks",
            "run metrics on the BAMBOO benchmark",
            "Correlate metrics with human ratings of sentence pairs, on BAMBOO's data: "
            "DIR/{sts,sick,para}/{main,reify,syno,role_confusion}/{src,tgt}.test.amr and DIR/<set>/test.y.",
            epilog=_METRICS,
        ),
        "bench rare": Verb(
            "benchmarks",
            "rewire a corpus and see whether metrics notice: the RARE benchmark",
            "Divide a corpus, rewire each graph step by step, and correlate the scores of metrics with the share of "
            "edges that are still there.",
            epilog=_METRICS,
        ),
        "bench principles": Verb(
            "benchmarks",
            "try metrics for bounds, identity, symmetry, determinacy and bias",
            "Try metrics on pairs of graphs: are scores bounded, 1 for equal graphs only, symmetric and repeatable? "
            "What do wrong concepts cost, and are pairs in the order of their common triples?",
            epilog=_METRICS,
        ),
        "bench grapes": Verb(
            "grapes",
            "what can a parser do? the GrAPES suite",
            "Evaluate AMR parsers on GrAPES, category by category, from your clone of github.com/jgroschwitz/GrAPES. "
            "What cannot be evaluated without licensed data is named.",
        ),
        "bench optima": Verb(
            "benchmarks",
            "at how many different scores does Smatch's hill-climber end?",
            "Climb again and again from random starts: at how many different scores does the hill-climber end, and "
            "how often at the proven optimum?",
        ),
        "bench space": Verb(
            "benchmarks",
            "how much could a metric compare: maps of variables, pairs of features",
            "Count how many maps of variables a pair of graphs has, or how many pairs of features.",
            epilog=_METRICS,
        ),
        "bench impact": Verb(
            "benchmarks",
            "in how many k-grams and triples does a node stand?",
            "Count in how many k-grams (SemBleu) and triples (Smatch) a node stands: what an error costs.",
        ),
        "bench ranking": Verb(
            "benchmarks",
            "do metrics agree which system is better?",
            "How often do two metrics disagree about which of two systems is better on a sentence, and how does each "
            "metric order the systems?",
            epilog=_METRICS,
        ),
    },
}
#: What ``score`` is for UMR documents.
DOCUMENTS = Verb(
    "umr",
    "score predicted UMR documents against gold documents",
    "Compare a predicted UMR document with a gold one. AnCast++ aligns the sentence graphs by AnCast and compares the "
    "modal, temporal and coreference relations of the document level under its alignment. juːmæʧ links nodes by the "
    "tokens with which they are aligned and counts all that is said of them. Two folders are compared by files of the "
    "same names; AnCast++ prints the means over the documents, juːmæʧ the scores of all sentences together.",
    epilog='"-" stands for standard input, for one of the two; gzipped input is unpacked.',
)
