// The lines of text that the window shows, in document order, each with the part of the page that it is of: the id of
// the nearest element that PART matches. A word is visible where the page shows it at its middle.
((PART) => {
  const lines = [];
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let [block, bottom, right] = [null, 0, 0];
  const blockOf = (element) => (getComputedStyle(element).display.startsWith("inline") && element.parentElement ? blockOf(element.parentElement) : element);
  const shown = (element, x, y) => {
    const top = document.elementFromPoint(x, y);
    return top !== null && (element.contains(top) || (top.contains(element) && getComputedStyle(element).pointerEvents === "none"));
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    range.selectNodeContents(node);
    const whole = range.getBoundingClientRect();
    if (whole.bottom <= 0 || whole.top >= innerHeight) continue;
    for (const word of node.data.matchAll(/\S+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const box = range.getClientRects()[0];
      if (!box || !box.width || !shown(element, box.left + box.width / 2, box.top + box.height / 2)) continue;
      const own = blockOf(element);
      if (own !== block || Math.abs(box.bottom - bottom) > 6) lines.push([word[0], (PART && element.closest(PART)?.id) || ""]);
      else lines.at(-1)[0] += (box.left - right > 1 ? " " : "") + word[0];
      [block, bottom, right] = [own, box.bottom, box.right];
    }
  }
  return lines;
})
