"""What the apps under test asked of their servers since the last action, as far as the phone's log tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...drivers import Capability
from ...errors import DeviceError
from ...logs import Request, read_requests
from ...model import one_line
from .deaths import LONGEST, apps_under_test

if TYPE_CHECKING:
    from ..step import SessionContext


def requests_meanwhile(context: SessionContext) -> tuple[Request, ...] | None:
    """Those of the apps under test; another app's are nobody's fault here. None where the log cannot be read."""
    apps = apps_under_test(context)
    try:
        lines = context.log.lines()
        pids = {pid for app in apps for pid in context.log.pids(app)}
    except DeviceError:
        return None
    return tuple(read_requests(line for line in lines if line.pid in pids))


def failed_meanwhile(context: SessionContext) -> str:
    """For the message of a failure: the last request that failed since the action, "" where none is known of."""
    if Capability.LOGS not in context.driver.capabilities or not context.log.was_used:
        return ""
    failed = [one for one in requests_meanwhile(context) or () if one.failed]
    more = f" (and {len(failed) - 1} before it)" if len(failed) > 1 else ""
    return f"A request failed meanwhile: {one_line(failed[-1].describe(), LONGEST)}{more}" if failed else ""
