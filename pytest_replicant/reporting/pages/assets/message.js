// A failure's message in parts: what is new in it, and the screen that it ends with.

const MOST_SAID = 14; // lines of a message that are shown at once
const SCREEN = /^(Screen "|(.*  )?\([A-Za-z][\w.]*\)$)/; // the head of an outline
const AFTER_SCREEN = /^(Open: |Checked at )/;

// The screen at the end of a message is evidence for those who want it, not the news. Where the trace lies is in
// the links.
function parted(message) {
  const lines = message.trimEnd().split("\n");
  const begin = lines.findIndex((line, at) => at > 0 && SCREEN.test(line));
  const after = lines.findIndex((line, at) => at > begin && AFTER_SCREEN.test(line));
  const end = begin < 0 ? lines.length : after < 0 ? lines.length : after;
  const news = [...lines.slice(0, begin < 0 ? end : begin), ...lines.slice(end)].filter((line) => !line.startsWith("Open: "));
  while (news.length && !news[news.length - 1].trim()) news.pop();
  return { news, screen: begin < 0 ? [] : lines.slice(begin, end) };
}

// ``known`` is what is shown above it already.
function said(message, known, heading = null) {
  const { news, screen } = parted(message);
  const spaced = (line) => String(line).replace(/\s+/g, " ").trim();
  if (spaced(news[0]) === spaced(known)) news.shift();
  const [first, more] = [news.slice(0, MOST_SAID), news.slice(MOST_SAID)];
  const fold = (words, lines) => el("details", { class: "outline" }, el("summary", {}, words), el("pre", {}, shortened(lines.join("\n"), 8000)));
  return [
    first.length && heading ? el("p", { class: "example dim" }, heading) : null,
    first.length ? el("pre", { class: "said" }, shortened(first.join("\n"), 1600)) : null,
    more.length ? fold(count(more.length, "more line"), more) : null,
    screen.length ? fold(`The screen, ${count(screen.length, "line")}`, screen) : null,
  ];
}
