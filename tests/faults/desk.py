"""A virtual phone on a desk, on a clock of its own, and proofs of it with drivers that have
flaws."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from pytest_replicant.drivers import AndroidDriver, IosDriver
from pytest_replicant.real_phones import EXTRAS, Proof
from pytest_replicant.testing import SharedClock, VirtualDevice, virtual_device
from pytest_replicant.virtual import Faults

ANDROID = ("pixel", "tablet", "one-ui", "hyperos", "hyperos-cn", "emulator", "android-7")
IPHONES = ("iphone", "ipad")
PROFILES = (*ANDROID, *IPHONES)
SHOP = "dev.replicant.shop"
PATIENCE = 0.5  # seconds; only the looks meanwhile cost time
_NEVER = 30.0

Fake = Callable[..., Any]
"""Called in the place of a verb of a driver, with the verb itself and what it was given."""
Flaw = Mapping[str, Fake]
"""Fakes by verb."""


class DeskClock(SharedClock):
    """On which a command that does not end does not end."""

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def sleep(self, seconds: float) -> None:
        if seconds == _NEVER:
            self.over.wait()
        else:
            super().sleep(seconds)


@contextmanager
def on_desk(profile: str, faults: Faults | None = None) -> Iterator[VirtualDevice]:
    """With the shop in front."""
    clock = DeskClock()
    platform: Any = "ios" if profile in IPHONES else "android"
    with virtual_device(
        SHOP, platform=platform, clock=clock, faults=faults, profile=profile
    ) as device:
        try:
            yield device
        finally:
            clock.over.set()


def uri_of(device: VirtualDevice) -> str:
    """By which others open it, who come and go."""
    if device.phone.profile.platform == "ios":
        return f"ios:{device.server.wda_url}"
    return f"adb://{device.server.host}:{device.server.port}/{device.phone.profile.serial}"


def proof_of(device: VirtualDevice, flaws: Iterable[Flaw] = (), **options: Any) -> Proof:
    """Of a driver with these flaws, all at once; of ours without any."""
    kind: type[Any] = IosDriver if device.phone.profile.platform == "ios" else AndroidDriver
    given = {
        "extras": EXTRAS,
        "patience": PATIENCE,
        "clock": device.clock,
        "timeout": 5.0,
        **options,
    }
    fakes = [fake for flaw in flaws for fake in flaw.items()]
    for verb, fake in fakes:
        kind = _with(kind, verb, fake)
    if fakes:
        given["connect"] = lambda _: device.connect(kind)
    return Proof(uri_of(device), **given)


def _with(kind: type[Any], verb: str, fake: Fake) -> type[Any]:
    real = getattr(kind, verb)

    def faked(driver: object, *given: Any, **named: Any) -> Any:
        return fake(partial(real, driver), *given, **named)

    if isinstance(real, property):
        known: Any = real.fget
        return type(
            kind.__name__, (kind,), {verb: property(lambda driver: fake(partial(known, driver)))}
        )
    return type(kind.__name__, (kind,), {verb: faked})
