// One pair: both graphs as drawings and as text, what differs in words, what is proven.

function pairView(data, at, order, go) {
  const k = at.pair;
  const pair = pairOf(data, k);
  const systems = at.b === null ? [at.a] : [at.a, at.b];
  const models = systems.map((number) => modelOf(pair, number));
  const sentence = data.snt[k];
  const place = order.indexOf(k);
  return [
    h("nav", { class: "pair-nav", "aria-label": "Pairs" },
      h("a", { href: hashOf({ ...at, pair: null }), id: "back" }, "All pairs"),
      step(at, order, place - 1, "Previous", "prev"),
      step(at, order, place + 1, "Next", "next"),
      h("span", { class: "muted" }, place < 0 ? "not among the chosen pairs" : `${whole(place + 1)} of ${whole(order.length)}`),
      data.systems.length > 1 ? h("span", { class: "chooser" }, systemChoices(data, at, go, "")) : null,
    ),
    h("h1", { class: sentence.length > 140 ? "sentence long" : "sentence" }, sentence ? h("bdi", null, shown(sentence)) : data.id[k] ? h("bdi", null, shown(data.id[k])) : `Pair ${k}`),
    data.pred_snt[k] ? h("p", { class: "other-sentence" }, "Of the prediction: ", h("bdi", null, shown(data.pred_snt[k]))) : null,
    sentence || data.id[k] ? h("p", { class: "facts" }, `Pair ${k}`, data.id[k] ? [" · ", h("bdi", null, shown(data.id[k]))] : null) : null,
    problems(data, k),
    h("div", { class: "verdicts" }, systems.map((number, n) => verdict(data, data.systems[number], k, systems.length > 1 ? n : null))),
    graphs(data, models, systems),
    models.map((model, n) => evidenceOf(data, model, systems.length > 1 ? data.systems[systems[n]].name : null, n)),
    signature(data),
  ];
}

// The graphs of pairs that were looked at, by block: a block is unpacked once, and a few are kept.
const blocks = new Map();
const pairOf = (data, k) => blocks.get(Math.floor(k / data.block))[k % data.block];

async function unpackPair(data, k) {
  const number = Math.floor(k / data.block);
  if (blocks.has(number)) return;
  const block = await unpacked(`data-${number}`);
  if (blocks.size > 7) blocks.delete(blocks.keys().next().value);
  blocks.set(number, block);
}

function step(at, order, place, text, id) {
  if (place < 0 || place >= order.length || order.indexOf(at.pair) < 0) return h("span", { class: "muted" }, text);
  return h("a", { href: hashOf({ ...at, pair: order[place] }), id }, text);
}

function verdict(data, system, k, place) {
  const names = Object.keys(data.labels);
  const [first, ...rest] = names.length <= 4 ? names : names.filter((name) => !/_[pr]$/.test(name));
  const parts = rest.map((name) => `${data.labels[name]} ${points(system.scores[name][k])}`);
  return h("div", { class: "verdict" },
    place === null ? null : h("span", { class: "who" }, badge(place), " ", h("bdi", null, shown(system.name))),
    h("span", { class: "big" }, h("span", { class: "label" }, `${data.labels[first]} `), h("strong", null, points(system.scores[first][k]))),
    parts.length ? h("span", { class: "rest" }, parts.join(" · ")) : null,
    h("span", { class: "proof" }, proof(data, system, k)),
  );
}

function proof(data, system, k) {
  const { counts } = system;
  if (!counts) return system.proven[k] ? null : "A limit of work cut this pair short.";
  const matched = `${counted(counts.matched[k], "triple")} matched of ${whole(counts.n_pred[k])} predicted and ${whole(counts.n_gold[k])} gold. `;
  if (data.shows === "map" && system.proven[k]) return `${matched}Proven: no alignment matches more.`;
  if (system.proven[k]) return matched;
  const size = counts.n_pred[k] + counts.n_gold[k];
  const most = size ? ` (F1 ${points((2 * counts.upper[k]) / size)})` : "";
  return `${matched}Not proven: another alignment may match up to ${whole(counts.upper[k])}${most}.`;
}

// ---- graphs ---------------------------------------------------------------------------------------------------------

function graphs(data, models, systems) {
  const several = systems.length > 1;
  const panes = models.map((model, n) => ({
    model,
    side: model.pred,
    title: several ? [badge(n), " ", h("bdi", null, shown(data.systems[systems[n]].name))] : ["Prediction ", h("bdi", { class: "muted" }, shown(data.systems[systems[n]].name))],
    name: several ? `Prediction of ${shown(data.systems[systems[n]].name)}` : "Prediction",
  }));
  panes.splice(1, 0, { model: models[0], side: models[0].gold, title: ["Gold ", h("bdi", { class: "muted" }, shown(data.gold))], name: "Gold graph" });
  const holder = h("div", { class: `panes panes${panes.length}` });
  for (const pane of panes) holder.append(paneOf(pane, data));
  return h("section", { class: "graphs", "aria-label": "Graphs" },
    legend(data, models[0]),
    holder,
    h("p", { class: "detail", id: "detail", "aria-hidden": "true" }, "Point at a part of a graph to see its partner; a click keeps it."),
    data.rewritten ? h("p", { class: "note" }, "The graphs are shown as the metric compares them, after its standardisation.") : null,
  );
}

// The least size of a drawing, but for those who want it smaller.
const SMALLEST = 0.72;

function paneOf({ model, side, title, name }, data) {
  const drawn = drawingOf(model, side, name, data.frames);
  const text = h("details", { open: true }, h("summary", null, "Text"), penmanOf(model, side, name));
  if (!drawn) {
    const note = h("p", { class: "note" }, `This graph is too large to be drawn: ${counted(side.v.length, "node")}.`);
    const plain = h("section", { class: "pane", "data-wide": "0", "aria-label": name }, h("div", { class: "pane-head" }, h("h2", null, title)), note, text);
    plain.fitting = () => 1;
    plain.apply = () => {};
    return plain;
  }
  const { drawing, width, height } = drawn;
  let zoom = null;
  const canvasBox = h("div", { class: "canvas" }, drawing);
  let usual = 1;
  const apply = () => {
    const scale = zoom === null ? usual : zoom;
    drawing.setAttribute("width", (width * scale).toFixed(0));
    drawing.setAttribute("height", (height * scale).toFixed(0));
    return scale;
  };
  const change = (factor) => {
    zoom = factor === null ? null : Math.min(3, Math.max(0.15, apply() * factor));
    apply();
  };
  const button = (label, text, factor) => h("button", { type: "button", "aria-label": `${label}: ${name}`, title: label, onclick: () => change(factor) }, text);
  const fit = () => {
    zoom = Math.min(1, canvasBox.clientWidth / width);
    apply();
  };
  const pane = h("section", { class: "pane", "data-wide": width.toFixed(0), "aria-label": name },
    h("div", { class: "pane-head" },
      h("h2", null, title),
      h("span", { class: "zoom" }, button("Smaller", "−", 1 / 1.25), button("Larger", "+", 1.25), h("button", { type: "button", "aria-label": `Fit: ${name}`, title: "Fit", onclick: fit }, "fit")),
    ),
    canvasBox,
    text,
  );
  // by default a drawing fits, unless its text would be too small to read
  pane.fitting = () => Math.min(1, Math.max((canvasBox.clientWidth || width) / width, SMALLEST));
  pane.apply = (scale) => {
    usual = scale;
    apply();
    // the root in sight
    const root = drawing.querySelector(".root .box");
    if (root && canvasBox.scrollWidth > canvasBox.clientWidth) {
      const middle = Number(root.getAttribute("x")) + Number(root.getAttribute("width")) / 2;
      canvasBox.scrollLeft = middle * (Number(drawing.getAttribute("width")) / width) - canvasBox.clientWidth / 2;
    }
  };
  return pane;
}

function legend(data, model) {
  const item = (state, mark, text) => h("li", null, h("span", { class: `swatch ${state}`, "aria-hidden": "true" }, mark), " ", text);
  return h("ul", { class: "legend", "aria-label": "Legend" },
    model.features
      ? [item("same", "=", "in a feature that both graphs have"), item("extra", "−", "only in the prediction"), item("missing", "+", "only in the gold graph")]
      : model.flows
        ? [
            item("same hue0", "1", "goes mostly to the node of the same number"),
            item("changed hue0", "1", "the same, with another label (~)"),
            item("missing", "+", "in the gold graph, and no node goes there mostly"),
          ]
        : [
            item("same hue0", "1", "matched: same number, same colour"),
            item("changed hue0", "1", "matched, other concept (~)"),
            item("extra", "−", "only in the prediction"),
            item("missing", "+", "only in the gold graph"),
          ],
    model.evidence.a ? h("li", null, h("span", { "aria-hidden": "true" }, "◆"), " anchor, from which the alignment was made") : null,
    h("li", null, h("span", { class: "hollow", "aria-hidden": "true" }, "▷"), " back to a node that stands elsewhere (re-entrancy)"),
  );
}

// Pointing at, or going to, a part of a graph shows its partners everywhere; a click keeps them shown.
function linkParts(holder, models, data) {
  let kept = null;
  let keptRow = null;
  let hot = null;
  const rowOf = (target) => (target instanceof Element ? target.closest(".difference, tr[data-key]") : null);
  const all = new Map();
  for (const element of holder.querySelectorAll("[data-key]")) {
    const key = element.getAttribute("data-key");
    for (const one of key.split(" ")) {
      if (!all.has(one)) all.set(one, []);
      all.get(one).push(element);
    }
  }
  // a row of a list that is pointed at shows its parts of the graphs, and leaves the other rows alone
  const show = (keys, row = null) => {
    for (const element of holder.querySelectorAll(".hot")) element.classList.remove("hot");
    hot = keys;
    for (const key of keys || []) {
      for (const element of all.get(key) || []) {
        if (!row || element === row || !element.matches(".difference, tr")) element.classList.add("hot");
      }
    }
    holder.classList.toggle("pointing", Boolean(hot));
  };
  const keysOf = (target) => {
    const element = target instanceof Element ? target.closest("[data-key]") : null;
    return element && holder.contains(element) ? element.getAttribute("data-key").split(" ") : null;
  };
  const tell = (target) => {
    const node = target instanceof Element ? target.closest(".node") : null;
    const words = node ? node.querySelector(".box").getAttribute("aria-label") : partWords(keysOf(target), models, data);
    const line = document.getElementById("detail");
    if (words && line) line.textContent = words;
  };
  holder.addEventListener("pointerover", (event) => {
    const keys = keysOf(event.target);
    show(keys || kept, keys ? rowOf(event.target) : keptRow);
    tell(event.target);
  });
  holder.addEventListener("pointerleave", () => show(kept, keptRow));
  holder.addEventListener("focusin", (event) => {
    const keys = keysOf(event.target);
    if (keys) show(keys, rowOf(event.target));
    tell(event.target);
  });
  holder.addEventListener("focusout", () => show(kept, keptRow));
  const keep = (target) => {
    const keys = keysOf(target);
    const same = keys && kept && keys.join() === kept.join();
    for (const element of holder.querySelectorAll("[aria-pressed=true]")) element.setAttribute("aria-pressed", "false");
    kept = same ? null : keys;
    keptRow = kept && rowOf(target);
    if (kept) for (const key of kept) for (const element of all.get(key) || []) if (element.matches(".node")) element.querySelector(".box").setAttribute("aria-pressed", "true");
    show(kept, keptRow);
    say(kept ? "kept" : "no longer kept");
  };
  holder.addEventListener("click", (event) => {
    if (!event.target.closest("summary, a, select, .zoom button")) keep(event.target);
  });
  holder.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && event.target.closest(".node, .difference")) {
      event.preventDefault();
      keep(event.target);
    }
  });
}

// What the line under the graphs says of a relation or an attribute.
function partWords(keys, models, data) {
  if (!keys || keys.length !== 1) return null;
  for (const model of models) {
    for (const side of [model.pred, model.gold]) {
      const k = side.triples.findIndex((triple) => triple.key === keys[0]);
      if (k < 0) continue;
      const triple = side.triples[k];
      const where = triple.state === "same" ? "both graphs" : side.role === "gold" ? "gold graph" : "prediction";
      const roles = own(data.frames, (side.concept[side.t[k][1]] || "").toLowerCase()) || {};
      const meaning = own(roles, side.t[k][2].toLowerCase());
      return `${shown(nameOf(side, side.t[k][1]))} ${shown(side.t[k][2])} ${shown(endOf(side, k))}, ${where}: ${STATE_WORDS[triple.state]}${meaning ? `; ${shown(side.t[k][2])} is ${shown(meaning)}` : ""}`;
    }
  }
  return null;
}

// ---- evidence -------------------------------------------------------------------------------------------------------

function evidenceOf(data, model, name, n) {
  const title = (text) => (name === null ? text : [badge(n), ` ${text}: `, h("bdi", null, shown(name))]);
  if (model.evidence.m) return [differences(title("Differences"), model, n), matches(model)];
  if (model.flows) return flows(title("Where the nodes go"), model, n);
  if (!model.evidence.s) {
    return h("section", null, h("h2", null, title("Features")), h("p", null, "This metric, with these options, names no features, or the graphs have too many."));
  }
  return features(title("Features"), model);
}

function differences(title, model, n) {
  const found = differencesOf(model);
  const groups = ["changed", "moved", "missing", "extra"].map((kind) => [kind, found.filter((row) => row.kind === kind)]);
  return h("section", { class: "differences", "aria-labelledby": `differences-${n}` },
    h("h2", { id: `differences-${n}` }, title),
    found.length ? null : h("p", null, "None: all triples match."),
    h("div", { class: "columns" },
      groups
        .filter(([, rows]) => rows.length)
        .map(([kind, rows]) =>
          h("div", null,
            h("h3", null, h("span", { class: `kind ${kind}`, "aria-hidden": "true" }, KIND_MARKS[kind]), ` ${KIND_TITLES[kind]} (${rows.length})`),
            h("ul", null, rows.map((row) => h("li", { class: `difference ${kind}`, tabindex: "0", "data-key": row.keys.join(" ") }, inWords(row.parts)))),
          ),
        ),
    ),
  );
}

function matches(model) {
  const { pred, gold } = model;
  const text = (side, k) => `${shown(nameOf(side, side.t[k][1]))} ${shown(side.t[k][2])} ${shown(endOf(side, k))}`;
  const rows = pred.t.map((_, k) => k).filter((k) => pred.triples[k].partner >= 0);
  if (!rows.length) return null;
  return h("details", { class: "matches" },
    h("summary", null, `Matched triples (${rows.length}${model.evidence.top[0] >= 0 ? ", and the root" : ""})`),
    table(null,
      [heading("Prediction"), heading("Gold graph")],
      rows.map((k) => h("tr", { "data-key": pred.triples[k].key }, h("td", null, code(text(pred, k))), h("td", null, code(pred.triples[k].partner < gold.t.length ? text(gold, pred.triples[k].partner) : "the root")))),
    ),
  );
}

function flows(title, model, n) {
  const { pred, gold, evidence } = model;
  const node = (side, list, number) => {
    const k = list[number];
    if (k < 0) return "()";
    const t = side.t[k];
    return t[0] === INSTANCE ? `${shown(t[3] || "()")}${side.v[t[1]] ? ` (${shown(side.v[t[1]])})` : ""}` : `${shown(t[2])} ${shown(t[3] || "")}`;
  };
  const key = (side, list, number) => (list[number] < 0 ? [] : [keyOf(side, list[number])]);
  return h("section", { class: "flows" },
    h("h2", null, title),
    h("p", { class: "note" }, `The nodes of the prediction move onto those of the gold graph; distance of the graphs: ${evidence.d}.`),
    scrolling(`Flows, ${n + 1}`,
      table(null,
        ["Prediction", "part of it", "Gold graph", "distance"].map((text, n) => heading(text, n % 2 ? "number" : null)),
        model.flows.map((flow) =>
          h("tr", { "data-key": [...key(pred, evidence.p, flow.from), ...key(gold, evidence.g, flow.to)].join(" ") || null },
            h("td", null, code(node(pred, evidence.p, flow.from))),
            h("td", { class: "number" }, gauge(flow.part), h("span", { class: "value" }, `${(100 * flow.part).toFixed(0)} %`)),
            h("td", null, code(node(gold, evidence.g, flow.to))),
            h("td", { class: "number" }, flow.distance.toFixed(4)),
          ),
        ),
      ),
    ),
  );
}

function features(title, model) {
  const groups = [...new Set(model.features.map((feature) => feature.group))];
  const keysOf = (feature) => {
    const found = new Set();
    for (const side of [model.pred, model.gold]) {
      for (const places of feature[side.role]) {
        for (const k of places) found.add(keyOf(side, k));
      }
    }
    return [...found].join(" ");
  };
  const status = (feature) => (feature.shared ? "same" : feature.pred.length ? "extra" : "missing");
  return h("section", { class: "features" },
    h("h2", null, title),
    groups.map((group) => {
      const rows = model.features.filter((feature) => feature.group === group);
      const shared = rows.filter((feature) => feature.shared).length;
      rows.sort((one, two) => Boolean(one.shared) - Boolean(two.shared) || one.number - two.number);
      return h("details", { open: rows.length <= 40 },
        h("summary", null, `${group}: ${whole(shared)} of ${whole(rows.length)} in both graphs`),
        h("ul", null,
          rows.map((feature) =>
            h("li", { class: `difference ${status(feature)}`, tabindex: "0", "data-key": keysOf(feature) || null },
              h("span", { class: `sign ${status(feature)}`, "aria-hidden": "true" }, MARKS[status(feature)]),
              " ",
              code(feature.text),
              h("span", { class: "muted" }, ` ${feature.pred.length} predicted, ${feature.gold.length} gold`),
            ),
          ),
        ),
      );
    }),
  );
}
