// The line for steps and its history, the checks that the last step suggests, and the steps of a kept trace.

const stepInput = byId("step");
const history_ = [];
let place = 0;

async function doStep(step, secrets = {}, allow = []) {
  const answer = await command("do", { steps: [step], allow }, { secrets, says: step });
  if (answer) replaceChildren(byId("answer"), answerBox(answer));
  return answer;
}

async function check(given) {
  const answer = await command("expect", { checks: [given] }, { says: given });
  if (answer) replaceChildren(byId("answer"), answerBox(answer));
}

function fillStep(step) {
  stepInput.value = step;
  stepInput.focus();
}

byId("step-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const step = stepInput.value.trim();
  if (!step || pending) return;
  if (history_[history_.length - 1] !== step) history_.push(step);
  place = history_.length;
  const answer = await (/^\d+[a-z]+$/.test(step) ? check(step) : doStep(step));
  if (answer && answer.code === 0) stepInput.value = ""; // what failed stays, to be corrected
  if (!answer && !ended) stepInput.value = "";
});

stepInput.addEventListener("keydown", (event) => {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!by || !history_.length) return;
  event.preventDefault();
  place = Math.min(Math.max(place + by, 0), history_.length);
  stepInput.value = history_[place] || "";
});

function drawProposed(proposed) {
  const buttons = proposed.map(({ id, code }) =>
    el("button", { type: "button", class: "plain proposal", title: `Record check ${id}`, click: () => check(id) }, el("span", { class: "ref" }, id), " ", el("code", {}, code)),
  );
  replaceChildren(byId("proposed"), buttons.length ? [el("h3", {}, "True now, and not before this step: check it?"), el("div", { class: "proposals" }, buttons)] : null);
}

// --- a kept trace ---

let asked = 0;

function drawSteps(steps) {
  replaceChildren(byId("recorded-count"), steps.length ? `· ${steps.length}` : "");
  replaceChildren(byId("recorded-steps"), steps.map(recordedStep));
}

function recordedStep(step, index) {
  const mark = el("span", { class: `mark ${step.failed ? "bad" : "good"}`, "aria-label": step.failed ? "failed" : "passed" }, step.failed ? "✕" : "✓");
  const both = step.before && step.after && step.before !== step.after;
  const side = (name, words) => el("button", { type: "button", class: "side", "data-screen": step[name], "data-side": name, click: () => showStep(index, name) }, words);
  return el(
    "li",
    { class: `step ${step.kind}` },
    el(
      "button",
      { type: "button", class: "title", disabled: !(step.before || step.after), click: () => showStep(index, step.target && step.before && !step.failed ? "before" : step.after ? "after" : "before") },
      mark,
      el("span", {}, el("b", {}, shortened(step.title, 200)), step.source ? el("small", { title: step.source }, step.source.split("/").pop()) : null),
    ),
    both ? el("span", { class: "sides" }, side("before", "before"), side("after", "after")) : null,
    step.error ? el("pre", { class: "error" }, shortened(step.error, 500)) : null,
  );
}

async function showStep(index, name) {
  const step = shown.steps[index];
  const mine = ++asked;
  let state;
  try {
    state = await fetched(`state?screen=${encodeURIComponent(step[name])}`);
  } catch (error) {
    return trouble(error.message);
  }
  if (mine !== asked) return undefined; // another one was chosen meanwhile
  shown.target = name === "before" || step.failed ? step.target : null;
  draw({ ...state, steps: shown.steps });
  replaceChildren(byId("which"), `${name === "before" ? "Before" : "After"} step ${index + 1}`);
  markStep(index, name);
  return undefined;
}

function markStep(index, name) {
  [...byId("recorded-steps").children].forEach((row, at) => {
    row.classList.toggle("chosen", at === index);
    row.querySelector("button.title").setAttribute("aria-current", at === index ? "step" : "false");
    for (const side of row.querySelectorAll(".side")) side.setAttribute("aria-pressed", String(at === index && side.dataset.side === name));
  });
}
