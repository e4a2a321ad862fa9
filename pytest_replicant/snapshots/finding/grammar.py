"""What a selector may say, checked before anything is looked for."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from ...errors import UsageError
from ...model import Element, Selector
from ..identity.refs import is_ref
from ..parsers.roles import ROLES
from ..text.words import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

_TEXT = frozenset({"text", "text_contains", "resource_id", "description", "class_name", "role"})
_NESTED = frozenset({"has", "row_with", "android", "ios"})
_ANCHORS = frozenset({"within", "near"})
STATES = ("checked", "selected", "enabled", "focused")
SURROUNDINGS = frozenset({"within", "has", "row_with", "near"})
"""The keywords about what is around a node rather than about itself."""
_DEEPEST = 10  # selectors inside selectors; nobody means more


def check(selector: object, caller: str = "") -> None:
    """Raises ``UsageError``, with what to write instead, for a selector that says something in the wrong type
    or says nothing. ``caller`` is the method that was given it."""
    said = f"{caller}(): " if caller else ""
    if not isinstance(selector, Selector):
        raise UsageError(f"{said}{selector!r} is no selector: by(text=...)")
    for level, item in _nested(selector):
        if level > _DEEPEST:
            raise UsageError(f"{said}selectors are nested more than {_DEEPEST} deep")
        if level and not any(True for _ in item.given()):
            raise UsageError(f"{said}by() without keywords matches nothing in particular")
        for name, value in item.given():
            complaint = _wrong_type(name, value) or _wrong_value(name, value)
            if complaint:
                raise UsageError(f"{said}{complaint}")


def parts(selector: Selector) -> Iterator[Selector]:
    """The selector and every one inside it."""
    return (item for _, item in _nested(selector))


def _nested(selector: Selector) -> Iterator[tuple[int, Selector]]:
    pending = [(0, selector)]
    while pending:
        level, item = pending.pop()
        yield level, item
        inner = [value for _, value in item.given() if isinstance(value, Selector)]
        pending.extend((level + 1, value) for value in reversed(inner))


def _wrong_type(name: str, value: object) -> str:
    if name in _TEXT and not isinstance(value, str):
        return f'{name}={value!r} must be a string, such as {name}="{value}"'
    if name == "text_matches" and not isinstance(value, (str, re.Pattern)):
        return f"text_matches={value!r} must be a regular expression, as a string or compiled"
    if name in STATES and not isinstance(value, bool):
        return f"{name}={value!r} must be True or False; leave it out where it does not matter"
    if name in _NESTED and not isinstance(value, Selector):
        return f"{name}={value!r} must be a selector: {name}=by({_as_keyword(value)})"
    if name in _ANCHORS and not isinstance(value, (Selector, Element)):
        return _no_anchor(name, value)
    if name == "nth" and (isinstance(value, bool) or not isinstance(value, int)):
        return f"nth={value!r} must be a whole number: nth counts from 0 in reading order"
    return ""


def _no_anchor(name: str, value: object) -> str:
    if isinstance(value, str):
        told = f'{value!r} is no ref such as "k427". Did you mean by(text={value!r})?'
        return "" if is_ref(value) else f"{name}= must be a ref, an element or by(...): {told}"
    return f"{name}={value!r} must be a ref, an element or by(...)"


def _wrong_value(name: str, value: object) -> str:
    if name in _TEXT and isinstance(value, str) and not clean(value):
        return f"{name}={value!r} describes nothing"
    if name == "role" and value not in ROLES:
        near = difflib.get_close_matches(str(value), sorted(ROLES), 1, 0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return f"no element has role={value!r}.{hint} Roles: {', '.join(sorted(ROLES))}"
    if name == "nth" and isinstance(value, int) and value < 0:
        return f"nth={value}: nth counts from 0 in reading order"
    return _wrong_pattern(value) if name == "text_matches" else ""


def _wrong_pattern(value: object) -> str:
    if isinstance(value, re.Pattern):
        text = isinstance(value.pattern, str)
        return "" if text else f"text_matches={value!r} must be a regular expression of text, not of bytes"
    try:
        re.compile(str(value))
    except (re.error, OverflowError, RecursionError) as error:
        return f"text_matches={value!r} is no regular expression: {error}"
    return ""


def _as_keyword(value: object) -> str:
    return f"text={value!r}" if isinstance(value, str) else "text=..."
