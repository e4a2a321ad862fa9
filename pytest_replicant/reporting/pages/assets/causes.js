// Failures grouped by what caused them: the biggest group first, the reader's first half minute.

const MOST_CASES = 6; // tests of a cause that are listed at once
const OPEN_AT_FIRST = 3;

const causes = run.causes.map((group) => withCases(group)).sort((a, b) => b.failing - a.failing || b.cases.length - a.cases.length);

// A test that failed twice by the same cause is one case with two attempts.
function withCases(group) {
  const cases = new Map();
  for (const attempt of group.tests.map((at) => attempts[at])) {
    if (!attempt.test) continue;
    if (!cases.has(attempt.test)) cases.set(attempt.test, []);
    cases.get(attempt.test).push(attempt);
  }
  const earlier = new Set(group.earlier);
  const ended = (test, own) => isFailing(test) && own.some((attempt) => !earlier.has(attempt.index));
  const listed = [...cases].map(([test, own]) => ({ test, attempts: own, ended: ended(test, own) })).sort((a, b) => b.ended - a.ended);
  const failing = listed.filter((one) => one.ended).length;
  const known = listed.filter(({ test }) => test.outcome === "known flaky").length;
  return { ...group, cases: listed, failing, known, later: listed.length - failing - known, diverged: mostSaid(listed) };
}

// What several tests of a cause say alike, numbers of steps apart, is said once.
function withoutSteps(line) {
  return line.replace(/step \d+ of \d+/g, "step");
}

function mostSaid(cases) {
  const said = new Map();
  for (const { attempts: own } of cases) {
    const line = shownAttempt(own).divergence;
    if (!line) continue;
    const known = said.get(withoutSteps(line));
    said.set(withoutSteps(line), { line: known ? known.line : line, times: known ? known.times + 1 : 1 });
  }
  const [most] = [...said.values()].sort((a, b) => b.times - a.times);
  return most && most.times > 1 ? most : null;
}

function drawCauses() {
  if (!causes.length) return;
  const place = document.getElementById("causes");
  append(place, el("h2", {}, causes.some((cause) => cause.failing) ? "Why tests failed" : "Why attempts failed"));
  causes.forEach((cause, index) => {
    for (const one of cause.cases) for (const attempt of one.attempts) attempt.causeNumber = index + 1;
    append(place, causeBlock(cause, index));
  });
}

function causeBlock(cause, index) {
  const several = causes.length > OPEN_AT_FIRST;
  return el(
    "details",
    { class: `cause ${weight(cause)}`, id: `cause-${index + 1}`, open: !several || index === 0 },
    el(
      "summary",
      { class: "stop" },
      sizeOf(cause),
      el("span", { class: "title" }, shortened(cause.title, 300)),
      el("span", { class: "kinds" }, kinds(cause)),
    ),
    el("div", { class: "about" }, causeFacts(cause), said(cause.message || cause.cause.message, cause.title, cause.cases.length > 1 ? "One of them said" : null)),
    el("div", { class: "cases" }, few(cause.cases, MOST_CASES, (one) => caseRow(one, cause))),
    copyButton("Copy as Markdown", () => causeAsMarkdown(cause)),
  );
}

// The colour of what became of its tests: trouble of the tool says nothing about the app.
function weight({ cases, failing }) {
  if (!failing) return "flaky";
  const seen = new Set(cases.flatMap((one) => one.attempts.map((attempt) => attempt.outcome)));
  return seen.size === 1 ? styleOf([...seen][0]) : "failed";
}

function sizeOf({ failing, known, later }) {
  const kinds = [[failing], [known, "known", MEANINGS["known flaky"]], [later, "retried", "attempts that were not the last one of their test"]];
  const [[shown], ...more] = kinds.filter(([number]) => number);
  const small = more.map(([number, words, title]) => el("small", { title }, `+ ${number.toLocaleString("en")} ${words}`));
  return el("span", { class: "size" }, el("b", {}, shown.toLocaleString("en")), shown === 1 ? " test" : " tests", small);
}

function kinds(cause) {
  const several = (pairs, total) => [...pairs].map(([text, number]) => `${text.slice(0, 80)}${pairs.size > 1 || number < total ? ` × ${number}` : ""}`);
  const total = cause.cases.length;
  const [classes, codes] = [0, 1].map((place) => tally(cause.kinds, place));
  const named = codes.size === 1 && cause.title.includes([...codes.keys()][0]);
  const broken = tally(cause.cases.filter((one) => one.ended).map(({ attempts: own }) => [called(shownAttempt(own).outcome).toLowerCase(), 1]), 0);
  return [
    cause.cause.crash ? chip("app died", "bad") : null,
    cause.failing ? null : chip(cause.known ? "known flaky" : "only in retried attempts", "warn"),
    broken.size > 1 ? chip([...broken].map(([words, number]) => `${number} ${words}`).join(", "), "quiet") : null,
    named ? null : several(codes, total).map((text) => chip(text)),
    cause.cause.crash ? null : several(classes, total).map((text) => chip(text, "quiet")),
  ];
}

// How often each word stands at a place, the most frequent first; the last number of an entry is how often it does.
function tally(entries, place) {
  const found = new Map();
  for (const entry of entries) if (entry[place]) found.set(entry[place], (found.get(entry[place]) || 0) + entry[entry.length - 1]);
  return new Map([...found].sort((a, b) => b[1] - a[1]));
}

const CAUSE_FACTS = [["Target", "target"], ["Nearest", "nearest"], ["In its place", "instead"], ["Screen", "screen"], ["In the way", "blocker"], ["Over it", "over"], ["After", "after"], ["Exception", "exception"], ["Crash", "crash"], ["In", "phase"]];

function causeFacts({ facts: known, cases, diverged }) {
  const given = CAUSE_FACTS.filter(([, name]) => known[name] && !(name === "phase" && known[name].join() === "call"));
  const several = (values) => values.map((value, at) => [at ? ", " : "", el("code", {}, shortened(value, 200))]);
  return [
    given.length ? el("dl", { class: "known" }, given.map(([words, name]) => el("div", {}, el("dt", {}, words), el("dd", {}, several(known[name]))))) : null,
    diverged ? el("p", { class: "diverged" }, shortened(diverged.line, 700), el("span", { class: "dim" }, ` (${diverged.times} of ${count(cases.length, "test")})`)) : null,
  ];
}

function caseRow({ test, attempts: own, ended }, { diverged }) {
  const last = shownAttempt(own);
  const detail = [test.path, last.source || last.location, last.device].filter(Boolean).filter((text, at) => at > 0 || !(last.source || last.location).startsWith(text));
  return el(
    "li",
    { class: "case" },
    mark(last.outcome),
    el(
      "div",
      { class: "what" },
      named(test.name, 200, traceOf(last, last.step), { class: "stop" }),
      ended ? null : [" ", chip(isFailing(test) ? "then failed otherwise" : test.outcome === "known flaky" ? `known: ${last.known_flaky.slice(0, 80)}` : "passed later", "warn")],
      own.length > 1 || test.attempts.length > 1 ? el("span", { class: "tries" }, triedWith(test, own).map(tryLink)) : null,
      el("span", { class: "where" }, detail.map((text) => el("span", {}, shortened(text, 120)))),
      last.divergence && !(diverged && withoutSteps(diverged.line) === withoutSteps(last.divergence)) ? el("span", { class: "diverged" }, shortened(last.divergence, 700)) : null,
    ),
    el("span", { class: "side" }, el("span", {}, duration(last.duration_ms)), last.rerun ? copyButton("rerun", last.rerun, `Copy: ${last.rerun.slice(0, 400)}`) : null),
  );
}

// Of the same attempts the other phones too, whatever became of them there.
function triedWith(test, own) {
  return test.attempts.filter((one) => own.some((other) => other.attempt === one.attempt));
}

function tryLink(attempt) {
  const href = traceOf(attempt, attempt.step);
  const words = attempt.words.toLowerCase();
  return [" ", href ? el("a", { href, class: "chip" }, words) : chip(words)];
}
