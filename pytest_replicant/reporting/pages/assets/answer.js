// What a step was to find, what it found, and what comes near: the first thing to read of one that failed.

const MOST_NEAR = 3;
const MOST_MATCHES = 5;
const MOST_FRAMED = 8;

// The elements that explain a failure: those that the target means, else those that come near it.
function nearOf({ event: { failure } }) {
  if (!failure) return { id: null, elements: [], words: "" };
  const [elements, words] = failure.matches.length ? [failure.matches, ""] : [failure.candidates, "nearest"];
  const own = !elements.length && failure.element && failure.code !== "STALE_REFERENCE" ? [failure.element] : elements;
  return { id: failure.snapshot, elements: own.filter((one) => one.ref).slice(0, MOST_FRAMED), words };
}

// A text that was wanted and the one that stands there instead; null where that is no question of two texts.
function textsOf({ event: { failure } }) {
  if (!failure) return null;
  const { selector, wanted, observed, candidates, matches } = failure;
  const name = Object.keys(wanted).find((one) => typeof wanted[one] === "string" && typeof observed[one] === "string");
  if (name) return [wanted[name], observed[name]];
  const text = selector && !matches.length ? selector.text || selector.text_contains || selector.description : "";
  return typeof text === "string" && text && candidates.length ? [text, candidates[0].label] : null;
}

function answer(step) {
  const { check } = step;
  if (!check && !isProblem(step)) return null;
  return [verdict(step), check && check.vacuous ? el("p", { class: "note" }, "This already held before the action, so it does not show that the action did anything.") : null];
}

function verdict(step, short = false) {
  const { event, check } = step;
  const observed = observedIn(step);
  if (!observed) return null;
  const texts = textsOf(step);
  const [wanted, seen] = texts ? differing(...texts) : [null, null];
  const held = check && check.result === "passed";
  const expected = check ? `${check.kind} ${check.expected}` : event.title;
  const found = texts && observed.includes(texts[1]) ? replaced(observed, texts[1], seen) : shortened(observed, 1000);
  return el(
    "div",
    { class: "verdict" },
    el("div", {}, el("h3", {}, "Expected"), el("p", {}, texts ? replaced(expected, texts[0], wanted) : shortened(expected, 1000))),
    el("div", { class: held ? "good" : "bad" }, el("h3", {}, "Observed"), el("p", {}, found), short ? null : nearLines(step, seen)),
  );
}

// A text of a line in its pieces; the line as it is where it spells the text in another way.
function replaced(line, text, pieces) {
  const at = line.indexOf(text);
  return at < 0 || line.length > 1000 ? shortened(line, 1000) : [line.slice(0, at), pieces, line.slice(at + text.length)];
}

// What came in place of what was wanted, in a few words; "" where only the message can say.
function observedIn({ event, check, action }) {
  if (check) return check.observed || "nothing";
  if (event.details && event.details.observed) return event.details.observed;
  const { code, matches, unfit, blocker } = event.failure || {};
  if (code === "AMBIGUOUS_TARGET" && matches.length) return `${matches.length} elements match`;
  if (unfit) return [unfit, blocker && blocker.element ? `by ${nameOf(blocker.element)}` : blocker && blocker.title ? `: "${blocker.title}"` : ""].filter(Boolean).join(" ");
  return code === "ELEMENT_NOT_FOUND" && (action || event.kind === "wait") ? "absent" : "";
}

function nameOf({ class_name: kind, label, resource_id: id }) {
  return `${kind.split(".").pop()} "${label || id}"`;
}

function nearLines(step, seen) {
  const { elements, words, id } = nearOf(step);
  const [texts, { observed }] = [textsOf(step), { observed: observedIn(step) }];
  const said = elements.filter((one) => words || !observed.includes(`[${one.ref}]`));
  if (!said.length) return null;
  const most = words ? MOST_NEAR : MOST_MATCHES;
  const lines = said.slice(0, most).map((one, at) => {
    const label = at === 0 && words && texts && texts[1] === one.label ? seen : shortened(one.label || one.resource_id, 200);
    return el("li", {}, refLink(one.ref), ` ${one.class_name.split(".").pop()} "`, label, '"', one.context && one.context !== one.label ? ` in row "${one.context.slice(0, 120)}"` : null);
  });
  return [words ? el("p", { class: "dim" }, boundsOf(id, said[0].ref) ? "nearest, framed in the picture" : "nearest") : null, el("ol", { class: "near" }, lines, !words && said.length > most ? el("li", { class: "dim" }, `and ${said.length - most} more, framed in the picture`) : null)];
}

// A ref that points at its element in the pictures.
function refLink(ref) {
  const link = el("code", { class: "ref", mouseenter: () => pointAt(ref, true), mouseleave: () => pointAt(ref, false) }, `[${ref}]`);
  return [link, " ", copyButton("copy", ref, `Copy the ref ${ref}`)];
}

function boundsOf(id, ref) {
  return marksOf(id).some(([one]) => one === ref);
}

// What the message says beyond the boxes around it: the screen at its end is the outline below.
function messageOf(step) {
  const { event } = step;
  if (!event.error) return null;
  const { news, screen } = parted(event.error);
  const near = nearOf(step);
  const named = trace.failures.some((failure) => failure.message.startsWith(news[0])); // by the head of the page
  const lines = (named ? news.slice(1) : news).filter((line) => !(near.words && near.elements.length && line.startsWith("Nearest: ")));
  const kept = outlineOf(outlineIdOf(step)) === undefined ? [...lines, ...screen] : lines;
  const copied = named ? null : copyButton("Copy the error", event.error);
  return kept.length || copied ? el("div", { class: "error" }, kept.length ? el("pre", {}, shortened(kept.join("\n"), 6000)) : null, copied) : null;
}

function outlineIdOf({ event }) {
  return [event.failure && event.failure.snapshot, event.after, event.before].find((id) => outlineOf(id) !== undefined);
}

// The lines of the test around the one that failed.
function sourceLines({ source }, headed = true) {
  const known = Object.hasOwn(page.sources, source) ? page.sources[source] : null;
  if (!known) return null;
  const [first, lines] = known;
  const failed = Number(source.slice(source.lastIndexOf(":") + 1));
  const drawn = lines.map((line, at) => el("li", { class: first + at === failed ? "failed" : "", title: first + at === failed ? "the line that failed" : null }, el("span", { class: "number" }, String(first + at)), el("code", {}, line)));
  return el("section", { class: "source" }, headed ? el("h3", {}, el("code", {}, source)) : null, el("ol", {}, drawn));
}

// The locator as the test spells it.
function locatorOf({ action, event }) {
  if (action && action.target.selector) return action.target.selector;
  const { selector } = event.failure || {};
  return selector ? asCode(selector) : "";
}

function asCode(selector) {
  return Object.entries(selector).filter(([, value]) => value !== null).map(([name, value]) => `${name}=${valueAsCode(value)}`).join(", ");
}

function valueAsCode(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (!value || typeof value !== "object") return JSON.stringify(value);
  return "pattern" in value ? `re.compile(${JSON.stringify(value.pattern)})` : `by(${asCode(value)})`;
}
