"""A crash report of iOS as values: the JSON of ``.ips``, and the text of ``.crash`` before it. Pure.

Both may be cut off, of another version, or about another thing: whatever is not there is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .frames import LONGEST_MESSAGE, LONGEST_TOLD, StackFrame, Told

MOST_FRAMES = 200
_WATCHDOG = "8badf00d"
_UNCAUGHT = re.compile(
    r"uncaught exception '(?P<name>[^']+)'(?:, reason: '(?P<reason>.*?)')?\s*(?:$|\n|terminating)", re.DOTALL
)
_SIGNAL = re.compile(r"\bSIG[A-Z]{2,8}\b")
_FIELD = re.compile(r"(?P<name>[A-Z][\w/ ]+?): +(?P<value>\S.*)")
_PROCESS = re.compile(r"(?P<name>.+?) \[(?P<pid>\d{1,10})\]")
_FRAME = re.compile(
    r"\d+ +(?P<image>\S.*?)\s+0x[0-9a-f]+ (?P<where>.+?)(?: \+ \d+)?"
    r"(?: \((?P<file>[^():]+):(?P<line>\d{1,9})\))?\s*"
)


@dataclass(frozen=True)
class Report:
    """What one report says. ``kind`` is "exception" for what was thrown, "died" for what the system ended."""

    kind: str
    app: str
    pid: int
    time: str
    told: Told
    thread: str = ""


@dataclass(frozen=True)
class _Facts:
    """Of either form: what it says of why, and where."""

    signal: str
    subtype: str
    ended: str  # why the system says that it is over
    said: str  # by the app and its libraries
    stack: Sequence[tuple[StackFrame, bool]]  # the innermost first, and whether it is the app's own
    name: str = ""  # of the exception, where the report has it apart
    reason: str = ""


def read_ips(head: Mapping[str, Any], body: Mapping[str, Any]) -> Report:
    bundle = _dict(body.get("bundleInfo"))
    app = _text(head.get("bundleID")) or _text(bundle.get("CFBundleIdentifier")) or _text(body.get("procName"))
    app = app or _text(head.get("app_name")) or _text(head.get("name"))
    died = _dict(body.get("exception"))
    ended = _dict(body.get("termination"))
    thrown = _dict(body.get("exceptionReason"))
    threads = [_dict(one) for one in _list(body.get("threads"))]
    thread = next((one for one in threads if one.get("triggered") is True), {})
    stack = _list(body.get("lastExceptionBacktrace")) or _list(thread.get("frames"))
    images = [_dict(one) for one in _list(body.get("usedImages"))]
    facts = _Facts(
        signal=_text(died.get("signal")) or _text(died.get("type")),
        subtype=_text(died.get("subtype")),
        ended=_ended(ended),
        said="\n".join(_text(line) for lines in _dict(body.get("asi")).values() for line in _list(lines)),
        stack=[_ips_frame(_dict(one), images) for one in stack[:MOST_FRAMES]],
        name=_text(thrown.get("name")),
        reason=_text(thrown.get("composed_message")),
    )
    time = _text(body.get("captureTime")) or _text(head.get("timestamp"))
    return _report(
        app, _number(body.get("pid")), time, facts, _text(thread.get("name")) or _text(thread.get("queue"))
    )


def read_crash_text(lines: Sequence[str]) -> Report:
    """``lines`` are those of one ``.crash`` file."""
    fields = {
        found["name"]: found["value"].strip() for line in lines if (found := _FIELD.fullmatch(line.rstrip()))
    }
    process = _PROCESS.match(fields.get("Process", ""))
    name = process["name"] if process else fields.get("Process", "")
    crashed = next((at for at, line in enumerate(lines) if re.match(r"Thread \d+ Crashed", line)), len(lines))
    thrown = next((at for at, line in enumerate(lines) if line.startswith("Last Exception Backtrace:")), crashed)
    about = next((at for at, line in enumerate(lines) if line.startswith("Application Specific Info")), len(lines))
    kind = fields.get("Exception Type", "")
    signal = _SIGNAL.search(kind)
    facts = _Facts(
        signal=signal[0] if signal else kind.partition(" ")[0],
        subtype=fields.get("Exception Subtype", ""),
        ended=fields.get("Termination Reason", "") or fields.get("Termination Description", ""),
        said="\n".join(_paragraph(lines[about + 1 :])),
        stack=[_text_frame(line, name) for line in _paragraph(lines[thrown + 1 :]) if _FRAME.fullmatch(line)],
    )
    thread = next((line.partition("name:")[2].strip() for line in lines[max(0, crashed - 1) : crashed]), "")
    app = fields.get("Identifier", "") or name
    pid = int(process["pid"]) if process else 0
    return _report(app, pid, fields.get("Date/Time", ""), facts, thread)


def _report(app: str, pid: int, time: str, facts: _Facts, thread: str) -> Report:
    """What was thrown says more than the signal by which it ended, and why the system ended it more than both."""
    uncaught = _UNCAUGHT.search(facts.said)
    name = facts.name or (uncaught["name"] if uncaught else "")
    reason = facts.reason or ((uncaught["reason"] or "") if uncaught else "")
    killed = _WATCHDOG in facts.ended.lower() or "SPRINGBOARD" in facts.ended or "RUNNINGBOARD" in facts.ended
    kind = "died" if killed else "exception" if name else "native"
    message = reason or (facts.ended if killed else facts.said.strip() or facts.subtype or facts.ended)
    frames = tuple(frame for frame, _ in facts.stack)
    own = next((frame for frame, is_own in facts.stack if is_own), None)
    shown = own or next(iter(frames), None)
    what = "ended by the system" if killed else name or facts.signal or "crashed"
    first = message.partition("\n")[0].strip()[:LONGEST_MESSAGE]
    summary = f"{what}: {first}" if first else what
    told = Told(
        f"{summary} ({shown.place or shown.where})" if shown else summary,
        f"{what} at {shown.where}" if shown else what,
        name,
        message[:LONGEST_TOLD],
        (),
        own,
        frames,
        facts.signal,
        facts.subtype,
    )
    return Report(kind, app, pid, time, told, thread)


def _ended(ended: Mapping[str, Any]) -> str:
    """Namespace, code and reasons, in words: the watchdog is known by its code."""
    code = _number(ended.get("code"))
    words = [_text(ended.get("namespace")), f"{code:#x}" if code else "", _text(ended.get("indicator"))]
    reasons = [_text(one) for one in _list(ended.get("reasons"))]
    return " ".join(filter(None, [*words, *reasons]))


def _ips_frame(told: Mapping[str, Any], images: Sequence[Mapping[str, Any]]) -> tuple[StackFrame, bool]:
    index = _number(told.get("imageIndex"), -1)
    image = images[index] if 0 <= index < len(images) else {}
    name, path = _text(image.get("name")), _text(image.get("path"))
    where = _text(told.get("symbol")) or f"{name or '?'} + {_number(told.get('imageOffset'))}"
    file, line = _text(told.get("sourceFile")), _number(told.get("sourceLine"))
    frame = StackFrame(where, file, line) if file and line else StackFrame(where, file or name)
    return frame, ".app/" in path and not path.startswith("/System/")


def _text_frame(line: str, app: str) -> tuple[StackFrame, bool]:
    found = _FRAME.fullmatch(line)
    assert found is not None
    image, where = found["image"].strip(), found["where"].strip()
    frame = StackFrame(where, found["file"], int(found["line"])) if found["file"] else StackFrame(where, image)
    return frame, image in (app, f"{app}.debug.dylib")


def _paragraph(lines: Iterable[str]) -> list[str]:
    """Up to the first empty one."""
    found: list[str] = []
    for line in lines:
        if not line.strip() or len(found) >= MOST_FRAMES:
            break
        found.append(line)
    return found


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object, otherwise: int = 0) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
