"""The reset of a phone after a test: nothing that the test started or set reaches the next one."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..clock import SystemClock
from ..errors import UsageError
from ..options import Options

if TYPE_CHECKING:
    from ..options import Reset
    from ..pool import DevicePool, Opened


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


def reset_phone(phones: DevicePool, opened: Opened, apps: Iterable[str], reset: Reset, options: Options) -> None:
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
        phones.drop(opened)  # the next test opens it again: nothing on it is as it was


def check_snapshot(opened: Opened, options: Options) -> None:
    """Before the test. Raises ``UsageError`` where no snapshot is named, or the phone cannot have one."""
    from ..apps import snapshot_name

    if not options.avd_snapshot:
        raise UsageError(
            "reset by snapshot: which one is not said. Next: --replicant-device=avd:NAME?snapshot=SNAPSHOT"
        )
    snapshot_name(options.avd_snapshot)
    _place(opened)


def load_snapshot(opened: Opened, options: Options) -> None:
    """Everything that was installed, set and started since then is gone, the automation on the phone included:
    the phone has to be prepared again, and so the caller drops it. Raises ``DeviceError``."""
    from ..apps import AdbBooting, BootGate, Console, pass_gates

    host, port, console, serial = _place(opened)
    Console(console).load_snapshot(options.avd_snapshot)
    gate = BootGate(serial, AdbBooting(host, port, serial))
    pass_gates([gate], options.device_timeout, SystemClock(), setting="replicant_device_timeout")


def _place(opened: Opened) -> tuple[str, int, int, str]:
    """Host and port of its adb server, its console's port, its serial. Raises ``UsageError``."""
    from ..apps import console_port
    from ..pool import is_this_computer

    serial = opened.driver.info.serial
    console = console_port(serial)
    host, port = getattr(opened, "address", ("", 0))  # a driver of the user's own has none
    if console is None or not is_this_computer(host):
        raise UsageError(
            f"reset by snapshot: {opened.driver.uri} is no emulator of this computer, and only those have "
            "snapshots. Next: --replicant-device=avd:NAME, or another reset: none, stop or clear"
        )
    return host, port, console, serial
