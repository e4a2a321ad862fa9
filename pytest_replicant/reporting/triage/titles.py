"""How a cause is told in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...model import one_line, quoted, shortened

if TYPE_CHECKING:
    from .cause import Cause

LONGEST = 200
_DOING = re.compile(r"^.*? on the phone: ")
_MOST_NAMED = 3
_THROWN = re.compile(r"(?:[\w$]+\.)*(?P<kind>[\w$]+) at (?P<where>.*)")
_PHONE = {
    "DeviceOffline": "The phone went offline",
    "DeviceTimeout": "The phone did not answer in time",
    "DeviceNotFound": "No phone was found",
    "DeviceBusy": "The phone was in use",
    "ProtocolError": "The phone's answer could not be used",
    "Unsupported": "The phone cannot do this",
}


def title_of(key: tuple[str, ...], causes: Sequence[Cause]) -> str:
    """``causes`` are those of all failures that the key stands for, at least one."""
    told = _TITLES.get(key[0], _other)(causes)
    return shortened(one_line(told, LONGEST), LONGEST)  # what cannot be seen is told in several signs


def _crash(causes: Sequence[Cause]) -> str:
    cause = causes[0]
    thrown = _THROWN.fullmatch(cause.crash)
    where = thrown["where"].removeprefix(f"{cause.app}.") if thrown else ""
    told = f"{thrown['kind']} at {where}" if thrown else cause.crash
    return f"{cause.app or 'the app'} died: {told}"


def _device(causes: Sequence[Cause]) -> str:
    told = _PHONE.get(causes[0].exception, causes[0].exception)
    reason = _DOING.sub("", causes[0].message)
    return f"{told}: {reason}" if reason else told


def _blocker(causes: Sequence[Cause]) -> str:
    name = next((one.blocker for one in causes if one.blocker), causes[0].over)
    return f"{name[:1].upper()}{name[1:]} was in the way{_on(causes)}"


def _raised(causes: Sequence[Cause]) -> str:
    cause = causes[0]
    at = f" at {cause.source}" if cause.source else ""
    same = len({one.message for one in causes}) == 1
    said = f": {cause.message}" if same and cause.message not in ("", cause.exception) else ""
    return f"{cause.exception or 'failed'}{at}{said}"


def _effect(causes: Sequence[Cause]) -> str:
    return f"{causes[0].after} changed nothing{_on(causes)}"


def _stuck(causes: Sequence[Cause]) -> str:
    wanted = next(one.subject for one in causes if one.trouble == "screen")
    return f"{wanted} did not come up after {causes[0].after}, which stayed{_on(causes)}"


def _look(causes: Sequence[Cause]) -> str:
    names = list(dict.fromkeys(one.subject for one in causes))
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"Screen {quoted(causes[0].screen)} is not what it should be: no {', '.join(names[:_MOST_NAMED])}{more}"


def _screen(causes: Sequence[Cause]) -> str:
    cause = causes[0]
    after = f" after {cause.after}" if cause.after else ""
    return f"{cause.subject} did not come up{after}: {cause.observed or cause.screen}{_code(causes)}"


def _value(causes: Sequence[Cause]) -> str:
    return f"{causes[0].subject} has another value{_on(causes)}: {causes[0].observed}{_code(causes)}"


def _element(told: str) -> Callable[[Sequence[Cause]], str]:
    def title(causes: Sequence[Cause]) -> str:
        return f"{causes[0].subject or causes[0].target} {told}{_on(causes)}{_code(causes)}"

    return title


def _state(causes: Sequence[Cause]) -> str:
    return f"{causes[0].subject}: {causes[0].observed}{_on(causes)}{_code(causes)}"


def _no_change(causes: Sequence[Cause]) -> str:
    return f"{causes[0].after or causes[0].subject} changed nothing{_on(causes)}{_code(causes)}"


def _other(causes: Sequence[Cause]) -> str:
    return causes[0].message or causes[0].exception or causes[0].failure_class


def _on(causes: Sequence[Cause]) -> str:
    screens = {one.screen for one in causes}
    return f" on {quoted(screens.pop())}" if len(screens) == 1 and causes[0].screen else ""


def _code(causes: Sequence[Cause]) -> str:
    codes = [one.failure_code for one in causes if one.failure_code]
    return f" ({max(dict.fromkeys(codes), key=codes.count)})" if codes else ""


_TITLES: dict[str, Callable[[Sequence[Cause]], str]] = {
    "crash": _crash,
    "device": _device,
    "blocker": _blocker,
    "raised": _raised,
    "effect": _effect,
    "stuck": _stuck,
    "look": _look,
    "screen": _screen,
    "value": _value,
    "state": _state,
    "no change": _no_change,
    "missing": _element("not found"),
    "ambiguous": _element("is there several times"),
    "disabled": _element("is disabled"),
    "covered": _element("is covered"),
    "unfit": _element("could not be used"),
    "unexpected": _element("is still there"),
    "count": _element("is not there as often as it should be"),
}
