// Dark or light against what the system says, remembered where the browser lets a page remember.

const THEME = "replicant-theme";
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

function rememberedTheme() {
  try {
    const kept = localStorage.getItem(THEME);
    return kept === "dark" || kept === "light" ? kept : null;
  } catch {
    return null; // a page inside a sandboxed frame has no storage
  }
}

function shownTheme() {
  return document.documentElement.dataset.theme || (systemDark.matches ? "dark" : "light");
}

// What the system says anyway is no choice: the page follows it again.
function chooseTheme(theme) {
  const own = theme === (systemDark.matches ? "dark" : "light") ? null : theme;
  if (own) document.documentElement.dataset.theme = own;
  else delete document.documentElement.dataset.theme;
  try {
    if (own) localStorage.setItem(THEME, own);
    else localStorage.removeItem(THEME);
  } catch {
    // then it holds for this page alone
  }
}

function themeButton() {
  const click = () => chooseTheme(shownTheme() === "dark" ? "light" : "dark");
  return el("button", { type: "button", class: "theme quiet", title: "Dark or light", "aria-label": "Dark or light", click }, "◐");
}

if (rememberedTheme()) document.documentElement.dataset.theme = rememberedTheme();
