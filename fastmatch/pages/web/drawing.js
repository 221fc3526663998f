// A graph as a drawing: layers from the root down (dagre), constants as lines of the node that has them.

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const SIZES = { pad: 10, head: 27, row: 17, badge: 18 };
const LONGEST_LABEL = 34;
let canvas = null;

function widthOf(text, font) {
  canvas = canvas || document.createElement("canvas").getContext("2d");
  canvas.font = `${font} ${FONT}`;
  return canvas.measureText(text).width;
}

// A text with the mark of its state, unless it is matched.
const marked = (state, text) => `${MARKS[state] && state !== "same" ? `${MARKS[state]} ` : ""}${shown(text)}`;

// The boxes: sizes and lines of text.
function boxesOf(side) {
  return side.v.map((name, v) => {
    const node = side.nodes[v];
    const title = shown(cut(side.concept[v] === null ? "()" : side.concept[v], LONGEST_LABEL));
    const variable = shown(cut(name || "", 12));
    const rows = side.tree.items[v]
      .filter((k) => side.t[k][0] === ATTRIBUTE)
      .map((k) => {
        const triple = side.triples[k];
        const value = side.t[k][3] === null ? "" : side.t[k][3];
        return { triple, text: marked(triple.state, cut(`${side.t[k][2]} ${value}`, LONGEST_LABEL + 6)) };
      });
    const digits = node.mark === null ? 1 : String(node.mark + 1).length;
    const head = Math.max(SIZES.badge, 7 * digits + 6) + 6 + widthOf(title, "600 13px") + 7 + widthOf(variable, "12px");
    const width = Math.max(head, ...rows.map((row) => widthOf(row.text, "12px"))) + 2 * SIZES.pad;
    return { v, node, title, variable, rows, width: Math.ceil(width), height: SIZES.head + rows.length * SIZES.row + (rows.length ? 5 : 0) };
  });
}

// A chain of thousands of nodes is more than the stack holds where dagre follows it.
const DEEPEST = 1000;

function depthOf(side) {
  let deepest = 0;
  const waiting = side.tree.roots.map((v) => [v, 1]);
  while (waiting.length) {
    const [v, depth] = waiting.pop();
    deepest = Math.max(deepest, depth);
    for (const k of side.tree.items[v]) if (side.tree.opens[k]) waiting.push([side.tree.other[k], depth + 1]);
  }
  return deepest;
}

// Lay out the nodes in the order of the text where that costs no crossing of edges, else with as few as dagre finds.
function laidOut(side, boxes) {
  const plain = layout(side, boxes, true);
  if (side.t.every((t, k) => t[0] < RELATION || side.tree.opens[k])) return plain; // a tree: nothing crosses
  const better = layout(side, boxes, false);
  if (better.edges().length < MOST_COMPARED && crossings(plain) <= crossings(better)) return plain;
  return mirrored(side, better);
}

const MOST_COMPARED = 200;
const MOST_DRAWN = 1500;

function layout(side, boxes, inOrder) {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 16, ranksep: 30, edgesep: 12, marginx: 6, marginy: 9 });
  // the root first: where there is a cycle, it stays on top
  const waiting = [...side.tree.roots].reverse();
  while (waiting.length) {
    const v = waiting.pop();
    graph.setNode(String(v), { width: boxes[v].width, height: boxes[v].height });
    for (const k of [...side.tree.items[v]].reverse()) if (side.tree.opens[k]) waiting.push(side.tree.other[k]);
  }
  side.t.forEach((t, k) => {
    if (t[0] < RELATION) return;
    const text = marked(side.triples[k].state, cut(roleAt(side, k), 28));
    const label = { width: Math.ceil(widthOf(text, "11px")) + 8, height: 16, labelpos: "c", text };
    graph.setEdge(String(side.tree.site[k]), String(side.tree.other[k]), label, String(k));
  });
  dagre.layout(graph, { disableOptimalOrderHeuristic: inOrder });
  return graph;
}

// How many edges cross, those at one node apart.
function crossings(graph) {
  const segments = graph.edges().flatMap((edge) => {
    const { points } = graph.edge(edge);
    return points.slice(1).map((end, k) => ({ edge, from: points[k], to: end }));
  });
  const turn = (a, b, c) => Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  let count = 0;
  segments.forEach((one, i) => {
    for (let j = 0; j < i; j += 1) {
      const two = segments[j];
      if ([one.edge.v, one.edge.w].some((end) => end === two.edge.v || end === two.edge.w)) continue;
      const apart = turn(one.from, one.to, two.from) * turn(one.from, one.to, two.to);
      if (apart < 0 && turn(two.from, two.to, one.from) * turn(two.from, two.to, one.to) < 0) count += 1;
    }
  });
  return count;
}

// The mirror image, if more children stand in the order of the text there.
function mirrored(side, graph) {
  let wrong = 0;
  for (const items of side.tree.items) {
    const places = items.filter((k) => side.tree.opens[k]).map((k) => graph.node(String(side.tree.other[k])).x);
    places.slice(1).forEach((x, k) => {
      wrong += x < places[k] ? 1 : -1;
    });
  }
  if (wrong <= 0) return graph;
  const { width } = graph.graph();
  const turned = (point) => {
    point.x = width - point.x;
  };
  for (const v of graph.nodes()) turned(graph.node(v));
  for (const edge of graph.edges()) {
    const label = graph.edge(edge);
    if (label.x !== undefined) turned(label);
    label.points.forEach(turned);
  }
  return graph;
}

// A smooth line through the points of an edge.
function pathOf(points) {
  const at = (p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`;
  if (points.length < 3) return `M${points.map(at).join("L")}`;
  const parts = [`M${at(points[0])}`];
  for (let k = 1; k < points.length - 1; k += 1) {
    const last = k === points.length - 2;
    const end = last ? points[k + 1] : { x: (points[k].x + points[k + 1].x) / 2, y: (points[k].y + points[k + 1].y) / 2 };
    parts.push(`Q${at(points[k])} ${at(end)}`);
  }
  return parts.join("");
}

// The head of an arrow: filled where the edge opens a node, hollow where it comes back to one (a re-entrancy).
function headOf(points) {
  const end = points[points.length - 1];
  const before = points[points.length - 2] || end;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corner = (turn, far) => `${(end.x - far * Math.cos(angle + turn)).toFixed(1)},${(end.y - far * Math.sin(angle + turn)).toFixed(1)}`;
  return `M${end.x.toFixed(1)},${end.y.toFixed(1)}L${corner(0.42, 9)}L${corner(-0.42, 9)}Z`;
}

// The drawing, or null for a graph that is too large to be drawn.
function drawingOf(model, side, name, frames) {
  if (side.v.length > MOST_DRAWN || depthOf(side) > DEEPEST) return null;
  const boxes = boxesOf(side);
  const graph = laidOut(side, boxes);
  const { width = 40, height = 40 } = graph.graph();
  const edges = graph.edges().map((edge) => {
    const k = Number(edge.name);
    const { points: line, x, y, text } = graph.edge(edge);
    const triple = side.triples[k];
    const hue = triple.state === "same" ? hueOf(side.nodes[side.t[k][1]].mark) : "";
    const again = side.tree.opens[k] ? "" : " again";
    return s("g", { class: `edge ${triple.state}${hue}${again}`, "data-key": triple.key, "aria-hidden": "true" },
      s("path", { class: "hit", d: pathOf(line) }),
      s("path", { class: "line", d: pathOf(line) }),
      s("path", { class: "head", d: headOf(line) }),
      x === undefined ? null : s("text", { x: x.toFixed(1), y: (y + 4).toFixed(1), "text-anchor": "middle" }, text),
    );
  });
  const nodes = boxes.map((box) => {
    const { x, y } = graph.node(String(box.v));
    const left = x - box.width / 2;
    const top = y - box.height / 2;
    const { node } = box;
    const root = box.v === side.r;
    const mark = node.mark === null ? MARKS[node.state] : String(node.mark + 1);
    const room = Math.max(SIZES.badge, 7 * mark.length + 6);
    const text = (kind, x, y, content, more) =>
      s("text", { class: kind, "aria-hidden": "true", x: (left + x).toFixed(1), y: (top + y).toFixed(1), ...more }, content);
    return s("g", { class: `node ${node.state}${hueOf(node.mark)}${root ? " root" : ""}`, "data-key": node.key, "data-v": box.v },
      s("rect", {
        class: "box",
        role: "button",
        tabindex: "-1",
        "aria-pressed": "false",
        "aria-label": `${root ? "root: " : ""}${nodeWords(model, side, box.v, frames)}`,
        x: left.toFixed(1),
        y: top.toFixed(1),
        width: box.width,
        height: box.height,
        rx: root ? 13 : 5,
      }),
      s("rect", { class: "badge", x: (left + SIZES.pad - 2).toFixed(1), y: (top + 4.5).toFixed(1), width: room, height: SIZES.badge, rx: SIZES.badge / 2 }),
      text("badge-text", SIZES.pad - 2 + room / 2, 17.3, mark, { "text-anchor": "middle" }),
      text(null, SIZES.pad + room + 4, 18, [s("tspan", { class: "concept" }, box.title), s("tspan", { class: "variable", dx: "7" }, box.variable)]),
      node.state === "changed" && node.mark !== null ? text("corner", box.width - 4, -2, "~", { "text-anchor": "end" }) : null,
      node.anchor ? text("anchor", 4, -2, "◆") : null,
      box.rows.map((row, number) =>
        text(`row ${row.triple.state}`, SIZES.pad, SIZES.head + 10 + number * SIZES.row, row.text, { "data-key": row.triple.key }),
      ),
    );
  });
  const drawing = s(
    "svg",
    {
      class: "drawing",
      viewBox: `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`,
      width: width.toFixed(0),
      height: height.toFixed(0),
      role: "group",
      "aria-label": `${name}: ${counted(side.v.length, "node")}, root ${side.r >= 0 ? shown(nameOf(side, side.r)) : "none"}. Arrow keys go from node to node.`,
    },
    edges,
    nodes,
  );
  roving(drawing, [...drawing.querySelectorAll(".box")]);
  return { drawing, width, height };
}

// One stop for the Tab key among many; arrow keys go on from there.
function roving(holder, items) {
  if (items.length) items[0].setAttribute("tabindex", "0");
  holder.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const place = items.indexOf(event.target);
    if (step === undefined || place < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = items[Math.min(Math.max(place + step, 0), items.length - 1)];
    event.preventDefault();
    items[place].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
}
