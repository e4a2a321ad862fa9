"""Ctrl-C in mid-test leaves no process, port or lease; a virtual phone never touches the user's
adb."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from pytest_replicant.pool import Lease
from pytest_replicant.virtual import IPHONE, VirtualPhone, start_server
from tests.conftest import Run

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent


IPHONE_TOO = pytest.param("ios", marks=pytest.mark.thorough)


@pytest.mark.thorough
@pytest.mark.parametrize("platform", ["android", IPHONE_TOO])
def test_a_virtual_phone_never_asks_for_the_users_adb(
    platform: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = tmp_path / "adb-was-called"
    adb = tmp_path / "bin" / "adb"
    adb.parent.mkdir()
    adb.write_text(f"#!/bin/sh\necho \"$@\" >> '{called}'\nexit 1\n")
    adb.chmod(0o755)
    monkeypatch.setenv("PATH", f"{adb.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
    source = """
    def test_shop(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
        assert mobile.platform == "ios" or mobile.logs()
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.getsockname()[1]))
        run(source, f"--replicant-device=virtual:{platform}?latency=0").assert_outcomes(passed=1)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):  # no one has called
            server.accept()
    assert not called.exists()


INTERRUPTIBLE = """
import signal, sys, pytest
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job is started deaf to it
sys.exit(pytest.main(sys.argv[1:]))
"""

WAITING = """
import time
from pathlib import Path

def test_waits(mobile, new_mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    new_mobile("virtual?latency=0").snapshot()
    new_mobile("virtual:ios?latency=0").snapshot()
    Path("ready").write_text("yes")
    time.sleep(60)
"""


@pytest.mark.ci
@pytest.mark.parametrize("platform", ["android", IPHONE_TOO])
def test_ctrl_c_leaves_no_process_port_or_lease(tmp_path: Path, platform: str) -> None:
    """The first phone is somebody else's, here ours: its lease must be free again, and its ports
    closed."""
    (tmp_path / "test_waits.py").write_text(WAITING)
    (tmp_path / "tox.ini").write_text("[pytest]\n")
    from pytest_replicant.pool import demo_apps

    iphone = platform == "ios"
    phone = VirtualPhone(demo_apps(()), profile=IPHONE if iphone else None)
    server = start_server(phone, server=not iphone, wda=iphone)
    try:
        uri = (
            f"ios:{server.wda_url}"
            if iphone
            else f"adb://127.0.0.1:{server.port}/{phone.profile.serial}"
        )
        run = _start(tmp_path, uri)
        _wait_for(tmp_path / "ready", run)
        ports = _listening(run.pid)
        assert len(ports) > 1, (
            "the servers of the second phone and of the third listen while the test runs"
        )
        with pytest.raises(Exception, match=str(run.pid)):
            Lease(uri).acquire()
        run.send_signal(signal.SIGINT)
        output, _ = run.communicate(timeout=30)
        assert run.returncode == 2, output
        assert "KeyboardInterrupt" in output
        Lease(uri).acquire().release()
        for port in ports:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", port), 2).close()
        assert not phone.ports.addresses(), "what was started on the phone is stopped"
        assert not iphone or _session(server.wda_url) is None, (
            "the session with WebDriverAgent is ended"
        )
    finally:
        server.close()


def _start(folder: Path, uri: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", INTERRUPTIBLE, "-p", "no:randomly", f"--replicant-device={uri}"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _wait_for(path: Path, run: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline, "the test never came to its wait"
        time.sleep(0.05)


def _session(url: str) -> object:
    """Which session WebDriverAgent has, by its own word."""
    with urllib.request.urlopen(f"{url}/status", timeout=5) as status:
        return json.load(status)["sessionId"]


def _listening(pid: int) -> list[int]:
    """Ports on which a process listens, from the kernel's own table."""
    sockets = set()
    for handle in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            sockets.add(os.readlink(handle))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return [
        int(row[1].split(":")[1], 16)
        for row in rows
        if row[3] == "0A" and f"socket:[{row[9]}]" in sockets
    ]
