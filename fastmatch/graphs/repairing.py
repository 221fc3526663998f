"""Make a graph readable that a language model wrote nearly right.

:func:`repair` goes through the text of one graph and mends what departs from Penman notation. Each change follows a
rule with a name:

``text-before``        text before the first bracket goes
``unopened``           a graph without its first bracket gets it
``text-after``         whatever follows the end of the graph goes, except comments
``unclosed``           brackets that are still open at the end are closed there
``extra-bracket``      of two brackets for one node, one goes
``missing-variable``   a node without a variable gets a new one: ``x2``, ``x3``, …
``repeated-variable``  a variable that a second node declares becomes a new one there; what refers to it means the first
``missing-slash``      a concept behind a variable gets its ``/``
``missing-concept``    a node without a concept gets ``amr-empty``, unless its variable has a concept elsewhere
``missing-colon``      a word before a bracket, or one such as ``ARG0``, where a role should be gets its ``:``
``missing-role``       a node without a role before it gets ``:amr-empty``, as does a ``:`` without a name
``missing-target``     a role without a target gets ``amr-empty``
``unquoted``           a value in several words, or with brackets, slashes or a time in it, gets quotes
``unclosed-string``    a string that does not end on its line is closed before the next bracket or role, or there
``comment``            a comment within the graph goes
``stray-text``         anything else that stands where it cannot: a second alignment, a word behind a node

``amr-empty`` is AMR's own word for an empty sentence. It stands in hardly any gold graph, so what a repair fills in
matches nothing. Where nothing was there but perhaps a variable, the graph becomes ``()``, which scores 0.

A text that needs none of this is given back as it is, to the byte. A repaired text can be read as ``penman`` does, and
needs no further repair. A text in which no graph begins, neither with a bracket nor with ``name /``, cannot be repaired
and is given back as it is, too.
"""

from __future__ import annotations

from typing import NamedTuple

from fastmatch._ext.reading.repair import mend
from fastmatch.report import markup

#: The names of all rules.
RULES = (
    *("text-before", "unopened", "text-after", "unclosed", "extra-bracket", "missing-variable", "repeated-variable"),
    *("missing-slash", "missing-concept", "missing-colon", "missing-role", "missing-target", "unquoted"),
    *("unclosed-string", "comment", "stray-text"),
)


#: Repairs that a notebook lists.
_SHOWN = 20


class Repaired(NamedTuple):
    """A graph's text, and what was changed.

    Attributes
    ----------
    text : str
    repairs : list of (str, int)
        The rule, and the place in the given text, counted in characters from 0. Empty if nothing was changed.
    """

    text: str
    repairs: list[tuple[str, int]]

    def _repr_html_(self) -> str:
        if not self.repairs:
            return markup.paragraph("nothing to repair") + markup.block(self.text)
        header, repairs = ("repair", "at character"), self.repairs
        table = markup.beginning(header, repairs[:_SHOWN], "l", _SHOWN, len(repairs), "repair")
        return markup.block(self.text) + table


def repair(text: str) -> Repaired:
    """Make the text of one graph readable, by the rules of :mod:`fastmatch.graphs.repairing`.

    Parameters
    ----------
    text : str
        One graph; comment lines may stand before it. :func:`fastmatch.extract` finds it in a longer text.

    Returns
    -------
    Repaired

    Raises
    ------
    TypeError
        If ``text`` is no string.

    Notes
    -----
    Takes time linear in the length of any text: about 1 µs for a graph that needs no repair.

    Examples
    --------
    >>> import fastmatch as fm
    >>> fm.repair("(w / want-01 :ARG0 (b / boy :name New York")
    Repaired(text='(w / want-01 :ARG0 (b / boy :name "New York"))', repairs=[('unquoted', 34), ('unclosed', 42)])
    """
    if not isinstance(text, str):
        raise TypeError(f"repair takes a text, not {type(text).__name__}")
    return Repaired(*mend(str(text)))  # numpy's strings are subclasses, which the kernel refuses
