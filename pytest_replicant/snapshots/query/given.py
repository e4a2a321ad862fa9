"""Selectors as they are given: their shape, and the complaint about a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import UsageError, did_you_mean
from ...model import TEXTS, AnyMapping, Selector, is_ref, quoted, selector_from, wrong_type
from ..parsers.roles import ROLES
from ..text import clean

_ROLES_ELSEWHERE = {
    "textbox": "text_field", "searchbox": "text_field", "combobox": "dropdown",
    "spinner": "dropdown", "listitem": "cell", "option": "cell", "row": "cell", "img": "image", "heading": "text",
    "spinbutton": "stepper", "progressbar": "progress", "toggle": "switch",
}  # fmt: skip
"""The roles' names in other tools."""
_DEEPEST = 10  # selectors inside selectors; no test needs more


def selector_of(caller: str, keywords: AnyMapping, *, strict: bool = False) -> Selector:
    """The selector that the keywords describe, each value checked; ``strict`` as for ``check_selector``.
    Raises ``UsageError`` if none is given."""
    if not any(value is not None for value in keywords.values()):
        raise UsageError(f"{caller}() needs at least one selector keyword, such as text=")
    selector = selector_from(keywords)
    check_selector(selector, caller, strict=strict)
    return selector


def check_selector(selector: object, caller: str = "", *, strict: bool = False) -> None:
    """Raises ``UsageError``, with what to write instead, for a selector of the wrong types or without content.
    ``caller`` is the method that received it. ``strict``, as targets of actions are checked, also refuses a
    selector that describes no element in particular: no keywords, ``nth`` alone, a pattern that fits any label."""
    said = f"{caller}(): " if caller else ""
    if not isinstance(selector, Selector):
        raise UsageError(f"{said}{selector!r} is no selector: by(text=...)")
    for level, item in _nested(selector):
        if level > _DEEPEST:
            raise UsageError(f"{said}selectors are nested more than {_DEEPEST} deep")
        given = dict(item.given())
        if not given and (level or strict):
            raise UsageError(f"{said}by() without keywords matches nothing in particular")
        for name, value in given.items():
            complaint = wrong_type(name, value) or _wrong_value(name, value)
            if complaint:
                raise UsageError(f"{said}{complaint}")
        if "any_of" in given and not given.keys() <= {"any_of", "nth"}:
            raise UsageError(f"{said}any_of= goes with nth= alone; other keywords go into each of its by(...)")
        if strict and set(given) == {"nth"}:
            raise UsageError(f"{said}nth= alone is a position, not a description; add text= or the like")
        for name in ("text_matches", "description") if strict else ():
            pattern = getattr(item, name)
            if (name == "text_matches" or isinstance(pattern, re.Pattern)) and pattern and re.search(pattern, ""):
                raise UsageError(f"{said}{name}={pattern!r} fits every label")


def checked_ref(caller: str, text: str, *, call: str = "by") -> str:
    """The ref. Raises ``UsageError`` for any other string; ``call`` takes the keywords that were meant."""
    if is_ref(text):
        return text
    given = f"{caller}({quoted(text)})"
    if text == f"[{text[1:-1]}]" and is_ref(text[1:-1]):
        raise UsageError(f'{given}: a ref is given without its brackets: "{text[1:-1]}"')
    instead = f"{call}(text={quoted(text)})"
    raise UsageError(f'{given}: a bare string is a ref such as "k427". Did you mean {instead}?')


def _nested(selector: Selector) -> Iterator[tuple[int, Selector]]:
    pending = [(0, selector)]
    while pending:
        level, item = pending.pop()
        yield level, item
        inner = [value for _, value in item.given() if isinstance(value, Selector)]
        inner += [one for one in item.any_of or () if isinstance(one, Selector)]
        pending.extend((level + 1, value) for value in reversed(inner))


def _wrong_value(name: str, value: object) -> str:
    if name in TEXTS and isinstance(value, str) and not clean(value):
        return f"{name}={value!r} describes nothing"
    if name == "role" and value not in ROLES:
        hint = did_you_mean(_ROLES_ELSEWHERE.get(str(value), str(value)), sorted(ROLES), 0.5, "{!r}")
        return f"no element has role={value!r}.{hint} Roles: {', '.join(sorted(ROLES))}"
    is_pattern = name == "text_matches" or isinstance(value, re.Pattern)
    return _wrong_pattern(name, value) if is_pattern else ""


def _wrong_pattern(name: str, value: object) -> str:
    if isinstance(value, re.Pattern):
        text = isinstance(value.pattern, str)
        return "" if text else f"{name}={value!r} must be a regular expression of text, not of bytes"
    try:
        re.compile(str(value))
    except (re.error, OverflowError, RecursionError) as error:
        return f"text_matches={value!r} is no regular expression: {error}"
    return ""


def excludes(selector: Selector) -> bool:
    """Whether it says of anything that there is none of it."""
    return any(item.has_not is not None for item in nested(selector))


def nested(selector: Selector) -> Iterator[Selector]:
    """A selector, and those in it."""
    return (item for _, item in _nested(selector))
