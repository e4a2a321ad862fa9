"""``Seen``: what an action led to, apart from the screen that it left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..drivers import Capability
from ..errors import ReplicantError, what_happened
from ..logs import LogLine
from ..model import RecoveryRecord, Strings, one_line, quoted
from ..snapshots import clean
from .arguments import need_to_read
from .device_log.evidence import loud_lines
from .step import SessionContext

_MOST_LINES = 6  # of each kind, in ``str``
_LONGEST = 300  # characters of a line
_T = TypeVar("_T")


@dataclass(frozen=True)
class Seen:
    """What came up from one action to the next, and need not be on the screen any more.

    ``toasts`` are texts that the platform announced. ``dialogs`` are titles of dialogs that came and went, "" for
    one without a title. ``log`` are warnings and errors (W, E, F) of the apps under test, without the frames of
    stacks. ``recoveries`` are those of the action and of its checks. ``unknown`` says what could not be looked at,
    and why: an empty field that is named there proves nothing. ``str()`` is one line for each.
    """

    toasts: Strings = ()
    dialogs: Strings = ()
    log: tuple[LogLine, ...] = ()
    recoveries: tuple[RecoveryRecord, ...] = ()
    unknown: Strings = ()

    def __str__(self) -> str:
        lines = [
            *_capped("toast", self.toasts, lambda toast: quoted(clean(toast))),
            *_capped("dialog", self.dialogs, lambda title: quoted(title) if title else "without a title"),
            *_capped("log", self.log, lambda line: f"{line.level} {line.tag}: {line.message}"),
            *_capped("recovery", self.recoveries, _recovered),
            *_capped("unknown", self.unknown, str),
        ]
        return "\n".join(lines) or "nothing"


def _capped(kind: str, items: Sequence[_T], render: Callable[[_T], str]) -> Iterator[str]:
    for item in items[:_MOST_LINES]:
        yield f"{kind}: {one_line(render(item), _LONGEST)}"
    if len(items) > _MOST_LINES:
        yield f"{kind}: … and {len(items) - _MOST_LINES} more"


def _recovered(one: RecoveryRecord) -> str:
    why = ": ".join(filter(None, (one.policy, one.reason)))
    end = "it held then" if one.recovered else "it failed all the same" if one.done else "only proposed"
    return f"{one.strategy} after {one.code} of {one.kind}{f' ({why})' if why else ''}, {end}"


def toasts_since(context: SessionContext, action_id: str) -> Strings | None:
    """The toasts that an action led to. The platform is asked for its last one, unless another action followed;
    None where it cannot be asked."""
    try:
        return _toasts(context, action_id)
    except ReplicantError:
        return None


def seen_since(context: SessionContext, action_id: str) -> Seen:
    """What came up from that action to the next. Asks the phone for its log and, unless another action followed,
    for its last toast."""
    record, unknown = context.recorder.sightings[action_id], []
    toasts: Strings = tuple(record.toasts)
    log: tuple[LogLine, ...] = ()
    try:
        toasts = _toasts(context, action_id)
    except ReplicantError as error:
        unknown.append(f"toasts: {_reason(error)}")
    if not record.was_read:
        unknown.append("dialogs: no screen was read after it")
    try:
        log, missing = loud_lines(context, action_id)
        unknown += [f"log: {missing}"] if missing else []
    except ReplicantError as error:
        unknown.append(f"log: {_reason(error)}")
    recoveries = tuple(one for one in context.recorder.recoveries if one.action_id == action_id)
    return Seen(toasts, record.dialogs, log, recoveries, tuple(unknown))


def _reason(error: ReplicantError) -> str:
    return one_line(what_happened(error), _LONGEST)


def _toasts(context: SessionContext, action_id: str) -> Strings:
    record, is_latest = context.recorder.sightings[action_id], context.recorder.latest == action_id
    if (is_latest or not record.was_polled) and not context.observer.hears_toasts:
        need_to_read(context.driver, Capability.TOASTS)
    if is_latest:
        context.observer.poll_toast()
    return tuple(record.toasts)
