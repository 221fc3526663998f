// Small helpers: elements, text of the data as people may see it, numbers.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

// An element; children that are strings become text, never markup.
const h = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const s = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// Text of the data: control characters as their pictures, marks that turn the direction of writing as a box, so that
// nothing hides and nothing moves what stands beside it.
function shown(text) {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu, (found) => {
    const code = found.codePointAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return "\ufffd";
  });
}

// A table, by its attributes, the cells of its head, and its rows; the head of a column.
const table = (attributes, head, rows) => h("table", attributes, h("thead", null, h("tr", null, head)), h("tbody", null, rows));
const heading = (text, kind = null) => h("th", { scope: "col", class: kind }, text);

// A part of the page that scrolls by itself.
const scrolling = (label, content) => h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, content);

// A choice among [value, text] pairs.
const choice = (label, name, value, options, onchange) =>
  h("label", null,
    h("span", null, label),
    h("select", { name, onchange: (event) => onchange(event.target.value) }, options.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text))),
  );

// A bar beside a number, filled to a part of its length.
const gauge = (part) => h("span", { class: "gauge", "aria-hidden": "true" }, h("span", { style: { width: `${100 * Math.max(0, Math.min(1, part))}%` } }));

const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
const points = (value) => (value === null || value === undefined ? "none" : (100 * value).toFixed(2));
const whole = (value) => value.toLocaleString("en", { maximumFractionDigits: 3 });
const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;
const code = (text) => h("code", null, h("bdi", null, shown(text)));

// A value of the data by a name that is data, too: "constructor" is a name like others.
const own = (object, name) => (Object.prototype.hasOwnProperty.call(object, name) ? object[name] : undefined);

function say(text) {
  document.getElementById("says").textContent = text;
}
