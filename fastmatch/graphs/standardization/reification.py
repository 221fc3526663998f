"""Which relations stand for a node, and which nodes for a relation: tables of reification.

AMR lets an annotator write a relation or, whenever something is to be said about it, the node that it stands for:

    (d / dog :location (h / house))
    (d / dog :ARG1-of (b / be-located-at-91 :ARG2 (h / house)))

A rule names the relation, the concept of the node, and the node's roles to what was the source and the target.

:data:`AMR` (``amr.txt``) holds the rules of the AMR guidelines (Banarescu et al., AMR 1.2.6 specification,
"reification"), the same set as the AMR model of the package penman. Some relations have two nodes (``:poss``): the
first is made, both are undone. Two relations may share a node if its roles tell them apart; ``:subset`` and
``:superset`` are the same relation seen from its two ends, so ``(a :superset b)`` comes back as ``(b :subset a)``.
:data:`SMATCHPP` is what smatchpp 1.8.0 does.

A file of rules has one rule a line, four words: relation, concept, role of the source, role of the target. ``#`` begins
a comment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import NamedTuple, TypeAlias

from fastmatch.errors import OptionError

TableSource: TypeAlias = str | PathLike[str] | Mapping[str, Sequence[str]] | Iterable[Sequence[str]]


class Rule(NamedTuple):
    """``x relation y`` is ``v / concept``, ``v source x``, ``v target y``; roles with their colon."""

    relation: str
    concept: str
    source: str
    target: str


def _rules(name: str) -> tuple[Rule, ...]:
    """The rules of a file."""
    try:
        with open(name, encoding="utf-8-sig") as file:
            lines = file.read().split("\n")
    except UnicodeDecodeError:
        raise OptionError(f"{name}: a table of reification is UTF-8 text") from None
    rows = ((f"{name}:{number}", re.split("[#;]", line)[0].split()) for number, line in enumerate(lines, start=1))
    return _checked(((place, words) for place, words in rows if words), name)


def _checked(rows: Iterable[tuple[str, Sequence[str]]], name: str) -> tuple[Rule, ...]:
    rules: list[Rule] = []
    seen: set[tuple[str, str]] = set()
    for place, words in rows:
        if isinstance(words, str) or len(words) != 4 or not all(isinstance(word, str) and word for word in words):
            found = words if isinstance(words, str) else " ".join(map(str, words))
            raise OptionError(
                f"{place}: expected relation, concept, role of the source, role of the target; found {found!r}"
            )
        relation, source, target = (word if word.startswith(":") else f":{word}" for word in (words[0], *words[2:]))
        rule = Rule(relation, words[1], source, target)
        for role in (relation, source, target):
            if role == ":" or role.endswith("-of"):
                raise OptionError(f"{place}: role {role!r}: expected a role that is not inverted")
        if source == target:
            raise OptionError(f"{place}: source and target of {relation!r} have the same role {source!r}")
        if (relation, rule.concept) in seen:
            raise OptionError(f"{place}: a second rule for {relation!r} and {rule.concept!r}")
        seen.add((relation, rule.concept))
        rules.append(rule)
    if not rules:
        raise OptionError(f"{name}: a table of reification without a rule")
    _refuse_cycles(rules, name)
    return tuple(rules)


def _refuse_cycles(rules: Sequence[Rule], name: str) -> None:
    """A relation whose node has, directly or through other rules, that relation as a role could be reified for ever."""
    uses: dict[str, list[str]] = {}
    for rule in rules:
        uses.setdefault(rule.relation, []).extend((rule.source, rule.target))
    done: set[str] = set()
    for start in uses:
        path: list[str] = []
        stack = [(start, iter(uses[start]))]
        path.append(start)
        while stack:
            role, rest = stack[-1]
            following = next((other for other in rest if other in uses and other not in done), None)
            if following is None:
                done.add(role)
                path.pop()
                stack.pop()
            elif following in path:
                circle = " -> ".join([*path[path.index(following) :], following])
                raise OptionError(f"{name}: the rules go in a circle: {circle}")
            else:
                path.append(following)
                stack.append((following, iter(uses[following])))


#: The rules of the AMR guidelines.
AMR = _rules(os.path.join(os.path.dirname(__file__), "amr.txt"))

# what smatchpp 1.8.0 leaves out, and its one other concept
_UNKNOWN = {":cause", ":cost", ":employed-by", ":meaning", ":role", ":subset", ":superset"}
_SECOND = {"receive-01", "have-03"}

#: The rules that smatchpp 1.8.0 has: one node a relation.
SMATCHPP = tuple(
    rule._replace(concept="have-degree-91") if rule.relation == ":degree" else rule
    for rule in AMR
    if rule.relation not in _UNKNOWN and rule.concept not in _SECOND
)

_KNOWN = {"amr": AMR, "smatch++": SMATCHPP}


def rule_table(source: TableSource) -> tuple[Rule, ...]:
    """A table of rules from its name, a file, a mapping or rows.

    Parameters
    ----------
    source : str, path, mapping or iterable
        ``"amr"``, ``"smatch++"``; else the name of a file (see the top of this module); else relation → (concept, role
        of the source, role of the target), or rows (relation, concept, role of the source, role of the target). Roles
        may lack their colon.

    Raises
    ------
    OptionError
        If a rule is malformed or stands twice, or rules go in a circle.
    OSError
        If there is no such file.
    """
    if isinstance(source, str) and source in _KNOWN:
        return _KNOWN[source]
    if isinstance(source, str | PathLike):
        return _rules(fspath(source))
    if hasattr(source, "items"):
        return _checked(((f"table[{key!r}]", (key, *words)) for key, words in source.items()), "table")
    return _checked(((f"table[{number}]", words) for number, words in enumerate(source)), "table")
