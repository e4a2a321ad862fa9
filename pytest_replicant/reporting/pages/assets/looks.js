// What a check of looks compared: both pictures, one over the other up to where a slider stands, and what differs.

function looks({ check }) {
  const record = check && check.looks;
  if (!record) return null;
  const [expected, actual, difference] = [record.expected, record.actual, record.difference].map(pictureAt);
  const [left, top, right, bottom] = record.area;
  const place = left || top ? ` at ${left}, ${top}` : "";
  const masks = new Map();
  for (const { why } of record.masks) masks.set(why, (masks.get(why) || 0) + 1);
  const own = facts([
    ["Look", el("code", {}, shortened(record.look, 200))],
    ["Kept as", el("code", {}, shortened(record.path, 500))],
    ["Compared", `${right - left} × ${bottom - top} pixels${place}`],
    ["Differing", record.compared ? `${count(record.differing, "pixel")}, ${percent(record.differing / record.compared)}${record.tolerance ? `; ${percent(record.tolerance)} may` : ""}` : ""],
    ["Masked", `${percent(record.masked)}${masks.size ? `: ${[...masks].map(([why, times]) => (times > 1 ? `${why} (${times})` : why)).join(", ")}` : ""}`],
    ["Kept for", record.looks.length ? record.looks.slice(0, 40).join(", ") : ""],
  ]);
  const pictures = expected && actual ? [slider(expected, actual), framed("Difference", difference)] : [framed("Actual, with nothing to compare it with", actual)];
  return section("Looks", actual ? el("div", { class: "looks" }, pictures) : null, own);
}

function percent(share) {
  return `${(share * 100).toFixed(share && share < 0.01 ? 3 : 1)} %`;
}

function pictureAt(place) {
  const file = place === null ? null : trace.attachments[place];
  return file && file.path ? page.pictures[file.path] || encodeURI(file.path) : "";
}

function framed(caption, source) {
  return source ? el("figure", { class: "look" }, el("figcaption", {}, el("b", {}, caption)), el("img", { src: source, alt: caption })) : null;
}

function slider(expected, actual) {
  const both = el("div", { class: "both" }, el("img", { src: actual, alt: "Actual" }), el("img", { src: expected, alt: "Expected", class: "over" }), el("span", { class: "line" }));
  const moved = () => both.style.setProperty("--at", `${range.value}%`);
  const range = el("input", { type: "range", min: "0", max: "100", value: "50", "aria-label": "How much of the expected picture is shown", input: moved });
  const shown = (value, words) => el("button", { type: "button", class: "quiet", click: () => ((range.value = value), moved()) }, words);
  moved();
  return el("figure", { class: "look" }, el("figcaption", {}, shown("100", "Expected"), range, shown("0", "Actual")), both);
}
