"""Which sentences the variables of a document belong to, written straight from the definition with sets."""

import re

import fastmatch as fm
from fastmatch.graphs.notation import INVERTED, RELATION

_BRIDGING = {":part", ":subset", ":same-as"}


def _sentences(graph: fm.Graph) -> list[tuple[int, str]]:
    return [
        (int(role[4:]), target)
        for source, role, target in graph.relations
        if source == graph.top and re.fullmatch(r":snt\d+", role)
    ]


def _reached(start: set[str], arrows: set[tuple[str, str]]) -> set[str]:
    while True:
        more = start | {target for source, target in arrows if source in start}
        if more == start:
            return start
        start = more


def levelled(graph: fm.Graph) -> dict[str, set[int]] | None:
    """The groups of each variable by levels; None for a graph without sentences. Roles are in lower case."""
    top = graph.top
    sentences = [(number, target) for number, target in _sentences(graph) if target != top]
    if not sentences:
        return None
    relations = [
        (target, ":mod", source) if role == ":domain" else (source, role, target)
        for source, role, target in graph.relations
        if top not in (source, target) and source != target
    ]
    plain = {(s, t) for s, role, t in relations if role != ":coref" and role not in _BRIDGING}
    both = {(s, t) for s, _, t in relations} | {(t, s) for s, _, t in relations}
    level: dict[str, int] = {}
    entering = {target for _, target in sentences}
    while entering:
        number = len(set(level.values()))
        free = {(s, t) for s, t in plain if t not in level}
        level.update(dict.fromkeys(_reached(entering, free), number))
        entering = {t for s, t in both if s in level and t not in level}
    arrows = set()
    for source, role, target in relations:
        if source not in level:
            continue
        if role == ":coref":
            source, target = target, source
        if level[source] == level[target]:
            if role not in _BRIDGING:
                arrows.add((source, target))
        else:
            arrows.add((source, target) if level[source] < level[target] else (target, source))
    groups: dict[str, set[int]] = {v: set() if v in level and v != top else {0} for v in graph.variables}
    for number, target in sentences:
        for variable in _reached({target}, arrows):
            groups[variable].add(number + 1)
    return groups


def tool(graph: fm.Graph) -> dict[str, set[int]]:
    """The groups of each variable as DocSmatch makes them, of a graph that was read as smatch reads it."""
    top = graph.top
    sentences = dict(_sentences(graph))
    if not sentences:
        return {variable: {0} for variable in graph.variables}
    arrows = set()
    for (source, role, target), kind in zip(graph.triples, graph._kinds, strict=True):
        if kind not in (RELATION, INVERTED):
            continue
        turned = kind == INVERTED
        if role == ":coref":
            arrows.add((target, source))
        elif role in (":part", ":subset"):
            arrows |= {(source, target), (target, source)}
        elif role == ":domain":
            arrows.add((target, source) if turned else (source, target))
        else:
            arrows |= {(source, target), (target, source)} if turned else {(source, target)}
    for source, role, target in graph.relations:
        known = _reached({top}, arrows)
        if role == ":coref" and target not in known and source in known:
            arrows.add((source, target))
    groups = {variable: {0} if variable == top else set() for variable in graph.variables}
    for number, target in sentences.items():
        for variable in _reached({target}, arrows):
            groups[variable].add(number + 1)
    return groups
