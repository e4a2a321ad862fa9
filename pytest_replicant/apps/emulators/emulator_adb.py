"""An emulator as the adb server sees it, while it boots and when somebody else has booted it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from ...drivers import AdbPhone, AdbServer, KnownPhone, foreign_errors, known_phones
from ...errors import DeviceError
from .emulator_console import Console, console_port

ASK_SECONDS = 10.0  # a shell may hang while the system starts; the next look asks again
_NAMES = "getprop ro.boot.qemu.avd_name; getprop ro.kernel.qemu.avd_name"


class AdbBooting:
    """Asked anew each time: what was true of a system that starts is no answer."""

    def __init__(self, host: str, port: int, serial: str) -> None:
        self._address = host, port
        self._serial = serial

    def state(self) -> str:
        phones = known_phones(*self._address, ASK_SECONDS)
        return next((phone.state for phone in phones if phone.serial == self._serial), "")

    def shell(self, command: str) -> str:
        server = AdbServer(*self._address)
        with (
            foreign_errors(self._serial, f"running {command[:80]!r}"),
            server.until(ASK_SECONDS, f"running {command[:80]!r} on {self._serial}"),
        ):
            return str(AdbPhone(server, self._serial).shell(command))


def running_avds(host: str, port: int, phones: Iterable[KnownPhone]) -> dict[str, str]:
    """AVD to serial, of the emulators that an adb server of this computer knows. One that does not say whose it
    is, by its console or by adb, is none that can be told."""
    found: dict[str, str] = {}
    for phone in phones:
        number = console_port(phone.serial)
        if number is None:
            continue
        name = ""
        with suppress(DeviceError):
            name = Console(number).avd_name()
        if not name and phone.usable:
            with suppress(DeviceError):
                said = AdbBooting(host, port, phone.serial).shell(_NAMES).split()
                name = said[0] if said else ""
        if name:
            found[name] = phone.serial
    return found
