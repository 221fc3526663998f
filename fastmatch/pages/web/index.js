// The table of pairs: what the corpus scores, how the pairs' scores spread, and which pairs to look at.

const PAGE = 100;
const N_BINS = 20;

// The numbers of the pairs that the settings let through, in the order that they ask for.
function chosenPairs(data, at) {
  const { a, b } = at;
  const score = scoreColumn(data, a);
  const other = b === null ? null : scoreColumn(data, b);
  const aspect = at.aspect === null ? null : data.systems[a].aspects[at.aspect].pairs;
  const wanted = at.q.toLowerCase().split(/\s+/).filter(Boolean);
  const found = [];
  for (let k = 0; k < data.n; k += 1) {
    const percent = 100 * score[k];
    if (at.min !== null && percent < at.min - 1e-9) continue;
    if (at.max !== null && percent > at.max + 1e-9) continue;
    if (aspect && (aspect[k] < 0 || aspect[k] === 1000)) continue;
    if (at.proven !== null && data.systems[a].proven[k] !== at.proven) continue;
    if (wanted.length) {
      const text = `${data.id[k]} ${data.snt[k]}`.toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
    }
    found.push(k);
  }
  const keys = {
    score: (k) => score[k],
    other: (k) => (other ? other[k] : 0),
    difference: (k) => (other ? other[k] - score[k] : 0),
    aspect: (k) => (aspect ? aspect[k] : 0),
    proven: (k) => data.systems[a].proven[k],
    number: (k) => k,
  };
  const sign = at.down ? -1 : 1;
  if (at.sort === "id" || at.sort === "text") {
    const column = at.sort === "id" ? data.id : data.snt;
    const compare = new Intl.Collator("en", { numeric: true }).compare;
    found.sort((i, j) => sign * compare(column[i], column[j]) || i - j);
  } else {
    const key = own(keys, at.sort) || keys.score;
    found.sort((i, j) => sign * (key(i) - key(j)) || i - j);
  }
  return found;
}

const scoreColumn = (data, system) => Object.values(data.systems[system].scores)[0];
const headline = (data) => Object.keys(data.labels)[0];

function indexView(data, at, go) {
  const order = chosenPairs(data, at);
  const systems = at.b === null ? [at.a] : [at.a, at.b];
  const pages = Math.max(1, Math.ceil(order.length / PAGE));
  const page = Math.min(at.page, pages - 1);
  const rows = order.slice(page * PAGE, (page + 1) * PAGE);
  return [
    h("h1", null, h("bdi", null, shown(data.title))),
    h("p", { class: "facts" }, `${data.metric} · ${counted(data.n, "pair")}`),
    data.n === 0 ? h("p", null, "There are no pairs, so there is nothing to show.") : null,
    problems(data),
    h("div", { class: "overview" }, scores(data, at, systems), histogram(data, at, systems, go), aspectTable(data, at, systems, go)),
    h("section", { "aria-labelledby": "pairs-title" },
      h("h2", { id: "pairs-title" }, "Pairs"),
      filters(data, at, go),
      h("p", { class: "count", id: "count" },
        order.length === data.n ? `All ${counted(data.n, "pair")}` : `${whole(order.length)} of ${counted(data.n, "pair")}`,
        pages > 1 ? `, of which ${page * PAGE + 1} to ${Math.min((page + 1) * PAGE, order.length)} are listed` : "",
        ".",
      ),
      pairTable(data, at, systems, rows, go),
      pages > 1 ? pager(page, pages, go) : null,
    ),
    signature(data),
  ];
}

// The graphs that could not be read, or were mended; of one pair or of all.
function problems(data, pair = null) {
  const found = data.systems.flatMap((system) =>
    system.problems.filter(([, number]) => pair === null || number === pair).map((problem) => [system, ...problem]),
  );
  const of = (rows) => new Set(rows.map(([system, side, number]) => `${side === "pred" ? system.name : ""} ${number}`)).size;
  const mended = found.filter((row) => row[4] !== null);
  const empty = found.filter((row) => row[4] === null);
  if (!found.length) return null;
  const words = [];
  if (empty.length) words.push(`${counted(of(empty), "graph")} could not be read or found, counted as empty`);
  if (mended.length) words.push(`${counted(of(mended), "graph")} mended`);
  return h("details", { class: "problems", open: pair !== null },
    h("summary", null, words.join("; ")),
    h("ul", null,
      found.slice(0, 200).map(([system, side, number, text]) =>
        h("li", null, `pair ${number}, `, side === "pred" ? h("bdi", null, shown(system.name)) : "gold graph", ": ", h("bdi", null, shown(cut(text, 300)))),
      ),
      found.length > 200 ? h("li", null, `and ${whole(found.length - 200)} more`) : null,
    ),
  );
}

// ---- the corpus -----------------------------------------------------------------------------------------------------

function scores(data, at, systems) {
  const names = Object.keys(data.labels).sort((one, two) => (one === headline(data)) - (two === headline(data)));
  const few = names.length <= 3 ? names : [headline(data)];
  return h("section", { class: "card scores", "aria-label": "Scores of the corpus" },
    systems.map((number, place) => {
      const system = data.systems[number];
      const kinds = system.micro ? ["micro", "macro"] : ["macro"];
      const first = system[kinds[0]][headline(data)];
      const span = system.intervals[headline(data)];
      return h("div", { class: "system" },
        data.systems.length > 1 ? h("h2", null, badge(place), " ", h("bdi", null, shown(system.name))) : null,
        h("p", { class: "big" }, h("span", { class: "label" }, `${data.labels[headline(data)]} `), h("strong", null, points(first))),
        span && span[0] !== null
          ? h("p", { class: "span" }, `${points(span[0])} to ${points(span[1])} (${100 * data.confidence} % interval)`)
          : null,
        table({ class: "small" },
          [h("td"), few.map((name) => heading(data.labels[name]))],
          kinds.map((kind) => h("tr", null, h("th", { scope: "row" }, kind), few.map((name) => h("td", null, points(system[kind][name]))))),
        ),
        h("p", { class: "proof" }, corpusProof(data, system)),
      );
    }),
  );
}

function corpusProof(data, system) {
  if (system.certified === data.n) return data.shows === "map" && system.counts ? `All ${counted(data.n, "pair")} proven optimal.` : null;
  const open = data.n - system.certified;
  const most = system.upper === null ? "" : ` The score is ${points(system.upper)} at most.`;
  return `${counted(open, "pair")} of ${whole(data.n)} not proven.${most}`;
}

const badge = (place) => h("span", { class: `letter letter${place}`, "aria-hidden": "true" }, "AB"[place]);

function histogram(data, at, systems, go) {
  const counts = systems.map((number) => {
    const bins = new Array(N_BINS).fill(0);
    for (const value of scoreColumn(data, number)) bins[Math.min(N_BINS - 1, Math.max(0, Math.floor(value * N_BINS + 1e-9)))] += 1;
    return bins;
  });
  const most = Math.max(1, ...counts.flat());
  const width = 100 / N_BINS;
  const bars = counts[0].map((_, bin) => {
    const low = bin * width;
    const high = low + width;
    const words = systems.map((number, place) => `${data.systems.length > 1 ? `${data.systems[number].name} ` : ""}${counts[place][bin]}`);
    const on = at.min === low && at.max === (bin === N_BINS - 1 ? 100 : high - 0.01);
    return h(
      "button",
      {
        type: "button",
        tabindex: "-1",
        class: "bin",
        "aria-pressed": String(on),
        "aria-label": `${low} to ${high} points: ${words.join(", ")} pairs`,
        title: `${low} to ${high}: ${words.join(", ")}`,
        onclick: () => go(on ? { min: null, max: null } : { min: low, max: bin === N_BINS - 1 ? 100 : high - 0.01 }),
      },
      systems.map((_, place) => h("span", { class: `bar letter${place}`, style: { height: `${(100 * counts[place][bin]) / most}%` } })),
    );
  });
  const field = h("div", { class: "bins", role: "group", "aria-label": "Number of pairs by score; a bar chooses its pairs" }, bars);
  roving(field, bars);
  const marks = systems.map((number, place) => {
    const span = data.systems[number].intervals[headline(data)];
    const value = (data.systems[number].micro || data.systems[number].macro)[headline(data)];
    if (value === null) return null;
    const style = span && span[0] !== null ? { left: `${100 * span[0]}%`, width: `${100 * Math.max(0.002, Math.min(1, span[1]) - span[0])}%` } : null;
    return [h("span", { class: `band letter${place}`, style }), h("span", { class: `line letter${place}`, style: { left: `${100 * Math.min(1, value)}%` } })];
  });
  return h("section", { class: "card histogram", "aria-labelledby": "histogram-title" },
    h("h2", { id: "histogram-title" }, `Pairs by ${data.labels[headline(data)]}`),
    h("p", { class: "scale" }, `most in one bar: ${whole(most)}`),
    h("div", { class: "field" }, field, h("div", { class: "marks", "aria-hidden": "true" }, marks)),
    h("div", { class: "axis", "aria-hidden": "true" }, [0, 25, 50, 75, 100].map((value) => h("span", { style: { left: `${value}%` } }, String(value)))),
    h("p", { class: "note" }, "Line: the score of the corpus. Band: its confidence interval. A bar chooses its pairs."),
  );
}

function aspectTable(data, at, systems, go) {
  if (!data.aspects) return null;
  const wrong = (number, place) => data.systems[number].aspects[place].pairs.reduce((sum, value) => sum + (value >= 0 && value < 1000), 0);
  return h("section", { class: "card aspects", "aria-labelledby": "aspects-title" },
    h("h2", { id: "aspects-title" }, "Aspects"),
    scrolling("Table of aspects",
      table(null,
        [
          heading("Aspect"),
          systems.map((_, place) => [
            heading([systems.length > 1 ? badge(place) : null, " F1"], "number"),
            systems.length > 1 ? null : [heading("P", "number"), heading("R", "number")],
            heading(systems.length > 1 ? "wrong in" : "pairs with errors", "number"),
          ]),
        ],
        data.aspects.names.map((name, place) => {
          const on = at.aspect === place;
          const toggle = () => go(on ? { aspect: null, sort: "score", down: false } : { aspect: place, sort: "aspect", down: false });
          return h("tr", { class: on ? "on" : null },
            h("th", { scope: "row" }, h("button", { type: "button", class: "plain", "aria-pressed": String(on), onclick: toggle }, name)),
            systems.map((number) => {
              const found = data.systems[number].aspects[place];
              const empty = Object.values(found.sums).every((value) => value === 0);
              return [
                h("td", { class: "number" }, empty ? "–" : points(found.scores.f1)),
                systems.length > 1 ? null : ["precision", "recall"].map((part) => h("td", { class: "number" }, empty ? "–" : points(found.scores[part]))),
                h("td", { class: "number" }, whole(wrong(number, place))),
              ];
            }),
          );
        }),
      ),
    ),
    h("p", { class: "note" }, "An aspect chooses the pairs that have errors in it."),
  );
}

// ---- the pairs ------------------------------------------------------------------------------------------------------

function filters(data, at, go) {
  const number = (name, label, value) => {
    const changed = (event) => {
      const given = event.target.value === "" ? null : Number(event.target.value);
      go({ [name]: Number.isFinite(given) ? given : null });
    };
    return h("label", null, h("span", null, label), h("input", { type: "number", min: "0", max: "100", step: "any", name, value: value === null ? "" : String(value), onchange: changed }));
  };
  let waiting = null;
  const search = (event) => {
    clearTimeout(waiting);
    const text = event.target.value;
    waiting = setTimeout(() => go({ q: text }, { quiet: true }), 150);
  };
  return h(
    "form",
    { class: "filters", role: "search", "aria-label": "Choose pairs", onsubmit: (event) => event.preventDefault() },
    h("label", { class: "wide" }, h("span", null, "Words of the sentence, or id"), h("input", { type: "search", id: "search", name: "q", value: at.q, autocomplete: "off", oninput: search })),
    number("min", "Score from", at.min),
    number("max", "to", at.max),
    data.aspects
      ? choice("With errors in", "aspect", at.aspect === null ? "" : at.aspect, [["", "any aspect"], ...data.aspects.names.map((name, k) => [k, name])], (value) =>
          go(value === "" ? { aspect: null, sort: "score", down: false } : { aspect: Number(value), sort: "aspect", down: false }),
        )
      : null,
    choice("Certificate", "proven", at.proven === null ? "" : at.proven, [["", "any"], [1, "proven"], [0, "open"]], (value) => go({ proven: value === "" ? null : Number(value) })),
    data.systems.length > 1 ? systemChoices(data, at, go, "System ") : null,
    h("button", { type: "button", class: "reset", onclick: () => go({ ...DEFAULTS, a: at.a, b: at.b }) }, "Reset"),
  );
}

// Which two systems stand beside each other.
function systemChoices(data, at, go, before) {
  const names = data.systems.map((system, k) => [k, shown(system.name)]);
  return [
    choice(`${before}A`, "a", at.a, names, (value) => go({ a: Number(value), b: at.b === Number(value) ? null : at.b })),
    choice(`${before}B`, "b", at.b === null ? "" : at.b, [["", "none"], ...names.filter(([k]) => k !== at.a)], (value) => go({ b: value === "" ? null : Number(value) })),
  ];
}

function pairTable(data, at, systems, rows, go) {
  const several = systems.length > 1;
  const label = data.labels[headline(data)];
  const counts = data.systems[at.a].counts;
  const sorted = (key) => (at.sort === key ? (at.down ? "descending" : "ascending") : "none");
  const column = (key, text, className = "number", extra = null) =>
    h("th", { scope: "col", class: className, "aria-sort": sorted(key) },
      h("button", { type: "button", class: "plain", onclick: () => go({ sort: key, down: at.sort === key ? !at.down : key === "difference" }) }, extra, text, h("span", { class: "arrow", "aria-hidden": "true" }, at.sort !== key ? "" : at.down ? " ↓" : " ↑")),
    );
  const hasIds = data.id.some(Boolean);
  return scrolling("Table of pairs",
    table({ class: "pairs" },
      [
        column("number", "Pair"),
        hasIds ? column("id", "Id", "") : null,
        column("text", "Sentence", "sentence"),
        column("score", label, "number", several ? [badge(0), " "] : null),
        several ? column("other", label, "number", [badge(1), " "]) : null,
        several ? column("difference", "B − A") : null,
        at.aspect === null ? null : column("aspect", data.aspects.names[at.aspect]),
        counts ? h("th", { scope: "col", class: "number" }, "matched / predicted / gold") : null,
        column("proven", "Certificate", ""),
      ],
      rows.map((k) => {
        const score = scoreColumn(data, at.a)[k];
        const other = several ? scoreColumn(data, at.b)[k] : null;
        const aspect = at.aspect === null ? null : data.systems[at.a].aspects[at.aspect].pairs[k];
        const text = data.snt[k];
        const sentence = text ? h("bdi", null, shown(cut(text, 160))) : "(no sentence)";
        return h("tr", null,
          h("td", { class: "number" }, String(k)),
          hasIds ? h("td", null, h("bdi", null, shown(cut(data.id[k], 40)))) : null,
          h("td", { class: "sentence" }, h("a", { href: hashOf({ ...at, pair: k }) }, sentence)),
          h("td", { class: "number score" }, gauge(score), h("span", { class: "value" }, points(score))),
          several ? h("td", { class: "number" }, points(other)) : null,
          several ? h("td", { class: "number" }, signed(other - score)) : null,
          aspect === null ? null : h("td", { class: "number" }, aspect < 0 ? "–" : (aspect / 10).toFixed(1)),
          counts ? h("td", { class: "number" }, `${whole(counts.matched[k])} / ${whole(counts.n_pred[k])} / ${whole(counts.n_gold[k])}`) : null,
          h("td", null, certificate(data, data.systems[at.a], k)),
        );
      }),
    ),
  );
}

const signed = (value) => (Math.abs(value) < 5e-7 ? "0.00" : `${value > 0 ? "+" : "−"}${points(Math.abs(value))}`);

function certificate(data, system, k) {
  if (system.proven[k]) return h("span", { class: "proven" }, data.shows === "map" && system.counts ? "proven" : "complete");
  return h("span", { class: "open" }, system.counts ? `open: ${whole(system.counts.upper[k])} at most` : "cut short");
}

function pager(page, pages, go) {
  const button = (text, to, off) => h("button", { type: "button", disabled: off, onclick: () => go({ page: to }) }, text);
  return h("nav", { class: "pager", "aria-label": "Pages of the table" }, button("Previous", page - 1, page === 0), ` page ${page + 1} of ${pages} `, button("Next", page + 1, page === pages - 1));
}

function signature(data) {
  return h("footer", null,
    h("p", null, "Signature: ", code(data.signature)),
    h("p", null, "Intervals: ", code(data.drawn)),
    h("p", null, `Made by fastmatch ${data.version}. Graphs are laid out by dagre (MIT licence, in this file).`),
  );
}
