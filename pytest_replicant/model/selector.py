"""``by(...)``: a description of one element, as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .element import Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """Every keyword narrows; none given matches nothing. See ``by`` for what each means."""

    text: str | None = None
    text_contains: str | None = None
    text_matches: str | re.Pattern[str] | None = None
    resource_id: str | None = None
    description: str | None = None
    class_name: str | None = None
    role: str | None = None
    enabled: bool | None = None
    checked: bool | None = None
    selected: bool | None = None
    focused: bool | None = None
    within: str | Element | Selector | None = None
    has: Selector | None = None
    row_with: Selector | None = None
    near: str | Element | Selector | None = None
    nth: int | None = None
    android: Selector | None = None
    ios: Selector | None = None

    def given(self) -> Iterator[tuple[str, object]]:
        """The keywords that were given, in declaration order."""
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None:
                yield item.name, value

    def describe(self) -> str:
        """Python source of the keywords: ``text="Add", row_with=by(text="Tray")``."""
        return ", ".join(f"{name}={_source(value)}" for name, value in self.given())

    def __str__(self) -> str:
        return self.describe()


SELECTOR_KEYWORDS: frozenset[str] = frozenset(item.name for item in fields(Selector))


def by(
    *,
    text: str | None = None,
    text_contains: str | None = None,
    text_matches: str | re.Pattern[str] | None = None,
    resource_id: str | None = None,
    description: str | None = None,
    class_name: str | None = None,
    role: str | None = None,
    enabled: bool | None = None,
    checked: bool | None = None,
    selected: bool | None = None,
    focused: bool | None = None,
    within: str | Element | Selector | None = None,
    has: Selector | None = None,
    row_with: Selector | None = None,
    near: str | Element | Selector | None = None,
    nth: int | None = None,
    android: Selector | None = None,
    ios: Selector | None = None,
) -> Selector:
    """Describe one element.

    ``text`` is the whole label as the outline prints it, ``text_contains`` a part, ``text_matches`` a
    pattern searched as by ``re.search``. ``resource_id`` is the full id or the part after ``:id/``.
    ``role`` is the semantic role. ``within`` is an ancestor, ``has`` a descendant, ``row_with`` a
    descendant of the same row, ``near`` an anchor. ``nth`` is zero-based in reading order.
    ``android`` and ``ios`` are the branch that counts on that platform.
    """
    return Selector(
        text=text,
        text_contains=text_contains,
        text_matches=text_matches,
        resource_id=resource_id,
        description=description,
        class_name=class_name,
        role=role,
        enabled=enabled,
        checked=checked,
        selected=selected,
        focused=focused,
        within=within,
        has=has,
        row_with=row_with,
        near=near,
        nth=nth,
        android=android,
        ios=ios,
    )


def _source(value: object) -> str:
    if isinstance(value, Selector):
        return f"by({value.describe()})"
    if isinstance(value, re.Pattern):
        return f"re.compile({_quoted(value.pattern)})"
    if isinstance(value, str):
        return _quoted(value)
    described = getattr(value, "ref", None)
    return _quoted(described) if isinstance(described, str) else repr(value)


def _quoted(text: str) -> str:
    """A Python literal in double quotes, as this project writes them."""
    body = repr(text)[1:-1]
    if repr(text)[0] == "'":
        body = body.replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'
