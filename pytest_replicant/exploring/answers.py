"""What a session answers, in as few words as an agent can work with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Strings, one_line
from ..model.printable import counted, left_out, printable
from ..snapshots import Snapshot
from .steps import Batch, StepResult

MAX_CHARS = 2_000
"""Of a screen, unless all of it is asked for."""
_WIDE = 160
_MOST_CANDIDATES = 4
_MOST_LINES = 6


def screen_text(screen: Snapshot, everything: bool = False, within: str = "") -> str:
    """The outline. ``everything`` lists covered elements and those further on as well, without a
    limit."""
    if within and not any(one.ref == within for one in screen.printed):
        within = screen.ref(text=within)
    most = None if everything else MAX_CHARS
    return screen.outline(full=everything, within=within or None, max_chars=most)


def changes(before: Snapshot | None, after: Snapshot, toasts: Sequence[str]) -> str:
    """The outline if the screen is another one than was printed last, else what differs."""
    said = [f'* toast "{printable(toast, 80)}"' for toast in toasts]
    if not before or _place(before) != _place(after):
        return "\n".join([*said, screen_text(after)])
    head, *lines = str(after.diff(before)).splitlines()
    lines = [line for line in lines if not line.startswith("* ")]
    if any(line.startswith("+ …") for line in lines):  # one of them may be needed next
        return "\n".join([head, *said, screen_text(after)])
    if head == "no change":
        head = f"{after.screen or after.app}: no change"
    return _cut("\n".join([head, *said, *lines]))


def _place(screen: Snapshot) -> Strings:
    return screen.app, screen.screen, screen.dialog or ""


def _cut(text: str) -> str:
    if len(text) <= MAX_CHARS:
        return text
    lines = text.splitlines()
    kept = text[: MAX_CHARS - 40].splitlines()[:-1] or lines[:1]
    if left := len(lines) - len(kept):
        kept.append(f"… and {counted(left, 'more line')}: look --all")
    return "\n".join(kept)


def batch_text(batch: Batch, changed: str = "") -> str:
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
        lines += failure_lines(one, results)
    return "\n".join(lines)


def steps_of(results: Sequence[StepResult]) -> Iterator[str]:
    """A line for each that has something to say, the others on one line."""
    fine: list[str] = []
    for result in results:
        if result.state == "ok":
            same = f"mobile.{result.given.removeprefix('mobile.')}".startswith(result.code)
            fine.append(f"{result.number} ok")
            if not same or result.recoveries or result.checks or result.dialogs or result.warnings:
                if not same:
                    fine.append(result.code)
                yield "  ".join(fine)
                fine = []
                for one in result.recoveries:
                    yield f"  recovery: {printable(one, _WIDE)}"
                for one in filter(None, result.dialogs):
                    yield f'  dialog came and went: "{printable(one, 80)}"'
                for one in result.checks:
                    yield f"  {printable(one, _WIDE)}"
                for one in result.warnings:
                    yield f"  locator: {printable(one, _WIDE)}"
            continue
        if fine:
            yield "  ".join(fine)
            fine = []
        yield from failure_lines(result, results)
    if fine:
        yield "  ".join(fine)


def failure_lines(result: StepResult, results: Sequence[StepResult]) -> Iterator[str]:
    """Why, what was sent, what was recorded, and what comes next; nothing if it did not fail.
    ``results`` are those of all steps."""
    failure = result.failure
    if not failure:
        return
    left = sum(one.state == "not tried" for one in results)
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
        if more > 0:
            shown += f"   +{more}"
        yield f"  {shown}"
    else:
        for line in failure.lines[:_MOST_LINES]:
            yield f"  {printable(line.strip(), _WIDE)}"
        for line in left_out(failure.lines, _MOST_LINES, "line"):
            yield f"  … {line}"
    if failure.advice:
        yield f"  Next: {one_line(failure.advice, 2 * _WIDE)}"


def rewound_text(rewound: Batch, differs: Sequence[str], screen: Snapshot | None, how: str) -> str:
    """What was done again, which checks hold, and what differs from the first time."""
    results, head = rewound.results, how
    done = sum(one.state == "ok" for one in results)
    checks = [text.partition(" ")[0] for one in results for text in one.checks]
    if done > 1:
        head += f", steps 1 to {done} run again: ok"
    elif done:
        head += ", step 1 run again: ok"
    if len(checks) > 1:
        head += f", checks {', '.join(checks)} hold"
    elif checks:
        head += f", check {checks[0]} holds"
    if rewound.failed:
        return "\n".join([f"{head}; then:", *failure_lines(results[-1], results)])
    name = f" ({screen.screen})" if screen and screen.screen else ""
    if not differs:
        return f"{head}, same screen{name}" if results else f"{head}{name}"
    return "\n".join([f"{head}; another screen than before{name}:", *differs[: 2 * _MOST_LINES]])
