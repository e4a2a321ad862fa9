"""Deaths of apps, read from the device log: uncaught exceptions, fatal signals, apps that stopped answering, and
processes that were gone all at once. What an app caught itself and wrote down is none of these, nor is the end of
an app that the system or a user ended on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ..logcat import LogText, read_log
from .crash_blocks import DIED, FATAL, TOMBSTONE, WHOSE, Block, CrashKind, find_blocks
from .frames import LONGEST_MESSAGE, LONGEST_TOLD, Cause, StackFrame, Told
from .stack_trace import read_stack_trace
from .tombstone import read_tombstone

_REASON = re.compile(r"Reason: (.*)")
_IN_THREAD = re.compile(r" in tid \d+ \((?P<thread>.{0,200}?)\), pid ")


@dataclass(frozen=True)
class Crash:
    """``kind`` is "java", "native", "anr" or "died" (gone without a word of why); on an iPhone, where its driver
    tells of crashes, "exception", "native" or "died". ``time`` as the phone printed it; ``pid`` is 0 where the log
    does not say. ``summary`` is for people, the ``signature`` the same whenever the same thing happens again.
    ``lines`` are raw.

    ``exception`` is the class of what was thrown and nobody caught, with its ``message`` and its ``frames``, the
    innermost first; ``causes`` are why, outermost first, each with ``exception``, ``message`` and ``frames``. A
    native crash has a ``signal`` and its ``code``; the ``message`` then is why it was aborted, and of an app that
    did not answer why. ``frame`` is where it came up in the app's own code, at the root: ``where`` (class and
    method), ``file`` and ``line``; None where the stack shows nothing but the platform. What is not told is empty.
    """

    kind: CrashKind
    app: str
    pid: int
    time: str
    summary: str
    signature: str
    lines: tuple[str, ...]
    exception: str = ""
    message: str = ""
    causes: tuple[Cause, ...] = ()
    frame: StackFrame | None = None
    frames: tuple[StackFrame, ...] = ()
    signal: str = ""
    code: str = ""
    thread: str = ""

    def is_of(self, app: str) -> bool:
        """Whether it is the app's, or that of a further process of the app."""
        return self.app == app or self.app.startswith(f"{app}:")


def read_crashes(lines: Iterable[str] | str | bytes) -> list[Crash]:
    """In the order of the log; ``lines`` are raw, as ``logcat`` prints them in a format that tells the time."""
    log = read_log(lines)
    return [_crash(block, log) for block in find_blocks(log.lines)]


def crash_of(
    kind: CrashKind, app: str, pid: int, time: str, told: Told, lines: tuple[str, ...], thread: str = ""
) -> Crash:
    return Crash(
        kind,
        app,
        pid,
        time,
        told.summary,
        told.signature,
        lines,
        told.exception,
        told.message,
        told.causes,
        told.frame,
        told.frames,
        told.signal,
        told.code,
        thread,
    )


def _crash(block: Block, log: LogText) -> Crash:
    messages = [line for at in block.entries for line in log.lines[at].message.split("\n")]
    lines = tuple(log.raw(at) for at in block.entries)
    told = _told(block, messages)
    return crash_of(
        block.kind, block.app, block.pid, log.lines[block.entries[0]].time, told, lines, _thread(messages)
    )


def _told(block: Block, messages: list[str]) -> Told:
    if block.kind == "java":
        head = next((index for index, line in enumerate(messages[:3]) if WHOSE.fullmatch(line.strip())), 0)
        return read_stack_trace(messages[head + 1 :], block.app)
    if block.kind == "native":
        return read_tombstone(messages)
    if block.kind == "anr":
        reason = next((found[1].strip() for line in messages if (found := _REASON.match(line))), "")
        summary = f"does not answer: {reason[:LONGEST_MESSAGE]}" if reason else "does not answer"
        signature = f"anr {reason.partition('(')[0].strip()}".strip()
        return Told(summary, signature, message=reason[:LONGEST_TOLD])
    state = DIED.match(messages[0])
    shown = state["state"].strip() if state and state["state"] else ""
    return Told(f"its process was gone ({shown})" if shown else "its process was gone", "died", message=shown)


def _thread(messages: list[str]) -> str:
    found = FATAL.match(messages[0])
    for line in messages if found is None else ():
        found = TOMBSTONE.match(line) or _IN_THREAD.search(line)
        if found:
            break
    return found["thread"].strip() if found else ""
