// The list of a run's tests: what failed comes first, everything is searchable.

const run = JSON.parse(document.getElementById("data").textContent);
const search = document.getElementById("search");
const list = document.getElementById("tests");
const ORDER = ["failed", "error", "infra", "xpassed", "recovered", "flaky", "passed", "xfailed", "skipped"];
const rank = (outcome) => (ORDER.indexOf(outcome) < 0 ? 0 : ORDER.indexOf(outcome));
const tests = run.tests.map((test, index) => ({ ...test, index })).sort((a, b) => rank(a.outcome) - rank(b.outcome) || a.index - b.index);
const outcomes = [...new Set(tests.map((test) => test.outcome))];
let wanted = null;

function drawTop() {
  const amount = (outcome) => tests.filter((test) => test.outcome === outcome).length;
  const words = outcomes.map((outcome) => `${amount(outcome)} ${(OUTCOMES[outcome] || outcome).toLowerCase()}`);
  const share = el("div", { id: "share", "aria-hidden": "true" });
  for (const outcome of outcomes) {
    const part = el("i", { class: outcome, title: `${amount(outcome)} ${outcome}` });
    part.style.flexGrow = String(amount(outcome));
    share.append(part);
  }
  document.getElementById("top").append(
    el("h1", {}, words.join(", ") || "No test used a phone"),
    el("p", {}, [`Run ${run.run_id}`, moment(run.started_at), duration(run.duration_ms)].join("  ·  ")),
    tests.length ? share : "",
  );
  drawNotes("deaths", (test) => test.deaths, "test in which an app died", "tests in which an app died");
  drawNotes("recovered", (test) => test.recovered, "test in which something had to be mended", "tests in which something had to be mended");
  drawNotes("recoverable", (test) => test.recoverable, "test where recovery would have been tried", "tests where recovery would have been tried");
  drawNotes("unverified", (test) => (test.unverified ? [test.unverified] : []), "test proves less than it seems to", "tests prove less than they seem to");
  drawNotes("vacuous", (test) => test.vacuous, "test has a check that was true before its action", "tests have checks that were true before their action");
  drawNotes("warnings", (test) => test.warnings, "test could not be recorded in full", "tests could not be recorded in full");
}

function drawNotes(name, lines, one, many) {
  const noted = tests.filter((test) => lines(test).length);
  if (!noted.length) return;
  const items = noted.flatMap((test) => lines(test).map((line) => el("li", {}, test.trace ? el("a", { href: test.trace }, testName(test.nodeid).name) : testName(test.nodeid).name, " ", shortened(line, 300))));
  document.getElementById("notes").append(el("details", { class: name }, el("summary", {}, `${noted.length} ${noted.length === 1 ? one : many}`), el("ol", {}, items)));
}

function drawFilters() {
  if (outcomes.length < 2) return;
  for (const outcome of outcomes) {
    const button = el("button", { type: "button", "aria-pressed": "false", click: () => choose(outcome) }, OUTCOMES[outcome] || outcome);
    button.dataset.outcome = outcome;
    document.getElementById("filters").append(button);
  }
}

function choose(outcome) {
  wanted = wanted === outcome ? null : outcome;
  for (const button of document.querySelectorAll("#filters button")) {
    button.setAttribute("aria-pressed", String(button.dataset.outcome === wanted));
  }
  narrow();
}

function testRow(test) {
  const { path, name } = testName(test.nodeid);
  const again = test.attempt ? ` (attempt ${test.attempt + 1})` : "";
  const content = [
    badge(test.outcome),
    el(
      "span",
      { class: "what" },
      el("b", {}, name.slice(0, 300), again),
      el("span", { class: "path" }, path.slice(0, 300)),
      test.failure ? el("span", { class: "why" }, test.failure.slice(0, 400)) : null,
      test.unverified ? el("span", { class: "note" }, test.unverified.slice(0, 300)) : null,
      noted("died", test.deaths),
      noted("note", test.recovered.map((line) => `recovered: ${line}`)),
      noted("note", test.recoverable.map((line) => `recovery would have been tried: ${line}`)),
    ),
    el("span", { class: "side" }, el("span", {}, duration(test.duration_ms)), el("span", {}, test.device.slice(0, 60))),
  ];
  const row = el("li", {}, test.trace ? el("a", { href: test.trace }, content) : el("div", {}, content));
  row.text = [test.nodeid, test.failure, test.device, test.outcome, ...test.deaths, ...test.recovered, ...test.recoverable].join(" ").toLowerCase();
  row.outcome = test.outcome;
  return row;
}

const MOST_NOTED = 5; // lines of a kind in a row; the page of the test has them all

function noted(kind, lines) {
  const shown = lines.slice(0, MOST_NOTED).map((line) => el("span", { class: kind }, line.slice(0, 300)));
  return lines.length > MOST_NOTED ? [...shown, el("span", { class: kind }, `and ${lines.length - MOST_NOTED} more`)] : shown;
}

function narrow() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of list.children) {
    row.hidden = !words.every((word) => row.text.includes(word)) || (wanted !== null && row.outcome !== wanted);
    if (!row.hidden) shown += 1;
  }
  document.getElementById("found").textContent = shown === tests.length ? count(shown, "test") : `${shown} of ${count(tests.length, "test")}`;
}

function step(by) {
  const links = [...list.querySelectorAll("li:not([hidden]) > a")];
  const at = links.indexOf(document.activeElement);
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + by, 0), links.length - 1)];
  if (next) next.focus();
}

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const typing = event.target === search;
  const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (event.key === "/" && !typing) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && typing) {
    search.value = "";
    narrow();
    search.blur();
  } else if (by && !(typing && event.key.length === 1)) {
    event.preventDefault();
    step(by);
  }
}

drawTop();
drawFilters();
list.append(...tests.map(testRow));
narrow();
search.addEventListener("input", narrow);
document.addEventListener("keydown", pressed);
