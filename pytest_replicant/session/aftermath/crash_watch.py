"""Deaths of the app under test: a test in which it died did not pass, whatever its checks saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...drivers.base import Capability
from ...errors import is_told
from ...model.quoting import one_line
from ...model.test_trace import DeathRecord
from ...model.trace import Attachment
from .deaths import LONGEST, apps_under_test, ended_by_nobody, told_absence, told_death

if TYPE_CHECKING:
    from ...logs.crash import Crash
    from ..device_session import DeviceSession

__tracebackhide__ = is_told


@dataclass(frozen=True)
class Death:
    """One crash of the app under test. ``after`` is the id of the action that was sent last before it, ``told``
    the message."""

    crash: Crash
    after: str
    told: str


def unexplained_crash(session: DeviceSession) -> Death | None:
    """The first death since the test began of an app that it launched, or that it is about; None where the test
    allows it, where crashes cannot be read, and where the test did nothing. Its lines are put into the trace.

    Costs one command where nothing died. Raises ``DeviceError`` where the log could not be read: that nothing
    died is not known then.
    """
    parts = session._parts
    if "crash" in parts.settings.allow or not parts.log.was_used:
        return None
    apps = apps_under_test(parts)
    deaths = parts.log.deaths(apps) if apps else []
    if not deaths:
        return None
    first = deaths[0]
    after = parts.log.action_before(first)
    event = parts.recorder.event_of(after)
    where = f" after {event.title} ({after}, {event.source})" if event is not None else ""
    more = f"\nIt died {len(deaths)} times in this test." if len(deaths) > 1 else ""
    page = parts.recorder.report_page
    told = (
        f"{told_death(first)}{where}\nThe checks of the test saw nothing of it.{more}\n"
        + "\n".join(f"  {line}" for line in _shown(first))
        + '\nNext: mend the app; or, where it is meant to die, @pytest.mark.replicant(allow=["crash"]).'
        + (f"\nOpen: {page}{'#' + after if after else ''}" if page else "")
    )
    data = "\n".join(line for crash in deaths for line in crash.lines).encode("utf-8", "backslashreplace")
    parts.recorder.attachments.append(Attachment(f"crash of {first.app}", "text/plain", data))
    return Death(first, after, told)


def untold_deaths(session: DeviceSession) -> list[DeathRecord]:
    """Of a test that failed, on a phone that does not tell of crashes: the apps that it started and did not stop,
    and that do not run any more. Nobody knows after which action that was."""
    parts = session._parts
    if "crash" in parts.settings.allow or Capability.CRASHES in parts.driver.capabilities:
        return []
    return [DeathRecord(told_absence(app), app, "not running any more") for app in ended_by_nobody(parts)]


def _shown(crash: Crash, most: int = 8) -> list[str]:
    lines = [line for entry in crash.lines for line in entry.split("\n")]
    shown = [one_line(line, LONGEST) for line in lines[:most]]
    return [*shown, f"… and {len(lines) - most} more lines"] if len(lines) > most else shown
