// The device log: what the phone wrote down while a step ran, and all of it for who looks for more.

const logs = trace.logs || [];
const LOUD = { W: "warn", E: "bad", F: "bad" };
const LEVELS = [["V", "all"], ["I", "info and above"], ["W", "warnings and errors"], ["E", "errors"]];
const WEIGHT = "VDIWEF";
const MOST_LOGGED = 200; // lines that are drawn at once

// The first entry at or after a moment of the test.
function firstFrom(ms) {
  let [low, high] = [0, logs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (logs[middle].at_ms < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

// From when a step began until the next one did: what an action sets off may be logged after it ended. A check that
// failed is read with what was logged since its action.
function loggedDuring(step) {
  const next = steps[step.index + 1];
  const cause = isProblem(step) && step.owner ? stepsById.get(step.owner.action_id) : null;
  const begin = step.index === 0 ? 0 : (cause || step).event.start_ms;
  const end = next ? Math.max(next.event.start_ms, begin + 1) : Infinity;
  return logs.slice(firstFrom(begin), end === Infinity ? logs.length : firstFrom(end));
}

function deviceLog(step) {
  const lines = loggedDuring(step);
  if (!lines.length) return null;
  const loud = lines.filter((line) => LOUD[line.level]).length;
  const title = `Device log (${count(lines.length, "line")}${loud ? `, ${loud} loud` : ""})`;
  return folded(title, isProblem(step) && loud > 0, logList(lines));
}

function wholeLog() {
  if (!logs.length) return null;
  const place = el("div", {});
  const words = el("input", { type: "search", placeholder: "Search the log", "aria-label": "Search the log", autocomplete: "off" });
  const level = el("select", { "aria-label": "Level" }, LEVELS.map(([value, name]) => el("option", { value }, name)));
  const draw = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const heavy = WEIGHT.indexOf(level.value);
    const fits = (line) => WEIGHT.indexOf(line.level) >= heavy && wanted.every((word) => `${line.tag} ${line.message}`.toLowerCase().includes(word));
    const found = logs.filter(fits);
    replaceChildren(place, el("p", { class: "dim" }, `${found.length.toLocaleString("en")} of ${count(logs.length, "line")}`), logList(found));
  };
  words.addEventListener("input", draw);
  level.addEventListener("change", draw);
  draw();
  return section("Device log of the test", el("div", { class: "log-tools" }, words, level), place);
}

function logList(lines) {
  return grown(el("ol", { class: "log" }), lines, MOST_LOGGED, logLine);
}

function logLine(line) {
  return el(
    "li",
    { class: LOUD[line.level] || "" },
    el("span", { class: "number" }, `${(line.at_ms / 1000).toFixed(3)} s`),
    el("b", { title: line.level }, line.level),
    el("span", { class: line.app ? "tag own" : "tag", title: line.app ? `${line.app}, process ${line.pid}` : `process ${line.pid}` }, shortened(line.tag, 60)),
    el("span", { class: "said" }, shortened(line.message, 600)),
  );
}
