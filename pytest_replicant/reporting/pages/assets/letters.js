// What differs between two short texts, letter by letter.

const LONGEST_COMPARED = 300;

// Both texts in pieces, what differs in ``mark``. Texts with little in common are no two versions of one another.
function differing(wanted, seen) {
  const [a, b] = [[...wanted], [...seen]];
  if (wanted === seen || Math.max(a.length, b.length) > LONGEST_COMPARED) return [[wanted], [seen]];
  const parts = runsOf(aligned(a, b));
  const same = parts.reduce((sum, part) => sum + (part.same ? part.a.length : 0), 0);
  if (same * 2 < Math.min(a.length, b.length)) return [[wanted], [seen]];
  const drawn = (side) => parts.map((part) => (part.same || !part[side] ? part[side] : el("mark", { class: side === "a" ? "wanted" : "seen" }, part[side])));
  return [drawn("a"), drawn("b")];
}

// A single letter that happens to be alike between two differences is part of them: no one reads in such crumbs.
function runsOf(rows) {
  const parts = [];
  for (const [left, right] of rows) {
    const same = left === right;
    const last = parts[parts.length - 1];
    if (!last || last.same !== same) parts.push({ same, a: left || "", b: right || "" });
    else Object.assign(last, { a: last.a + (left || ""), b: last.b + (right || "") });
  }
  const joined = [];
  parts.forEach((part, at) => {
    const crumb = part.same && part.a.length < 2 && at > 0 && at < parts.length - 1;
    const last = joined[joined.length - 1];
    if (last && !last.same && (crumb || !part.same)) Object.assign(last, { a: last.a + part.a, b: last.b + part.b });
    else joined.push({ ...part });
  });
  return joined;
}
