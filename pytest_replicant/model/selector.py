"""Selectors, ``by(...)``, and screens: descriptions of an element and of a screen, as values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypedDict

from .aliases import AnyMapping
from .element import Element, RoleName, is_ref

TextOrPattern = str | re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Selector:
    """A description of elements. Every keyword narrows; no keyword matches nothing. See ``by`` for
    their meaning.

    A value: two equal descriptions are equal and hash alike, and it can be pickled. ``repr`` is the
    call that makes it, ``str`` the keywords alone; an element given as an anchor shows as its ref.
    ``a | b`` is what either of two describes."""

    text: str | None = None
    text_contains: str | None = None
    text_matches: TextOrPattern | None = None
    resource_id: str | None = None
    description: TextOrPattern | None = None
    class_name: str | None = None
    role: str | None = None
    enabled: bool | None = None
    checked: bool | None = None
    selected: bool | None = None
    focused: bool | None = None
    within: str | Element | Selector | None = None
    has: Selector | None = None
    has_not: Selector | None = None
    row_with: Selector | None = None
    near: str | Element | Selector | None = None
    any_of: tuple[Selector, ...] | None = None
    nth: int | None = None
    android: Selector | None = None
    ios: Selector | None = None

    def __or__(self, other: Selector) -> Selector:
        if not isinstance(other, Selector):
            return NotImplemented
        return Selector(any_of=(*self.alternatives, *other.alternatives))

    @property
    def alternatives(self) -> tuple[Selector, ...]:
        """The descriptions of which one is enough; itself if there is no choice, or one was picked
        by nth."""
        return self.any_of if self.any_of and self.nth is None else (self,)

    def given(self) -> Iterator[tuple[str, object]]:
        """Yields the given keywords in declaration order."""
        for name in _NAMES:
            value = getattr(self, name)
            if value is not None:
                yield name, value

    def describe(self) -> str:
        """Returns Python source of the keywords: ``text="Add", row_with="Tray"``."""
        return ", ".join(
            f"{written_keyword(name, value)}={source(name, value)}" for name, value in self.given()
        )

    def __str__(self) -> str:
        return self.describe()

    def __repr__(self) -> str:
        return f"by({self.describe()})"


def combined(selector: Selector, extra: Selector) -> Selector:
    """Returns ``selector`` with the keywords of ``extra`` added, which win if both give one."""
    return replace(selector, **dict(extra.given()))  # type: ignore[arg-type]  # the same keywords


def with_texts(selector: Selector, change: Callable[[str], str]) -> Selector:
    """Returns the selector with each text in it changed, itself if none is; patterns, ids and refs
    stay."""

    def changed(name: str, value: Any) -> Any:
        if isinstance(value, Selector):
            return with_texts(value, change)
        if isinstance(value, tuple):
            return tuple(with_texts(one, change) for one in value)
        if name in ("text", "text_contains", "description") and isinstance(value, str):
            return change(value)
        return value

    given = dict(selector.given())
    new = {name: changed(name, value) for name, value in given.items()}
    return selector if new == given else replace(selector, **new)


_NAMES = tuple(item.name for item in fields(Selector))
SELECTOR_KEYWORDS: frozenset[str] = frozenset(_NAMES)
_FLAGS = (re.ASCII, re.IGNORECASE, re.MULTILINE, re.DOTALL, re.VERBOSE)


class HasSelector(Protocol):
    """What has a description of its own, as a ``Locator`` has."""

    @property
    def selector(self) -> Selector: ...


class SelectorKeywords(TypedDict, total=False):
    """The keywords that describe an element, of ``by`` and of each call that takes a target; see
    ``by``."""

    text: TextOrPattern | None
    text_contains: str | None
    text_matches: TextOrPattern | None
    resource_id: str | None
    description: TextOrPattern | None
    class_name: str | None
    role: RoleName | None
    enabled: bool | None
    checked: bool | None
    selected: bool | None
    focused: bool | None
    within: str | Element | Selector | HasSelector | None
    has: str | Selector | HasSelector | None
    has_not: str | Selector | HasSelector | None
    row_with: str | Selector | HasSelector | None
    near: str | Element | Selector | HasSelector | None
    any_of: Sequence[str | Selector | HasSelector] | None
    nth: int | None
    android: Selector | None
    ios: Selector | None


def selector_from(keywords: AnyMapping) -> Selector:
    """The selector of keywords that are known to be some: a string in place of a selector is a
    text, and a compiled pattern in ``text`` is one that is searched."""
    given = {name: _as_anchor(name, value) for name, value in keywords.items()}
    if isinstance(given.get("text"), re.Pattern) and given.get("text_matches") is None:
        given["text_matches"] = given.pop("text")
    return Selector(**given)


def described(given: Any) -> Any:
    """The selector of a text, or of a locator; anything else as it is."""
    return Selector(text=given) if isinstance(given, str) else unbound(given)


def _as_anchor(name: str, value: Any) -> Any:
    if name == "any_of" and isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(map(described, value))
    if name in ("within", "near") and isinstance(value, str) and is_ref(value):
        return value
    return described(value) if name in SURROUNDINGS else value


def unbound(value: Any) -> Any:
    """The description of a locator; else the value itself."""
    own = getattr(value, "selector", None)
    return own if isinstance(own, Selector) else value


SURROUNDINGS = frozenset({"within", "has", "has_not", "row_with", "near"})
"""The keywords about the surroundings of a node."""


def written_keyword(name: str, value: object) -> str:
    """The keyword as a test writes it: a compiled pattern is given as ``text``."""
    return "text" if name == "text_matches" and isinstance(value, re.Pattern) else name


def source(name: str, value: object) -> str:
    """The value of a keyword as a test writes it."""
    if isinstance(value, Selector):
        return _quoted(value.text or "") if _is_written_as_text(name, value) else repr(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(source(name, one) for one in value)}]"
    if isinstance(value, re.Pattern):
        return _compiled(value)
    if isinstance(value, str):
        return _pattern(value) if name == "text_matches" else _quoted(value)
    described = getattr(value, "ref", None)
    return _quoted(described) if isinstance(described, str) else repr(value)


def _is_written_as_text(name: str, anchor: Selector) -> bool:
    """Whether the string alone means this anchor: it has a text, no more, and that could be no
    ref."""
    if name not in SURROUNDINGS or anchor.text is None or anchor != Selector(text=anchor.text):
        return False
    return name not in ("within", "near") or not is_ref(anchor.text)


def _compiled(pattern: re.Pattern[str]) -> str:
    """Returns the ``re.compile`` call, without the flag that Python adds to every pattern of
    text."""
    source = repr(pattern.pattern)
    if isinstance(pattern.pattern, str):
        source = _pattern(pattern.pattern)
    flags = " | ".join(f"re.{flag.name}" for flag in _FLAGS if pattern.flags & flag)
    return f"re.compile({source}, {flags})" if flags else f"re.compile({source})"


def _pattern(pattern: str) -> str:
    """Returns a raw string if Python can write the pattern so."""
    plain = pattern.isprintable() and '"' not in pattern and not pattern.endswith("\\")
    return f'r"{pattern}"' if plain and "\\" in pattern else _quoted(pattern)


def _quoted(text: str) -> str:
    """Returns a Python literal in double quotes, as this project writes them."""
    body = repr(text)[1:-1]
    if repr(text)[0] == "'":
        body = body.replace("\\'", "'").replace('"', '\\"')
    return f'"{body}"'
