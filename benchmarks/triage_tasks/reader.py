"""A reader of fixed habits: reads what the window shows from the top, scrolls a page at a time, and knows a cause
once its witness has been read. A model, not a person."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.browser.chromium import Tab

WIDTH, HEIGHT = 1440, 900
CHARACTERS_A_SECOND = 25
"""300 words a minute."""
SECONDS_A_SCROLL = 0.5
SECONDS_A_CLICK = 1.3
"""Pointing and pressing, by the keystroke-level model."""
_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8").strip()
_OVERLAP = 60
"""CSS pixels of the window that are still there after a scroll."""


@dataclass(frozen=True)
class Effort:
    """``characters`` are those of lines that were read for the first time."""

    clicks: int = 0
    scrolls: int = 0
    characters: int = 0

    @property
    def seconds(self) -> float:
        reading = self.characters / CHARACTERS_A_SECOND
        return reading + self.scrolls * SECONDS_A_SCROLL + self.clicks * SECONDS_A_CLICK


@dataclass
class Reader:
    """``knows`` says of a cause and a text in one line whether the text is its witness. ``known`` is the effort up
    to each cause; ``found`` the cause that was read of each unit: a failure, or several taken together.
    ``loads`` are the measured seconds until a page that was opened is at rest."""

    tab: Tab
    causes: Sequence[str]
    knows: Callable[[str, str], bool]
    effort: Effort = Effort()
    known: dict[str, Effort] = field(default_factory=dict)
    found: dict[str, str] = field(default_factory=dict)
    loads: list[float] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _texts: dict[str, dict[str, None]] = field(default_factory=dict)

    def open(self, address: str) -> None:
        begun = time.perf_counter()
        self.tab.open(address)
        self._rest(begun)

    def look(self, unit: str = "", parts: str = "") -> None:
        """Reads what is in the window, up to the witness of the unit. Where a selector of ``parts`` is given, the
        text of each is that of the unit by its id, and what is understood is passed over; else all is the
        unit's."""
        for line, part in self.tab.run(f"{_SCRIPT}({json.dumps(parts)})"):
            if unit in self.found:
                return
            if part not in self.found:
                self._read(line, part if parts else unit)

    def read(self, unit: str, parts: str = "") -> None:
        """From here page by page to the witness of the unit, or to its end."""
        below = f"document.getElementById({json.dumps(unit)}).getBoundingClientRect().bottom > innerHeight"
        self.look(unit, parts)
        while unit not in self.found and self._goes_on(below if parts else "true"):
            self._scroll(1)
            self.look(unit, parts)

    def click(self, script: str, *, goes: bool = True) -> bool:
        """The element that the script finds, with the mouse, scrolled to before; False where there is none.
        ``goes`` is whether it leads to another address."""
        if not self.tab.run(f"Boolean({script})"):
            return False
        self.bring(script)
        self.tab.run("document.querySelector('[data-aim]')?.removeAttribute('data-aim')")
        self.tab.run(f"void ({script}.dataset.aim = '')")
        self._go(lambda: self.tab.click("[data-aim]"), goes)
        return True

    def back(self) -> None:
        self._go(lambda: self.tab.run("void history.back()"), True)

    def bring(self, script: str) -> None:
        """Scrolls page by page until the element is in the window."""
        for _ in range(200):
            middle = self.tab.run(f"(({{ top, height }}) => top + height / 2)({script}.getBoundingClientRect())")
            if 0 <= middle < HEIGHT:
                return
            self._scroll(1 if middle > 0 else -1)
        raise AssertionError(f"cannot be scrolled to: {script}")

    def _go(self, act: Callable[[], object], goes: bool) -> None:
        address = self.tab.run("location.href")
        self.effort = replace(self.effort, clicks=self.effort.clicks + 1)
        begun = time.perf_counter()
        act()
        if goes:
            self.tab.wait_for(f"location.href !== {json.dumps(address)}")
        self._rest(begun)

    def _rest(self, begun: float) -> None:
        """Until the page has drawn itself: complete, and for 50 ms the same."""
        length, drawn = -1, begun
        while (
            now := self.tab.run("document.readyState === 'complete' && document.body.innerText.length")
        ) != length:
            length, drawn = now, time.perf_counter()
            assert drawn - begun < 30, "the page does not come to rest"
            time.sleep(0.05)
        self.loads.append(drawn - begun)

    def _scroll(self, pages: int) -> None:
        self.effort = replace(self.effort, scrolls=self.effort.scrolls + 1)
        self.tab.run(f"scrollBy({{ top: {pages} * (innerHeight - {_OVERLAP}), behavior: 'instant' }})")

    def _goes_on(self, condition: str) -> bool:
        """Whether the page can be scrolled, and the condition holds."""
        end = "scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
        return bool(self.tab.run(f"{condition} && !({end})"))

    def _read(self, line: str, unit: str) -> None:
        if line not in self._seen:
            self._seen.add(line)
            self.effort = replace(self.effort, characters=self.effort.characters + len(line) + 1)
        text = self._texts.setdefault(unit, {})
        if unit and line not in text:
            text[line] = None
            for cause in self.causes:
                if unit not in self.found and self.knows(cause, " ".join(text)):
                    self.found[unit] = cause
                    self.known.setdefault(cause, self.effort)
