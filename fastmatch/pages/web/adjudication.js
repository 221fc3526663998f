// The page of an ensemble: what is shown, where one is, and what an annotator decides.
"use strict";

const sections = [...document.querySelectorAll("section")];
const says = document.getElementById("says");
const decided = document.getElementById("decided");
const boxes = [...document.querySelectorAll("td input")];

function tell(text) {
  says.textContent = "";
  requestAnimationFrame(() => { says.textContent = text; });
}

// Rows that a filter leaves, and sentences without such rows, which are hidden as well.
function filter(name) {
  let left = 0;
  for (const section of sections) {
    let rows = 0;
    for (const row of section.querySelectorAll("tbody tr")) {
      row.hidden = !(name === "all" || row.classList.contains(name));
      rows += !row.hidden;
    }
    section.hidden = name !== "all" && !rows;
    left += rows;
  }
  tell(`${left} triples are shown`);
}

function go(step) {
  const shown = sections.filter((section) => !section.hidden);
  if (!shown.length) return;
  const here = shown.findIndex((section) => section.contains(document.activeElement));
  const next = here < 0 ? (step > 0 ? 0 : shown.length - 1) : Math.min(Math.max(here + step, 0), shown.length - 1);
  shown[next].focus();
  shown[next].scrollIntoView({ block: "start" });
}

function count() {
  const changed = boxes.filter((box) => box.checked !== box.defaultChecked).length;
  decided.textContent = changed ? `${changed} of ${boxes.length} triples decided otherwise` : "as the ensemble has it";
}

function save() {
  const lines = ["sentence\tid\tsource\trole\ttarget\tin_graph\tkeep"];
  for (const box of boxes) {
    lines.push([box.closest("section").dataset.number, box.closest("section").dataset.id, ...JSON.parse(box.dataset.triple),
      +box.defaultChecked, +box.checked].join("\t"));
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${lines.join("\n")}\n`], { type: "text/tab-separated-values" }));
  link.download = "decisions.tsv";
  link.click();
  URL.revokeObjectURL(link.href);
  tell("decisions.tsv is saved");
}

for (const radio of document.querySelectorAll("input[name=show]")) {
  radio.addEventListener("change", () => filter(radio.value));
}
document.addEventListener("change", count);
document.getElementById("save").addEventListener("click", save);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.type === "radio") return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    go(event.key === "j" ? 1 : -1);
  }
});
document.querySelector("form").hidden = false;
count();
