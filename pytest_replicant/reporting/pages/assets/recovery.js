// What policies answered where something failed: what was done, what came of it, and what was refused.

// A cycle begins with the recovery that was carried out; any other answer in it, or outside of one, was refused.
function answers(step) {
  const begun = new Set();
  return step.stages
    .filter((stage) => stage.stage === "recover")
    .map((stage) => {
      const carriedOut = Boolean(stage.cycle_id) && !begun.has(stage.cycle_id);
      begun.add(stage.cycle_id);
      return { stage, notes: stage.metadata || {}, carriedOut };
    });
}

function recoveryState(step) {
  const record = step.action || step.check;
  return (record && record.recovery) || null;
}

function wasRecovered(step) {
  const state = recoveryState(step);
  return Boolean(state) && state.recovery_attempts > 0 && !state.is_terminal;
}

function recovery(step) {
  const state = recoveryState(step);
  if (!state) return null;
  const given = answers(step);
  if (!given.length && state.is_terminal) {
    return section("Recovery", el("p", {}, `${state.runtime_code} (${state.failure_class}): ${ending(state, given)}`));
  }
  return section(
    "Recovery",
    given.length ? el("ol", { class: "answers" }, given.map((answer, index) => answered(step, answer, index + 1))) : null,
    facts([
      ["Failure", `${state.runtime_code} (${state.failure_class})`],
      ["Retryable", state.retry_allowed === undefined ? "" : state.retry_allowed ? "yes" : "no"],
      ["Recoveries", `${state.recovery_attempts} of ${state.max_recovery_attempts}`],
      ["Resolved again", `${state.retry_depth} of ${state.max_retry_depth}`],
      ["Ended", ending(state, given)],
    ]),
  );
}

function ending(state, given) {
  if (!state.is_terminal) return "recovered";
  if (given.some((answer) => answer.carriedOut)) return "given up: the failure stands";
  return given.length ? "nothing was carried out: the failure stands" : "nothing was tried: the failure stands";
}

function answered(step, { stage, notes, carriedOut }, number) {
  const failed = stage.result !== "success";
  const why = [carriedOut ? "failed" : "not carried out", notes.reason].filter(Boolean).join(": ");
  const outcome = failed ? [why, "bad"] : ["done, then tried again", "good"];
  return el(
    "li",
    {},
    el("p", {}, el("b", {}, notes.strategy || "recovery"), stage.policy ? [" by ", el("b", {}, shortened(stage.policy, 100))] : null, stage.cycle_id && carriedOut ? el("span", { class: "id" }, ` ${stage.cycle_id}`) : null),
    facts([
      ["Because", notes.evidence ? shortened(notes.evidence, 600) : ""],
      ["First", shortened(spelled(notes.before || []), 600)],
      ["Target", notes.target ? el("code", {}, shortened(notes.target, 500)) : ""],
      ["Otherwise", notes.params ? shortened(spelled(notes.params), 300) : ""],
      ["Result", el("span", { class: outcome[1] }, shortened(outcome[0], 600))],
    ]),
  );
}

// What has to be known before any step is read: below the failures, above the timeline.
function drawNews() {
  const place = document.getElementById("news");
  for (const death of [...trace.deaths, ...(trace.anrs || [])].filter((one) => !namedByFailure(one))) append(place, newsItem("bad", "", death.text, "", deathLinks(death)));
  for (const one of trace.recoveries) {
    if (one.done && !one.recovered) continue; // the step that failed reports it
    const before = one.before.length ? `${one.before.join(", ")}, then ` : "";
    const done = `${one.code}  ·  ${before}${one.strategy}${one.policy ? ` by ${one.policy}` : ""}`;
    const step = stepOf(one);
    const links = step ? [el("a", { href: `#${step.id}` }, "Show the step")] : [];
    const what = `${step ? step.event.title : one.kind}${one.reason ? `: ${one.reason}` : ""}`;
    append(place, newsItem("warn", one.done ? "Recovered" : "Recovery would have tried", what, done, links));
  }
}

function newsItem(kind, title, text, more, links) {
  return el("div", { class: `news ${kind}` }, el("p", {}, title ? [el("b", {}, title), " "] : null, shortened(text, 500), more ? el("small", {}, shortened(more, 400)) : null), el("p", { class: "go" }, links));
}

function stepOf(record) {
  if (!record.kind.startsWith("expect")) return stepsById.get(record.action_id) || null;
  return steps.find((step) => step.check && step.check.kind === record.kind && step.check.action_id === record.action_id && answers(step).length) || null;
}

function deathLinks(death) {
  const step = stepsById.get(death.after) || null;
  const file = trace.attachments.find((one) => one.path && one.name.startsWith("crash of "));
  return [
    file ? el("a", { href: encodeURI(file.path) }, "Stack trace") : null,
    step ? el("a", { href: `#${step.id}` }, "Show the step") : null,
  ];
}
