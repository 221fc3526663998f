// Differences in words: which triples of the two graphs belong together though they do not match, and how to say it.

// A difference is {kind, parts, keys}: parts are strings and {code: text}, keys the parts of the drawings it is about.
function differencesOf(model) {
  const { pred, gold, evidence } = model;
  const found = [];
  const open = {
    pred: pred.t.map((_, k) => k).filter((k) => pred.triples[k].state === "extra"),
    gold: gold.t.map((_, k) => k).filter((k) => gold.triples[k].state === "missing"),
  };
  const c = (text) => ({ code: text });
  const keys = (one, two) => [...one.map((k) => pred.triples[k].key), ...two.map((k) => gold.triples[k].key)];
  const to = (v) => evidence.m[v];
  const value = (t) => t[3] || "nothing";
  const isRelation = (t) => t[0] >= RELATION;
  const sourceMeets = (a, b) => to(a[1]) === b[1];
  const targetMeets = (a, b) => (isRelation(a) ? to(a[3]) === b[3] : a[3] === b[3]);

  const relations = (test) => (a, b) => isRelation(a) && isRelation(b) && test(a, b);
  const attributes = (test) => (a, b) => a[0] === ATTRIBUTE && b[0] === ATTRIBUTE && test(a, b);
  const concepts = (test) => (a, b) => a[0] === INSTANCE && b[0] === INSTANCE && test(a, b);
  const fact = (t) => [c(nameOf(pred, t[3])), " is ", c(t[2]), " of ", c(nameOf(pred, t[1]))];

  // each rule takes a predicted and a gold triple that belong together, and says how
  const rules = [
    ["changed", concepts(sourceMeets),
      (a, b) => ["Concept ", c(a[3] || "()"), " where the gold graph has ", c(b[3] || "()"), ...variables(a[1], b[1])]],
    ["changed", attributes((a, b) => sourceMeets(a, b) && a[2] === b[2]),
      (a, b) => [c(a[2]), " of ", c(nameOf(pred, a[1])), " is ", c(value(a)), ", in the gold graph ", c(value(b))]],
    ["changed", attributes((a, b) => sourceMeets(a, b) && a[3] === b[3]),
      (a, b) => [c(value(a)), " of ", c(nameOf(pred, a[1])), " is its ", c(a[2]), ", in the gold graph its ", c(b[2])]],
    ["changed", relations((a, b) => sourceMeets(a, b) && targetMeets(a, b)),
      (a, b) => [...fact(a), ", in the gold graph ", c(b[2])]],
    ["changed", relations((a, b) => to(a[1]) === b[3] && to(a[3]) === b[1]),
      (a, b) => [...fact(a), "; in the gold graph it is the other way round, with ", c(b[2])]],
    ["moved", relations((a, b) => a[2] === b[2] && targetMeets(a, b)),
      (a, b) => [...fact(a), ", in the gold graph of ", c(nameOf(gold, b[1]))]],
    ["moved", relations((a, b) => targetMeets(a, b) && to(a[1]) >= 0),
      (a, b) => [...fact(a), ", in the gold graph ", c(b[2]), " of ", c(nameOf(gold, b[1]))]],
    ["moved", relations((a, b) => a[2] === b[2] && sourceMeets(a, b) && to(a[3]) >= 0),
      (a, b) => [c(a[2]), " of ", c(nameOf(pred, a[1])), " is ", c(nameOf(pred, a[3])), ", in the gold graph ", c(nameOf(gold, b[3]))]],
    ["moved", attributes((a, b) => a[2] === b[2] && a[3] === b[3]),
      (a, b) => [c(a[2]), " ", c(value(a)), " stands at ", c(nameOf(pred, a[1])), ", in the gold graph at ", c(nameOf(gold, b[1]))]],
  ];

  function variables(v, w) {
    return pred.v[v] && gold.v[w] ? [" (", c(pred.v[v]), " and ", c(gold.v[w]), ")"] : [];
  }

  const [rootPred, rootGold] = evidence.top;
  if (rootPred === UNMATCHED && rootGold === UNMATCHED && pred.r >= 0 && gold.r >= 0) {
    found.push({
      kind: "changed",
      parts: ["The root is ", c(nameOf(pred, pred.r)), ", in the gold graph ", c(nameOf(gold, gold.r))],
      keys: [pred.nodes[pred.r].key, gold.nodes[gold.r].key],
    });
  }
  for (const [kind, fits, words] of rules) {
    for (const i of [...open.pred]) {
      const j = open.gold.find((k) => fits(pred.t[i], gold.t[k]));
      if (j === undefined) continue;
      open.pred.splice(open.pred.indexOf(i), 1);
      open.gold.splice(open.gold.indexOf(j), 1);
      found.push({ kind, parts: words(pred.t[i], gold.t[j]), keys: keys([i], [j]) });
    }
  }
  found.push(...alone(pred, open.pred, "extra"), ...alone(gold, open.gold, "missing"));
  return found;

  // A node without partner is told once, with the relation that opens it.
  function alone(side, numbers, kind) {
    const left = new Set(numbers);
    const told = [];
    const key = (k) => side.triples[k].key;
    for (const k of numbers) {
      const t = side.t[k];
      if (t[0] !== INSTANCE || !left.has(k)) continue;
      left.delete(k);
      const opening = side.tree.opens.findIndex((opens, n) => opens && side.tree.other[n] === t[1] && left.has(n));
      const parts = [c(t[3] || "()"), ...(side.v[t[1]] ? [" (", c(side.v[t[1]]), ")"] : [])];
      if (opening >= 0) {
        left.delete(opening);
        parts.push(", ", c(roleAt(side, opening)), " of ", c(nameOf(side, side.tree.site[opening])));
      }
      told.push({ kind, parts, keys: opening >= 0 ? [key(k), key(opening)] : [key(k)] });
    }
    for (const k of numbers) {
      if (!left.has(k)) continue;
      const t = side.t[k];
      const parts = [c(t[2]), " ", c(endOf(side, k)), " of ", c(nameOf(side, t[1]))];
      told.push({ kind, parts, keys: [key(k)] });
    }
    return told;
  }
}

const KIND_TITLES = {
  changed: "Other label",
  moved: "Other place",
  missing: "Missing: only in the gold graph",
  extra: "Extra: only in the prediction",
};
const KIND_MARKS = { changed: "~", moved: "↷", missing: "+", extra: "−" };

const inWords = (parts) => parts.map((part) => (typeof part === "string" ? part : code(part.code)));
