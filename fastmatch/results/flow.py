"""Alignments that send parts of a node to several nodes: what metrics by optimal transport give.

Every one of the n nodes of the prediction holds the mass 1/n, every one of the m nodes of the gold graph takes in 1/m,
and the flow says how much mass moves from which node to which: an n:m alignment. Nodes are variables and constants,
named as in the text. Soft overlap gives its matches in the same form, with masses of its own. A one-to-one map of
variables is an :class:`~fastmatch.results.alignment.Alignment` instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from fastmatch.errors import OptionError
from fastmatch.report.cells import Number, points, spelled
from fastmatch.report.frames import Tabular
from fastmatch.report.model import Report, Reported, Table
from fastmatch.report.writing import plain
from fastmatch.results.equality import ByValue
from fastmatch.results.signature import Signature
from fastmatch.results.words import label
from fastmatch.types import FloatArray

#: Pairs of nodes of which an alignment holds mass and cost: 4,000 nodes of either graph.
_MOST_PAIRS = 16_000_000


def check_room(n_pred: int, n_gold: int) -> None:
    """Raise OptionError if the flow between so many nodes is too large for a table of all pairs."""
    if n_pred * n_gold > _MOST_PAIRS:
        raise OptionError(
            f"align: a flow between {n_pred:,} and {n_gold:,} nodes is a table of {n_pred * n_gold:,} pairs; "
            f"expected at most {_MOST_PAIRS:,} (score has no such limit)"
        )


class Node(NamedTuple):
    """A node of a graph.

    Attributes
    ----------
    variable : str or None
        None for a constant.
    label : str or None
        Concept or value, None if there is none.
    """

    variable: str | None
    label: str | None

    def __str__(self) -> str:
        label = "()" if self.label is None else self.label
        return label if self.variable is None else f"{self.variable} / {label}"


class Flow(NamedTuple):
    """Mass that moves from one node to another.

    Attributes
    ----------
    pred, gold : int
        Numbers of the two nodes.
    mass : float
        Part of the mass of the whole graph, in (0, 1].
    cost : float
        Distance of the two nodes, in [0, 2]: what moving a unit of mass costs.
    """

    pred: int
    gold: int
    mass: float
    cost: float


@dataclass(frozen=True, eq=False, repr=False)
class FlowAlignment(ByValue, Reported, Tabular):
    """One prediction aligned with one gold graph by the flow between their nodes that costs least.

    Attributes
    ----------
    scores : dict of str → float
        The pair's scores, the headline first.
    nodes_pred, nodes_gold : tuple of Node
        Variables in the order of the text, then constants.
    mass : float64[n_pred, n_gold]
        The transport plan: rows sum to 1/n_pred, columns to 1/n_gold.
    cost : float64[n_pred, n_gold]
        Distance between any two nodes, in [0, 2]. ``(mass * cost).sum()`` is the distance of the graphs.
    signature : Signature
        What the numbers depend on.
    certified : bool
        No flow costs less. False if the limit of work cut the search short: scores are then no higher than the true
        ones.
    weights : float64[n_pred] or None
        None for a transport. For matches that need not use up all mass, what goes out from each predicted node: the
        parts of its flows are parts of this. Then ``mass`` sums to 1 at most, and what is missing counts as a distance
        of 1.
    """

    scores: dict[str, float]
    nodes_pred: tuple[Node, ...]
    nodes_gold: tuple[Node, ...]
    mass: FloatArray
    cost: FloatArray
    signature: Signature
    certified: bool = True
    weights: FloatArray | None = None

    def part_of(self, flow: Flow) -> float:
        """The part of the predicted node's mass that a flow moves, in (0, 1]."""
        if self.weights is None:
            return flow.mass * len(self.nodes_pred)
        return flow.mass / float(self.weights[flow.pred])

    @property
    def score(self) -> float:
        """The headline score."""
        return next(iter(self.scores.values()))

    @property
    def distance(self) -> float:
        """The cost of the whole flow; 1 if one of the graphs has no nodes, 0 if neither has."""
        if not self.mass.size:
            return 0.0 if len(self.nodes_pred) == len(self.nodes_gold) else 1.0
        if self.weights is not None:  # what goes nowhere is as far away as can be
            return float(1.0 - (self.mass * (1.0 - self.cost)).sum())
        return float((self.mass * self.cost).sum())

    @property
    def flows(self) -> list[Flow]:
        """Where mass moves: ordered by predicted node, and for each of them the largest mass first."""
        places = np.nonzero(self.mass)
        columns = (*places, self.mass[places], self.cost[places])
        found = map(Flow, *(column.tolist() for column in columns))
        return sorted(found, key=lambda flow: (flow.pred, -flow.mass, flow.gold))

    @property
    def mapping(self) -> dict[str | None, dict[str | None, float]]:
        """Variable of the prediction → variable of the gold graph → the part of the former that goes there, in (0, 1].

        Constants of either graph are left out, so the parts of a variable of which some goes to constants do not sum
        to 1.
        """
        result: dict[str | None, dict[str | None, float]] = {}
        for flow in self.flows:
            source, target = self.nodes_pred[flow.pred], self.nodes_gold[flow.gold]
            if source.variable is not None and target.variable is not None:
                result.setdefault(source.variable, {})[target.variable] = self.part_of(flow)
        return result

    def to_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; of ``cost`` only what belongs to flows."""
        return {
            **self.signature.to_dict(),
            "scores": dict(self.scores),
            "distance": self.distance,
            "certified": self.certified,
            "nodes_pred": [list(node) for node in self.nodes_pred],
            "nodes_gold": [list(node) for node in self.nodes_gold],
            "flows": [flow._asdict() for flow in self.flows],
        }

    def __repr__(self) -> str:
        scores = ", ".join(f"{name} {value:.6f}" for name, value in self.scores.items())
        sizes = f"{len(self.nodes_pred)} predicted and {len(self.nodes_gold)} gold nodes"
        cut = "" if self.certified else ", cut short"
        return f"<FlowAlignment: {scores}, {sizes}{cut}, {self.signature}>"

    def _table(self) -> dict[str, Any]:
        pred, gold, mass, cost = zip(*self.flows, strict=True) if self.mass.any() else ((),) * 4
        columns: dict[str, Any] = {}
        for side, places, nodes in (("pred", pred, self.nodes_pred), ("gold", gold, self.nodes_gold)):
            columns[side] = np.array(places, np.int64)
            for part in ("variable", "label"):
                columns[f"{side}_{part}"] = [getattr(nodes[k], part) for k in places]
        return {**columns, "mass": np.array(mass, np.float64), "cost": np.array(cost, np.float64)}

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Rows of a table: predicted node, the part of it that moves in percent, gold node, distance of the two."""
        rows = []
        for flow in self.flows:
            source, target = str(self.nodes_pred[flow.pred]), str(self.nodes_gold[flow.gold])
            rows.append((source, f"{100 * self.part_of(flow):.0f} %", target, spelled(Number(flow.cost, 4))))
        return rows

    def __str__(self) -> str:
        lines = [f"  {one} -> {two}  ({part}, distance {cost})" for one, part, two, cost in self.rows()]
        return "\n".join([repr(self)[1:-1], *lines])

    def report(self) -> Report:
        """Which part of which node goes to which node, and over what distance; for programs a row a flow."""
        scores = ", ".join(f"{label(name)} {points(value)}" for name, value in self.scores.items())
        notes = [f"distance {self.distance:.6f}: {scores}"]
        if not self.certified:
            notes.append("cut short by a limit of work: a flow that costs less may exist")
        table = Table(("prediction", "part", "gold", "distance"), self.rows(), right=False)
        columns = self._table()
        data = list(zip(*map(plain, columns.values()), strict=True))
        return self._reported("fastmatch align", [table], tuple(columns), data, notes)
