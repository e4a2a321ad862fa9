"""What a test started or set does not reach the next one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import UsageError
from .snapshot_reset import check_snapshot, load_snapshot

if TYPE_CHECKING:
    from ..options import Options, Reset
    from ..pool import Opened, WarmPhones


def check_reset(opened: Opened, reset: Reset, options: Options) -> None:
    """Before the test rather than after each: with what it leaves behind, the next one would prove less. Raises
    ``UsageError`` where the phone cannot be reset so."""
    from ..drivers import Capability

    if reset == "snapshot":
        check_snapshot(opened, options)
    if reset == "clear" and Capability.CLEAR_DATA not in opened.driver.capabilities:
        raise UsageError(
            f"replicant_reset = clear: {opened.driver.uri} cannot clear the data of an app. Next: -o "
            "replicant_reset=stop for this run, and an app that begins afresh by a launch argument of its own"
        )


def reset_phone(phones: WarmPhones, opened: Opened, apps: Iterable[str], reset: Reset, options: Options) -> None:
    """``apps`` are those that the test launched, and the app under test, which may have been started in another
    way. An app that is not there any more needs nothing."""
    opened.driver.restore_settings()
    for app in dict.fromkeys(apps):
        with suppress(UsageError):
            if reset == "stop":
                opened.driver.stop(app)
            elif reset == "clear":
                opened.driver.clear_data(app)
    if reset == "snapshot":
        load_snapshot(opened, options)
        phones.drop(opened)  # the next test opens it anew: nothing on it is as it was
