// Marks on demand: every element of a screen with its ref, over the picture and beside the outline.

let marksShown = false;

function toggleMarks(shown = !marksShown) {
  marksShown = shown;
  document.body.classList.toggle("marked", marksShown);
  for (const button of document.querySelectorAll(".marks-button")) button.setAttribute("aria-pressed", String(marksShown));
  for (const layer of document.querySelectorAll(".marks")) placeRefs(layer);
}

function marksButton() {
  return el("button", { type: "button", class: "quiet marks-button", "aria-pressed": String(marksShown), title: "Refs over the pictures (l)", click: () => toggleMarks() }, "Refs");
}

const resized = new ResizeObserver((entries) => entries.forEach(({ target }) => placeRefs(target)));

// Small elements lie over large ones, so that each can be pointed at. The outline tells the same to who cannot see.
// What explains a failure is framed whether refs are asked for or not.
function marks(id, [width, height], near) {
  const area = ([, , , left, top, right, bottom]) => (right - left) * (bottom - top);
  const shown = marksOf(id).filter(([, , , left, top, right, bottom]) => right > left && bottom > top && right > 0 && bottom > 0 && left < width && top < height);
  if (!shown.length) return null;
  const boxes = [...shown].sort((a, b) => area(b) - area(a)).map((mark) => markBox(mark, width, height));
  for (const box of boxes) box.classList.toggle("near", Boolean(near) && near.refs.includes(box.dataset.ref));
  const layer = el("div", { class: "marks", "aria-hidden": "true" }, boxes, el("p", { class: "named" }));
  resized.observe(layer);
  return layer;
}

function markBox([ref, className, label, left, top, right, bottom], width, height) {
  const title = `[${ref}] ${className} "${label}"`;
  const box = el("span", { class: "mark-box", title, mouseenter: () => pointAt(ref, true), mouseleave: () => pointAt(ref, false), click: () => pin(ref, box) }, el("b", {}, ref));
  const part = (value, whole) => `${((value / whole) * 100).toFixed(3)}%`;
  box.dataset.ref = ref;
  box.letters = label.length;
  Object.assign(box.style, { left: part(left, width), top: part(top, height), width: part(right - left, width), height: part(bottom - top, height) });
  return box;
}

// Each ref where it covers no other and no label, small elements first; one that finds no place is a dot until it is
// pointed at.
function placeRefs(layer) {
  if (!layer.clientWidth) return;
  const boxes = [...layer.querySelectorAll(marksShown ? ".mark-box" : ".mark-box.near")].reverse();
  for (const box of boxes) box.classList.remove("crowded");
  const sizes = boxes.map((box) => [box.offsetLeft, box.offsetTop, box.offsetWidth, box.offsetHeight, box.firstChild.offsetWidth, box.firstChild.offsetHeight, box.letters]);
  const taken = [];
  boxes.forEach((box, index) => {
    const foreign = sizes.filter((other) => !contains(other, sizes[index]));
    const place = freePlace(sizes[index], [layer.clientWidth, layer.clientHeight], taken, foreign);
    box.classList.toggle("crowded", !place);
    const [x, y] = place || [sizes[index][0], sizes[index][1]];
    if (place) taken.push([x, y, x + sizes[index][4], y + sizes[index][5]]);
    Object.assign(box.firstChild.style, { left: `${x - sizes[index][0]}px`, top: `${y - sizes[index][1]}px` });
  });
}

// Within the element where its label leaves room; next to it only where no other element is, to which the ref would
// seem to belong.
function freePlace([left, top, width, height, w, h, letters], [right, bottom], taken, foreign) {
  const [end, foot] = [left + width - w, top + height - h];
  const line = right / 20; // of text, high; a phone shows some forty letters next to each other
  const lines = Math.ceil((letters * line) / 2 / Math.max(width, 1));
  const corners = [[end, top], [left, top], [end, foot], [left, foot]];
  const own = lines * line + 2 * h <= height ? corners : (letters * line) / 2 + 2 * w <= width ? [[end, (top + foot) / 2]] : [];
  const around = [[left, top - h], [end, top - h], [left, top + height], [end, top + height], [left + width, (top + foot) / 2], [left - w, (top + foot) / 2]];
  const outside = ([x, y]) => x < 0 || y < 0 || x + w > right || y + h > bottom;
  const hit = ([x, y]) => ([a, b, c, d]) => x < c && x + w > a && y < d && y + h > b;
  const free = (place) => !outside(place) && !taken.some(hit(place));
  const edges = ([a, b, c, d]) => [a, b, a + c, b + d];
  return own.find(free) || around.find((place) => free(place) && !foreign.map(edges).some(hit(place))) || null;
}

function contains([left, top, width, height], [x, y, w, h]) {
  return left <= x && top <= y && left + width >= x + w && top + height >= y + h;
}

function everyOne(ref) {
  return document.querySelectorAll(`[data-ref="${CSS.escape(ref)}"]`);
}

// The element and its lines in the outlines, wherever either is pointed at.
function pointAt(ref, on) {
  for (const one of everyOne(ref)) {
    one.classList.toggle("pointed", on);
    if (one.classList.contains("mark-box")) name(one, on || one.classList.contains("pinned"));
  }
}

function name(box, shown) {
  const named = box.parentElement.querySelector(".named");
  replaceChildren(named, shown && box.title);
  named.classList.toggle("above", box.offsetTop > box.parentElement.clientHeight / 2);
}

// What was clicked stays marked until something else is; of an element, its line is brought to sight.
function pin(ref, clicked) {
  const again = clicked.classList.contains("pinned");
  for (const one of document.querySelectorAll(".pinned")) one.classList.remove("pinned");
  const pinned = again ? [] : [...everyOne(ref)];
  if (!again && clicked.classList.contains("mark-box") && !clicked.closest("dialog")) {
    for (const fold of document.querySelectorAll("#details details.outlined")) fold.open = true;
    setTimeout(() => {
      for (const one of everyOne(ref)) one.classList.add("pinned");
      const line = document.querySelector("#details code.pinned");
      if (line) line.scrollIntoView({ block: "nearest" });
    }); // a fold fills itself once it is open
  }
  for (const one of pinned) one.classList.add("pinned");
  pointAt(ref, !again);
}

const REF_IN_LINE = /^\s*\[([a-z]\d{3,15})\]/;

function outlineLine(text, limit = 300) {
  const found = REF_IN_LINE.exec(text.slice(0, 400));
  if (!found) return el("code", {}, shortened(text, limit));
  const ref = found[1];
  const acts = { mouseenter: () => pointAt(ref, true), mouseleave: () => pointAt(ref, false), click: () => pin(ref, line) };
  const line = el("code", { ...acts, tabindex: "0", keydown: ({ key, target }) => key === "Enter" && target === line && pin(ref, line) }, shortened(text, limit));
  line.dataset.ref = ref;
  return line;
}

const MOST_LINES = 400;

function outlineList(id) {
  return grown(el("ol", { class: "outline" }), (outlineOf(id) || "").split("\n"), MOST_LINES, (line) => el("li", {}, outlineLine(line)));
}
