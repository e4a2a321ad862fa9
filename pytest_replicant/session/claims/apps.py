"""Where an app is: in front, behind, or not running."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from ...drivers import AppStatus
from ...errors import UsageError
from ..verify import Claim, Verdict

if TYPE_CHECKING:
    from ..step import SessionContext


def app_is(status: AppStatus, app: str) -> Claim:
    """Two reads in a row must agree: an app that is being started or ended is between two of the three."""
    if status not in get_args(AppStatus):
        raise UsageError(
            f'expect_app({status!r}): it is "foreground", "background" or "stopped", and the app comes second: '
            'expect_app("foreground", "dev.replicant.shop")'
        )

    def ask(context: SessionContext) -> Verdict:
        now = context.driver.app_status(app)
        return Verdict(now == status, now, more=lambda: _instead(context, app))

    return Claim("expect_app", f"{app} {status}", how="settled", ask=ask)


def _instead(context: SessionContext, app: str) -> str:
    front = context.driver.app_in_front().app
    return f"In front is {front}." if front and front != app else ""
