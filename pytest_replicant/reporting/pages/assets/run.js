// What the run left behind, and the words and marks for it.

const run = JSON.parse(document.getElementById("data").textContent);

const NOTHING = { attempt: 0, outcome: "", duration_ms: 0, device: "", phone: "", trace: "", trace_zip: "", trace_json: "", screenshot: "", failure: "", message: "", step: "", source: "", location: "", worker: "", unverified: "", divergence: "", unverified_actions: 0 };
const LISTS = ["vacuous", "warnings", "recovered", "recoverable", "deaths", "healed", "open_actions"];
const attempts = run.tests.map((row, index) => ({ index, ...NOTHING, ...Object.fromEntries(LISTS.map((name) => [name, []])), ...row }));
const tests = run.results.filter((result) => result.attempts.length).map((result, index) => withAttempts(result, index));

function withAttempts(result, index) {
  const own = result.attempts.map((at) => attempts[at]);
  const last = own[own.length - 1];
  const test = { index, outcome: result.outcome, attempts: own, last, ...testName(result.nodeid) };
  test.duration_ms = own.reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  for (const attempt of own) {
    attempt.test = test;
    attempt.words = wordsFor(attempt, own);
  }
  return test;
}

// A test with several phones has one record for each of them in every attempt.
function wordsFor(attempt, own) {
  const phones = own.filter((other) => other.attempt === attempt.attempt);
  const which = phones.length > 1 ? `, phone ${phones.indexOf(attempt) + 1}` : "";
  return `Attempt ${attempt.attempt + 1}${which}`;
}

const ORDER = ["failed", "error", "infra", "xpassed", "flaky", "requeued", "recovered", "passed", "xfailed", "skipped"];
const FAILING = ["failed", "error", "infra"];
const MARKS = { passed: "✓", failed: "✕", error: "!", infra: "⚡\ufe0e", recovered: "↻", flaky: "⇄", requeued: "⤳", skipped: "–", xfailed: "⊗", xpassed: "?" };
const MEANINGS = {
  passed: "passed",
  failed: "failed",
  error: "failed outside the test itself",
  infra: "tool trouble, which says nothing about the app",
  recovered: "passed after a recovery",
  flaky: "passed after an attempt that failed",
  requeued: "passed on another phone, as its first one was lost",
  skipped: "skipped",
  xfailed: "failed, as expected",
  xpassed: "passed, though a failure was expected",
};
const outcomes = [...new Set(tests.map((test) => test.outcome))].sort((a, b) => rank(a) - rank(b));

function rank(outcome) {
  const at = ORDER.indexOf(outcome);
  return at < 0 ? ORDER.length : at;
}

function amount(outcome) {
  return tests.filter((test) => test.outcome === outcome).length;
}

function called(outcome) {
  return (Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome] : outcome).toLowerCase();
}

function isFailing(test) {
  return FAILING.includes(test.outcome);
}

// The mark says by its form what its colour says; its words are for those who see neither.
function mark(outcome) {
  const words = MEANINGS[outcome] || outcome;
  return el("span", { class: `mark ${outcome}`, title: words, role: "img", "aria-label": words }, MARKS[outcome] || "•");
}

// A file of the report, as the run wrote it down; whatever else stands there becomes no link.
function address(path, ending, step = "") {
  const parts = path.split("/");
  const odd = parts[0].includes(":") || parts.some((part) => part === "" || /[\u0000-\u001f\\]/.test(part));
  if (odd || !path.endsWith(ending)) return null;
  try {
    return parts.map(encodeURIComponent).join("/") + (/^[\w.-]+$/.test(step) ? `#${step}` : "");
  } catch {
    return null; // half a surrogate pair has no place in an address
  }
}

// The beginning of a text, a link where there is somewhere to go, and the rest on demand beside it.
function named(text, limit, href, attributes = {}) {
  const whole = String(text);
  const end = whole.length > limit && /[\ud800-\udbff]/.test(whole[limit - 1]) ? limit - 1 : limit;
  const head = href
    ? el("a", { ...attributes, href, class: `open ${attributes.class || ""}` }, whole.slice(0, end))
    : el("span", attributes, whole.slice(0, end));
  if (whole.length <= limit) return head;
  const rest = el("button", { type: "button", class: "more", click: () => showRest() }, `… show ${count(whole.length - end, "more character")}`);
  const showRest = () => {
    head.append(visible(whole.slice(end)));
    rest.remove();
  };
  return [head, " ", rest];
}

function traceOf(attempt, step = "") {
  return address(attempt.trace, ".html", step);
}

// What else there is of an attempt.
function otherFiles(attempt) {
  const files = [
    ["picture", "the last picture", address(attempt.screenshot, ".webp") || address(attempt.screenshot, ".png")],
    ["zip", "trace.zip, for Playwright's trace viewer", address(attempt.trace_zip, ".zip")],
    ["json", "trace.json", address(attempt.trace_json, ".json")],
  ];
  return files.filter(([, , href]) => href).map(([name, title, href]) => el("a", { href, class: "file", title }, name));
}

// The first few of a long list, and the others when they are asked for.
function few(items, most, drawn) {
  const list = el("ol", {}, items.slice(0, most).map(drawn));
  if (items.length <= most) return list;
  const showRest = () => {
    const others = items.slice(most).map(drawn);
    rest.replaceWith(...others);
    others[0].querySelector(".stop")?.focus(); // or the keyboard would begin again at the top
  };
  const words = `Show ${(items.length - most).toLocaleString("en")} more`;
  const rest = el("li", { class: "rest" }, el("button", { type: "button", class: "more stop", click: showRest }, words));
  list.append(rest);
  return list;
}
