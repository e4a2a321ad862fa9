"""``replicant virtual serve``: what it prints, how it ends, and what it says when it cannot."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import adbutils
import pytest

from pytest_replicant.cli import main
from pytest_replicant.pool import open_device
from tests.conftest import Capture

ROOT = Path(__file__).parents[3]
OWN = "tests.browser.made_runs:APP"


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running command and what it printed once it was ready."""
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pytest_replicant.cli",
            "virtual",
            "serve",
            "--latency",
            "0",
            *arguments,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        printed = ""
        try:
            while "Ctrl-C" not in printed and (line := process.stdout.readline()):
                printed += line
            yield process, printed
        finally:
            process.kill()


def version(port: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(b"000chost:version")
        return client.recv(100)


@pytest.mark.slow
def test_a_phone_with_both_faces_until_the_signal() -> None:
    options = ("--face", "both", "--serial", "shelf-7", "--app", "dev.replicant.shop")
    with serving(*options) as (process, printed):
        found = re.search(
            r"Virtual phone shelf-7 is ready.*\n +adb connect 127\.0\.0\.1:(\d+)\n", printed
        )
        assert found
        port = int(found[1])
        found = re.search(r"ANDROID_ADB_SERVER_PORT=(\d+) adb devices", printed)
        assert found
        assert version(int(found[1])) == b"OKAY00040029"
        with socket.create_connection(("127.0.0.1", port), timeout=5) as idle:
            process.send_signal(signal.SIGTERM)
            with suppress(ConnectionResetError):  # where it was still to be accepted
                assert idle.recv(1) == b""
        assert process.wait(10) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_an_iphone_until_the_signal() -> None:
    with serving("ios", "--app", "dev.replicant.shop", "--knob", "dump_ms=1") as (process, printed):
        found = re.search(
            r"\n +pytest --replicant-device (ios:http://127\.0\.0\.1:(\d+))\n", printed
        )
        assert found
        with open_device(found[1]) as iphone:
            assert iphone.driver.app_in_front().app == "dev.replicant.shop"
            assert iphone.address == ("127.0.0.1", int(found[2]))
        (script,) = re.findall(r'python -c "(.*)"\n', printed)
        client = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
        )
        assert "dev.replicant.shop" in client.stdout
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


@pytest.mark.slow
def test_any_knob_can_be_set_and_each_app_that_is_named_is_there() -> None:
    knobs = ("--knob", "lose_tap=1", "--knob", "seed=7", "--knob", "profile=pixel")
    apps = ("--apps", OWN, "--app", "dev.replicant.lab", "--app", "dev.replicant.shop")
    with serving("--face", "server", *knobs, *apps) as (_, printed):
        assert printed.startswith("profile pixel: Google Pixel")
        assert "adb connect" not in printed
        found = re.search(r"ANDROID_ADB_SERVER_PORT=(\d+) adb devices", printed)
        assert found
        phone = adbutils.AdbClient("127.0.0.1", int(found[1])).device("virtual-1")
        assert "lose_tap=1&seed=7" in phone.shell("logcat -d")
        installed = phone.list_packages()
        assert {"com.acme.hostile", "dev.replicant.lab", "dev.replicant.shop"} <= {*installed}
        assert phone.app_current().package == "dev.replicant.lab"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "COMMAND"),
        (["virtual", "serve", "--adbd-port", "x"], "'x' is no port"),
        (["virtual", "serve", "--latency", "fast"], "latency=fast"),
        (["virtual", "serve", "--knob", "speed=1"], "no knob 'speed'"),
        (["virtual", "serve", "ios", "--knob", "profile=pixel"], "write virtual?profile=pixel"),
        (["virtual", "serve", "--knob", "lose_tap=2"], "lose_tap=2 is no probability"),
        (
            ["virtual", "serve", "--knob", "app=dev.replicant.shop"],
            "write --app dev.replicant.shop",
        ),
        (
            ["virtual", "serve", "--apps", OWN, "--app", "com.acme.hostil"],
            "Did you mean com.acme.hostile? There are: com.acme.hostile, dev.replicant.lab, dev",
        ),
        (["virtual", "serve", "--serial", "a b"], "'a b'"),
        (["virtual", "serve", "--face", "server", "--adbd-port", "5555"], "--adbd-port is for"),
        (["virtual", "serve", "ios", "--face", "both"], "--face is for Android"),
        (["virtual", "serve", "ios", "--knob", "shell_ms=1"], "no knob 'shell_ms' on an iPhone"),
        (["virtual", "serve", "--wda-port", "8100"], "replicant virtual serve ios"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert "Traceback" not in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("option", [["--adbd-port"], ["ios", "--wda-port"]])
def test_a_port_that_is_taken_is_trouble(option: list[str], capsys: Capture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["virtual", "serve", "--latency", "0", *option, str(port)]) == 3
    assert capsys.readouterr().err == (
        f"replicant: virtual phone: cannot listen on 127.0.0.1 port {port}: Address already in "
        "use. Next: another port, or none for any that is free\n"
    )
