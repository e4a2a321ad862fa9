"""Whole runs with ``avd:NAME``: what is booted, what is reported, and what is left when they
end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from pytest_replicant.pool import Lease, avd_home, choose_port, lease_folder
from tests.conftest import QUICK

from .emulator_sdk import Sdk, is_running, make_sdk, soon
from .private_adb import Adb

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        "sys.platform == 'win32'", reason="the stand-in is a script with a first line of its own"
    ),
]

Command = Callable[..., list[str]]

SHOP = """
    def test_shop(mobile):
        mobile.launch("dev.replicant.shop")
        mobile.expect_visible(text="Sign in")
"""

TWO_PHONES = """
    def test_both(mobile, new_mobile):
        for phone in (mobile, new_mobile()):
            phone.launch("dev.replicant.shop")
            phone.expect_visible(text="Sign in")
"""


@pytest.fixture
def sdk(tmp_path: Path, private_adb: Adb, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sdk]:
    folder = tmp_path / "android"
    folder.mkdir()
    made = make_sdk(folder, private_adb, monkeypatch)
    yield made
    for avd in ("Pixel_6", "Tablet"):  # of a test that failed; one that passes has ended its own
        with suppress(FileNotFoundError, ProcessLookupError):
            if is_running(made.started(avd)["pid"]):
                os.killpg(made.started(avd)["pid"], signal.SIGKILL)


@pytest.fixture
def command(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    installed = any(
        point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11")
    )
    plugin = () if installed else ("-p", "pytest_replicant.plugin")

    def make(source: str, *options: str, ini: str = "") -> list[str]:
        pytester.makepyfile(source)
        pytester.makeini(QUICK + ini)
        return [sys.executable, "-m", "pytest", *plugin, "-p", "no:randomly", *options]

    return make


@pytest.mark.ci
def test_an_emulator_is_booted_used_and_ended(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    result = pytester.run(*command(SHOP, "--replicant-device=avd:Pixel_6"))
    result.assert_outcomes(passed=1)
    serial = f"emulator-{sdk.started()['given']['-port']}"
    result.stdout.re_match_lines_random(
        [
            rf"replicant: Pixel_6 starts as {serial}, log: .*/emulator-Pixel_6.log",
            rf"replicant: Pixel_6 \({serial}\): ready, \d+ s",
            rf"replicant: android:{serial} \(another phone.*",
        ]
    )
    assert not is_running(sdk.started()["pid"])
    (log,) = (pytester.path / "replicant-report").glob("*/emulator-Pixel_6.log")
    assert f"-avd Pixel_6 -port {serial[-4:]}" in log.read_text(encoding="utf-8")


@pytest.mark.thorough
def test_a_run_that_stops_at_the_gate_leaves_nothing(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    sdk.behave(stays_before="attached", child=True)
    result = pytester.run(*command(SHOP, "--replicant-device=avd:Pixel_6?timeout=5"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.re_match_lines_random(
        [
            r"ERROR: replicant: not ready within avd:NAME\?timeout = 5 s:",
            r"  Pixel_6 \(emulator-\d+\) stands at: attached to adb \(1/7\); last seen: the adb server .*",
        ]
    )
    assert not is_running(sdk.started()["pid"])
    assert not is_running(sdk.child())


def interrupted(line: list[str], folder: Path, moment: str, number: signal.Signals) -> int:
    """The exit code of a run that is reported to end once it has said that."""
    run = subprocess.Popen(
        line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert run.stdout is not None
        assert any(moment in expected for expected in run.stdout)
        run.send_signal(number)
        run.communicate(timeout=60)
    finally:
        run.kill()
        run.wait()
    return run.returncode


@pytest.mark.parametrize(
    "number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)]
)
@pytest.mark.ci
def test_ctrl_c_at_the_gate_ends_it(
    pytester: pytest.Pytester, sdk: Sdk, command: Command, number: signal.Signals
) -> None:
    sdk.behave(stays_before="booted", child=True)
    line = command(SHOP, "--replicant-device=avd:Pixel_6")
    assert interrupted(line, pytester.path, "boot completed", number) == pytest.ExitCode.INTERRUPTED
    assert not is_running(sdk.started()["pid"])
    assert not is_running(sdk.child())


@pytest.mark.thorough
def test_one_that_runs_already_is_used_and_left(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    port = choose_port(lease_folder(), ())
    process = subprocess.Popen(
        [str(sdk.program), "-avd", "Pixel_6", "-port", str(port.number)],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        assert soon(lambda: f"{port.serial}\tdevice" in sdk.adb("devices"))
        both = ("--replicant-device=avd:Pixel_6", "--replicant-device=virtual?latency=0")
        result = pytester.run(*command(TWO_PHONES, *both))
        result.assert_outcomes(passed=1)
        result.stdout.fnmatch_lines(
            [
                f"replicant: Pixel_6 runs already as {port.serial}: used as it is, and left "
                "running",
                f"replicant: virtual?latency=0, android:{port.serial} (another phone*",
            ]
        )
        assert process.poll() is None
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        port.release()


@pytest.mark.thorough
def test_two_emulators_serve_two_workers(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    source = """
        import pytest
        @pytest.mark.parametrize("number", range(4))
        def test_shop(mobile, number):
            mobile.launch("dev.replicant.shop")
            mobile.expect_visible(text="Sign in")
    """
    avds = ("--replicant-device=avd:Pixel_6", "--replicant-device=avd:Tablet")
    result = pytester.run(*command(source, *avds, "-p", "xdist", "-n", "2"))
    result.assert_outcomes(passed=4)
    assert not any(is_running(sdk.started(avd)["pid"]) for avd in ("Pixel_6", "Tablet"))


@pytest.mark.thorough
def test_an_avd_that_another_run_has_started_is_waited_for(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    lease = Lease(f"avd:{avd_home() / 'Pixel_6'}").acquire()
    try:
        result = pytester.run(
            *command(SHOP, "--replicant-device=avd:Pixel_6", ini="replicant_lease_timeout = 1")
        )
    finally:
        lease.release()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.fnmatch_lines(
        ["replicant: avd:*/Pixel_6 is in use by process *: waiting for the end of that run"]
    )
    assert "another run has started this AVD and will stop it" in result.stderr.str()


@pytest.mark.thorough
def test_each_test_begins_at_the_snapshot(
    pytester: pytest.Pytester, sdk: Sdk, command: Command
) -> None:
    sdk.behave(snapshots=["clean"])
    source = """
        import pytest
        @pytest.mark.parametrize("number", range(2))
        def test_mark(mobile, mobile_device, number):
            assert mobile_device.driver.shell(["getprop", "debug.mark"], 5).stdout.strip() == ""
            mobile_device.driver.shell(["setprop", "debug.mark", str(number)], 5)
    """
    clean = "--replicant-device=avd:Pixel_6?snapshot=clean"
    result = pytester.run(*command(source, clean, ini="replicant_reset = snapshot"))
    result.assert_outcomes(passed=2)
    assert sdk.started()["given"]["-snapshot"] == "clean"


@pytest.mark.parametrize(
    ("avds", "code", "said"),
    [
        (["Pixel_7"], pytest.ExitCode.USAGE_ERROR, "no such virtual device. Did you mean Pixel_6?"),
        (["Tablet", "Tablet"], pytest.ExitCode.USAGE_ERROR, "one AVD is one phone; name each once"),
        (
            ["Tablet?snapshot=a b"],
            pytest.ExitCode.USAGE_ERROR,
            "snapshot=a b: a snapshot's name has letters",
        ),
        (["Pixel_6", "--collect-only"], pytest.ExitCode.OK, ""),
    ],
)
@pytest.mark.thorough
def test_what_cannot_be_booted_is_reported_before_anything_is(
    pytester: pytest.Pytester, sdk: Sdk, command: Command, avds: list[str], code: int, said: str
) -> None:
    options = [name if name.startswith("--") else f"--replicant-device=avd:{name}" for name in avds]
    result = pytester.run(*command(SHOP, *options))
    assert result.ret == code
    assert said in result.stderr.str()
    assert not list(sdk.program.parent.glob("*.started.json"))


@pytest.mark.thorough
def test_without_an_adb_server_nothing_is_booted(
    pytester: pytest.Pytester, sdk: Sdk, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    result = pytester.run(*command(SHOP, "--replicant-device=avd:Pixel_6"))
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "no adb server listens at 127.0.0.1:1" in result.stderr.str()
    monkeypatch.setenv("ANDROID_ADB_SERVER_ADDRESS", "build-host")
    result = pytester.run(*command(SHOP, "--replicant-device=avd:Pixel_6"))
    assert "ANDROID_ADB_SERVER_ADDRESS names build-host" in result.stderr.str()
    assert not list(sdk.program.parent.glob("*.started.json"))
