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
  const kinds = (place) => [...tally(cause.kinds, place).keys()];
  const facts = [["class", kinds(0)], ["code", kinds(1)], ...["target", "screen", "crash"].map((name) => [name, cause.facts[name] || []])];
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
