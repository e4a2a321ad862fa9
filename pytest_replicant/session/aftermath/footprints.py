"""What an action leaves behind beside the screen: an app that acted in silence may have written to the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drivers import Capability
from ...errors import DeviceError
from ...logs import pids_of
from ...model import one_line, quoted
from .deaths import apps_under_test

if TYPE_CHECKING:
    from ..step import SessionContext

_LONGEST = 100


def logged_since(context: SessionContext) -> str:
    """Why the log does not speak for it that the last action had no effect; "" where it does, or where this phone
    has none. Which of an app's lines come of the action nobody can tell, so that any of them will do."""
    if Capability.LOGS not in context.driver.capabilities:
        return ""
    try:
        whole = context.log.lines(whole=True)
        pids = {
            pid
            for app in apps_under_test(context)
            for pid in (*pids_of(app, whole), *context.driver.pids(app))
        }  # fmt: skip
        own = [line for line in context.log.lines() if line.pid in pids]
    except DeviceError as error:
        return f"the log cannot be read: {one_line(str(error), _LONGEST)}"
    return f"the app logged {quoted(one_line(own[0].message, _LONGEST))} since" if own else ""
