// Building the page. Text reaches it only as text nodes: nothing an app shows can become markup.

const HIDDEN_CHARACTERS =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

// The text of a value, "" where there is none: no reader is shown how a script spells that.
function textOf(value) {
  if (value === null || value === undefined || value === false || Number.isNaN(value)) return "";
  return typeof value === "object" ? spelled(value) : String(value);
}

// A value as a reader would write it: no quotes and brackets around what needs none.
function spelled(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(spelled).filter(Boolean).join(", ");
  if (!value || typeof value !== "object") return textOf(value);
  const pairs = Object.entries(value).map(([name, one]) => [name, spelled(one)]);
  return pairs.filter(([, words]) => words).map((pair) => pair.join(": ")).join(", ");
}

// Control and direction marks are shown by number, so that they neither vanish nor turn a line around.
function visible(text) {
  return textOf(text).replace(HIDDEN_CHARACTERS, (character) => {
    const number = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${number}⟩`;
  });
}

function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true || value === "") node.setAttribute(name, "");
    else if (textOf(value)) node.setAttribute(name, visible(value));
  }
  return append(node, children);
}

// The ways by which something comes to stand on a page, and no script uses another: what is missing is left out.
function append(node, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child instanceof Node) node.append(child);
    else if (textOf(child)) node.append(visible(child));
  }
  return node;
}

function replaceChildren(node, ...children) {
  node.replaceChildren();
  return append(node, children);
}

function replaceWith(node, ...children) {
  node.replaceWith(append(document.createDocumentFragment(), children));
}

// The beginning of a long text, and the rest on demand.
function shortened(text, limit = 1200) {
  const whole = textOf(text);
  if (whole.length <= limit) return whole;
  const words = `… show ${(whole.length - limit).toLocaleString("en")} more characters`;
  const rest = el("button", { type: "button", class: "more", click: () => replaceWith(rest, whole.slice(limit)) }, words);
  return [whole.slice(0, limit), rest];
}

// A long list of lines a piece at a time.
function grown(list, items, most, drawn) {
  const add = (from) => {
    append(list, items.slice(from, from + most).map(drawn));
    const left = items.length - from - most;
    if (left <= 0) return;
    const more = el("li", {}, el("button", { type: "button", class: "more", click: () => (more.remove(), add(from + most)) }, `⋯ ${count(left, "more line")}`));
    append(list, more);
  };
  add(0);
  return list;
}

function section(title, ...children) {
  const content = children.flat(Infinity).filter(Boolean);
  return content.length ? el("section", { class: "part" }, el("h3", {}, title), content) : null;
}

function folded(title, open, ...children) {
  return el("details", { class: "part fold", open }, el("summary", {}, title), children);
}

function facts(pairs) {
  const rows = pairs.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]).filter(([, dd]) => dd.hasChildNodes());
  return rows.length ? el("dl", { class: "facts" }, rows.map((row) => el("div", {}, row))) : null;
}

function chip(text, kind = "", title = null) {
  return el("span", { class: `chip ${kind}`, title }, text);
}

function duration(ms) {
  if (!Number.isFinite(ms)) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}

function moment(iso) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const options = { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" };
  return `${new Intl.DateTimeFormat("en-GB", options).format(time)} UTC`;
}

function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

const OUTCOMES = {
  passed: "Passed",
  failed: "Failed",
  skipped: "Skipped",
  recovered: "Recovered",
  flaky: "Flaky",
  requeued: "Requeued",
  "known flaky": "Known flaky",
  infra: "Infra",
  error: "Error",
  xfailed: "Expected failure",
  xpassed: "Unexpected pass",
  reproduced: "Reproduced",
  "holds on the recording": "Holds on the recording",
  "fails on the recording": "Fails on the recording",
  diverged: "Diverged",
  "beyond the recording": "Beyond the recording",
};

// How the replay of a recorded test ends. None of them is a pass.
const VERDICTS = ["fails on the recording", "diverged", "beyond the recording", "reproduced", "holds on the recording"];

function called(outcome) {
  return Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome] : textOf(outcome);
}

// The style of an outcome; one that is not known has none, whatever words stand there.
function styleOf(outcome) {
  if (VERDICTS.includes(outcome)) return `replay-${outcome.split(" ")[0]}`;
  return Object.hasOwn(OUTCOMES, outcome) ? outcome.replace(" ", "-") : "";
}

function badge(outcome) {
  return el("span", { class: `badge ${styleOf(outcome)}` }, called(outcome));
}

// "tests/test_shop.py::TestCart::test_total[red]" with what matters most standing out.
function testName(nodeid) {
  const parts = textOf(nodeid).split("::");
  const name = parts.length > 1 ? parts.slice(1).join(" › ") : nodeid;
  return { path: parts.length > 1 ? parts[0] : "", name };
}
