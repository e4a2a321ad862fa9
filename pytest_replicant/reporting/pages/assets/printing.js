// On paper no one can choose a step: all that failed is printed, with what led there; else the step that is open.

const MOST_PRINTED = 20;
let openedForPaper = [];

function preparePrint() {
  const failed = steps.filter((step) => isProblem(step) || diedAfter(step)).slice(0, MOST_PRINTED);
  const printed = document.getElementById("printed");
  replaceChildren(printed, failed.map((step) => el("article", {}, details(step))));
  openedForPaper = [...document.querySelectorAll("#failures details:not([open]), #news details:not([open]), #printed details.outlined:not([open])")];
  for (const fold of openedForPaper) fold.open = true;
}

function afterPrint() {
  replaceChildren(document.getElementById("printed"));
  for (const fold of openedForPaper) fold.open = false;
}

window.addEventListener("beforeprint", preparePrint);
window.addEventListener("afterprint", afterPrint);
