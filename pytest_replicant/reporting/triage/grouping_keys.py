"""What two failures of one cause have in common, as keys that can be compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .alike import masked

if TYPE_CHECKING:
    from .cause import Cause

Key = tuple[str, ...]
"""The first part says what kind of likeness it is."""

_BLOCKABLE = frozenset(
    {"missing", "screen", "covered", "unfit", "disabled", "count", "no change", "state", "value", "ambiguous"}
)
"""Trouble that a window over the app may make."""
_ABSENCE = frozenset({"missing", "screen", "count"})
"""Trouble that a screen which is not what it should be makes, whatever was looked for on it."""
_EFFECTLESS = _ABSENCE | {"unexpected", "no change", "state", "value"}
_TOUCHES = ("tap ", "double_tap ", "long_press ", "press_key ", "drag ", "select ", "adjust ", "back")
"""Actions of which something is to be seen."""
_STATE = re.compile(r"\b(\w+)=")
_REASON = re.compile(r"^.*? on the phone: ")


def own_key(cause: Cause) -> Key:
    """By itself; the first that applies."""
    if cause.crash:
        return ("crash", cause.app, cause.crash)
    if cause.failure_class == "DeviceError":
        return ("device", cause.exception, masked(_REASON.sub("", cause.message)))
    if cause.blocker and cause.trouble in _BLOCKABLE:
        return ("blocker", masked(cause.blocker))
    if not cause.trouble or cause.trouble == "raised":
        return ("raised", cause.exception, cause.source or masked(cause.message))
    screen = cause.screen_key or cause.screen
    if cause.trouble == "no change":
        return (cause.trouble, screen, cause.subject or cause.after)
    if cause.trouble == "state":
        return (cause.trouble, screen, cause.subject, " ".join(sorted(set(_STATE.findall(cause.observed)))))
    return (cause.trouble, screen, cause.subject)


def effect_key(cause: Cause) -> Key | None:
    """An action that changed nothing, after which something was not as it should be."""
    if cause.effect != "none" or cause.trouble not in _EFFECTLESS or not cause.after.startswith(_TOUCHES):
        return None
    return ("effect", cause.screen_key, masked(cause.after))


def stuck_key(cause: Cause) -> Key | None:
    """An action after which the app was still where it had been."""
    if cause.trouble not in _ABSENCE | {"unexpected"} or not cause.effect or not cause.after.startswith(_TOUCHES):
        return None
    return ("stuck", cause.screen_key, masked(cause.after))


def look_key(cause: Cause) -> Key | None:
    """A screen from which something is missing."""
    return ("look", cause.look) if cause.trouble in _ABSENCE and cause.look else None
