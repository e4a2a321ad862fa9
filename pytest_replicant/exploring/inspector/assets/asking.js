// Requests to the inspector, and what the page shows while one is on its way or none is answered any more.

const TOKEN = location.pathname.split("/")[1];
const byId = (id) => document.getElementById(id);
let pending = false;
let ended = false;

// The answer as data. Throws where there is none; what an ended inspector means is said on the page.
async function fetched(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { cache: "no-store", ...options });
  } catch {
    over("The inspector has ended, or this machine does not reach it any more. Start it again: replicant inspect …");
    throw new Error("no answer");
  }
  const data = await response.json();
  if (data.ended) over(data.error || "The inspector has ended and the phone is free. Start it again: replicant inspect …");
  if (!response.ok || data.ended) throw new Error(data.error || "ended");
  return data;
}

function posted(path, body) {
  const headers = { "Content-Type": "application/json", "X-Replicant-Token": TOKEN };
  return fetched(path, { method: "POST", headers, body: JSON.stringify(body) });
}

// One command at a time: a phone takes one step at once, and a second click would hit another screen.
async function command(name, values, { secrets = {}, says = "" } = {}) {
  if (pending || ended) return null;
  busy(true, says);
  try {
    const answer = await posted("do", { command: name, values, secrets });
    draw(answer.state);
    return answer;
  } catch (error) {
    return ended ? null : { text: error.message, code: 2, next: "" };
  } finally {
    busy(false);
  }
}

function busy(on, says = "") {
  pending = on;
  byId("progress").hidden = !on;
  document.body.classList.toggle("busy", on);
  document.body.setAttribute("aria-busy", String(on));
  if (on && says) replaceChildren(byId("answer"), el("p", { class: "dim" }, `${says.slice(0, 120)} …`));
}

function over(words) {
  ended = true;
  document.body.classList.add("ended");
  for (const control of document.querySelectorAll("main button:not(.copy), main input")) control.disabled = true;
  trouble(words);
}

function trouble(words) {
  const box = byId("trouble");
  box.hidden = !words;
  if (box.dataset.words === words) return; // read aloud once
  box.dataset.words = words;
  replaceChildren(box, words.split("\n").map((line) => el("p", {}, line)));
}

// What a command answered, as the command line prints it; a step that is proposed next fills the line for steps.
function answerBox(answer) {
  if (!answer) return null;
  const bad = answer.code !== 0;
  const lines = el("pre", {}, shortened(answer.text || (bad ? "failed" : "done"), 4000));
  const next = answer.next
    ? el("button", { type: "button", class: "plain", title: "Put it into the line for steps", click: () => fillStep(answer.next) }, "Next: ", el("code", {}, answer.advice))
    : null;
  const allow = answer.allow
    ? el("button", { type: "button", class: "plain", click: () => doStep(answer.step, {}, answer.allow) }, `Allow “${answer.allow.join("” and “")}” this once, and do it`)
    : null;
  return el("div", { class: `answer ${bad ? "bad" : "good"}` }, lines, next, allow);
}
