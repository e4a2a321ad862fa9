// Screenshots with what was meant and where the finger went.

function phones(step) {
  const { before, after, target, touch } = step.event;
  const { id, elements, words } = isProblem(step) ? nearOf(step) : { elements: [] };
  const near = (shown) => (shown === id ? { refs: elements.map((one) => one.ref), words } : null);
  if (!before && !after) return lastSeen(step);
  if (!before || !after || before === after) {
    const shown = before || after;
    return el("div", { class: "phones" }, phone(before === after ? "Screen" : before ? "Before" : "Screen", shown, { target, touch, near: near(shown) }));
  }
  return el("div", { class: "phones" }, phone("Before", before, { target, touch, near: near(before) }), phone("After", after, { touch: [], near: near(after) }));
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
  const source = page.pictures[shot.blob] || encodeURI(shot.blob);
  const size = snapshot.size[0] > 0 && snapshot.size[1] > 0 ? snapshot.size : [shot.width, shot.height];
  const fits = sameShape(size, [shot.width, shot.height]);
  const frame = el(
    "button",
    { type: "button", class: "glass", title: "Enlarge", click: () => enlarge(whole) },
    el("img", { src: source, width: shot.width, height: shot.height, alt: `Screenshot ${id}: ${snapshot.screen}`, error: () => replaceWith(whole, missing("Its picture is in the folder of the run, which is not at hand: ", source.slice(0, 200))) }),
    drawn && fits && (drawn.target || drawn.touch.length) ? overlay(drawn, size) : null,
  );
  const whole = el("div", { class: shot.width > shot.height ? "marked-glass wide" : "marked-glass" }, frame, fits ? marks(id, size, drawn && drawn.near) : null);
  whole.redrawn = () => glass(id, snapshot, drawn);
  whole.shape = shot.width / Math.max(shot.height, 1);
  if (fits) return whole;
  const words = `The picture is ${shot.width} × ${shot.height}, the screen was read as ${size.join(" × ")}: it turned in between, so nothing is drawn on it.`;
  return el("div", {}, whole, el("p", { class: "dim turned" }, words));
}

// A picture may be smaller than the screen; one of another shape is of another moment, and marks on it would lie.
function sameShape([width, height], [w, h]) {
  return !(w > 0 && h > 0) || Math.abs((width * h) / (height * w) - 1) < 0.05;
}

function missing(...reason) {
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

// As large as the window allows. The arrows go to the other picture of the step, so that the two can be compared.
function enlarge(whole) {
  const others = [...document.querySelectorAll("#details .marked-glass")];
  const dialog = el("dialog", { class: "enlarged", "aria-label": "Screenshot", close: () => dialog.remove(), click: (event) => event.target.closest(".mark-box") || dialog.close(), keydown: pressedThere });
  const put = (shown) => {
    const copy = [shown.redrawn()].flat()[0];
    replaceChildren(dialog, copy);
    dialog.style.setProperty("--shape", shown.shape);
  };
  function pressedThere(event) {
    if (event.key === "l") toggleMarks();
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = others[others.indexOf(whole) + by];
    if (!by || !next) return;
    event.preventDefault();
    whole = next;
    put(whole);
  }
  put(whole);
  append(document.body, dialog);
  dialog.showModal();
}
