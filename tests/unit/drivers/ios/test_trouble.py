"""What facebook-wda raises, in our words: each says where, and what to do next on an iPhone."""

from __future__ import annotations

import http.client
import re

import pytest
from wda.exceptions import (
    WDABadGateway,
    WDAEmptyResponseError,
    WDAError,
    WDAInvalidSessionIdError,
    WDARequestError,
)
from wda.usbmux.exceptions import BadDevError, HTTPError, MuxConnectToUsbmuxdError, NotPairedError

from pytest_replicant.drivers import Refused
from pytest_replicant.drivers.ios.trouble import CONNECTING, Trouble
from pytest_replicant.errors import DeviceError, DeviceNotFound, DeviceOffline, DeviceTimeout, ProtocolError

URL = "http://127.0.0.1:8100"
CABLE = "http+usbmux://00008110:8100"
OF_ANDROID = re.compile(r"\badb|android|emulator|USB debugging", re.IGNORECASE)
LOST = {"error": "invalid session id", "message": "Session does not exist"}

CASES: list[tuple[Exception, type[DeviceError], str]] = [
    (HTTPError(ConnectionRefusedError(111, "refused")), DeviceOffline, "nothing listens at"),
    (HTTPError(TimeoutError("timed out")), DeviceTimeout, "no whole answer in 7 s"),
    (HTTPError(ConnectionResetError(104, "reset by peer")), DeviceOffline, "reset by peer"),
    (HTTPError(OSError(113, "No route to host")), DeviceOffline, "No route to host"),
    (HTTPError(http.client.RemoteDisconnected("without response")), DeviceOffline, "without response"),
    (HTTPError(http.client.BadStatusLine("SSH-2.0")), ProtocolError, "does not speak HTTP"),
    (HTTPError(http.client.IncompleteRead(b"half")), ProtocolError, "no WebDriverAgent"),
    (WDABadGateway(502, "<html>"), DeviceOffline, "HTTP 502"),
    (WDAError("GET", URL, "<html>..."), ProtocolError, "is no WebDriverAgent"),
    (WDAEmptyResponseError("GET", URL, None), ProtocolError, "answers with nothing"),
    (AttributeError("'list' object has no attribute 'get'"), ProtocolError, "is no WebDriverAgent"),
    (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), ProtocolError, "is no WebDriverAgent"),
    (RecursionError("maximum recursion depth exceeded"), ProtocolError, "is no WebDriverAgent"),
    (WDARequestError(110, {"error": "unknown error", "message": "no"}), Refused, "unknown error: no"),
    (WDAInvalidSessionIdError(110, LOST), Refused, "Session does not exist"),
    (WDARequestError(110, {"error": "session not created", "message": ""}), Refused, "unlock it"),
]


@pytest.mark.parametrize(("error", "kind", "words"), CASES, ids=lambda value: type(value).__name__)
def test_it_says_what_happened_where(error: Exception, kind: type[DeviceError], words: str) -> None:
    ours = Trouble("00008110", URL).ours(error, "wda/tap", 7, b"<html>" if kind is ProtocolError else b"")
    assert type(ours) is kind
    assert str(ours).startswith(f"wda/tap on 00008110 (WebDriverAgent at {URL}): ")
    assert words in str(ours)
    assert ours.device == "00008110"
    assert not OF_ANDROID.search(str(ours))
    assert "\n" not in str(ours)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (HTTPError(NotPairedError("device should be paired first")), DeviceOffline, "paired"),
        (HTTPError(MuxConnectToUsbmuxdError("no usbmuxd")), DeviceOffline, "no usbmuxd"),
        (HTTPError(FileNotFoundError(2, "No such file or directory")), DeviceOffline, "this computer's usbmuxd"),
        (HTTPError(BadDevError("bad device")), DeviceNotFound, "idevice_id -l"),
        (
            HTTPError(AttributeError("'NoneType' object has no attribute 'make_http_connection'")),
            DeviceNotFound,
            "no phone of that UDID",
        ),
    ],
    ids=["unpaired", "no usbmuxd", "no socket", "bad device", "unknown"],
)
def test_a_phone_on_a_cable(error: Exception, kind: type[DeviceError], words: str) -> None:
    ours = Trouble(CABLE, CABLE).ours(error, CONNECTING, 7, b"")
    assert type(ours) is kind
    assert str(ours).startswith(f"connecting to WebDriverAgent at {CABLE}: ")
    assert words in str(ours)


def test_how_the_answer_began_is_told_and_not_all_of_it() -> None:
    ours = Trouble(URL, URL).ours(WDAError("GET", URL, "..."), CONNECTING, 7, b"<h1>Jenkins</h1>" + b" x" * 5000)
    assert "Jenkins" in str(ours)
    assert len(str(ours)) < 600


def test_an_agent_that_is_known_is_not_taken_for_another_because_its_answer_breaks_off() -> None:
    cut, error = b'{"value": "<?xml', WDAError("GET", URL, "...")
    known, unknown = (Trouble(name, URL).ours(error, "source", 7, cut) for name in ("00008110", URL))
    assert "breaks off" in str(known)
    assert "something else" not in str(known)
    assert "something else" in str(unknown)


def test_what_it_came_through_is_in_no_traceback() -> None:
    trouble = Trouble("00008110", URL)
    for ours in (trouble.odd("x", 1), trouble.offline("x", "y"), trouble.still_hangs("x"), trouble.too_much("x")):
        assert ours.__suppress_context__
