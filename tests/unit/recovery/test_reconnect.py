"""A lost connection is made anew; other trouble with a phone stays."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import (
    DeviceBusy,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    SnapshotError,
    Unsupported,
)
from pytest_replicant.model import Remedy
from tests.unit.snapshots.screens import SHOP, parse

from .failures import ask, failed


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (DeviceOffline("it is gone"), "the connection to the phone was lost (DeviceOffline: it is gone)"),
        (DeviceTimeout("after 5 s"), "the phone did not answer in time (DeviceTimeout: after 5 s)"),
        (ProtocolError("no XML\nbut this"), "the phone's answer could not be used (ProtocolError: no XML)"),
        (
            DeviceOffline("it is gone. Plug it in."),
            "the connection to the phone was lost (DeviceOffline: it is gone)",
        ),
        (DeviceOffline(""), "the connection to the phone was lost (DeviceOffline: )"),
    ],
)
@pytest.mark.parametrize("code", ["UNKNOWN", "TIMEOUT", "VERIFICATION_FAILED"])
def test_a_lost_connection_is_made_anew(error: Exception, reason: str, code: str) -> None:
    answer = ask("reconnect", failed(code, error=error))  # type: ignore[arg-type]  # parametrised
    assert answer is not None
    assert (answer.strategy, answer.before) == ("state_refresh", (Remedy.reconnect(),))
    assert answer.reason == reason


def test_a_refusal_is_not_asked_for_again() -> None:
    full = ProtocolError("No space left on device")
    full.recoverable = False
    assert ask("reconnect", failed("UNKNOWN", error=full)) is None


@pytest.mark.parametrize(
    "error",
    [
        DeviceNotFound("no such phone"),
        DeviceBusy("another run has it"),
        Unsupported("no toasts", capability="TOASTS"),
        SnapshotError("no screen"),
        ValueError("a policy's own"),
        None,
    ],
)
def test_what_a_connection_cannot_mend_is_left(error: Exception | None) -> None:
    assert ask("reconnect", failed("UNKNOWN", parse(SHOP), error=error)) is None
