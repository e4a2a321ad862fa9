"""What a run would say of a session's trace at its end."""

from __future__ import annotations

from pytest_replicant.reporting.findings import (
    open_actions,
    read_not_checked,
    unverified,
    vacuous_checks,
)
from pytest_replicant.session import DeviceSession

from ..reporting.factory import facts


def vacuous(mobile: DeviceSession) -> tuple[str, ...]:
    return vacuous_checks(mobile._context.recorder.finish(facts()))


def ends(mobile: DeviceSession) -> tuple[str, str, int]:
    """What says that it ends unverified, or read and not checked, and how many actions are open."""
    trace = mobile._context.recorder.finish(facts())
    return unverified(trace), read_not_checked(trace), len(open_actions(trace))
