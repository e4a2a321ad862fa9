"""``Photo``: a picture of the screen with the hierarchy of the same moment, and whether the screen
still shows the same at a place of it.

A point of a picture is only worth as much as the picture is true. Before a touch the screen is read
again, and photographed again: where something else is under the point by now, nothing is touched.

What no hierarchy has is found on one of them, by its text or as an image.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

from .. import vision  # whose modules wait until a picture is looked at
from ..drivers import is_whole_png, png_size
from ..errors import ProtocolError, UsageError
from ..model import MASK, AnyDict, Attachment, Element, Point, Rect, Selector, Strings, quoted
from ..snapshots import Snapshot, for_platform
from .actionability import await_actionable, bounds_of, resolve
from .arguments import describe
from .drawn import DrawnElement, How, ImageSelector, Source, drawn_element
from .reachability import describe_dialog, gesture_point
from .recording.secret_fields import blank, painted, without_secrets
from .stabilize.reads import Reads, read_now, settled_now
from .step import ResolvedTarget, SessionContext, StageFailed

MAX_SIDE = 1000
"""Pixels of the longer side of a picture to look at, unless another is asked for (seed: scaled
screenshots)."""
_FINGER = 48
"""Density-independent pixels across the region that a touch is about: as wide as a target should be
at least."""
_TAKEN_AS_CHANGED = 0.002
"""Share of a region whose pixels differ before it counts as changed: less is a hair, or noise."""
_SHAPE = 0.03
"""By which a picture's sides may differ from the screen's, as a share: bars that a dump leaves out
are more."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A picture in the screen's own pixels, secrets painted over: ``full``, a PNG. ``snapshot`` was
    read in that moment, and ``session`` is what both belong to: no other acts on it. ``finger`` is
    half of the region around a point, in pixels."""

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
    """A picture, and the hierarchy that two reads around it agree on; of a screen that does not
    rest, the last read before it. ``printed``: the test is given its refs. Raises
    ``DeviceError``."""
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
            # a secret may have moved before the picture was taken
            if after is not None and not same:
                png = blank(png, after.snapshot, context.recorder.redactor)
            finger = max(round(_FINGER / 2 * (context.driver.info.density or 1.0)), 4)
            return Photo(png, snapshot, context, finger)


def _go_on(pictures: Reads) -> None:
    """After a picture that failed: raises ``DeviceError`` where the time for another one is
    over."""
    if pictures.out_of_time:
        pictures.raise_if_no_read(needed=pictures.good + 1)


def _whole_picture(context: SessionContext, snapshot: Snapshot) -> bytes:
    """Raises ``SnapshotError`` for bytes that are no picture, ``DeviceError``."""
    png = context.picture(snapshot)
    if not is_whole_png(png):
        vision.opened(png)
    return png


def _fitting_picture(context: SessionContext, snapshot: Snapshot) -> bytes:
    """Raises ``ProtocolError`` also for one of another size than the screen's: then the phone was
    turned in between, or scales it, and no point of it is one of the screen."""
    png = _whole_picture(context, snapshot)
    (width, height), (across, down), info = size_of(png), snapshot.size, context.driver.info
    short, long = sorted((info.width, info.height))
    whole = (long, short) if across > down else (short, long)
    for one, other in (whole, (across, down)):
        off = max(abs(width - one) / max(one, 1), abs(height - other) / max(other, 1))
        if off <= _SHAPE:
            return png
    raise ProtocolError(
        f"the screenshot has {width} x {height} pixels, and the screen {across} x {down}: no "
        "point of the one is a known point of the other. Next: is the phone being turned, or does "
        "it mirror another display?",
        device=context.driver.uri,
    )


def marked_picture(png: bytes, areas: Sequence[tuple[str, Rect]]) -> bytes:
    """The picture with these areas of the screen marked, each by its name; with the grid if there
    are none."""
    small, scale = vision.fitted(vision.opened(png), MAX_SIDE)
    boxes = [(name, area.scaled(scale)) for name, area in areas]
    return packed(
        vision.marked(small, boxes, labels=[box for _, box in boxes])[0]
        if boxes
        else vision.with_grid(small)
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
    there = (one for one in snapshot.elements if one.bounds.contains(point))
    found = (one for one in there if acts(one) or (one.label and not snapshot.children_of(one)))
    return min(found, key=lambda one: (one.bounds.area, -one.index), default=None)


# --- acting on one --------------------------------------------------------------------------------


def still_there(context: SessionContext, target: DrawnElement) -> ResolvedTarget:
    """The target of a gesture, if the screen is read and photographed now and still shows there
    what the shot shows. Raises ``StageFailed`` with STALE_REFERENCE, and says what has come there;
    ``DeviceError``."""
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
    why = _changed(target, snapshot, png)
    if why and known:  # the picture is newer than the read: report the screen of now
        snapshot = read_now(context, again=True).snapshot
        why = _changed(target, snapshot, png) or why
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
    details: AnyDict = {"source": "picture", "shot": shot.snapshot.id, "degraded": True}
    owner: Element | None = None
    if target.how != "point":
        owner = element_at(snapshot, point) if target.owner is not None else None
        details["confidence"] = round(target.confidence, 2)
        if owner is not None:
            gesture_point(snapshot, owner)  # raises where it is disabled or covered
            del details["degraded"]
            details["drawn"] = target.label
    return ResolvedTarget(owner or target, point, snapshot, seen_at=seen_at, details=details)


def _changed(target: DrawnElement, snapshot: Snapshot, png: bytes) -> str:
    """Why what the shot shows there is not what the screen shows now; "" if it is."""
    shot: Photo = target.shot
    if size_of(png) != shot.full_size:
        return "the screen has turned since, or has another size"
    if snapshot.dialog not in (None, shot.snapshot.dialog):
        return f"{describe_dialog(snapshot)} has come over it since"
    was, there = target.owner, element_at(snapshot, target.bounds.center)
    if was is not None:
        located = snapshot.locate(was)
        if located.element is None or located.verdict not in ("same", "moved"):
            return f"{was.describe()} was there, and is {located.verdict} now: {located.reason}"
        if there is None or there.identity != located.element.identity:
            return f"{was.describe()} was there, and has moved"
    elif there is not None:
        return "an element has come there since"
    margin = shot.finger if target.how == "point" else shot.finger // 4
    share = vision.changed_share(shot.full, png, shot.around(target.bounds, margin))
    return "the picture there has changed" if share > _TAKEN_AS_CHANGED else ""


_READABLE = frozenset({"text", "text_contains", "text_matches", "within"})
"""The keywords that a picture can answer."""
_MOST_LISTED = 12
_LONGEST = 60  # characters of a text in a message
_INSIDE = 0.8  # of a find's area that lies in an element
_FIRST_LOOK = 0.4
"""Seconds for which the hierarchy alone is read before the first picture: reading one takes longer
than that."""


def source_of(verb: str, target: object, given: object, context: SessionContext) -> Source:
    """What a call looks at: an image in a picture alone, else what it says, else what the suite
    says, as far as a picture can answer that. Raises ``UsageError``."""
    if given not in (None, "hierarchy", "picture"):
        raise UsageError(f'{verb}(source={given!r}): it is "hierarchy" or "picture"')
    if isinstance(target, ImageSelector):
        if given == "hierarchy":
            raise UsageError(
                f'{verb}({describe(target)}, source="hierarchy"): no hierarchy has images'
            )
        return "picture"
    if (given or context.settings.source) == "hierarchy":
        return "hierarchy"
    try:
        check_readable(verb, target, context)
    except UsageError:
        if given is not None:
            raise
        return "hierarchy"
    return "picture"


def refuse_absence(source: object) -> None:
    """Raises ``UsageError`` for the proof of an absence by a picture: what it does not show may
    still be there."""
    if source not in (None, "hierarchy"):
        raise UsageError(
            f"expect_gone(source={source!r}): absence cannot be proven by a picture, as reading "
            "one misses things. Next: leave out source=, or expect what comes in its place"
        )


def check_readable(verb: str, target: object, context: SessionContext) -> None:
    """Raises ``UsageError`` for a target that no picture can answer, before anything is read."""
    wanted = for_platform(target, context.platform) if isinstance(target, Selector) else None
    if wanted is None or not isinstance(target, Selector):
        raise UsageError(
            f'{verb}(source="picture"): name the text, text=..., or by_image("play.png")'
        )
    given = {name for name, _ in wanted.given()}
    if other := sorted(given - _READABLE):
        raise UsageError(
            f'{verb}({describe(target)}, source="picture"): a picture says nothing of {other[0]}=. '
            "It takes text=, text_contains=, text_matches= and within=; for an image, "
            'by_image("play.png")'
        )
    if not given - {"within"}:
        raise UsageError(f'{verb}({describe(target)}, source="picture"): say which text is drawn')
    for text in (wanted.text, wanted.text_contains):
        if text:
            vision.refuse_unreadable(verb, text)


def drawn_on(context: SessionContext, shot: Photo, target: Selector) -> list[DrawnElement]:
    """All that a shot shows of it, in reading order. Raises ``UsageError`` without the extra
    ``[ocr]``."""
    how: How = "text"
    wanted = for_platform(target, context.platform) or target
    name = wanted.text
    if isinstance(target, ImageSelector):
        how, wanted, name = "icon", target, target.name
        found: Sequence[vision.Found] = _places_of(target.image, shot.full)
    else:
        found = vision.find_text(
            _texts_of(context, shot),
            text=wanted.text,
            text_contains=wanted.text_contains,
            text_matches=wanted.text_matches,
        )
    if wanted.within is not None:
        place = resolve(context.observer, shot.snapshot, wanted.within).bounds
        found = [one for one in found if place.contains(one.box.center)]
    inside = sorted(found, key=lambda one: (one.box.top, one.box.left))
    drawn: list[DrawnElement] = []
    for number, one in enumerate(inside, 1):
        text, box, owner = name or one.text, one.box, element_at(shot.snapshot, one.box.center)
        # It is a part of the innermost there, where that holds nearly all of it.
        if owner is not None and owner.bounds.intersect(box).area < _INSIDE * box.area:
            owner = None
        drawn.append(drawn_element(number, text, box, how, shot, one.confidence, owner))
    return drawn


def _texts_of(context: SessionContext, shot: Photo) -> tuple[vision.Found, ...]:
    return without_secrets(vision.drawn_texts(shot.full), context.recorder.redactor)


@lru_cache(maxsize=8)
def _places_of(image: bytes, screen: bytes) -> tuple[vision.Found, ...]:
    """A wait looks at one picture again and again, as reading its text is remembered too."""
    return tuple(vision.find_icon(screen, image))


def only_drawn(context: SessionContext, where: str, shot: Photo, target: Selector) -> DrawnElement:
    """The only find. Raises ``StageFailed`` if there is none, or several; ``where`` is the call."""
    found = drawn_on(context, shot, target)
    if len(found) == 1:
        return found[0]
    if found:
        lines = tuple(
            f"  {one.describe()} at {one.center.x}, {one.center.y}" for one in found[:_MOST_LISTED]
        )
        raise StageFailed.on(
            shot.snapshot,
            "AMBIGUOUS_TARGET",
            f"drawn {len(found)} times. Nothing was touched.",
            found,
            final=True,
            asked=where,
            details=lines,
        )
    none = (
        "in no element of the hierarchy, and not seen in a picture either. That proves no absence."
    )
    near = nearest_drawn(context, shot, target)
    raise StageFailed.on(shot.snapshot, "ELEMENT_NOT_FOUND", none, asked=where, nearest=near)


def nearest_drawn(context: SessionContext, shot: Photo, target: Selector) -> Strings:
    """The texts that the picture shows and that come nearest, as a line."""
    wanted = for_platform(target, context.platform) or target
    text = wanted.text or wanted.text_contains
    if isinstance(target, ImageSelector) or not text:
        return ()
    near = vision.nearest_texts(_texts_of(context, shot), text, 3)
    shown = ", ".join(f"{quoted(one.text[:_LONGEST])} ({one.confidence:.2f})" for one in near)
    return (f"The picture shows {shown}.",) if shown else ()


def explained(context: SessionContext, shot: Photo, failed: StageFailed) -> StageFailed:
    """The failure that stands, with the texts drawn in no element, marked on a shot that is
    attached."""
    failure = failed.failure
    drawn = [one for one in failure.candidates if isinstance(one, DrawnElement)]
    texts = _texts_of(context, shot) if not drawn and vision.has_ocr() else ()
    for one in texts:
        if _is_unnamed(shot, one):
            number, sure = len(drawn) + 1, one.confidence
            drawn.append(drawn_element(number, one.text, one.box, "text", shot, sure, None))
    name = f"shot of {shot.snapshot.id}"
    secret = [one.box for one in texts if one.text == MASK]
    png = painted(shot.full, secret) if secret else shot.full
    picture = marked_picture(png, [(one.ref, one.bounds) for one in drawn])
    context.recorder.attachments.append(Attachment(name, "image/png", picture))
    line = f"No further text is drawn; the attachment {quoted(name)} has the grid of cells."
    if drawn:
        shown = [f"[{one.ref}] {quoted(one.label[:_LONGEST])}" for one in drawn[:_MOST_LISTED]]
        if len(drawn) > _MOST_LISTED:
            shown.append(f"{len(drawn) - _MOST_LISTED} more")
        listed = "They are" if failure.candidates else f"Drawn: {', '.join(shown)};"
        line = f"{listed} marked in the attachment {quoted(name)}."
    advice = ("within=by(...), or a point of a shot: mobile.shot().tap(x, y), or tap_cell(12)",)
    said = replace(failure, nearest=(*failure.nearest, line), advice=advice, snapshot=shot.snapshot)
    return StageFailed(said, final=failed.final)


def _is_unnamed(shot: Photo, text: vision.Found) -> bool:
    """Whether no label lies there. The system's clock does not count, nor an icon that reads as a
    letter."""
    said = (node for node in shot.snapshot.nodes if node.words)
    counts = len(text.text) > 1 and text.box.bottom > 2 * shot.finger
    return counts and not any(one.bounds.contains(text.box.center) for one in said)


# --- waiting for one ------------------------------------------------------------------------------


def await_drawn(
    context: SessionContext, target: Selector, timeout: float, verb: str
) -> ResolvedTarget:
    """Waits until the hierarchy has it, or else two pictures in a row show it once, in the same
    place. Raises as ``await_actionable`` does."""
    clock = context.clock
    deadline, patience = clock.now() + timeout, min(_FIRST_LOOK, timeout)
    where = f"{verb} {describe(target)} on {context.phone}"
    places: list[Rect] = []  # of several finds; where there is one, or none, waiting may help
    while True:
        if not isinstance(target, ImageSelector):
            until = clock.now() + patience
            try:
                return await_actionable(context, target, patience, verb)
            except StageFailed as missing:
                if missing.failure.code != "ELEMENT_NOT_FOUND":
                    # waiting does not help, or is over
                    if not until <= clock.now() < deadline:
                        raise
                    # the hierarchy has it: it may yet be fit for the gesture
                    patience = deadline - clock.now()
                    continue
        patience = 0.0
        shot = photograph(context)
        try:
            return still_there(context, only_drawn(context, where, shot, target))
        except StageFailed as failed:
            before, places = places, bounds_of(failed.failure.candidates)
            if before == places != [] or clock.now() >= deadline:
                if failed.failure.code == "STALE_REFERENCE":
                    raise
                raise explained(context, shot, failed) from None
        clock.sleep(context.settings.pause)


def find_drawn(context: SessionContext, target: Selector) -> Element:
    """A find in a picture of now, without waiting: the element of the hierarchy that it lies in,
    else one of the picture. Raises ``TargetError``."""
    shot = photograph(context)
    try:
        found = only_drawn(context, f"find {describe(target)} on {context.phone}", shot, target)
    except StageFailed as failed:
        raise explained(context, shot, failed).as_target_error("find", target) from None
    return found.owner if found.owner is not None else found
