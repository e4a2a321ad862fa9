// The left-hand side: every action and check in order, searchable.

const list = document.getElementById("steps");
const search = document.getElementById("search");
const onlyProblems = document.getElementById("only-problems");
const rows = new Map();

function drawTimeline() {
  let group = [];
  for (const step of steps) {
    const next = step.event.group;
    if (next.join("\u0000") !== group.join("\u0000") && next.length) {
      append(list, el("li", { class: "group" }, shortened(next.join("  ›  "), 120)));
    }
    group = next;
    const row = timelineRow(step);
    rows.set(step.id, row);
    append(list, row);
  }
  const around = el("li", { class: "step around" }, el("a", { href: "#about" }, el("span", { class: "mark quiet" }, "i"), el("span", { class: "title" }, "Phone, attachments, notes")));
  rows.set("about", around);
  append(list, around);
}

function timelineRow(step) {
  const { event } = step;
  const state = STATES[step.state];
  const title = event.title.slice(0, 240);
  const cut = title.indexOf(" ") < 0 ? title.length : title.indexOf(" ");
  const row = el(
    "li",
    { class: `step ${event.kind} ${state.kind}${event.group.length ? " inside" : ""}${diedAfter(step) ? " died" : ""}` },
    el(
      "a",
      { href: `#${step.id}` },
      el("span", { class: `mark ${state.kind}`, title: state.words, role: "img", "aria-label": state.words }, state.mark),
      el("span", { class: "title" }, el("b", {}, title.slice(0, cut)), title.slice(cut), el("small", {}, underline(step))),
      el("span", { class: "ms" }, event.duration_ms ? duration(event.duration_ms) : ""),
    ),
  );
  row.text = [title, step.id, underline(step), event.error.slice(0, 2000), event.group.join(" "), event.source_text].join(" ").toLowerCase();
  row.problem = isProblem(step) || diedAfter(step);
  return row;
}

// One line under a title, where there is news: why it failed, or where it led.
function underline(step) {
  const { before, after, error } = step.event;
  if (isProblem(step)) return (step.check ? step.check.observed : error.split("\n")[0]).slice(0, 160);
  if (diedAfter(step)) return "the app died after this";
  if (step.state === "recovered") return ["recovered", ...answers(step).map((answer) => answer.notes.evidence).slice(0, 1)].filter(Boolean).join(": ").slice(0, 160);
  if (step.action && step.action.details.degraded) return "degraded: at a point, not on an element";
  const [from, to] = [screenName(before), screenName(after)];
  if (step.action && from && to && from !== to) return `${from} → ${to}`.slice(0, 160);
  return step.state === "vacuous" ? STATES.vacuous.words : "";
}

function drawStrip() {
  const total = Math.max(trace.test.duration_ms, ...steps.map((step) => step.event.start_ms + step.event.duration_ms), 1);
  const strip = document.getElementById("strip");
  for (const step of steps) {
    const mark = el("a", { href: `#${step.id}`, class: `${step.event.kind} ${STATES[step.state].kind}`, title: `${step.event.title.slice(0, 120)} · ${duration(step.event.duration_ms)}`, tabindex: "-1" });
    mark.style.left = `${(step.event.start_ms / total) * 100}%`;
    mark.style.width = `${(step.event.duration_ms / total) * 100}%`;
    append(strip, mark);
  }
  strip.hidden = !steps.length;
}

function narrow() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const step of steps) {
    const row = rows.get(step.id);
    const fits = words.every((word) => row.text.includes(word)) && (!onlyProblems.checked || row.problem);
    row.hidden = !fits;
    if (fits) shown += 1;
  }
  const filtered = words.length > 0 || onlyProblems.checked;
  for (const group of list.querySelectorAll(".group")) group.hidden = filtered;
  replaceChildren(document.getElementById("found"), filtered ? `${shown} of ${steps.length}` : count(steps.length, "step"));
}

function shownIds() {
  return [...rows].filter(([, row]) => !row.hidden).map(([id]) => id);
}
