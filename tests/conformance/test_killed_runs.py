"""A run that ends in any way leaves the phone as it was, or a record by which the next one puts it
back."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_replicant import connect
from pytest_replicant.pool import ANIMATIONS, KEPT, SETTINGS, examine, phones
from pytest_replicant.virtual import PhoneServer, VirtualPhone

GOOGLE = "com.google.android.gms/.autofill.service.AutofillService"
TEST = """
import time

def test_it(mobile):
    print("in use", flush=True)
    time.sleep(60)
"""
SCRIPT = """
import sys, time
from pytest_replicant import connect

with connect(sys.argv[1]):
    print("in use", flush=True)
    time.sleep(60)
"""


Start = Callable[[bool], "subprocess.Popen[str]"]


def settings_of(phone: VirtualPhone) -> dict[str, str | None]:
    return {one.name: phone.settings.get(one.namespace, one.key) for one in SETTINGS}


@pytest.fixture
def uri(phone: VirtualPhone, server: PhoneServer) -> str:
    phone.settings.put("global", ANIMATIONS[0], "0.5")
    phone.settings.delete("global", ANIMATIONS[1])
    phone.settings.put("secure", "autofill_service", GOOGLE)
    return f"adb://{server.host}:{server.port}/{phone.profile.serial}"


@pytest.fixture
def start(uri: str, tmp_path: Path) -> Iterator[Start]:
    """Starts a run, or a script, and waits until it uses the phone."""
    running: list[subprocess.Popen[str]] = []

    def started(is_run: bool) -> subprocess.Popen[str]:
        file = tmp_path / ("test_it.py" if is_run else "script.py")
        file.write_text(TEST if is_run else SCRIPT)
        words = (
            ["-m", "pytest", "-s", f"--replicant-device={uri}", str(file)]
            if is_run
            else [str(file), uri]
        )
        command = [sys.executable, *words]
        process = subprocess.Popen(
            command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        running.append(process)
        assert process.stdout is not None
        said = []
        for line in process.stdout:
            said.append(line)
            if "in use" in line:
                return process
        raise AssertionError("".join(said))

    yield started
    for process in running:
        with suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def ended(process: subprocess.Popen[str], how: signal.Signals) -> None:
    process.send_signal(how)
    process.communicate(timeout=20)


@pytest.mark.slow
def test_after_kill_9_the_doctor_puts_everything_back(
    start: Start, phone: VirtualPhone, uri: str
) -> None:
    before = settings_of(phone)
    process = start(True)
    in_use = settings_of(phone)
    assert [name for name in in_use if in_use[name] != before[name]] != []
    assert in_use["global stay_on_while_plugged_in"] == "7"
    ended(process, signal.SIGKILL)
    assert settings_of(phone) == in_use
    assert phone.files.exists(KEPT)
    (found,) = examine(phones([uri], 30), 40)
    told = {finding.name: finding.found for finding in found}
    assert "put back what a run that was killed had left changed" in told["settings"]
    assert "autofill_service" in told["settings"]
    assert settings_of(phone) == before
    assert not phone.files.exists(KEPT)
    (found,) = examine(phones([uri], 30), 40)
    assert "settings" not in {finding.name for finding in found}


KINDS = [(True, signal.SIGINT), (False, signal.SIGINT), (False, signal.SIGKILL)]


@pytest.mark.slow
@pytest.mark.parametrize(("is_run", "how"), KINDS)
def test_ctrl_c_puts_it_back_and_after_kill_9_whoever_opens_it_next(
    start: Start, phone: VirtualPhone, uri: str, is_run: bool, how: signal.Signals
) -> None:
    before = settings_of(phone)
    process = start(is_run)
    assert settings_of(phone)["global stay_on_while_plugged_in"] == "7"
    ended(process, how)
    assert phone.files.exists(KEPT) is (how == signal.SIGKILL)
    if how == signal.SIGKILL:
        assert settings_of(phone) != before
        with connect(uri):
            assert phone.settings.get("global", ANIMATIONS[0]) == "0.5"
    assert settings_of(phone) == before
    assert not phone.files.exists(KEPT)


def test_a_phone_that_is_lost_has_its_record_until_it_is_back(
    phone: VirtualPhone, server: PhoneServer, uri: str
) -> None:
    before = settings_of(phone)
    with suppress(Exception), connect(uri):
        server.detach(phone.profile.serial)
    assert settings_of(phone) != before
    assert phone.files.exists(KEPT)
    server.attach(phone)
    with connect(uri):
        pass
    assert settings_of(phone) == before
