// The picture of the phone: pointing at it shows the element, a click taps or selects.

const glass = byId("glass");
const picture = byId("picture");
const overlay = svg("svg", { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
append(glass, overlay);

let frame = [9, 19]; // what the picture shows, in device pixels: more than the screen where refs stand in a margin

function drawPicture(screen) {
  const has = Boolean(screen && screen.picture);
  picture.hidden = !has;
  byId("no-picture").hidden = has;
  const address = has ? `${byId("refs").checked ? "marked" : "picture"}/${encodeURIComponent(screen.id)}` : "";
  if (has && picture.dataset.shown !== address) {
    picture.dataset.shown = address;
    picture.src = address;
  }
  drawFrame(screen);
  drawMarks();
}

// A picture with refs is at most 1,000 pixels long, and a margin lies right of it or below.
function drawFrame(screen) {
  frame = screen ? screen.size : [9, 19];
  if (screen && screen.picture && byId("refs").checked && picture.complete && picture.naturalWidth) {
    const scale = Math.min(1, 1000 / Math.max(...frame));
    const size = [picture.naturalWidth, picture.naturalHeight];
    frame = frame.map((side, at) => (side * size[at]) / Math.max(1, Math.round(side * scale)));
  }
  const [width, height] = frame;
  glass.style.setProperty("--shape", String(width / height));
  byId("phone").style.setProperty("--wider", String(screen ? width / screen.size[0] : 1));
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
}

// Without a picture each element is drawn as a rectangle, so that there is something to point at.
function drawMarks() {
  const screen = shown.screen;
  const marks = [];
  if (screen && !screen.picture) for (const one of Object.values(screen.elements)) marks.push(rectangle(one.bounds, "ghost"));
  if (screen && shown.target) marks.push(rectangle(shown.target, "target"));
  for (const [ref, kind] of [[shown.selected, "selected"], [shown.hovered, "hovered"]]) {
    const element = screen && ref ? screen.elements[ref] : null;
    if (element) marks.push(rectangle(element.bounds, "halo"), rectangle(element.bounds, kind));
  }
  replaceChildren(overlay, marks);
}

function rectangle([left, top, right, bottom], kind) {
  return svg("rect", { class: kind, x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), rx: 8 });
}

// The point of the phone's screen under the pointer, in device pixels.
function pointOf(event) {
  const box = glass.getBoundingClientRect();
  const [width, height] = shown.screen.size;
  const x = Math.floor(((event.clientX - box.left) / box.width) * frame[0]);
  const y = Math.floor(((event.clientY - box.top) / box.height) * frame[1]);
  if (x >= width + 8 || y >= height + 8) return null; // in the margin
  return [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
}

// The smallest element there; of two alike the one that the outline has last, which lies within the other.
function elementAt([x, y]) {
  let found = null;
  let smallest = Infinity;
  for (const [ref, { bounds }] of Object.entries(shown.screen.elements)) {
    const [left, top, right, bottom] = bounds;
    const area = (right - left) * (bottom - top);
    if (left <= x && x < right && top <= y && y < bottom && area <= smallest) [found, smallest] = [ref, area];
  }
  return found;
}

function clicked(event) {
  if (!shown.screen || pending || ended) return;
  const point = pointOf(event);
  if (!point) return;
  const ref = elementAt(point);
  if (!tapping()) return select(ref);
  if (ref) {
    select(ref);
    act("tap", ref);
  } else offerPoint(point);
}

function tapping() {
  return shown.mode === "live" && byId("taps").checked;
}

// Games and canvases report no element: a place has to do, and is to be meant.
function offerPoint([x, y]) {
  const step = `tap_at(${x}, ${y})`;
  const button = el("button", { type: "button", class: "plain", click: () => doStep(step) }, "Tap there: ", el("code", {}, step));
  replaceChildren(byId("answer"), el("div", { class: "answer" }, el("p", {}, "There is no element at that place."), button));
}

glass.addEventListener("mousemove", (event) => {
  if (!shown.screen) return;
  const point = pointOf(event);
  hover(point ? elementAt(point) : null, "picture");
  replaceChildren(byId("pointed"), point ? point.join(", ") : "");
});
glass.addEventListener("mouseleave", () => {
  hover(null, "picture");
  replaceChildren(byId("pointed"));
});
glass.addEventListener("click", clicked);
picture.addEventListener("load", () => drawFrame(shown.screen));
byId("refs").addEventListener("change", () => drawPicture(shown.screen));
byId("taps").addEventListener("change", () => glass.classList.toggle("taps", tapping()));
