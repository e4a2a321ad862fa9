"""How a death of the app under test is told, in the message of what failed by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drivers import Capability
from ...errors import DeviceError
from ...model import one_line

if TYPE_CHECKING:
    from ...logs import Crash
    from ..step import SessionContext

LONGEST = 300


def apps_under_test(context: SessionContext) -> tuple[str, ...]:
    """Those that the session launched, the one that it is about, and the one that is to start now."""
    return tuple(
        dict.fromkeys([*context.launched, *(app for app in (context.app, context.guard.starting) if app)])
    )


def told_death(crash: Crash) -> str:
    """``dev.replicant.shop died: NullPointerException: no cart (CartStore.kt:42)``, in one line."""
    summary = one_line(crash.summary, LONGEST)
    return f"{crash.app} {summary}" if crash.kind == "anr" else f"{crash.app} died: {summary}"


def ended_by_nobody(context: SessionContext) -> tuple[str, ...]:
    """For a phone that does not tell of crashes: the apps that the test started, that it did not stop, and that do
    not run any more. One question for each. Raises ``DeviceError``."""
    started = (app for app in context.launched if app not in context.stopped)
    return tuple(app for app in started if context.driver.app_status(app) == "stopped")


def told_absences(context: SessionContext) -> str:
    """The same beside another trouble, "" where it cannot be read."""
    try:
        return "; ".join(map(told_absence, ended_by_nobody(context)))
    except DeviceError:
        return ""


def told_absence(app: str) -> str:
    return f"{app} is not running any more; this platform does not tell why"


def died_meanwhile(context: SessionContext) -> str:
    """For the message of a failure: how an app under test died last, "" where none did, or where it was started
    again since. Explaining one trouble never ends in another: what cannot be read is left out."""
    if Capability.CRASHES not in context.driver.capabilities:
        return told_absences(context)
    apps = apps_under_test(context)
    if not apps or not context.log.was_used:
        return ""
    try:
        crashes = [one for one in context.log.crashes() if any(one.is_of(app) for app in apps)]
        if not crashes or (not _is_recent(context, crashes[-1]) and _runs(context, crashes[-1])):
            return ""
    except DeviceError:
        return ""
    return f"{told_death(crashes[-1])} (at {crashes[-1].time.partition(' ')[2]} by the phone)"


def _is_recent(context: SessionContext, crash: Crash) -> bool:
    return crash in context.log.crashes(since_action=True)


def _runs(context: SessionContext, crash: Crash) -> bool:
    return context.driver.app_status(crash.app.partition(":")[0]) != "stopped"


def with_death(context: SessionContext, message: str) -> str:
    """The message of a failure; below its first line, the death that may be the reason."""
    death = died_meanwhile(context)
    first, *rest = message.split("\n")
    return "\n".join([first, death, *rest]) if death else message
