// Putting the page of a run together, and what is chosen on it into its address, so that it can be sent.

const FOLDS = "details[id]";
const openAtFirst = new Set();
let onPaper = false;
let writing = 0;

// What differs from how the page begins: ``#outcome=flaky&q=mug&open=cause-2``.
function chosenHere() {
  const state = new URLSearchParams();
  const set = (name, value) => value && state.set(name, value);
  set("q", search.value);
  set("outcome", picked(chosen.outcome));
  set("device", picked(chosen.device));
  set("order", chosen.order.value === "failures" ? "" : chosen.order.value);
  const turned = [...document.querySelectorAll(FOLDS)].filter((fold) => fold.open !== openAtFirst.has(fold.id));
  set("open", turned.map((fold) => fold.id).join("."));
  return state.toString();
}

function writeAddress() {
  clearTimeout(writing);
  writing = setTimeout(() => onPaper || chosenHere() === location.hash.slice(1) || remember(chosenHere()), 200);
}

function readAddress() {
  const hash = location.hash.slice(1);
  const state = new URLSearchParams(/=/.test(hash) ? hash : { open: hash }); // "#cause-2" is a link within the page
  const turned = new Set((state.get("open") || "").split("."));
  for (const fold of document.querySelectorAll(FOLDS)) fold.open = openAtFirst.has(fold.id) !== turned.has(fold.id);
  search.value = state.get("q") || "";
  for (const name of ["outcome", "device"]) {
    const at = chosen[name].values.indexOf(state.get(name));
    chosen[name].value = at < 0 ? "" : String(at);
  }
  chosen.order.value = Object.hasOwn(COMPARED, state.get("order")) ? state.get("order") : "failures";
  narrow();
  const asked = state.has("q") || state.has("outcome") || state.has("device") ? document.getElementById("all") : document.getElementById(hash) || document.querySelector([...turned].filter((id) => /^[\w-]+$/.test(id)).map((id) => `#${id}[open]`).join() || "#none");
  if (asked) asked.scrollIntoView();
}

// On paper nothing can be unfolded, and nothing is drawn later.
function beforePaper() {
  onPaper = true;
  for (const block of document.querySelectorAll("details.cause, #notes > details")) block.open = true;
  drawAllRows();
}

function afterPaper() {
  readAddress();
  setTimeout(() => (onPaper = false), 400);
}

drawTop();
drawCauses();
drawFlaky();
drawNotes();
drawTools();
drawPhones();
drawEnvironment();
for (const fold of document.querySelectorAll(FOLDS)) if (fold.open) openAtFirst.add(fold.id);
readAddress();
document.addEventListener("keydown", pressed);
document.addEventListener("toggle", writeAddress, true);
window.addEventListener("hashchange", readAddress);
window.addEventListener("beforeprint", beforePaper);
window.addEventListener("afterprint", afterPaper);
