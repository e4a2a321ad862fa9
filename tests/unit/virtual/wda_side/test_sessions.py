"""Status, sessions, settings, and what is told of a request that leads nowhere."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_replicant.errors import DeviceError, UsageError
from pytest_replicant.testing import SharedClock
from pytest_replicant.virtual import (
    IPHONE,
    App,
    Profile,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    shop,
    start_server,
)

from .desk_app import DESK, SPRINGBOARD, Wire, desk_phone

SHOP = "dev.replicant.shop"


class Dying(Screen[dict[str, Any]]):
    activity = ".Dying"

    def build(self, app: RunningApp[dict[str, Any]]) -> Text:
        raise RuntimeError("at launch")


def test_an_app_is_in_front_when_its_launch_is_answered() -> None:
    with slow_phone(shop()) as wire:
        for launch in (
            lambda: wire.open(bundleId=SHOP),
            lambda: wire.post("wda/apps/launch", bundleId=SHOP),
            lambda: wire.post("wda/apps/activate", bundleId=SHOP),
        ):
            wire.phone.press_key("HOME")
            assert wire.phone.foreground()[0] == SPRINGBOARD
            launch()
            assert wire.phone.foreground()[0] == SHOP


def test_a_session_for_an_app_that_dies_at_launch() -> None:
    app: App[dict[str, Any]] = App(
        package="dev.example.dying", label="Dying", state=dict, start=Dying
    )
    with slow_phone(app) as wire:
        body = {"capabilities": {"alwaysMatch": {"bundleId": app.package}}}
        _, error, message = wire.refused("POST", "/session", body)
        assert error == "session not created"
        assert message.startswith(f"Cannot launch {app.package} application.")


@contextmanager
def slow_phone(app: App[Any]) -> Iterator[Wire]:
    """With the latency of a phone, on a clock of its own."""
    clock = SharedClock()
    phone = VirtualPhone([app], profile=IPHONE, clock=clock.read, sleep=clock.sleep)
    clock.on_step.append(phone.version)
    with start_server(phone, server=False, wda=True) as server:
        yield Wire(int(server.wda_url.rpartition(":")[2]), phone)


def test_a_session_with_an_app_starts_it_afresh_and_ends_it(bare: Wire) -> None:
    bare.show()
    bare.state.note = "old"
    bare.open(bundleId=DESK)
    assert bare.state.note == ""
    assert bare.get("")["capabilities"]["browserName"] == "Desk"
    bare.send("DELETE", "")
    assert DESK not in bare.phone.processes()


def test_a_session_for_an_app_that_is_not_installed(bare: Wire) -> None:
    body = {"capabilities": {"alwaysMatch": {"bundleId": "no.such.app"}}}
    status, error, message = bare.refused("POST", "/session", body)
    assert (status, error) == (500, "session not created")
    assert "no.such.app" in message
    assert "is not installed" in message


def test_sessions_are_lost_on_purpose() -> None:
    phone = desk_phone()
    with start_server(phone, server=False, wda=True) as server:
        wire = Wire(server.wda_port, phone).show()
        button = wire.find("press")
        server.lose_sessions()
        assert wire.refused("POST", f"element/{button}/click")[1] == "invalid session id"
        assert wire.events == []
        assert (
            wire.open().refused("POST", f"element/{button}/click")[1] == "stale element reference"
        )


def test_what_is_of_a_session_only_is_not_there_without_one(bare: Wire) -> None:
    bare.open()
    for method, path in (("GET", "window/size"), ("POST", "wda/tap"), ("GET", "appium/settings")):
        assert bare.refused(method, f"/{path}", {})[:2] == (404, "unknown command")
    assert (
        bare.refused("POST", "wda/homescreen")[1] == "unknown command"
    )  # this one is of no session
    for path in ("source", "wda/locked", "wda/screen", "orientation"):
        assert bare.get(path) == bare.get(f"/{path}")


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/wda", "/session", "/session/1/2/3", "/%2e%2e/etc", "/mjpeg/1"]
)
def test_a_path_that_leads_nowhere(bare: Wire, path: str) -> None:
    status, error, message = bare.refused("GET", path)
    assert status == 404
    assert error in ("unknown command", "invalid session id")
    assert error == "invalid session id" or f"GET {path}" in message


# --- settings -------------------------------------------------------------------------------------
def test_settings_are_kept_until_the_session_ends(bare: Wire) -> None:
    bare.open()
    assert bare.get("appium/settings")["respectSystemAlerts"] is False
    bare.set(respectSystemAlerts=True, snapshotMaxDepth=20, noSuchSetting=1)
    reported = bare.get("appium/settings")
    assert (reported["respectSystemAlerts"], reported["snapshotMaxDepth"]) == (True, 20)
    assert "noSuchSetting" not in reported
    bare.open()
    assert bare.get("appium/settings")["snapshotMaxDepth"] == 50
    bare.open(respectSystemAlerts=True)
    assert bare.get("appium/settings")["respectSystemAlerts"] is True


@pytest.mark.parametrize(
    "settings",
    [
        {"snapshotMaxDepth": "deep"},
        {"snapshotMaxDepth": -1},
        {"defaultAlertAction": "ignore"},
        [],
        None,
    ],
)
def test_a_setting_of_the_wrong_kind(bare: Wire, settings: object) -> None:
    bare.open()
    assert bare.refused("POST", "appium/settings", {"settings": settings})[:2] == (
        400,
        "invalid argument",
    )


# --- the wire -------------------------------------------------------------------------------------
@pytest.mark.parametrize("body", ["{", "[]", "1", '"text"', "\x00", "[" * 100_000])
def test_a_body_that_is_no_object(bare: Wire, body: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", bare.open().port, timeout=10)
    connection.request("POST", f"/session/{bare.session}/wda/tap", body)
    answer = connection.getresponse()
    assert answer.status == 400
    assert b'"invalid argument"' in answer.read()
    connection.close()


def test_several_phones_have_a_port_each() -> None:
    phones = [
        VirtualPhone(profile=Profile(platform="ios", serial=serial, density=480)) for serial in "ab"
    ]
    with start_server(*phones, server=False, wda=True) as server:
        assert list(server.wda_ports) == ["a", "b"]
        assert len(set(server.wda_ports.values())) == 2
        assert server.wda_url == f"http://127.0.0.1:{server.wda_ports['a']}"
        more = VirtualPhone(profile=Profile(platform="ios", serial="c", density=480))
        server.attach(more)
        assert Wire(server.wda_ports["c"], more).get("/wda/device/info")["uuid"] == "c"
        server.detach("a")
        assert list(server.wda_ports) == ["b", "c"]


def test_a_port_that_is_taken_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(DeviceError, match=f"cannot listen on 127.0.0.1 port {port}"):
            start_server(desk_phone(), server=False, wda_port=port)
    with pytest.raises(UsageError, match="can belong to one phone, not to 2"):
        start_server(desk_phone(), VirtualPhone(), server=False, wda_port=port)
