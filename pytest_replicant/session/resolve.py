"""From a target and a screen to the one element that is fit for a gesture, awaited up to a timeout.

Nothing is ever tapped on a guess: several matches are an error, and a ref that was printed for another
element is stale.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import TargetError, UsageError, is_told
from ..model.element import Element
from ..model.failure import Failure
from ..model.geometry import Point, Rect
from ..model.selector import Selector
from .stabilize import AGREEING_READS, Reads, agree
from .step import Aim, StageFailed
from .targets import describe

if TYPE_CHECKING:
    from ..snapshots.snapshot import Snapshot
    from .observe import Observer, Reading
    from .step import Parts, Target

__tracebackhide__ = is_told

STALE_VERDICTS = {"replaced", "ambiguous", "gone"}
_GRID = (0.5, 0.3, 0.7, 0.15, 0.85)  # where in a target to look for a free point, the centre first


def resolve(observer: Observer, snapshot: Snapshot, target: Target) -> Element:
    """The one element that the target is on this snapshot. Raises ``StageFailed``."""
    if isinstance(target, Selector):
        return _by_selector(snapshot, target)
    witness = witness_of(observer, target)
    if witness is None:
        message = (
            f"STALE_REFERENCE  {describe(target)} was never printed in this session.\n"
            "A ref is valid in the session whose outline showed it. Next: take the ref from this outline, "
            f"or use a selector.\n{snapshot.outline()}"
        )
        raise StageFailed(Failure("STALE_REFERENCE", message), snapshot, final=True)
    if witness.snapshot_id == snapshot.id and witness.family in (None, snapshot):  # not another phone's s7
        return snapshot.element(witness.ref)
    located = snapshot.locate(witness)
    if located.verdict not in STALE_VERDICTS and located.element is not None:
        return located.element
    nearest = "   ".join(near.describe() for near in located.nearest) or "none"
    message = (
        f"STALE_REFERENCE  {witness.describe()} was printed in {witness.snapshot_id}, now {snapshot.id}\n"
        f"Verdict: {located.verdict}: {located.reason}. Nearest: {nearest}. Nothing was touched.\n"
        f"{snapshot.outline()}"
    )
    raise StageFailed(Failure("STALE_REFERENCE", message, tuple(located.nearest)), snapshot)


def witness_of(observer: Observer, target: str | Element) -> Element | None:
    """What a ref or element of this session was printed for; None for one that this session never printed, such
    as another phone's."""
    if isinstance(target, str):
        return observer.witness(target)
    printed = observer.witness(target.ref)
    if printed is None or printed.identity != target.identity:
        return None
    return target if printed.order == target.order else replace(target, order=None)  # its group has changed since


def _by_selector(snapshot: Snapshot, selector: Selector) -> Element:
    try:
        return snapshot.one(selector)
    except TargetError as error:
        ambiguous = error.code == "AMBIGUOUS_TARGET"
        message = str(error) if ambiguous else f"{error}{_over_the_app(snapshot)}\n{snapshot.outline()}"
        raise StageFailed(Failure(error.code, message, error.candidates), snapshot, final=ambiguous) from None


def _over_the_app(snapshot: Snapshot) -> str:
    """What hides the app's own screen, which is a reason not to find something on it."""
    if snapshot.dialog is None:
        return ""
    name = f' "{snapshot.dialog}"' if snapshot.dialog else ""
    return f"\nA window{name} covers the app; what lies below it is not listed."


def await_aim(parts: Parts, target: Target, timeout: float, verb: str, *, sweeps: bool = False) -> Aim:
    """Waits until the target is there once, on screen, enabled, uncovered and standing still.

    What was read and settled a moment ago serves without another dump. Ambiguity, and a ref that is no
    longer what it was printed for, are final once two reads in a row say so.
    """
    reads = Reads(parts, timeout)
    row = parts.observer.recent()
    reading = reads.reuse(row[-1]) if row else reads.next()
    trouble: StageFailed | None = None
    while True:
        row = parts.observer.recent()
        if reading is not None:
            try:
                aim = _aim(parts, reading.snapshot, target, sweeps)
                if len(row) == AGREEING_READS and _same_place(parts, row[0], aim, target):
                    return aim
                trouble = None
            except StageFailed as failed:
                trouble = failed
                steady = len(row) == AGREEING_READS and agree(row[0].snapshot, row[1].snapshot)
                if steady and (failed.final or _is_stale_for_good(failed, reads, parts)):
                    break
        if reads.out_of_time:
            break
        reading = reads.next()
    reads.raise_if_blind()
    raise _expired(trouble, reads, reading, target, verb, parts)


def _aim(parts: Parts, snapshot: Snapshot, target: Target, sweeps: bool) -> Aim:
    element = resolve(parts.observer, snapshot, target)
    return Aim(element, gesture_point(snapshot, element, sweeps=sweeps), snapshot)


def _is_stale_for_good(failed: StageFailed, reads: Reads, parts: Parts) -> bool:
    """A ref may come back within the window that a screen needs to settle, not later."""
    return failed.failure.code == "STALE_REFERENCE" and reads.elapsed >= parts.settings.window


def _same_place(parts: Parts, before: Reading, aim: Aim, target: Target) -> bool:
    """An earlier read, with no gesture since, shows the target where it is now: it stands still."""
    if before.snapshot is aim.snapshot:
        return True
    try:
        return resolve(parts.observer, before.snapshot, target).bounds == aim.element.bounds
    except StageFailed:
        return False


def _expired(
    trouble: StageFailed | None,
    reads: Reads,
    last: Reading | None,
    target: Target,
    verb: str,
    parts: Parts,
) -> StageFailed:
    where = f"on {parts.driver.uri} ({reads.told()})"
    if trouble is None:
        snapshot = last.snapshot if last else None
        outline = f"\n{snapshot.outline()}" if snapshot else ""
        message = (
            f"ELEMENT_NOT_INTERACTABLE  {verb} {describe(target)} {where}: it never stood still. "
            f"Nothing was touched.{outline}"
        )
        return StageFailed(Failure("ELEMENT_NOT_INTERACTABLE", message), snapshot)
    code, rest = trouble.failure.message.split("  ", 1) if "  " in trouble.failure.message else ("", "")
    body = rest if code == trouble.failure.code else trouble.failure.message
    message = f"{trouble.failure.code}  {verb} {describe(target)} {where}\n{body}"
    return StageFailed(
        Failure(trouble.failure.code, message, trouble.failure.candidates), trouble.snapshot, final=True
    )


def gesture_point(snapshot: Snapshot, element: Element, *, sweeps: bool = False) -> Point:
    """A point inside the element that nothing drawn later would catch; the centre where that is free.

    Raises ``StageFailed`` with the reason where the element is disabled, off screen or covered.
    """
    if element.states.enabled is False:
        raise not_interactable(snapshot, element, "it is disabled")
    width, height = snapshot.size
    seen = element.bounds.intersect(Rect(0, 0, width, height)) if width and height else element.bounds
    if seen.is_empty:
        raise not_interactable(snapshot, element, "it is off screen; scroll_to() brings it into view")
    if sweeps:
        return seen.center
    catchers = _catchers(snapshot, element)
    cover = None
    for across in _GRID:
        for down in _GRID:
            point = Point(seen.left + int(seen.width * down), seen.top + int(seen.height * across))
            cover = next((rect for rect in catchers if rect.contains(point)), None)
            if cover is None:
                return point
    raise not_interactable(snapshot, element, f"it is covered at {seen} by what is drawn over it")


def _catchers(snapshot: Snapshot, element: Element) -> list[Rect]:
    """Bounds of what would take a touch meant for the element: clickable nodes later in the document that
    overlap it, and whole windows above it. Its own passive insides do not."""
    own = element.node
    return [
        node.bounds
        for node in snapshot.nodes[own.index + 1 :]
        if (node.clickable or node.long_clickable or (node.window != own.window and node.parent == -1))
        and not node.bounds.intersect(own.bounds).is_empty
    ]


def not_interactable(snapshot: Snapshot, element: Element, why: str) -> StageFailed:
    """What a stage raises for an element that is there but not fit for the gesture; ``why`` is a clause."""
    message = f"ELEMENT_NOT_INTERACTABLE  {element.describe()}: {why}. Nothing was touched.\n{snapshot.outline()}"
    return StageFailed(Failure("ELEMENT_NOT_INTERACTABLE", message, (element,)), snapshot)


def container_of(snapshot: Snapshot, element: Element | None) -> Element:
    """What to scroll: the given element, or the largest scrollable one. Raises ``UsageError``."""
    if element is not None:
        return element
    scrollable = [item for item in snapshot.elements if item.states.scrollable]
    if not scrollable:
        raise UsageError(f"nothing on this screen scrolls; name a container.\n{snapshot.outline()}")
    return max(scrollable, key=lambda item: item.bounds.area)
