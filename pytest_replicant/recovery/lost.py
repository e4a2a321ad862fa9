"""What the phone or the app has lost: its connection, or its life."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..errors import UNANSWERED, DeviceError, DeviceOffline, DeviceTimeout, ProtocolError, what_happened
from ..model import Failure, Recovery, RecoveryState, Remedy, Selector, one_line
from .evidence import first_of, is_about, meant, of_packages, says, screen_of

if TYPE_CHECKING:
    from ..drivers import SystemDialogs
    from ..session import RecoveryContext
    from ..snapshots import Snapshot


LOST: dict[type[DeviceError], str] = {
    DeviceOffline: "the connection to the phone was lost",
    DeviceTimeout: "the phone did not answer in time",
    ProtocolError: "the phone's answer could not be used",
}
"""Errors that a new connection may fix. A phone that is busy, absent or unable stays so."""


def reconnect(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The phone went offline, did not answer in time or answered nonsense: reconnects, and looks again."""
    error = failure.error
    trouble = next((words for kind, words in LOST.items() if isinstance(error, kind)), "")
    if not trouble or not getattr(error, "recoverable", True):
        return None
    reason = f"{trouble} ({type(error).__name__}: {one_line(what_happened(error))})"
    return Recovery("state_refresh", before=(Remedy.reconnect(),), reason=reason)


HOME = re.compile(r"launcher[^.]*$|\.(?:home|trebuchet|springboard)$", re.IGNORECASE)
"""Packages of home screens, by the names that makers give them."""


def app_crash(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The app died: starts it again and repeats the step. Only where the test allows ``relaunch``, and where
    the step cannot have taken effect already."""
    snapshot = screen_of(failure)
    if snapshot is None or not failure.app or "relaunch" not in session.settings.allow:
        return None
    if not failure.idempotent and (failure.sent or failure.check is not None):
        return None  # its effect before it died is not known, and must not happen twice
    reason = _stopped(session, failure, snapshot) or _left(session, failure, snapshot)
    if not reason:
        return None
    return Recovery("step_back", before=(Remedy.relaunch(failure.app),), reason=reason)


def _stopped(session: RecoveryContext, failure: Failure, snapshot: Snapshot) -> str:
    """Evidence from the system's crash dialog. It names an app by its label; one still in front did not crash."""
    known = session.system_dialogs
    dialog = of_packages(known, snapshot, known.packages, failure)
    if first_of(snapshot, known.close_buttons, dialog) is None or is_about(failure, snapshot, dialog):
        return ""
    if first_of(snapshot, known.wait_buttons, dialog) is not None or _shows(snapshot, failure.app):
        return ""
    return f"the system says that an app stopped ({says(snapshot, dialog)}), and {failure.app} is not in front"


def _left(session: RecoveryContext, failure: Failure, snapshot: Snapshot) -> str:
    """Evidence from the home screen: the app is known to have died, or the step's element is a part of it. A test
    that went home on purpose looks for something else there."""
    if snapshot.app == failure.app or not _is_home(session.system_dialogs, snapshot):
        return ""
    died = _death(session, failure.app)
    if died:
        return f"{failure.app} died ({died}), and the home screen ({snapshot.app}) is in front"
    element = meant(failure) or failure.element  # of a check, the element of its action
    if element is None and isinstance(failure.target, Selector):
        element = session.last_resolved(failure.target)
    in_the_app = element is not None and element.package == failure.app
    if not (in_the_app or (failure.starts_app and failure.code == "NAVIGATION_NO_CHANGE")):
        return ""
    return f"{failure.app} was in front and is gone: the home screen ({snapshot.app}) is there instead"


def _death(session: RecoveryContext, app: str) -> str:
    """Cause of its death in this test; "" for none known. An app that did not answer for a while may live."""
    try:
        if session.died_unexpectedly(app):
            return "it is not running any more; this platform does not report why"
        deaths = [crash for crash in session.crashes(app) if crash.kind != "anr"]
    except UNANSWERED:  # the phone reports no crashes
        return ""
    return one_line(deaths[-1].summary) if deaths else ""


def _is_home(known: SystemDialogs, snapshot: Snapshot) -> bool:
    """Whether the home screen is shown, and not a question in its name with the app right behind."""
    asks = known.from_home_screen and snapshot.dialog is not None
    return not asks and HOME.search(snapshot.app) is not None


def _shows(snapshot: Snapshot, app: str) -> bool:
    return any(node.package == app for node in snapshot.nodes)
