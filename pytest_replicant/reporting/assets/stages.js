// Where the time went, and every outcome that was decided on the way.

function stageBars(step) {
  const timed = step.stages.filter((stage) => stage.duration_ms > 0);
  if (!timed.length) return null;
  const begin = Math.min(...step.stages.map((stage) => stage.timestamp));
  const end = Math.max(...step.stages.map((stage) => stage.timestamp + stage.duration_ms), begin + 1);
  const percent = (ms) => `${((ms / (end - begin)) * 100).toFixed(3)}%`;
  const bars = timed.map((stage) => {
    const bar = el("i", { class: `bar ${stage.stage} ${stage.result}` });
    bar.style.left = percent(stage.timestamp - begin);
    bar.style.width = percent(stage.duration_ms);
    const name = stage.attempt_index > 0 ? `${stage.stage} · attempt ${stage.attempt_index + 1}` : stage.stage;
    return el("li", { class: stage.result }, el("span", {}, name), el("span", { class: "track" }, bar), el("span", { class: "ms" }, duration(stage.duration_ms)));
  });
  return section("Where the time went", el("ol", { class: "stages" }, bars));
}

function stageTable(step) {
  if (!step.stages.length) return null;
  const began = step.stages[0].timestamp;
  const rows = step.stages.map((stage) =>
    el(
      "tr",
      { class: stage.result },
      el("td", {}, stage.stage),
      el("td", {}, stage.result),
      el("td", { class: "number" }, String(stage.attempt_index + 1)),
      el("td", { class: "number" }, `+${duration(stage.timestamp - began)}`),
      el("td", { class: "number" }, duration(stage.duration_ms)),
      el("td", {}, stage.policy ? chip(stage.policy, "warn") : null, metadata(stage.metadata)),
    ),
  );
  const heads = ["Stage", "Result", "Attempt", "At", "Took", "Notes"].map((head) => el("th", { scope: "col" }, head));
  const open = step.state === "recovered" || step.stages.some((stage) => stage.stage === "recover");
  return folded(`Trace steps (${step.stages.length})`, open, el("div", { class: "scroll" }, el("table", { class: "steps" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows))));
}

function metadata(values) {
  return Object.entries(values || {}).map(([name, value]) =>
    el("span", { class: "pair" }, el("b", {}, name), " ", shortened(spelled(value), 300)),
  );
}

function spelled(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function recovery(action) {
  if (!action || !action.recovery) return null;
  const state = action.recovery;
  return section(
    "Recovery",
    facts([
      ["Failure", `${state.runtime_code} (${state.failure_class})`],
      ["Strategy", state.recovery_strategy],
      ["Attempts", `${state.recovery_attempts} of ${state.max_recovery_attempts}`],
      ["Depth", `${state.retry_depth} of ${state.max_retry_depth}`],
      ["Ended", state.is_terminal ? "given up" : "mended"],
    ]),
  );
}
