"""Deaths of the app under test: a test in which it died did not pass, whatever its checks saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import DeviceError, is_told
from ..model.quoting import one_line
from ..model.trace import Attachment

if TYPE_CHECKING:
    from ..logs.crash import Crash
    from .device_session import DeviceSession
    from .step import Parts

__tracebackhide__ = is_told

_LONGEST = 300


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
    action = parts.recorder.actions.get(after)
    where = f" after {action.action_type} ({after})" if action is not None else ""
    more = f"\nIt died {len(deaths)} times in this test." if len(deaths) > 1 else ""
    page = parts.recorder.report_page
    told = (
        f"{told_death(first)}{where}. The checks of the test saw nothing of it.{more}\n"
        + "\n".join(f"  {line}" for line in _shown(first))
        + '\nNext: mend the app; or, where it is meant to die, @pytest.mark.replicant(allow=["crash"]).'
        + (f"\nOpen: {page}{'#' + after if after else ''}" if page else "")
    )
    data = "\n".join(line for crash in deaths for line in crash.lines).encode("utf-8", "backslashreplace")
    parts.recorder.attachments.append(Attachment(f"crash of {first.app}", "text/plain", data))
    return Death(first, after, told)


def apps_under_test(parts: Parts) -> tuple[str, ...]:
    """Those that the session launched, and the one that it is about."""
    return tuple(dict.fromkeys([*parts.launched, *([parts.app] if parts.app else [])]))


def told_death(crash: Crash) -> str:
    """``dev.replicant.shop died: NullPointerException: no cart (CartStore.kt:42)``, in one line."""
    summary = one_line(crash.summary, _LONGEST)
    return f"{crash.app} {summary}" if crash.kind == "anr" else f"{crash.app} died: {summary}"


def died_meanwhile(parts: Parts) -> str:
    """For the message of a failure: how an app under test died last, "" where none did, or where it was started
    again since. Explaining one trouble never ends in another: what cannot be read is left out."""
    apps = apps_under_test(parts)
    if not apps or not parts.log.was_used:
        return ""
    try:
        crashes = [one for one in parts.log.crashes() if any(one.is_of(app) for app in apps)]
        if not crashes or (not _is_recent(parts, crashes[-1]) and _runs(parts, crashes[-1])):
            return ""
    except DeviceError:
        return ""
    return f"{told_death(crashes[-1])} (at {crashes[-1].time.partition(' ')[2]} by the phone)"


def _is_recent(parts: Parts, crash: Crash) -> bool:
    return crash in parts.log.crashes(since_action=True)


def _runs(parts: Parts, crash: Crash) -> bool:
    return parts.driver.app_status(crash.app.partition(":")[0]) != "stopped"


def with_death(parts: Parts, message: str) -> str:
    """The message of a failure; below its first line, the death that may be the reason."""
    death = died_meanwhile(parts)
    first, *rest = message.split("\n")
    return "\n".join([first, death, *rest]) if death else message


def _shown(crash: Crash, most: int = 8) -> list[str]:
    lines = [line for entry in crash.lines for line in entry.split("\n")]
    shown = [one_line(line, _LONGEST) for line in lines[:most]]
    return [*shown, f"… and {len(lines) - most} more lines"] if len(lines) > most else shown
