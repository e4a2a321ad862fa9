"""What system services say of themselves, read: the battery, a package, activities, memory. Pure.

Each of Android's versions words it somewhat differently. What one does not tell is None, or not in the list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

Facts = dict[str, Any]
_BATTERY_HEAD = "Current Battery Service state:"
_NUMBERS = {
    "min_sdk": r"\bminSdk=(\d{1,9})",
    "target_sdk": r"\btargetSdk=(\d{1,9})",
    "uid": r"^    (?:userId|appId)=(\d{1,9})",
}
_TEXTS = {
    "version_name": r"^ +versionName=(.*\S)",
    "first_installed": r"^ +firstInstallTime=(.*\S)",
    "last_updated": r"^ +lastUpdateTime=(.*\S)",
}
_SECTION = r" +(?P<name>requested|declared|install|runtime) permissions:\s*|    +(?P<user>User) (?P<id>\d+):.*"
# An activity by what it is said to be, and the display that the lines from there on are about.
_RECORD = (
    r"^ *(?:(?P<label>\w+)[:=] ?ActivityRecord\{\S+ u\d+ (?P<app>[\w.]+)/(?P<activity>[\w.$]+)"
    r"|Display(?:: mDisplayId=| #)(?P<display>\d+))"
)
_RESUMED = (
    "topResumedActivity",
    "mResumedActivity",
    "Resumed",
)  # of Android 10 and newer, of older ones, of an area
_OVERALL = ("ResumedActivity", "mFocusedActivity")  # said behind all displays, and may be another one's
_HISTORY = r"^[ \t]*\* Hist +#\d+: ActivityRecord\{\S+ u\d+ ([\w.]+)/([\w.$]+)"
_SHOWN = r"^ +ACTIVITY ([\w.]+)/([\w.$]+) \S+ pid=(\d{1,10}|\(not running\))"
_ROW = r" +(?P<name>[A-Za-z.][A-Za-z. -]*?) +(?P<pss>\d{1,12})(?: +\d{1,12})* *"


SCREEN_QUESTION = {
    "power": "dumpsys power | grep mWakefulness=",
    "policy": "dumpsys window policy | grep -iE 'showing|keyguard|lockscreen|secure'",
}
_SHOWING = r"\b(?:showing|mIsShowing|mShowingLockscreen|isStatusBarKeyguard|mKeyguardShowing)=(true|false)\b"
_AWAKE = ("Awake", "Dreaming")


class ScreenState(NamedTuple):
    """Whether the screen is on, the keyguard up, and asks for a PIN or the like; None if not reported."""

    awake: bool | None
    locked: bool | None
    secure: bool | None


def screen_state(said: str) -> ScreenState:
    """Of the answers to ``SCREEN_QUESTION``. The keyguard's name has changed over the versions of Android."""
    showing, power = re.findall(_SHOWING, said), _found(r"mWakefulness=(\w+)", said)
    secure = _found(r"^\s*secure=(true|false)\b", said)
    return ScreenState(
        power in _AWAKE if power else None,
        "true" in showing if showing else None,
        secure == "true" if secure else None,
    )


def battery(said: str) -> Facts | None:
    """Values by name in lower case; temperature in tenths of a degree, voltage in millivolts, as printed."""
    _, head, facts = said.partition(_BATTERY_HEAD)
    found: Facts = {}
    for line in facts.splitlines() if head else ():
        fact = re.fullmatch(r"\s+(?P<name>[A-Za-z][\w ]*): (?P<value>.*\S)\s*", line)
        if fact:
            found.setdefault(fact["name"].strip().lower().replace(" ", "_"), _value(fact["value"]))
    return found if "level" in found else None


def package(said: str, name: str) -> Facts | None:
    """Facts of a package. ``granted`` and ``denied`` are permissions of the first user in the answer."""
    block = _block(said, name)
    version = _found(r"\bversionCode=(\d{1,18})", block)
    if not version:
        return None
    permissions = list(_permissions(block.splitlines()))
    return {
        "package": name,
        "version_code": int(version),
        **{key: _found(pattern, block) for key, pattern in _TEXTS.items()},
        **{key: _number(_found(pattern, block)) for key, pattern in _NUMBERS.items()},
        "flags": (_found(r"^ +(?:pkgFlags|flags)=\[ ?(.*?) ?\]", block) or "").split(),
        "requested": [one for section, one, _ in permissions if section == "requested"],
        "granted": [one for _, one, facts in permissions if "granted=true" in facts],
        "denied": [one for _, one, facts in permissions if "granted=false" in facts],
    }


def resumed_activity(said: str) -> tuple[str, str] | None:
    """App and full name of the activity that is resumed on the phone's own display, in ``dumpsys activity
    activities``. Of several (a split screen, free windows) it is the one with the focus; None if none has."""
    found: dict[str, list[tuple[str, str]]] = {}
    displays, display = set(), "0"
    for record in re.finditer(_RECORD, said, re.MULTILINE):
        label, app = record["label"], record["app"]
        if label is None:
            displays.add(display := record["display"])
        elif display == "0" or label in _OVERALL:
            found.setdefault(label, []).append((app, _full(app, record["activity"])))
    focused = found.get("mFocusedApp", [])
    resumed = next((found[label] for label in _RESUMED if label in found), [])
    overall = [one for label in _OVERALL for one in found.get(label, [])]
    if not resumed:
        resumed = focused if focused or displays - {"0"} else overall
    candidates = [one for one in (*focused, *overall) if one in resumed] if len(set(resumed)) > 1 else resumed
    return candidates[0] if candidates else None


def activities(said: str) -> Facts | None:
    """Activities. ``stack`` holds all open ones, as ``app/activity``, the topmost of each task first."""
    resumed = resumed_activity(said)
    stack = [_component(*found) for found in re.findall(_HISTORY, said, re.MULTILINE)]
    if resumed is None and not stack:
        return None
    return {"resumed": _component(*resumed) if resumed else None, "stack": stack}


def top(said: str) -> Facts | None:
    """Activity in front of each task; one is resumed that says so itself."""
    found = list(re.finditer(_SHOWN, said, re.MULTILINE))
    if not found:
        return None
    ends = [*(match.start() for match in found[1:]), len(said)]
    shown = [
        {
            "activity": _component(match[1], match[2]),
            "pid": _number(match[3]),
            "resumed": "mResumed=true" in said[match.end() : end],
        }
        for match, end in zip(found, ends, strict=True)
    ]
    resumed = [one["activity"] for one in shown if one["resumed"]]
    return {"resumed": resumed[0] if len(resumed) == 1 else None, "activities": shown}


def meminfo(said: str, name: str) -> Facts | None:
    """Memory of the process of that name or pid, in kilobytes; ``pss`` by the use of the memory."""
    processes = list(re.finditer(r"^\*\* MEMINFO in pid (\d{1,10}) \[([^\]\n]+)\] \*\*", said, re.MULTILINE))
    chosen = [at for at, one in enumerate(processes) if name in (one[2], one[1])]
    if len(chosen) != 1:
        return None
    at = chosen[0]
    end = processes[at + 1].start() if at + 1 < len(processes) else len(said)
    text = said[processes[at].end() : end]
    rows = dict(_rows(text.partition("App Summary")[0].splitlines()))
    total = re.search(r"\bTOTAL(?: PSS)?: +(\d{1,12})", text)
    return {
        "pid": int(processes[at][1]),
        "process": processes[at][2],
        "total_pss": int(total[1]) if total else rows.get("TOTAL"),
        "total_rss": _number(_found(r"\bTOTAL RSS: +(\d{1,12})", text)),
        "pss": {row: size for row, size in rows.items() if row != "TOTAL"},
    }


def _rows(lines: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Rows up to the total, which is the last one of the table."""
    for line in lines:
        row = re.fullmatch(_ROW, line)
        if row:
            yield row["name"], int(row["pss"])
            if row["name"] == "TOTAL":
                return


def _block(said: str, name: str) -> str:
    """Section of the package itself, and not of the one that an update hides; "" if it is not there."""
    head = f"\n  Package [{name}] ("
    _, found, rest = f"\n{said}".partition("\nPackages:")
    begins = rest.find(head) if found else -1
    if begins < 0:
        return ""
    lines = rest[begins + 1 :].split("\n")
    count = next((at for at, line in enumerate(lines[1:], 1) if line.strip() and line[:3] != "   "), len(lines))
    return "\n".join(lines[:count])


def _permissions(lines: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Section, name and value."""
    section, user = "", ""
    for line in lines:
        head = re.fullmatch(_SECTION, line)
        if head:
            section = head["name"] or ""
            if head["user"] and user not in ("", head["id"]):
                return
            user = head["id"] or user
            continue
        found = re.fullmatch(r" +(?P<name>\w+\.[\w.]+)(?:: (?P<facts>.*))?\s*", line) if section else None
        if found:
            yield section, found["name"], found["facts"] or ""
        else:
            section = ""


def _found(pattern: str, text: str) -> str | None:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d{1,18}", text, re.ASCII) else text


def _full(app: str, activity: str) -> str:
    return app + activity if activity.startswith(".") else activity


def _component(app: str, activity: str) -> str:
    return f"{app}/{_full(app, activity)}"
