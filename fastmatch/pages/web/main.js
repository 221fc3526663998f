// What is shown is in the address (#pair=3&sort=id …), so every view is a link, and the browser's back button works.

const DEFAULTS = { pair: null, a: 0, b: null, q: "", min: null, max: null, aspect: null, proven: null, sort: "score", down: false, page: 0 };
let data = null;
let at = { ...DEFAULTS };
let order = [];

function hashOf(settings) {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    const usual = name === "b" ? firstB() : DEFAULTS[name];
    if (value !== usual) found.set(name, value === null ? "" : value === true ? "1" : String(value));
  }
  return `#${found}`;
}

const firstB = () => (data.systems.length > 1 ? 1 : null);

function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (name, usual, most) => {
    if (!given.has(name)) return usual;
    const value = given.get(name) === "" ? null : Number(given.get(name));
    return value === null || (Number.isFinite(value) && value >= 0 && value <= most) ? value : usual;
  };
  const place = (name, usual, count) => {
    const value = number(name, usual, count - 1);
    return value === null || Number.isInteger(value) ? value : usual;
  };
  const n = data.systems.length;
  const settings = {
    pair: place("pair", null, data.n),
    a: place("a", 0, n) || 0,
    b: n > 1 ? place("b", 1, n) : null,
    q: given.get("q") || "",
    min: number("min", null, 100),
    max: number("max", null, 100),
    aspect: data.aspects ? place("aspect", null, data.aspects.names.length) : null,
    proven: place("proven", null, 2),
    sort: given.get("sort") || DEFAULTS.sort,
    down: given.get("down") === "1",
    page: place("page", 0, Infinity) || 0,
  };
  if (given.has("id")) {
    const found = data.id.indexOf(given.get("id"));
    if (found >= 0) settings.pair = found;
  }
  if (settings.a === settings.b) settings.b = null;
  return settings;
}

// Change some settings: a new address, and the view that belongs to it.
function go(changes, { quiet = false } = {}) {
  const settings = { ...at, ...changes };
  if (!("page" in changes) && !("pair" in changes)) settings.page = 0;
  const hash = hashOf(settings);
  if (quiet) {
    history.replaceState(null, "", hash);
    show({ keepFocus: true });
  } else if (location.hash === hash || (hash === "#" && !location.hash)) {
    show({ keepFocus: true });
  } else {
    keepFocus = true;
    location.hash = hash;
  }
}

let keepFocus = false;
let lastPair = null;
let seen = null;  // the address of what is shown

// What has the focus goes away with the old view; its likeness in the new one gets it.
function focusMark() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  if (element.id) return () => document.getElementById(element.id);
  if (element.name) return () => document.querySelector(`[name="${element.name}"]`);
  const label = element.getAttribute("aria-label") || element.textContent;
  const { tagName } = element;
  return () => [...document.querySelectorAll(tagName)].find((other) => (other.getAttribute("aria-label") || other.textContent) === label);
}

async function show({ keepFocus: keep = false } = {}) {
  const asked = readHash();
  at = asked;
  seen = location.hash;
  order = chosenPairs(data, at);
  if (at.pair !== null) await unpackPair(data, at.pair);
  if (at !== asked) return; // something else is wanted by now
  const mark = keep ? focusMark() : null;
  const caret = keep && document.activeElement && document.activeElement.type === "search" ? document.activeElement.selectionStart : null;
  const content = document.getElementById("content");
  const views = at.pair === null ? indexView(data, at, go) : pairView(data, at, order, go);
  content.replaceChildren(...[views].flat(Infinity).filter(Boolean));
  content.className = at.pair === null ? "index" : "pair";
  document.title = at.pair === null ? shown(data.title) : `${at.pair}: ${shown(cut(data.snt[at.pair] || data.id[at.pair], 60))}`;
  if (at.pair !== null) {
    arrange();
    linkParts(content, [at.a, at.b].filter((n) => n !== null).map((n) => modelOf(pairOf(data, at.pair), n)), data);
  }
  const target = mark && mark();
  if (target) {
    target.focus({ preventScroll: true });
    if (caret !== null && target.setSelectionRange) target.setSelectionRange(caret, caret);
  } else if (lastPair !== at.pair) {
    window.scrollTo(0, 0);
    if (at.pair === null && lastPair !== null) {
      const link = content.querySelector(`a[href="${CSS.escape ? hashOf({ ...at, pair: lastPair }).replace(/"/g, "%22") : ""}"]`);
      if (link) {
        link.focus({ preventScroll: true });
        link.scrollIntoView({ block: "center" });
      }
    } else {
      content.focus({ preventScroll: true });
    }
  }
  if (at.pair === null) say(`${counted(order.length, "pair")} chosen`);
  lastPair = at.pair;
}

// Wide graphs stand one below the other.
function arrange() {
  const holder = document.querySelector(".panes");
  if (!holder) return;
  const panes = [...holder.querySelectorAll(".pane")];
  const room = holder.clientWidth / panes.length;
  const widest = Math.max(...panes.map((pane) => Number(pane.dataset.wide)));
  const stacked = room < 340 || widest * SMALLEST > room;
  holder.classList.toggle("stacked", stacked);
  // beside each other they have one size
  const least = Math.min(...panes.map((pane) => pane.fitting()));
  for (const pane of panes) pane.apply(stacked ? pane.fitting() : least);
}

function help() {
  const dialog = document.getElementById("help");
  const keys = [
    ["/", "search"],
    ["j, k", "next and previous pair"],
    ["u", "back to all pairs"],
    ["arrow keys", "from node to node, and from bar to bar"],
    ["Enter", "keep what a node, or a difference, points at"],
    ["?", "this list"],
  ];
  dialog.replaceChildren(
    h("h2", { id: "help-title" }, "Keys"),
    h("dl", null, keys.map(([key, meaning]) => [h("dt", null, h("kbd", null, key)), h("dd", null, meaning)])),
    h("form", { method: "dialog" }, h("button", null, "Close")),
  );
  dialog.showModal();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
  if (event.target.closest("input, select, textarea")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (location.hash !== seen) show({ keepFocus });  // a key before the browser has told of the address of the last one
  const rows = [...document.querySelectorAll(".pairs tbody a")];
  const step = { j: 1, k: -1 }[event.key];
  if (event.key === "?") help();
  else if (event.key === "/" && at.pair === null) document.getElementById("search").focus();
  else if ((event.key === "u" || event.key === "Escape") && at.pair !== null) location.hash = hashOf({ ...at, pair: null });
  else if (step && at.pair !== null) {
    const place = order.indexOf(at.pair);
    if (place >= 0 && place + step in order) location.hash = hashOf({ ...at, pair: order[place + step] });
  } else if (step && rows.length) {
    const place = rows.indexOf(document.activeElement);
    rows[place < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, place + step))].focus();
  } else return;
  event.preventDefault();
}

async function start() {
  data = await unpacked("data-summary");
  document.getElementById("bar").replaceChildren(
    h("a", { class: "home", href: "#" }, "fastmatch"),
    h("button", { type: "button", class: "help", onclick: help }, "Keys ", h("kbd", null, "?")),
  );
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => {
    if (location.hash !== seen) show({ keepFocus });
    keepFocus = false;
  });
  let waiting = null;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => at.pair !== null && arrange(), 100);
  });
  await show();
}

start().catch((error) => {
  document.getElementById("content").replaceChildren(h("h1", null, "This page cannot be shown"), h("p", null, String(error)));
});
