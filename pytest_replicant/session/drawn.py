"""What only a picture shows: an image to look for, and the element of one shot that was found."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ..errors import UsageError
from ..model import TABLE, Element, Node, Rect, Selector, States, public

Source = Literal["hierarchy", "picture"]
"""What a call looks at: the hierarchy alone, or also a picture, where the hierarchy does not have
it."""
How = Literal["text", "icon", "point"]
"""How something drawn was found: its text was read, an image was matched, or the test named a
point."""

_CLASSES = {"text": "DrawnText", "icon": "DrawnIcon", "point": "DrawnPoint"}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ImageSelector(Selector):
    """A selector that no hierarchy can answer: an image to look for. Made by ``by_image``."""

    image: bytes = b""
    name: str = ""

    def describe(self) -> str:
        inside = f", within={self.within!r}" if self.within is not None else ""
        return f"image {self.name}{inside}"

    def __repr__(self) -> str:
        return f"by_image({self.name!r})"


@public
def by_image(
    image: str | PathLike[str] | bytes, *, within: Selector | None = None, name: str = ""
) -> Selector:
    """An image to look for on the screen: the path of a picture file, or its bytes. It may be cut
    out of a screenshot or a shot of any size; its transparent parts fit anything. ``name`` is what
    reports call it. For ``tap``, ``double_tap``, ``long_press``, ``find`` and ``expect_visible``,
    which then look at a picture. Raises ``UsageError`` for a file that cannot be read."""
    if isinstance(image, bytes):
        return ImageSelector(
            image=image, within=within, name=name or hashlib.sha256(image).hexdigest()[:8]
        )
    path = Path(image)
    try:
        return ImageSelector(image=path.read_bytes(), within=within, name=name or path.name)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"by_image({str(path)!r}): {getattr(error, 'strerror', None) or error}"
        ) from None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class DrawnElement(Element):
    """Something that only a picture shows, in no hierarchy. It belongs to one shot: it is acted on
    while what the shot shows there is still there, and never looked up again.

    ``confidence`` is from 0 to 1: how sure the reading of its text, or the match of its image, is.
    It is no proof. ``how`` is "text", "icon" or "point"; ``shot`` is the ``Shot``; ``owner`` is the
    element of the hierarchy that it lies in, if any.
    """

    confidence: float
    how: How
    shot: Any = field(repr=False)
    owner: Element | None = field(default=None, repr=False)

    def describe(self) -> str:
        """``[~2] DrawnText "Play" (confidence 0.97)``, as messages print it."""
        if self.how == "point":
            return f"the point {self.label}"
        return f"{super().describe()} (confidence {self.confidence:.2f})"


def drawn_element(
    number: int,
    label: str,
    bounds: Rect,
    how: How,
    shot: Any,
    confidence: float,
    owner: Element | None,
) -> DrawnElement:
    """The element of a shot; ``number`` counts what was found on it. ``bounds`` are device
    pixels."""
    states = States()
    place = f"{shot.snapshot.id}\0{how}\0{label}\0{tuple(bounds)}".encode("utf-8", "surrogatepass")
    node = Node(
        -1, -1, (), _CLASSES[how], shot.snapshot.app, "", label, "", "",
        bounds, states, False, False, False, True, 0,
    )  # fmt: skip
    return DrawnElement(
        ref=f"~{number}",
        identity=int.from_bytes(hashlib.sha256(place).digest()[:8], "big"),
        fragile=True,
        label=label,
        node=node,
        snapshot_id=shot.snapshot.id,
        confidence=confidence,
        how=how,
        shot=shot,
        owner=owner,
    )


def refuse_drawn(verb: str, target: DrawnElement, session: object, began_ms: int) -> None:
    """Raises ``UsageError`` for what cannot be done with an element of a shot, or with one of
    another session, or of an earlier test on the same phone: this one began at ``began_ms``."""
    fitting = [one.name for one in TABLE if one.image and one.kind == "action"]
    if verb not in fitting:
        raise UsageError(
            f"{verb}({target.describe()}): it is an element of one shot, for {', '.join(fitting)}. "
            'Next: name it, as in expect_visible(text=..., source="picture")'
        )
    where = f"{verb}({target.describe()}): its shot is of"
    if target.shot is None or target.shot.session is not session:
        raise UsageError(f"{where} another session. Next: find it in this one")
    if 0 < target.shot.snapshot.captured_at_ms < began_ms:
        raise UsageError(f"{where} an earlier test. Next: take one in this test, mobile.shot()")
