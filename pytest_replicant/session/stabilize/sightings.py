"""``Sightings``: the screens and toasts that belong to one action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ...drivers import Platform
from ...errors import UndecidableText
from ...model import Selector, quoted
from ...snapshots import Snapshot, fits_text

MOST_SEEN = 256  # different ones kept of one action; a video would fill memory otherwise


@dataclass(eq=False)
class Sightings:
    """The record of one action, from the moment when it was first sent to the next action.

    ``screens`` are the different screens that were read since it was sent last, oldest first. ``toasts`` are what
    the platform announced, each once. ``action_id`` is "" before the first action of a session, ``before`` the
    screen when it was sent, None where that was not read. ``gone`` are the titles of dialogs on screens that are
    no longer kept.
    """

    action_id: str = ""
    before: Snapshot | None = None
    screens: list[Snapshot] = field(default_factory=list)
    toasts: list[str] = field(default_factory=list)
    was_read: bool = False
    was_polled: bool = False
    gone: tuple[str, ...] = ()

    def note(self, snapshot: Snapshot) -> None:
        """Adds a screen, unless it is the one that was added last."""
        self.was_read = True
        if (not self.screens or self.screens[-1] is not snapshot) and len(self.screens) < MOST_SEEN:
            self.screens.append(snapshot)

    def note_toast(self, toast: str | None) -> None:
        self.was_polled = True
        if toast and toast not in self.toasts:
            self.toasts.append(toast)

    def close(self) -> None:
        """Forgets the screens, and keeps the titles of the dialogs among them."""
        self.gone, self.screens, self.before = self.dialogs, [], None

    def begin(self, before: Snapshot | None) -> None:
        """Screens count from now on: those until now are of before the gesture."""
        self.screens, self.before, self.was_read = [], before, False

    def copy(self) -> Sightings:
        """The same record, which grows apart from this one."""
        return replace(self, screens=[*self.screens], toasts=[*self.toasts], was_polled=False)

    @property
    def dialogs(self) -> tuple[str, ...]:
        """Titles of the dialogs that came and went, in order, "" for one without a title. One that was there
        before the action did not come, and one that is still there did not go."""
        found = list(self.gone)
        top, came = self.before.dialog if self.before is not None else None, False
        for now in (screen.dialog for screen in self.screens):
            if now is not None and top is not None and not (now and top):  # one that is being drawn
                top = now or top
            elif now != top:
                found += [top] if came and top is not None else []
                top, came = now, True
        return tuple(found)

    def showed(
        self, wanted: Selector, platform: Platform, *also: Snapshot, poll: Callable[[], None] | None = None
    ) -> str:
        """Where a selector matched, in words; "" for nowhere. ``also`` are further screens; ``poll`` asks for the
        last toast, where no screen has matched. Raises ``UndecidableText`` where that decides."""
        unknown: UndecidableText | None = None
        for screen in (*self.screens, *also):
            try:
                if screen.match_labels(wanted):
                    return f"seen on {screen.screen or screen.id}"
            except UndecidableText as error:  # of a screen that is gone by now
                unknown = error
        if poll is not None:
            poll()
        for toast in self.toasts:
            if fits_text(wanted, toast, platform):
                return f"toast {quoted(toast)}"
        if unknown is not None:
            raise unknown
        return ""
