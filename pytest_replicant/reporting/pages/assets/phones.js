// How each phone did: only where there were several, or one was in trouble.

const COLUMNS = [
  ["Phone", "", (phone) => [shortened(phone.phone, 80), el("span", { class: "line" }, shortened(phone.device, 60))]],
  ["Sound", "number", (phone) => `${phone.score} %`],
  ["Attempts", "number", (phone) => phone.attempts.toLocaleString("en")],
  ["Lost", "number", (phone) => troubled(phone.lost)],
  ["Infra", "number wide", (phone) => troubled(phone.infra)],
  ["Reconnected", "number wide", (phone) => troubled(phone.reconnected)],
  ["Requeued", "number wide", (phone) => troubled(phone.requeued)],
  ["In tests", "number", (phone) => duration(phone.duration_ms)],
];

function drawPhones() {
  const sound = run.phones.every((phone) => phone.score === 100);
  if (sound && run.phones.length < 2) return;
  const heads = COLUMNS.map(([words, kind]) => el("th", { class: kind, scope: "col" }, words));
  const rows = run.phones.flatMap((phone) => [el("tr", {}, COLUMNS.map(([, kind, drawn]) => el("td", { class: kind }, drawn(phone)))), whyGone(phone)]);
  append(document.getElementById("phones"), el("h2", {}, "Phones"), el("table", {}, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, rows)));
}

function troubled(number) {
  return number ? el("b", { class: "gone" }, number.toLocaleString("en")) : "–";
}

function whyGone(phone) {
  if (!phone.quarantined) return null;
  return el("tr", { class: "reason" }, el("td", { colspan: COLUMNS.length }, el("span", { class: "line" }, el("b", { class: "gone" }, "in quarantine"), " ", shortened(phone.reason, 300))));
}
