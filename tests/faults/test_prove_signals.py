"""The command that proves a phone, ended by a signal: the phone is as it was, or is again once it
is opened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from pytest_replicant.cli import INTERRUPTED
from pytest_replicant.pool import KEPT, WORDS, demo_apps, open_device
from pytest_replicant.virtual import Latency, VirtualPhone, start_server

from .phone_state import differences, state_of

pytestmark = [pytest.mark.ci, pytest.mark.timeout(120)]
ROOT = Path(__file__).parents[2]
CLAUSES = ("hierarchy", "type-more", "rotate-each", "stop", "crashes", "tour-page")
IN_FRONT = ("app in front", "keyboard")


def ended(uri: str, at: str, how: signal.Signals) -> tuple[int, str, str]:
    """The exit code and both outputs of a proof that gets a signal as soon as that clause was
    judged."""
    command = [sys.executable, "-m", "pytest_replicant.cli", "doctor", "--prove", "--device", uri]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        began = ""
        while f" {at} " not in began and (line := process.stdout.readline()):
            began += line
        process.send_signal(how)
        out, said = process.communicate(timeout=60)
    return process.returncode, began + out, said


@pytest.mark.parametrize("at", CLAUSES)
@pytest.mark.parametrize(
    "how",
    [
        signal.SIGINT,
        *(
            pytest.param(one, marks=pytest.mark.thorough)
            for one in (signal.SIGTERM, signal.SIGKILL)
        ),
    ],
)
def test_a_signal_after_a_clause(how: signal.Signals, at: str) -> None:
    phone = VirtualPhone(demo_apps(()), latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app("dev.replicant.shop")
    with start_server(phone) as server:
        uri = f"adb://{server.host}:{server.port}/{phone.profile.serial}"
        before = state_of(phone)
        code, out, said = ended(uri, at, how)
        if how == signal.SIGKILL:
            assert code == -signal.SIGKILL
            assert phone.files.exists(KEPT)
            with open_device(uri) as device:
                device.use_settings(WORDS)
            assert without_front(before, state_of(phone)) == []
        else:
            assert code == INTERRUPTED, said
            assert said.strip().startswith("replicant: stopping, and putting the phone back")
            assert "Not finished: it was stopped. The phone is as it was." in " ".join(out.split())
            assert differences(before, state_of(phone)) == []


def without_front(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    return [each for each in differences(before, after) if not each.startswith(IN_FRONT)]
