// What the run left behind, and the words and marks for it.

const run = JSON.parse(document.getElementById("data").textContent);

const NOTHING = { attempt: 0, outcome: "", duration_ms: 0, device: "", phone: "", trace: "", trace_zip: "", trace_json: "", screenshot: "", failure: "", message: "", step: "", source: "", location: "", worker: "", unverified: "", read_not_checked: "", divergence: "", rerun: "", known_flaky: "", case_id: "", unverified_actions: 0 };
const LISTS = ["warnings", "recovered", "recoverable", "deaths", "anrs", "healed", "open_actions"];
const attempts = run.tests.map((row, index) => ({ index, ...NOTHING, ...Object.fromEntries(LISTS.map((name) => [name, []])), ...row }));
const tests = run.results.filter((result) => result.attempts.length).map((result, index) => withAttempts(result, index));

function withAttempts(result, index) {
  const own = result.attempts.map((at) => attempts[at]);
  const last = shownAttempt(own);
  const test = { index, nodeid: result.nodeid, outcome: result.outcome, attempts: own, last, history: result.history || "", ...testName(result.nodeid) };
  test.duration_ms = own.reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  for (const attempt of own) {
    attempt.test = test;
    attempt.words = attemptWords(attempt, own);
  }
  return test;
}

const ORDER = ["failed", "error", "infra", ...VERDICTS.slice(0, -1), "xpassed", "known flaky", "flaky", "requeued", "recovered", "holds on the recording", "passed", "xfailed", "skipped"];
const FAILING = ["failed", "error", "infra"];
const MARKS = { passed: "✓", failed: "✕", error: "!", infra: "⚡\ufe0e", recovered: "↻", flaky: "⇄", "known flaky": "≈", requeued: "⤳", skipped: "–", xfailed: "⊗", xpassed: "?", reproduced: "≡", "holds on the recording": "○", "fails on the recording": "⊘", diverged: "≠", "beyond the recording": "…" };
const MEANINGS = {
  passed: "passed",
  failed: "failed",
  error: "failed outside the test itself",
  infra: "tool trouble, which says nothing about the app",
  recovered: "passed after a recovery",
  flaky: "passed after an attempt that failed",
  "known flaky": "failed by a cause that is listed as known, which does not fail the run",
  requeued: "passed on another phone, as its first one was lost",
  skipped: "skipped",
  xfailed: "failed, as expected",
  xpassed: "passed, though a failure was expected",
  reproduced: "failed as when it was recorded, at the same step",
  "holds on the recording": "nothing failed on the recording; it did not run on a phone, and is no pass",
  "fails on the recording": "failed otherwise than when it was recorded",
  diverged: "did something else than when it was recorded",
  "beyond the recording": "asked for what was not recorded",
};
const PLURAL = { "holds on the recording": "hold on the recording", "fails on the recording": "fail on the recording" };
const outcomes = [...new Set(tests.map((test) => test.outcome))].sort((a, b) => rank(a) - rank(b));

function rank(outcome) {
  const at = ORDER.indexOf(outcome);
  return at < 0 ? ORDER.length : at;
}

function amount(outcome) {
  return tests.filter((test) => test.outcome === outcome).length;
}

function wordsFor(outcome) {
  return (amount(outcome) !== 1 && PLURAL[outcome]) || called(outcome).toLowerCase();
}

function amountOf(outcome) {
  return `${amount(outcome).toLocaleString("en")} ${wordsFor(outcome)}`;
}

function isFailing(test) {
  return FAILING.includes(test.outcome);
}

// The mark says by its form what its colour says; its words are for those who see neither.
function mark(outcome) {
  const words = MEANINGS[outcome] || outcome;
  return el("span", { class: `mark ${styleOf(outcome)}`, title: words, role: "img", "aria-label": words }, MARKS[outcome] || "•");
}

// How the test ended in each of the last runs, the present one last: a sign by its form, and in words.
const LETTERS = { p: "passed", r: "recovered", f: "failed", e: "error", i: "infra", k: "flaky", q: "requeued", n: "known flaky", s: "skipped", x: "xfailed" };

function dots({ history }) {
  if (history.length < 2) return null;
  const parts = [];
  [...history].forEach((letter, at) => {
    const last = parts[parts.length - 1];
    if (last && last.letter === letter) last.signs += 1;
    else parts.push({ letter, at, signs: 1 });
  });
  const words = (letter) => (LETTERS[letter] ? called(LETTERS[letter]).toLowerCase() : "did not run");
  const place = ({ at, signs }) => `${signs > 1 ? `runs ${at + 1} to ${at + signs}` : `run ${at + 1}`} of ${history.length}`;
  const total = [...new Set(history)].map((letter) => `${[...history].filter((one) => one === letter).length} ${words(letter)}`).join(", ");
  const signs = parts.map((part) => el("i", { class: styleOf(LETTERS[part.letter]), title: `${place(part)}: ${words(part.letter)}` }, (part.letter === "p" ? "•" : MARKS[LETTERS[part.letter]] || "·").repeat(part.signs)));
  return el("span", { class: "dots", role: "img", "aria-label": `Last ${history.length} runs, oldest first: ${total}` }, signs);
}

// The beginning of a text, a link where there is somewhere to go, and the rest on demand beside it.
function named(text, limit, href, attributes = {}) {
  const whole = textOf(text);
  const end = whole.length > limit && /[\ud800-\udbff]/.test(whole[limit - 1]) ? limit - 1 : limit;
  const head = href
    ? el("a", { ...attributes, href, class: `open ${attributes.class || ""}` }, whole.slice(0, end))
    : el("span", attributes, whole.slice(0, end));
  if (whole.length <= limit) return head;
  const rest = el("button", { type: "button", class: "more", click: () => showRest() }, `… show ${count(whole.length - end, "more character")}`);
  const showRest = () => {
    append(head, whole.slice(end));
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
    replaceWith(rest, others);
    others[0].querySelector(".stop")?.focus(); // or the keyboard would begin again at the top
  };
  const words = `Show ${(items.length - most).toLocaleString("en")} more`;
  const rest = el("li", { class: "rest" }, el("button", { type: "button", class: "more stop", click: showRest }, words));
  append(list, rest);
  return list;
}
