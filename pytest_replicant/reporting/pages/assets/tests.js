// The list of all tests: searchable, by outcome and phone, in the order one likes.

const search = document.getElementById("search");
const list = document.getElementById("tests");
const chosen = { outcome: document.getElementById("outcome"), device: document.getElementById("device"), order: document.getElementById("order") };
const rows = new Map();
const AT_ONCE = 150; // rows that are drawn before the page answers; the others follow while it is idle
const MOST_LINES = 5; // lines of a kind in a row; the page of the test has them all
let drawing = 0;

const COMPARED = {
  failures: (a, b) => rank(a.outcome) - rank(b.outcome) || a.index - b.index,
  file: (a, b) => compared(a.place.path, b.place.path) || a.place.line - b.place.line || compared(a.last.nodeid, b.last.nodeid) || a.index - b.index,
  slowest: (a, b) => b.duration_ms - a.duration_ms || a.index - b.index,
};

function compared(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function prepare(test) {
  const found = /^(.*):(\d+)$/s.exec(test.last.location);
  test.place = { path: found ? found[1] : test.path, line: found ? Number(found[2]) : 0 };
  test.devices = new Set(test.attempts.map((attempt) => attempt.device));
  const searched = (attempt) => [attempt.failure, attempt.device, attempt.outcome, attempt.location, attempt.source, attempt.worker, attempt.unverified, attempt.divergence, attempt.known_flaky, attempt.case_id, ...attempt.deaths, ...attempt.recovered, ...attempt.recoverable, (replayed.get(test.nodeid) || {}).sentence];
  test.text = [test.last.nodeid, test.outcome, ...test.attempts.flatMap(searched)].join(" ").toLowerCase();
}

function drawTools() {
  tests.forEach(prepare);
  const devices = [...new Set(attempts.map((attempt) => attempt.device).filter(Boolean))].sort();
  offer(chosen.outcome, "All outcomes", outcomes.map((outcome) => [outcome, `${MARKS[outcome] || "•"} ${called(outcome).toLowerCase()} (${amount(outcome)})`]));
  offer(chosen.device, "All phones", devices.map((device) => [device, device.slice(0, 60)]));
  document.getElementById("all").hidden = !tests.length;
  search.addEventListener("input", narrow);
  for (const select of Object.values(chosen)) select.addEventListener("change", narrow);
}

// A choice of one is none. Options are known by their place: a phone's name may hold anything.
function offer(select, all, options) {
  append(select, el("option", { value: "" }, all), options.map(([, words], at) => el("option", { value: at }, words)));
  select.values = options.map(([value]) => value);
  select.hidden = options.length < 2;
}

function picked(select) {
  return select.value === "" ? null : select.values[Number(select.value)];
}

function choose(outcome) {
  chosen.outcome.value = outcome === null ? "" : String(outcomes.indexOf(outcome));
  narrow();
}

function chooseFromTop(outcome) {
  choose(picked(chosen.outcome) === outcome ? null : outcome);
  document.getElementById("all").scrollIntoView();
}

function showAll() {
  if (!search.value && !chosen.device.value && !chosen.outcome.value) return;
  search.value = "";
  chosen.device.value = "";
  choose(null);
}

function shownTests() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [outcome, device] = [picked(chosen.outcome), picked(chosen.device)];
  const fits = (test) => (outcome === null || test.outcome === outcome) && (device === null || test.devices.has(device)) && words.every((word) => test.text.includes(word));
  return tests.filter(fits).sort(COMPARED[chosen.order.value]);
}

function narrow() {
  const shown = shownTests();
  const outcome = picked(chosen.outcome);
  for (const button of document.querySelectorAll("#totals button")) button.setAttribute("aria-pressed", String(button.dataset.outcome === outcome));
  const amounts = shown.length === tests.length ? count(shown.length, "test") : `${shown.length.toLocaleString("en")} of ${count(tests.length, "test")}`;
  replaceChildren(document.getElementById("found"), amounts, shown.length < tests.length ? [" ", el("button", { type: "button", class: "more", click: showAll }, "Show all")] : null);
  writeAddress();
  replaceChildren(list, shown.slice(0, AT_ONCE).map(rowOf));
  drawing += 1;
  drawRest(shown, AT_ONCE, drawing);
}

function drawRest(shown, from, mine) {
  if (from >= shown.length) return;
  setTimeout(() => {
    if (mine !== drawing) return; // another search has begun
    append(list, shown.slice(from, from + AT_ONCE).map(rowOf));
    drawRest(shown, from + AT_ONCE, mine);
  });
}

function drawAllRows() {
  drawing += 1;
  replaceChildren(list, shownTests().map(rowOf));
}

function rowOf(test) {
  if (!rows.has(test)) rows.set(test, testRow(test));
  return rows.get(test);
}

function testRow(test) {
  const { last } = test;
  const once = test.attempts.length === 1;
  return el(
    "li",
    { class: styleOf(test.outcome) },
    mark(test.outcome),
    el(
      "div",
      { class: "what" },
      named(test.name, 300, traceOf(last), { class: `name${once && traceOf(last) ? " stop" : ""}` }),
      once && last.attempt ? ` (attempt ${last.attempt + 1})` : null,
      test.outcome === "passed" || test.outcome === "failed" ? null : [" ", badge(test.outcome)],
      el("span", { class: "path" }, shortened(last.location || test.path, 200), dots(test)),
      once ? outcomeDetails(last) : null,
    ),
    el("span", { class: "side" }, el("span", {}, duration(test.duration_ms)), once ? deviceAndFiles(last) : null),
    once ? null : el("ol", { class: "attempts" }, test.attempts.map(attemptRow)),
  );
}

function attemptRow(attempt) {
  const { words } = attempt;
  const href = traceOf(attempt);
  return el(
    "li",
    {},
    mark(attempt.outcome),
    el("div", { class: "what" }, href ? el("a", { href, class: "open stop" }, words) : words, ` ${called(attempt.outcome).toLowerCase()}`, outcomeDetails(attempt)),
    el("span", { class: "side" }, el("span", {}, duration(attempt.duration_ms)), deviceAndFiles(attempt)),
  );
}

function deviceAndFiles(attempt) {
  const where = [attempt.device.slice(0, 60), attempt.phone.slice(0, 60), attempt.worker.slice(0, 20)].filter(Boolean).join(" · ");
  return el("span", { class: "device" }, el("span", {}, where), otherFiles(attempt), attempt.rerun ? copyButton("rerun", attempt.rerun, `Copy: ${attempt.rerun.slice(0, 400)}`) : null);
}

function outcomeDetails(attempt) {
  const ended = replayed.get(attempt.test.nodeid);
  return [
    ended ? replayDetails(ended) : attempt.failure ? el("span", { class: "why" }, shortened(attempt.failure, 400), causeLink(attempt)) : null,
    attempt.message.includes("\n") ? el("details", { class: "outline" }, el("summary", {}, "All it said"), el("pre", {}, shortened(attempt.message, 8000))) : null,
    attempt.divergence ? el("span", { class: "diverged" }, shortened(attempt.divergence, 700)) : null,
    attempt.known_flaky ? el("span", { class: "note" }, "known: ", shortened(attempt.known_flaky, 300)) : null,
    attempt.unverified ? el("span", { class: "note" }, shortened(attempt.unverified, 300)) : null,
    lines("died", attempt.deaths),
    lines("did not respond", attempt.anrs),
    lines("note", attempt.recovered.map((line) => `recovered: ${line}`)),
    lines("note", attempt.recoverable.map((line) => `recovery would have been tried: ${line}`)),
  ];
}

function replayDetails({ verdict, wanted, sentence, recorded }) {
  const page = address(recorded, ".html");
  return [
    el("span", { class: verdict === wanted ? "path" : "why" }, shortened(sentence, 400)),
    verdict === wanted ? null : el("span", { class: "note" }, "expected: ", called(wanted).toLowerCase()),
    page ? el("span", { class: "note" }, el("a", { href: page }, "as it was recorded")) : null,
  ];
}

function lines(kind, texts) {
  const shown = texts.slice(0, MOST_LINES).map((text) => el("span", { class: kind }, shortened(text, 300)));
  return texts.length > MOST_LINES ? [...shown, el("span", { class: kind }, `and ${texts.length - MOST_LINES} more`)] : shown;
}

function causeLink(attempt) {
  if (!attempt.causeNumber || causes.length < 2) return null;
  return [" ", el("a", { class: "to-cause", href: `#cause-${attempt.causeNumber}`, click: () => (document.getElementById(`cause-${attempt.causeNumber}`).open = true) }, `cause ${attempt.causeNumber}`)];
}
