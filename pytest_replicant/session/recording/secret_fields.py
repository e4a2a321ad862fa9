"""Secrets on the screen: the fields that hold one, and the parts of a screenshot that are painted
over.

What a field shows after a secret was typed into it is a secret too, however it arrived. A field
that drops a letter, formats the typed text or takes no more than eight characters shows a text that
is not the secret, and gives nearly all of it away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model import MASK, SHORT, Element, Rect, Redactor, normal
from ...snapshots import Snapshot

if TYPE_CHECKING:
    from ...vision import Found

LONG = 60
"""Characters from which on a label is not shown as a whole everywhere."""

_BULLETS = frozenset("•*●∙ ")


class SecretFields:
    """The fields that hold a secret, as far as is known."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._fields: dict[object, tuple[Element, str]] = {}  # with what each held before

    def typed(self, field: Element, *, secret: bool) -> None:
        """Something was typed into a field, or is about to be."""
        if secret:
            self._fields.setdefault(field.identity, (field, _held(field)))
        else:
            self._fields.pop(field.identity, None)

    def learn(self, snapshot: Snapshot) -> None:
        """What they show on this screen is known to be secret from now on, and so is what patterns
        match in a long label, which an outline cuts off in the middle of it."""
        for node in snapshot.nodes:
            for text in (node.text, node.description, node.hint):
                if len(text) > LONG:
                    self._redactor.learn(text)
        for field, before in self._fields.values():
            here = snapshot.locate(field).element
            if not here or not here.states.editable:
                continue
            shown = _held(here)
            if shown != before and not set(shown) <= _BULLETS:
                self._redactor.add(shown)


def _held(field: Element) -> str:
    """What it shows, which of an empty one may be its hint."""
    return "" if field.text == field.hint else field.text


def blank(png: bytes, snapshot: Snapshot, redactor: Redactor) -> bytes:
    """The picture with every node that shows a secret painted over; as it came if there is none."""
    areas = secret_areas(snapshot, redactor)
    return painted(png, areas) if areas else png


def secret_areas(snapshot: Snapshot, redactor: Redactor) -> list[Rect]:
    return [
        node.bounds
        for node in snapshot.nodes
        if not node.bounds.is_empty
        and any(
            text and redactor.text(text) != text
            for text in (node.text, node.description, node.hint)
        )
    ]


def without_secrets(texts: Sequence[Found], redactor: Redactor) -> tuple[Found, ...]:
    """What was read in a picture, a mask in place of each line that holds a secret: an app may draw
    one by itself, where no node says so. Compared without blanks, which reading drops."""
    if not redactor:
        return tuple(texts)
    known = [squeezed for one in redactor.known if len(squeezed := _squeezed(one)) >= SHORT]

    def is_secret(text: str) -> bool:
        return redactor.text(text) != text or any(one in _squeezed(text) for one in known)

    return tuple(replace(one, text=MASK) if is_secret(one.text) else one for one in texts)


def _squeezed(text: str) -> str:
    return normal(text).replace(" ", "")


def painted(png: bytes, areas: list[Rect]) -> bytes:
    """The picture with these parts painted over. Raises ``SnapshotError`` for bytes that are no
    picture."""
    from PIL import ImageDraw  # heavy, and needed only by tests that type secrets in the open

    from ...vision import opened, packed

    image = opened(png)
    draw = ImageDraw.Draw(image)
    for area in areas:
        draw.rectangle(
            (area.left, area.top, max(area.right - 1, 0), max(area.bottom - 1, 0)), fill="#303030"
        )
    return packed(image)
