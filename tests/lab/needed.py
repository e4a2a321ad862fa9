"""What a test needs of the phone, where not every phone has it: elsewhere it is skipped, and says
why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from pytest_replicant.drivers import Capability, Driver


@dataclass(frozen=True)
class Need:
    """``lacking`` is the reason where a phone's driver has it not."""

    lacking: str
    has: Callable[[Driver], bool]


def _able(capability: Capability) -> Callable[[Driver], bool]:
    return lambda driver: capability in driver.capabilities


LOG = Need(
    "no log of this phone can be read, and nothing else has the answer that is asked for here",
    _able(Capability.LOGS),
)
CRASH_REPORTS = Need(
    "no crash report of this phone can be read: that an app is gone is all it tells",
    _able(Capability.CRASHES),
)
TOASTS = Need(
    "a toast is a part of the app's own screen here, and is read as one", _able(Capability.TOASTS)
)
FILES = Need("no file can be brought to this phone", _able(Capability.FILES))
QUESTION_OF_A_HANG = Need(
    "this system never asks whether to wait for an app that hangs",
    lambda driver: bool(driver.system_dialogs.wait_buttons),
)
CHECKED_APART = Need(
    "the one chosen of several is given in one word here, be it a radio button or a segment",
    lambda driver: driver.info.platform == "android",
)


def needs(need: Need) -> pytest.MarkDecorator:
    return pytest.mark.needs(need)


def needs_of(test: object) -> Iterator[Need]:
    """Those that are written above it, for all that it is called with or for some."""
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "needs":
            yield from mark.args
        elif mark.name == "parametrize":
            inner = (each for given in mark.args[1] for each in getattr(given, "marks", ()))
            yield from (need for each in inner if each.name == "needs" for need in each.args)


def skip_unless(driver: Driver, need: Need) -> None:
    if not need.has(driver):
        pytest.skip(need.lacking)
