"""Phones that a running adb server knows. It is asked, and never started, restarted or killed."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from ..errors import DeviceNotFound, DeviceOffline, DeviceTimeout, UsageError, did_you_mean

if TYPE_CHECKING:
    from ..drivers import KnownPhone

DEFAULT_ADB_PORT = 5037
LIST_SECONDS = 5.0

_NO_SERVER = (
    "`adb start-server`, of Android's platform-tools, or name another server by "
    "ANDROID_ADB_SERVER_PORT; `replicant doctor` says more. --replicant-device=virtual needs none"
)
_FAR = (
    "check the host's name, the port, and that a firewall lets it through; there, "
    "`adb -a nodaemon server start` serves other computers"
)

_STATES = {
    "unauthorized": (
        "does not trust this computer",
        "accept the question about USB debugging on its screen",
    ),
    "authorizing": (
        "is still being authorised",
        "accept the question about USB debugging on its screen",
    ),
    "offline": ("does not answer adb", "unplug it and plug it in again, or restart it"),
    "no": (
        "cannot be opened by this user (no permissions)",
        "see its udev rules, then plug it in again",
    ),
    "bootloader": ("is in its boot loader", "restart it into Android"),
    "recovery": ("is in recovery", "restart it into Android"),
    "sideload": ("waits for a sideload", "restart it into Android"),
}


def server_address() -> tuple[str, int]:
    """Host and port of the adb server that the adb command would use. Raises ``UsageError``."""
    host = os.environ.get("ANDROID_ADB_SERVER_ADDRESS") or os.environ.get("ANDROID_ADB_SERVER_HOST")
    port = os.environ.get("ANDROID_ADB_SERVER_PORT") or str(DEFAULT_ADB_PORT)
    if not port.isdecimal() or not 0 < int(port) <= 65535:
        raise UsageError(f"ANDROID_ADB_SERVER_PORT={port!r} is no port")
    return host or "127.0.0.1", int(port)


def list_phones(host: str, port: int, timeout: float = LIST_SECONDS) -> list[KnownPhone]:
    """Raises ``DeviceNotFound`` if no adb server listens, ``DeviceTimeout`` if nothing answers in
    time."""
    from ..drivers import known_phones

    try:
        return known_phones(host, port, timeout)
    except DeviceOffline:
        here = is_this_computer(host)
        raise DeviceNotFound(
            f"no adb server {'listens' if here else 'answers'} at {host}:{port}, so no phone can "
            "be found",
            advice=_NO_SERVER if here else _FAR,
        ) from None
    except DeviceTimeout:
        if is_this_computer(host):
            raise
        raise DeviceTimeout(
            f"nothing answers at {host}:{port} in {timeout:g} s, so no phone can be found",
            advice=_FAR,
        ) from None


def is_this_computer(host: str) -> bool:
    """By its name alone: nothing is looked up."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def choose_phone(phones: Sequence[KnownPhone], serial: str, where: str) -> KnownPhone:
    """The phone of that serial, or the only one where it is "". Each of the five ways to have no
    such phone raises its own error: none, several, an unknown serial, unauthorised, offline (or in
    no usable state)."""
    if serial:
        return _usable(_named(phones, serial, where))
    if not phones:
        raise DeviceNotFound(
            f"no phone is attached to {where}",
            advice="plug one in with USB debugging on (a Samsung's Auto Blocker off), start an "
            "emulator, or use --replicant-device=virtual",
        )
    ready = [phone for phone in phones if phone.usable]
    if len(ready) > 1:
        options = (f"  --replicant-device=android:{one.serial}  {one.model}" for one in ready)
        listed = map(str.rstrip, options)
        raise UsageError(
            f"{len(ready)} phones are attached to {where}",
            advice="\n".join(["name one, or several by repeating the option:", *listed]),
        )
    if ready:
        return ready[0]
    if len(phones) == 1:
        return _usable(phones[0])
    raise DeviceOffline(
        f"none of the {len(phones)} phones on {where} can be used:{_states(phones)}"
    )


def _named(phones: Sequence[KnownPhone], serial: str, where: str) -> KnownPhone:
    for phone in phones:
        if phone.serial == serial:
            return phone
    if not phones:
        raise DeviceNotFound(f"{serial} is not attached to {where}; no phone is.", device=serial)
    meant = did_you_mean(serial, [phone.serial for phone in phones], form="android:{}")
    raise DeviceNotFound(
        f"{serial} is not attached to {where}",
        device=serial,
        advice=f"{meant} Name one that is attached:{_states(phones)}".lstrip(),
    )


def _usable(phone: KnownPhone) -> KnownPhone:
    if phone.usable:
        return phone
    trouble, advice = _trouble(phone)
    raise DeviceOffline(f"{phone.serial} {trouble}", device=phone.serial, advice=advice)


def _trouble(phone: KnownPhone) -> tuple[str, str]:
    return _STATES.get(
        phone.state, (f"is in the state {phone.state!r}; only `device` can be used", "")
    )


def complaint(phone: KnownPhone) -> str:
    """Why a phone cannot be used, and what to do about it."""
    return ": ".join(filter(None, _trouble(phone)))


def _states(phones: Sequence[KnownPhone]) -> str:
    lines = ""
    for phone in phones:
        state = phone.model or "ready"
        if not phone.usable:
            state = complaint(phone)
        lines += f"\n  {phone.serial}: {state}"
    return lines
