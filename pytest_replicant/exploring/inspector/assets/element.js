// The selected element: its locators, its facts, its actions and its checks.

const pane = byId("element");

async function drawElement() {
  const ref = shown.selected;
  if (!ref || !shown.screen) return replaceChildren(pane, el("p", { class: "dim hint" }, hint()));
  const id = shown.screen.id;
  let known;
  try {
    known = await fetched(`element/${encodeURIComponent(id)}/${encodeURIComponent(ref)}`);
  } catch (error) {
    if (shown.selected === ref) replaceChildren(pane, el("p", { class: "dim hint" }, error.message));
    return undefined;
  }
  if (shown.selected === ref && shown.screen.id === id) replaceChildren(pane, elementParts(known));
  return undefined;
}

function hint() {
  if (shown.mode !== "live") return "Choose an element, in the picture or in the outline, to see its locators.";
  return "Choose an element of the outline to see its locators, actions and checks.";
}

function elementParts(known) {
  const live = shown.mode === "live";
  const same = known.action && known.action.code === known.check.code;
  return [
    el("h2", {}, shortened(known.name, 120), " ", el("span", { class: "ref" }, known.ref)),
    el("div", { class: "locators" }, same ? locator("Locator", known.action) : [known.action ? locator("To act", known.action) : null, locator("To check", known.check)]),
    live ? el("div", { class: "actions", role: "group", "aria-label": "Actions" }, actions(known)) : null,
    live && known.checks.length ? el("div", { class: "checks", role: "group", "aria-label": "Checks" }, el("span", { class: "dim" }, "Check"), known.checks.map(checkButton)) : null,
    live && known.field ? typing(known) : null,
    el("details", {}, el("summary", {}, "Facts"), facts(known.facts.map(([name, value]) => [name, value ? shortened(value, 300) : ""]))),
  ];
}

function locator(name, found) {
  const warnings = found.unique || found.warnings.length ? found.warnings : ["matches others as well"];
  return el(
    "div",
    { class: "locator" },
    el("span", { class: "dim" }, name),
    el("code", {}, found.code),
    copyButton("Copy", found.code, `Copy the locator: ${found.code}`),
    warnings.map((line) => el("p", { class: "warning" }, line)),
  );
}

function actions(known) {
  const button = (words, verb, kind) => el("button", { type: "button", class: kind, click: () => act(verb, known.ref) }, words);
  return [button("Tap", "tap", "main"), button("Long press", "long_press", "plain")];
}

function checkButton({ label, step }) {
  return el("button", { type: "button", class: "plain check", title: step, click: () => check(step) }, label);
}

// What a masked field is given stays out of the test: it reads the value from the environment, by this name.
function typing(known) {
  const text = el("input", { id: "typed", type: known.password ? "password" : "text", autocomplete: "off", spellcheck: "false", placeholder: known.password ? "value, which is not written down" : "text", "aria-label": known.password ? "Secret value" : "Text to type" });
  const name = known.password ? el("input", { id: "secret-name", type: "text", autocomplete: "off", spellcheck: "false", value: variable(known.name), "aria-label": "Name of the environment variable" }) : null;
  const submit = (event) => {
    event.preventDefault();
    if (!name) return doStep(`fill("${known.ref}", ${JSON.stringify(text.value)})`);
    return doStep(`fill("${known.ref}", env=${JSON.stringify(name.value)})`, text.value ? { [name.value]: text.value } : {});
  };
  return el(
    "form",
    { class: "typing", submit },
    el("div", { class: "line" }, name, text, el("button", { type: "submit", class: "plain" }, "Type")),
    name ? el("p", { class: "dim" }, "The test reads it from the environment, by that name.") : null,
  );
}

function variable(label) {
  const name = label.normalize("NFD").toUpperCase().replace(/[^A-Z0-9]+/g, "_").replace(/^_+|_+$/g, "").slice(0, 40);
  return /^[A-Z]/.test(name) ? name : "SECRET";
}

function act(verb, ref) {
  return doStep(`${verb}("${ref}")`);
}
