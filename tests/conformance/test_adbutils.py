"""Plain adbutils drives the phone: on our adb server, and through a real one on the phone's
adbd."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adbutils
import pytest
from PIL import Image

from pytest_replicant.virtual import PhoneServer, Profile, VirtualPhone

from .private_adb import Adb

# Its own `close` sleeps and its `create_connection` drops sockets on errors without closing them.
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture(params=["server", pytest.param("adbd", marks=pytest.mark.ci)])
def device(request: pytest.FixtureRequest, server: PhoneServer) -> Iterator[Any]:
    """The phone on each face in turn."""
    if request.param == "server":
        yield adbutils.AdbClient(host="127.0.0.1", port=server.port).device("virtual-1")
        return
    adb: Adb = request.getfixturevalue("private_adb")
    through = adbutils.AdbClient(host="127.0.0.1", port=adb.port)
    address = f"127.0.0.1:{server.adbd_port}"
    assert through.connect(address, timeout=5) == f"connected to {address}"
    yield through.device(address)
    through.disconnect(address)


def test_shell(device: Any) -> None:
    assert device.shell("echo hello") == "hello"
    assert device.shell(["echo", "it's", "$HOME", "日本語"]) == "it's $HOME 日本語"
    done = device.shell2("echo out; no_such_command")
    assert done.returncode == 127
    assert done.output.startswith("out\n")
    done = device.shell2("echo out; echo err >&2; exit 3", v2=True)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")


def test_listening_to_a_quiet_log_ends_at_once(device: Any, tmp_path: Path) -> None:
    listening = device.logcat(tmp_path / "log.txt", clear=True)
    listening.stop(timeout=2)
    assert listening.is_done()


@pytest.mark.parametrize(
    "phone", [Profile(), Profile(sdk=24)], indirect=True, ids=["android-14", "android-7"]
)
def test_the_framebuffer(device: Any, phone: VirtualPhone) -> None:
    connection = device.open_transport()
    connection.send_command("framebuffer:")
    connection.check_okay()
    version, bits, *rest = struct.unpack("<13I", connection.read_exact(52))
    if version == 2:
        assert rest.pop(0) == 1  # sRGB
        rest.append(struct.unpack("<I", connection.read_exact(4))[0])
    width, height = phone.size
    assert (version, bits) == (2 if phone.profile.sdk > 27 else 1, 32)
    assert rest == [width * height * 4, width, height, 0, 8, 16, 8, 8, 8, 24, 8]
    drawn = Image.frombytes("RGBA", (width, height), connection.read_exact(width * height * 4))
    assert drawn.convert("RGB").tobytes() == device.screenshot(error_ok=False).tobytes()
    connection.close()
