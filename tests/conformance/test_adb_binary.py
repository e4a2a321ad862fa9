"""The real adb command line drives the phone: through a real adb server and adbd, and straight to
our server."""

from __future__ import annotations

import io
import os
import re
import shutil
import socket
import time
import zipfile
from pathlib import Path

import pytest

from pytest_replicant.virtual import PhoneServer, Stream, VirtualPhone, start_server

from .private_adb import Adb, PrivateAdb, Recorder, adb_binary

BUNDLE = (
    '{"package": "dev.example.small", "label": "Small", "version_name": "1.2", "version_code": 12}'
)


def bundle() -> bytes:
    """The smallest app that the phone's package installer takes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("replicant-app.json", BUNDLE)
        archive.writestr("assets/ballast", os.urandom(300_000))
    return content.getvalue()


async def echo(stream: Stream) -> None:
    while data := await stream.read():
        await stream.write(data)


def say(port: int, words: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=5) as client:
        client.sendall(words)
        return client.recv(100)


def test_devices(adb: Adb) -> None:
    listed = Adb(adb.binary, adb.folder, adb.port)("devices", "-l")
    serial = re.escape(adb.prefix[1])
    assert re.search(
        rf"^{serial} +device product:replicant_virtual model:Virtual_Phone device:virtual transport_id:\d+$",
        listed,
        re.MULTILINE,
    )
    assert adb("get-state") == "device\n"
    assert adb("get-serialno") == f"{adb.prefix[1]}\n"


def test_shell_reads_standard_input(adb: Adb) -> None:
    assert adb("shell", "cat", given=b"x" * 200_000) == "x" * 200_000
    assert adb("shell", given=b"echo one\necho two\n") == "one\ntwo\n"


def test_shell_of_old(adb: Adb) -> None:
    assert adb("shell", "-x", "echo hello") == "hello\n"
    assert adb("exec-out", "echo", "it's", "two words") == "it's two words\n"


@pytest.mark.slow
def test_five_megabytes_there_and_back(adb: Adb, phone: VirtualPhone, tmp_path: Path) -> None:
    content = os.urandom(5_000_000)
    (tmp_path / "there").write_bytes(content)
    pushed = adb.run("push", str(tmp_path / "there"), "/sdcard/Download/five.bin")
    assert pushed.returncode == 0
    assert phone.files.read("/sdcard/Download/five.bin") == content
    assert adb.run("pull", "/sdcard/Download/five.bin", str(tmp_path / "back")).returncode == 0
    assert (tmp_path / "back").read_bytes() == content


@pytest.mark.parametrize("binary", ["newest", "installed"])
def test_a_killed_push_leaves_the_phone_to_others(
    binary: str, server: PhoneServer, tmp_path: Path
) -> None:
    """Its server sends the rest of what it holds at once, unasked, and closes the stream."""
    found = adb_binary() if binary == "newest" else shutil.which("adb")
    if found is None:
        pytest.skip(f"no {binary} adb here")
    (tmp_path / "ballast").write_bytes(bytes(30_000_000))
    address = f"{server.host}:{server.adbd_port}"
    with PrivateAdb(Path(found), tmp_path) as lonely:
        lonely("connect", address)
        adb = lonely.on(address)
        with adb.start("shell", "echo ready; cat; sleep 600") as other:
            assert other.stdout is not None
            assert other.stdout.readline() == b"ready\n"
            for attempt in range(6):
                with adb.start("push", str(tmp_path / "ballast"), "/sdcard/ballast") as push:
                    time.sleep(0.03 + attempt / 100)  # it says nothing of its progress
                    push.kill()
                assert adb("shell", "echo there") == "there\n"
            assert other.poll() is None
            other.kill()


def test_folders_and_what_is_not_there(adb: Adb, tmp_path: Path) -> None:
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "deep" / "a, b.txt").write_text("abc")
    (tmp_path / "tree" / "empty").write_bytes(b"")
    adb("push", str(tmp_path / "tree"), "/sdcard/new/")
    adb("pull", "/sdcard/new", str(tmp_path / "back"))
    assert next((tmp_path / "back").rglob("a, b.txt")).read_text() == "abc"
    assert next((tmp_path / "back").rglob("empty")).read_bytes() == b""
    done = adb.run("pull", "/sdcard/nothing", str(tmp_path / "nothing"))
    assert done.returncode == 1
    assert b"No such file or directory" in done.stderr + done.stdout  # adb 29 says it there
    assert "deep" in adb("ls", "/sdcard/new/tree") + adb("ls", "/sdcard/new")


def test_an_app_is_installed_and_uninstalled(adb: Adb, tmp_path: Path) -> None:
    apk = tmp_path / "small.apk"
    apk.write_bytes(bundle())
    assert adb("install", str(apk)).splitlines()[-1] == "Success"
    assert "package:dev.example.small\n" in adb("shell", "pm", "list", "packages")
    assert adb("uninstall", "dev.example.small") == "Success\n"
    assert adb("install", "--no-streaming", str(apk)).splitlines()[-1] == "Success"
    assert adb("uninstall", "dev.example.small") == "Success\n"


def test_a_forward(adb: Adb, phone: VirtualPhone) -> None:
    phone.ports.bind("tcp:7", echo)
    port = int(adb("forward", "tcp:0", "tcp:7"))
    assert say(port, b"through the forward") == b"through the forward"
    assert f"{adb.prefix[1]} tcp:{port} tcp:7" in adb("forward", "--list")
    assert adb.run("forward", "--no-rebind", f"tcp:{port}", "tcp:8").returncode == 1
    adb("forward", "--remove", f"tcp:{port}")
    assert adb("forward", "--list").strip() == ""
    done = adb.run("forward", "--remove", f"tcp:{port}")
    assert f"listener 'tcp:{port}' not found".encode() in done.stderr


def test_a_reverse_forward(adb: Adb, phone: VirtualPhone) -> None:
    phone.ports.bind("tcp:7", echo)
    computer = int(adb("forward", "tcp:0", "tcp:7"))
    adb("reverse", "tcp:900", f"tcp:{computer}")
    assert f"tcp:900 tcp:{computer}" in adb("reverse", "--list")
    inward = int(adb("forward", "tcp:0", "tcp:900"))
    assert say(inward, b"round and round") == b"round and round"
    adb("reverse", "--remove", "tcp:900")
    assert "tcp:900" not in adb("reverse", "--list")
    adb("forward", "--remove-all")


def test_a_phone_that_asks_who_is_there(private_adb: Adb, phone: VirtualPhone) -> None:
    asked: list[bytes] = []

    def trusts(key: bytes) -> bool:
        asked.append(key)
        return len(asked) > 1

    with start_server(phone, server=False, adbd=True, trusts=trusts) as server:
        address = f"127.0.0.1:{server.adbd_port}"
        private_adb.run("connect", address)
        assert f"{address}\tunauthorized" in private_adb("devices")
        done = private_adb.on(address).run("shell", "ls")
        assert b"unauthorized" in done.stderr
        private_adb("disconnect", address)
        private_adb.run("connect", address)
        private_adb.on(address)("wait-for-device")
        assert private_adb.on(address)("shell", "echo trusted") == "trusted\n"
        private_adb("disconnect", address)
    assert asked[0] == asked[1]
    assert re.fullmatch(rb"[A-Za-z0-9+/=]{500,} \S+", asked[0])


def test_nothing_contacts_the_usual_port(usual_port: Recorder, adb: Adb, tmp_path: Path) -> None:
    adb("devices")
    adb("shell", "echo hello")
    adb("forward", "tcp:0", "tcp:7")
    adb("forward", "--remove-all")
    (tmp_path / "x").write_bytes(b"x")
    adb("push", str(tmp_path / "x"), "/sdcard/x")
    assert usual_port.heard() == []
