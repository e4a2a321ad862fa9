"""What really was on the phone's screen, moment by moment, and what claims about it were true.

It reads the phone's own model, never a dump, a snapshot or a session: it is the witness against
whom passed checks are held.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_replicant.drivers import Platform
from pytest_replicant.model import Rect
from pytest_replicant.virtual import UiNode, Window

from .lab_phone import PACKAGE, LabPhone

TAG = "Lab"  # under which the app writes down what really happens
JUST_NOW = (
    0.05  # seconds from a read to the gesture that goes by it, where nothing else lies between
)
GESTURES = (
    "tap",
    "long_press",
    "swipe",
    "drag",
    "pinch",
    "press_key",
    "type_text",
    "set_text",
    "set_rotation",
    "start_app",
)


@dataclass(frozen=True)
class Seen:
    """One view that is not clipped away. ``covered`` where something lies over all of it,
    ``on_top`` where no other window lies over its own."""

    id: str
    texts: frozenset[str]
    checked: bool | None
    enabled: bool
    selected: bool
    text: str
    covered: bool
    on_top: bool
    place: Rect


@dataclass(frozen=True)
class Moment:
    """The screen from ``at`` on, until the next one."""

    at: float
    views: tuple[Seen, ...]
    title: str
    package: str
    runs: bool
    toast: str = ""

    def having(self, *, text: str = "", id: str = "") -> list[Seen]:
        return [
            view
            for view in self.views
            if (not text or _plain(text) in view.texts)
            and (not id or view.id.rpartition("/")[2] == id)
        ]


@dataclass(frozen=True)
class Dump:
    """One time that the phone was asked for its hierarchy. ``shown`` is the moment that the answer
    was about, None where it was none that could be read; ``of`` is when that was so, earlier than
    ``at`` for a stale one."""

    at: float
    of: float
    shown: Moment | None


class Witness:
    """Watches one phone from now on."""

    def __init__(self, lab: LabPhone) -> None:
        self._lab = lab
        self._version = -1
        self.moments: list[Moment] = []
        self.dumps: list[Dump] = []
        self.gestures: list[tuple[float, str]] = []
        self._screens: list[float] = []  # since when the screen was as each gesture met it
        self._events: list[tuple[float, str]] = []
        self._lines: list[tuple[float, str]] = []
        self._watch_log()
        self._watch_dumps()
        for name in GESTURES:
            self._watch_gesture(name)
        lab.clock.on_step = [self.look]
        self.look()

    # --- watching ---------------------------------------------------------------------------------
    @property
    def now(self) -> float:
        return self._lab.clock.read()

    def look(self) -> None:
        phone = self._lab.phone
        with phone.lock:
            version = phone.version()
            if version == self._version:
                return
            windows = phone.windows()
            self._version = phone.version()
            package = phone.foreground()[0]
            toast = next((_toast(each) for each in windows if each.kind == "toast"), "")
        self.moments.append(
            _moment(
                self.now, windows, package, self._runs(), toast, self._lab.phone.profile.platform
            )
        )

    def _runs(self) -> bool:
        return PACKAGE in self._lab.phone.processes()

    @property
    def events(self) -> list[str]:
        """All that ever happened in the lab, whatever became of it since: an app that dies takes
        its own list along, and leaves its log."""
        self.look()
        return [event for _, event in self._events]

    @property
    def timed_events(self) -> list[tuple[float, str]]:
        self.look()
        return list(self._events)

    def _watch_dumps(self) -> None:
        phone = self._lab.phone
        begin = phone.begin_dump
        former: list[tuple[float, Moment]] = []

        def watched() -> Any:
            with phone.lock:
                self.look()
                fault, seen = begin()
                now = self.moments[-1]
            of, shown = former[-1] if fault.stale and former else (self.now, now)
            unreadable = fault.fails or fault.no_window or fault.keep < 1
            self.dumps.append(Dump(self.now, of, None if unreadable else shown))
            former[:] = [(self.now, now)]
            return fault, seen

        phone.begin_dump = watched  # type: ignore[method-assign]
        read = self._lab.driver.dump_hierarchy

        def one_read() -> bytes:
            """The driver may ask again, where an answer never came through or the tree was refused
            as too deep: what it gives is the last one."""
            first = len(self.dumps)
            try:
                return bytes(read())
            finally:
                del self.dumps[first:-1]

        self._lab.driver.dump_hierarchy = one_read

    def _watch_log(self) -> None:
        log = self._lab.phone.log
        append = log.append

        def watched(level: Any, tag: str, message: str, *args: Any, **more: Any) -> Any:
            self._lines.append((self.now, message))
            if tag == TAG or message.startswith(
                "--> "
            ):  # a request is as much of an event as what comes of it
                self._events.append((self.now, message))
            return append(level, tag, message, *args, **more)

        log.append = watched  # type: ignore[method-assign]

    def _watch_gesture(self, name: str) -> None:
        phone = self._lab.phone
        make: Callable[..., Any] = getattr(phone, name)

        def watched(*args: Any, **more: Any) -> Any:
            with phone.lock:
                self.look()  # whatever was due before it
                self._screens.append(self.moments[-1].at)
                self.gestures.append((self.now, name))
                done = make(*args, **more)
                self.look()
            return done

        setattr(phone, name, watched)

    # --- looking back -----------------------------------------------------------------------------
    def between(self, start: float, end: float) -> list[Moment]:
        """The moments of that time, the one that it began with included."""
        self.look()
        earlier = [one for one in self.moments if one.at <= start][-1:]
        return [*earlier, *(one for one in self.moments if start < one.at <= end)]

    def logged(self, start: float) -> list[str]:
        """The lines that were logged since then."""
        return [line for at, line in self._lines if at >= start]

    def was_misled(self, start: float, end: float) -> bool:
        """Whether a gesture of that time went by what was true no more: by a read that told of an
        earlier screen, since two reads in a row agree where the second shows the first one's
        screen, and no one can tell that from a screen that stands still; by one that was made a
        moment ago and still counted as fresh; or because the screen changed on the gesture's way to
        the phone."""
        for (at, _), screen in zip(self.gestures, self._screens, strict=True):
            last = [dump for dump in self.dumps if dump.at <= at][-2:]
            if start <= at <= end and (
                any(dump.of < dump.at for dump in last)
                or at - last[-1].at > JUST_NOW
                or screen > last[-1].at
            ):
                return True
        return False

    def evidence(self, start: float, end: float) -> list[Dump]:
        return [dump for dump in self.dumps if start <= dump.at <= end]

    def lasted(self, moment: Moment, end: float) -> float:
        later = next((one.at for one in self.moments if one.at > moment.at), end)
        return min(later, end) - moment.at


def _moment(
    at_: float, windows: list[Window], package: str, runs: bool, toast: str, platform: Platform
) -> Moment:
    views: list[Seen] = []
    shown = [each for each in windows if each.accessible]
    top = next((each for each in reversed(shown) if each.kind != "keyboard"), None)
    for index, window in enumerate(shown):
        over = [each.root.bounds for each in shown[index + 1 :]]
        nodes = [node for node in window.root.walk() if not node.bounds.is_empty]
        for at, node in enumerate(nodes if window.kind != "keyboard" else []):
            later = (
                each.bounds
                for each in nodes[at + 1 :]
                if _hides(each) and each not in _inside(node)
            )
            covered = any(node.bounds.intersect(cover) == node.bounds for cover in (*over, *later))
            views.append(_seen(node, platform, covered=covered, on_top=window is top))
    return Moment(at_, tuple(views), _title(shown), package, runs, toast)


def _hides(node: UiNode) -> bool:
    return node.clickable or bool(node.text or node.description)


def _inside(node: UiNode) -> list[UiNode]:
    return list(node.walk())


def _seen(node: UiNode, platform: Platform, *, covered: bool, on_top: bool) -> Seen:
    named = (node.hint, node.description) if node.editable else (node.text or node.description,)
    if node.class_name.endswith("SeekBar") and node.description:
        named = (node.description,)  # its text is its value
    if node.class_name.endswith("Alert"):
        named = ("",)  # it is called as its title is, which is in it
    texts = frozenset(_plain(each) for each in named if each)  # what was typed is no name
    checked = node.checked if node.checkable else None
    if platform == "ios" and texts and not node.checkable:
        checked = node.selected  # the one chosen of several is given in one word
    return Seen(
        node.resource_id,
        texts,
        checked,
        node.enabled,
        node.selected,
        node.text,
        covered=covered,
        on_top=on_top,
        place=node.bounds,
    )


def _title(windows: list[Window]) -> str:
    """What the bar at the top of the app's own window says."""
    own = [each for each in windows if each.kind == "app"]
    for window in own[-1:]:
        for node in window.root.walk():
            if node.resource_id.endswith("/toolbar") or node.class_name.endswith("NavigationBar"):
                return next((each.text for each in node.walk() if each.text), "")
    return ""


def _toast(window: Window) -> str:
    return next((node.text for node in window.root.walk() if node.text), "")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def vocabulary(moment: Moment) -> Iterator[str]:
    """The words that are on the screen."""
    for view in moment.views:
        yield from sorted(view.texts)
