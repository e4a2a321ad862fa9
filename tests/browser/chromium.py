"""A headless Chromium driven over its debugging pipe: no port, no other package."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# The browser reads commands from descriptor 3 and answers on 4; both may be taken by something else
# before.
_LAUNCH = """
import fcntl, os, sys
pipes = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 10) for number in sys.argv[1:3]]
for number, pipe in enumerate(pipes, start=3):
    os.dup2(pipe, number)
    os.close(pipe)
os.execv(sys.argv[3], sys.argv[3:])
"""

SELECTED = "document.querySelector('[aria-current]').getAttribute('href')"
"""The step of a trace that is open."""

_CODES = {"ArrowDown": 40, "ArrowUp": 38, "Escape": 27, "Enter": 13}


class Tab:
    """One open page. ``run`` evaluates a script in it, ``press`` types a key, ``click`` uses the
    mouse."""

    def __init__(self, profile: Path, width: int, height: int) -> None:
        assert BROWSER is not None
        their_in, self._out = os.pipe()
        self._in, their_out = os.pipe()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", _LAUNCH, str(their_in), str(their_out), BROWSER),
                *QUIET,
                "--remote-debugging-pipe",
                f"--user-data-dir={profile}",
                f"--window-size={width},{height}",
                "about:blank",
            ],
            pass_fds=(their_in, their_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_in)
        os.close(their_out)
        self._received = b""
        self._number = 0
        self._session = ""
        self.console: list[str] = []
        try:
            self._attach()
        except BaseException:
            self.close()
            raise

    def _attach(self) -> None:
        targets = self._send("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self._send("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page.enable", "Runtime.enable", "Log.enable"):
            self._send(domain)

    def open(self, address: str) -> None:
        """An address; ``console`` begins again with it."""
        # What the page before still had to say is heard while nothing is open, not as this page's
        # words.
        self._send("Page.navigate", url="about:blank")
        self.wait_for("document.readyState === 'complete' && location.href === 'about:blank'")
        self.console.clear()
        self._send("Page.navigate", url=address)
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")
        self.wait_for(
            "!document.querySelector('#steps:empty')"
        )  # a packed page draws itself a moment later

    def wait_for(self, condition: str, seconds: float = 30) -> None:
        """Until the script yields true; what a click or a key sets off may come a moment later."""
        deadline = time.monotonic() + seconds
        while not self.run(condition):
            assert time.monotonic() < deadline, condition

    def run(self, script: str) -> Any:
        answer = self._send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def texts(self, selector: str, shown: str = "innerText") -> list[str]:
        """What each element shows, in one line; as ``textContent`` what is folded or not drawn yet
        as well."""
        found = self.run(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.{shown})"
        )
        return [" ".join(text.split()) for text in found]

    def text(self, selector: str) -> str:
        """All that stands in the first element, folded or not, in one line."""
        return self.texts(selector, "textContent")[0]

    def count(self, selector: str, visible: bool = False) -> int:
        seen = "one.checkVisibility()" if visible else "true"
        found = f"[...document.querySelectorAll({json.dumps(selector)})].filter((one) => {seen})"
        return int(self.run(f"{found}.length"))

    def enter(self, selector: str, value: str) -> None:
        """A value of a field, or a choice of a native list by its words, which would open outside
        the page."""
        self.run(
            f"(() => {{ const field = document.querySelector({json.dumps(selector)});"
            f" const said = {json.dumps(value)}, options = [...(field.options || [])];"
            " const option = options.find((one) => one.text.includes(said));"
            " field.value = option ? option.value : said;"
            " for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind)); })()"
        )

    def press(self, key: str) -> None:
        code = _CODES.get(key, ord(key[0].upper()))
        text = {"text": "\r" if key == "Enter" else key} if len(key) == 1 or key == "Enter" else {}
        self._send(
            "Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text
        )
        self._send("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        box = self.run(
            f"(() => {{ const box = "
            f"document.querySelector({json.dumps(selector)}).getBoundingClientRect(); return "
            "[box.left + box.width / 2, box.top + box.height / 2]; })()"
        )
        self.click_at(*box)

    def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            self._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def point_at(self, x: float, y: float) -> None:
        self._send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def screenshot(self, path: Path) -> None:
        """What the window shows, as a PNG: to be looked at by a person."""
        path.write_bytes(
            base64.b64decode(self._send("Page.captureScreenshot", format="png")["data"])
        )

    def resize(self, width: int, height: int) -> None:
        """The size of the window in CSS pixels; a phone's width is below what a real window can
        have."""
        self._send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._in)
        os.close(self._out)

    def _send(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                found: dict[str, Any] = answer["result"]
                return found
            if answer.get("method") in (
                "Runtime.consoleAPICalled",
                "Runtime.exceptionThrown",
                "Log.entryAdded",
            ):
                self.console.append(json.dumps(answer["params"]))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._in], [], [], 60)
            assert ready, "the browser said nothing for a minute"
            read = os.read(self._in, 1 << 20)
            assert read, "the browser has gone"
            self._received += read
        message, _, self._received = self._received.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer
