// The top of the page: how the run went, in one line and one bar.

function headline() {
  const failing = tests.filter(isFailing).length;
  if (!tests.length) return "No test used a phone";
  if (failing && causes.some((cause) => cause.failing)) return `${count(failing, "failure")}, ${count(causes.filter((cause) => cause.failing).length, "cause")}`;
  if (outcomes.length === 1 && outcomes[0] === "passed") return tests.length === 1 ? "The test passed" : `All ${count(tests.length, "test")} passed`;
  return outcomes.map((outcome) => `${amount(outcome).toLocaleString("en")} ${called(outcome).toLowerCase()}`).join(", ");
}

function phones() {
  const names = [...new Set(attempts.map((attempt) => attempt.device).filter(Boolean))];
  const shown = names.slice(0, 3).map((name) => el("span", {}, shortened(name, 60)));
  return names.length > 3 ? [...shown, el("span", {}, `and ${count(names.length - 3, "more phone")}`)] : shown;
}

function drawTop() {
  const facts = [`Run ${run.run_id}`, moment(run.started_at), duration(run.duration_ms)].map((text) => el("span", {}, shortened(text, 120)));
  document.getElementById("top").append(
    el("div", { class: "corner" }, themeButton(), el("button", { type: "button", class: "quiet", title: "Keys (?)", "aria-label": "Keys", click: showHelp }, "?")),
    el("h1", {}, headline()),
    el("p", { class: "sum" }, facts),
    el("p", { class: "sum" }, phones()),
    tests.length ? el("div", { id: "totals", role: "group", "aria-label": "Outcomes" }, outcomes.map(total)) : null,
    tests.length > 1 ? share() : null,
  );
}

function total(outcome) {
  const button = el(
    "button",
    { type: "button", class: styleOf(outcome), "aria-pressed": "false", title: MEANINGS[outcome] || null, click: () => chooseFromTop(outcome) },
    mark(outcome),
    el("b", {}, amount(outcome).toLocaleString("en")),
    ` ${called(outcome).toLowerCase()}`,
  );
  button.dataset.outcome = outcome;
  return button;
}

function share() {
  const bar = el("div", { id: "share", "aria-hidden": "true" });
  for (const outcome of outcomes) {
    const part = el("i", { class: styleOf(outcome), title: `${amount(outcome)} ${called(outcome).toLowerCase()}` });
    part.style.flexGrow = String(amount(outcome));
    bar.append(part);
  }
  return bar;
}

function drawEnvironment() {
  const pairs = Object.entries(run.environment).map(([name, value]) => [shortened(name, 80), shortened(typeof value === "string" ? value : JSON.stringify(value), 400)]);
  if (pairs.length) document.getElementById("environment").append(el("details", { id: "run-environment" }, el("summary", { class: "stop" }, "Environment"), facts(pairs)));
}
