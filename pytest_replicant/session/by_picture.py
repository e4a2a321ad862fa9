"""Finding by picture, where a test asked for it: the hierarchy first, then the text that is drawn, then an image.

A find inside an element of the hierarchy is that element. Any other is an element of one shot. Two
finds are ambiguous, and that nothing was found proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from .. import vision  # whose modules wait until a picture is looked at
from ..errors import UsageError
from ..model import MASK, Attachment, Element, Rect, Selector, quoted
from ..snapshots import Snapshot, for_platform
from .actionability import await_actionable, resolve
from .arguments import describe
from .drawn import DrawnElement, How, ImageSelector, Source, drawn_element
from .photos import Photo, element_at, marked_picture, photograph, still_there
from .recording.secret_fields import painted, without_secrets
from .step import ResolvedTarget, SessionContext, StageFailed

_READABLE = frozenset({"text", "text_contains", "text_matches", "within"})
"""The keywords that a picture can answer."""
_MOST_LISTED = 12
_LONGEST = 60  # characters of a text in a message
_INSIDE = 0.8  # of a find's area that lies in an element
_FIRST_LOOK = 0.4
"""Seconds for which the hierarchy alone is read before the first picture: reading one takes longer than that."""


def source_of(verb: str, target: object, given: object, context: SessionContext) -> Source:
    """What a call looks at: an image in a picture alone, else what it says, else what the suite says, as far as a
    picture can answer that. Raises ``UsageError``."""
    if given not in (None, "hierarchy", "picture"):
        raise UsageError(f'{verb}(source={given!r}): it is "hierarchy" or "picture"')
    if isinstance(target, ImageSelector):
        if given == "hierarchy":
            raise UsageError(f'{verb}({describe(target)}, source="hierarchy"): no hierarchy has images')
        return "picture"
    if given == "picture":
        check_readable(verb, target, context)
        return "picture"
    if given is None and context.settings.source == "picture" and isinstance(target, Selector):
        with suppress(UsageError):
            check_readable(verb, target, context)
            return "picture"
    return "hierarchy"


def refuse_absence(verb: str, source: object) -> None:
    """Raises ``UsageError`` for the proof of an absence by a picture: what it does not show may still be there."""
    if source not in (None, "hierarchy"):
        raise UsageError(
            f"{verb}(source={source!r}): absence cannot be proven by a picture, as reading one misses things. "
            "Next: leave out source=, or expect what comes in its place"
        )


def check_readable(verb: str, target: object, context: SessionContext) -> None:
    """Raises ``UsageError`` for a target that no picture can answer, before anything is read."""
    wanted = for_platform(target, context.platform) if isinstance(target, Selector) else None
    if wanted is None or not isinstance(target, Selector):
        raise UsageError(f'{verb}(source="picture"): name the text, text=..., or by_image("play.png")')
    given = {name for name, _ in wanted.given()}
    if other := sorted(given - _READABLE):
        raise UsageError(
            f'{verb}({describe(target)}, source="picture"): a picture says nothing of {other[0]}=. It takes '
            'text=, text_contains=, text_matches= and within=; for an image, by_image("play.png")'
        )
    if not given - {"within"}:
        raise UsageError(f'{verb}({describe(target)}, source="picture"): say which text is drawn')
    for text in (wanted.text, wanted.text_contains):
        if text:
            vision.refuse_unreadable(verb, text)


def drawn_on(context: SessionContext, shot: Photo, target: Selector) -> list[DrawnElement]:
    """All that a shot shows of it, in reading order. Raises ``UsageError`` without the extra ``[ocr]``."""
    how: How = "text"
    wanted = for_platform(target, context.platform) or target
    if isinstance(target, ImageSelector):
        how, wanted = "icon", target
        found: Sequence[vision.Found] = _places_of(target.image, shot.full)
    else:
        texts = _texts_of(context, shot)
        found = vision.find_text(
            texts, text=wanted.text, text_contains=wanted.text_contains, text_matches=wanted.text_matches
        )
    place = resolve(context.observer, shot.snapshot, wanted.within).bounds if wanted.within is not None else None
    inside = [one for one in found if place is None or place.contains(one.box.center)]
    inside.sort(key=lambda one: (one.box.top, one.box.left))
    name = target.name if isinstance(target, ImageSelector) else wanted.text
    return [
        drawn_element(
            number, name or one.label, one.box, how, shot, one.confidence, owner_of(shot.snapshot, one.box)
        )
        for number, one in enumerate(inside, 1)
    ]


def _texts_of(context: SessionContext, shot: Photo) -> tuple[vision.DrawnText, ...]:
    return without_secrets(vision.drawn_texts(shot.full), context.recorder.redactor)


@lru_cache(maxsize=8)
def _places_of(image: bytes, screen: bytes) -> tuple[vision.Found, ...]:
    """A wait looks at one picture again and again, as reading its text is remembered too."""
    return tuple(vision.find_icon(screen, image))


def owner_of(snapshot: Snapshot, box: Rect) -> Element | None:
    """The element that something drawn is a part of: the innermost, where it holds nearly all of it."""
    found = element_at(snapshot, box.center)
    return found if found is not None and found.bounds.intersect(box).area >= _INSIDE * box.area else None


def only_drawn(context: SessionContext, where: str, shot: Photo, target: Selector) -> DrawnElement:
    """The only find. Raises ``StageFailed`` where there is none, or several; ``where`` is the call."""
    found = drawn_on(context, shot, target)
    if len(found) == 1:
        return found[0]
    if found:
        lines = tuple(f"  {one.describe()} at {one.center.x}, {one.center.y}" for one in found[:_MOST_LISTED])
        times = f"drawn {len(found)} times. Nothing was touched."
        raise StageFailed.on(
            shot.snapshot, "AMBIGUOUS_TARGET", times, found, final=True, asked=where, details=lines
        )
    none = "in no element of the hierarchy, and not seen in a picture either. That proves no absence."
    near = nearest_drawn(context, shot, target)
    raise StageFailed.on(shot.snapshot, "ELEMENT_NOT_FOUND", none, asked=where, nearest=near)


def nearest_drawn(context: SessionContext, shot: Photo, target: Selector) -> tuple[str, ...]:
    """The texts that the picture shows and that come nearest, as a line."""
    wanted = for_platform(target, context.platform) or target
    text = wanted.text or wanted.text_contains
    if isinstance(target, ImageSelector) or not text:
        return ()
    near = vision.nearest_texts(_texts_of(context, shot), text, 3)
    shown = ", ".join(f"{quoted(one.text[:_LONGEST])} ({one.confidence:.2f})" for one in near)
    return (f"The picture shows {shown}.",) if shown else ()


def explained(context: SessionContext, shot: Photo, failed: StageFailed) -> StageFailed:
    """The failure that stands, with whatever is drawn in no element, marked on a shot that is attached."""
    failure = failed.failure
    drawn = [one for one in failure.candidates if isinstance(one, DrawnElement)]
    texts = _texts_of(context, shot) if not drawn and vision.has_ocr() else ()
    if texts:
        free = (one for one in texts if _is_unnamed(shot, one))
        drawn = [
            drawn_element(number, one.text, one.box, "text", shot, one.confidence, None)
            for number, one in enumerate(free, 1)
        ]
    name = f"shot of {shot.snapshot.id}"
    secret = [one.box for one in texts if one.text == MASK]
    png = painted(shot.full, secret) if secret else shot.full
    picture = marked_picture(png, [(one.ref, one.bounds) for one in drawn])
    context.recorder.attachments.append(Attachment(name, "image/png", picture))
    if drawn:
        shown = [f"[{one.ref}] {quoted(one.label[:_LONGEST])}" for one in drawn[:_MOST_LISTED]]
        more = [f"{len(drawn) - _MOST_LISTED} more"] if len(drawn) > _MOST_LISTED else []
        listed = "They are" if failure.candidates else f"Drawn: {', '.join([*shown, *more])};"
        line = f"{listed} marked in the attachment {quoted(name)}."
    else:
        line = f"No further text is drawn; the attachment {quoted(name)} has the grid of cells."
    advice = ("within=by(...), or a point of a shot: mobile.shot().tap(x, y), or tap_cell(12)",)
    said = replace(failure, nearest=(*failure.nearest, line), advice=advice, snapshot=shot.snapshot)
    return StageFailed(said, failed.snapshot, final=failed.final)


def _is_unnamed(shot: Photo, text: vision.DrawnText) -> bool:
    """Whether no label lies there. The system's clock does not count, nor an icon that reads as a letter."""
    said = (node for node in shot.snapshot.nodes if node.words)
    counts = len(text.text) > 1 and text.box.bottom > 2 * shot.finger
    return counts and not any(one.bounds.contains(text.box.center) for one in said)


# --- waiting for one ------------------------------------------------------------------------------------------


def await_drawn(context: SessionContext, target: Selector, timeout: float, verb: str) -> ResolvedTarget:
    """Waits until the hierarchy has it, or else two pictures in a row show it once, in the same place. Raises as
    ``await_actionable`` does."""
    clock = context.clock
    deadline, patience = clock.now() + timeout, min(_FIRST_LOOK, timeout)
    where = f"{verb} {describe(target)} on {context.phone}"
    failed: StageFailed | None = None
    while True:
        if not isinstance(target, ImageSelector):
            until = clock.now() + patience
            try:
                return await_actionable(context, target, patience, verb)
            except StageFailed as missing:
                if missing.failure.code != "ELEMENT_NOT_FOUND":
                    if clock.now() < until or clock.now() >= deadline:  # waiting does not help, or is over
                        raise
                    patience = deadline - clock.now()  # the hierarchy has it: it may yet be fit for the gesture
                    continue
        patience = 0.0
        shot = photograph(context)
        try:
            return still_there(context, only_drawn(context, where, shot, target))
        except StageFailed as trouble:
            places = _places(trouble)  # of several finds; where there is one, or none, waiting may help
            steady = bool(places) and failed is not None and places == _places(failed)
            failed = trouble
        if steady or clock.now() >= deadline:
            stale = failed.failure.code == "STALE_REFERENCE"
            raise failed if stale else explained(context, shot, failed)
        clock.sleep(context.settings.pause)


def _places(failed: StageFailed) -> list[Rect]:
    return [one.bounds for one in failed.failure.candidates]


def find_drawn(context: SessionContext, verb: str, target: Selector) -> Element:
    """A find in a picture of now, without waiting: the element of the hierarchy that it lies in, else one of the
    picture. Raises ``TargetError``."""
    shot = photograph(context)
    try:
        found = only_drawn(context, f"{verb} {describe(target)} on {context.phone}", shot, target)
    except StageFailed as failed:
        raise explained(context, shot, failed).as_target_error(verb, target) from None
    return found.owner if found.owner is not None else found
