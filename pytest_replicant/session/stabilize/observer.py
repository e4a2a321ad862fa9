"""``Observer``: reading the screen, the only place that asks the phone for a hierarchy.

A failed read is never evidence: it raises, and a count of agreeing reads starts again.
``VolatileRegions`` are the parts of a screen that change on every read; they are ignored while a
screen settles, and never by checks.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from ...drivers import AppInFront, Capability, Driver, FocusedField
from ...errors import DeviceError, DeviceOffline, UsageError
from ...model import Clock, Element, NodeText, Rect, Redactor, Strings, bare, quoted
from ...snapshots import Memory, Snapshot, content
from ..settings import GESTURE_FRESH_FOR, SessionSettings
from .history import History, Sightings
from .pictures import Pictures

_TOAST_STAYS = 6.0
"""Seconds from when a toast was first heard to when it has gone: Android takes a long one away
after 3.5 s, and gives it another second to fade (NotificationManagerService, PhoneWindowManager);
the rest is for a slow phone."""


@dataclass(frozen=True)
class Reading:
    """One successful read. Times are the session clock's seconds; ``requested_at`` is *before* the
    dump."""

    snapshot: Snapshot
    requested_at: float
    received_at: float


@dataclass(eq=False)
class Observer:
    """Takes snapshots, keeps the last few by id, and remembers the element of every printed ref.
    ``_at_first`` is given the first screen that is read, and may read on."""

    _driver: Driver
    _clock: Clock
    settings: SessionSettings
    _on_snapshot: Callable[[Snapshot, bytes], None]
    _redactor: Redactor
    _at_first: Callable[[Snapshot], object]

    def __post_init__(self) -> None:
        self._kept: OrderedDict[str, Snapshot] = OrderedDict()
        self.memory = Memory((self._driver.info.width, self._driver.info.height))
        self.pictures = Pictures(self._driver, self.memory, self._redactor)
        self.volatile = VolatileRegions()
        self._last_bytes = b""
        self.before_dialog: Snapshot | None = None  # the last screen that no dialog lay over
        self._taken = 0
        self._last: Reading | None = None
        self.history = History(self.settings.kept_snapshots)
        self._fronts: dict[str, AppInFront] = {}  # the activity in front of a screen, by its id
        self._acted_on = ""  # the screen as it was when the last action was sent
        self._shown: dict[str, Element] = {}  # by ref, as the test was given it last
        self.row: list[
            Reading
        ] = []  # up to two, however long ago: no gesture or failed read lies between them
        self.record = Sightings()  # since the last action was sent
        self._heard: dict[str, float] = {}  # when each toast was first heard
        self._last_toast: str | None = None
        self.watchers: list[
            Callable[[Snapshot], bool]
        ] = []  # given each new screen until one is True

    def read(self) -> Reading:
        """Asks the phone for its screen. Raises ``DeviceError`` or ``SnapshotError``."""
        first = self._last is None
        if first:
            self.clear_toast()  # of a former test
        requested_at = self._clock.now()
        stamped = self._clock.epoch_ms()
        row, self.row = self.row, []  # a read that fails leaves nothing to agree with
        picture = self.pictures.unconfirmed()
        longest = max(
            self.settings.fresh_for, 2 * self.settings.pause
        )  # a pause that was asked for
        if row and requested_at - row[-1].received_at > longest:
            row = []  # unobserved in between, however well the two agree
        source = self._driver.dump_hierarchy()
        if self._last and source == self._last_bytes and not self._last.snapshot.asked:
            snapshot = self._last.snapshot
        else:
            snapshot = self._parse(source, stamped)
            self._last_bytes = source
            self.watchers = [watcher for watcher in self.watchers if not watcher(snapshot)]
        if self.pictures.confirm(picture, snapshot):
            snapshot = self._parse(
                source, stamped
            )  # with other refs for what has come in the places of others
            self.pictures.confirm(None, snapshot)
        self._last = Reading(snapshot, requested_at, self._clock.now())
        self.history.note_read(snapshot)
        self.row = [*row[-1:], self._last]
        self.record.note(snapshot)
        if self._driver.traits.toasts_in_hierarchy:
            if first:
                self._last_toast = self._toast()  # of a former test
            self.poll_toast()
        if first:
            self._at_first(snapshot)
        return self._last

    def recent(self) -> list[Reading]:
        """Up to two consecutive readings since the last gesture, oldest first; none if the last one
        is too old to count."""
        if not self.row or self._clock.now() - self.row[-1].received_at > self.settings.fresh_for:
            return []
        return list(self.row)

    def just_read(self) -> list[Reading]:
        """The last reading since the last gesture, where the screen cannot have changed much since;
        else none. It counts from when it was received: where a dump takes long, another one would
        be as old by then. Nor is it one after which a picture was taken, which another read has to
        confirm."""
        age = self._clock.now() - self.row[-1].received_at if self.row else float("inf")
        return self.row[-1:] if age <= GESTURE_FRESH_FOR and not self.pictures.await_a_read else []

    @property
    def latest(self) -> Snapshot | None:
        """The screen as last read, however long ago."""
        return self._last.snapshot if self._last else None

    def fresh(self) -> Reading:
        """The last reading where it still counts, else a new one."""
        recent = self.recent()
        return recent[-1] if recent else self.read()

    @property
    def seen(self) -> list[Snapshot]:
        """Every different screen since the last action was sent."""
        return self.record.screens

    @property
    def toasts(self) -> list[str]:
        """What the platform announced since then, as far as it was asked."""
        return self.record.toasts

    def begin_action(self, action_id: str) -> Sightings:
        """Returns the record of an action that is sent now. One that is sent again keeps its
        record."""
        self.poll_toast()
        if self.toasts:
            self.clear_toast()
        self.record.close()
        if self.record.action_id == action_id:
            self.record.begin(self.latest)
        else:
            self.record = Sightings(action_id, self.latest)
        self.watchers = []
        self._acted_on = self.latest.id if self.latest else ""
        return self.record

    @contextmanager
    def apart(self, without: Snapshot | None = None) -> Iterator[None]:
        """All that is read and announced meanwhile stays out of the record, and so does
        ``without``."""
        record, self.record = self.record, self.record.copy()
        try:
            yield
        finally:
            self.record.close()
            self.record = record
            record.screens[:] = [one for one in record.screens if one is not without]

    def clear_toast(self) -> None:
        """Discards the platform's last toast."""
        if Capability.TOASTS in self._driver.capabilities:
            self._driver.clear_toasts()
            self._last_toast = None

    def invalidate(self) -> None:
        """Marks every read until now as possibly out of date."""
        self.row = []
        self.pictures.forget()

    def end(self, phone: Driver) -> None:
        """Nothing is asked any more, not even by a snapshot that was kept: ``phone`` refuses."""
        self.invalidate()
        self._driver = phone

    def poll_toast(self) -> None:
        """Asks the platform for its last toast, or finds it in the hierarchy that was read last."""
        if not self.hears_toasts:
            return
        toast = self._toast()
        stays = toast == self._last_toast and self._driver.traits.toasts_in_hierarchy
        self.record.note_toast(None if stays else toast)
        if toast and toast != self._last_toast:
            self._heard[toast] = self._clock.now()
        self._last_toast = toast

    @property
    def hears_toasts(self) -> bool:
        return (
            self._driver.traits.toasts_in_hierarchy
            or Capability.TOASTS in self._driver.capabilities
        )

    def _toast(self) -> str | None:
        if not self._driver.traits.toasts_in_hierarchy:
            return self._driver.last_toast()
        nodes = self.latest.nodes if self.latest else ()
        return next((node.text for node in nodes if node.class_name == "Toast"), None)

    def toasts_up(self) -> list[str]:
        """Asks the platform for its last toast. Returns those that may still be on the screen: it
        says when one comes, and not when it goes."""
        self.poll_toast()
        since = self._clock.now() - _TOAST_STAYS
        return [toast for toast, heard in self._heard.items() if heard > since]

    def kept(self, snapshot_id: str) -> Snapshot | None:
        """A snapshot of this session by its id, where it is recent enough to be kept."""
        if not re.fullmatch(r"s\d+", str(snapshot_id)):
            raise UsageError(
                f'{snapshot_id!r} is no snapshot id; ids look like "s7": see snapshot.id'
            )
        return self._kept.get(snapshot_id)

    def on_dialog(self, snapshot: Snapshot) -> list[Snapshot]:
        """The kept screens of the dialog that is on this one."""
        return [
            one
            for one in self._kept.values()
            if one.alone
            and one.app == snapshot.app
            and not one.traits.differ_on_top(snapshot.traits)
        ]

    def earlier_on(self, snapshot: Snapshot) -> list[Snapshot]:
        """The other screens that were read up to now and are not known to be another one, newest
        first."""
        return self.history.earlier_on(snapshot, self._kept.values())

    def earlier(self) -> list[Snapshot]:
        """The kept screens of this test, whichever they are."""
        return list(self._kept.values())

    def show(self, elements: Iterable[Element]) -> None:
        """Remembers elements as the test is given them now: a ref means what it was printed for
        then."""
        elements = list(elements)
        for element in elements:
            printed = self.memory.witness(element.ref)
            if printed and printed.identity == element.identity:
                self._shown[element.ref] = printed
        last = self.row[-1].snapshot if self.row else None
        if last and any(
            one.twins and not one.label and one.snapshot_id == last.id for one in elements
        ):
            self.pictures.take(last, printed=True, handed=True)

    def shown(self, ref: str) -> Element | None:
        """The element as the test was given it last under this ref, else as any read had it."""
        witness = self.memory.witness(ref)
        ended = witness is not None and witness.screen is not None and witness.screen.closed
        shown = self._shown.get(ref)
        if not shown or ended:
            return witness
        return replace(shown, picture=witness.picture) if witness else shown

    def focus(self) -> tuple[FocusedField | None, Snapshot | None]:
        """The field that typing would reach, and the screen that says so, if the phone was not
        asked."""
        if not self._driver.traits.focus_in_hierarchy:
            return self._driver.focused_field(), None
        screen = self.fresh().snapshot
        fields = (node for node in screen.nodes if node.states.focused and node.states.editable)
        focused = next(
            (FocusedField(node.resource_id, node.bounds, node.text) for node in fields), None
        )
        return focused, screen

    def has_focus(self, field: Element) -> bool:
        """Whether this field has the keyboard, for a hierarchy that does not report focus."""
        focused, _ = self.focus()
        return focused is not None and focused.is_same(field.resource_id, field.bounds)

    def in_front_of(self, snapshot: Snapshot, *, now: bool) -> AppInFront | None:
        """The activity in front, where it belongs to the app of this snapshot: no hierarchy reports
        it. None if the platform has none. Of a screen of the past, what was asked then."""
        if not now:
            return self._fronts.get(snapshot.id)
        if not self.has_activities:
            return None
        front = self._driver.app_in_front()
        if front.app != snapshot.app or not front.activity:
            return None
        if (
            snapshot.id != self._acted_on
        ):  # else another activity may have come before it has drawn anything
            self._fronts[snapshot.id] = front
        return front

    @property
    def has_activities(self) -> bool:
        return Capability.CURRENT_ACTIVITY in self._driver.capabilities

    def is_drawn(self, front: AppInFront) -> bool:
        """Whether that activity shows a window of its own by now. Asks the phone."""
        return Capability.DRAWN not in self._driver.capabilities or self._driver.is_drawn(front)

    def _is_now(self, snapshot_id: str) -> bool:
        """Whether that is the last read, and nothing was sent since."""
        return bool(self.row) and self.row[-1].snapshot.id == snapshot_id

    def _true_texts(
        self, snapshot_id: str, texts: Mapping[str, int], descriptions: Mapping[str, int]
    ) -> Sequence[NodeText] | None:
        """What the phone answers about texts of that snapshot; None if that is not the last read,
        or something was sent since, or the phone does not answer."""
        if not self._is_now(snapshot_id):
            return None
        try:
            return self._driver.true_texts(texts, descriptions)
        except DeviceOffline:
            raise
        except DeviceError:
            return None

    def _parse(self, source: bytes, stamped: int) -> Snapshot:
        phone = self._driver.info
        own_id, traits = f"s{self._taken + 1}", self._driver.traits
        snapshot = Snapshot.parse(
            source,
            phone.platform,
            id=own_id,
            captured_at_ms=stamped,
            received_at_ms=self._clock.epoch_ms(),
            scale=traits.scale(phone),
            memory=self.memory,
            ask=partial(self._true_texts, own_id) if traits.dots_for_emoji else None,
            keyboard=traits.keyboard,
            pictures=lambda one: self.pictures.of(one, current=self._is_now(one.id)),
        )
        self._taken += 1
        self.memory.learn(snapshot)
        self._kept[snapshot.id] = snapshot
        if snapshot.dialog is None:
            self.before_dialog = snapshot
        while len(self._kept) > self.settings.kept_snapshots:
            self.history.keep(self._kept.popitem(last=False)[1])
        self._on_snapshot(snapshot, source)
        return snapshot


_ROW = 3  # so many changes in a row distinguish a volatile region from one about to settle
_SHARE = (
    0.4  # of the screen, and half of its elements, at most: beyond that the screen itself changes
)
_MOST_NAMES = 5
_MOST_REGIONS = 20
_SPINNERS = ("ProgressBar", "ActivityIndicator")


def agree(one: Snapshot, other: Snapshot) -> bool:
    """The same content in the same places; ticking clocks apart, which the fingerprint masks."""
    if one is other:
        return True
    return one.fingerprint == other.fingerprint and _places(one) == _places(other)


def changed_alone(element: Element, before: Snapshot, now: Snapshot) -> bool:
    """Whether this element has changed, and nothing else has, nor has anything moved, come or gone;
    nor has a field got the focus, behind which a keyboard comes."""
    differing = _differing(before, now)
    alone = bool(differing) and all(one.identity == element.identity for one in differing)
    unreported = element.states.editable and element.states.focused is None
    return (
        alone and not unreported and _of_one_screen(before, now) and _layout(before) == _layout(now)
    )


def _layout(snapshot: Snapshot) -> list[object]:
    return [
        (node.class_name, node.resource_id, node.bounds, node.states.focused)
        for node in snapshot.nodes
        if node.visible
    ]


def _places(snapshot: Snapshot) -> list[object]:
    return [(element.identity, element.bounds) for element in snapshot.elements]


@dataclass(frozen=True)
class Region:
    """A region that changes on every read, by its place and the elements that were there."""

    box: Rect
    identities: frozenset[int]
    name: str

    def holds(self, element: Element) -> bool:
        return element.identity in self.identities or self.box.encloses(element.bounds)


class VolatileRegions:
    """The volatile regions that a session found, and the screens that load for ever, by
    ``screen_key``."""

    def __init__(self) -> None:
        self.regions: dict[str, tuple[Region, ...]] = {}
        self.loading: set[str] = set()

    def alike(self, one: Snapshot, other: Snapshot) -> bool:
        """Whether two reads agree outside of the known volatile regions."""
        if agree(one, other):
            return True
        regions = self.regions.get(other.screen_key)
        if regions is None or not _of_one_screen(one, other):
            return False
        return all(any(region.holds(item) for region in regions) for item in _differing(one, other))

    def agreed(self, row: Sequence[Reading]) -> bool:
        """Whether the last two of these readings in a row agree."""
        return len(row) > 1 and self.alike(row[-2].snapshot, row[-1].snapshot)

    def loads(self, snapshot: Snapshot) -> bool:
        """Whether the screen is loading, and not known to load for ever."""
        return snapshot.loading and snapshot.screen_key not in self.loading

    def masked(self, one: Snapshot | None, snapshot: Snapshot) -> Strings:
        """Names of the elements that were ignored for two reads to agree."""
        names: list[str] = []
        if one and not agree(one, snapshot):
            names += [region.name for region in self.regions.get(snapshot.screen_key, ())]
        if snapshot.loading and snapshot.screen_key in self.loading:
            names += _spinners(snapshot)
        return tuple(dict.fromkeys(names))[:_MOST_NAMES]

    def learn(self, reads: Sequence[Snapshot]) -> None:
        """Learns the regions that changed on each of the last reads while all else agreed, if any
        did."""
        last = reads[-_ROW - 1 :]
        pairs = list(pairwise(last))
        if len(pairs) < _ROW or not all(_of_one_screen(one, other) for one, other in pairs):
            return
        rows = [_differing(one, other) for one, other in pairs]
        regions = _clusters([item for row in rows for item in row])
        key, now = last[-1].screen_key, last[-1]
        width, height = now.size
        small = sum(region.box.area for region in regions) <= width * height * _SHARE
        often = all(
            sum(any(map(region.holds, row)) for row in rows) >= _ROW - 1 for region in regions
        )
        moving = sum(any(region.holds(item) for region in regions) for item in now.elements)
        if all(rows) and often and small and moving * 2 <= len(now.elements):
            self.regions[key] = (*self.regions.get(key, ())[-_MOST_REGIONS:], *regions)


def _of_one_screen(one: Snapshot, other: Snapshot) -> bool:
    return one.screen_key == other.screen_key and one.dialog == other.dialog


def _differing(one: Snapshot, other: Snapshot) -> list[Element]:
    """The elements that differ between two screens, as they are on each."""
    then = {element.identity: element for element in one.elements}
    now = {element.identity: element for element in other.elements}
    found = [element for identity, element in then.items() if identity not in now]
    for identity, element in now.items():
        old = then.get(identity)
        if not old:
            found.append(element)
        elif old.bounds != element.bounds or content(old) != content(element):
            found += [old, element]
    return found


def _clusters(elements: Sequence[Element]) -> list[Region]:
    """Regions around elements, where overlapping ones are merged."""
    groups: list[tuple[Rect, list[Element]]] = []
    for element in elements:
        box, members = element.bounds, [element]
        apart = []
        for other, inside in groups:
            if box.intersect(other).is_empty:
                apart.append((other, inside))
            else:
                box, members = box.union(other), [*inside, *members]
        groups = [*apart, (box, members)]
    return [
        Region(box, frozenset(e.identity for e in members), _name(members[-1]))
        for box, members in groups
    ]


def _name(element: Element) -> str:
    return (
        f"{bare(element.class_name)} "
        f"{quoted(element.label) if element.label else f'[{element.ref}]'}"
    )


def _spinners(snapshot: Snapshot) -> list[str]:
    shown = {element.index: element for element in snapshot.elements}
    found = [
        node for node in snapshot.nodes if node.class_name.endswith(_SPINNERS) and node.visible
    ]
    return [
        _name(shown[node.index]) if node.index in shown else bare(node.class_name) for node in found
    ] or ["loading"]
