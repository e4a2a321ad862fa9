// What is worth a look beside the failures: folded, so that each kind is one line until it is asked for.

const MOST_NOTED = 20;

function drawNotes() {
  note("deaths", (attempt) => attempt.deaths, "test in which an app died", "tests in which an app died");
  note("divergence", (attempt) => (attempt.divergence ? [attempt.divergence] : []), "test took another way than when it last passed", "tests took another way than when they last passed");
  note("recovered", (attempt) => attempt.recovered, "test in which something had to be mended", "tests in which something had to be mended");
  drawHealed();
  note("recoverable", (attempt) => attempt.recoverable, "test where recovery would have been tried", "tests where recovery would have been tried");
  note("unverified", (attempt) => (attempt.unverified ? [attempt.unverified] : []), "test proves less than it seems to", "tests prove less than they seem to");
  note("vacuous", (attempt) => attempt.vacuous, "test has a check that was true before its action", "tests have checks that were true before their action");
  note("warnings", (attempt) => attempt.warnings, "test could not be recorded in full", "tests could not be recorded in full");
  drawSlowest();
  const place = document.getElementById("notes");
  if (place.children.length) place.prepend(el("h2", {}, "Worth a look"));
}

function fold(name, words, content) {
  document.getElementById("notes").append(el("details", { class: name }, el("summary", { class: "stop" }, words), content));
}

function note(name, lines, one, many) {
  const items = attempts.filter((attempt) => attempt.test).flatMap((attempt) => lines(attempt).map((line) => ({ attempt, line })));
  if (!items.length) return;
  const noted = new Set(items.map((item) => item.attempt.test)).size;
  fold(name, `${noted.toLocaleString("en")} ${noted === 1 ? one : many}`, few(items, MOST_NOTED, ({ attempt, line }) => el("li", {}, attemptName(attempt), el("span", { class: "line" }, shortened(line, 300)))));
}

function attemptName(attempt, step = "") {
  const again = attempt.test.attempts.length > 1 ? ` (attempt ${attempt.attempt + 1})` : "";
  return el("span", { class: "who" }, mark(attempt.outcome), " ", named(attempt.test.name, 160, traceOf(attempt, step), { class: "stop" }), again);
}

// A target that moved is a line of the test to change: the old way, and the one that would hold.
function drawHealed() {
  const items = attempts.filter((attempt) => attempt.test).flatMap((attempt) => attempt.healed.map((healed) => ({ attempt, healed })));
  if (!items.length) return;
  fold("healed", `${count(items.length, "target")} found again under another description`, few(items, MOST_NOTED, healedRow));
}

function healedRow({ attempt, healed }) {
  const pairs = [
    ["Said", el("code", {}, shortened(healed.target, 200))],
    ["Was", el("code", {}, shortened(healed.found, 200))],
    ["Would hold", healed.selector ? el("code", { class: "good" }, shortened(healed.selector, 300)) : "no selector that names it alone"],
    ["Line", healed.source ? el("code", {}, shortened(healed.source, 200)) : ""],
  ];
  return el("li", {}, attemptName(attempt, healed.step), facts(pairs));
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
