"""The difference between two snapshots, element by element."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...model import Element, Elements, Strings, grouped
from ..screen.layout import nearest_around, scrolls
from ..text import mask_volatile
from .outline import Shown, called, line, printed

Pair = tuple[Element, Element]
_SCROLLS = ("scroll",)  # what can only be scrolled shows more, but does nothing
_STATES = ("checked", "selected", "focused", "enabled", "expanded")
_MOST_LINES = 12  # of each kind, in ``str``
_MOST_REFS = 12  # of what moved together
_T = TypeVar("_T")
Change = tuple[Element, "Mapping[str, tuple[object, object]]"]


@dataclass(frozen=True)
class Shift:
    """Elements that moved together, by so many pixels; right and down are positive."""

    dx: int
    dy: int
    elements: tuple[Element, ...]

    def __str__(self) -> str:
        across = f"{'right' if self.dx > 0 else 'left'} {abs(self.dx)} px" if self.dx else ""
        down = f"{'down' if self.dy > 0 else 'up'} {abs(self.dy)} px" if self.dy else ""
        return " and ".join(filter(None, (down, across)))


@dataclass(frozen=True)
class SnapshotDiff:
    """The difference between two snapshots. ``changed`` holds the element as it is now and
    ``{attribute: (from, to)}``; ``moved`` the elements that only changed position or size,
    ``shifts`` the same grouped by distance, largest group first. On a cut screen nothing is known
    to be ``removed``: elements not among its levels are ``unread``; ``cut`` is how many were read
    where either screen is cut, else 0. ``complete`` is True if there was nothing to compare with,
    so that everything is in ``added``. ``keyboard`` is "opened" or "closed" if the on-screen
    keyboard came or went, else "". ``interactive_count`` counts the elements that can be acted on
    now. ``app`` is the app in front now, if another one was in front before, else "". ``toasts``
    are what the platform announced meanwhile; None if that is not known, as between two snapshots
    alone."""

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
    shifts: tuple[Shift, ...] = ()
    unread: tuple[Element, ...] = ()
    cut: int = 0
    keyboard: str = ""
    app: str = ""
    toasts: Strings | None = None

    @property
    def empty(self) -> bool:
        """True if nothing on the screen differs, toasts apart."""
        listed = (self.added, self.removed, self.changed, self.moved, self.unread)
        return self.same_screen and not any(listed) and not self.keyboard

    @property
    def summary(self) -> str:
        """One line: ``Sign in → Catalogue: 12 added, 9 removed, 1 changed``, or ``no change``. It
        names the app that came to the front: ``Sign in → Settings (com.android.settings): 9 added,
        4 removed``."""
        if self.empty and not self.complete:
            return "no change"
        moved = "moved"
        if self.shifts and len(self.shifts[0].elements) == len(self.moved) > 1:
            moved = f"moved {self.shifts[0]}"  # all together
        kinds = {
            "added": self.added, "removed": self.removed, "changed": self.changed,
            moved: self.moved, f"not among the {self.cut} levels read": self.unread,
        }  # fmt: skip
        counts = [f"{len(items)} {word}" for word, items in kinds.items() if items]
        name = self.screen_after or ("screen" if self.same_screen else "another screen")
        other = self.screen_before != self.screen_after or self.app
        if self.screen_before and other and not self.same_screen:
            name = f"{self.screen_before} → {name}"
        if self.app:
            name = f"{name} ({self.app})"
        nothing = "nothing on it" if self.complete else "another screen with the same content"
        if self.keyboard and self.same_screen:
            nothing = f"the keyboard {self.keyboard}"
        return f"{name}: {', '.join(counts) or nothing}"

    def __str__(self) -> str:
        return "\n".join([self.summary, *self.lines])

    @property
    def lines(self) -> list[str]:
        """What differs, one a line, without the summary."""
        lines = toast_lines(self.toasts or ())
        for mark, elements in (("+", self.added), ("-", self.removed), ("?", self.unread)):
            lines += _capped(mark, elements, lambda e: line(e, alone=not e.children))
        lines += _capped("~", self.changed, _change_line)
        return lines + _capped(" ", self._moves(), str)

    def _moves(self) -> list[str]:
        lines: list[str] = []
        together: set[int] = set()
        for shift in self.shifts:
            together |= {element.identity for element in shift.elements}
            refs = [element.ref for element in shift.elements[:_MOST_REFS]]
            if len(shift.elements) > _MOST_REFS:
                refs.append("…")
            one = len(refs) == 1
            what = _named(shift.elements[0]) if one else str(len(shift.elements))
            lines.append(f"{what} moved {shift}" + ("" if one else f": {' '.join(refs)}"))
        return lines + [f"{_named(e)} resized" for e in self.moved if e.identity not in together]


def toast_lines(toasts: Sequence[str]) -> list[str]:
    """The lines that a diff has for toasts: ``* toast "Added Red mug to cart"``."""
    return _capped("*", toasts, lambda toast: f"toast {printed(toast)}")


def compare(
    before: Shown | None, after: Shown, *, mask: Callable[[str], str] | None = None
) -> SnapshotDiff:
    """Compares ``before`` with ``after``; against None everything is added. Texts that ``mask``
    makes equal have not changed."""
    active = sum((one.supported_actions or _SCROLLS) != _SCROLLS for one in after.elements)
    if before is None:
        return SnapshotDiff(
            after.elements, complete=True, screen_after=_name(after), interactive_count=active,
            cut=after.cut
        )  # fmt: skip
    keyboard = ""
    if before.keyboard_visible != after.keyboard_visible:
        keyboard = "opened" if after.keyboard_visible else "closed"
    # by the identity of the element now, that then
    known = {one.identity: one for one in before.elements}
    partner = {one.identity: known[one.identity] for one in after.elements if one.identity in known}
    if before.screen_key == after.screen_key:
        _pair_rest(before, after, partner)
    removed, added = _left(before, after, partner)
    changed: list[Change] = []
    moved: list[Pair] = []
    unchanged: list[Element] = []
    for old, new in _paired(after, partner):
        change = _changes(old, new, mask)
        if change:
            changed.append((new, change))
        elif old.bounds != new.bounds:
            moved.append((old, new))
        else:
            unchanged.append(new)
    return SnapshotDiff(
        added=tuple(added),
        removed=() if after.cut else tuple(removed),
        changed=tuple(changed),
        moved=tuple(new for _, new in moved),
        unchanged=tuple(unchanged),
        screen_before=_name(before),
        screen_after=_name(after),
        same_screen=before.screen_key == after.screen_key,
        interactive_count=active,
        shifts=_shifts(moved),
        unread=tuple(removed) if after.cut else (),
        cut=after.cut or before.cut,
        keyboard=keyboard,
        app=after.app if before.app and before.app != after.app else "",
    )


def _name(screen: Shown) -> str:
    """Returns the name of the dialog on top, else of the screen."""
    if screen.dialog is None:
        return screen.screen
    return f"dialog {printed(screen.dialog)}" if screen.dialog else "a dialog"


def _changes(
    old: Element, new: Element, mask: Callable[[str], str] | None
) -> dict[str, tuple[object, object]]:
    found: dict[str, tuple[object, object]] = {}
    for name in ("label", "value", "folded"):
        before, after = getattr(old, name), getattr(new, name)
        if before == after or (name == "folded" and "label" in found):
            continue
        if _masked(before, mask) != _masked(after, mask):
            found[name] = before, after
    for name in _STATES if old.states is not new.states else ():
        both = getattr(old.states, name), getattr(new.states, name)
        if len({*both}) > 1 and {*both} != {None, False}:  # unreported and off may be one thing
            found[name] = both
    return found


def _masked(value: object, mask: Callable[[str], str] | None) -> object:
    if mask is None:
        return value
    if isinstance(value, tuple):
        return tuple(mask(str(item)) for item in value)
    return mask(value) if isinstance(value, str) else value


def _shifts(moved: Sequence[Pair]) -> tuple[Shift, ...]:
    """Groups moved elements by distance. An element shrinks as it scrolls out at an edge, so one
    that changed its size as well joins a shift if two of its edges moved like that."""
    groups: dict[tuple[int, int], list[Element]] = defaultdict(list)
    clipped: list[tuple[set[int], set[int], Element]] = []
    for old, new in moved:
        was, now = old.bounds, new.bounds
        across = {now.left - was.left, now.right - was.right}
        down = {now.top - was.top, now.bottom - was.bottom}
        if len(across) == len(down) == 1:
            groups[across.pop(), down.pop()].append(new)
        else:
            clipped.append((across, down, new))
    likely = sorted(groups, key=lambda offset: -len(groups[offset]))[:3]
    for across, down, element in clipped:
        offset = next((each for each in likely if each[0] in across and each[1] in down), None)
        if offset is not None:
            groups[offset].append(element)
    found = [Shift(dx, dy, tuple(elements)) for (dx, dy), elements in groups.items()]
    return tuple(sorted(found, key=lambda shift: -len(shift.elements)))


def _change_line(change: Change) -> str:
    parts = [f"{name} {_shown(was)} → {_shown(now)}" for name, (was, now) in change[1].items()]
    return f"{_named(change[0])}: {', '.join(parts)}"


def _named(element: Element) -> str:
    row = element.row_title
    where = f" in row {printed(row)}" if row and row != element.label else ""
    return called(element) + where


def _shown(value: object) -> str:
    if isinstance(value, str):
        return printed(value)
    return ", ".join(map(printed, value)) if isinstance(value, tuple) else str(value)


def _capped(mark: str, items: Sequence[_T], render: Callable[[_T], str]) -> list[str]:
    lines = [f"{mark} {render(item)}" for item in items[:_MOST_LINES]]
    if len(items) > _MOST_LINES:
        lines[-1] = f"{mark} … and {len(items) - _MOST_LINES + 1} more"
    return lines


def _paired(after: Shown, partner: dict[int, Element]) -> list[Pair]:
    return [(partner[one.identity], one) for one in after.elements if one.identity in partner]


def _left(
    before: Shown, after: Shown, partner: dict[int, Element]
) -> tuple[list[Element], list[Element]]:
    """Returns the elements of both that have no partner yet."""
    taken = {old.identity for old in partner.values()}
    left = [element for element in before.elements if element.identity not in taken]
    return left, [element for element in after.elements if element.identity not in partner]


def _pair_rest(before: Shown, after: Shown, partner: dict[int, Element]) -> None:
    """Pairs the rest of the same screen by kind and name, with clocks masked; then by id within
    the row, and by position, unless the pane around it has scrolled."""
    left, fresh = _left(before, after, partner)
    if not (left and fresh):
        return
    then, now = (nearest_around(screen.nodes, scrolls) for screen in (before, after))
    pairs = _paired(after, partner)
    moves = {move for old, new in pairs if now[new.index] >= 0 for move in _moves(old, new)}
    for old, new in _match(left, fresh, _by_kind):
        if _may_be_one(old, new) and (now[new.index] < 0 or _moves(old, new) & moves):
            partner[new.identity] = old
    scrolled = moves != {(0, 0)}  # or nothing of it is left

    def by_place(element: Element) -> Hashable:
        row = element.row_title if scrolled else ""
        return element.class_name, element.resource_id, element.bounds, row

    for key in (_by_id, by_place):
        left, fresh = _left(before, after, partner)
        if scrolled:
            left = [e for e in left if e.row_title or then[e.index] < 0]
            fresh = [e for e in fresh if e.row_title or now[e.index] < 0]
        for old, new in _match(left, fresh, key):
            if _may_be_one(old, new):
                partner[new.identity] = old


def _may_be_one(old: Element, new: Element) -> bool:
    """Whether both may be one element: they do not stand behind different labels."""
    return not (old.section and new.section) or old.section == new.section


def _moves(old: Element, new: Element) -> set[tuple[int, int]]:
    """Returns the shifts of its upper left and its lower right corner: if an edge clips the
    element, only one of them is its move."""
    was, now = old.bounds, new.bounds
    return {
        (now.left - was.left, now.top - was.top),
        (now.right - was.right, now.bottom - was.bottom),
    }


def _match(old: Elements, new: Elements, key: Callable[[Element], Hashable]) -> list[Pair]:
    """Pairs the elements whose key is unique on either side."""
    then = grouped((key(element), element) for element in old)
    now = grouped((key(element), element) for element in new)
    found: list[Pair] = []
    for value, there in now.items():
        if value is not None and len(there) == len(then.get(value, ())) == 1:
            found.append((then[value][0], there[0]))
    return found


def _by_kind(element: Element) -> Hashable:
    kind = (element.class_name, element.resource_id, mask_volatile(element.name), element.row_title)
    return kind if element.resource_id or element.label else None


def _by_id(element: Element) -> Hashable:
    key = element.resource_id, element.class_name, element.row_title
    return key if element.resource_id else None
