"""The stack of a death in a few lines: what was thrown, why, and where in the app; the whole of it is attached."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...logs import Cause
from ...model import one_line
from .deaths import LONGEST

if TYPE_CHECKING:
    from ...logs import Crash, StackFrame

_MOST_THROWN = 4
_MOST_FRAMES = 2  # of each that was thrown, beside the app's own
_MOST_NATIVE = 6
_MOST_LINES = 8
_DEEPEST = 8  # blanks before a line


def told_stack(crash: Crash) -> list[str]:
    """Text of apps in it is on one line each, and bounded."""
    if crash.exception:
        lines = list(_thrown(crash))
    elif crash.frames:
        code = f" ({crash.code})" if crash.code else ""
        lines = [f"{crash.signal or 'crashed'}{code} in thread {crash.thread or '?'}"]
        lines += [f"    #{at} {frame}" for at, frame in enumerate(crash.frames[:_MOST_NATIVE])]
    else:
        lines = [line for entry in crash.lines for line in entry.split("\n")]
        if len(lines) > _MOST_LINES:
            lines[_MOST_LINES:] = [f"… and {len(lines) - _MOST_LINES} more lines"]
    return [_indented(line) for line in lines]


def _thrown(crash: Crash) -> Iterator[str]:
    """Outermost first, as the platform prints them; of very many the first one and the roots."""
    yield f"FATAL EXCEPTION: {crash.thread or '?'}"
    thrown = [Cause(crash.exception, crash.message, crash.frames), *crash.causes]
    left_out = max(0, len(thrown) - _MOST_THROWN)
    for at, one in enumerate(thrown):
        if 0 < at <= left_out:
            continue
        if at == left_out + 1 and left_out:
            yield f"… and {left_out} more between"
        first, _, more = str(one).partition("\n")
        yield f"{'Caused by: ' if at else ''}{first}{' …' if more else ''}"
        yield from _stack(one.frames, crash.frame)


def _stack(frames: tuple[StackFrame, ...], own: StackFrame | None) -> Iterator[str]:
    yield from (f"    at {frame}" for frame in frames[:_MOST_FRAMES])
    if own is not None and own in frames[_MOST_FRAMES:]:
        if frames.index(own) > _MOST_FRAMES:
            yield "    …"
        yield f"    at {own}"


def _indented(line: str) -> str:
    bare = line.lstrip(" ")
    return " " * min(len(line) - len(bare), _DEEPEST) + one_line(bare, LONGEST)
