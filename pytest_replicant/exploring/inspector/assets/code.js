// The test as it would be saved, and saving it.

function drawCode(state) {
  const code = byId("code");
  const grew = code.dataset.text !== state.code;
  code.dataset.text = state.code;
  replaceChildren(byId("count"), state.count ? `· ${count(state.count, "step")}` : "");
  replaceChildren(byId("worth"), state.said);
  if (!byId("place").value) byId("place").value = state.place;
  for (const control of document.querySelectorAll("#save-form button, #code-buttons button")) control.disabled = ended || !state.count;
  if (!grew) return;
  replaceChildren(code, state.code ? coloured(state.code) : el("span", { class: "dim" }, "What you do is written here, as a test."));
  code.scrollTop = code.scrollHeight;
}

// The newest line stays in sight where an answer above takes room.
new ResizeObserver(() => (byId("code").scrollTop = byId("code").scrollHeight)).observe(byId("code"));

// Strings and comments stand out. The parts are text nodes: a string may hold anything.
function coloured(text) {
  const parts = text.split(/("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*|\b(?:def|with|import|from)\b)/);
  return parts.filter(Boolean).map((part) => {
    const kind = /^["']/.test(part) ? "string" : part[0] === "#" ? "comment" : /^(?:def|with|import|from)$/.test(part) ? "word" : "";
    return el("span", { class: kind }, part);
  });
}

byId("save-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const runs = Boolean(event.submitter && event.submitter.value === "run");
  const values = { place: byId("place").value.trim(), run: runs, replace: byId("replace").checked };
  replaceChildren(byId("saved"), el("p", { class: "dim" }, runs ? "Saved, and run on a fresh app …" : "Saving …"));
  const answer = await command("save", values);
  replaceChildren(byId("saved"), answerBox(answer));
});

async function undo() {
  const answer = await command("rewind", { number: shown.count - 1 }, { says: "Starting afresh" });
  if (answer) replaceChildren(byId("answer"), answerBox(answer));
}

append(
  byId("code-buttons"),
  copyButton("Copy", () => byId("code").dataset.text || "", "Copy the test"),
  el("button", { type: "button", class: "quiet", title: "Starts the app afresh and does the other steps again", click: undo }, "Undo last step"),
);
