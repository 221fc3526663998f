// Penman text of a graph, every part of it with its state and its key.

function penmanOf(model, side, name) {
  const { tree } = side;
  const lines = [];
  const token = (text, key, state, mark = null) =>
    h("span", { class: `token ${state}${hueOf(mark)}`, "data-key": key }, h("bdi", null, shown(text)));
  const number = (mark) => (mark === null ? null : h("sup", { class: `mark${hueOf(mark)}` }, String(mark + 1)));
  const sign = (state) =>
    state === "extra" || state === "missing" || state === "changed" ? h("span", { class: `sign ${state}` }, MARKS[state]) : null;

  function opening(v) {
    const node = side.nodes[v];
    const concepts = side.concepts[v];
    const inner = [sign(node.state), token(side.v[v] || "", node.key, node.state, node.mark)];
    inner.push(number(node.mark));
    if (concepts.length) inner.push(" / ", token(concepts.join(" / "), node.key, node.state, node.mark));
    return inner;
  }

  // without recursion: graphs may be deeper than the stack
  function write(root) {
    const stack = [{ v: root, next: 0 }];
    lines.push({ depth: 0, parts: ["(", opening(root)] });
    while (stack.length) {
      const frame = stack[stack.length - 1];
      const items = tree.items[frame.v];
      if (frame.next === items.length) {
        lines[lines.length - 1].parts.push(")");
        stack.pop();
        continue;
      }
      const k = items[frame.next];
      frame.next += 1;
      const triple = side.triples[k];
      const role = [sign(triple.state), token(roleAt(side, k), triple.key, triple.state), " "];
      const depth = stack.length;
      if (tree.opens[k]) {
        lines.push({ depth, parts: [...role, "(", opening(tree.other[k])] });
        stack.push({ v: tree.other[k], next: 0 });
      } else if (side.t[k][0] >= RELATION) {
        const v = tree.other[k];
        const node = side.nodes[v];
        lines.push({ depth, parts: [...role, token(side.v[v] || "()", triple.key, triple.state, node.mark), number(node.mark)] });
      } else {
        lines.push({ depth, parts: [...role, token(side.t[k][3] === null ? "" : side.t[k][3], triple.key, triple.state)] });
      }
    }
  }

  if (!side.v.length) lines.push({ depth: 0, parts: ["()"] });
  for (const root of tree.roots) write(root);
  return h("pre", { class: "penman", tabindex: "0", role: "region", "aria-label": `${name} in Penman notation` },
    lines.map(({ depth, parts }) => [`${"    ".repeat(Math.min(depth, 20))}`, parts, "\n"]),
  );
}
