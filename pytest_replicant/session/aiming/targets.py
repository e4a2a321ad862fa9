"""What a test may name as a target, turned into one value; wrong calls are refused before anything happens."""

from __future__ import annotations

import difflib
import math
import re
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import SELECTOR_KEYWORDS, Element, Selector
from ...snapshots import check, parts

if TYPE_CHECKING:
    from ..step import Target

LONGEST_SECONDS = 3600
REF = re.compile(r"[a-z][0-9]{3,15}\Z")
_ELSEWHERE = {
    "name": "text", "label": "text", "hint": "text", "placeholder": "text", "has_text": "text_contains",
    "id": "resource_id", "test_id": "resource_id", "content_desc": "description", "index": "nth",
    "class_": "class_name", "type": "class_name",
}  # fmt: skip
"""What other tools call the keywords."""


def as_target(verb: str, target: object, keywords: dict[str, Any]) -> Target:
    """Exactly one target: a ref, an element, a selector, or selector keywords. Raises ``UsageError``."""
    if target is None:
        if not keywords:
            raise UsageError(f'{verb}() needs a target: a ref, an element, or keywords such as text="Sign in"')
        return selector_of(verb, keywords)
    if keywords:
        given = ", ".join(sorted(keywords))
        raise UsageError(f"{verb}() takes one target: it was given both {target!r} and {given}")
    return checked_target(verb, target, call=verb)


def as_selector(verb: str, selector: Selector | None, keywords: dict[str, Any]) -> Selector:
    """A description of what may be there several times: a selector, or its keywords. Raises ``UsageError``."""
    wanted = as_target(verb, selector, keywords)
    if not isinstance(wanted, Selector):
        raise UsageError(f"{verb}({describe(wanted)}): a ref is one element; describe all that are meant: by(...)")
    return wanted


def checked_target(verb: str, target: object, *, call: str = "by") -> Target:
    """A target given as a value. ``call`` is what takes the keywords that a bare string should have been."""
    if isinstance(target, Selector):
        check_selector(verb, target)
        return target
    if isinstance(target, Element):
        return target
    if isinstance(target, str):
        if REF.match(target):
            return target
        if REF.match(target[1:-1]) and target == f"[{target[1:-1]}]":
            raise UsageError(f'{verb}("{target}"): a ref is given without its brackets: "{target[1:-1]}"')
        raise UsageError(
            f'{verb}("{target}"): a bare string is a ref such as "k427". Did you mean {call}(text="{target}")?'
        )
    raise UsageError(f"{verb}(): {target!r} is no target; give a ref, an element, or by(...)")


def selector_of(verb: str, keywords: dict[str, Any]) -> Selector:
    """A selector from keywords, each name and type checked."""
    for name in keywords:
        if name not in SELECTOR_KEYWORDS:
            near = [_ELSEWHERE[name]] if name in _ELSEWHERE else _near_keywords(name)
            hint = f" Did you mean {near[0]}=?" if near else ""
            known = ", ".join(sorted(SELECTOR_KEYWORDS))
            raise UsageError(f"{verb}() has no keyword {name!r}.{hint} Selector keywords: {known}")
    selector = Selector(**keywords)
    check_selector(verb, selector)
    return selector


def _near_keywords(name: str) -> list[str]:
    return difflib.get_close_matches(name, [*sorted(SELECTOR_KEYWORDS), "timeout", "silent"], 1, 0.5)


def check_selector(verb: str, selector: Selector) -> None:
    """Raises ``UsageError`` for a selector that says nothing, or says it in the wrong type."""
    check(selector, verb)
    for item in parts(selector):
        given = dict(item.given())
        if not given:
            raise UsageError(f"{verb}(): by() without keywords matches nothing in particular")
        if set(given) == {"nth"}:
            raise UsageError(f"{verb}(): nth= alone is a position, not a description; add text= or the like")
        if item.text_matches is not None and re.search(item.text_matches, "") is not None:
            raise UsageError(f"{verb}(): text_matches={item.text_matches!r} fits every label")


def checked_seconds(verb: str, given: float | None, default: float, *, name: str = "timeout") -> float:
    """A time-out in seconds. Raises ``UsageError`` for what is no number from 0 to an hour."""
    if given is None:
        return default
    what = "a time-out" if name == "timeout" else "a time"
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given < math.inf:
        raise UsageError(f"{verb}({name}={given!r}): {what} is a number of seconds from 0")
    if given > LONGEST_SECONDS:
        raise UsageError(
            f"{verb}({name}={given!r}): {what} is in seconds, and at most an hour; not in milliseconds"
        )
    return float(given)


def describe(target: Target) -> str:
    """The target as messages and traces print it."""
    if isinstance(target, Element):
        return target.describe()
    if isinstance(target, Selector):
        return target.describe()
    return target
