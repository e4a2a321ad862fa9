"""Reading the screen: the only place that asks the phone for a hierarchy.

A read that failed is never evidence: it raises, and whoever counts agreeing reads starts again.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...drivers import Capability
from ...errors import UsageError
from ...snapshots import Memory, Snapshot
from .restless import Restless

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...clock import Clock
    from ...drivers import Driver
    from ...model import Element
    from ..settings import SessionSettings

MOST_SEEN = 256  # different screens kept since one action; a video would fill memory otherwise


@dataclass(frozen=True)
class Reading:
    """One successful read. Times are the session clock's seconds; ``requested_at`` is *before* the dump."""

    snapshot: Snapshot
    requested_at: float
    received_at: float


class Observer:
    """Takes snapshots, keeps the last few by id, and remembers what every printed ref was printed for."""

    def __init__(
        self,
        driver: Driver,
        clock: Clock,
        settings: SessionSettings,
        on_snapshot: Callable[[Snapshot, bytes], None],
    ) -> None:
        self._driver = driver
        self._clock = clock
        self._settings = settings
        self._on_snapshot = on_snapshot
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self._memory = Memory()
        self.restless = Restless()
        self._last_bytes = b""
        self._taken = 0
        self._revision = 0
        self._last: Reading | None = None
        self._row: list[Reading] = []  # up to two: no gesture, failed read or long time lies between them
        self.seen: list[Snapshot] = []  # every different screen since the last action was sent
        self.toasts: list[str] = []  # what the platform announced since then

    def read(self) -> Reading:
        """Asks the phone for its screen. Raises ``DeviceError`` or ``SnapshotError``."""
        requested_at = self._clock.now()
        stamped = self._clock.epoch_ms()
        row, self._row = self._row, []  # a read that fails leaves nothing to agree with
        longest = max(self._settings.fresh_for, 2 * self._settings.interval)  # a pause that was asked for
        if row and requested_at - row[-1].received_at > longest:
            row = []  # nobody looked in between, however well the two agree
        source = self._driver.dump_hierarchy()
        if self._last is not None and source == self._last_bytes:
            snapshot = self._last.snapshot
        else:
            snapshot = self._parse(source, stamped)
            self._last_bytes = source
        self._last = Reading(snapshot, requested_at, self._clock.now())
        self._row = [*row[-1:], self._last]
        if (not self.seen or self.seen[-1] is not snapshot) and len(self.seen) < MOST_SEEN:
            self.seen.append(snapshot)
        return self._last

    def recent(self) -> list[Reading]:
        """Up to two consecutive readings since the last gesture, oldest first; none where the last one is
        too old to count."""
        if not self._row or self._clock.now() - self._row[-1].received_at > self._settings.fresh_for:
            return []
        return list(self._row)

    def row(self) -> list[Reading]:
        """Up to two consecutive readings since the last gesture, oldest first, however long ago."""
        return list(self._row)

    @property
    def latest(self) -> Snapshot | None:
        """The screen as last read, however long ago."""
        return self._last.snapshot if self._last is not None else None

    def fresh(self) -> Reading:
        """The last reading where it still counts, else a new one."""
        recent = self.recent()
        return recent[-1] if recent else self.read()

    def begin_action(self) -> None:
        """What is seen from now on, toasts included, counts as seen since this action."""
        self.forget_toast()
        self.seen, self.toasts = [], []

    def forget_toast(self) -> None:
        """What the platform announced last is not heard any more."""
        if Capability.TOASTS in self._driver.capabilities:
            self._driver.clear_toasts()

    def note_gesture(self) -> None:
        """Everything read until now may be out of date."""
        self._row = []

    def hear_toast(self) -> None:
        """Asks for the last toast, which is in no hierarchy."""
        if Capability.TOASTS not in self._driver.capabilities:
            return
        toast = self._driver.last_toast()
        if toast and toast not in self.toasts:
            self.toasts.append(toast)

    def kept(self, snapshot_id: str) -> Snapshot | None:
        """A snapshot of this session by its id, where it is recent enough to be kept."""
        if not isinstance(snapshot_id, str) or snapshot_id[:1] != "s" or not snapshot_id[1:].isdecimal():
            raise UsageError(f'{snapshot_id!r} is no snapshot id; ids look like "s7": see snapshot.id')
        return self._kept.get(snapshot_id)

    def before_dialog(self) -> Snapshot | None:
        """The newest kept screen that no dialog lay over."""
        return next((one for one in reversed(self._kept.values()) if one.dialog is None), None)

    def witness(self, ref: str) -> Element | None:
        """The element for which a ref was last printed in this session."""
        return self._memory.witness(ref)

    def has_focus(self, field: Element) -> bool:
        """Whether this is the field that typing would reach, for a hierarchy that does not tell."""
        focused = self._driver.focused_field()
        return focused is not None and focused.is_same(field.resource_id, field.bounds)

    def activity_of(self, snapshot: Snapshot) -> str:
        """The activity in front now, where it belongs to the app of this snapshot; a hierarchy does not tell. ""
        where the platform has none."""
        if Capability.CURRENT_ACTIVITY not in self._driver.capabilities:
            return ""
        front = self._driver.app_in_front()
        return front.activity if front.app == snapshot.app else ""

    def _parse(self, source: bytes, stamped: int) -> Snapshot:
        previous = self._last.snapshot if self._last else None
        phone = self._driver.info
        snapshot = Snapshot.parse(
            source,
            phone.platform,
            id=f"s{self._taken + 1}",
            revision=self._revision,
            captured_at_ms=stamped,
            received_at_ms=self._clock.epoch_ms(),
            scale=phone.density if phone.platform == "ios" else 1.0,
            memory=self._memory,
        )
        self._taken += 1
        if previous is None or previous.fingerprint != snapshot.fingerprint:
            self._revision += 1
            snapshot.revision = self._revision
        self._memory.learn(snapshot)
        self._kept[snapshot.id] = snapshot
        while len(self._kept) > self._settings.kept_snapshots:
            self._kept.popitem(last=False)
        self._on_snapshot(snapshot, source)
        return snapshot
