// Which tests fail now and then, by which cause, and how often in the runs that are known.

const MOST_FLAKY = 20;

function drawFlaky() {
  if (!run.flaky.length) return;
  append(document.getElementById("flaky"), el("h2", {}, "Flaky by cause"), el("div", { class: "cases" }, few(run.flaky, MOST_FLAKY, flakyRow)));
}

function flakyRow(one) {
  const percent = (share) => `${Math.round(share * 100)} %`;
  const known = tests.find((test) => test.last.nodeid === one.test);
  const { path, name } = testName(one.test);
  const others = one.passed_on || [];
  const about = [
    `failed in ${one.failed} of ${count(one.runs, "attempt")}: ${percent(one.low)} to ${percent(one.high)} with 95 % confidence`,
    one.first_seen ? `first seen ${moment(one.first_seen)}` : "",
    one.phones.length ? `on ${one.phones.join(", ")}` : "",
    others.length ? `passed on ${others.join(", ")}` : "",
    path,
  ].filter(Boolean);
  return el(
    "li",
    { class: "flaky" },
    el("b", { class: "rate" }, percent(one.failed / Math.max(one.runs, 1))),
    el(
      "div",
      { class: "what" },
      named(name, 200, known && traceOf(known.last, known.last.step), { class: "stop" }),
      one.kind ? [" ", chip(`looks like ${one.kind}`, "warn")] : null,
      dots({ history: one.history || "" }),
      el("span", { class: "why" }, shortened(one.cause, 300)),
      one.parts_at ? el("span", { class: "diverged" }, "Attempts that pass and fail part at ", shortened(one.parts_at, 300)) : null,
      el("span", { class: "where" }, about.map((text) => el("span", {}, shortened(text, 200)))),
    ),
  );
}
