"""AnCast as the paper has it, slow and dense: every matrix is written out, nothing is shared between nodes.

Works on ``fastmatch.Graph`` objects of the dialect ``penman``. ``statistics`` returns the eighteen sums that the metric
keeps for a pair, so that a difference names itself. Equations are those of Sun and Xue (2024).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

import fastmatch as fm

from twins.motifs import plain


@dataclass
class Node:
    name: str = ""
    sense: str = ""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    operators: dict[str, set[str]] = field(default_factory=dict)
    roles: set[tuple[str, str]] = field(default_factory=set)


class Side:
    """One graph, looked at as AnCast does."""

    def __init__(self, graph: fm.Graph, order: Sequence[int] | None = None) -> None:
        self.variables = [graph.variables[v] for v in order] if order is not None else list(graph.variables)
        self.alignment = graph.metadata.get("alignment", "")
        place = {name: i for i, name in enumerate(self.variables)}
        self.nodes = [Node() for _ in self.variables]
        self.root = place.get(graph.top)
        n = len(self.nodes)
        self.edges = np.zeros((n, n))
        self.triples: set[tuple[object, str, object]] = set()
        seen = set()
        for source, role, target in graph.triples:
            i = place[source]
            if role == ":instance":
                if source not in seen:
                    seen.add(source)
                    concept = plain(target or "")
                    cut = re.search(r"-(\d\d)$", concept, re.ASCII)
                    self.nodes[i].name = concept[: cut.start()] if cut else concept
                    self.nodes[i].sense = cut.group(1) if cut else "00"
                continue
            label = role.lower()
            if target in place:
                j = place[target]
                if label == ":mod":
                    label, i, j = ":domain", j, i
                self.triples.add((i, label, j))
                self.edges[i, j] = 1
                self.nodes[i].roles.add((label, "predicate"))
                self.nodes[j].roles.add((label, "argument"))
            else:
                node = self.nodes[i]
                value = "value " + plain(target) if target is not None else "nothing"
                if label == ":mod":
                    label = ":domain"
                    self.triples.add((value, label, i))
                    node.roles.add((label, "argument"))
                else:
                    self.triples.add((i, label, value))
                    node.roles.add((label, "predicate"))
                node.attributes.setdefault(label, set()).add(value)
                if re.fullmatch(r":op\d*", label, re.ASCII):
                    node.operators[label] = node.attributes[label]
        reached = self.edges > 0
        for _ in range(n):
            reached |= reached @ self.edges.astype(bool)
        self.descendants = reached.sum(axis=1)
        text = re.search(r"::snt\s(.*)", graph.comments)
        self.sentence = text.group(1).strip().lower() if text else None
        self.pairs: dict[tuple[object, object], set[str]] = {}
        for predicate, label, argument in self.triples:
            self.pairs.setdefault((predicate, argument), set()).add(label)

    def tokens(self, i: int) -> tuple[str, str] | None:
        """The first and the last token that a node is aligned with."""
        found = re.search(rf"(?<!\S){re.escape(self.variables[i])}: (\d+)-(\d+)", self.alignment)
        return (found[1], found[2]) if found and 0 < int(found[1]) <= int(found[2]) else None

    def anchor_name(self, i: int) -> str | None:
        name = self.nodes[i].name
        alone = sum(node.name == name for node in self.nodes) == 1
        return name if alone and (self.sentence is None or name in self.sentence) else None

    def neighbourhoods(self, hops: str) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Children and grandchildren, parents and grandparents, as 0/1 matrices; or either, and the number of ways."""
        both = []
        for one in (self.edges, self.edges.T):
            two = one @ one
            np.fill_diagonal(two, 0)
            near = np.minimum(one + two, 1)
            np.fill_diagonal(near, 0)
            both.append([one, two] if hops == "apart" else [near])
        return both[0], both[1]


def text_hash(text: str) -> int:
    """The upper half of FNV-1a with the mixer of SplitMix64, as ``Builder.text_hash``."""
    h = 0xCBF29CE484222325
    for byte in text.encode():
        h = (h ^ byte) * 0x100000001B3 % 2**64
    h = (h + 0x9E3779B97F4A7C15) % 2**64
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    h = (h ^ h >> 27) * 0x94D049BB133111EB % 2**64
    return (h ^ h >> 31) >> 32


def string_similarity(a: str, b: str) -> float:
    """Equation 2."""
    if a == b:
        return 1.0
    short, long = sorted((a, b), key=len)
    return len(short) / len(long) if short in long and len(long) else 0.0


def statistics(
    pred: fm.Graph,
    gold: fm.Graph,
    *,
    alpha: float = 0.2,
    beta: float = 0.01,
    sense: float = 0.1,
    neighbours: float = 1,
    hops: str = "together",
    anchors: str = "names",
    ops: str = "attribute",
    similarity: str = "nodes",
    weight: str = "inner",
    ties: str = "overlap",
    orders: tuple[Sequence[int] | None, Sequence[int] | None] = (None, None),
) -> np.ndarray:
    """The statistics of one pair, float64[18], in the order of ``AnCast.statistics``.

    ``orders``: the variables of each graph in the order of their nodes, which decides the last ties.
    """
    t, g = Side(pred, orders[0]), Side(gold, orders[1])
    n, m = len(t.nodes), len(g.nodes)

    def full(node: Node) -> str:
        values = [
            (int(label[3:] or 0), text_hash(value.removeprefix("value ")), value.removeprefix("value "))
            for label, all_values in node.operators.items()
            for value in all_values
            if value != "nothing"
        ]
        return node.name + "".join(value for *_, value in sorted(values)) if ops == "name" else node.name

    def own(node: Node) -> dict[str, set[str]]:
        return {k: v for k, v in node.attributes.items() if ops != "name" or k not in node.operators}

    similar = np.zeros((n, m))  # equations 1 to 4
    for i, a in enumerate(t.nodes):
        for j, b in enumerate(g.nodes):
            similar[i, j] = string_similarity(full(a), full(b)) * (1 if a.sense == b.sense else 1 - sense)
            shared = own(a).keys() & own(b).keys()
            if shared:
                equal = sum(len(own(a)[k] & own(b)[k]) for k in shared)
                similar[i, j] = (similar[i, j] + equal / sum(min(len(own(a)[k]), len(own(b)[k])) for k in shared)) / 2
    anchored = np.zeros((n, m), bool)
    for i in range(n):
        for j in range(m):
            one, two = (t.tokens(i), g.tokens(j)) if anchors == "alignment" else (t.anchor_name(i), g.anchor_name(j))
            anchored[i, j] = one is not None and one == two

    def jaccard(i: int, j: int) -> float:
        a, b = t.nodes[i].roles, g.nodes[j].roles
        return len(a & b) / len(a | b) if a | b else 0.0

    def choice(values: np.ndarray, likeness: list[float]) -> int | None:
        best = np.flatnonzero(values == values.max())
        most = max(likeness[k] for k in best)
        best = [k for k in best if likeness[k] == most]
        return best[0] if len(best) == 1 else None

    F = np.zeros((n, m))
    for _ in range(20 if n and m else 0):
        F = adjusted(t, g, anchored, similar, alpha, beta, neighbours, hops)
        rows = [choice(F[i], [jaccard(i, j) for j in range(m)]) for i in range(n)]
        columns = [choice(F[:, j], [jaccard(i, j) for i in range(n)]) for j in range(m)]
        new = np.zeros_like(anchored)
        for i, j in enumerate(rows):
            if j is not None and columns[j] == i:
                new[i, j] = True
        grown = (new & ~anchored).any()
        anchored = new
        if not grown:
            break
    match = dict(np.argwhere(anchored).tolist())
    while len(match) < min(n, m):  # algorithm 2: one global maximum at a time
        open_pairs = [(i, j) for i in range(n) for j in range(m) if i not in match and j not in match.values()]

        def order(pair: tuple[int, int]) -> tuple[float, float, int, int]:
            i, j = pair
            like = len(t.nodes[i].roles & g.nodes[j].roles) if ties == "overlap" else jaccard(i, j)
            return -F[i, j], -like, i, j

        i, j = min(open_pairs, key=order)
        match[i] = j
    back = {j: i for i, j in match.items()}
    concepts = sum(similar[i, j] for i, j in match.items())
    same = sum(full(t.nodes[i]) == full(g.nodes[j]) and t.nodes[i].sense == g.nodes[j].sense for i, j in match.items())
    result = []
    hits = []
    for me, you, mapping, forth in ((t, g, match, True), (g, t, back, False)):
        labelled = unlabelled = total = weighted = all_weights = hit = 0.0
        for (predicate, argument), labels in me.pairs.items():
            product = np.prod([0 if isinstance(end, str) else me.descendants[end] for end in (predicate, argument)])
            w = np.sqrt(product + 1) if weight == "inner" else np.sqrt(product) + 1
            total += len(labels)
            all_weights += w * len(labels)
            ends = [end if isinstance(end, str) else mapping.get(end) for end in (predicate, argument)]
            theirs = you.pairs.get(tuple(ends))
            if theirs is None:
                continue
            worth = 0.0
            for end, other in zip((predicate, argument), ends, strict=True):
                if isinstance(end, str):
                    worth += 0.5
                elif similarity == "nodes":
                    worth += (similar[end, other] if forth else similar[other, end]) / 2
                else:
                    a, b = me.nodes[end], you.nodes[other]
                    worth += string_similarity(a.name, b.name) * (1 if a.sense == b.sense else 1 - sense) / 2
            overlap = len(labels & theirs)
            hit += overlap
            labelled += worth * overlap
            unlabelled += worth * min(len(labels), len(theirs))
            weighted += worth * overlap * w
        result.append([concepts, len(me.nodes), labelled, unlabelled, total, weighted, all_weights])
        hits.append(hit)
    top = bool(n and m and t.root is not None and match.get(t.root) == g.root)
    for row, hit, side in ((result[0], hits[1], t), (result[1], hits[0], g)):
        row += [same + hit + top, row[1] + row[4] + (side.root is not None)]
    return np.array(result).ravel()


def adjusted(
    t: Side, g: Side, anchored: np.ndarray, similar: np.ndarray, alpha: float, beta: float, neighbours: float, hops: str
) -> np.ndarray:
    """Equations 10 to 13."""
    received = list(zip(t.neighbourhoods(hops), g.neighbourhoods(hops), strict=True))
    values = anchored.astype(float)
    for _ in range(500):
        parts = []
        for mine, theirs in received:
            total = sum(a @ values @ b.T for a, b in zip(mine, theirs, strict=True))
            if hops == "together":
                sizes = mine[0].sum(1)[:, None], theirs[0].sum(1)[None]
                more, fewer = np.maximum(*sizes), np.minimum(*sizes)
                total = total / np.divide(more, fewer, out=np.full(more.shape, np.inf), where=fewer > 0)
            parts.append(total)
        spread = np.sqrt((parts[0] + 1) * (parts[1] + 1) - 1)
        if spread.max() > 0:
            spread = spread / spread.max()
        spread = np.maximum(spread * neighbours, anchored)
        settled = (np.abs(spread - values) <= 1e-4).all()
        values = spread
        if settled:
            break
    return np.rint((values + beta) * (similar + alpha) * 10000)
