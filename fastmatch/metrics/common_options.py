"""Options that mean the same in every metric that has them.

A metric has one of them by the field ``solver: str = common("solver")`` (:func:`fastmatch.metrics.options.common`). On
the command line their flags bear no metric's name: ``--solver``, where an option of one metric alone is
``--wlk-kernel``. The command line makes its flags from this table before numpy is loaded, so nothing is imported here.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class CommonOption(NamedTuple):
    """An option that means the same in every metric that has it.

    Attributes
    ----------
    kind : type
        ``str``, ``int``, ``float`` or ``bool``. Numbers are not negative.
    default : Any
        Its default, unless a metric has another one.
    help : str
        What the command line says of it.
    choices : tuple of str or None
        The values that it may have; None: any of its kind.
    limits : (int, int) or None
        The least and the greatest value of a number.
    metavar : str or None
        What stands for the value in a usage message.
    everywhere : bool
        There is a flag whatever metric is asked for. False: only with metrics that have the option, and with their own
        help.
    """

    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] | None = None
    limits: tuple[int, int] | None = None
    metavar: str | None = None
    everywhere: bool = True


#: Name of the option → what it is, in the order in which the command line lists them.
COMMON = {
    "solver": CommonOption(
        str,
        "exact",
        "exact: the proven optimum (default); climb: Smatch's hill-climber; ilp: integer linear program (HiGHS)",
        choices=("exact", "climb", "ilp"),
    ),
    "top": CommonOption(
        str,
        "constant",
        "the triple that stands for the root: (root :TOP top) (default), (root :TOP concept), or none",
        choices=("constant", "concept", "none"),
    ),
    "duplicates": CommonOption(
        str,
        "once",
        "what k copies of a triple against m copies count: 1 (once, the default), min(k, m) (bag, as smatchpp has "
        "it), or k*m (multiply, as smatch 1.0.4 has it)",
        choices=("once", "bag", "multiply"),
    ),
    "triples": CommonOption(
        str,
        "all",
        "match and count only triples of one class (default: all)",
        choices=("all", "instance", "attribute", "relation"),
    ),
    "restarts": CommonOption(
        int, 4, "random starts of the hill-climber (default: 4)", limits=(0, 2**31 - 2), metavar="N"
    ),
    "seed": CommonOption(int, 0, "seed of the hill-climber (default: 0)", limits=(0, 2**64 - 1), metavar="N"),
    "effort": CommonOption(
        str,
        "default",
        "how much counted work a pair may take before it is left with bounds: minimal, low, default, high, or proof "
        "(no limit); the same on every machine, and taken by every metric",
        choices=("minimal", "low", "default", "high", "proof"),
    ),
    "time_limit": CommonOption(
        float,
        None,
        "wall time per pair, besides --effort; a pair that it stops is reported as uncertified",
        metavar="SECONDS",
    ),
    "compress": CommonOption(
        bool, False, "match losslessly compressed pairs, as smatchpp can: faster for large graphs, and another score"
    ),
    "within": CommonOption(
        str,
        "document",
        "what variables of documents must share to match: nothing but the document (document, the default but for "
        "docsmatch), a sentence (sentences), or a sentence as the program DocSmatch divides documents (tool)",
        choices=("document", "sentences", "tool"),
    ),
    "embeddings": CommonOption(
        str, None, "word vectors, in the text format of GloVe or word2vec", metavar="FILE", everywhere=False
    ),
    "lengths": CommonOption(
        str,
        None,
        "how many words each sentence has: lines of a sentence's id, a tab and a number",
        metavar="FILE",
        everywhere=False,
    ),
}
