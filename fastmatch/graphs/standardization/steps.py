"""Standardisation: rewriting graphs so that what means the same is written the same.

A step takes a corpus and gives a corpus; steps are named and put one after the other:

>>> import fastmatch as fm
>>> corpus = fm.parse(["(c / cat :ARG1-of (b / be-located-at-91 :ARG2 (h / house)))"])
>>> print(fm.standardize(corpus, ["lower-case", "de-invert", "dereify", "remove-duplicates"])[0])
(c / cat
      :location (h / house))

====================  ==================================================================================================
step                  what it does
====================  ==================================================================================================
``lower-case``        concepts, roles and constants in lower case
``drop-quotes``       constants and concepts without one pair of double quotes around them
``drop-all-quotes``   every single and double quote goes, wherever it stands (smatchpp)
``link-constants``    a constant spelled like a variable of its graph becomes a relation to it, variables that differ
                      only in case or quotes become one (smatchpp)
``domain-to-mod``     ``(a :domain b)`` becomes ``(b :mod a)``
``mod-to-domain``     ``(a :mod b)`` becomes ``(b :domain a)``
``de-invert``         roles on ``-of`` are turned around, but for AMR's own (``:consist-of``, ``:prep-out-of`` …)
``de-invert-all``     the same without an exception (smatchpp)
``as-written``        relations as the text has them: what reading turned around gets its ``-of`` back
``reify``             relations of a table become nodes (:mod:`fastmatch.graphs.standardization.reification`)
``dereify``           nodes that stand for a relation of the table become that relation, if nothing points at them,
                      they are not the root, and they have their two roles and nothing else
``root-concept``      the root gets an attribute ``:root`` with its concept
``root-constant``     the root gets an attribute ``:root top``
``drop-root``         attributes ``:root`` and ``:TOP`` go
``drop-wiki``         attributes ``:wiki`` go
``drop-senses``       ``want-01`` becomes ``want``: a hyphen with two or more digits at the end of a concept
``unlabel``           every role of a relation or attribute becomes ``:label``
``remove-duplicates`` of equal triples of a graph the first stays
====================  ==================================================================================================

A constant may be what an inverted role points from, as in ``(a :ARG0-of 5)``: it stays an attribute of ``a``, and its
role keeps exactly one ``-of``.

Source: Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic Graphs", section 5. Steps that it has
bear its names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

from fastmatch.errors import OptionError
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.standardization import labels
from fastmatch.graphs.standardization.reification import AMR, SMATCHPP, TableSource, dereify, reify, rule_table
from fastmatch.graphs.standardization.triples import link_constants, remove_duplicates, with_root, without_attributes
from fastmatch.graphs.vocabulary import CASE, MARKS, QUOTES

Step: TypeAlias = Callable[[Corpus], Corpus]

#: Steps without options, by name; ``reify`` and ``dereify`` take a table.
STEPS: Mapping[str, Step] = {
    "lower-case": partial(labels.folded, flags=CASE),
    "drop-quotes": partial(labels.folded, flags=QUOTES),
    "drop-all-quotes": partial(labels.folded, flags=MARKS),
    "link-constants": link_constants,
    "domain-to-mod": partial(labels.turn_roles, rename=labels.domain_to_mod),
    "mod-to-domain": partial(labels.turn_roles, rename=labels.mod_to_domain),
    "de-invert": partial(labels.turn_roles, rename=labels.plain_role),
    "de-invert-all": partial(labels.turn_roles, rename=partial(labels.plain_role, exceptions=False)),
    "as-written": labels.as_written,
    "root-concept": partial(with_root, concept=True),
    "root-constant": partial(with_root, concept=False),
    "drop-root": partial(without_attributes, roles={":root", ":top"}),
    "drop-wiki": partial(without_attributes, roles={":wiki"}),
    "drop-senses": labels.drop_senses,
    "unlabel": labels.unlabel,
    "remove-duplicates": remove_duplicates,
}

_GENERIC = ("lower-case", "drop-all-quotes", "link-constants")

#: What smatchpp 1.8.0 does, by the name of its graph type; ``smatch++`` is its best practice for AMR. The triple of the
#: root and what repeated triples count are the metric's: it adds and counts them whether its graphs have been
#: standardised before or not.
PRESETS: Mapping[str, tuple[str, ...]] = {
    "smatch++": (*_GENERIC, "domain-to-mod", "de-invert-all", "dereify"),
    "smatch++/reify": (*_GENERIC, "domain-to-mod", "de-invert-all", "reify"),
    "generic": (*_GENERIC, "de-invert-all"),
    "none": ("as-written",),
}


def standardize(corpus: Corpus, steps: str | Iterable[str | Step], *, table: TableSource | None = None) -> Corpus:
    """Rewrite the graphs of a corpus.

    Parameters
    ----------
    corpus : Corpus
        Is left as it is; the result shares its vocabulary, which gets the new labels.
    steps : str, or iterable of str and callables
        A preset (:data:`PRESETS`), one step, steps separated by commas, or a sequence of names and of functions from
        corpus to corpus. They are taken in order.
    table : optional
        Rules of ``reify`` and ``dereify``: see :func:`fastmatch.graphs.standardization.reification.rule_table`. By
        default those of the AMR guidelines, and in the presets smatchpp's own. Their words are taken in lower case if a
        step ``lower-case`` stands before.

    Returns
    -------
    Corpus
        Variables that are gone are missing, new ones stand behind the others of their graph.

    Raises
    ------
    OptionError
        If there is no such step, or the table is malformed.
    TypeError
        If ``corpus`` is no Corpus.

    Notes
    -----
    Linear in the size of the corpus, and about as fast as reading it.
    """
    if not isinstance(corpus, Corpus):
        raise TypeError(f"standardize takes a Corpus, as read and parse give it, not {type(corpus).__name__}")
    for step in resolved(steps, table):
        corpus = step(corpus)
    return corpus


def resolved(steps: str | Iterable[str | Step], table: TableSource | None = None, *, lower: bool = False) -> list[Step]:
    """The steps as functions, in order; neighbouring look-ups of labels become one.

    Parameters
    ----------
    steps, table
        As for :func:`standardize`.
    lower : bool
        Labels are in lower case from the beginning, so reification writes its own in lower case as well.

    Raises
    ------
    OptionError
        As :func:`standardize`.
    """
    rules = None if table is None else rule_table(table)
    if isinstance(steps, str):
        if steps in PRESETS and rules is None:
            rules = SMATCHPP
        steps = PRESETS[steps] if steps in PRESETS else [name.strip() for name in steps.split(",")]
    made: list[Step] = []
    for step in steps:
        if callable(step):
            made.append(step)
        elif step in ("reify", "dereify"):
            function = reify if step == "reify" else dereify
            made.append(partial(function, rules=AMR if rules is None else rules, lower=lower))
        elif step in STEPS:
            _append(made, STEPS[step])
            lower = lower or step == "lower-case"
        else:
            known = ", ".join(sorted({*STEPS, "reify", "dereify"}))
            raise OptionError(f"steps: no step {step!r}; there are {known}, and the presets {', '.join(PRESETS)}")
    return made


def _append(steps: list[Step], step: Step) -> None:
    """Add a step; if it is a look-up like the one before it, the two become one look-up."""
    before: Any = steps[-1] if steps else None
    after: Any = step
    if isinstance(before, partial) and isinstance(after, partial) and before.func is after.func:
        if before.func is labels.folded:
            steps[-1] = partial(labels.folded, flags=before.keywords["flags"] | after.keywords["flags"])
            return
        if before.func is labels.turn_roles:
            steps[-1] = partial(labels.turn_roles, rename=partial(_renamed_twice, before.keywords, after.keywords))
            return
    steps.append(step)


def _renamed_twice(first: dict[str, Any], second: dict[str, Any], role: str) -> tuple[str, bool]:
    role, turned = first["rename"](role)
    # what the first step turns around, the second sees as an attribute does: with one "-of" at its end
    role, again = second["rename"](role)
    return role, turned != again
