// The right-hand side: everything known about the selected step.

function details(step) {
  const { action, check } = step;
  const failed = isProblem(step);
  const rest = [messageOf(step), failed ? [sourceLines(step.event), outlines(step)] : null, check ? reads(check) : changes(step), about(step), action ? verification(action) : null];
  return [
    head(step),
    failed ? looks(step) : null,
    el("div", { class: "screens" }, phones(step), el("div", { class: "answer" }, answer(step)), el("div", { class: "rest" }, rest)),
    failed ? null : looks(step),
    stageBars(step),
    recovery(step),
    deviceLog(step),
    failed ? null : outlines(step),
    stageTable(step),
    action && Object.keys(action.details).length ? folded("Details", false, facts(Object.entries(action.details).map(([name, value]) => [name, shortened(spelled(value), 2000)]))) : null,
  ];
}

function head(step) {
  const { event, action, check } = step;
  const state = STATES[step.state];
  const place = [`Step ${step.index + 1} of ${steps.length}`, ...event.group];
  return el(
    "header",
    { class: "head" },
    el("p", { class: "place" }, place.join("  ›  ")),
    el("h2", {}, shortened(event.title, 400)),
    el(
      "p",
      { class: "chips" },
      chip(`${state.mark} ${state.words}`, state.kind),
      check && check.soft ? chip("soft", "", "Collected, not raised at once") : null,
      action && action.failure_code ? chip(action.failure_code, "bad") : null,
      check && check.vacuous && step.state !== "vacuous" ? chip(STATES.vacuous.words, "warn") : null,
      action && action.details.degraded ? chip("degraded", "warn", "Went to a point of the screen, not to an element that was found there") : null,
      event.duration_ms ? chip(duration(event.duration_ms)) : null,
      chip(`at ${duration(event.start_ms)}`, "quiet"),
    ),
  );
}

// Equal reads in a row are one line: a screen that never changed is one fact, not forty. The record keeps of them
// the first and, at the end, the last; how many there were is what the stage says.
function reads(check) {
  const runs = [];
  for (const read of check.reads) {
    const last = runs[runs.length - 1];
    if (last && last.observed === read.observed && last.held === read.held) last.until = read.at;
    else runs.push({ ...read, until: read.at });
  }
  const lines = runs.map((run) => {
    const [kind, words] = run.held ? ["held", "held"] : NO_READ.test(run.observed) ? ["none", "no read"] : ["not", "not yet"];
    const from = run.at.toFixed(2);
    const until = run.until.toFixed(2);
    return el(
      "li",
      { class: kind },
      el("span", { class: "number" }, from === until ? `${from} s` : `${from} – ${until} s`),
      el("span", {}, shortened(run.observed, 300)),
      el("span", { class: "mark" }, words),
    );
  });
  return lines.length ? section(`What it saw, in ${count(readsMade(check), "read")}`, el("ol", { class: "reads" }, lines)) : null;
}

// Evidence of nothing: the read failed, or what the test had announced came up in it.
const NO_READ = /^(read failed: |interrupt: )/;

function readsMade(check) {
  const last = ((check.trace && check.trace.steps) || [])
    .filter((stage) => stage.stage === "verify" && !(stage.metadata && stage.metadata.after_the_verdict)).pop();
  const recorded = last && last.metadata ? last.metadata.reads : 0;
  return Math.max(Number(recorded) || 0, check.reads.length);
}

function about(step) {
  const { event, action } = step;
  const resolved = action ? action.target.resolved : null;
  const locator = locatorOf(step);
  const source = event.source && !(isProblem(step) && Object.hasOwn(page.sources, event.source))
    ? el("span", {}, el("code", {}, event.source), event.source_text ? el("code", { class: "line" }, shortened(event.source_text.trim(), 500)) : null)
    : "";
  return facts([
    ["Target", locator ? el("span", {}, el("code", {}, shortened(locator, 500)), " ", copyButton("copy", locator, "Copy the locator")) : ""],
    ["Element", resolved ? elementLine(resolved) : ""],
    ["Source", source],
    ["Awaited", event.details ? shortened(event.details.awaited, 500) : ""],
    ["Met by", event.details ? shortened(event.details.observed, 500) : ""],
    ["Ended", event.details ? `${event.details.result} after ${duration(event.details.waited_ms || 0)}` : ""],
    ["Reads", event.details ? `${event.details.reads}${event.details.failed_reads ? `, ${event.details.failed_reads} more failed` : ""}` : ""],
    ["Belongs to", step.owner ? stepLink(stepsById.get(step.owner.action_id)) : ""],
  ]);
}

function elementLine(element) {
  const [left, top, right, bottom] = element.bounds;
  return el(
    "span",
    {},
    refLink(element.ref),
    ` ${element.class_name} `,
    element.label ? el("q", {}, shortened(element.label, 200)) : null,
    element.context && element.context !== element.label ? [" in row ", el("q", {}, shortened(element.context, 200))] : null,
    el("span", { class: "dim" }, ` ${element.resource_id} ${right - left} × ${bottom - top} at ${left}, ${top}`),
  );
}

function verification(action) {
  const links = checksOf(action).map((step) => el("li", {}, stepLink(step), isProblem(step) ? verdict(step, true) : null));
  return links.length ? section("Checked by", el("ul", { class: "links" }, links)) : null;
}

function stepLink(step) {
  if (!step) return "";
  const state = STATES[step.state];
  return el("a", { href: `#${step.id}`, class: "step-link" }, el("span", { class: `mark ${state.kind}` }, state.mark), " ", step.event.title.slice(0, 200));
}

function background() {
  const device = Object.entries(trace.device).map(([name, value]) => [name.replaceAll("_", " "), shortened(spelled(value), 500)]);
  const files = trace.attachments.map((file) =>
    el("li", {}, file.path ? el("a", { href: encodeURI(file.path) }, file.name) : file.name, el("span", { class: "dim" }, ` ${file.media_type}, ${file.bytes.toLocaleString("en")} bytes`)),
  );
  return [
    el("header", { class: "head" }, el("p", { class: "place" }, "Around the test"), el("h2", {}, "Phone, attachments, notes")),
    section("Phone", facts(device)),
    files.length ? section("Attachments", el("ul", { class: "links" }, files)) : null,
    wholeLog(),
    trace.warnings.length ? section("Not recorded", el("ul", { class: "links" }, trace.warnings.map((line) => el("li", {}, shortened(line))))) : null,
    section("Test", facts([["Node id", el("code", {}, shortened(trace.test.nodeid))], ["Location", el("code", {}, trace.test.location)], ["Attempt", String(trace.test.attempt + 1)]])),
  ];
}
