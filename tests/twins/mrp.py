"""Graphs in MRP JSON by the standard library, from the definition of the format and of mtool's normalisation.

The tuples of one graph, without regard to the numbers of its nodes: what the compiled reader makes triples of.
"""

import json
from collections import Counter

_TRIMMED = set(".?!;,:“\"”‘'’()[]{}")


def tuples(line: str, published: bool = False):
    """(kind, variable or variables, label or value) of a graph; variables by their ids."""
    graph = json.loads(line)
    text = graph.get("input")
    found = Counter()
    for node in graph.get("nodes") or []:
        key = node["id"]
        if node.get("label") is not None:
            found["label", key, _text(node["label"])] += 1
        for name, value in zip(node.get("properties") or [], node.get("values") or [], strict=True):
            found["property", key, _text(name), _text(value)] += 1
        spans = [(a["from"], a["to"]) for a in node.get("anchors") or [] if a.get("from") is not None]
        spans = [(start, stop) for start, stop in spans if start < stop]
        if spans:
            found["anchors", key, characters(spans, text)] += 1
    for top in graph.get("tops") or []:
        found["top", top] += 1
    seen = set()
    for edge in graph.get("edges") or []:
        source, target, label = edge["source"], edge["target"], _text(edge.get("label") or "")
        if (source, target, label) in seen:
            continue
        seen.add((source, target, label))
        exempt = label.lower() in ("consist-of", "subset-of") and not published
        if edge.get("normal") is not None:
            source, target, label = target, source, _text(edge["normal"])
        elif label.lower() == "mod":
            source, target, label = target, source, "domain"
        elif label.lower().endswith("-of-of") or (
            label.lower().endswith("-of") and not label.lower().startswith("prep-") and not exempt
        ):
            source, target, label = target, source, label[:-3]
        found["edge", source, target, label] += 1
        names = edge.get("attributes") if edge.get("attributes") is not None else edge.get("properties")
        for name, value in zip(names or [], edge.get("values") or [], strict=True):
            default = _text(name).lower() in ("remote", "effective", "member") and _text(value).lower() == "false"
            if not default:
                found["edge", source, target, f"{label}|{_text(name)}={_text(value)}"] += 1
    return found


def _text(value) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def characters(spans: list[tuple[int, int]], text: str | None) -> frozenset[int]:
    """The characters of spans after the ends of their runs were trimmed, white space left out."""
    covered = {place for start, stop in spans for place in range(start, stop)}
    runs: list[list[int]] = []
    for place in sorted(covered):
        last = runs[-1][1] if runs else None
        if last is not None and (place == last + 1 or (text is not None and not text[last:place].strip())):
            runs[-1][1] = place
        else:
            runs.append([place, place])
    if text is None:
        return frozenset(covered)
    left: set[int] = set()
    for first, last in runs:
        while first <= last and (text[first] in _TRIMMED or text[first].isspace()):
            first += 1
        while first <= last and (text[last] in _TRIMMED or text[last].isspace()):
            last -= 1
        left.update(place for place in range(first, last + 1) if not text[place].isspace())
    return frozenset(left)
