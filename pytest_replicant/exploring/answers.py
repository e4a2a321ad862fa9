"""What a session answers, in as few words as an agent can work with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import one_line
from ..reporting.printable import counted, left_out, printable
from ..snapshots import Snapshot
from .steps import Batch, StepFailure, StepResult

MAX_CHARS = 2_000
"""Of a screen, unless all of it is asked for."""
_WIDE = 160
_MOST_CANDIDATES = 4
_MOST_LINES = 6


def screen_text(screen: Snapshot, *, everything: bool = False, within: str = "") -> str:
    """The outline. ``everything`` lists covered elements and those further on as well, without a
    limit."""
    part = None
    if within:
        part = (
            within
            if any(one.ref == within for one in (*screen.elements, *screen.headings))
            else None
        )
        if part is None:
            part = screen.ref(text=within)
    return screen.outline(full=everything, within=part, max_chars=None if everything else MAX_CHARS)


def changes(before: Snapshot | None, after: Snapshot, toasts: Sequence[str]) -> str:
    """The outline if the screen is another one than was printed last, else what differs."""
    said = [f'* toast "{printable(toast, 80)}"' for toast in toasts]
    if before is None or (before.app, before.screen, before.dialog) != (
        after.app,
        after.screen,
        after.dialog,
    ):
        return "\n".join([*said, screen_text(after)])
    lines = [line for line in str(after.diff(before)).splitlines() if not line.startswith("* ")]
    if any(line.startswith("+ …") for line in lines):  # one of them may be needed next
        return "\n".join([lines[0], *said, screen_text(after)])
    head = f"{after.screen or after.app}: no change" if lines[0] == "no change" else lines[0]
    return _cut("\n".join([head, *said, *lines[1:]]))


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    lines = text.splitlines()
    kept = text[: MAX_CHARS - 40].splitlines()[:-1] or lines[:1]
    left = len(lines) - len(kept)
    return "\n".join([*kept, f"… and {counted(left, 'more line')}: look --all"] if left else kept)


def batch_text(batch: Batch, *, changed: str = "") -> str:
    """The steps, what the screen shows, and the checks that the last one suggests."""
    lines = list(steps_of(batch.results))
    if changed:
        lines.append(changed)
    if batch.proposed:
        lines.append("   ".join(f"{id} {code}" for id, code in batch.proposed.items()))
    return "\n".join(lines)


def checks_text(results: Sequence[StepResult]) -> str:
    """What became of checks: those that hold, and why one does not."""
    lines = [line for one in results for line in one.checks]
    for one in results:
        if one.failure is not None:
            lines += failure_lines(one, one.failure)
    return "\n".join(lines)


def steps_of(results: Sequence[StepResult]) -> Iterator[str]:
    """A line for each that has something to say, the others on one line."""
    fine: list[str] = []
    for result in results:
        if result.state == "ok":
            same = f"mobile.{result.given.removeprefix('mobile.')}".startswith(result.code)
            fine.append(f"{result.number} ok")
            if not same or result.recoveries or result.checks or result.dialogs or result.warnings:
                yield "  ".join([*fine, *([] if same else [result.code])])
                fine = []
                yield from (f"  recovery: {printable(one, _WIDE)}" for one in result.recoveries)
                yield from (
                    f'  dialog came and went: "{printable(one, 80)}"'
                    for one in result.dialogs
                    if one
                )
                yield from (f"  {printable(one, _WIDE)}" for one in result.checks)
                yield from (f"  locator: {printable(one, _WIDE)}" for one in result.warnings)
            continue
        if fine:
            yield "  ".join(fine)
            fine = []
        if result.failure is not None:
            left = sum(one.state == "not tried" for one in results)
            yield from failure_lines(result, result.failure, left)
    if fine:
        yield "  ".join(fine)


def failure_lines(result: StepResult, failure: StepFailure, left: int = 0) -> Iterator[str]:
    """Why, what was sent, what was recorded, and what comes next."""
    what = "check FAILED" if failure.is_check else "FAILED"
    sent = "nothing sent, nothing recorded"
    if failure.kept:
        sent = "the action was done and is recorded"
    elif failure.is_check:
        sent = "nothing recorded"
    elif failure.sent:
        sent = "it may have had an effect, nothing recorded"
    not_tried = f"; {counted(left, 'later step')} not tried" if left else ""
    number = f"{result.number} " if result.number else ""
    yield f"{number}{what} {failure.code}, {sent}{not_tried}"
    if failure.candidates:
        shown = "   ".join(printable(one, 60) for one in failure.candidates[:_MOST_CANDIDATES])
        more = len(failure.candidates) - _MOST_CANDIDATES
        yield f"  {shown}{f'   +{more}' if more > 0 else ''}"
    else:
        yield from (f"  {printable(line.strip(), _WIDE)}" for line in failure.lines[:_MOST_LINES])
        yield from (f"  … {more}" for more in left_out(failure.lines, _MOST_LINES, "line"))
    if failure.advice:
        yield f"  Next: {one_line(failure.advice, 2 * _WIDE)}"


def rewound_text(rewound: Batch, differs: Sequence[str], screen: Snapshot | None, how: str) -> str:
    """What was done again, which checks hold, and what differs from the first time."""
    failed = rewound.failed
    done = sum(one.state == "ok" for one in rewound.results)
    checks = [text.partition(" ")[0] for one in rewound.results for text in one.checks]
    held = (
        f", {'checks' if len(checks) > 1 else 'check'} {', '.join(checks)} "
        f"hold{'' if len(checks) > 1 else 's'}"
    )
    again = (
        f", steps 1 to {done} run again: ok"
        if done > 1
        else ", step 1 run again: ok"
        if done
        else ""
    )
    head = f"{how}{again}{held if checks else ''}"
    if failed is not None and failed.failure is not None:
        left = sum(one.state == "not tried" for one in rewound.results)
        return "\n".join([f"{head}; then:", *failure_lines(failed, failed.failure, left)])
    name = f" ({screen.screen})" if screen is not None and screen.screen else ""
    if not differs:
        return f"{head}, same screen{name}" if rewound.results else f"{head}{name}"
    return "\n".join([f"{head}; another screen than before{name}:", *differs[: 2 * _MOST_LINES]])
