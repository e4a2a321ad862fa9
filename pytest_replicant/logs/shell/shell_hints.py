"""Why a command on the phone failed, and what to do next, for the failures that everybody meets. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .shell_output import known_words

# They may fail with exit code 0, or say why on standard output.
_TOOLS = frozenset(("am", "pm", "cmd", "dumpsys", "settings", "svc", "wm", "monkey", "service", "ime", "input"))
_COMPLAINT = re.compile(
    r"\s*(?:Error|Exception|Failure|Failed\b|Security ?exception|java\.|android\.|Can't |Unable |Unknown |No |"
    r"cmd: |INSTRU)",
    re.IGNORECASE,
)
_LONGEST = 20_000  # characters of an output that are looked at


class _Hint(NamedTuple):
    """``told`` may name what the pattern has found; ``code`` is the exit code by which it is known as well."""

    pattern: re.Pattern[str]
    told: str
    code: int = -1


def _hint(pattern: str, told: str, code: int = -1) -> _Hint:
    return _Hint(re.compile(pattern, re.IGNORECASE | re.MULTILINE), told, code)


_WORD = r"[\w./:$@%+-]{1,200}"
_HINTS = (
    _hint(
        rf"(?:^|: )(?P<what>{_WORD}): (?:inaccessible or not found|(?:command )?not found)\s*$",
        "{what} is no command of this phone: `which {what}` says where one is, `toybox` lists what there is",
    ),
    _hint(r"(?!)", "the phone has no command of that name: `toybox` lists what there is", 127),
    _hint(
        r"run-as: (?:package not debuggable|Package '[^'\n]*' is not debuggable)",
        "run-as works for debuggable builds only: install a debug build of the app",
    ),
    _hint(
        rf"Activity class \{{(?P<what>{_WORD})\}} does not exist",
        "no activity {what}: `cmd package resolve-activity --brief PACKAGE` shows the one that a launcher starts, "
        "`pm list packages` whether the app is installed",
    ),
    _hint(
        rf"(?:unknown package:?|unable to find package:|no such package:?) '?(?P<what>{_WORD})",
        "{what} is not installed for this user: `pm list packages` shows all that are",
    ),
    _hint(
        r"unable to resolve Intent|No activities? found",
        "no app takes this intent: look at action, data and -p; `cmd package query-activities` shows who would",
    ),
    _hint(
        rf"Can't find service:? (?P<what>{_WORD})",
        "there is no service {what}: `service list` shows all; while the phone starts, wait for "
        "`getprop sys.boot_completed` to be 1",
    ),
    _hint(
        r"INSTRUMENTATION_FAILED|Unable to find instrumentation info",
        "the test package is not installed or names another runner: `pm list instrumentation` shows all",
    ),
    _hint(
        r"Security ?exception|Permission Denial|requires android\.permission\.",
        "the shell user may not do this; some makers allow it once 'USB debugging (Security settings)' is on in "
        "the developer options; what needs root works on an emulator without Google Play after `adb root`",
    ),
    _hint(
        r"Read-only file system",
        "this part of the phone is not written to: use /data/local/tmp, or /sdcard for what apps should read",
    ),
    _hint(
        r"No space left on device|not enough space|INSUFFICIENT_STORAGE",
        "the phone is full: `df -h /data` shows how far, `pm trim-caches 2G` empties caches; remove apps or files",
    ),
    _hint(
        r"(?<!exception: )Permission denied|Operation not permitted",
        "the shell user may not: files of a debuggable app are reached by `run-as PACKAGE`, others after "
        "`adb root` where the phone allows it",
    ),
    _hint(
        r"No such process|is not running|no process found|not running\b",
        "what it is about does not run: `pidof NAME` and `ps -A` show what does; start it first",
    ),
    _hint(r"^Failed\s*$", "it gives no reason: `pm list packages` shows whether the app is installed at all"),
    _hint(r"No such file or directory", "look at `ls` of the folder above; a relative path begins at /"),
    _hint(
        r"(?!)", "it could not be executed: `chmod +x` it, below /data/local/tmp; on /sdcard nothing can be", 126
    ),
    _hint(
        r"^Killed\s*$",
        "it was killed: by the phone for want of memory (`logcat -d -s lowmemorykiller`), or because another "
        "program holds what it needs, as one that dumps the screen does",
        137,
    ),
    _hint(r"^Segmentation fault\s*$", "it crashed: `logcat -d -b crash` has its stack", 139),
    _hint(r"^Aborted\s*$", "it aborted: `logcat -d -b crash` says why", 134),
    _hint(
        r"(?!)",
        "255 is what adb says where the connection ended, and what some tools say for wrong arguments: look at "
        "what was printed, and whether `adb devices` still lists the phone",
        255,
    ),
)


def hints(command: str | Sequence[str], stdout: str, stderr: str, exit_code: int) -> tuple[str, ...]:
    """One for each thing that went wrong and is known, each with the next step; none for what went well, whatever
    it printed."""
    said = stderr[:_LONGEST]
    if exit_code != 0:
        said = f"{said}\n{stdout[:_LONGEST]}"
    elif _is_tool(command):
        lines = [line for line in stdout[:_LONGEST].splitlines() if _COMPLAINT.match(line)]
        said = "\n".join([said, *lines])
    if exit_code == 0 and not said.strip():
        return ()
    return tuple(dict.fromkeys(_known(said, exit_code)))


def _known(said: str, exit_code: int) -> Iterator[str]:
    """By what was said; by the exit code alone only where nothing of what was said is known."""
    by_words = [(hint, found) for hint in _HINTS if (found := hint.pattern.search(said))]
    for hint, found in by_words:
        yield hint.told.format(what=found.groupdict().get("what") or "")
    if not by_words:
        yield from (hint.told for hint in _HINTS if hint.code == exit_code)


def _is_tool(command: str | Sequence[str]) -> bool:
    """Whether it is one whose standard output is its own words, and not an app's."""
    words = known_words(command)
    if not words or words[0] not in _TOOLS:
        return False
    return words[0] != "dumpsys" and words[:2] not in (("settings", "get"), ("settings", "list"))
