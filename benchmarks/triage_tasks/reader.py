"""A reader of fixed habits: reads what the window shows from the top, scrolls a page at a time, clicks in a fixed
order, and knows a cause once its witness has been read. A model, not a person."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.browser.chromium import Tab

WIDTH, HEIGHT = 1440, 900
CHARACTERS_A_SECOND = 25.0
"""300 words a minute, of text that was not read yet."""
SECONDS_A_SCROLL = 0.5
SECONDS_A_CLICK = 1.3
"""Pointing and pressing, by the keystroke-level model."""
_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8").strip()
_OVERLAP = 60
"""CSS pixels of a page that the next one shows again."""


@dataclass(frozen=True)
class Effort:
    clicks: int = 0
    scrolls: int = 0
    characters: int = 0

    @property
    def seconds(self) -> float:
        reading = self.characters / CHARACTERS_A_SECOND
        return reading + self.scrolls * SECONDS_A_SCROLL + self.clicks * SECONDS_A_CLICK


@dataclass
class Reader:
    """``knows`` says whether a text, in one line, is the witness of one of ``causes``. ``known`` is the effort up
    to each cause; ``found`` the causes read in each unit: a failure, or a card of several. ``loads`` are measured
    seconds from a click to the page at rest."""

    tab: Tab
    causes: Sequence[str]
    knows: Callable[[str, str], bool]
    part: str = ""
    effort: Effort = Effort()
    known: dict[str, Effort] = field(default_factory=dict)
    found: dict[str, set[str]] = field(default_factory=dict)
    loads: list[float] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _texts: dict[str, list[str]] = field(default_factory=dict)

    def open(self, address: str) -> None:
        begun = time.perf_counter()
        self.tab.open(address)
        self._rest(begun)

    def look(self, unit: str = "") -> None:
        """Reads what is in the window, from the top to the witness of the unit: as text of that unit, or of the
        units that ``part`` finds on the page, without those that are understood."""
        parts = self.part if unit in ("", *self.parts) else ""
        for line, part in self.tab.run(f"{_SCRIPT}({json.dumps(parts)})"):
            if unit in self.found:
                return
            if part not in self.found:
                self._read(line, part if parts else unit)

    def read(self, unit: str) -> None:
        """From here page by page to the witness of the unit, or to the end of it."""
        whole = f"document.getElementById({json.dumps(unit)})" if unit in self.parts else "document.documentElement"
        self.look(unit)
        while unit not in self.found and self._goes_on(whole):
            self._scroll(1)
            self.look(unit)

    def click(self, script: str, *, goes: bool = True) -> bool:
        """The element that the script finds, with the mouse, scrolled to before; False where there is none.
        ``goes`` is whether it leads to another address."""
        if not self.tab.run(f"Boolean({script})"):
            return False
        self.bring(script)
        self.tab.run(f"document.querySelector('[data-aim]')?.removeAttribute('data-aim')")
        self.tab.run(f"void ({script}.dataset.aim = '')")
        self._go(lambda: self.tab.click("[data-aim]"), goes)
        return True

    def back(self) -> None:
        self._go(lambda: self.tab.run("void history.back()"), True)

    def _go(self, act: Callable[[], None], goes: bool) -> None:
        address = self.tab.run("location.href")
        self.effort = self._with(clicks=1)
        begun = time.perf_counter()
        act()
        if goes:
            self.tab.wait_for(f"location.href !== {json.dumps(address)}")
        self._rest(begun)

    def bring(self, script: str) -> None:
        """Scrolls page by page until the element is in the window."""
        for _ in range(200):
            middle = self.tab.run(f"(({{ top, height }}) => top + height / 2)({script}.getBoundingClientRect())")
            if 0 <= middle < HEIGHT:
                return
            self._scroll(1 if middle > 0 else -1)
        raise AssertionError(f"cannot be scrolled to: {script}")

    def _scroll(self, pages: int) -> None:
        self.effort = self._with(scrolls=1)
        self.tab.run(f"scrollBy({{ top: {pages} * (innerHeight - {_OVERLAP}), behavior: 'instant' }})")

    def _goes_on(self, element: str) -> bool:
        """Whether a part of it is below the window, and the page can be scrolled."""
        end = "scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
        return bool(self.tab.run(f"{element}.getBoundingClientRect().bottom > innerHeight + 2 && !({end})"))

    def _read(self, line: str, unit: str) -> None:
        if line not in self._seen:
            self._seen.add(line)
            self.effort = self._with(characters=len(line) + 1)
        text = self._texts.setdefault(unit, [])
        if not unit or line in text[-400:]:
            return
        text.append(line)
        for cause in self.causes:
            if cause not in self.found.get(unit, ()) and self.knows(cause, " ".join(text)):
                self.found.setdefault(unit, set()).add(cause)
                self.known.setdefault(cause, self.effort)

    def _with(self, clicks: int = 0, scrolls: int = 0, characters: int = 0) -> Effort:
        spent = self.effort
        return Effort(spent.clicks + clicks, spent.scrolls + scrolls, spent.characters + characters)

    def _rest(self, begun: float) -> None:
        """Until the page has drawn itself: complete, and as long as 50 ms ago."""
        length, drawn = -1, begun
        while True:
            now = self.tab.run("document.readyState === 'complete' ? document.body.innerText.length : 0")
            if now and now == length:
                break
            length, drawn = now, time.perf_counter()
            assert drawn - begun < 30, "the page does not come to rest"
            time.sleep(0.05)
        self.loads.append(drawn - begun)

