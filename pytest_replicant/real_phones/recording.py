"""``Recording``: each screen of an app in use, and what was done between them, by hand or by
command.

Fingers on the screen of an Android phone are heard by the kernel's own events. ``getevent -lp``
says which inputs are glass and how large their numbers are, ``getevent -lt`` what happens on them
(AOSP system/core/toolbox/getevent.c; the order of events is that of protocol B in Linux's
multi-touch-protocol.rst, and glass that speaks another one is not heard). What adb injects is not
among them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from ..drivers import Driver, Followed, Orientation, device_name, quarter_turns
from ..errors import DeviceError, UsageError
from ..exploring.commands import OpenSession, Phone
from ..exploring.explorer import Explorer
from ..exploring.steps import RecordedStep
from ..logs import screen_sizes
from ..model import Clock, Element, Point, SystemClock
from ..pool import OpenDevice
from ..session import DeviceSession, build_session
from ..snapshots import Snapshot
from .capture import Means, Reached
from .collector import Collector
from .tour import answering

MOST_SCREENS = 300
RECENT_SECONDS = 8.0  # a touch that is older has not led to the screen that comes now
_ASK_SECONDS = 5.0

GUIDE: Mapping[str, Callable[[Snapshot], bool]] = {
    "a list that can be scrolled": lambda seen: any(one.states.scrollable for one in seen.elements),
    "a field, with the keyboard open": lambda seen: seen.keyboard_visible,
    "a dialog or a menu": lambda seen: seen.dialog is not None,
    "a switch or a checkbox": lambda seen: any(
        one.states.checked is not None for one in seen.elements
    ),
    "a web page in the app": lambda seen: any(
        "WebView" in one.node.class_name for one in seen.elements
    ),
}
"""What a recording is good for, besides the app's own pages."""


class Recording:
    """On one phone, whose app a user goes through, by hand or by the ``commands`` of a session.
    ``collector`` keeps the screens; ``to_see`` are those of ``GUIDE`` that have not been seen.
    Close it; the phone itself stays open."""

    def __init__(
        self, device: OpenDevice, collector: Collector, clock: Clock | None = None
    ) -> None:
        self.collector = collector
        self.to_see = list(GUIDE)
        self.screen: Snapshot | None = None
        self._clock = clock or SystemClock()
        self._session, self._recorder = build_session(
            device.driver, clock=self._clock, screenshots=False, trace=False
        )
        explorer = Explorer(self._session, "", self._no_fresh_app)
        explorer.on_step, explorer.proposes = self._stepped, False
        phone = Phone("record", device.uri, "", device_name(device.facts), "")
        self.commands = OpenSession(explorer, phone, None)
        self._at = ""  # name of the screen in front
        self._known: dict[object, str] = {}
        self._apps: set[str] = set()
        self._steps: list[tuple[float, Reached]] = []
        self._home = _home_of(device.driver)
        collector.opened(device)
        self._ears = _Ears(device)
        # whether fingers on the glass are heard; else only that something was done by hand is known
        self.hears = bool(self._ears)

    @property
    def is_full(self) -> bool:
        return len(self._known) >= MOST_SCREENS

    def look(self) -> str:
        """The name of a new screen; "" for one that is known, and for the home screen, which shows
        what else is on the phone. Raises ``DeviceError``."""
        before, seen = self.screen, self._session.snapshot()
        for touch in self._ears.heard():
            self._did(self._by_touch(touch, before))
        self.screen = seen
        self.to_see = [name for name in self.to_see if not GUIDE[name](seen)]
        if seen.app == self._home:
            self._at, self._steps = "", []
            return ""
        refs = frozenset(one.ref for one in seen.elements)
        key = seen.app, seen.screen_key, seen.size, seen.keyboard_visible, refs
        if key in self._known:
            if self._known[key] != self._at:
                self._at, self._steps = self._known[key], []
            return ""
        name = f"screen-{len(self._known) + 1:02}"
        self.collector.seen(name, self._reached(seen))
        self._known[key] = self._at = name
        self._steps = []
        return name

    def close(self) -> None:
        self._ears.close()
        self._recorder.close()

    @staticmethod
    def _no_fresh_app() -> DeviceSession:
        raise UsageError("a recording goes on: nothing of it is done again")

    def _stepped(self, step: RecordedStep) -> None:
        """What was done by a command of the session."""
        bounds = step.acted.bounds if step.acted else None
        self._did(Reached(_MEANS.get(step.call.verb, "hand"), self._at, bounds))

    def _did(self, step: Reached) -> None:
        self._steps.append((self._clock.now(), step))

    def _reached(self, seen: Snapshot) -> Reached:
        """By the one thing that was done since; by hand where it was more, or is not known."""
        recent = [step for when, step in self._steps if self._clock.now() - when < RECENT_SECONDS]
        is_first = seen.app not in self._apps
        self._apps.add(seen.app)
        if is_first:
            return Reached("launch")
        if len(recent) == 1:
            return replace(recent[0], source=self._at)
        return Reached("hand", self._at)

    def _by_touch(self, touch: Touch, screen: Snapshot | None) -> Reached:
        hand = Reached("hand", self._at)
        if not screen or touch.kind == "other":
            return hand
        start = touch.on(screen.size, self._ears.orientation, wide=self._ears.wide)
        here = [one for one in screen.elements if one.bounds.contains(start)]
        if touch.kind == "swipe":
            scrolls = any(one.states.scrollable for one in here)
            return Reached("scroll", self._at) if scrolls else hand
        smallest: Element | None = min(here, key=lambda one: one.bounds.area, default=None)
        return Reached("tap", self._at, smallest.bounds) if smallest else hand


_MEANS: Mapping[str, Means] = {
    "launch": "launch", "tap": "tap", "fill": "type", "scroll": "scroll", "back": "back",
    "home": "home",
}  # fmt: skip


def _home_of(driver: Driver) -> str:
    if not driver.traits.android_commands:
        return "com.apple.springboard"
    with suppress(DeviceError):
        return answering(driver, "android.intent.action.MAIN", "-c", "android.intent.category.HOME")
    return ""


class _Ears:
    """Hears fingers on the glass of an Android phone that lets the shell listen."""

    def __init__(self, device: OpenDevice) -> None:
        self._driver = driver = device.driver
        self._followed: Followed | None = None
        self.wide = False
        self.orientation: Orientation = "portrait"
        if not (driver.traits.android_commands and device.address[1]):
            return
        with suppress(DeviceError):
            self._glass = Glass(driver.shell("getevent -lp", _ASK_SECONDS).stdout)
            width, height = screen_sizes(driver.shell("wm size", _ASK_SECONDS).stdout).get(
                "physical", (0, 1)
            )
            self.wide = width > height
            if self._glass:
                self._followed = Followed(*device.address, driver.info.serial, "getevent -lt")

    def __bool__(self) -> bool:
        return self._followed is not None and not self._followed.ended

    def heard(self) -> list[Touch]:
        """The touches that are over since; as the phone was held before."""
        if not self._followed:
            return []
        touches = self._glass.touches(self._followed.take())
        if not touches:
            with suppress(DeviceError):
                self.orientation = self._driver.orientation()
        return touches

    def close(self) -> None:
        if self._followed:
            self._followed.close()


# --- fingers on the glass -------------------------------------------------------------------------


PRESSED_SECONDS = 0.5
_MOVED = 0.02  # of the screen's longer side: a finger that moves less has not moved

_AXIS = r"\bABS_MT_(SLOT|POSITION_[XY])\s+: value -?\d+, min (-?\d+), max (-?\d+)"
_EVENT = r"^\[ *(\d+\.\d+)\] (?:(/\S+): )?EV_\w+ +(\w+) +([0-9a-f]{8}) *$"

Kind = Literal["tap", "swipe", "other"]


class Touch(NamedTuple):
    """``start`` are shares of the glass, 0 to 1, across and down as it was built. Other ones are
    long, of more fingers than one, or of a finger whose place was never reported."""

    kind: Kind
    start: tuple[float, float]

    def on(self, size: tuple[int, int], orientation: Orientation, *, wide: bool) -> Point:
        """Where it began, in pixels of a screen of that ``size``, held so; ``wide`` as for
        ``quarter_turns``. The glass does not turn with the picture on it."""
        across, down = self.start
        turned = ((across, down), (down, 1 - across), (1 - across, 1 - down), (1 - down, across))
        across, down = turned[quarter_turns(orientation, wide=wide)]
        return Point(round(across * (size[0] - 1)), round(down * (size[1] - 1)))


@dataclass
class _Input:
    """One input of the phone that is glass: the least and the most of both axes; where its fingers
    are."""

    across: tuple[int, int]
    down: tuple[int, int]
    slot: int = 0
    at: dict[int, dict[str, int]] = field(
        default_factory=dict
    )  # by slot; what does not change is not repeated
    held: set[int] = field(default_factory=set)
    fingers: int = 0
    began: float = 0.0
    path: list[tuple[float, float]] = field(default_factory=list)

    def share(self, slot: int) -> tuple[float, float] | None:
        place = self.at.get(slot, {})
        if not {"X", "Y"} <= place.keys():
            return None
        both = (("X", self.across), ("Y", self.down))
        across, down = (
            (place[name] - least) / max(most - least, 1) for name, (least, most) in both
        )
        return across, down

    def change(self, code: str, value: str) -> None:
        if code == "ABS_MT_SLOT":
            self.slot = int(value, 16)
        elif code == "ABS_MT_TRACKING_ID":
            (self.held.discard if value == "ffffffff" else self.held.add)(self.slot)
        elif code in ("ABS_MT_POSITION_X", "ABS_MT_POSITION_Y"):
            number = int.from_bytes(bytes.fromhex(value), "big", signed=True)
            self.at.setdefault(self.slot, {})[code[-1]] = number

    def reported(self, seconds: float) -> Touch | None:
        """After each report: the touch that it ends."""
        if self.held:
            if not self.fingers:
                self.began, self.path = seconds, []
            self.fingers = max(self.fingers, len(self.held))
            if place := self.share(min(self.held)):
                self.path.append(place)
            return None
        fingers, self.fingers = self.fingers, 0
        if not fingers:
            return None
        if fingers > 1 or not self.path:
            return Touch("other", (0, 0))
        start = self.path[0]
        kind: Kind = "tap"
        if math.dist(start, self.path[-1]) > _MOVED:
            kind = "swipe"
        elif seconds - self.began >= PRESSED_SECONDS:
            kind = "other"
        return Touch(kind, start)


class Glass:
    """The inputs that ``getevent -lp`` describes, and what they report."""

    def __init__(self, described: str) -> None:
        """Of inputs that are glass: with slots for fingers, both axes of a place, and the screen
        behind them."""
        self._inputs: dict[str, _Input] = {}
        for part in re.split(r"^(?=add device )", described, flags=re.MULTILINE):
            name = re.match(r"^add device \d+: (\S+)", part)
            axes = {axis: (int(least), int(most)) for axis, least, most in re.findall(_AXIS, part)}
            if name and "INPUT_PROP_DIRECT" in part and len(axes) == 3:
                self._inputs[name[1]] = _Input(axes["POSITION_X"], axes["POSITION_Y"])
        self._alone = next(iter(self._inputs.values()), None)

    def __bool__(self) -> bool:
        return bool(self._inputs)

    def touches(self, lines: Iterable[str]) -> list[Touch]:
        """The touches that are over with these lines of ``getevent -lt``; others are kept in
        mind."""
        events = filter(None, (re.match(_EVENT, line) for line in lines))
        return list(filter(None, map(self._take, events)))

    def _take(self, event: re.Match[str]) -> Touch | None:
        seconds, path, code, value = event.groups()
        glass = self._inputs.get(path) if path else self._alone
        if not glass:
            return None
        if code == "SYN_REPORT":
            return glass.reported(float(seconds))
        glass.change(code, value)
        return None
