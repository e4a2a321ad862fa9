// The keys of a page, on demand: each page names its own in KEYS.

function showHelp() {
  const help = document.getElementById("help");
  if (!help.children.length) {
    append(
      help,
      el("h2", {}, "Keys"),
      el("dl", {}, KEYS.map(([keys, words]) => el("div", {}, el("dt", {}, keys.split(" ").map((key) => el("kbd", {}, key))), el("dd", {}, words)))),
      el("form", { method: "dialog" }, el("button", { class: "quiet" }, "Close")),
    );
    help.addEventListener("click", (event) => event.target === help && help.close());
  }
  help.showModal();
}
