"""What a test may name as a target, turned into one value; wrong calls are refused before anything happens."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...model import Element, Selector
from ...snapshots import check_selector, checked_ref, selector_of

if TYPE_CHECKING:
    from ..step import Target

LONGEST_SECONDS = 3600


def as_target(verb: str, target: object, keywords: dict[str, Any]) -> Target:
    """Exactly one target: a ref, an element, a selector, or selector keywords. Raises ``UsageError``."""
    if target is None:
        if not keywords:
            raise UsageError(f'{verb}() needs a target: a ref, an element, or keywords such as text="Sign in"')
        return selector_of(verb, keywords, strict=True)
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
        check_selector(target, verb, strict=True)
        return target
    if isinstance(target, Element):
        return target
    if isinstance(target, str):
        return checked_ref(verb, target, call=call)
    raise UsageError(f"{verb}(): {target!r} is no target; give a ref, an element, or by(...)")


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
