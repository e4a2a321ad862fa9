"""Selectors, ``by(...)``, and screens: descriptions of an element and of a screen, as values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace

from .element import Element


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Selector:
    """A description of elements. Every keyword narrows; no keyword matches nothing. See ``by`` for their meaning.

    A value: two equal descriptions are equal and hash alike, and it can be pickled. ``repr`` is the call that
    makes it, ``str`` the keywords alone; an element given as an anchor shows as its ref."""

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
        """Yields the given keywords in declaration order."""
        for name in _NAMES:
            value = getattr(self, name)
            if value is not None:
                yield name, value

    def describe(self) -> str:
        """Returns Python source of the keywords: ``text="Add", row_with=by(text="Tray")``."""
        return ", ".join(f"{name}={_source(name, value)}" for name, value in self.given())

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        return f"by({self.describe()})"


def combined(selector: Selector, extra: Selector) -> Selector:
    """Returns ``selector`` with the keywords of ``extra`` added, which win where both give one."""
    return replace(selector, **dict(extra.given()))  # type: ignore[arg-type]  # the same keywords


_NAMES = tuple(item.name for item in fields(Selector))
SELECTOR_KEYWORDS: frozenset[str] = frozenset(_NAMES)
_FLAGS = (re.ASCII, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.VERBOSE)


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
    pattern searched as by ``re.search``. ``resource_id`` is the full id or the part after ``:id/``, on iOS
    the accessibility identifier. ``class_name`` is the native class, short or full. ``role`` is the semantic
    role. States that a platform does not report are neither True nor False. ``within`` is an ancestor, ``has``
    a descendant, ``row_with`` a descendant of the same row, ``near`` an anchor. ``nth`` is zero-based in
    reading order. ``android`` and ``ios`` are the branch that counts on that platform.
    """
    return Selector(**locals())  # each keyword is the field of its name


@dataclass(frozen=True)
class Screen:
    """A screen by its content. It holds when every selector in ``has`` matches and none in ``lacks`` does;
    ``name`` is for messages. Where ``has`` is empty, ``name`` is the title or activity of the screen."""

    name: str
    has: Sequence[Selector] = ()
    lacks: Sequence[Selector] = ()


def _source(name: str, value: object) -> str:
    if isinstance(value, Selector):
        return repr(value)
    if isinstance(value, re.Pattern):
        return _compiled(value)
    if isinstance(value, str):
        return _pattern(value) if name == "text_matches" else _quoted(value)
    described = getattr(value, "ref", None)
    return _quoted(described) if isinstance(described, str) else repr(value)


def _compiled(pattern: re.Pattern[str]) -> str:
    """Returns the ``re.compile`` call, without the flag that Python adds to every pattern of text."""
    flags = [f"re.{flag.name}" for flag in _FLAGS if pattern.flags & flag]
    source = _pattern(pattern.pattern) if isinstance(pattern.pattern, str) else repr(pattern.pattern)
    return f"re.compile({', '.join([source, ' | '.join(flags)] if flags else [source])})"


def _pattern(pattern: str) -> str:
    """Returns a raw string where Python can write the pattern so."""
    plain = pattern.isprintable() and '"' not in pattern and not pattern.endswith("\\")
    return f'r"{pattern}"' if plain and "\\" in pattern else _quoted(pattern)


def _quoted(text: str) -> str:
    """Returns a Python literal in double quotes, as this project writes them."""
    body = repr(text)[1:-1]
    if repr(text)[0] == "'":
        body = body.replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'
