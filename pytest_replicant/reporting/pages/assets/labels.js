// Marks on demand: every element of a screen with its ref, over the picture and beside the outline.

let marksShown = false;

function toggleMarks(shown = !marksShown) {
  marksShown = shown;
  document.body.classList.toggle("marked", marksShown);
  for (const button of document.querySelectorAll(".marks-button")) button.setAttribute("aria-pressed", String(marksShown));
}

function marksButton() {
  return el("button", { type: "button", class: "quiet marks-button", "aria-pressed": String(marksShown), title: "Refs over the pictures (l)", click: () => toggleMarks() }, "Refs");
}

// Small elements lie over large ones, so that each can be pointed at.
function marks(id, [width, height]) {
  const area = ([, , , left, top, right, bottom]) => (right - left) * (bottom - top);
  const shown = marksOf(id).filter(([, , , left, top, right, bottom]) => right > left && bottom > top && right > 0 && bottom > 0 && left < width && top < height);
  if (!shown.length) return null;
  return el("div", { class: "marks" }, [...shown].sort((a, b) => area(b) - area(a)).map((mark) => markBox(mark, width, height)));
}

function markBox([ref, className, label, left, top, right, bottom], width, height) {
  const box = el("span", { class: "mark-box", title: `[${ref}] ${className} "${label}"`, mouseenter: () => pointAt(ref, true), mouseleave: () => pointAt(ref, false) }, el("b", {}, ref));
  const part = (value, whole) => `${((value / whole) * 100).toFixed(3)}%`;
  box.dataset.ref = ref;
  Object.assign(box.style, { left: part(left, width), top: part(top, height), width: part(right - left, width), height: part(bottom - top, height) });
  return box;
}

// The element and its lines in the outlines, wherever either is pointed at.
function pointAt(ref, on) {
  for (const one of document.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`)) one.classList.toggle("pointed", on);
}

const REF_IN_LINE = /\[([a-z]\d{3,15})\]/;

function outlineLine(text, limit = 300) {
  const line = el("code", { mouseenter: () => on(true), mouseleave: () => on(false) }, shortened(text, limit));
  const found = REF_IN_LINE.exec(text.slice(0, 400));
  if (found) line.dataset.ref = found[1];
  const on = (pointed) => found && pointAt(found[1], pointed);
  return line;
}

const MOST_LINES = 400;

function outlineList(id) {
  const lines = (outlineOf(id) || "").split("\n");
  const list = el("div", { class: "outline" });
  const add = (from) => {
    list.append(...lines.slice(from, from + MOST_LINES).map((line) => outlineLine(line)));
    const left = lines.length - from - MOST_LINES;
    if (left <= 0) return;
    const more = el("button", { type: "button", class: "more", click: () => (more.remove(), add(from + MOST_LINES)) }, `⋯ ${count(left, "more line")}`);
    list.append(more);
  };
  add(0);
  return list;
}
