// To the other pages of the run: its index, its other failures, other attempts and phones of this test. Links are
// written into the page when the run ends; one that is opened alone has none.

const around = readLinks();

function readLinks() {
  try {
    return JSON.parse(document.getElementById("nav").textContent) || {};
  } catch {
    return {}; // cut off while it was written
  }
}

function hrefOf(one) {
  return one && typeof one.trace === "string" ? address(one.trace, ".html", one.step) : null;
}

// The next attempt or phone of this test, after the last one the first again.
function otherPage() {
  const { pages = [], here = 0, phones: others = [] } = around;
  return pages.length > 1 ? pages[(here + 1) % pages.length] : others[0] || null;
}

// Of a test with several phones, the page of the one whose step failed it, where that is not this one.
function failedElsewhere() {
  const { pages = [], here = 0 } = around;
  const own = pages[here];
  return own && !own.step ? pages.find((one) => one.attempt === own.attempt && one.step) : null;
}

function drawAround() {
  const { before, next, at, of, pages = [], here, phones: others = [], rerun } = around;
  const index = typeof around.index === "string" ? address(around.index, ".html") : null;
  const side = (one, words, key) => {
    const href = hrefOf(one);
    return href ? el("a", { href, title: `${one.name || "another test"} (${key})` }, words) : null;
  };
  const attempts = pages.map((one, number) => {
    const words = [`${attemptWords(one, pages).toLowerCase()}: `, el("b", {}, called(one.outcome).toLowerCase())];
    return number === here ? el("span", { class: "chip here", "aria-current": "page" }, words) : el("a", { class: "chip", href: hrefOf(one), title: one.device || null }, words);
  });
  const parts = [
    index ? el("a", { href: index, title: "All tests of the run (i)" }, "← All tests") : null,
    at ? el("span", {}, side(before, "‹ Previous", "P"), el("b", {}, ` Failure ${at} of ${of} `), side(next, "Next ›", "N")) : null,
    attempts.length ? el("span", { class: "attempts" }, attempts) : null,
    others.length ? el("span", { class: "attempts" }, others.map((one) => el("a", { class: "chip", href: hrefOf(one) }, `on ${one.device || "another phone"}: `, el("b", {}, called(one.outcome).toLowerCase())))) : null,
    rerun ? copyButton("Copy rerun command", String(rerun), String(rerun).slice(0, 400)) : null,
  ];
  append(document.getElementById("around"), parts);
}

// Of the replay of a recorded test: how it ended, and what it is a replay of.
function replayBanner() {
  const { run: name, sentence, wanted, recorded } = around.replay || {};
  const page = typeof recorded === "string" ? address(recorded, ".html") : null;
  const unexpected = wanted && wanted !== trace.test.outcome;
  return el(
    "p",
    { class: "replay" },
    el("span", {}, el("b", {}, name ? "Replay of " : "Replay"), name ? shortened(name, 120) : null, ". What the phone shows and when is as it was recorded.", page ? [" ", el("a", { href: page }, "Open the recorded trace")] : null),
    sentence && !trace.failures.length ? el("span", {}, shortened(`${called(trace.test.outcome)} ${sentence}`, 600)) : null,
    unexpected ? el("span", { class: "unexpected" }, `Expected: ${called(wanted).toLowerCase()}`) : null,
  );
}

function visit(href) {
  if (href) location.assign(href);
}
