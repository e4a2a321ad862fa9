"""Crashes of the app under test, in messages and at the end of a test.

A test in which the app died did not pass, though its checks may have held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...drivers import Capability
from ...errors import UNANSWERED
from ...logs import Cause, Crash, StackFrame
from ...model import Attachment, DeathRecord, Strings, one_line
from ..step import SessionContext, SessionView
from .log import Found

LONGEST = 300
UNSEEN = "The checks of the test saw nothing of it."
NOT_RESPONDING = "Application Not Responding"
NOT_RUNNING = "not running any more"
"""The signature of a death that a phone does not report."""

_MOST_THROWN = 4
_MOST_FRAMES = 2  # of each exception, apart from the app's own
_MOST_NATIVE = 6
_MOST_LINES = 8
_DEEPEST = 8  # blanks before a line


def apps_under_test(context: SessionContext) -> Strings:
    """Apps that the session launched or touched, the one that it is about, and the one that is starting now."""
    named = (app for app in (context.app, context.starting) if app)
    return tuple(dict.fromkeys([*context.launched, *context.touched, *named]))


def format_crash(crash: Crash) -> str:
    """``dev.replicant.shop died: NullPointerException: no cart (CartStore.kt:42)``, in one line."""
    summary = one_line(crash.summary, LONGEST)
    return f"{crash.app} {summary}" if crash.kind == "anr" else f"{crash.app} died: {summary}"


def died_unexpectedly(context: SessionContext) -> Strings:
    """Apps that the test started and did not stop, and that do not run any more: for a phone that reports no
    crashes. Costs one command for each. Raises ``DeviceError``."""
    started = (app for app in dict.fromkeys([*context.launched, *context.touched]) if app not in context.stopped)
    return tuple(app for app in started if context.driver.app_status(app) == "stopped")


def format_absences(context: SessionContext) -> str:
    """The same for the message of another failure; "" where it cannot be read."""
    try:
        return "; ".join(map(format_absence, died_unexpectedly(context)))
    except UNANSWERED:
        return ""


def format_absence(app: str) -> str:
    return f"{app} is not running any more; this platform does not report why"


def died_meanwhile(context: SessionContext) -> str:
    """A line for the message of a failure: how an app under test died last; "" if none did, where it was
    restarted since, or if nothing can be read."""
    if Capability.CRASHES not in context.driver.capabilities:
        return format_absences(context)
    apps = apps_under_test(context)
    if not apps or not context.log.was_used:
        return ""
    try:
        crashes = [one for one in context.log.crashes() if one.is_of(*apps)]
        if not crashes:
            return ""
        last = crashes[-1]
        recent = last in context.log.crashes(since_action=True)
        if not recent and context.driver.app_status(last.app.partition(":")[0]) != "stopped":
            return ""
    except UNANSWERED:
        return ""
    return f"{format_crash(last)} (at {last.time.partition(' ')[2]} by the phone)"


def format_stack(crash: Crash) -> list[str]:
    """The stack of a crash in a few bounded lines: exceptions, causes, and the app's own frame."""
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
    """Exceptions from the outermost, as the platform prints them; of very many, the first and the roots."""
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


@dataclass(frozen=True)
class Death:
    """Death of the app under test: its record, and the message of the test's failure."""

    record: DeathRecord
    message: str


def unexplained_crash(session: SessionView) -> Death | None:
    """The first death of an app under test since the test began; None where the test allows it or did nothing.

    Its lines are attached to the trace. A phone that reports no crashes is asked which of the apps that the test
    launched and did not stop is not running. Costs one command if nothing died, or one for each launched app.
    Raises ``DeviceError`` if nothing could be read, since a death is then possible.
    """
    context = session._context
    if "crash" in context.settings.allow:
        return None
    if Capability.CRASHES not in context.driver.capabilities:
        return _absence(context)
    if not context.log.was_used:
        return None
    apps = apps_under_test(context)
    found = context.log.deaths(apps) if apps else []
    gap = context.log.gap
    if gap and gap not in context.recorder.unseen:
        context.recorder.unseen.append(gap)
    silent = [_record_of(context, one, f"{one.crash.app}: {NOT_RESPONDING}") for one in found if not one.ended]
    context.recorder.anrs.update(dict.fromkeys(silent))
    deaths = [one for one in found if one.ended]
    if not deaths:
        return None
    first = deaths[0].crash
    record = _record_of(context, deaths[0], format_crash(first))
    more = f"\nIt died {len(deaths)} times in this test." if len(deaths) > 1 else ""
    lines = [f"  {line}" for line in format_stack(first)]
    message = "\n".join([record.text, f"{UNSEEN}{more}", *lines, *_next(context, record.after)])
    data = "\n".join(line for death in deaths for line in death.crash.lines).encode("utf-8", "backslashreplace")
    crash_lines = Attachment(f"crash of {first.app}", "text/plain", data)
    if crash_lines not in context.recorder.attachments:  # this is asked again once fixtures were torn down
        context.recorder.attachments.append(crash_lines)
    return Death(record, message)


def _record_of(context: SessionContext, found: Found, what: str) -> DeathRecord:
    crash = found.crash
    after = context.log.action_before(crash)
    event = context.recorder.event_of(after)
    reason = f": {one_line(crash.message, LONGEST)}" if crash.message and not found.ended else ""
    where = f" after {event.title} ({after}, {event.source})" if event is not None else ""
    doubt = "" if found.sure else f"; it may have {'died' if found.ended else 'been'} before the test: "
    return DeathRecord(
        f"{what}{reason}{where}{doubt}{context.log.doubt if doubt else ''}",
        crash.app,
        crash.signature,
        after,
        crash.exception or crash.signal,
        crash.frame.where if crash.frame is not None else "",
        crash.kind,
        one_line(crash.message, LONGEST) if crash.kind in ("anr", "native") else "",
    )


def late_crash(session: SessionView) -> Death | None:
    """The same once fixtures were torn down, of those not known yet: an app may die of what the test did a while
    ago. Costs one command where anything was sent at all."""
    death = unexplained_crash(session)
    known = {(record.app, record.signature) for record in session._context.recorder.deaths}
    return death if death is not None and (death.record.app, death.record.signature) not in known else None


def _absence(context: SessionContext) -> Death | None:
    """The death of an app that just does not run any more; after which action is not known."""
    absent = died_unexpectedly(context)
    if not absent:
        return None
    summary = format_absence(absent[0])
    record = DeathRecord(summary, absent[0], NOT_RUNNING)
    return Death(record, "\n".join([summary, UNSEEN, *_next(context, "")]))


def _next(context: SessionContext, after: str) -> list[str]:
    fix = 'Next: fix the app; or, where it is meant to die, @pytest.mark.replicant(allow=["crash"]).'
    return [line for line in (fix, context.recorder.open_line(after)) if line]
