// On paper nobody can choose a step: all that failed is printed, the first of it with what led there.

const MOST_PRINTED = 20;

function preparePrint() {
  document.getElementById("printed").replaceChildren(...steps.filter(isProblem).slice(0, MOST_PRINTED).map((step) => el("article", {}, details(step))));
}

window.addEventListener("beforeprint", preparePrint);
window.addEventListener("afterprint", () => document.getElementById("printed").replaceChildren());
