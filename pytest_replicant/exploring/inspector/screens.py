"""A screen as the page has it: the lines of its outline, its elements, and what a test writes for
each of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...errors import UsageError
from ...model import Element, shortened
from ...session.actions.gestures import boxes_to_mark
from ...session.photos import MAX_SIDE, packed
from ...snapshots import Purpose, Snapshot
from ...test_code import Call
from ...vision import marked, opened, scaled_to
from ..proposals import CONTROLS

_LINE = r"(?P<indent>[ -]*)\[(?P<ref>[a-z]\d{3,}[a-z]?)\] (?P<text>.*)"
_LONGEST_EXPECTED = 200
_CONTROLS = CONTROLS | {"dropdown"}


PAGE = "page"
"""The verb by which the page asks a session for what it shows; no command of a user."""
Shown = dict[str, Any]
"""What the page is sent, ready for JSON."""


@dataclass(frozen=True)
class Picture:
    """What the screen looked like. ``media_type`` is that of an image."""

    data: bytes
    media_type: str = "image/png"


@dataclass(frozen=True)
class Seen:
    """One screen by its name on the page; ``picture`` is None if there is none."""

    id: str
    snapshot: Snapshot
    picture: Picture | None = None

    def to_dict(self) -> Shown:
        """Ready for JSON; rectangles are left, top, right, bottom in device pixels."""
        snapshot = self.snapshot
        return {
            "id": self.id,
            "title": snapshot.screen,
            "app": snapshot.app,
            "size": list(snapshot.size),
            "picture": self.picture is not None,
            "lines": list(_lines(snapshot)),
            "elements": {
                one.ref: {"bounds": list(one.bounds), "label": one.label}
                for one in snapshot.printed
            },
        }

    @cached_property
    def marked(self) -> Picture | None:
        """The picture with the refs of what can be acted on, at most 1,000 pixels long and a
        margin. Raises ``SnapshotError`` if it is none."""
        wide, high = self.snapshot.size
        if self.picture is None or not wide or not high:
            return None
        size = scaled_to(self.snapshot.size, min(1.0, MAX_SIDE / max(wide, high)))
        image = opened(self.picture.data).resize(size, reducing_gap=2.0)
        drawn, _ = marked(image, *boxes_to_mark(self.snapshot, image.width / wide))
        return Picture(packed(drawn))

    def element(self, ref: str, others: Sequence[Snapshot] = (), live: bool = False) -> Shown:
        """Everything about one element. Its locators are tried on ``others`` as well; ``live``: it
        can be acted on. Raises ``UsageError`` for a ref that this screen does not have."""
        element = next((one for one in self.snapshot.printed if one.ref == ref), None)
        if not element:
            raise UsageError(
                f"{ref} is not on this screen any more. Next: choose an element of the outline"
            )
        heading = element in self.snapshot.headings
        checks = self._checks(element, heading) if live else ()
        return {
            "ref": ref,
            "name": element.label or element.borrowed or element.class_name.rpartition(".")[2],
            "bounds": list(element.bounds),
            "action": None if heading else self._locator(ref, "action", others),
            "check": self._locator(ref, "check", others),
            "facts": list(_facts(element)),
            "field": _is_field(element),
            "password": bool(element.states.password),
            "checks": [{"label": label, "step": call.code()} for label, call in checks],
        }

    def _locator(self, ref: str, purpose: Purpose, others: Sequence[Snapshot]) -> Shown:
        also = [one for one in others if one is not self.snapshot]
        found = self.snapshot.selector(ref, also=also, purpose=purpose)
        return {
            "code": found.code,
            "unique": bool(found.unique_on),
            "warnings": list(found.warnings),
        }

    def _checks(self, element: Element, heading: bool) -> Iterator[tuple[str, Call]]:
        """The checks that fit the element, by what a button says; each of them holds now."""
        if heading and element.label == self.snapshot.title:
            yield f"screen is {element.label}", Call("expect_screen", (element.label,))
            return
        ref, states = element.ref, element.states
        yield "visible", Call("expect_visible", (ref,))
        if heading:
            return
        value = element.value
        if value not in (None, "") and value != element.label and not states.password:
            yield f"value is {_short(value)}", Call("expect_state", (ref,), {"value": value})
        if element.label and not _is_field(element) and len(element.label) <= _LONGEST_EXPECTED:
            yield (
                f"text is {_short(element.label)}",
                Call("expect_state", (ref,), {"text": element.label}),
            )
        wanted = {
            "checked": states.checked,
            "selected": states.selected or None,
            "focused": states.focused or None,
            "enabled": states.enabled,
        }
        if states.enabled and element.semantic_role not in _CONTROLS:
            del wanted["enabled"]
        for name, holds in wanted.items():
            if holds is not None:
                said = name if holds else f"not {name}"
                yield said, Call("expect_state", (ref,), {name: holds})


def _is_field(element: Element) -> bool:
    return element.semantic_role == "text_field" or bool(element.states.editable)


def _short(value: object) -> str:
    return f'"{shortened(str(value), 24)}"'


def _facts(element: Element) -> Iterator[tuple[str, str]]:
    """The facts of an element, by name; of its states those that the platform reports and that
    matter, with "not" before those that do not hold."""
    box, states, holding = element.bounds, element.states, []
    for name, shown_when_false in (
        ("checked", True), ("selected", False), ("focused", False), ("enabled", True),
        ("expanded", True), ("password", False), ("scrollable", False),
    ):  # fmt: skip
        value = getattr(states, name)
        if value or (value is False and shown_when_false):
            holding.append(name if value else f"not {name}")
    yield "Role", (element.semantic_role or "").replace("_", " ")
    yield "Class", element.class_name
    yield "Id", element.resource_id
    yield "Value", "" if element.value is None or states.password else str(element.value)
    yield "Row", element.row_title
    yield "States", ", ".join(holding)
    yield "Place", f"{box.width} × {box.height} at {box.left}, {box.top}"


def _lines(snapshot: Snapshot) -> Iterator[Shown]:
    """The outline, a dict a line: ``depth``, ``text``, and ``ref`` if it is an element. A heading,
    which the outline has as a title alone, can be chosen too."""
    known = {element.ref for element in snapshot.elements}
    title = next((one for one in snapshot.headings if one.label == snapshot.title), None)
    first, *lines = snapshot.outline(bounds=True).splitlines()
    head: Shown = {"depth": 0, "text": first, "head": True}
    if title:
        head["ref"] = title.ref
    yield head
    for one in snapshot.headings:
        if one is not title:
            yield {"depth": 0, "text": f'heading "{one.label}"', "ref": one.ref}
    for line in lines:
        found = re.fullmatch(_LINE, line, re.DOTALL)
        if found and found["ref"] in known:
            text = re.sub(r" \{x:-?\d+,y:-?\d+,w:-?\d+,h:-?\d+\}\Z", "", found["text"])
            yield {"depth": len(found["indent"]) // 2, "text": text, "ref": found["ref"]}
        else:
            yield {"depth": 0, "text": line.strip()}
