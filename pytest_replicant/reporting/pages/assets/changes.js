// What an action changed: the recorded diff, and the two outlines side by side.

const DIFF_KINDS = { "+": "added", "-": "removed", "~": "changed" };
const CONTEXT_LINES = 2;
const ALIGNED_CELLS = 4_000_000;

function changes(step) {
  const diff = step.event.diff;
  if (!diff) return null;
  return section("What changed", el("p", { class: "summary" }, shortened(diff.summary, 300)), diff.lines.length ? diffList(diff.lines) : null);
}

function diffList(lines) {
  const items = lines.map((line) => {
    const kind = DIFF_KINDS[line.trimStart()[0]] || "same";
    const text = kind === "same" ? line : line.trimStart().slice(1).trimStart();
    return el("li", { class: kind }, shortened(text, 300));
  });
  return el("ul", { class: "diff" }, items);
}

// Of a failed step the screen on which it failed; else both, where they differ.
function outlines(step) {
  const { before, after } = step.event;
  const [left, right] = [outlineOf(before), outlineOf(after)];
  if (left === undefined && right === undefined) return null;
  if (isProblem(step) || left === undefined || right === undefined || before === after) {
    const own = folded("Outline of the screen", isProblem(step), outlineList(outlineIdOf(step)));
    own.classList.add("outlined");
    return own;
  }
  const table = el("div", { class: "sides" });
  const fold = folded("Outlines, before and after", false, table);
  fold.classList.add("outlined");
  fold.addEventListener("toggle", () => table.childElementCount || append(table, sides(left, right)));
  return fold;
}

function sides(left, right) {
  const rows = aligned(left.split("\n"), right.split("\n"));
  const near = rows.map((row, index) =>
    rows.slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1).some(([a, b]) => a !== b),
  );
  const shown = [];
  for (let index = 0; index < rows.length; index += 1) {
    let end = index;
    while (end < rows.length && !near[end]) end += 1;
    if (end - index > 3) {
      shown.push(unchangedLines(rows.slice(index, end)));
      index = end - 1;
    } else shown.push(sideRow(rows[index]));
  }
  return shown;
}

function unchangedLines(rows) {
  const words = `⋯ ${count(rows.length, "unchanged line")}`;
  const button = el("button", { type: "button", class: "more", click: () => replaceWith(button, rows.map(sideRow)) }, words);
  return button;
}

function sideRow([left, right]) {
  const same = left === right;
  return el("div", { class: "row" }, side(left, same ? "" : "removed"), side(right, same ? "" : "added"));
}

function side(text, kind) {
  const line = outlineLine(text === null ? "" : text);
  if (text === null) line.className = "none";
  else if (kind) line.className = kind;
  return line;
}

// Longest common subsequence, after the common ends: outlines are a few hundred lines at most.
function aligned(left, right) {
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  const room = Math.min(left.length, right.length) - head;
  while (tail < room && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  const [a, b] = [left.slice(head, left.length - tail), right.slice(head, right.length - tail)];
  const middle = a.length * b.length > ALIGNED_CELLS ? apart(a, b) : common(a, b);
  const same = (line) => [line, line];
  return [...left.slice(0, head).map(same), ...middle, ...left.slice(left.length - tail).map(same)];
}

function apart(a, b) {
  return [...a.map((line) => [line, null]), ...b.map((line) => [null, line])];
}

function common(a, b) {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1 : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) rows.push([a[i++], b[j++]]);
    else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) rows.push([a[i++], null]);
    else rows.push([null, b[j++]]);
  }
  return [...rows, ...apart(a.slice(i), b.slice(j))];
}
