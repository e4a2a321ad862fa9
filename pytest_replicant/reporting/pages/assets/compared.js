// Where a failed test parted from its last pass.

const EVIDENCE = { tree: "On the screen", log: "In the log", timing: "In time" };

function drawCompared() {
  const divergence = trace.divergence;
  if (!divergence || !divergence.sentence || !divergence.baseline) return; // that there is no pass to compare with is no news
  const step = divergence.step ? stepsById.get(divergence.step) : null;
  const summary = el(
    "summary",
    {},
    el("span", {}, el("b", {}, "Compared with the last pass "), shortened(divergence.sentence, 800)),
    step ? el("a", { href: `#${step.id}` }, "Show the step") : null,
  );
  const pieces = (divergence.evidence || []).map((piece) => [EVIDENCE[piece.kind] || piece.kind, [shortened(piece.text, 600), piece.lines && piece.lines.length ? diffList(piece.lines) : null]]);
  const from = divergence.baseline ? [["Compared with", shortened(divergence.baseline, 300)]] : [];
  append(document.getElementById("news"), el("details", { class: "news compared" }, summary, facts([...pieces, ...from])));
}
