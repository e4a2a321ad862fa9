"""What changed between two snapshots, element by element."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..model.element import Element
from .lines import line
from .words import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

_SCROLLS = ("scroll",)  # what can only be scrolled shows more, but does nothing
_STATES = ("checked", "selected", "focused", "enabled", "expanded")
_MOST_LINES = 12  # of each kind, in ``str``
Change = tuple[Element, "Mapping[str, tuple[object, object]]"]


class Comparable(Protocol):
    """What a diff reads of a snapshot."""

    @property
    def screen(self) -> str: ...

    @property
    def dialog(self) -> str | None: ...

    @property
    def screen_key(self) -> str: ...

    @property
    def elements(self) -> tuple[Element, ...]: ...


@dataclass(frozen=True)
class SnapshotDiff:
    """``changed`` holds the element as it is now and ``{attribute: (from, to)}``; ``moved`` those that only
    changed place. ``complete`` is True where there was nothing to compare with, so that everything is in
    ``added``. ``interactive_count`` counts what can be acted on now."""

    added: tuple[Element, ...] = ()
    removed: tuple[Element, ...] = ()
    changed: tuple[Change, ...] = ()
    moved: tuple[Element, ...] = ()
    unchanged: tuple[Element, ...] = ()
    complete: bool = False
    screen_before: str = ""
    screen_after: str = ""
    same_screen: bool = True
    interactive_count: int = 0

    @property
    def empty(self) -> bool:
        """True where nothing differs."""
        return self.same_screen and not (self.added or self.removed or self.changed or self.moved)

    @property
    def summary(self) -> str:
        """One line: ``Sign in → Catalogue: 12 added, 9 removed, 1 changed``, or ``no change``."""
        if self.empty and not self.complete:
            return "no change"
        counts = [
            f"{len(items)} {word}"
            for items, word in (
                (self.added, "added"),
                (self.removed, "removed"),
                (self.changed, "changed"),
                (self.moved, "moved"),
            )
            if items
        ]
        name = self.screen_after or "screen"
        if not self.same_screen and self.screen_before and self.screen_before != self.screen_after:
            name = f"{self.screen_before} → {name}"
        return f"{name}: {', '.join(counts) or 'another screen with the same content'}"

    def __str__(self) -> str:
        lines = [self.summary]
        lines += _capped([f"+ {line(element)}" for element in self.added])
        lines += _capped([f"- {line(element)}" for element in self.removed])
        lines += _capped([_change_line(element, change) for element, change in self.changed])
        lines += _capped([f"  moved {element.describe()}" for element in self.moved])
        return "\n".join(lines)


def compare(before: Comparable | None, after: Comparable) -> SnapshotDiff:
    """The way from ``before`` to ``after``; against None everything is added."""
    active = sum(1 for element in after.elements if (element.supported_actions or _SCROLLS) != _SCROLLS)
    if before is None:
        return SnapshotDiff(
            added=after.elements, complete=True, screen_after=_name(after), interactive_count=active
        )
    pairs, removed, added = _pair(before, after)
    changed: list[Change] = []
    moved: list[Element] = []
    unchanged: list[Element] = []
    for old, new in pairs:
        change = _changes(old, new)
        if change:
            changed.append((new, change))
        elif old.bounds != new.bounds:
            moved.append(new)
        else:
            unchanged.append(new)
    return SnapshotDiff(
        added=tuple(added),
        removed=tuple(removed),
        changed=tuple(changed),
        moved=tuple(moved),
        unchanged=tuple(unchanged),
        screen_before=_name(before),
        screen_after=_name(after),
        same_screen=before.screen_key == after.screen_key,
        interactive_count=active,
    )


def _name(screen: Comparable) -> str:
    """What lies on top names the screen."""
    if screen.dialog is None:
        return screen.screen
    return f"dialog {quoted(screen.dialog)}" if screen.dialog else "a dialog"


def _pair(
    before: Comparable, after: Comparable
) -> tuple[list[tuple[Element, Element]], list[Element], list[Element]]:
    """Pairs of one element then and now, in the order of now; then the gone, then the new. Identity pairs
    first; on the same screen what is left is paired by its id in its row, then by its place."""
    partner: dict[int, Element] = {}
    by_identity = {element.identity: element for element in before.elements}
    for element in after.elements:
        if element.identity in by_identity:
            partner[element.identity] = by_identity.pop(element.identity)
    left = list(by_identity.values())
    if before.screen_key == after.screen_key:
        for key in (_by_id, _by_place):
            fresh = [element for element in after.elements if element.identity not in partner]
            matched = _match(left, fresh, key)
            partner.update({new.identity: old for old, new in matched})
            taken = {old.identity for old, _ in matched}
            left = [element for element in left if element.identity not in taken]
    pairs = [(partner[e.identity], e) for e in after.elements if e.identity in partner]
    return pairs, left, [e for e in after.elements if e.identity not in partner]


def _match(
    old: Sequence[Element], new: Sequence[Element], key: Callable[[Element], Hashable]
) -> list[tuple[Element, Element]]:
    """Pairs whose key is there once on either side."""
    times_old = Counter(key(element) for element in old)
    times_new = Counter(key(element) for element in new)
    known = {key(element): element for element in old}
    return [
        (known[key(element)], element)
        for element in new
        if key(element) is not None and times_new[key(element)] == times_old[key(element)] == 1
    ]


def _by_id(element: Element) -> Hashable:
    return (element.resource_id, element.class_name, element.row_title) if element.resource_id else None


def _by_place(element: Element) -> Hashable:
    return (element.class_name, element.resource_id, element.bounds)


def _changes(old: Element, new: Element) -> dict[str, tuple[object, object]]:
    found: dict[str, tuple[object, object]] = {}
    for name in ("label", "value", "folded"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after and not (name == "folded" and old.label != new.label):
            found[name] = (before, after)
    if old.states is not new.states:
        for name in _STATES:
            before, after = getattr(old.states, name), getattr(new.states, name)
            if before != after:
                found[name] = (before, after)
    return found


def _change_line(element: Element, change: Mapping[str, tuple[object, object]]) -> str:
    parts = [f"{name} {_shown(was)} → {_shown(now)}" for name, (was, now) in change.items()]
    return f"~ {element.describe()}: {', '.join(parts)}"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return quoted(value)
    return ", ".join(map(quoted, value)) if isinstance(value, tuple) else str(value)


def _capped(lines: list[str]) -> list[str]:
    if len(lines) <= _MOST_LINES:
        return lines
    mark = lines[0].split(" ", 1)[0] or " "
    return [*lines[: _MOST_LINES - 1], f"{mark} … and {len(lines) - _MOST_LINES + 1} more"]
