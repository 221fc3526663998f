"""Which relations stand for a node, and which nodes for a relation: tables of reification.

AMR lets an annotator write a relation or, whenever something is to be said about it, the node that it stands for:

    (d / dog :location (h / house))
    (d / dog :ARG1-of (b / be-located-at-91 :ARG2 (h / house)))

A rule names the relation, the concept of the node, and the node's roles to what was the source and the target.

:data:`AMR` holds the rules of the AMR guidelines (Banarescu et al., AMR 1.2.6 specification, "reification"), the same
set as the AMR model of the package penman. Some relations have two nodes (``:poss``): the first is made, both are
undone. Two relations may share a node if its roles tell them apart; ``:subset`` and ``:superset`` are the same relation
seen from its two ends, so ``(a :superset b)`` comes back as ``(b :subset a)``. :data:`SMATCHPP` is what smatchpp 1.8.0
does.

A file of rules has one rule a line, four words: relation, concept, role of the source, role of the target. ``#`` begins
a comment.
"""

from __future__ import annotations

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


def _rules(text: str, name: str) -> tuple[Rule, ...]:
    """Rules written ``relation concept source target``, separated by line breaks or semicolons."""
    rows = []
    for number, line in enumerate(text.replace(";", "\n").split("\n"), start=1):
        words = line.split("#", 1)[0].split()
        if words:
            rows.append((f"{name}:{number}", words))
    return _checked(rows, name)


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
AMR = _rules(
    """
    :accompanier accompany-01 :ARG1 :ARG0       ; :age         age-01              :ARG1 :ARG2
    :beneficiary benefit-01 :ARG0 :ARG1         ; :beneficiary receive-01          :ARG2 :ARG0
    :cause       cause-01 :ARG1 :ARG0           ; :concession  have-concession-91  :ARG1 :ARG2
    :condition   have-condition-91 :ARG1 :ARG2  ; :cost        cost-01             :ARG1 :ARG2
    :degree      have-degree-92 :ARG1 :ARG2     ; :destination be-destined-for-91  :ARG1 :ARG2
    :duration    last-01 :ARG1 :ARG2            ; :employed-by have-org-role-91    :ARG0 :ARG1
    :example     exemplify-01 :ARG1 :ARG0       ; :extent      have-extent-91      :ARG1 :ARG2
    :frequency   have-frequency-91 :ARG1 :ARG2  ; :instrument  have-instrument-91  :ARG1 :ARG2
    :li          have-li-91 :ARG1 :ARG2         ; :location    be-located-at-91    :ARG1 :ARG2
    :manner      have-manner-91 :ARG1 :ARG2     ; :meaning     mean-01             :ARG1 :ARG2
    :mod         have-mod-91 :ARG1 :ARG2        ; :name        have-name-91        :ARG1 :ARG2
    :ord         have-ord-91 :ARG1 :ARG2        ; :part        have-part-91        :ARG1 :ARG2
    :polarity    have-polarity-91 :ARG1 :ARG2   ; :poss        own-01              :ARG1 :ARG0
    :poss        have-03 :ARG1 :ARG0            ; :purpose     have-purpose-91     :ARG1 :ARG2
    :quant       have-quant-91 :ARG1 :ARG2      ; :role        have-org-role-91    :ARG0 :ARG2
    :source      be-from-91 :ARG1 :ARG2         ; :subevent    have-subevent-91    :ARG1 :ARG2
    :subset      include-91 :ARG2 :ARG1         ; :superset    include-91          :ARG1 :ARG2
    :time        be-temporally-at-91 :ARG1 :ARG2; :topic       concern-02          :ARG0 :ARG1
    :value       have-value-91 :ARG1 :ARG2
    """,
    "amr",
)

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
        name = fspath(source)
        try:
            with open(name, encoding="utf-8-sig") as file:
                return _rules(file.read().replace(";", "# "), name)
        except UnicodeDecodeError:
            raise OptionError(f"{name}: a table of reification is UTF-8 text") from None
    if hasattr(source, "items"):
        return _checked(((f"table[{key!r}]", (key, *words)) for key, words in source.items()), "table")
    return _checked(((f"table[{number}]", words) for number, words in enumerate(source)), "table")
