"""Find the graph in what a language model wrote.

An answer holds more than a graph: thoughts, tags, a fenced block, sentences before and after. :func:`extract` finds the
place of the graph by these rules, in this order, and takes the first that fits:

``answer``, ``amr``, ``graph``
    what stands between the tags ``<answer>``, ``<amr>`` or ``<graph>`` (upper or lower case), of several the last one
    with something in it. A tag that is not closed ends where the next such tag or the text does.
``think``
    what follows the last ``</think>`` (or ``</thinking>``).
``fence``
    the last fenced block (three or more backticks or tildes) with a graph in it; the last one need not be closed.
``block``
    the last piece of Penman notation whose brackets are balanced.
``open``
    the last one whose brackets are not, up to the end of the text: an answer that was cut off.

Within tags and behind thoughts, the same search goes on: a fenced block there, else balanced brackets, else brackets
that are not closed, else whatever stands there. Nothing is ever taken from within thoughts or from before them, and of
thoughts that do not end nothing follows.

A graph begins with ``(``, a name, and then ``/`` and a concept or a role; so a remark in brackets is no graph. Brackets
in strings and in comment lines do not count. A graph that begins at the margin behind an empty line is a new one, even
if the one before it was not closed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from fastmatch._ext.reading.extract import locate
from fastmatch.errors import OptionError, choice
from fastmatch.report import markup
from fastmatch.types import Where

#: Rules.
WHERE = get_args(Where)


class Extraction(NamedTuple):
    """A graph's text and its place; false if none was found.

    Attributes
    ----------
    text : str
        What was found, without blanks around it. Empty if nothing was.
    start, stop : int
        Its place: ``text`` is the given text's ``[start:stop]``. Both are 0 if nothing was found.
    how : str
        The rule that found it: ``answer``, ``amr`` or ``graph`` (the tag), ``think``, ``fence``, ``block``, ``open`` (a
        graph that is not closed), ``text`` (all of it, for ``where="text"``), or ``""``.
    """

    text: str
    start: int
    stop: int
    how: Literal["answer", "amr", "graph", "think", "fence", "block", "open", "text", ""]

    def __bool__(self) -> bool:
        return self.stop > self.start

    def _repr_html_(self) -> str:
        if not self:
            return markup.paragraph("no graph found")
        where = f"{self.how}, characters {self.start:,} to {self.stop:,}"
        return markup.paragraph(markup.escape(where)) + markup.block(self.text)


def extract(text: str, *, where: Where = "auto", thinking: bool = False) -> Extraction:
    """Find the graph in a text that a language model wrote, by the rules of :mod:`fastmatch.graphs.extracting`.

    Parameters
    ----------
    text : str
        A whole completion.
    where : {"auto", "tag", "think", "fence", "block", "text"}
        ``auto`` tries the rules in their order. The others try one: ``tag`` the tags for an answer, ``think`` what
        follows thoughts, ``fence`` fenced blocks, ``block`` Penman notation anywhere, ``text`` all that is no thought.
    thinking : bool
        The text begins within thoughts: the prompt ended with ``<think>``. Without ``</think>`` nothing is found then.

    Returns
    -------
    Extraction
        What was found need not be a graph that can be read: ``<answer>42</answer>`` gives ``42``.

    Raises
    ------
    OptionError
        If ``where`` is none of its values.
    TypeError
        If ``text`` is no string.

    Notes
    -----
    Takes time linear in the length of any text.

    Examples
    --------
    >>> import fastmatch as fm
    >>> fm.extract("The graph of 'the cat' is (c / cat), I think.")
    Extraction(text='(c / cat)', start=26, stop=35, how='block')
    >>> fm.extract("<think>(d / dog)? No.</think> <answer>(c / cat)</answer>").text
    '(c / cat)'
    >>> bool(fm.extract("<think>(d / dog)? Hm"))
    False
    """
    choice("where", where, WHERE)
    if not isinstance(text, str):
        raise TypeError(f"extract takes a text, not {type(text).__name__}")
    if not isinstance(thinking, bool):
        raise OptionError(f"thinking={thinking!r}: expected True or False")
    text = str(text)  # numpy's strings are subclasses, which the kernel refuses
    start, stop, how = locate(text, where, thinking)
    return Extraction(text[start:stop], start, stop, how)
