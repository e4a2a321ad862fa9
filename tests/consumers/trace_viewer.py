"""Playwright's own trace viewer, unmodified: its files out of the npm package, served on loopback,
in Chromium."""

from __future__ import annotations

import json
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

from tests.browser.chromium import Tab

from .npm import package

if TYPE_CHECKING:
    from collections.abc import Callable

VERSION = "1.65.1"
"""Of playwright-core, whose viewer the traces are read with."""

ZIPS = "/zips/"

IN_SNAPSHOT = "document.querySelector('iframe.snapshot-visible').contentDocument"
"""The screen that is shown."""


def viewer_files() -> tuple[Path | None, str]:
    """The viewer's folder, or None and the reason."""
    folder, reason = package("playwright-core", VERSION)
    if folder is None:
        return None, reason
    viewer = folder / "node_modules" / "playwright-core" / "lib" / "vite" / "traceViewer"
    return (
        (viewer, "")
        if viewer.is_dir()
        else (None, f"playwright-core {VERSION} came without its trace viewer")
    )


class Viewer:
    """The viewer with one trace after another. ``said`` is what its page logged, warnings of its
    own left out."""

    def __init__(self, files: Path, zips: Path, profile: Path) -> None:
        self._zips = zips
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _serving(files, zips))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        # A service worker, which opens the archive, needs https or this very name.
        self._address = f"http://localhost:{self._server.server_port}"
        try:
            self.tab = Tab(profile, 1500, 950)
        except BaseException:
            self._stop()
            raise

    def open(self, archive: bytes, name: str = "trace.zip") -> None:
        """Until its calls are listed, or the viewer says why it cannot list them."""
        (self._zips / name).write_bytes(archive)
        trace = quote(f"{self._address}{ZIPS}{name}", safe="")
        self.tab.open(f"{self._address}/index.html?trace={trace}")
        self.tab.wait_for(
            "document.querySelector('[data-testid=actions-tree] .action-title') !== null"
            " || /Could not load trace/.test(document.body.textContent)"
        )

    def text(self, selector: str = "body") -> str:
        return str(self.tab.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.tab.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)"
        )
        return found

    def unfold(self) -> None:
        folded = "[data-testid=actions-tree] .codicon-chevron-right"
        while self.texts(folded):
            self.tab.run(f"document.querySelector({json.dumps(folded)}).click()")

    def select(self, call: str) -> None:
        """A call, by what its title begins with, and its screen with all pictures."""
        titles = "[...document.querySelectorAll('[data-testid=actions-tree] .action-title-method')]"
        begins = f"(one) => one.textContent.startsWith({json.dumps(call)})"
        self.tab.run(f"{titles}.find({begins}).click()")
        chosen = (
            "document.querySelector('[role=treeitem][aria-selected=true] "
            ".action-title-method')?.textContent"
        )
        self.tab.wait_for(f"({chosen} ?? '').startsWith({json.dumps(call)})")

    def show(self, tab: str) -> None:
        """One of the viewer's tabs, by its name."""
        tabs = "[...document.querySelectorAll('[role=tab]')]"
        found = f"{tabs}.find((one) => one.title === {json.dumps(tab)})"
        self.tab.run(f"{found}.click()")
        self.tab.wait_for(f"{found}.getAttribute('aria-selected') === 'true'")

    def shows(self, condition: str) -> None:
        """Waits until it is true of the screen shown, whose document it knows as ``page``."""
        self.tab.wait_for(
            f"((page) => Boolean(page && page.body && ({condition})))({IN_SNAPSHOT})", 10
        )

    @property
    def said(self) -> list[str]:
        return [entry for entry in self.tab.console if "can escape its sandboxing" not in entry]

    def close(self) -> None:
        self.tab.close()
        self._stop()

    def _stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _serving(files: Path, zips: Path) -> Callable[..., SimpleHTTPRequestHandler]:
    class Serving(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            wanted = unquote(urlsplit(path).path)
            root, name = (
                (zips, wanted[len(ZIPS) :])
                if wanted.startswith(ZIPS)
                else (files, wanted.lstrip("/"))
            )
            target = (root / name).resolve()
            return str(target if target.is_relative_to(root.resolve()) else root / "nothing")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Serving
