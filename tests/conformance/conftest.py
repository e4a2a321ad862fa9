"""A virtual phone for clients that other people wrote, and an adb of our own."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Latency, PhoneServer, VirtualPhone, start_server

from .private_adb import Adb, PrivateAdb, Recorder, adb_binary


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("a phone to check the drivers on")
    group.addoption("--phone", metavar="URI", help="a real phone in the place of the virtual ones")
    group.addoption(
        "--phone-app",
        metavar="APP",
        help="an app on it, which will be launched, stopped and touched",
    )
    group.addoption(
        "--phone-field", metavar="X,Y", help="pixel in a text field of the app's first screen"
    )
    group.addoption(
        "--adb", metavar="PATH", type=Path, help="an adb in the place of the adbutils wheel's"
    )
    group.addoption("--phone-link", metavar="URL", help="an address that the app opens")


@pytest.fixture
def phone(request: pytest.FixtureRequest) -> VirtualPhone:
    """With the shop installed, and no latency; of another profile where a test is parametrised with
    it."""
    profile = getattr(request, "param", None)
    apps = demo_apps(["dev.replicant.shop"])
    return VirtualPhone(apps, profile=profile, latency=Latency.from_knobs({"latency": "0"}))


@pytest.fixture
def server(phone: VirtualPhone, caplog: pytest.LogCaptureFixture) -> Iterator[PhoneServer]:
    """The phone behind both faces. Fails the test where anything inside it went wrong unnoticed."""
    with caplog.at_level(logging.WARNING), start_server(phone, adbd=True) as running:
        yield running
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


@pytest.fixture(scope="session")
def binary(request: pytest.FixtureRequest) -> Path:
    found = request.config.getoption("--adb") or adb_binary()
    if found is None:
        pytest.skip("the adbutils wheel for this platform brings no adb binary")
    return found


@pytest.fixture(scope="session")
def private_adb(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Adb]:
    """A real adb server that no phone is connected to, and the command line as its client."""
    with PrivateAdb(binary, tmp_path_factory.mktemp("adb")) as adb:
        yield adb


@pytest.fixture
def through_adbd(private_adb: Adb, server: PhoneServer) -> Iterator[Adb]:
    """The command line, through the real adb server and the phone's adbd."""
    address = f"{server.host}:{server.adbd_port}"
    assert private_adb("connect", address) == f"connected to {address}\n"
    yield private_adb.on(address)
    private_adb("disconnect", address)


@pytest.fixture
def through_server(binary: Path, server: PhoneServer, tmp_path: Path) -> Adb:
    """The command line, straight to the phone's own adb server."""
    return Adb(binary, tmp_path, server.port, "-s", server.serials[0])


@pytest.fixture(params=["adbd", pytest.param("server", marks=pytest.mark.ci)])
def adb(request: pytest.FixtureRequest) -> Adb:
    """Each face in turn."""
    found: Adb = request.getfixturevalue(f"through_{request.param}")
    return found


@pytest.fixture
def usual_port() -> Iterator[Recorder]:
    """Whoever contacts an adb server where one usually is gets recorded instead."""
    try:
        listener = socket.create_server(("127.0.0.1", 5037))
    except OSError:
        pytest.skip("port 5037 is in use: an adb server, or another test that records it")
    with listener:
        recorder = Recorder(listener)
        socket.create_connection(("127.0.0.1", 5037), timeout=5).close()
        assert recorder.heard() == [b""]  # it does hear
        yield recorder
