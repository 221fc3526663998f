"""Fine-grained scores by the description of the two programs, one pair of graphs at a time, in plain lists.

``tool_scores`` is what amr-evaluation (``damonte``) and its enhanced version (``enhanced``) count; ``default_scores``
is what the library counts without a preset. The Smatch rows look at every map of the variables: for small graphs.
"""

import string
from collections import Counter
from collections.abc import Iterable

from support.readback import Lists
from twins import brute_force
from twins.old_smatch import glued_blocks, read_old
from twins.smatch_problem import DEFAULT, SMATCH, Flavour, Triples, build

Counts = tuple[int, int, int]
Triple = tuple[str, str, str]
"""Role without its colon, source, target."""

ENHANCED = Flavour(
    fold=lambda label: None if label is None else label.lower(), multiply_duplicates=True, unify_domain=False
)
LETTERS = set(string.ascii_letters + string.digits)


# ---- rewriting of the text -------------------------------------------------------------------------------------------


def unlabelled(text: str, kind: str) -> str:
    """Behind every colon: ``label`` instead of letters, digits and hyphens; ``enhanced`` stops at the first hyphen."""
    first, *pieces = text.split(":")
    for piece in pieces:
        length = 0
        while length < len(piece) and (piece[length] in LETTERS or (kind == "damonte" and piece[length] == "-")):
            length += 1
        first += ":label" + piece[length:]
    return first


def one_sense(text: str) -> str:
    first, *pieces = text.split("/ ")
    for piece in pieces:
        length = 0
        while length < len(piece) and (piece[length] in LETTERS or piece[length] == "-"):
            length += 1
        run, rest = piece[:length], piece[length:]
        for place in range(length - 2, 0, -1):
            if run[place] == "-" and run[place + 1].isdigit():
                end = place + 1
                while end < length and run[end].isdigit():
                    end += 1
                run = f"{run[:place]}-01{run[end:]}"
                break
        first += "/ " + run + rest
    return first


# ---- Smatch ----------------------------------------------------------------------------------------------------------


def smatch(pred: Triples, gold: Triples, flavour: Flavour) -> Counts:
    """Matched and counted triples; TOP must be among the attributes, if there is one."""
    problem = build(pred, gold, flavour)
    return brute_force.optimum(problem)[0], problem.n_pred, problem.n_gold


def whole(rows: Lists) -> Triples:
    """The graph with the root's concept as TOP."""
    concepts = dict(rows.instances)
    top = rows.instances[0][0]
    return Triples(
        None,
        tuple(concepts),
        tuple(rows.instances),
        ((top, ":TOP", concepts[top]), *rows.attributes),
        tuple(rows.relations),
    )


def overlap(pred: Iterable[object], gold: Iterable[object], sets: bool) -> Counts:
    mine, its = Counter(pred), Counter(gold)
    if sets:
        mine, its = Counter(set(mine)), Counter(set(its))
    return (mine & its).total(), mine.total(), its.total()


# ---- the programs ----------------------------------------------------------------------------------------------------


def read(text: str, kind: str) -> Lists:
    (line,) = glued_blocks(text)
    return read_old(line, partial=True, keyed=kind == "enhanced")


def listed(rows: Lists, kind: str) -> list[Triple]:
    """Attributes, TOP behind those of the first node, then relations; ``damonte`` turns what still ends in ``-of``."""
    first, concept = rows.instances[0]
    own = [(role[1:], source, value) for source, role, value in rows.attributes if source == first]
    others = [(role[1:], source, value) for source, role, value in rows.attributes if source != first]
    found = [*own, ("TOP", first, concept), *others]
    found += [(role[1:], source, target) for source, role, target in rows.relations]
    if kind == "damonte":
        found = [
            (role[:-3], target, source) if role.endswith("-of") else (role, source, target)
            for role, source, target in found
        ]
    return found


def part(triples: list[Triple], concepts: dict[str, str], kind: str) -> Triples:
    """The graph that is rebuilt from some triples."""
    mentioned = list(dict.fromkeys(end for _, *ends in triples for end in ends if end in concepts))
    instances = tuple((variable, concepts[variable]) for variable in mentioned)
    edges = [row for row in triples if row[1] in concepts and row[2] in concepts]
    if kind == "damonte":
        attributes = [(s, f":{role}", t) for role, s, t in triples if s in concepts and t not in concepts]
        attributes += [(variable, ":TOP", concepts[variable]) for variable in mentioned[:1]]
        relations = [(s, f":{role}", t) for role, s, t in edges]
    else:
        by_ends = {(s, t): role for role, s, t in edges}
        by_role = {(s, role): concepts[t] for role, s, t in edges}
        relations = [(s, f":{role}", t) for (s, t), role in by_ends.items()]
        attributes = [(s, f":{role}", concept) for (s, role), concept in by_role.items()]
    return Triples(None, tuple(mentioned), instances, tuple(attributes), tuple(relations))


def sense(concept: str) -> bool:
    """Ends in a hyphen and two digits."""
    return len(concept) > 2 and concept[-3] == "-" and concept[-2:].isascii() and concept[-2:].isdigit()


def tool_scores(pred: str, gold: str, kind: str) -> dict[str, Counts]:
    flavour = SMATCH if kind == "damonte" else ENHANCED
    texts = (pred, gold)
    scores = {}
    for name, rewrite in (
        ("Smatch", lambda text: text),
        ("Unlabeled", lambda text: unlabelled(text, kind)),
        ("No WSD", one_sense),
    ):
        scores[name] = smatch(*(whole(read(rewrite(text), kind)) for text in texts), flavour)
    bags: dict[str, list[list[object]]] = {}
    parts: dict[str, list[Triples]] = {"Reentrancies": [], "SRL": []}
    for text in texts:
        rows = read(text, kind)
        concepts, triples = dict(rows.instances), listed(rows, kind)
        own = {
            "Concepts": list(concepts.values()),
            "Frames": [concept for concept in concepts.values() if sense(concept)],
            "Non_sense_frames": [concept[:-3] for concept in concepts.values() if sense(concept)],
            "Named Ent.": [concepts[s] for role, s, _ in triples if role == "name" and s in concepts],
            "Negations": [concepts[s] for role, s, _ in triples if role == "polarity" and s in concepts],
            "Wikification": [t for role, _, t in triples if role == "wiki"],
            "IgnoreVars": [(role, concepts.get(s, s), concepts.get(t, t)) for role, s, t in triples],
        }
        for name, items in own.items():
            if kind == "enhanced" or name not in ("Frames", "Non_sense_frames", "IgnoreVars"):
                bags.setdefault(name, []).append(items)
        into: list[Triple] = []
        for variable in concepts:
            parents = [row for row in triples if row[2] == variable]
            into += parents if len(parents) > 1 else []
        parts["Reentrancies"].append(part(into, concepts, kind))
        roles = [row for row in triples if row[0].startswith("ARG")]
        roles = [(role[:-3], t, s) if role.endswith("of") else (role, s, t) for role, s, t in roles]
        parts["SRL"].append(part(roles, concepts, kind))
    for name, (mine, its) in bags.items():
        scores[name] = overlap(mine, its, kind == "enhanced")
    for name, (mine, its) in parts.items():
        scores[name] = smatch(mine, its, flavour)
    return scores


# ---- the library without a preset ------------------------------------------------------------------------------------


def default_scores(pred: Triples, gold: Triples, kind: str) -> dict[str, Counts]:
    """From graphs as penman reads them."""
    sides = (pred, gold)
    scores = {
        "Smatch": smatch(pred, gold, DEFAULT),
        "Unlabeled": smatch(*map(_unlabelled, sides), DEFAULT),
        "No WSD": smatch(*map(_one_sense, sides), DEFAULT),
    }
    bags: dict[str, list[list[object]]] = {}
    for side in sides:
        fold = DEFAULT.fold
        concepts = {variable: fold(concept) for variable, concept in side.instances}
        edges = [(fold(role), source, target) for source, role, target in side.relations]
        edges = [(":mod", t, s) if role == ":domain" else (role, s, t) for role, s, t in edges]
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
    scores["Reentrancies"] = smatch(*(_kept(side, _into_many(side), False) for side in sides), DEFAULT)
    scores["SRL"] = smatch(*(_kept(side, _roles(side), True) for side in sides), DEFAULT)
    return scores


def _directed(side: Triples) -> list[tuple[str, str, str]]:
    rows = []
    for source, role, target in side.relations:
        rows.append((target, ":mod", source) if role.lower() == ":domain" else (source, role, target))
    return rows


def _unlabelled(side: Triples) -> Triples:
    """TOP stays, since it is no role of the text."""
    return side._replace(
        attributes=tuple((source, ":label", value) for source, _, value in side.attributes),
        relations=tuple((source, ":label", target) for source, _, target in _directed(side)),
    )


def _one_sense(side: Triples) -> Triples:
    instances = []
    for variable, concept in side.instances:
        bare = None if concept is None else concept.strip('"')
        instances.append((variable, bare[: _sense_at(bare)] + "-01" if bare is not None and _sense_at(bare) else bare))
    return side._replace(instances=tuple(instances))


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
    return Triples(
        None,
        tuple(variable for variable in side.variables if variable in mentioned),
        tuple(
            (variable, concepts[variable])
            for variable in side.variables
            if variable in mentioned and variable in concepts
        ),
        tuple(attributes),
        tuple(edges),
    )
