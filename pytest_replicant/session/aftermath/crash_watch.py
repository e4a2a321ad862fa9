"""Deaths of the app under test: a test in which it died did not pass, whatever its checks saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...drivers import Capability
from ...model import Attachment, DeathRecord
from .deaths import apps_under_test, ended_by_nobody, told_absence, told_death
from .told_stack import told_stack

if TYPE_CHECKING:
    from ..device_session import DeviceSession
    from ..step import SessionContext


UNSEEN = "The checks of the test saw nothing of it."
NOT_RUNNING = "not running any more"
"""The signature of a death that a phone tells nothing of."""


@dataclass(frozen=True)
class Death:
    """That the app under test died, for the record and in the words of a message."""

    record: DeathRecord
    told: str


def unexplained_crash(session: DeviceSession) -> Death | None:
    """The first death since the test began of an app that it launched, or that it is about; None where the test
    allows it, and where the test did nothing. Its lines are put into the trace. A phone that tells of no crashes
    is asked which of the apps that the test launched, and did not stop, does not run any more.

    Costs one command where nothing died, or one for each app that was launched. Raises ``DeviceError`` where
    nothing could be read: that nothing died is not known then.
    """
    context = session._context
    if "crash" in context.settings.allow:
        return None
    if Capability.CRASHES not in context.driver.capabilities:
        return _absence(context)
    if not context.log.was_used:
        return None
    apps = apps_under_test(context)
    deaths = context.log.deaths(apps) if apps else []
    if context.log.gap:
        context.recorder.unseen.append(context.log.gap)
    if not deaths:
        return None
    first = deaths[0]
    after = context.log.action_before(first)
    event = context.recorder.event_of(after)
    where = f" after {event.title} ({after}, {event.source})" if event is not None else ""
    more = f"\nIt died {len(deaths)} times in this test." if len(deaths) > 1 else ""
    summary = f"{told_death(first)}{where}"
    lines = [f"  {line}" for line in told_stack(first)]
    told = "\n".join([summary, f"{UNSEEN}{more}", *lines, *_next(context, after)])
    data = "\n".join(line for crash in deaths for line in crash.lines).encode("utf-8", "backslashreplace")
    context.recorder.attachments.append(Attachment(f"crash of {first.app}", "text/plain", data))
    return Death(DeathRecord(summary, first.app, first.signature, after), told)


def _absence(context: SessionContext) -> Death | None:
    """Nobody knows after which action that was."""
    absent = ended_by_nobody(context)
    if not absent:
        return None
    summary = told_absence(absent[0])
    record = DeathRecord(summary, absent[0], NOT_RUNNING)
    return Death(record, "\n".join([summary, UNSEEN, *_next(context, "")]))


def _next(context: SessionContext, after: str) -> list[str]:
    page = context.recorder.report_page
    where = [f"Open: {page}{'#' + after if after else ''}"] if page else []
    return ['Next: mend the app; or, where it is meant to die, @pytest.mark.replicant(allow=["crash"]).', *where]
