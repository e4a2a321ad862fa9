// Moving through the page without a mouse.

const MOVES = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const KEYS = [
  ["j ↓", "next cause, note or test"],
  ["k ↑", "the one before"],
  ["Enter", "open the trace, fold or unfold"],
  ["/", "search tests"],
  ["Esc", "end the search, show all tests"],
  ["?", "these keys"],
];

// What j and k stop at: what can be opened and is to be seen, in the order of the page.
function stops() {
  return [...document.querySelectorAll(".stop")].filter((stop) => stop.checkVisibility({ contentVisibilityAuto: false }));
}

function move(by) {
  const all = stops();
  const here = document.activeElement;
  const at = all.indexOf(here);
  if (at >= 0) return focusOn(all[at + by]);
  if (here === null || here === document.body) return focusOn(by > 0 ? all[0] : null);
  const follows = (stop) => here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING;
  return focusOn(by > 0 ? all.find(follows) : all.filter((stop) => !follows(stop)).pop());
}

function focusOn(stop) {
  if (!stop) return;
  stop.focus({ preventScroll: true });
  stop.scrollIntoView({ block: "nearest" });
}

function pressed(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const typing = event.target === search;
  if (event.target instanceof HTMLSelectElement && event.key !== "Escape") return;
  if (event.key === "/" && !typing) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (event.key === "?" && !typing) {
    event.preventDefault();
    showHelp();
  } else if (event.key === "Escape") {
    showAll();
    search.blur();
  } else if (event.key in MOVES && !(typing && event.key.length === 1)) {
    event.preventDefault();
    move(MOVES[event.key]);
  }
}
