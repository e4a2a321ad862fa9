// Putting the page together, and following the phone.

const shown = { mode: "", screen: null, selected: null, hovered: null, target: null, steps: [], count: 0 };
const FASTEST_MS = 1500;
const SLOWEST_MS = 6000;
const FOLLOWED_MS = 5 * 60 * 1000; // without anyone at the page
let everyMs = FASTEST_MS;
let lastUse = Date.now();
let following = null;

function draw(state) {
  const before = shown.screen;
  Object.assign(shown, { mode: state.mode, screen: state.screen, count: state.count || 0 });
  if (!before || !state.screen || before.id !== state.screen.id) {
    if (shown.selected && !(state.screen && shown.selected in state.screen.elements)) shown.selected = null;
    shown.hovered = null;
    drawOutline(state.screen);
    drawElement();
  }
  drawPicture(state.screen);
  if (!ended) trouble(state.trouble || "");
  if (state.mode === "live") {
    drawCode(state);
    drawProposed(state.proposed);
  } else if (shown.steps !== state.steps) {
    shown.steps = state.steps;
    drawSteps(state.steps);
  }
}

function drawTop(state) {
  const { path, name } = testName(state.name);
  const title = state.mode === "live" ? state.name : name;
  document.title = visible(`${title} · inspect`);
  replaceChildren(byId("name"), state.outcome ? badge(state.outcome) : null, el("span", {}, state.outcome ? " " : "", shortened(title, 200)));
  replaceChildren(byId("facts"), [...state.facts, path].filter(Boolean).map((text) => el("span", {}, shortened(text, 200))));
  const live = state.mode === "live";
  for (const id of ["mode", "stepping", "writing"]) byId(id).hidden = !live;
  for (const id of ["recorded", "which"]) byId(id).hidden = live;
  document.body.dataset.mode = state.mode;
  glass.classList.toggle("taps", tapping());
}

async function end() {
  try {
    await posted("end", {});
  } catch {
    // over() has said so
  }
}

// The picture is followed while the page is to be seen: slower while nothing changes, and not for ever.
async function follow() {
  clearTimeout(following);
  if (ended || shown.mode !== "live") return;
  const left = Date.now() - lastUse > FOLLOWED_MS;
  byId("paused").hidden = !left;
  if (left) return;
  if (document.visibilityState === "visible" && !pending) await look();
  following = setTimeout(follow, everyMs);
}

async function look() {
  let answer;
  try {
    answer = await fetched(`poll?seen=${encodeURIComponent(shown.screen ? shown.screen.id : "")}`);
  } catch {
    return;
  }
  const changed = answer.mode === "live";
  everyMs = changed ? FASTEST_MS : Math.min(everyMs * 1.25, SLOWEST_MS);
  if (changed && !pending) draw(answer);
}

function used() {
  const left = Date.now() - lastUse > FOLLOWED_MS;
  lastUse = Date.now();
  everyMs = FASTEST_MS;
  if (left) follow();
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest("input, textarea") || shown.mode !== "live") return;
  event.preventDefault();
  stepInput.focus();
  stepInput.select();
});
for (const kind of ["pointermove", "keydown", "pointerdown"]) document.addEventListener(kind, used, { passive: true });
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && follow());
replaceChildren(byId("paused"), "The picture is not followed while no one is here.");

async function begin() {
  let state;
  try {
    state = await fetched("state");
  } catch (error) {
    return trouble(error.message);
  }
  append(byId("buttons"), el("button", { type: "button", class: "quiet", title: "Ends the inspector and releases the phone", click: end }, "End"), themeButton());
  drawTop(state);
  draw(state);
  drawElement();
  if (state.mode === "trace" && state.steps.length) {
    const failed = state.steps.findIndex((step) => step.failed);
    await showStep(Math.max(failed, 0), state.steps[Math.max(failed, 0)].after ? "after" : "before");
  }
  return follow();
}

begin();
