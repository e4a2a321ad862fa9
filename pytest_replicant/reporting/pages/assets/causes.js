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
  return { ...group, cases: listed, failing, later: listed.length - failing, diverged: mostSaid(listed) };
}

// What several tests of a cause say alike is said once.
function mostSaid(cases) {
  const said = new Map();
  for (const { attempts: own } of cases) {
    const line = own[own.length - 1].divergence;
    if (line) said.set(line, (said.get(line) || 0) + 1);
  }
  const [line, times] = [...said].sort((a, b) => b[1] - a[1])[0] || ["", 0];
  return times > 1 ? { line, times } : null;
}

function drawCauses() {
  if (!causes.length) return;
  const place = document.getElementById("causes");
  place.append(el("h2", {}, causes.some((cause) => cause.failing) ? "Why tests failed" : "Why attempts failed"));
  causes.forEach((cause, index) => {
    for (const one of cause.cases) for (const attempt of one.attempts) attempt.causeNumber = index + 1;
    place.append(causeBlock(cause, index));
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
    el("div", { class: "about" }, causeFacts(cause), said(cause.message || cause.cause.message, cause)),
    el("div", { class: "cases" }, few(cause.cases, MOST_CASES, (one) => caseRow(one, cause))),
    copyButton(cause),
  );
}

// The colour of what became of its tests: trouble of the tool says nothing about the app.
function weight({ cases, failing }) {
  if (!failing) return "flaky";
  const seen = new Set(cases.flatMap((one) => one.attempts.map((attempt) => attempt.outcome)));
  return seen.size === 1 ? [...seen][0] : "failed";
}

function sizeOf({ failing, later }) {
  const words = (number) => ` ${number === 1 ? "test" : "tests"}`;
  const number = (failing || later).toLocaleString("en");
  return el("span", { class: "size" }, el("b", {}, number), words(failing || later), failing && later ? el("small", { title: "attempts that were not the last one of their test" }, `+ ${later.toLocaleString("en")} retried`) : null);
}

function kinds(cause) {
  const { failure_class: kind, failure_code: code, crash } = cause.cause;
  return [
    crash ? chip("app died", "bad") : null,
    cause.failing ? null : chip("only in retried attempts", "warn"),
    code && !cause.title.includes(code) ? chip(code.slice(0, 80)) : null,
    kind && !crash ? chip(kind.slice(0, 80), "quiet") : null,
  ];
}

const CAUSE_FACTS = [["Target", "target"], ["Screen", "screen"], ["In the way", "blocker"], ["Over it", "over"], ["After", "after"], ["App", "app"], ["Exception", "exception"], ["Crash", "crash"], ["In", "phase"]];

function causeFacts({ facts: known, cases, diverged }) {
  const given = CAUSE_FACTS.filter(([, name]) => known[name] && !(name === "phase" && known[name].join() === "call"));
  const several = (values) => values.map((value, at) => [at ? ", " : "", el("code", {}, shortened(value, 200))]);
  return [
    given.length ? el("dl", { class: "known" }, given.map(([words, name]) => el("div", {}, el("dt", {}, words), el("dd", {}, several(known[name]))))) : null,
    diverged ? el("p", { class: "diverged" }, shortened(diverged.line, 700), el("span", { class: "dim" }, ` (${diverged.times} of ${count(cases.length, "test")})`)) : null,
  ];
}

const MOST_SAID = 14; // lines of a message that are shown at once
const SCREEN = /^(Screen "|(.*  )?\([A-Za-z][\w.]*\)$)/; // the head of an outline
const AFTER_SCREEN = /^(Open: |Checked at )/;

// The screen at the end of a message is evidence for those who want it, not the news. Where the trace lies is in
// the links.
function parted(message) {
  const lines = message.trimEnd().split("\n");
  const begin = lines.findIndex((line, at) => at > 0 && SCREEN.test(line));
  const after = lines.findIndex((line, at) => at > begin && AFTER_SCREEN.test(line));
  const end = begin < 0 ? lines.length : after < 0 ? lines.length : after;
  const news = [...lines.slice(0, begin < 0 ? end : begin), ...lines.slice(end)].filter((line) => !line.startsWith("Open: "));
  while (news.length && !news[news.length - 1].trim()) news.pop();
  return { news, screen: begin < 0 ? [] : lines.slice(begin, end) };
}

function said(message, { title, cases }) {
  const { news, screen } = parted(message);
  const spaced = (line) => String(line).replace(/\s+/g, " ").trim();
  if (spaced(news[0]) === spaced(title)) news.shift();
  const [first, more] = [news.slice(0, MOST_SAID), news.slice(MOST_SAID)];
  const fold = (words, lines) => el("details", { class: "outline" }, el("summary", {}, words), el("pre", {}, shortened(lines.join("\n"), 8000)));
  return [
    first.length && cases.length > 1 ? el("p", { class: "example dim" }, "One of them said") : null,
    first.length ? el("pre", { class: "said" }, shortened(first.join("\n"), 1600)) : null,
    more.length ? fold(count(more.length, "more line"), more) : null,
    screen.length ? fold(`The screen, ${count(screen.length, "line")}`, screen) : null,
  ];
}

function caseRow({ test, attempts: own, ended }, { diverged }) {
  const last = own[own.length - 1];
  const detail = [test.path, last.source || last.location, last.device].filter(Boolean).filter((text, at) => at > 0 || !(last.source || last.location).startsWith(text));
  return el(
    "li",
    { class: "case" },
    mark(last.outcome),
    el(
      "div",
      { class: "what" },
      named(test.name, 200, traceOf(last, last.step), { class: "stop" }),
      ended ? null : [" ", chip(isFailing(test) ? "then failed otherwise" : "passed later", "warn")],
      own.length > 1 || test.attempts.length > 1 ? el("span", { class: "tries" }, own.map(tryLink)) : null,
      el("span", { class: "where" }, detail.map((text) => el("span", {}, shortened(text, 120)))),
      last.divergence && !(diverged && diverged.line === last.divergence) ? el("span", { class: "diverged" }, shortened(last.divergence, 700)) : null,
    ),
    el("span", { class: "side" }, el("span", {}, duration(last.duration_ms))),
  );
}

function tryLink(attempt) {
  const href = traceOf(attempt, attempt.step);
  const words = attempt.words.toLowerCase();
  return [" ", href ? el("a", { href, class: "chip" }, words) : chip(words)];
}
