"""``Pictures``: the session's own small pictures of look-alikes without words, apart from what the
trace keeps.

One screenshot serves a whole screen. It belongs to the screen once the next read shows the same
look-alikes in the same places: a picture of another moment is no evidence. One that cannot be taken
fails nothing and proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ... import vision  # whose modules wait until a picture is looked at
from ...drivers import Appearance, Capability, Driver
from ...errors import DeviceError, SnapshotError
from ...model import Element, Picture, Rect, Redactor
from ...snapshots import Memory, Snapshot, Unreported, pictures_of, wordless
from ..recording.secret_fields import secret_areas

_MOST_TRIES = 3  # since the last gesture, on a screen that does not come to rest
_MOST_FAILURES = 2  # in a session; each may take as long as the phone's time-out


@dataclass
class Shot:
    """The pictures of one screenshot, by bounds. ``ids`` are the snapshots that it belongs to;
    ``printed``: the test is given that screen; ``handed``: it was, before the screenshot was
    confirmed."""

    snapshot: Snapshot
    places: list[tuple[str, Rect]]
    pictures: Mapping[Rect, Picture]
    printed: bool
    handed: bool
    ids: frozenset[str] = frozenset()

    def hand(self, *, printed: bool, handed: bool) -> bool:
        """The test is given that screen. Returns whether it is printed for the first time."""
        first = printed and not self.printed
        self.printed = self.printed or printed
        self.handed = self.handed or handed or first
        return first

    def of(self, snapshot: Snapshot) -> dict[int, Picture]:
        """By the nodes of a snapshot that it belongs to."""
        shown = (one for one in snapshot.elements if one.bounds in self.pictures and not one.label)
        return {one.index: self.pictures[one.bounds] for one in shown}


@dataclass
class Pictures:
    """``forgotten`` counts how often what was seen may have changed."""

    _driver: Driver
    _memory: Memory
    _redactor: Redactor

    def __post_init__(self) -> None:
        self.forgotten = 0
        self._failures = 0
        self._tries = 0
        self._drawn_on = ""  # the last screen whose picture showed more than it reports
        self._appearance: Appearance | None = None  # as long as nothing was sent
        self._unconfirmed: Shot | None = None
        self._shot: Shot | None = None

    def take(
        self, snapshot: Snapshot, *, printed: bool = False, handed: bool = False
    ) -> bytes | None:
        """Takes the pictures of the screen as it was just read, unless they are known; returns the
        screenshot that it took. ``printed`` and ``handed`` as for ``Shot``: then its refs keep
        them."""
        for shot in (self._unconfirmed, self._shot):
            if shot and (shot.snapshot is snapshot or snapshot.id in shot.ids):
                if shot.hand(printed=printed, handed=handed):
                    self._remember(shot, snapshot)
                return None
        groups = wordless(snapshot.elements, snapshot.size)
        spent = self._tries >= _MOST_TRIES or self._failures >= _MOST_FAILURES
        if any((spent, not groups, self._driver.traits.dear_pictures)):
            return None
        self._tries += 1
        screenshot = None
        try:
            by_place = self._driver.listener.recorded_looks()
            if by_place is None:
                screenshot = self._driver.screenshot()
                by_place = self._looks(screenshot, snapshot, groups)
        except (DeviceError, OSError, SyntaxError, ValueError):
            self._failures += 1
            return None
        self._unconfirmed = Shot(snapshot, _places(snapshot), by_place, printed, handed)
        return screenshot

    def appearance(self) -> Appearance:
        """How the phone is set to look. Asks it once, and again if something was sent since."""
        if self._appearance is None:
            says = Capability.STYLE in self._driver.capabilities
            self._appearance = self._driver.appearance() if says else Appearance()
        return self._appearance

    def shows_more(self, snapshot: Snapshot, silent: Unreported) -> bool:
        """Whether a screenshot may show something that is not reported. One that does counts until
        a gesture, or another screen; bytes that are no picture prove nothing. Raises
        ``DeviceError``."""
        if self._drawn_on != snapshot.id:
            png = self._driver.screenshot()
            try:
                drawn = vision.is_drawn_on(png, silent.area, silent.apart, snapshot.size[0])
            except SnapshotError:
                return True
            self._drawn_on = snapshot.id if drawn else ""
        return self._drawn_on != ""

    def _looks(
        self, screenshot: bytes, snapshot: Snapshot, groups: list[list[Element]]
    ) -> Mapping[Rect, Picture]:
        """The pictures on a screenshot, which a recording keeps in place of it."""
        pictures = None
        try:
            found = pictures_of(screenshot, snapshot.size, groups, self._hidden(snapshot))
            at = {one.index: one.bounds for group in groups for one in group}
            pictures = {at[index]: picture for index, picture in found.items()}
        finally:
            self._driver.listener.note_looks(pictures)
        return pictures

    def of(self, snapshot: Snapshot, *, current: bool) -> Mapping[int, Picture] | None:
        """The pictures of a screen, by node. Of the current one they are taken if there are none
        yet: None until the next read has confirmed them."""
        if self._shot and snapshot.id in self._shot.ids:
            return self._shot.of(snapshot)
        if current:
            self.take(snapshot)
        return None if self._unconfirmed and self._unconfirmed.snapshot is snapshot else {}

    @property
    def await_a_read(self) -> bool:
        """Whether a screenshot was taken that the next read has to confirm."""
        return self._unconfirmed is not None

    def unconfirmed(self) -> Shot | None:
        """Hands over that screenshot: a read that fails confirms nothing."""
        shot, self._unconfirmed = self._unconfirmed, None
        return shot

    def confirm(self, shot: Shot | None, snapshot: Snapshot) -> bool:
        """Judges a screenshot that was taken since the read before by what was read now, or the
        last one that was confirmed. Returns whether refs have to be printed again."""
        shot = shot or self._shot
        if not shot or snapshot.id in shot.ids:
            return False
        self._shot = None
        if shot.places != _places(snapshot):
            return False
        self._shot = replace(shot, ids=shot.ids | {shot.snapshot.id, snapshot.id})
        return self._remember(self._shot, snapshot)

    def forget(self) -> None:
        """A gesture was sent: what was seen may be something else now."""
        self.forgotten += 1
        self._appearance = None
        self._drawn_on = ""
        self._unconfirmed = self._shot = None
        self._tries = 0

    def _remember(self, shot: Shot, snapshot: Snapshot) -> bool:
        """Adds confirmed pictures to the memory of the printed refs."""
        if not (shot.printed and shot.ids):
            return False
        pictures = shot.of(snapshot)
        shown = (one for one in snapshot.elements if one.fragile and one.index in pictures)
        return self._memory.see(
            {one.identity: pictures[one.index] for one in shown}, handed=shot.handed
        )

    def _hidden(self, snapshot: Snapshot) -> list[Rect]:
        """The areas that show secrets, and all that is typed into."""
        fields = (
            node.bounds for node in snapshot.nodes if node.states.editable or node.states.password
        )
        return [
            *secret_areas(snapshot, self._redactor),
            *(area for area in fields if not area.is_empty),
        ]


def _places(snapshot: Snapshot) -> list[tuple[str, Rect]]:
    groups = wordless(snapshot.elements, snapshot.size)
    return [(one.class_name, one.bounds) for group in groups for one in group]
