"""The pictures on the pages of the metrics: ``python docs/pictures/examples.py`` writes ``metric-NAME.svg`` beside this
file, one for each page, from what the metric finds in the example of that page, and what it says of it into the page.

A picture has both graphs, and what the metric makes of them: the map of variables with the triples that match, the
flow from node to node, or the features of each graph. It stands on a light ground of its own, so that it can be read
on dark pages as well.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import fastmatch as fm
from fastmatch.graphs.notation import ATTRIBUTE, INSTANCE
from fastmatch.metrics.choosing import chosen_metric
from fastmatch.pages.evidence import UNMATCHED, evidence, graph_record
from fastmatch.results.words import label

FOLDER = Path(__file__).parent
WIDTH, SIDE, GAP = 760, 360, 40
ROW, BOX, TOP = 84, 28, 50
#: Colours that people of every kind of sight can tell apart; each also has its line and its mark.
BLUE, ORANGE, GREEN, PURPLE, INK, GREY = "#0072b2", "#b34700", "#00704f", "#7b3f98", "#222222", "#595959"

BOY = ("(x / want-01 :ARG0 (y / boy) :ARG1 (z / go-01))", "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
DOCUMENTS = (
    "(d / document :snt1 (s / see-01 :ARG0 (g / girl)) :snt2 (w / want-01 :ARG0 (b / boy)))",
    "(d / document :snt1 (w / want-01 :ARG0 (b / boy)) :snt2 (s / see-01 :ARG0 (g / girl)))",
)
HOUSE = ("(c / cat :location (h / house))", "(c / cat :ARG1-of (b / be-located-at-91 :ARG2 (h / house)))")
TABLE = (
    "1\tx0\troot\t-\t:top\t-\t-\tx4\t切-02\t-\n"
    "1\tx4\t切-02\t-\t:arg0\t-\t-\tx1\t妈妈\t-\n"
    "1\tx4\t切-02\t-\t:arg1\t-\t-\tx3\t蛋糕\t-\n",
    "1\tx0\troot\t-\t:top\t-\t-\tx4\t切-01\t-\n"
    "1\tx4\t切-01\t-\t:arg0\t-\t-\tx1\t妈妈\t-\n"
    "1\tx4\t切-01\t-\t:arg1\tx2\t把\tx3\t蛋糕\t-\n",
)

SLEEPS = """# :: snt1
Words: The black cat sleeps

# sentence level graph:
(s1s / sleep-01 :ARG0 (s1c / cat :mod (s1b / black)))

# alignment:
s1s: 4-4
s1c: 3-3
s1b: 2-2

# document level annotation:
(s1s0 / sentence :temporal ((document-creation-time :overlap s1s)) :modal ((author :full-affirmative s1s)))
"""
UMR = SLEEPS.replace("s1c", "s1x").replace("cat :mod (s1b / black)", "dog").replace("s1b: 2-2\n", ""), SLEEPS

#: Name of the page → prediction, gold graph, metric, its options.
EXAMPLES: dict[str, tuple[tuple[str, str], str, dict[str, Any]]] = {
    "align-smatch": (TABLE, "align-smatch", {"lengths": {"1": 4}}),
    "ancast": (BOY, "ancast", {}),
    "docsmatch": (DOCUMENTS, "docsmatch", {}),
    "jumatch": (UMR, "jumatch", {}),
    "rematch": (BOY, "rematch", {}),
    "s2match": (BOY, "s2match", {}),
    "sema": (BOY, "sema", {}),
    "sembleu": (BOY, "sembleu", {}),
    "smatch": (BOY, "smatch", {}),
    "smatchpp": (HOUSE, "smatch++", {}),
    "softmatch": (BOY, "softmatch", {"similarity": {("go-01", "go-02"): 0.5}}),
    "softoverlap": (BOY, "softoverlap", {}),
    "wlk": (BOY, "wlk", {}),
    "wsmatch": (BOY, "wsmatch", {}),
    "wwlk": (("(c / cat)", "(c / cat :mod (b / big))"), "wwlk", {"k": 0}),
}


class Found(NamedTuple):
    """What a metric makes of an example: both graphs as plain lists, what matches, and the result in words.

    ``signs`` is what else there is to say of the signs in the picture.
    """

    sides: tuple[dict[str, Any], dict[str, Any]]
    evidence: dict[str, Any]
    words: str
    signs: str = ""


def found(name: str) -> Found:
    """What is to be drawn for a page."""
    texts, metric_name, options = EXAMPLES[name]
    if metric_name == "jumatch":
        return of_documents(*texts)
    metric = chosen_metric(metric_name, None, options)
    pred, gold = fm.Corpus.together([fm.parse(text, dialect=metric.dialect) for text in texts])
    result = fm.score(pred, gold, metric=metric)
    pairs = fm.pairs(pred, gold, index_pairs=[[0, 0]], metric=metric, mapping=True) if metric.aligns == "map" else None
    shown = metric.standardized(pred), metric.standardized(gold)
    records = graph_record(shown[0], 0), graph_record(shown[1], 0)
    made = evidence(metric, result.pairs if pairs is None else pairs, *shown, 0, records)
    headline = next(iter(result.scores))
    words = f"{label(headline)} {100 * result.score:.2f}"
    if headline == "f1":
        matched, n_pred, n_gold = (
            f"{getattr(result.pairs, part).item():g}" for part in ("matched", "n_pred", "n_gold")
        )
        words = f"{matched} of {n_pred} predicted and {n_gold} gold: {words}"
    return Found(records, made, words)


def of_documents(*texts: str) -> Found:
    """juːmæʧ of two documents of one sentence: beside each variable the words that it is aligned with."""
    documents = [fm.umr.parse(text) for text in texts]
    result = fm.umr.score(*documents, metric="jumatch")
    ((partners,),) = result.partners
    sides = []
    names = []
    for document in documents:
        (sentence,) = document.sentences
        record = graph_record(fm.parse(sentence.penman()), 0)
        names.append(record["v"])
        words = sentence.text.split()
        said = [
            " ".join(word for first, last in sentence.alignment.get(name, ()) for word in words[first - 1 : last])
            for name in record["v"]
        ]
        sides.append({**record, "v": [f"“{word}”" if word else "" for word in said]})
    mapping = [names[1].index(partners[name]) if name in partners else -1 for name in names[0]]
    ours, theirs = ([tuple(triple) for triple in side["t"]] for side in sides)
    matches = []
    for kind, source, role, end in ours:
        node = end if kind in (INSTANCE, ATTRIBUTE) else mapping[end]
        wanted = kind, mapping[source], role, node
        matches.append(theirs.index(wanted) if wanted in theirs else UNMATCHED)
    made = {
        "m": mapping,
        "p": matches,
        "g": [matches.index(k) if k in matches else UNMATCHED for k in range(len(theirs))],
    }
    counts = result.counts
    words = (
        f"{counts['matched']} of {counts['n_pred']} predicted and {counts['n_gold']} gold, with "
        f"{counts['matched'] - counts['linked']} of {sum(map(len, sentence.relations.values()))} relations of the "
        f"document level: F1 {100 * result.f1:.2f}"
    )
    return Found((sides[0], sides[1]), made, words, " In quotes: the aligned words.")


# ---- a graph ---------------------------------------------------------------------------------------------------------


class Marks(NamedTuple):
    """How parts of a graph are drawn.

    Attributes
    ----------
    nodes : list of (str, str)
        The mark of each variable and its colour.
    triples : list of str
        Colour of each triple.
    """

    nodes: list[tuple[str, str]]
    triples: list[str]


class Layout(NamedTuple):
    """Where the nodes of a graph stand: middle, row, width of the box."""

    x: list[float]
    row: list[int]
    width: list[float]
    depth: int


def layout(graph: dict[str, Any], left: float, marked: Marks) -> Layout:
    """A tree from the root, in rows; other edges go where they lead to."""
    children: dict[int, list[int]] = {v: [] for v in range(len(graph["v"]))}
    row = {graph["r"]: 0}
    waiting = [graph["r"]]
    for here in waiting:  # which grows meanwhile
        for kind, source, _, target in graph["t"]:
            if kind in (INSTANCE, ATTRIBUTE) or here not in (source, target):
                continue
            other = target if source == here else source
            if other not in row:
                row[other] = row[here] + 1
                children[here].append(other)
                waiting.append(other)
    leaves: dict[int, int] = {}
    for v in reversed(waiting):
        leaves[v] = sum(leaves[child] for child in children[v]) or 1
    x = {graph["r"]: left + SIDE / 2}
    span = {graph["r"]: (left, left + SIDE)}
    for v in waiting:
        start, end = span[v]
        step = (end - start) / leaves[v]
        for child in children[v]:
            span[child] = (start, start + step * leaves[child])
            x[child] = sum(span[child]) / 2
            start = span[child][1]
    # names of variables have a letter or two
    names = [max(0.0, _width(graph["v"][v] or "") - 16) for v in children]
    widths = [
        _width(concept(graph, v)) + 34 + 12 * len(marked.nodes[v][0]) + name
        for v, name in zip(children, names, strict=True)
    ]
    return Layout([x[v] for v in children], [row[v] for v in children], widths, max(row.values()))


def concept(graph: dict[str, Any], v: int) -> str:
    return next((end or "" for kind, source, _, end in graph["t"] if kind == INSTANCE and source == v), "")


def _width(text: str) -> float:
    return sum(13 if ord(c) > 0x2E7F else 7.6 for c in text)


def marks(found: Found) -> tuple[Marks, Marks]:
    """Numbers for nodes that are mapped; signs for what only one graph has."""
    both: list[Marks] = []
    evidence = found.evidence
    partners = evidence.get("m")
    for side, graph in enumerate(found.sides):
        alone, colour = (("−", ORANGE), ("+", GREEN))[side]
        nodes, triples = [("", INK)] * len(graph["v"]), [INK] * len(graph["t"])
        if partners is not None:
            triples = [colour if match == UNMATCHED else BLUE for match in evidence["pg"[side]]]
            mapped = {v: v for v in range(len(graph["v"])) if partners[v] >= 0} if side == 0 else None
            back = {there: here for here, there in enumerate(partners) if there >= 0}
            for v in range(len(graph["v"])):
                here = (v if v in mapped else None) if mapped is not None else back.get(v)
                if here is None:
                    nodes[v] = alone, colour
                    continue
                k = next((k for k, (kind, source, *_) in enumerate(graph["t"]) if kind == INSTANCE and source == v), -1)
                differs = k >= 0 and evidence["pg"[side]][k] == UNMATCHED
                anchor = "◆" if any(here == pair[0] for pair in evidence.get("a", ())) else ""
                nodes[v] = f"{here + 1}{'~' * differs}{anchor}", PURPLE if differs else BLUE
        both.append(Marks(nodes, triples))
    return both[0], both[1]


def graph_parts(graph: dict[str, Any], place: Layout, marked: Marks, side: int) -> list[str]:
    """Edges, then boxes."""
    parts, boxes = [], []

    def y(v: int) -> float:
        return TOP + place.row[v] * ROW

    attributes: dict[int, list[tuple[str, str]]] = {}
    for k, (kind, source, role, target) in enumerate(graph["t"]):
        if kind == ATTRIBUTE:
            attributes.setdefault(source, []).append((f"{role} {target}", marked.triples[k]))
        elif kind != INSTANCE:
            parts += edge(place, source, target, role, marked.triples[k], y)
    for v, (mark, colour) in enumerate(marked.nodes):
        left, wide = place.x[v] - place.width[v] / 2, place.width[v]
        dash = {"−": ' stroke-dasharray="2 3"', "+": ' stroke-width="2.6"'}.get(mark, "")
        dash = ' stroke-dasharray="6 3"' if "~" in mark else dash
        boxes.append(
            f'<rect x="{left:.1f}" y="{y(v):.1f}" width="{wide:.1f}" height="{BOX}" rx="7" fill="#ffffff" '
            f'stroke="{colour}" stroke-width="1.6"{dash}/>'.replace(' stroke-width="1.6" stroke-width', " stroke-width")
        )
        boxes.append(
            f'<text x="{left + 9:.1f}" y="{y(v) + 19:.1f}"><tspan fill="{colour}" font-weight="bold">{mark}</tspan>'
            f'<tspan dx="{5 if mark else 0}" font-weight="bold">{escape(concept(graph, v))}</tspan>'
            f'<tspan dx="5" fill="{GREY}">{escape(graph["v"][v] or "")}</tspan></text>'
        )
        for number, (text, shade) in enumerate(attributes.get(v, ())):
            boxes.append(
                f'<text x="{place.x[v]:.1f}" y="{y(v) + BOX + 14 + 14 * number:.1f}" text-anchor="middle" '
                f'font-size="12" fill="{shade}">{escape(text)}</text>'
            )
    head = ("prediction", "gold graph")[side]
    title = f'<text x="{SIDE / 2 + side * (SIDE + GAP):.1f}" y="28" text-anchor="middle" fill="{GREY}">{head}</text>'
    return [title, *parts, *boxes]


def edge(place: Layout, source: int, target: int, role: str, colour: str, y: Any) -> list[str]:
    """An arrow with its role; one to a node that does not stand below goes around on the right."""
    sign = {ORANGE: "− ", GREEN: "+ "}.get(colour, "")
    look = {ORANGE: ' stroke-dasharray="2 3"', GREEN: ' stroke-width="2.4"'}.get(colour, "")
    x1, x2 = place.x[source], place.x[target]
    if place.row[target] == place.row[source]:
        right = x1 > x2
        x1, x2 = (
            (x1 - place.width[source] / 2, x2 + place.width[target] / 2)
            if right
            else (x1 + place.width[source] / 2, x2 - place.width[target] / 2)
        )
        height = y(source) + BOX / 2
        path, middle, level = f"M{x1:.1f} {height:.1f}L{x2:.1f} {height:.1f}", (x1 + x2) / 2, height - 6
    else:
        down = place.row[target] > place.row[source]
        y1, y2 = (y(source) + BOX, y(target)) if down else (y(source), y(target) + BOX)
        path, middle, level = f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", (x1 + x2) / 2, (y1 + y2) / 2 + 4
    wide = _width(sign + role) * 0.92 + 6
    return [
        f'<path d="{path}" fill="none" stroke="{colour}" marker-end="url(#tip{colour[1:]})"{look}/>',
        f'<rect x="{middle - wide / 2:.1f}" y="{level - 11:.1f}" width="{wide:.1f}" height="15" fill="#fbfbfa"/>',
        f'<text x="{middle:.1f}" y="{level:.1f}" text-anchor="middle" font-size="12" fill="{colour}">'
        f"{escape(sign + role)}</text>",
    ]


# ---- what is made of the graphs --------------------------------------------------------------------------------------


def flow_parts(found: Found, places: tuple[Layout, Layout], bottom: float) -> tuple[list[str], float]:
    """Lines from node to node, as wide as the part that goes there; and where the picture ends with them.

    A line between two rows below the first goes around below both graphs.
    """
    parts = []
    evidence = found.evidence
    for pred, gold, part, distance in evidence["f"]:
        ends = []
        for side, node in ((0, pred), (1, gold)):
            graph, place = found.sides[side], places[side]
            variable = graph["t"][evidence["pg"[side]][node]][1]
            ends.append((place.x[variable], place.row[variable], place.width[variable] / 2))
        (x1, row1, half1), (x2, row2, half2) = ends
        y1, y2 = (TOP + row * ROW + BOX / 2 for row in (row1, row2))
        middle = (x1 + x2) / 2
        if row1 and row2:
            level = bottom + 14
            bottom += 30
            path = f"M{x1:.1f} {y1 + BOX / 2:.1f}C{x1:.1f} {level:.1f} {x1:.1f} {level:.1f} {x1 + 60:.1f} {level:.1f}"
            path += f"H{x2 - 60:.1f}C{x2:.1f} {level:.1f} {x2:.1f} {level:.1f} {x2:.1f} {y2 + BOX / 2:.1f}"
            across, place_of_text = x2 - 90, level + 4
        else:
            x1, x2 = x1 + half1, x2 - half2
            path = f"M{x1:.1f} {y1:.1f}C{middle:.1f} {y1:.1f} {middle:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
            across, place_of_text = middle, y2 + (18 if y2 > y1 else -8)
        parts += [
            f'<path d="{path}" fill="none" stroke="{BLUE}" stroke-opacity="0.55" stroke-width="{1 + 7 * part:.1f}"/>',
            f'<text x="{across:.1f}" y="{place_of_text:.1f}" text-anchor="middle" font-size="12" fill="{BLUE}" '
            'stroke="#fbfbfa" stroke-width="5" paint-order="stroke">'
            f"{100 * part:.0f} %, distance {distance:.2f}</text>",
        ]
    return parts, bottom


#: Features that a column of the picture lists, and letters of each.
_LISTED, _LETTERS = 6, 30


def feature_parts(found: Found, top: float) -> tuple[list[str], float]:
    """Three columns for each kind of features; and where they end."""
    parts = []
    columns = ((20, "−", ORANGE, "only predicted"), (265, "=", BLUE, "both"), (510, "+", GREEN, "only gold"))
    for x, mark, colour, words in columns:
        parts.append(f'<text x="{x}" y="{top:.1f}" fill="{colour}" font-weight="bold">{mark} {words}</text>')
    y = top + 8
    rows = found.evidence["s"]
    for group in dict.fromkeys(row[0] for row in rows):
        y += 18
        parts.append(f'<path d="M20 {y - 13:.1f}H{WIDTH - 20}" stroke="#d0d0d0"/>')
        parts.append(f'<text x="20" y="{y + 2:.1f}" fill="{GREY}" font-size="12">{escape(group)}</text>')
        here = [row for row in rows if row[0] == group]
        lists = (
            [row for row in here if not row[2] and row[3]],
            [row for row in here if row[2]],
            [row for row in here if not row[2] and not row[3]],
        )
        for (x, mark, colour, _), listed in zip(columns, lists, strict=True):
            for number, row in enumerate(listed[:_LISTED]):
                text = row[1] if len(row[1]) <= _LETTERS else f"{row[1][: _LETTERS - 1]}…"
                parts.append(
                    f'<text x="{x}" y="{y + 18 + 16 * number:.1f}" font-size="12" font-family="monospace" '
                    f'fill="{colour}">{mark} {escape(text)}</text>'
                )
        y += 8 + 16 * max(len(listed) for listed in lists)
    return parts, y + 10


def told(found: Found) -> str:
    """What is to be seen, in words."""
    evidence = found.evidence
    concepts = [[concept(graph, v) for v in range(len(graph["v"]))] for graph in found.sides]
    if "f" in evidence:
        nodes = [
            [concepts[side][graph["t"][k][1]] for k in evidence["pg"[side]]] for side, graph in enumerate(found.sides)
        ]
        seen = "Flow: " + "; ".join(
            f"{100 * part:.0f} % of {nodes[0][a]} to {nodes[1][b]}, over a distance of {distance:.2f}"
            for a, b, part, distance in evidence["f"]
        )
    elif "s" in evidence:
        listed = [row[1] for row in evidence["s"] if row[2]]
        seen = f"Features of both graphs: {', '.join(listed)}" if listed else "No feature is in both graphs"
    else:
        mapped = [
            f"{concepts[0][here]} to {concepts[1][there]}" for here, there in enumerate(evidence["m"]) if there >= 0
        ]
        anchors = [concepts[0][pair[0]] for pair in evidence.get("a", ())]
        seen = f"Mapped: {', '.join(mapped)}" + (f". Anchors: {', '.join(anchors)}" if anchors else "")
    return f"{seen}. Result: {found.words}."


def drawn(name: str) -> str:
    """The picture of a page, as SVG."""
    example = found(name)
    marked = marks(example)
    places = layout(example.sides[0], 0, marked[0]), layout(example.sides[1], SIDE + GAP, marked[1])
    height = TOP + max(place.depth for place in places) * ROW + BOX + 30.0
    body: list[str] = []
    if "f" in example.evidence:
        body, height = flow_parts(example, places, height)
    for side, (graph, place) in enumerate(zip(example.sides, places, strict=True)):
        body += graph_parts(graph, place, marked[side], side)
    if "s" in example.evidence:
        lists, height = feature_parts(example, height + 6)
        body += lists
    height += 22
    body.append(f'<text x="{WIDTH / 2}" y="{height - 12:.1f}" text-anchor="middle">{escape(example.words)}</text>')
    if "m" in example.evidence:
        signs = "Equal numbers: mapped. ~ another concept, − only in the prediction, + only in the gold graph"
        signs += ", ◆ first anchor." if example.evidence.get("a") else f".{example.signs}"
        height += 20
        body.append(
            f'<text x="{WIDTH / 2}" y="{height - 12:.1f}" text-anchor="middle" font-size="12" fill="{GREY}">'
            f"{signs}</text>"
        )
    tips = "".join(
        f'<marker id="tip{colour[1:]}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="{colour}"/></marker>'
        for colour in (BLUE, ORANGE, GREEN, INK)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
            f'font-family="sans-serif" font-size="14" fill="{INK}">',
            f"<title>{escape(EXAMPLES[name][1])}</title><desc>{escape(told(example))}</desc>",
            f"<defs>{tips}</defs>",
            f'<rect width="{WIDTH}" height="{height:.0f}" rx="8" fill="#fbfbfa"/>',
            *body,
            "</svg>\n",
        ]
    )


def main() -> None:
    """Write the pictures, and the texts that stand for them."""
    for name in EXAMPLES:
        (FOLDER / f"metric-{name}.svg").write_text(drawn(name), encoding="utf-8")
        page = FOLDER.parent / "metrics" / f"{name}.md"
        link = f"](../pictures/metric-{name}.svg)"
        text = re.sub(
            rf"(?<=!\[)[^\]]*(?={re.escape(link)})", lambda _, name=name: told(found(name)), page.read_text("utf-8")
        )
        page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
