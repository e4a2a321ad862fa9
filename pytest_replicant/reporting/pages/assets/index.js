// Putting the page of a run together.

// On paper nothing can be unfolded, and nothing is drawn later.
function beforePaper() {
  for (const block of document.querySelectorAll("details.cause, #notes > details")) block.open = true;
  drawAllRows();
}

drawTop();
drawCauses();
drawNotes();
drawTools();
narrow();
drawPhones();
drawEnvironment();
document.addEventListener("keydown", pressed);
window.addEventListener("beforeprint", beforePaper);
