// Screenshots with what was meant and where the finger went.

function phones(step) {
  const { before, after, target, touch } = step.event;
  const drawn = { target, touch };
  if (!before && !after) return lastSeen(step);
  if (!before || !after || before === after) {
    return el("div", { class: "phones" }, phone(before === after ? "Screen" : before ? "Before" : "Screen", before || after, drawn));
  }
  return el("div", { class: "phones" }, phone("Before", before, drawn), phone("After", after, null));
}

// A step that failed before it read anything: what was seen last is where the reader starts.
function lastSeen(step) {
  const earlier = steps.slice(0, step.index).reverse().find(({ event }) => event.after || event.before);
  if (!earlier) return null;
  return el("div", { class: "phones" }, phone("Seen last", earlier.event.after || earlier.event.before, null));
}

function phone(caption, id, drawn) {
  const snapshot = trace.snapshots[id];
  const label = el("figcaption", {}, el("b", {}, caption), ` ${snapshot ? snapshot.screen.slice(0, 120) : ""} `, el("span", { class: "id" }, id));
  return el("figure", { class: "phone" }, label, snapshot ? glass(id, snapshot, drawn) : missing("This screen was not kept."));
}

function glass(id, snapshot, drawn) {
  const shot = snapshot.screenshot;
  if (!shot) return missing("No screenshot was taken here.");
  const source = page.pictures[shot.blob];
  if (!source) return missing(`Kept beside this page: ${shot.blob}`);
  const size = snapshot.size[0] > 0 && snapshot.size[1] > 0 ? snapshot.size : [shot.width, shot.height];
  const frame = el(
    "button",
    { type: "button", class: "glass", title: "Enlarge", click: () => enlarge(frame) },
    el("img", { src: source, width: shot.width, height: shot.height, alt: `Screenshot ${id}: ${snapshot.screen}` }),
    drawn ? overlay(drawn, size) : null,
  );
  const labels = marks(id, size);
  return labels ? el("div", { class: "marked-glass" }, frame, labels) : frame;
}

function missing(reason) {
  return el("div", { class: "glass missing" }, el("span", {}, reason));
}

function overlay({ target, touch }, [width, height]) {
  const shapes = [];
  if (target) {
    const [left, top, right, bottom] = target;
    const box = { x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0), rx: width / 90 };
    shapes.push(svg("rect", { class: "halo", ...box }), svg("rect", { class: "target", ...box }));
  }
  touch.slice(1).forEach(([x, y], index) => {
    const [x1, y1] = touch[index];
    shapes.push(svg("line", { class: "halo", x1, y1, x2: x, y2: y }), svg("line", { class: "path", x1, y1, x2: x, y2: y }));
  });
  touch.forEach(([cx, cy], index) => {
    const radius = width / (index === 0 ? 24 : 34);
    shapes.push(svg("circle", { class: index === 0 ? "touch" : "touch end", cx, cy, r: radius }));
    shapes.push(svg("circle", { class: "tip", cx, cy, r: width / 110 }));
  });
  return svg("svg", { class: "overlay", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" }, shapes);
}

function enlarge(frame) {
  const dialog = el("dialog", { class: "enlarged", click: () => dialog.close(), close: () => dialog.remove() });
  const whole = frame.parentElement.classList.contains("marked-glass") ? frame.parentElement : frame;
  const copy = whole.cloneNode(true);
  for (const titled of [copy, ...copy.querySelectorAll(".glass")]) titled.removeAttribute("title");
  dialog.append(copy);
  document.body.append(dialog);
  dialog.showModal();
}
