"""What is a refusal, a session, a WebDriverAgent, and what only looks like one."""

from __future__ import annotations

import http.client
import re

import pytest
from wda.usbmux.exceptions import BadDevError, MuxConnectToUsbmuxdError, NotPairedError

from pytest_replicant.drivers import Refused, is_status
from pytest_replicant.drivers.ios.answers import CONNECTING, Agent, gist, refusal
from pytest_replicant.errors import (
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"error": "no such element", "message": "none", "traceback": ""},
            ("no such element", "none"),
        ),
        ({"error": "unknown error", "message": None}, ("unknown error", "")),
    ],
)
def test_a_refusal_says_what_was_refused(value: object, said: tuple[str, str]) -> None:
    assert refusal(value) == said


@pytest.mark.parametrize(
    "value", [None, {}, "", [], {"error": ""}, {"message": "no error"}, "error", 4, False]
)
def test_all_else_is_no_refusal(value: object) -> None:
    assert refusal(value) is None


@pytest.mark.parametrize(
    ("error", "said", "lost", "dead"),
    [
        ("invalid session id", "gone", True, False),
        ("invalid element state", "app is not running, possibly crashed", False, True),
        ("unknown error", "other", False, False),
    ],
)
def test_what_a_refusal_proves(error: str, said: str, lost: bool, dead: bool) -> None:
    refused = Refused("message", error=error, said=said, device="phone", exchange="")
    assert (refused.is_session_lost, refused.is_app_dead) == (lost, dead)


@pytest.mark.parametrize(
    "value",
    [
        {
            "state": "success",
            "os": {"name": "iOS", "version": "10.3.3"},
            "build": {"time": "Sep 1 2017"},
        },
        {"ready": True, "os": {"name": "iPadOS", "version": "17.5"}},
        {"os": {"name": "iPhone OS", "version": "9.3"}},
        {"os": {"version": "12.1"}},
    ],
)
def test_an_agent_says_which_ios_it_is_on(value: object) -> None:
    assert is_status(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "ready",
        {},
        {"ready": True, "message": "The server is ready", "build": {"version": "2.5.1"}},
        {
            "ready": True,
            "os": {"name": "Linux", "version": "6.1", "arch": "x86_64"},
            "build": {"version": "120"},
        },
        {"os": {"name": "iOS"}},
        {"os": "iOS"},
    ],
    ids=["nothing", "list", "text", "empty", "Appium", "chromedriver", "no version", "text for os"],
)
def test_other_servers_do_not(value: object) -> None:
    assert not is_status(value)


NOT_THERE = (
    'Error Domain=FBSOpenApplicationServiceErrorDomain Code=1 "The request to open "a.b" failed." '
    "UserInfo={NSUnderlyingError=0x600003a1c2d0 {Error Domain=FBSOpenApplicationErrorDomain "
    'Code=4 "Application info provider (FBSApplicationLibrary) returned nil for "a.b"" '
    "UserInfo={BSErrorCodeDescription=NotFound}}"
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            NOT_THERE + ', NSLocalizedFailureReason=Application "a.b" is not installed.}',
            'Application "a.b" is not installed.',
        ),
        (
            NOT_THERE + "}",
            'Application info provider (FBSApplicationLibrary) returned nil for "a.b".',
        ),
        ("no such app", "no such app"),
        ("", ""),
    ],
)
def test_of_an_error_of_ios_the_sentence_is_reported_without_codes_and_addresses(
    said: str, expected: str
) -> None:
    assert gist(said) == expected


URL = "http://127.0.0.1:8100"
CABLE = "http+usbmux://00008110:8100"
OF_ANDROID = re.compile(r"\badb|android|emulator|USB debugging", re.IGNORECASE)

CASES: list[tuple[Exception, type[DeviceError], str]] = [
    (ConnectionRefusedError(111, "refused"), DeviceOffline, "nothing listens at"),
    (TimeoutError("timed out"), DeviceTimeout, "no whole answer in 7 s"),
    (ConnectionResetError(104, "reset by peer"), DeviceOffline, "reset by peer"),
    (OSError(113, "No route to host"), DeviceOffline, "No route to host"),
    (http.client.RemoteDisconnected("without response"), DeviceOffline, "without response"),
    (http.client.BadStatusLine("SSH-2.0"), ProtocolError, "does not speak HTTP"),
    (http.client.IncompleteRead(b"half"), ProtocolError, "no WebDriverAgent"),
    (AttributeError("'list' object has no attribute 'get'"), ProtocolError, "is no WebDriverAgent"),
]
ANSWERS: list[tuple[str, tuple[object, ...], type[DeviceError], str]] = [
    ("bad_gateway", (b"<html>",), DeviceOffline, "HTTP 502"),
    ("unreadable", (b"<html>...",), ProtocolError, "is no WebDriverAgent"),
    ("unreadable", (b"",), ProtocolError, "answers with nothing"),
    ("unreadable", (b"[1, 2]",), ProtocolError, "is no WebDriverAgent"),
    ("unreadable", (b"\xff",), ProtocolError, "is no WebDriverAgent"),
    ("unreadable", (b"[" * 5000,), ProtocolError, "is no WebDriverAgent"),
    ("refused", ("unknown error", "no"), Refused, "unknown error: no"),
    (
        "refused",
        ("invalid session id", "Session does not exist"),
        Refused,
        "Session does not exist",
    ),
    ("refused", ("session not created", ""), Refused, "unlock it"),
]


@pytest.mark.parametrize(("error", "kind", "words"), CASES, ids=lambda value: type(value).__name__)
def test_it_says_what_happened_where(error: Exception, kind: type[DeviceError], words: str) -> None:
    ours = Agent("00008110", URL).error_of(
        error, "wda/tap", 7, b"<html>" if kind is ProtocolError else b""
    )
    check(ours, kind, words)


@pytest.mark.parametrize(("verb", "arguments", "kind", "words"), ANSWERS)
def test_an_answer_that_is_none_says_so(
    verb: str, arguments: tuple[object, ...], kind: type[DeviceError], words: str
) -> None:
    check(getattr(Agent("00008110", URL), verb)("wda/tap", *arguments), kind, words)


def check(ours: DeviceError, kind: type[DeviceError], words: str) -> None:
    assert type(ours) is kind
    assert str(ours).startswith(f"wda/tap on 00008110 (WebDriverAgent at {URL}): ")
    assert words in str(ours)
    assert ours.device == "00008110"
    assert not OF_ANDROID.search(str(ours))
    assert "\n" not in str(ours)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (NotPairedError("device should be paired first"), DeviceOffline, "paired"),
        (MuxConnectToUsbmuxdError("no usbmuxd"), DeviceOffline, "no usbmuxd"),
        (
            FileNotFoundError(2, "No such file or directory"),
            DeviceOffline,
            "this computer's usbmuxd",
        ),
        (BadDevError("bad device"), DeviceNotFound, "idevice_id -l"),
        (
            AttributeError("'NoneType' object has no attribute 'make_http_connection'"),
            DeviceNotFound,
            "no phone of that UDID",
        ),
    ],
    ids=["unpaired", "no usbmuxd", "no socket", "bad device", "unknown"],
)
def test_a_phone_on_a_cable(error: Exception, kind: type[DeviceError], words: str) -> None:
    ours = Agent(CABLE, CABLE).error_of(error, CONNECTING, 7, b"")
    assert type(ours) is kind
    assert str(ours).startswith(f"connecting to WebDriverAgent at {CABLE}: ")
    assert words in str(ours)


def test_the_start_of_the_answer_is_quoted_and_not_all_of_it() -> None:
    ours = Agent(URL, URL).unreadable(CONNECTING, b"<h1>Jenkins</h1>" + b" x" * 5000)
    assert "Jenkins" in str(ours)
    assert len(str(ours)) < 600


def test_an_agent_that_is_known_is_not_taken_for_another_because_its_answer_breaks_off() -> None:
    cut = b'{"value": "<?xml'
    known, unknown = (Agent(name, URL).unreadable("source", cut) for name in ("00008110", URL))
    assert "breaks off" in str(known)
    assert "something else" not in str(known)
    assert "something else" in str(unknown)
