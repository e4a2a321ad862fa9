"""What a test may name as a target, turned into one value; wrong calls are refused before anything happens."""

from __future__ import annotations

import difflib
import math
import re
from typing import TYPE_CHECKING, Any

from ..errors import UsageError, is_told
from ..model.element import Element
from ..model.selector import SELECTOR_KEYWORDS, Selector
from ..snapshots.roles import ROLES

if TYPE_CHECKING:
    from .step import Target

__tracebackhide__ = is_told

REF = re.compile(r"[a-z][0-9]{3,15}\Z")

_TEXT = frozenset({"text", "text_contains", "resource_id", "description", "class_name", "role"})
_FLAGS = frozenset({"enabled", "checked", "selected", "focused"})
_NESTED = frozenset({"has", "row_with", "android", "ios"})
_ANCHORS = frozenset({"within", "near"})


def as_target(verb: str, target: object, keywords: dict[str, Any]) -> Target:
    """Exactly one target: a ref, an element, a selector, or selector keywords. Raises ``UsageError``."""
    if target is None:
        if not keywords:
            raise UsageError(f'{verb}() needs a target: a ref, an element, or keywords such as text="Sign in"')
        return selector_of(verb, keywords)
    if keywords:
        given = ", ".join(sorted(keywords))
        raise UsageError(f"{verb}() takes one target: it was given both {target!r} and {given}")
    return checked_target(verb, target)


def checked_target(verb: str, target: object) -> Target:
    if isinstance(target, Selector):
        check_selector(verb, target)
        return target
    if isinstance(target, Element):
        return target
    if isinstance(target, str):
        if REF.match(target):
            return target
        raise UsageError(
            f'{verb}("{target}"): a bare string is a ref such as "k427". Did you mean {verb}(text="{target}")?'
        )
    raise UsageError(f"{verb}(): {target!r} is no target; give a ref, an element, or by(...)")


def selector_of(verb: str, keywords: dict[str, Any]) -> Selector:
    """A selector from keywords, each name and type checked."""
    for name in keywords:
        if name not in SELECTOR_KEYWORDS:
            near = difflib.get_close_matches(name, [*sorted(SELECTOR_KEYWORDS), "timeout", "silent"], 1, 0.5)
            hint = f" Did you mean {near[0]}=?" if near else ""
            known = ", ".join(sorted(SELECTOR_KEYWORDS))
            raise UsageError(f"{verb}() has no keyword {name!r}.{hint} Selector keywords: {known}")
    selector = Selector(**keywords)
    check_selector(verb, selector)
    return selector


def check_selector(verb: str, selector: Selector) -> None:
    """Raises ``UsageError`` for a selector that says nothing, or says it in the wrong type."""
    given = dict(selector.given())
    if not given:
        raise UsageError(f"{verb}(): by() without keywords matches nothing in particular")
    if set(given) == {"nth"}:
        raise UsageError(f"{verb}(): nth= alone is a position, not a description; add text= or another keyword")
    for name, value in given.items():
        wanted = _wrong_type(name, value)
        if wanted:
            raise UsageError(f"{verb}(): {name}={value!r} must be {wanted}")
        if isinstance(value, Selector):
            check_selector(verb, value)
    for name in ("text", "text_contains", "resource_id", "description", "class_name"):
        if given.get(name) == "":
            raise UsageError(f'{verb}(): {name}="" describes nothing')
    if "text_matches" in given:
        _check_pattern(verb, given["text_matches"])
    if "role" in given and given["role"] not in ROLES:
        near = difflib.get_close_matches(str(given["role"]), sorted(ROLES), 1, 0.5)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UsageError(
            f"{verb}(): no element has role={given['role']!r}.{hint} Roles: {', '.join(sorted(ROLES))}"
        )


def _check_pattern(verb: str, pattern: object) -> None:
    try:
        compiled = re.compile(pattern)  # type: ignore[call-overload]  # a string or a pattern, as checked before
    except re.error as error:
        raise UsageError(f"{verb}(): text_matches={pattern!r} is no regular expression: {error}") from None
    if compiled.search("") is not None:
        raise UsageError(f"{verb}(): text_matches={pattern!r} fits every label")


def _wrong_type(name: str, value: object) -> str:
    if name in _TEXT and not isinstance(value, str):
        return "a string"
    if name == "text_matches" and not isinstance(value, (str, re.Pattern)):
        return "a regular expression"
    if name in _FLAGS and not isinstance(value, bool):
        return "True or False"
    if name in _NESTED and not isinstance(value, Selector):
        return "a selector: by(...)"
    if name in _ANCHORS and not (
        isinstance(value, (Selector, Element)) or (isinstance(value, str) and REF.match(value))
    ):
        return "a ref, an element or by(...)"
    if name == "nth" and (isinstance(value, bool) or not isinstance(value, int)):
        return "a whole number, counted from zero"
    return ""


def checked_seconds(verb: str, given: float | None, default: float) -> float:
    """A time-out in seconds. Raises ``UsageError`` for what is no finite number from 0."""
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given < math.inf:
        raise UsageError(f"{verb}(timeout={given!r}): a time-out is a number of seconds from 0")
    return float(given)


def describe(target: Target) -> str:
    """The target as messages and traces print it."""
    if isinstance(target, Element):
        return target.describe()
    if isinstance(target, Selector):
        return target.describe()
    return target
