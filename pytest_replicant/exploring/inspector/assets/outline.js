// The outline: one line an element. Pointing at a line frames the element in the picture.

const outline = byId("outline");
let rows = new Map();

function drawOutline(screen) {
  const had = outline.contains(document.activeElement);
  rows = new Map();
  replaceChildren(outline, (screen ? screen.lines : []).map(drawLine));
  mark();
  if (had) focusRow(rows.has(shown.selected) ? shown.selected : [...rows.keys()][0]);
}

function drawLine(line) {
  const kind = line.head ? "head" : line.ref ? "" : "note";
  if (!line.ref) return el("li", { class: kind, role: "presentation" }, line.text);
  const row = el(
    "li",
    { class: kind, role: "treeitem", "aria-level": line.depth + 1, tabindex: "-1", "data-ref": line.ref },
    line.head ? null : el("span", { class: "ref" }, line.ref),
    line.head ? line.text : lineParts(line.text),
  );
  row.style.setProperty("--depth", String(line.depth));
  row.addEventListener("mouseenter", () => hover(line.ref, "outline"));
  row.addEventListener("mouseleave", () => hover(null, "outline"));
  row.addEventListener("click", () => select(line.ref));
  rows.set(line.ref, row);
  return row;
}

// The class is dim, the name stands out, and the states are chips: Button "Add" [disabled].
function lineParts(text) {
  const found = /^(?<kind>[^"[\s]*)(?<rest>[^]*?)(?<states>(?: \[[a-z]+\])*)$/.exec(text);
  if (!found) return el("span", {}, text);
  const { kind, rest, states } = found.groups;
  return el(
    "span",
    { class: "words" },
    kind ? el("span", { class: "dim" }, kind) : null,
    el("span", { class: "label" }, rest),
    (states.match(/[a-z]+/g) || []).map((state) => [" ", el("span", { class: "state" }, state)]),
  );
}

function hover(ref, from) {
  if (shown.hovered === ref) return;
  shown.hovered = ref;
  mark();
  if (ref && from === "picture" && rows.has(ref)) nearest(rows.get(ref));
}

// Scrolls the list alone, and no further than it must.
function nearest(row) {
  const [top, bottom] = [row.offsetTop - outline.offsetTop, row.offsetTop - outline.offsetTop + row.offsetHeight];
  if (top < outline.scrollTop) outline.scrollTop = top;
  else if (bottom > outline.scrollTop + outline.clientHeight) outline.scrollTop = bottom - outline.clientHeight;
}

function mark() {
  const first = [...rows.keys()][0];
  for (const [ref, row] of rows) {
    row.classList.toggle("hovered", ref === shown.hovered);
    row.setAttribute("aria-selected", String(ref === shown.selected));
    row.tabIndex = ref === (rows.has(shown.selected) ? shown.selected : first) ? 0 : -1;
  }
  drawMarks();
}

function select(ref) {
  shown.selected = ref && shown.screen && ref in shown.screen.elements ? ref : null;
  if (shown.selected && rows.has(ref)) nearest(rows.get(ref));
  mark();
  return drawElement();
}

function focusRow(ref) {
  if (rows.has(ref)) rows.get(ref).focus({ preventScroll: true });
}

const STRIDES = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

outline.addEventListener("keydown", async (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in STRIDES) {
    const refs = [...rows.keys()];
    const at = refs.indexOf(document.activeElement.dataset.ref) + STRIDES[event.key];
    const ref = refs[Math.min(Math.max(at, 0), refs.length - 1)];
    event.preventDefault();
    select(ref);
    focusRow(ref);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    await select(document.activeElement.dataset.ref); // which draws the buttons
    const button = pane.querySelector(".actions button") || pane.querySelector("button");
    if (button) button.focus();
  } else if (event.key === "Escape") select(null);
});
