"""What ``am``, ``cmd package`` and ``dumpsys activity`` say, read. Pure."""

from __future__ import annotations

import re

from ...errors import UsageError
from ...logs import resumed_activity
from ..base import AppInFront

_ACTIVITY_NAME = re.compile(r"[A-Za-z_.$][\w.$]*")
_COMPONENT = re.compile(r"^\s*([\w.]+)/([\w.$]+)\s*$", re.MULTILINE)
_REFUSED = re.compile(r"^(?:Error|Exception|Security exception|java\.lang\.\w+)\b[^\n]*", re.MULTILINE)
_TOO_LITTLE = re.compile(r"Error type \d+|Exception occurred while executing.*")


def component(app: str, activity: str) -> str:
    """``app/activity`` as ``am start -n`` takes it; ``Main``, ``.Main`` and a full name all do. Raises
    ``UsageError`` for what can be no activity's name."""
    if not _ACTIVITY_NAME.fullmatch(activity):
        raise UsageError(
            f'activity={activity!r} is no activity\'s name; give one such as ".MainActivity". Nothing was started.'
        )
    return f"{app}/{activity if '.' in activity else '.' + activity}"


def launcher_component(app: str, said: str) -> str:
    """The answer of ``cmd package resolve-activity --brief``; "" where there is none of this app. Where it
    has several launcher activities, Android names its own chooser, which is none of the app either."""
    for package, activity in reversed(_COMPONENT.findall(said)):
        return f"{package}/{activity}" if package == app else ""
    return ""


def refusal(said: str) -> str:
    """Why ``am start`` started nothing; "" where it did. Its exit code says so only on newer phones."""
    lines: list[str] = _REFUSED.findall(said)
    telling = [line for line in lines if not _TOO_LITTLE.fullmatch(line)] or lines
    return telling[0][:300] if telling else ""


def in_front(said: str) -> AppInFront | None:
    """The resumed activity in ``dumpsys activity activities``, by its full name."""
    found = resumed_activity(said)
    return AppInFront(*found) if found else None
