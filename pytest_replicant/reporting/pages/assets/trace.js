// Putting the page together, and moving through it.

const narrowWindow = window.matchMedia("(max-width: 859px)");
let selected = null;

function drawTop() {
  const { path, name } = testName(trace.test.nodeid);
  const device = trace.device;
  const phoneName = [device.name || device.model || device.device || device.uri, [({ android: "Android", ios: "iOS" })[device.platform] || device.platform, device.os_version].filter(Boolean).map(spelled).join(" ")].filter(Boolean).map(spelled).join(" · ");
  append(
    document.getElementById("top"),
    el("p", { class: "path" }, shortened(path, 200), trace.test.attempt ? chip(`attempt ${trace.test.attempt + 1}`, "warn") : null),
    el("h1", {}, badge(trace.test.outcome), " ", shortened(name, 300)),
    el(
      "p",
      { class: "sum" },
      [phoneName, duration(trace.test.duration_ms), `${count(actions.size, "action")}, ${count(steps.filter((step) => step.check).length, "check")}`, moment(trace.test.started_at)]
        .filter(Boolean)
        .map((text) => el("span", {}, text)),
    ),
    VERDICTS.includes(trace.test.outcome) ? replayBanner() : null,
  );
  append(document.getElementById("buttons"), marksButton(), el("button", { type: "button", class: "quiet", title: "Keys (?)", "aria-label": "Keys", click: () => showHelp() }, "?"), themeButton());
  drawAround();
  drawFailures();
  drawCompared();
  drawNews();
}

function show(id) {
  const known = rows.has(id) ? id : null;
  if (!known || known === selected) return;
  if (selected) rows.get(selected).firstChild.removeAttribute("aria-current");
  selected = known;
  const link = rows.get(known).firstChild;
  link.setAttribute("aria-current", "true");
  reveal(rows.get(known));
  if (list.contains(document.activeElement)) link.focus({ preventScroll: true }); // the next Tab goes on from here
  const pane = document.getElementById("details");
  replaceChildren(document.getElementById("said"), link.textContent);
  replaceChildren(pane, known === "about" ? background() : details(stepsById.get(known)));
  if (pane.getBoundingClientRect().top < 0) pane.scrollIntoView();
}

// As high as the window has room for below the head of the page, so that the end of the list is in the window too.
function fitList() {
  const timeline = document.getElementById("timeline");
  timeline.style.setProperty("--above", `${Math.max(14, timeline.parentElement.getBoundingClientRect().top)}px`);
}

// Scrolls the list alone: scrollIntoView would move the page under the reader as well.
function reveal(row) {
  const [top, bottom] = [row.offsetTop - 40, row.offsetTop + row.offsetHeight + 40];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

function move(by) {
  const ids = shownIds();
  if (!ids.length) return;
  const at = ids.indexOf(selected);
  go(ids[at < 0 ? 0 : Math.min(Math.max(at + by, 0), ids.length - 1)]);
}

function go(id) {
  show(id);
  remember(id);
}

// On a narrow window the list and the step below it are what fits.
function fromAddress() {
  const id = decodeURIComponent(location.hash.slice(1));
  show(id);
  if (narrowWindow.matches && id) document.querySelector("main").scrollIntoView();
}

drawTop();
drawTimeline();
drawStrip();
narrow();
search.addEventListener("input", narrow);
onlyProblems.addEventListener("change", narrow);
onlyProblems.parentElement.hidden = !steps.some((step) => isProblem(step) || diedAfter(step));
window.addEventListener("hashchange", fromAddress);
window.addEventListener("resize", fitList);
window.addEventListener("scroll", fitList, { passive: true });
fitList();
fromAddress();
if (!selected) show(whereToBegin().id);
if (narrowWindow.matches && rows.get(selected).problem) document.querySelector("main").scrollIntoView();
