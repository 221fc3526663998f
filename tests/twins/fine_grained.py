"""Fine-grained scores as the library counts them without a preset, one pair of graphs at a time, in plain lists.

The Smatch rows look at every map of the variables: for small graphs.
"""

import string
from collections import Counter
from collections.abc import Iterable

from twins import brute_force
from twins.smatch_problem import DEFAULT, Triples, build

Counts = tuple[int, int, int]


def smatch(pred: Triples, gold: Triples) -> Counts:
    """Matched and counted triples."""
    problem = build(pred, gold, DEFAULT)
    return brute_force.optimum(problem)[0], problem.n_pred, problem.n_gold


def overlap(pred: Iterable[object], gold: Iterable[object], sets: bool) -> Counts:
    mine, its = Counter(pred), Counter(gold)
    if sets:
        mine, its = Counter(set(mine)), Counter(set(its))
    return (mine & its).total(), mine.total(), its.total()


def default_scores(pred: Triples, gold: Triples, kind: str) -> dict[str, Counts]:
    """From graphs as penman reads them."""
    sides = (pred, gold)
    scores = {
        "Smatch": smatch(pred, gold),
        "Unlabeled": smatch(*map(_unlabelled, sides)),
        "No WSD": smatch(*map(_one_sense, sides)),
    }
    bags: dict[str, list[list[object]]] = {}
    for side in sides:
        fold = DEFAULT.fold
        concepts = {variable: fold(concept) for variable, concept in side.instances}
        edges = [(fold(role), source, target) for source, role, target in _directed(side)]
        leaves = [(fold(role), source, fold(value)) for source, role, value in side.attributes]
        everything = [(role, concepts.get(s), concepts.get(t)) for role, s, t in edges]
        everything += [(role, concepts.get(s), value) for role, s, value in leaves]
        everything += [(":top", concepts.get(side.top), concepts.get(side.top))] if side.top is not None else []
        frames = [fold(concept) for _, concept in side.instances if concept is not None and _sense_at(fold(concept))]
        own = {
            "Concepts": [fold(concept) for _, concept in side.instances if concept is not None],
            "Frames": frames,
            "Non_sense_frames": [frame[: _sense_at(frame)] for frame in frames],
            "Named Ent.": [concepts.get(s) for role, s, _ in edges + leaves if role == ":name"],
            "Negations": [concepts.get(s) for role, s, _ in edges + leaves if role == ":polarity"],
            "Wikification": [value for role, _, value in leaves if role == ":wiki"],
            "IgnoreVars": everything,
        }
        for name, items in own.items():
            if kind == "enhanced" or name not in ("Frames", "Non_sense_frames", "IgnoreVars"):
                kept = items if name in ("IgnoreVars", "Wikification") else [item for item in items if item is not None]
                bags.setdefault(name, []).append(kept)
    for name, (mine, its) in bags.items():
        scores[name] = overlap(mine, its, kind == "enhanced")
    scores["Reentrancies"] = smatch(*(_kept(side, _into_many(side), False) for side in sides))
    scores["SRL"] = smatch(*(_kept(side, _roles(side), True) for side in sides))
    return scores


def _directed(side: Triples) -> list[tuple[str, str, str]]:
    return [(t, ":mod", s) if role.lower() == ":domain" else (s, role, t) for s, role, t in side.relations]


def _unlabelled(side: Triples) -> Triples:
    """TOP stays, since it is no role of the text."""
    return side._replace(
        attributes=tuple((source, ":label", value) for source, _, value in side.attributes),
        relations=tuple((source, ":label", target) for source, _, target in _directed(side)),
    )


def _one_sense(side: Triples) -> Triples:
    bare = [(variable, None if concept is None else concept.strip('"')) for variable, concept in side.instances]
    changed = ((variable, f"{c[: _sense_at(c)]}-01" if c and _sense_at(c) else c) for variable, c in bare)
    return side._replace(instances=tuple(changed))


def _sense_at(concept: str | None) -> int:
    """Where a sense of two digits or more begins (at its hyphen), or 0."""
    if concept is None:
        return 0
    stem = concept.rstrip(string.digits)
    return len(stem) - 1 if stem.endswith("-") and len(concept) - len(stem) >= 2 else 0


def _into_many(side: Triples) -> list[tuple[str, str, str]]:
    edges = _directed(side)
    incoming = Counter(target for _, _, target in edges)
    return [row for row in edges if incoming[row[2]] > 1]


def _roles(side: Triples) -> list[tuple[str, str, str]]:
    return [row for row in _directed(side) if row[1].lower().startswith(":arg")]


def _kept(side: Triples, edges: list[tuple[str, str, str]], leaves: bool) -> Triples:
    attributes = [row for row in side.attributes if leaves and row[1].lower().startswith(":arg")]
    mentioned = {end for source, _, target in edges for end in (source, target)} | {row[0] for row in attributes}
    concepts = dict(side.instances)
    variables = tuple(variable for variable in side.variables if variable in mentioned)
    instances = tuple((variable, concepts[variable]) for variable in variables if variable in concepts)
    return Triples(None, variables, instances, tuple(attributes), tuple(edges))
