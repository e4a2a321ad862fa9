// What failed the test, and the step that each failure leads to.

function drawFailures() {
  const place = document.getElementById("failures");
  for (const failure of trace.failures) {
    const first = failure.message.split("\n", 1)[0];
    const death = deathIn(failure);
    const where = [failure.exception, failure.source, failure.phase === "call" ? "" : `in ${failure.phase}`].filter(Boolean);
    // What its step says is not said twice.
    const rest = stepsById.has(failure.step) ? [] : [said(failure.message, first), sourceLines(failure, false)].flat().filter(Boolean);
    const head = [
      el("span", {}, el("b", {}, shortened(first, 400)), where.length ? el("small", {}, shortened(where.join("  ·  "), 300)) : null),
      el("span", { class: "go" }, death ? deathLinks(death) : failureLink(failure), copyButton("Copy", failure.message, "Copy the error")),
    ];
    const begun = rest.length && !firstProblem() ? { open: true } : {};
    append(place, rest.length ? el("details", { class: "blame", ...begun }, el("summary", {}, head), rest) : el("div", { class: "blame" }, el("div", { class: "line" }, head)));
  }
}

function failureLink(failure) {
  const step = stepOfFailure(failure);
  if (step) return el("a", { href: `#${step.id}` }, "Show the step");
  const elsewhere = hrefOf(failedElsewhere());
  if (elsewhere) return el("a", { href: elsewhere }, "Open the phone on which it failed");
  const last = lastBefore(failure);
  return last ? el("a", { href: `#${last.id}` }, "Show the last step before it") : null;
}

// The step that raised it, else the one after which the app died; the only failure is that of the first problem.
function stepOfFailure(failure) {
  const raising = failure.step ? stepsById.get(failure.step) : null;
  const death = deathIn(failure);
  const only = trace.failures.length === 1 ? firstProblem() : null;
  const there = steps.filter((step) => isProblem(step) && failure.source && step.event.source === failure.source).pop();
  return raising || (death && stepsById.get(death.after)) || there || only || null;
}

// A failure of the test's own code belongs to no step: what was done last shows the screen it happened on.
function lastBefore(failure) {
  if (failure.phase === "setup" && !steps.length) return null;
  const there = steps.filter((step) => failure.source && step.event.source === failure.source).pop();
  return there || steps[steps.length - 1] || null;
}

// A crash that failed the test is shown with that failure, and not a second time.
function deathIn(failure) {
  return (failure.failure && failure.failure.problem === "death" && trace.deaths[0]) || null;
}

function namedByFailure(death) {
  return trace.failures.some((failure) => deathIn(failure) === death);
}

function diedAfter(step) {
  return Boolean(step.action) && trace.deaths.some((death) => death.after === step.id);
}

// An app may die without a step that fails of it: the reader starts where it happened.
function whereItDied() {
  return trace.test.outcome === "passed" ? null : stepsById.get((trace.deaths[0] || {}).after);
}

function whereToBegin() {
  const failure = trace.failures[0];
  return firstProblem() || whereItDied() || (failure && lastBefore(failure)) || steps.find(wasRecovered) || steps[0] || { id: "about" };
}
