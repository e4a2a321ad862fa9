// Where a failed test parted from its last pass.

const EVIDENCE = { tree: "On the screen", log: "In the log", timing: "In time", screen: "Screen", target: "Target" };

function drawCompared() {
  const told = trace.divergence;
  if (!told || !told.sentence || !told.baseline) return; // that there is no pass to compare with is no news
  const step = told.step ? stepsById.get(told.step) : null;
  const summary = el(
    "summary",
    {},
    el("span", {}, el("b", {}, "Compared with the last pass "), shortened(told.sentence, 800)),
    step ? el("a", { href: `#${step.id}` }, "Show the step") : null,
  );
  const pieces = (told.evidence || []).map((piece) => [EVIDENCE[piece.kind] || piece.kind, [shortened(piece.text, 600), piece.lines && piece.lines.length ? diffList(piece.lines) : null]]);
  const from = told.baseline ? [["Compared with", shortened(told.baseline, 300)]] : [];
  document.getElementById("news").append(el("details", { class: "news compared" }, summary, facts([...pieces, ...from])));
}
