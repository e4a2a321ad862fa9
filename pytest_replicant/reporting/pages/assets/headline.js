// The top of the page: how the run went, in one line and one bar.

const replayed = new Map((run.replay ? run.replay.tests : []).map((one) => [one.nodeid, one]));

function headline() {
  if (run.replay) {
    const unexpected = [...replayed.values()].filter((one) => one.verdict !== one.wanted).length;
    return unexpected ? `${unexpected} of ${count(replayed.size, "replay")} did not end as expected` : `${replayed.size === 1 ? "The replay" : `All ${count(replayed.size, "replay")}`} ended as expected`;
  }
  const failing = tests.filter(isFailing).length;
  if (!tests.length) return "No test used a phone";
  if (failing && causes.some((cause) => cause.failing)) return `${count(failing, "failure")}, ${count(causes.filter((cause) => cause.failing).length, "cause")}`;
  if (outcomes.length === 1 && outcomes[0] === "passed") return tests.length === 1 ? "The test passed" : `All ${count(tests.length, "test")} passed`;
  return outcomes.map(amountOf).join(", ");
}

function phones() {
  const names = [...new Set(attempts.map((attempt) => attempt.device).filter(Boolean))];
  const shown = names.slice(0, 3).map((name) => el("span", {}, shortened(name, 60)));
  return names.length > 3 ? [...shown, el("span", {}, `and ${count(names.length - 3, "more phone")}`)] : shown;
}

function drawTop() {
  const facts = [`Run ${run.run_id}`, moment(run.started_at), duration(run.duration_ms)].map((text) => el("span", {}, shortened(text, 120)));
  append(
    document.getElementById("top"),
    el("div", { class: "corner" }, themeButton(), el("button", { type: "button", class: "quiet", title: "Keys (?)", "aria-label": "Keys", click: showHelp }, "?")),
    el("h1", {}, headline()),
    el("p", { class: "sum" }, facts),
    run.replay ? replayBanner(run.replay) : el("p", { class: "sum" }, phones()),
    run.accessibility ? judgedScreens(run.accessibility) : null,
    tests.length ? el("div", { id: "totals", role: "group", "aria-label": "Outcomes" }, outcomes.map(total)) : null,
    tests.length > 1 ? share() : null,
  );
}

// What it is a replay of: nothing here happened on a phone.
function replayBanner({ run: name, recorded_at: when, phone, app, revision, tests: own }) {
  const one = own.find(({ recorded }) => recorded);
  const index = one ? address(one.recorded.replace(/[^/]+\/trace\.html$/, "index.html"), ".html") : null;
  const facts = [when ? `recorded ${moment(when)}` : "", phone ? `on ${phone}` : "", app ? `app ${app}` : "", revision ? `revision ${revision}` : ""].filter(Boolean).join(", ");
  return el("p", { class: "replay" }, el("span", {}, el("b", {}, "Replay of "), named(name, 120, index), facts ? [": ", shortened(facts, 400)] : null), el("span", { class: "dim" }, "No test ran on a phone: these are no passes and no failures."));
}

function judgedScreens({ findings, rules, screens, page }) {
  const words = `${findings ? count(findings, "finding") : "no findings"} of ${count(rules, "rule")} on ${count(screens, "screen")}`;
  const href = address(page, ".html");
  return el("p", { class: "sum" }, el("span", {}, "Accessibility: ", href ? el("a", { href }, words) : words));
}

function total(outcome) {
  const button = el(
    "button",
    { type: "button", class: styleOf(outcome), "aria-pressed": "false", title: MEANINGS[outcome] || null, click: () => chooseFromTop(outcome) },
    mark(outcome),
    el("b", {}, amount(outcome).toLocaleString("en")),
    ` ${wordsFor(outcome)}`,
  );
  button.dataset.outcome = outcome;
  return button;
}

function share() {
  const bar = el("div", { id: "share", "aria-hidden": "true" });
  for (const outcome of outcomes) {
    const part = el("i", { class: styleOf(outcome), title: amountOf(outcome) });
    part.style.flexGrow = String(amount(outcome));
    append(bar, part);
  }
  return bar;
}

function drawEnvironment() {
  const pairs = Object.entries(run.environment).map(([name, value]) => [shortened(name, 80), shortened(spelled(value), 400)]);
  if (pairs.length) append(document.getElementById("environment"), el("details", { id: "run-environment" }, el("summary", { class: "stop" }, "Environment"), facts(pairs)));
}
