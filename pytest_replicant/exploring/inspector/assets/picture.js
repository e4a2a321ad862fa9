// The picture of the phone: pointing at it shows the element, a click taps or selects.

const glass = byId("glass");
const picture = byId("picture");
const overlay = svg("svg", { class: "overlay", preserveAspectRatio: "none", "aria-hidden": "true" });
glass.append(overlay);

function drawPicture(screen) {
  const [width, height] = screen ? screen.size : [9, 19];
  glass.style.setProperty("--shape", String(width / height));
  overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const has = Boolean(screen && screen.picture);
  picture.hidden = !has;
  byId("no-picture").hidden = has;
  if (has && picture.dataset.id !== screen.id) {
    picture.dataset.id = screen.id;
    picture.src = `picture/${encodeURIComponent(screen.id)}`;
  }
  drawMarks();
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
  overlay.replaceChildren(...marks);
}

function rectangle([left, top, right, bottom], kind) {
  return svg("rect", { class: kind, x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top), rx: 8 });
}

// The point of the phone's screen under the pointer, in device pixels.
function pointOf(event) {
  const box = glass.getBoundingClientRect();
  const [width, height] = shown.screen.size;
  const x = Math.floor(((event.clientX - box.left) / box.width) * width);
  const y = Math.floor(((event.clientY - box.top) / box.height) * height);
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
  byId("answer").replaceChildren(el("div", { class: "answer" }, el("p", {}, "There is no element at that place."), button));
}

glass.addEventListener("mousemove", (event) => {
  if (!shown.screen) return;
  const point = pointOf(event);
  hover(elementAt(point), "picture");
  byId("pointed").textContent = point.join(", ");
});
glass.addEventListener("mouseleave", () => {
  hover(null, "picture");
  byId("pointed").textContent = "";
});
glass.addEventListener("click", clicked);
byId("taps").addEventListener("change", () => glass.classList.toggle("taps", tapping()));
