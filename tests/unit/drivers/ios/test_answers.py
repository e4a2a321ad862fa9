"""What is a refusal, a session, a WebDriverAgent, and what only looks like one."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Refused, is_status
from pytest_replicant.drivers.ios.answers import excerpt, gist, refusal, session_id


@pytest.mark.parametrize(
    ("value", "status", "said"),
    [
        ({"error": "no such element", "message": "none", "traceback": ""}, 0, ("no such element", "none")),
        ({"error": "unknown error", "message": None}, 0, ("unknown error", "")),
        ("Session does not exist", 6, ("invalid session id", "Session does not exist")),
        ("nothing is open", 27, ("no such alert", "nothing is open")),
        (None, 99, ("status 99", "")),
    ],
)
def test_new_and_old_refusals_say_what_was_refused(value: object, status: int, said: tuple[str, str]) -> None:
    assert refusal(value, status) == said


@pytest.mark.parametrize("value", [None, {}, "", [], {"error": ""}, {"message": "no error"}, "error", 4, False])
def test_all_else_is_no_refusal(value: object) -> None:
    assert refusal(value, 0) is None
    assert refusal(value, None) is None


@pytest.mark.parametrize(
    ("error", "said", "lost", "dead", "unknown"),
    [
        ("invalid session id", "gone", True, False, False),
        ("invalid element state", "app is not running, possibly crashed", False, True, False),
        ("unknown command", "no such route", False, False, True),
        ("unknown error", "other", False, False, False),
    ],
)
def test_what_a_refusal_proves(error: str, said: str, lost: bool, dead: bool, unknown: bool) -> None:
    refused = Refused("message", error=error, said=said, device="phone", exchange="")
    assert (refused.is_session_lost, refused.is_app_dead, refused.is_unknown_call) == (lost, dead, unknown)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({"sessionId": "A", "value": {}}, "A"),
        ({"sessionId": None, "value": {"sessionId": "B", "capabilities": {}}}, "B"),
        ({"value": None}, ""),
        ({"sessionId": 7}, ""),
        ({"value": {"sessionId": ["C"]}}, ""),
    ],
)
def test_a_session_has_its_id_in_either_place(answer: dict[str, object], found: str) -> None:
    assert session_id(answer) == found


@pytest.mark.parametrize(
    "value",
    [
        {"state": "success", "os": {"name": "iOS", "version": "10.3.3"}, "build": {"time": "Sep 1 2017"}},
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
        {"ready": True, "os": {"name": "Linux", "version": "6.1", "arch": "x86_64"}, "build": {"version": "120"}},
        {"os": {"name": "iOS"}},
        {"os": "iOS"},
    ],
    ids=["nothing", "list", "text", "empty", "Appium", "chromedriver", "no version", "text for os"],
)
def test_other_servers_do_not(value: object) -> None:
    assert not is_status(value)


def test_an_excerpt_is_one_short_line() -> None:
    assert excerpt("a\n  b\tc") == "a b c"
    assert len(excerpt("long " * 1000)) < 210


NOT_THERE = (
    'Error Domain=FBSOpenApplicationServiceErrorDomain Code=1 "The request to open "a.b" failed." '
    'UserInfo={NSUnderlyingError=0x600003a1c2d0 {Error Domain=FBSOpenApplicationErrorDomain Code=4 "Application '
    'info provider (FBSApplicationLibrary) returned nil for "a.b"" UserInfo={BSErrorCodeDescription=NotFound}}'
)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            NOT_THERE + ', NSLocalizedFailureReason=Application "a.b" is not installed.}',
            'Application "a.b" is not installed.',
        ),
        (NOT_THERE + "}", 'Application info provider (FBSApplicationLibrary) returned nil for "a.b".'),
        ("no such app", "no such app"),
        ("", ""),
    ],
)
def test_of_an_error_of_ios_the_sentence_is_reported_without_codes_and_addresses(said: str, expected: str) -> None:
    assert gist(said) == expected
