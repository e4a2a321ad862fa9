// Moving through the page without a mouse.

const MOVES = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const KEYS = [
  ["j ↓", "next step"],
  ["k ↑", "the step before"],
  ["n", "next step that failed"],
  ["p", "the failed step before"],
  ["N P", "next failure of the run, the one before"],
  ["a", "another attempt or phone of this test"],
  ["i", "all tests of the run"],
  ["l", "refs over the pictures"],
  ["Enter", "enlarge the picture"],
  ["← →", "in a large picture: before, after"],
  ["/", "search steps"],
  ["Esc", "end the search, close"],
  ["?", "these keys"],
];

const ACTS = {
  n: () => moveToProblem(1),
  p: () => moveToProblem(-1),
  N: () => visit(hrefOf(around.next)),
  P: () => visit(hrefOf(around.before)),
  a: () => visit(hrefOf(otherPage())),
  i: () => visit(around.index ? address(around.index, ".html") : null),
  l: () => toggleMarks(),
  "?": () => showHelp(),
  Enter: () => enlargeFirst(),
};

function moveToProblem(by) {
  const ids = shownIds();
  for (let at = ids.indexOf(selected) + by; at >= 0 && at < ids.length; at += by) {
    if (rows.get(ids[at]).problem) return go(ids[at]);
  }
}

function enlargeFirst() {
  const pictures = document.querySelectorAll("#details .marked-glass");
  if (pictures.length) enlarge(pictures[pictures.length - 1]);
}

function pressed(event) {
  const { key, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const typing = target instanceof HTMLInputElement && target.type === "search";
  if (key === "Escape" && typing) {
    target.value = "";
    target.dispatchEvent(new Event("input"));
    target.blur();
  } else if (key === "/" && !typing) {
    event.preventDefault();
    search.focus();
    search.select();
  } else if (key in MOVES && !(typing && (key.length === 1 || target !== search)) && !(target instanceof HTMLSelectElement)) {
    event.preventDefault();
    move(MOVES[key]);
  } else if (key in ACTS && !typing && !(key === "Enter" && !onNothing(target))) {
    event.preventDefault();
    ACTS[key]();
  }
}

// Enter is for what has the focus, unless that is the step that is open already.
function onNothing(target) {
  if (target === document.body || !target.checkVisibility()) return true; // a dialog that closed may leave the focus in it
  return Boolean(target.closest('#steps a[aria-current="true"]'));
}

document.addEventListener("keydown", pressed);
