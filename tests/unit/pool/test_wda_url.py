"""The URL of a WebDriverAgent: what is connected to, what is leased, and what no message shows."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import hidden_in, parse_uri, told_uri
from pytest_replicant.pool.wda_url import WdaUrl, parse_wda_url

UDID = "00008110-001A2B3C4D5E6F70"


def url_of(device: str) -> WdaUrl:
    parsed = parse_uri(device)
    assert parsed.url is not None
    assert (parsed.kind, parsed.platform, parsed.text) == ("wda", "ios", device)
    return parsed.url


@pytest.mark.parametrize(
    ("device", "text", "host", "port"),
    [
        ("ios:http://127.0.0.1:8100", "http://127.0.0.1:8100", "127.0.0.1", 8100),
        ("ios:http://127.0.0.1:8100/", "http://127.0.0.1:8100", "127.0.0.1", 8100),
        ("ios:HTTP://Mac-Mini.local:8100", "http://Mac-Mini.local:8100", "Mac-Mini.local", 8100),
        ("ios:https://farm.example.org", "https://farm.example.org:443", "farm.example.org", 443),
        (
            "ios:https://farm.example.org:8443/7/wda/",
            "https://farm.example.org:8443/7/wda",
            "farm.example.org",
            8443,
        ),
        ("ios:http://[::1]:8100", "http://[::1]:8100", "[::1]", 8100),
        (f"ios:http+usbmux://{UDID}:8100", f"http+usbmux://{UDID}:8100", UDID, 8100),
        (f"ios:http+usbmux://{UDID}", f"http+usbmux://{UDID}:8100", UDID, 8100),
    ],
)
def test_an_iphone_is_a_url(device: str, text: str, host: str, port: int) -> None:
    url = url_of(device)
    assert (url.text, url.host, url.port) == (text, host, port)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LocalHost"])
def test_one_place_in_several_spellings_is_one_place(host: str) -> None:
    assert url_of(f"ios:http://{host}:8100").place == "http://127.0.0.1:8100"


def test_other_places_are_other_places() -> None:
    devices = [
        "ios:http://a:8100",
        "ios:http://a:8101",
        "ios:http://b:8100",
        "ios:https://a:8100",
        "ios:https://a/2",
    ]
    assert len({url_of(device).place for device in devices}) == len(devices)


@pytest.mark.parametrize(
    "device",
    [
        "ios:http://ada:hunter2@host:8100",
        "ios:http://hunter2@host:8100",
        "ios:http://ada:hunter/2@host:8100",
        "ios:http://a@hunter2@host:8100",
        "ios:ada:hunter2@host:8100",
        "ios:http://host:8100?token=hunter2",
        "ios:http://host:8100/?token=hunter2@host",
        "http://ada:hunter2@host:8100",
    ],
)
def test_no_message_shows_a_password(device: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_uri(device)
    for text in (str(refused.value), told_uri(device)):
        assert "hunter" not in text
        assert "host" in text


def test_what_is_hidden_is_known_to_whoever_redacts() -> None:
    assert hidden_in("ios:http://ada:hunter2@host:8100?token=7") == ("token=7", "ada:hunter2")
    assert hidden_in("farm:https://key@farm/7?slot=2") == ("key",)
    assert hidden_in("virtual:ios?latency=0") == hidden_in("android:a@b") == ()


def test_a_password_is_said_to_be_of_no_use() -> None:
    with pytest.raises(UsageError, match=r"a user or a password cannot be used.*tunnel"):
        parse_wda_url("ios:http://ada:hunter2@host:8100", "http://ada:hunter2@host:8100")


@pytest.mark.parametrize(
    "device",
    ["virtual?latency=0", "android:a@b", "adb://host:5037/R5CT", "ios:http://host:8100", "farm:7", ""],
)
def test_any_other_uri_is_told_as_it_is(device: str) -> None:
    assert told_uri(device) == device
