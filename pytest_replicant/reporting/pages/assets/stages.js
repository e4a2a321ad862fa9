// Where the time went, and every outcome that was decided on the way.

function stageBars(step) {
  const timed = step.stages.filter((stage) => stage.duration_ms > 0 || stage.stage === "recover");
  if (!timed.length) return null;
  const begin = Math.min(...step.stages.map((stage) => stage.timestamp));
  const end = Math.max(...step.stages.map((stage) => stage.timestamp + stage.duration_ms), begin + 1);
  const percent = (ms) => `${((ms / (end - begin)) * 100).toFixed(3)}%`;
  const bars = timed.map((stage) => {
    const bar = el("i", { class: `bar ${stage.stage} ${stage.result}` });
    bar.style.left = percent(stage.timestamp - begin);
    bar.style.width = percent(stage.duration_ms);
    const name = stage.attempt_index > 0 ? `${stage.stage} · attempt ${stage.attempt_index + 1}` : stage.stage;
    const notes = waitedFor(stage);
    return el(
      "li",
      { class: stage.result },
      el("span", {}, name),
      el("span", { class: "track" }, bar),
      el("span", { class: "ms" }, duration(stage.duration_ms)),
      notes ? el("small", {}, shortened(notes, 300)) : null,
    );
  });
  return section("Where the time went", el("ol", { class: "stages" }, bars));
}

// What took it so long, and what it left out of account.
function waitedFor({ metadata = {}, result }) {
  return [
    metadata.waited_for ? `waited: ${metadata.waited_for}` : "",
    metadata.masked ? `never at rest, so left out of account here: ${metadata.masked}` : "",
    metadata.failed_reads ? `${count(metadata.failed_reads, "read")} failed` : "",
    metadata.keyboard ? `keyboard ${metadata.keyboard}` : "",
    result === "retry" ? metadata.reason : "",
  ]
    .filter(Boolean)
    .join("  ·  ");
}

function stageTable(step) {
  if (!step.stages.length) return null;
  const began = step.stages[0].timestamp;
  const heads = ["Stage", "Result", "At", "Took", "Notes"].map((head) => el("th", { scope: "col" }, head));
  const attempts = [...new Set(step.stages.map((stage) => stage.attempt_index))];
  const bodies = attempts.map((attempt) => {
    const own = step.stages.filter((stage) => stage.attempt_index === attempt);
    return el("tbody", {}, attempts.length > 1 ? attemptHead(own, attempt) : null, own.map((stage) => stageRow(stage, began)));
  });
  const open = step.stages.some((stage) => stage.stage === "recover");
  return folded(`Trace steps (${step.stages.length})`, open, el("div", { class: "scroll" }, el("table", { class: "steps" }, el("thead", {}, el("tr", {}, heads)), bodies)));
}

function attemptHead(stages, attempt) {
  const cycle = stages.find((stage) => stage.cycle_id);
  return el("tr", { class: "attempt" }, el("th", { colspan: "5", scope: "rowgroup" }, `Attempt ${attempt + 1}`, cycle ? el("span", { class: "id" }, ` recovery ${cycle.cycle_id}`) : null));
}

function stageRow(stage, began) {
  return el(
    "tr",
    { class: stage.result },
    el("td", {}, stage.stage),
    el("td", {}, stage.result),
    el("td", { class: "number" }, `+${duration(stage.timestamp - began)}`),
    el("td", { class: "number" }, duration(stage.duration_ms)),
    el("td", { class: "notes" }, stage.policy ? chip(stage.policy, "warn") : null, metadata(stage.metadata)),
  );
}

function metadata(values) {
  return Object.entries(values || {})
    .map(([name, value]) => [name, spelled(value)])
    .filter(([, words]) => words)
    .map(([name, words]) => el("span", { class: "pair" }, el("b", {}, name.replaceAll("_", " ")), " ", shortened(words, 300)));
}
