// Files of the report as links, the attempts of a test, and texts that are copied.

// A file of the report, as the run wrote it down; whatever else stands there becomes no link.
function address(path, ending, step = "") {
  const parts = path.split("/");
  const odd = parts[0].includes(":") || parts.some((part) => part === "" || /[\u0000-\u001f\\]/.test(part));
  if (odd || !path.endsWith(ending)) return null;
  try {
    return parts.map(encodeURIComponent).join("/") + (/^[\w.-]+$/.test(textOf(step)) ? `#${step}` : "");
  } catch {
    return null; // half a surrogate pair has no place in an address
  }
}

function remember(hash) {
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    location.hash = hash; // a page inside a sandboxed frame may not rewrite its history
  }
}

// A test with several phones has one record for each of them in every attempt.
function attemptWords(attempt, own) {
  const phones = own.filter((other) => other.attempt === attempt.attempt);
  const which = phones.length > 1 ? `, phone ${phones.indexOf(attempt) + 1}` : "";
  return `Attempt ${attempt.attempt + 1}${which}`;
}

// Of the last attempt, that of the phone on which it failed.
function shownAttempt(own) {
  const last = own.filter((one) => one.attempt === own[own.length - 1].attempt);
  return last.find((one) => one.step && one.trace) || last[0];
}

// ``text`` may be a function, where making it costs something.
function copyButton(words, text, title = null) {
  const button = el("button", { type: "button", class: "quiet copy", title, click: () => copy() }, words);
  const copy = async () => {
    replaceChildren(button, (await copied(typeof text === "function" ? text() : text)) ? "Copied" : "The browser did not allow it");
    setTimeout(() => replaceChildren(button, words), 2000);
  };
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

// Pages from a file have no clipboard of their own in every browser.
function copiedBySelection(text) {
  const focused = document.activeElement;
  const area = el("textarea", { class: "offstage" });
  area.value = text;
  append(document.body, area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (focused) focused.focus({ preventScroll: true });
  return done;
}
