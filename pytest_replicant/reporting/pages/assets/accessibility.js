// The findings of a run, by rule, and what is chosen of them in the address of the page.

const judged = JSON.parse(document.getElementById("data").textContent);
const search = document.getElementById("search");
const chosenRule = document.getElementById("rule");
const chosenScreen = document.getElementById("screen");
const rules = new Map(judged.rules.map((rule) => [rule.name, rule]));
const cards = [];

const nameOf = (one) => one.screen || one.app || "without a name";
const screenId = (one) => [one.platform, one.app, one.screen].join("\n");
const PLATFORMS = { android: "Android", ios: "iOS" };
const platformOf = (one) => (Object.hasOwn(PLATFORMS, one.platform) ? PLATFORMS[one.platform] : one.platform);

function audit({ findings, rules: ran, screens }) {
  return `${findings ? count(findings, "finding") : "No findings"} of ${count(ran, "rule")} on ${count(screens, "screen")}`;
}

function drawTop() {
  const facts = [`Run ${judged.run_id}`, moment(judged.started_at)].map((text) => el("span", {}, shortened(text, 120)));
  append(
    document.getElementById("top"),
    el("div", { class: "corner" }, themeButton()),
    el("h1", {}, audit(judged.totals)),
    el("p", { class: "sum" }, facts, el("a", { href: "index.html" }, "Index of the run"), el("a", { href: "accessibility.json" }, "As data")),
    el("p", { class: "sum" }, "Each defect once by rule and element. What no rule looks at, and what a rule could not be run on, is not in this list."),
  );
}

// A list of the browser's own is as wide as its longest line.
function options(select, every, names) {
  append(select, el("option", { value: "" }, every), names.map(([value, words]) => el("option", { value, title: words }, words.length > 60 ? `${words.slice(0, 40)} … ${words.slice(-16)}` : words)));
}

function drawTools() {
  const amount = (own) => judged.findings.filter(own).length;
  options(chosenRule, "Every rule", judged.rules.filter((rule) => rule.findings).map((rule) => [rule.name, `${rule.name} (${rule.findings})`]));
  const names = new Map(judged.findings.map((one) => [screenId(one), one]));
  options(chosenScreen, "Every screen", [...names].map(([id, one]) => [id, `${nameOf(one)}, ${platformOf(one)} (${amount((other) => screenId(other) === id)})`]));
}

function picture({ picture: data, left_out: leftOut, label, class_name: kind }) {
  if (/^data:image\/(webp|png);base64,[\w+/=]+$/.test(data)) return el("img", { src: data, alt: `${kind} ${label}` });
  return el("span", {}, leftOut ? "The picture is in blobs/" : "No picture");
}

function tests({ tests: own, more }) {
  const item = ({ test, trace, step }) => {
    const href = address(trace, ".html", step);
    const { name } = testName(test);
    return el("li", {}, el(href ? "a" : "span", { href, title: test }, name.slice(0, 120)), " ");
  };
  return el("ol", { class: "tests", "aria-label": "Tests" }, own.map(item), more ? el("li", {}, `and ${count(more, "more test")}`) : null);
}

function finding(one) {
  const [left, top, right, bottom] = one.bounds;
  const place = right > left ? `${left}, ${top}, ${right - left} × ${bottom - top} px` : "";
  const both = one.sources.length > 1 ? chip(one.sources.join(" and "), "", "Who found it") : null;
  const card = el(
    "li",
    {},
    el("div", { class: "crop" }, picture(one)),
    el(
      "div",
      { class: "finding" },
      el("p", { class: "what" }, one.ref ? [el("span", { class: "id" }, `[${one.ref}]`), " "] : null, el("b", {}, one.class_name), one.label ? [" ", el("q", {}, shortened(one.label, 160))] : null, " ", both),
      el("p", { class: "why" }, shortened(one.message, 300)),
      one.locator ? el("p", { class: "by" }, el("code", {}, shortened(one.locator, 300)), copyButton("Copy", one.locator, "Copy the locator")) : null,
      el("p", { class: "where" }, [`${nameOf(one)}`, one.app === nameOf(one) ? "" : one.app, platformOf(one), place].filter(Boolean).join(" · ")),
      tests(one),
    ),
  );
  cards.push({ card, one, words: [one.rule, one.class_name, one.label, one.message, one.locator, one.ref, nameOf(one), one.app, ...one.tests.map(({ test }) => test)].join("\n").toLowerCase() });
  return card;
}

function drawRules() {
  const drawn = judged.rules.filter((rule) => rule.findings).map((rule) => {
    const own = judged.findings.filter((one) => one.rule === rule.name);
    const block = el(
      "section",
      { class: "rule" },
      el("header", {}, el("h3", {}, rule.name, chip(count(own.length, "finding"))), el("p", {}, rule.says), el("p", { class: "dim" }, `Source: ${rule.source}. It cannot see: ${rule.cannot_see}.`)),
      el("ol", {}, own.map(finding)),
    );
    block.dataset.rule = rule.name;
    return block;
  });
  append(document.getElementById("rules"), drawn.length ? drawn : el("p", { class: "nothing" }, "These rules found nothing on these screens."));
}

function drawRan() {
  const row = (rule) => {
    const why = rule.not_run.map((one) => el("span", { class: "dim" }, `not run on ${count(one.screens, "screen")}: ${one.why}`));
    return el("tr", {}, el("td", {}, rule.name, el("span", { class: "dim" }, rule.says), why), el("td", { class: "number" }, String(rule.screens)), el("td", { class: "number" }, String(rule.findings)));
  };
  const head = ["Rule", "Screens", "Findings"].map((name, at) => el("th", { class: at ? "number" : null, scope: "col" }, name));
  append(document.getElementById("ran"), el("h2", {}, "Rules"), el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, judged.rules.map(row))));
}

function drawSeen() {
  const row = (one) => el("li", {}, `${nameOf(one)} `, el("span", { class: "dim" }, `${one.app}, ${platformOf(one)}, seen by ${count(one.tests.length, "test")}`));
  append(document.getElementById("seen"), el("details", {}, el("summary", {}, el("b", {}, `The ${count(judged.screens.length, "screen")} that ${judged.screens.length === 1 ? "was" : "were"} judged`)), el("ol", {}, judged.screens.map(row))));
}

function narrow() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const { card, one, words: own } of cards) {
    card.hidden = !((!chosenRule.value || one.rule === chosenRule.value) && (!chosenScreen.value || screenId(one) === chosenScreen.value) && words.every((word) => own.includes(word)));
    shown += !card.hidden;
  }
  for (const block of document.querySelectorAll(".rule")) block.hidden = !block.querySelector(":scope > ol > li:not([hidden])");
  replaceChildren(document.getElementById("found"), shown === cards.length ? "" : `${shown} of ${count(cards.length, "finding")}`);
}

function writeAddress() {
  const state = new URLSearchParams();
  for (const [name, field] of [["q", search], ["rule", chosenRule], ["screen", chosenScreen]]) if (field.value) state.set(name, field.value);
  if (state.toString() !== location.hash.slice(1)) remember(state.toString());
}

function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  search.value = state.get("q") || "";
  for (const [name, field] of [["rule", chosenRule], ["screen", chosenScreen]]) {
    const wanted = state.get(name) || "";
    field.value = [...field.options].some((option) => option.value === wanted) ? wanted : "";
  }
  narrow();
}

drawTop();
drawTools();
drawRules();
drawRan();
drawSeen();
readAddress();
for (const field of [search, chosenRule, chosenScreen]) {
  field.addEventListener("input", () => {
    narrow();
    writeAddress();
  });
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.matches("input, select, textarea")) return;
  event.preventDefault();
  search.focus();
});
window.addEventListener("hashchange", readAddress);
