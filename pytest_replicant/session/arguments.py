"""Arguments of actions, checks and reads: checked before anything is sent, with the call that was
meant."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeGuard

from ..drivers import INSTEAD, Capability, Driver, Platform, phone_name
from ..errors import Unsupported, UsageError, did_you_mean
from ..model import TABLE, Element, HasSelector, Selector, unbound, verb_of
from ..snapshots import check_selector, checked_ref, never_matches, selector_of
from .drawn import ImageSelector

Target: TypeAlias = "str | Element | Selector"
"""A ref, an element of a snapshot, or a selector."""

TargetLike: TypeAlias = "Target | HasSelector"
"""What a call takes as its target: also a ``Locator``, by its selector."""

LONGEST_SECONDS = 3600


def as_target(
    verb: str, target: object, keywords: Mapping[str, object], *, scope: Target | None = None
) -> Target:
    """Exactly one target: a ref, an element, a selector, a locator, or selector keywords. Selectors
    are meant inside ``scope``; a locator has its own. Raises ``UsageError``."""
    if target is None:
        if not keywords:
            needs = (
                f'{verb}() needs a target: a ref, an element, or keywords such as text="Sign in"'
            )
            raise UsageError(needs, advice=f'{verb}(text="Sign in")')
        if scope is None:
            return selector_of(verb, keywords, strict=True)
        if keywords.get("within") is None and keywords.get("any_of") is None:
            # a position alone, such as nth=0, is a description inside a scope
            return selector_of(verb, {**keywords, "within": scope}, strict=True)
        return inside(scope, selector_of(verb, keywords, strict=True))
    if keywords:
        given = ", ".join(f"{name}=" for name in sorted(keywords))
        raise UsageError(
            f"{verb}() takes one target, and it is named twice: {target!r} and {given}"
        )
    return checked_target(verb, target, call=verb, scope=scope)


def refuse_unmatchable(kind: str, platform: Platform, *targets: Target | None) -> None:
    """Raises ``UsageError`` for a selector that can match nothing on this platform: neither its
    presence nor its absence says anything, nor that no more than none was found."""
    for target in targets:
        if isinstance(target, Selector) and (part := never_matches(target, platform)) is not None:
            raise UsageError(
                f"{kind}({describe(target)}): {part} can match nothing on {platform}, so that it "
                "is never there and never gone. Next: give it a branch for this platform, "
                "by(android=..., ios=...)"
            )


def as_selector(
    verb: str, selector: object, keywords: Mapping[str, object], *, scope: Target | None = None
) -> Selector:
    """A description of what may be there several times: a selector, or its keywords. Raises
    ``UsageError``."""
    wanted = as_target(verb, selector, keywords, scope=scope)
    if not isinstance(wanted, Selector):
        raise UsageError(
            f"{verb}({describe(wanted)}): a ref is one element; describe all that are meant: "
            "by(...)"
        )
    return wanted


def _no_image(verb: str, target: ImageSelector) -> UsageError:
    proves = "Absence cannot be proven by a picture. " if verb_of(verb).proves == "absence" else ""
    return UsageError(
        f"{verb}({describe(target)}): an image matches nothing in the hierarchy, where {verb} "
        f"looks. {proves}Next: {', '.join(sorted(one.name for one in TABLE if one.image))} "
        "look for one"
    )


def checked_target(
    verb: str, target: object, *, call: str = "by", scope: Target | None = None
) -> Target:
    """A target given as a value; a selector is meant inside ``scope``. ``call`` takes the keywords
    that a bare string should have been."""
    if isinstance(target, ImageSelector) and not verb_of(verb).image:
        raise _no_image(verb, target)
    if isinstance(target, Selector):
        if not isinstance(target, ImageSelector):
            check_selector(target, verb, strict=True)
        return target if scope is None else inside(scope, target)
    if isinstance(own := unbound(target), Selector):
        check_selector(own, verb, strict=True)
        return own
    if isinstance(target, Element):
        return target
    if isinstance(target, str):
        return checked_ref(verb, target, call=call)
    raise UsageError(
        f"{verb}(): {target!r} is no target; give a ref, an element, a locator, or by(text=...)"
    )


def inside(scope: Target, target: Selector, *, is_branch: bool = False) -> Selector:
    """The selector, with its outermost ``within`` inside the scope. A branch of one platform needs
    none of its own: that of the selector around it holds."""
    if target.any_of:
        either = (inside(scope, one, is_branch=is_branch) for one in target.any_of)
        return replace(target, any_of=tuple(either))
    around, android, ios = target.within, target.android, target.ios
    if around is None and not is_branch:
        around = scope
    elif isinstance(around, Selector) and around != scope:
        around = inside(scope, around)
    if android:
        android = inside(scope, android, is_branch=True)
    if ios:
        ios = inside(scope, ios, is_branch=True)
    return replace(target, within=around, android=android, ios=ios)


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a finite number, which True and False are not."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return abs(value) <= sys.float_info.max  # which infinity is not, nor a NaN


def checked_whole(verb: str, name: str, given: int, least: int) -> int:
    """A count. Raises ``UsageError`` for anything but a whole number from ``least``."""
    if isinstance(given, bool) or not isinstance(given, int) or given < least:
        raise UsageError(f"{verb}({name}={given!r}): a whole number from {least}")
    return given


def checked_name(given: object, wrong: str) -> None:
    """Raises ``UsageError`` for anything but a string that is not empty."""
    if not isinstance(given, str) or not given:
        raise UsageError(wrong)


def checked_word(verb: str, given: str, known: Sequence[str], what: str) -> None:
    """Raises ``UsageError`` for anything but one of the known words."""
    if given not in known:
        there_are = ", ".join(f'"{name}"' for name in known)
        meant = did_you_mean(str(given), known, form='"{}"')
        raise UsageError(f"{verb}({given!r}): no such {what}.{meant} There are: {there_are}")


def checked_seconds(
    verb: str, given: float | None, default: float, *, name: str = "timeout"
) -> float:
    """A time-out in seconds. Raises ``UsageError`` for anything but a number from 0 to an hour."""
    if given is None:
        return default
    what = "a time-out" if name == "timeout" else "a time"
    if not is_number(given) or given < 0:
        raise UsageError(f"{verb}({name}={given!r}): {what} is a number of seconds from 0")
    if given > LONGEST_SECONDS:
        raise UsageError(
            f"{verb}({name}={given!r}): {what} is in seconds, and at most an hour; not in "
            "milliseconds"
        )
    return float(given)


def describe(target: Target) -> str:
    """The target as messages and traces print it."""
    return target if isinstance(target, str) else target.describe()


def need(driver: Driver, verb: str, capability: Capability) -> None:
    """Raises ``Unsupported``, before anything is sent, where the phone does not have what the verb
    needs."""
    name = str(capability.name).lower()
    skips = f'the marker needs=["{name}"] skips the test on such a phone'
    wrong = (
        f"{verb} on {phone_name(driver)}: this phone does not offer {name!r}. Nothing was sent; "
        f"{skips}"
    )
    _need(driver, capability, wrong, name)


def need_to_read(driver: Driver, capability: Capability) -> None:
    """Raises ``Unsupported`` if this cannot be read from the phone, such as its logs."""
    name = str(capability.name)
    _need(driver, capability, f"the {name.lower()} of {phone_name(driver)} cannot be read", name)


def _need(driver: Driver, capability: Capability, wrong: str, name: str) -> None:
    if capability not in driver.capabilities:
        raise Unsupported(
            wrong, capability=name, device=driver.uri, advice=INSTEAD.get(capability, "")
        )
