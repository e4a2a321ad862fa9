// What is worth a look beside the failures: folded, so that each kind is one line until it is asked for.

const BROKEN = [...FAILING, "xfailed"];
const NO_PASS = "No earlier pass"; // no known difference is no news
const MOST_NOTED = 20;
const MOST_TESTS = 5; // tests that a line names at once

function drawNotes() {
  if (run.replay) drawWarnings(); // all else is of the recorded run
  else drawAllNotes();
  const place = document.getElementById("notes");
  if (place.children.length) replaceChildren(place, el("h2", {}, "Worth a look"), ...place.children);
}

function drawWarnings() {
  note("warnings", (attempt) => attempt.warnings, "test could not be recorded in full", "tests could not be recorded in full");
}

function drawAllNotes() {
  note("divergence", (attempt) => (attempt.divergence && !attempt.divergence.startsWith(NO_PASS) ? [attempt.divergence] : []), "test took another way than when it last passed", "tests took another way than when they last passed");
  for (const { name, one, many } of run.notes) {
    note(name, (attempt) => [].concat(attempt[name] || []), one, many);
    if (name === "recovered") drawHealed();
    if (name === "read_not_checked") drawOpen();
  }
  drawWarnings();
  drawSlowest();
}

function fold(name, words, content) {
  append(document.getElementById("notes"), el("details", { class: name, id: `note-${name}` }, el("summary", { class: "stop" }, words), content));
}

// What is said alike of several tests is said once, with all of them under it.
function note(name, lines, one, many) {
  const said = new Map();
  for (const attempt of attempts.filter((other) => other.test)) {
    for (const line of new Set(lines(attempt))) {
      if (!said.has(line)) said.set(line, []);
      said.get(line).push(attempt);
    }
  }
  if (!said.size) return;
  const noted = new Set([...said.values()].flat().map((attempt) => attempt.test)).size;
  const drawn = ([line, own]) => el("li", {}, el("span", { class: "text" }, shortened(line, 700)), few(own, MOST_TESTS, (attempt) => el("li", {}, attemptName(attempt))));
  fold(name, `${noted.toLocaleString("en")} ${noted === 1 ? one : many}`, few([...said], MOST_NOTED, drawn));
}

function attemptName(attempt, step = "", source = "") {
  const again = attempt.test.attempts.length > 1 ? ` (${attempt.words.toLowerCase()})` : "";
  const line = source ? el("code", { class: "dim" }, "  ", shortened(source, 200)) : null;
  return el("span", { class: "who" }, mark(attempt.outcome), el("span", {}, named(attempt.test.name, 160, traceOf(attempt, step), { class: "stop" }), again, line));
}

// A target that moved is a line of the test to change: the old way, and the one that would hold.
function drawHealed() {
  const groups = new Map();
  let total = 0;
  for (const attempt of attempts.filter((other) => other.test)) {
    for (const healed of attempt.healed) {
      const key = JSON.stringify([healed.target, healed.found, healed.selector]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push({ attempt, healed });
      total += 1;
    }
  }
  if (total) fold("healed", `${count(total, "target")} found again under another description`, few([...groups.values()], MOST_NOTED, healedRow));
}

function healedRow(own) {
  const { target, found, selector } = own[0].healed;
  const pairs = [
    ["Said", el("code", {}, shortened(target, 200))],
    ["Found", el("code", {}, shortened(found, 200))],
    ["Would hold", selector ? el("code", { class: "good" }, shortened(selector, 300)) : "no selector names it alone"],
  ];
  return el("li", {}, facts(pairs), few(own, MOST_TESTS, ({ attempt, healed }) => el("li", {}, attemptName(attempt, healed.step, healed.source))));
}

// Where a test failed, what came after the failure was never checked, and that is no news.
function drawOpen() {
  const open = attempts.filter((attempt) => attempt.test && !BROKEN.includes(attempt.outcome) && attempt.open_actions.length);
  if (!open.length) return;
  const total = open.reduce((sum, attempt) => sum + Math.max(attempt.unverified_actions, attempt.open_actions.length), 0);
  const items = open.flatMap((attempt) => attempt.open_actions.map((action) => ({ attempt, action })));
  const drawn = ({ attempt, action }) => el("li", {}, attemptName(attempt, action.step), el("span", { class: "line" }, shortened(action.title, 300), action.source ? el("code", {}, " ", shortened(action.source, 200)) : null));
  fold("open", `${count(total, "action")} that no check verified in tests that passed${total > items.length ? ` (${items.length.toLocaleString("en")} listed)` : ""}`, few(items, MOST_NOTED, drawn));
}

function drawSlowest() {
  const steps = run.slowest.map((step) => ({ ...step, attempt: attempts[step.test] })).filter((step) => step.attempt.test && step.duration_ms > 0);
  if (!steps.length) return;
  const longest = steps[0].duration_ms;
  const drawn = (step) => {
    const bar = el("i", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${Math.max(2, (step.duration_ms / longest) * 100)}%`;
    const href = traceOf(step.attempt, step.step);
    return el("li", {}, el("span", { class: "number" }, duration(step.duration_ms)), el("span", { class: "length" }, bar), el("span", { class: "step" }, named(step.title, 160, href, { class: "stop" }), el("span", { class: "line" }, shortened(step.attempt.test.name, 160))));
  };
  fold("slowest", `Slowest steps, up to ${duration(longest)}`, few(steps, MOST_NOTED, drawn));
}
