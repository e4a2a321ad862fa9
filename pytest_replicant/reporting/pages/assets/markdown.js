// A cause as Markdown, for an issue or a chat: what the app shows stands in fences that it cannot close.

function fenced(text) {
  const longest = Math.max(2, ...(text.match(/`+/g) || []).map((run_) => run_.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function inlineCode(text) {
  const line = visible(text).replace(/\s+/g, " ").slice(0, 300);
  const longest = Math.max(0, ...(line.match(/`+/g) || []).map((run_) => run_.length));
  const fence = "`".repeat(longest + 1);
  return longest ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

function causeAsMarkdown(cause) {
  const { failure_class: kind, failure_code: code } = cause.cause;
  const facts = [["class", [kind]], ["code", [code]], ...["target", "screen", "crash"].map((name) => [name, cause.facts[name] || []])];
  return [
    `**${count(cause.cases.length, "test")}:** ${inlineCode(cause.title)}`,
    "",
    facts.filter(([, values]) => values.some(Boolean)).map(([name, values]) => `${name} ${values.map(inlineCode).join(", ")}`).join(" · "),
    "",
    fenced(visible((cause.message || cause.cause.message).slice(0, 2000).trimEnd())),
    "",
    ...cause.cases.slice(0, 50).map(({ test, attempts: own }) => `- ${inlineCode(test.last.nodeid)} (${[test.outcome, own[own.length - 1].source && inlineCode(own[own.length - 1].source)].filter(Boolean).join(", ")})`),
    cause.cases.length > 50 ? `- and ${cause.cases.length - 50} more` : "",
    "",
    `Run ${inlineCode(run.run_id)}, ${moment(run.started_at)}`,
  ].join("\n");
}

function copyButton(cause) {
  const button = el("button", { type: "button", class: "quiet copy", click: () => copy() }, "Copy as Markdown");
  const copy = async () => {
    const done = await copied(causeAsMarkdown(cause));
    button.textContent = done ? "Copied" : "The browser did not allow it";
    setTimeout(() => (button.textContent = "Copy as Markdown"), 2000);
  };
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

// Pages from a file have no clipboard of their own in every browser.
function copiedBySelection(text) {
  const area = el("textarea", { class: "offstage" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
