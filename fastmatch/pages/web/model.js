// A pair as the views need it: nodes and triples of both graphs, each with its state and the key of its partner.
//
// States: "same" (matched), "changed" (a node whose partner has another concept), "extra" (only in the prediction),
// "missing" (only in the gold graph), "apart" (the metric does not compare it). What is matched has the same key on all
// sides, so that pointing at one part of a graph finds the others.

const [INSTANCE, ATTRIBUTE, RELATION, INVERTED] = [0, 1, 2, 3];
const UNMATCHED = -1;
const MARKS = { same: "=", changed: "~", extra: "−", missing: "+", apart: "" };
const STATE_WORDS = {
  same: "matched",
  changed: "matched, but another concept",
  extra: "only in the prediction",
  missing: "only in the gold graph",
  apart: "not compared",
};
const N_HUES = 8;

// What is added to the kind of a relation that opens a node.
const OPENS = 2;

// The tree that the text of a graph is: at which end each relation is written, and which one opens the node at the other.
function treeOf(graph) {
  const turned = (t) => t[0] === INVERTED || t[0] === INVERTED + OPENS;
  const site = graph.t.map((t) => (turned(t) ? t[3] : t[1]));
  const other = graph.t.map((t) => (turned(t) ? t[1] : t[3]));
  const opens = graph.t.map((t) => t[0] >= RELATION + OPENS);
  const items = graph.v.map(() => []);
  graph.t.forEach((t, k) => {
    if (t[0] !== INSTANCE) items[site[k]].push(k);
  });
  const opened = new Set(other.filter((_, k) => opens[k]));
  const roots = graph.v.map((_, v) => v).filter((v) => !opened.has(v));
  roots.sort((a, b) => (b === graph.r) - (a === graph.r));
  return { site, other, opens, items, roots };
}

function sideOf(graph, role) {
  const tree = treeOf(graph);
  const concept = graph.v.map(() => null);
  const concepts = graph.v.map(() => []);
  const instance = graph.v.map(() => -1);
  graph.t.forEach((t, k) => {
    if (t[0] === INSTANCE && t[3] !== null) concepts[t[1]].push(t[3]);
    if (t[0] === INSTANCE && instance[t[1]] < 0) {
      concept[t[1]] = t[3];
      instance[t[1]] = k;
    }
  });
  return {
    ...graph,
    role,
    tree,
    concept,
    concepts,
    instance,
    alone: role === "gold" ? "missing" : "extra",
    nodes: graph.v.map(() => null),
    triples: graph.t.map(() => null),
  };
}

// The role of a relation as it stands at the node where it is written.
function roleAt(side, k) {
  const [kind, source, role] = side.t[k];
  return kind >= RELATION && side.tree.site[k] !== source ? `${role}-of` : role;
}

// The key of the part of a drawing that a triple is.
const keyOf = (side, k) => (side.t[k][0] === INSTANCE ? side.nodes[side.t[k][1]].key : side.triples[k].key);

function endOf(side, k) {
  const [kind, , , target] = side.t[k];
  return kind >= RELATION ? side.concept[target] || side.v[target] || "()" : target === null ? "nothing" : target;
}

function nameOf(side, v) {
  return side.concept[v] === null ? side.v[v] || "()" : side.concept[v];
}

// One system's prediction and the gold graph, with states and keys.
function modelOf(pair, number) {
  const [goldGraph, systems] = pair;
  const [predGraph, evidence] = systems[number];
  const pred = sideOf(predGraph, "pred");
  const gold = sideOf(goldGraph, "gold");
  const model = { pred, gold, evidence, number, features: null, flows: null };
  if (evidence.m) byMap(model);
  else if (evidence.f) byFlow(model);
  else byFeatures(model);
  return model;
}

const goldNode = (v) => `g${v}`;
const goldTriple = (k) => `G${k}`;
const ownNode = (model, v) => `p${model.number}.${v}`;
const ownTriple = (model, k) => `P${model.number}.${k}`;

function byMap(model) {
  const { pred, gold, evidence } = model;
  const back = gold.v.map(() => UNMATCHED);
  evidence.m.forEach((w, v) => {
    if (w >= 0) back[w] = v;
  });
  const state = (partner, side) => (partner >= 0 ? "same" : partner === UNMATCHED ? side.alone : "apart");
  pred.t.forEach((_, k) => {
    const partner = evidence.p[k];
    const key = partner >= 0 ? goldTriple(partner) : ownTriple(model, k);
    pred.triples[k] = { state: state(partner, pred), key, partner };
  });
  gold.t.forEach((_, k) => {
    gold.triples[k] = { state: state(evidence.g[k], gold), key: goldTriple(k), partner: evidence.g[k] };
  });
  pred.v.forEach((_, v) => {
    const w = evidence.m[v];
    const instance = pred.instance[v];
    const same = instance >= 0 && pred.triples[instance].state === "same";
    const apart = instance >= 0 && pred.triples[instance].state === "apart";
    if (w < 0) pred.nodes[v] = { state: "extra", key: ownNode(model, v), mark: null, partner: -1 };
    else pred.nodes[v] = { state: same || apart ? "same" : "changed", key: goldNode(w), mark: w, partner: v };
  });
  gold.v.forEach((_, w) => {
    const v = back[w];
    if (v < 0) gold.nodes[w] = { state: "missing", key: goldNode(w), mark: null, partner: -1 };
    else gold.nodes[w] = { state: pred.nodes[v].state, key: goldNode(w), mark: w, partner: v };
  });
  for (const [v, w] of evidence.a || []) pred.nodes[v].anchor = gold.nodes[w].anchor = true;
}

// Metrics of features: a part of a graph is matched if it belongs to a feature that both graphs have.
function byFeatures(model) {
  const rows = model.evidence.s || [];
  model.features = rows.map(([group, text, shared, pred, gold], number) => ({ group, text, shared, pred, gold, number }));
  for (const side of [model.pred, model.gold]) {
    const found = side.t.map(() => false);
    for (const feature of model.features) {
      if (feature.shared) for (const places of feature[side.role]) for (const k of places) found[k] = true;
    }
    const known = rows.length > 0;
    side.t.forEach((_, k) => {
      const key = side.role === "gold" ? goldTriple(k) : ownTriple(model, k);
      side.triples[k] = { state: !known ? "apart" : found[k] ? "same" : side.alone, key, partner: -1 };
    });
    side.v.forEach((_, v) => {
      const instance = side.instance[v];
      const key = side.role === "gold" ? goldNode(v) : ownNode(model, v);
      side.nodes[v] = { state: instance >= 0 ? side.triples[instance].state : "apart", key, mark: null, partner: -1 };
    });
  }
}

// Optimal transport: a predicted node has the mark of the gold node where most of it goes.
function byFlow(model) {
  const { pred, gold, evidence } = model;
  model.flows = evidence.f.map(([from, to, part, distance]) => ({ from, to, part, distance }));
  const most = new Map();
  for (const flow of model.flows) {
    const known = most.get(flow.from);
    if (!known || flow.part > known.part) most.set(flow.from, flow);
  }
  const partner = { pred: new Map(), gold: new Map() }; // triple that names a node → triple of its partner
  for (const [from, flow] of most) {
    const [here, there] = [evidence.p[from], evidence.g[flow.to]];
    if (here < 0 || there < 0) continue;
    partner.pred.set(here, there);
    const known = partner.gold.get(there);
    if (known === undefined || flow.part > known.part) partner.gold.set(there, { here, part: flow.part });
  }
  const plain = (text) => (text === null ? "" : text.replace(/^"|"$/g, "").toLowerCase());
  const state = (a, b) => (plain(pred.t[a][3]) === plain(gold.t[b][3]) ? "same" : "changed");
  pred.t.forEach((t, k) => {
    const there = partner.pred.get(k);
    if (t[0] >= RELATION || there === undefined) pred.triples[k] = { state: "apart", key: ownTriple(model, k), partner: -1 };
    else pred.triples[k] = { state: state(k, there), key: goldTriple(there), partner: there };
  });
  gold.t.forEach((t, k) => {
    const found = partner.gold.get(k);
    if (t[0] >= RELATION) gold.triples[k] = { state: "apart", key: goldTriple(k), partner: -1 };
    else if (!found) gold.triples[k] = { state: "missing", key: goldTriple(k), partner: -1 };
    else gold.triples[k] = { state: state(found.here, k), key: goldTriple(k), partner: found.here };
  });
  pred.v.forEach((_, v) => {
    const triple = pred.instance[v] < 0 ? null : pred.triples[pred.instance[v]];
    const end = triple && triple.partner >= 0 ? gold.t[triple.partner] : null;
    if (end && end[0] === INSTANCE) pred.nodes[v] = { state: triple.state, key: goldNode(end[1]), mark: end[1], partner: v };
    else pred.nodes[v] = { state: end ? "changed" : "apart", key: end ? triple.key : ownNode(model, v), mark: null, partner: -1 };
  });
  gold.v.forEach((_, w) => {
    const triple = gold.instance[w] < 0 ? null : gold.triples[gold.instance[w]];
    const end = triple && triple.partner >= 0 ? pred.t[triple.partner] : null;
    const variable = end && end[0] === INSTANCE;
    const state = triple ? triple.state : "apart";
    gold.nodes[w] = { state, key: goldNode(w), mark: variable ? w : null, partner: variable ? end[1] : -1 };
  });
}

const hueOf = (mark) => (mark === null ? "" : ` hue${mark % N_HUES}`);

// What a screen reader, and the line under the graphs, say of a node.
function nodeWords(model, side, v, frames) {
  const node = side.nodes[v];
  const other = side.role === "gold" ? model.pred : model.gold;
  const where = side.role === "gold" ? "gold graph" : "prediction";
  const here = `${shown(nameOf(side, v))}${side.v[v] ? ` (variable ${shown(side.v[v])})` : ""}, ${where}`;
  const partner = side.role === "gold" ? node.partner : node.mark;
  const parts = [here];
  if (node.mark !== null && partner !== null && partner >= 0 && (node.state === "same" || node.state === "changed")) {
    parts.push(`matched as number ${node.mark + 1} with ${shown(nameOf(other, partner))}`);
    if (node.state === "changed" && !model.flows) parts.push("another concept");
  } else {
    parts.push(STATE_WORDS[node.state]);
  }
  for (const k of side.tree.items[v]) {
    if (side.t[k][0] !== ATTRIBUTE) continue;
    const state = side.triples[k].state === "same" ? "" : ` (${STATE_WORDS[side.triples[k].state]})`;
    parts.push(`${shown(side.t[k][2])} ${shown(side.t[k][3] || "")}${state}`);
  }
  if (node.anchor) parts.push("anchor");
  const meaning = own(frames, (side.concept[v] || "").toLowerCase());
  if (meaning) {
    parts.push(Object.entries(meaning).map(([role, text]) => `${shown(role.slice(1).toUpperCase())} is ${shown(text)}`).join(", "));
  }
  return parts.join("; ");
}
