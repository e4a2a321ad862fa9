"""``Photo``: a picture of the screen with the hierarchy of the same moment, and whether the screen still shows the
same at a place of it.

A point of a picture is only worth as much as the picture is true. Before a touch the screen is read again, and
photographed again: where something else is under the point by now, nothing is touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from .. import vision  # whose modules wait until a picture is looked at
from ..drivers import is_whole_png, png_size
from ..errors import ProtocolError
from ..model import Element, Point, Rect
from ..snapshots import Snapshot
from .drawn import DrawnElement
from .reachability import describe_dialog, gesture_point
from .recording.secret_fields import blank
from .stabilize.reads import Reads, read_now, settled_now
from .step import ResolvedTarget, SessionContext, StageFailed

MAX_SIDE = 1000
"""Pixels of the longer side of a picture to look at, unless another is asked for (seed: scaled screenshots)."""
_FINGER = 48
"""Density-independent pixels across the region that a touch is about: as wide as a target should be at least."""
_TAKEN_AS_CHANGED = 0.002
"""Share of a region whose pixels differ before it counts as changed: less is a hair, or noise."""
_SHAPE = 0.03
"""By which a picture's sides may differ from the screen's, as a share: bars that a dump leaves out are more."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture in the screen's own pixels, secrets painted over: ``full``, a PNG. ``snapshot`` was read in that
    moment, and ``session`` is what both belong to: no other acts on it. ``finger`` is half of the region around a
    point, in pixels."""

    full: bytes = field(repr=False)
    snapshot: Snapshot = field(repr=False)
    session: object = field(repr=False)
    finger: int = field(repr=False)

    @property
    def full_size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return size_of(self.full)

    def around(self, area: Rect, margin: int) -> Rect:
        """The area with a margin, as far as the screen goes."""
        return area.inset(-margin).intersect(Rect(0, 0, *self.full_size))


def photograph(context: SessionContext, *, printed: bool = False) -> Photo:
    """A picture, and the hierarchy that two reads around it agree on; of a screen that does not rest, the last
    read before it. ``printed``: the test is given its refs. Raises ``DeviceError``."""
    pictures = Reads(context, context.settings.window)
    while True:
        snapshot = settled_now(context, printed=printed)
        png = pictures.attempt(partial(_fitting_picture, context, snapshot))
        if png is None:
            _go_on(pictures)
            context.observer.invalidate()
            continue
        after = Reads(context, 0.0).next()
        same = after is not None and context.observer.volatile.alike(snapshot, after.snapshot)
        if same or pictures.out_of_time:
            if after is not None and not same:  # a secret may have moved before the picture was taken
                png = blank(png, after.snapshot, context.recorder.redactor)
            finger = max(round(_FINGER / 2 * (context.driver.info.density or 1.0)), 4)
            return Photo(png, snapshot, context, finger)


def _go_on(pictures: Reads) -> None:
    """After a picture that failed: raises ``DeviceError`` where the time for another one is over."""
    if pictures.out_of_time:
        pictures.raise_if_no_read(needed=pictures.good + 1)


def _whole_picture(context: SessionContext, snapshot: Snapshot) -> bytes:
    """Raises ``SnapshotError`` for bytes that are no picture, ``DeviceError``."""
    png = context.picture(snapshot)
    if not is_whole_png(png):
        vision.opened(png)
    return png


def _fitting_picture(context: SessionContext, snapshot: Snapshot) -> bytes:
    """Raises ``ProtocolError`` also for one of another size than the screen's: then the phone was turned in
    between, or scales it, and no point of it is one of the screen."""
    png = _whole_picture(context, snapshot)
    (width, height), (across, down), info = size_of(png), snapshot.size, context.driver.info
    short, long = sorted((info.width, info.height))
    whole = (long, short) if across > down else (short, long)
    if not any(_is_near(width, one) and _is_near(height, other) for one, other in (whole, (across, down))):
        raise ProtocolError(_odd_shape(png, snapshot), device=context.driver.uri)
    return png


def _is_near(pixels: int, screen: int) -> bool:
    return screen > 0 and abs(pixels / screen - 1) <= _SHAPE


def _odd_shape(png: bytes, snapshot: Snapshot) -> str:
    (width, height), (across, down) = size_of(png), snapshot.size
    return (
        f"the screenshot has {width} x {height} pixels, and the screen {across} x {down}: no point of the one is "
        "a known point of the other. Next: is the phone being turned, or does it mirror another display?"
    )


def marked_picture(png: bytes, areas: Sequence[tuple[str, Rect]]) -> bytes:
    """The picture with these areas of the screen marked, each by its name; with the grid where there are none."""
    small, scale = vision.fitted(vision.opened(png), MAX_SIDE)
    boxes = [(name, area.scaled(scale)) for name, area in areas]
    return packed(
        vision.marked(small, boxes, labels=[box for _, box in boxes])[0] if boxes else vision.with_grid(small)
    )


def acts(element: Element) -> bool:
    """Whether one can do something with it, apart from scrolling."""
    node = element.node
    touched = node.clickable or node.long_clickable or node.checkable
    return bool(touched or element.states.editable or element.adjustable)


def size_of(png: bytes) -> tuple[int, int]:
    if png[:8] == b"\x89PNG\r\n\x1a\n":
        return png_size(png)
    width, height = vision.opened(png).size
    return width, height


def packed(image: Any) -> bytes:
    return vision.packed(image, level=3)


def element_at(snapshot: Snapshot, point: Point) -> Element | None:
    """The innermost element there that is in sight; a list is none, for what lies in it."""
    found = [
        one
        for one in snapshot.elements
        if one.bounds.contains(point) and (acts(one) or one.label) and not covers_all(snapshot, one)
    ]
    return min(found, key=lambda one: (one.bounds.area, -one.index), default=None)


def covers_all(snapshot: Snapshot, element: Element) -> bool:
    """Whether it holds other elements, and is nothing that one acts on: a list, or a page."""
    return not acts(element) and bool(snapshot.children_of(element))


# --- acting on one --------------------------------------------------------------------------------------------


def still_there(context: SessionContext, target: DrawnElement) -> ResolvedTarget:
    """The target of a gesture, if the screen is read and photographed now and still shows there what the shot
    shows. Raises ``StageFailed`` with STALE_REFERENCE, and says what has come there; ``DeviceError``."""
    shot: Photo = target.shot
    pictures, png = Reads(context, context.settings.window), None
    while png is None:
        known = context.observer.just_read()
        snapshot = known[-1].snapshot if known else read_now(context, again=True).snapshot
        png = pictures.attempt(partial(_whole_picture, context, snapshot))
        if png is None:
            _go_on(pictures)
    seen_at = context.clock.now()
    point = target.bounds.center
    region = shot.around(target.bounds, shot.finger if target.how == "point" else shot.finger // 4)
    why = _changed(shot, target, snapshot, png, point, region)
    if why and known:  # the picture is newer than the read: report the screen of now
        snapshot = read_now(context, again=True).snapshot
        why = _changed(shot, target, snapshot, png, point, region) or why
    if why:
        there = element_at(snapshot, point)
        now = there.describe() if there is not None else "no element of the hierarchy"
        raise StageFailed.on(
            snapshot,
            "STALE_REFERENCE",
            f"{why}. Nothing was touched.",
            final=True,
            steady=True,
            asked=f"{target.describe()} of a shot of {shot.snapshot.id}, now {snapshot.id}",
            details=(f"There now, at {point.x}, {point.y} of the screen: {now}.",),
            advice=("take another shot, mobile.shot()",),
        )
    details: dict[str, Any] = {"source": "picture", "shot": shot.snapshot.id, "degraded": True}
    owner: Element | None = None
    if target.how != "point":
        owner = element_at(snapshot, point) if target.owner is not None else None
        details["confidence"] = round(target.confidence, 2)
        if owner is not None:
            gesture_point(snapshot, owner)  # raises where it is disabled or covered
            details.pop("degraded")
            details["drawn"] = target.label
    return ResolvedTarget(owner or target, point, snapshot, seen_at=seen_at, details=details)


def _changed(shot: Photo, target: DrawnElement, snapshot: Snapshot, png: bytes, point: Point, region: Rect) -> str:
    """Why what the shot shows there is not what the screen shows now; "" where it is."""
    if size_of(png) != shot.full_size:
        return "the screen has turned since, or has another size"
    if snapshot.dialog is not None and snapshot.dialog != shot.snapshot.dialog:
        return f"{describe_dialog(snapshot)} has come over it since"
    was, there = target.owner, element_at(snapshot, point)
    if was is not None:
        located = snapshot.locate(was)
        if located.element is None or located.verdict not in ("same", "moved"):
            return f"{was.describe()} was there, and is {located.verdict} now: {located.reason}"
        if there is None or there.identity != located.element.identity:
            return f"{was.describe()} was there, and has moved"
    elif there is not None:
        return "an element has come there since"
    share = vision.changed_share(shot.full, png, region)
    if share > _TAKEN_AS_CHANGED:
        return (
            f"{share:.0%} of the picture there has changed" if share >= 0.01 else "the picture there has changed"
        )
    return ""
