"""Device URIs: what each form means, what is said about anything else, and what no message
shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import KNOBS, LATENCY_KNOBS, parse_uri, read_uri
from pytest_replicant.pool.open import FORMS
from pytest_replicant.pool.uri import WdaUrl, parse_wda_url
from pytest_replicant.virtual import Latency

UDID = "00008110-001A2B3C4D5E6F70"


@pytest.mark.parametrize("text", ["virtual", "virtual:android", "virtual:ios"])
def test_knobs_follow_a_question_mark(text: str) -> None:
    parsed = parse_uri(f"{text}?latency=0&dump_ms=1500&app=dev.replicant.shop")
    assert parsed.knobs == {"latency": ("0",), "dump_ms": ("1500",), "app": ("dev.replicant.shop",)}
    assert parsed.kind == "virtual"
    assert parsed.platform == ("ios" if text == "virtual:ios" else "android")


@pytest.mark.parametrize(
    ("text", "platform", "count"),
    [
        ("virtual:3", "android", 3),
        ("virtual:android:1?latency=0", "android", 1),
        ("virtual:ios:64", "ios", 64),
        ("virtual", "android", None),
    ],
)
def test_a_number_is_so_many_phones(text: str, platform: str, count: int | None) -> None:
    parsed = parse_uri(text)
    assert (parsed.kind, parsed.platform, parsed.count) == ("virtual", platform, count)


def test_several_apps_can_be_asked_for_and_knob_values_are_percent_decoded() -> None:
    assert parse_uri("virtual?app=a%2Eb&app=c.d").knobs["app"] == ("a.b", "c.d")


def test_every_latency_knob_is_one_that_the_phone_knows() -> None:
    knobs = dict.fromkeys(LATENCY_KNOBS, "7")
    latency = Latency.from_knobs(knobs)
    assert knobs == {}
    assert latency == Latency(**dict.fromkeys(LATENCY_KNOBS[1:], 7))


@pytest.mark.parametrize("serial", ["", "emulator-5554", "192.168.1.7:5555"])
def test_an_attached_phone_has_a_serial_or_is_the_only_one(serial: str) -> None:
    parsed = parse_uri(f"android:{serial}".rstrip(":"))
    assert (parsed.kind, parsed.platform, parsed.serial) == ("attached", "android", serial)


@pytest.mark.parametrize(
    ("text", "host", "port", "serial"),
    [
        ("adb://build-host:5037/R5CT", "build-host", 5037, "R5CT"),
        ("adb://127.0.0.1:41234/10.0.0.2:5555", "127.0.0.1", 41234, "10.0.0.2:5555"),
        ("adb://[::1]:5037/emulator-5554", "::1", 5037, "emulator-5554"),
    ],
)
def test_a_remote_server_is_host_port_and_serial(
    text: str, host: str, port: int, serial: str
) -> None:
    parsed = parse_uri(text)
    assert (parsed.kind, parsed.host, parsed.port, parsed.serial) == ("remote", host, port, serial)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no device URI"),
        ("emulator-5554", "android:SERIAL"),
        ("http://localhost:4723", "adb://HOST:PORT/SERIAL"),
        ("virtual:ios?shell_ms=3", "no knob 'shell_ms' on an iPhone"),
        ("virtual:ios?speed=9", "no knob 'speed'."),
        ("virtual:0", "0 virtual phones cannot be had; give a number from 1 to 64."),
        (
            "virtual:ios:1000000",
            "1000000 virtual phones cannot be had; give a number from 1 to 64.",
        ),
        ("virtual:-1", "no virtual phone '-1'"),
        ("virtual:android:two", "no virtual phone 'android:two'"),
        ("virtual:3?serial=one", "serial names one phone, and 3 are asked for"),
        ("virtual:iOS", "There are: virtual, virtual:android, virtual:ios."),
        ("ios", "ios:http://127.0.0.1:8100 or ios:http+usbmux://UDID:8100."),
        ("ios://mac-mini", "Did you mean ios:http://mac-mini:8100?"),
        (f"ios:{UDID}", f"Did you mean ios:http+usbmux://{UDID}:8100?"),
        (f"ios:{UDID}:8101", f"Did you mean ios:http+usbmux://{UDID}:8101?"),
        ("ios:http://localhost", "write ios:http://localhost:8100."),
        ("ios:http://localhost:0", "0 is no port"),
        ("ios:http://two words:8100", "the URL of its WebDriverAgent"),
        ("ios:ftp://host:8100", "the URL of its WebDriverAgent"),
        (f"ios:http+usbmux://{UDID}:8100/wda", "has no path"),
        ("virtual?latency", "has no value"),
        ("virtual?latency=0&latency=1", "given twice"),
        ("android:", "no serial"),
        ("adb://host/serial", "adb://HOST:PORT/SERIAL"),
        ("android?x=1", "only a virtual phone has them. Leave it out: android."),
    ],
)
def test_anything_else_is_refused_with_what_to_write_instead(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_uri(text)
    assert said in str(refused.value)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "known"), [("virtual?speed=9", (*LATENCY_KNOBS, "app")), ("telnet:phone", FORMS)]
)
def test_an_unknown_knob_or_form_is_answered_with_all_of_them(
    text: str, known: tuple[str, ...]
) -> None:
    with pytest.raises(UsageError) as refused:
        parse_uri(text)
    assert all(each in str(refused.value) for each in known)


@pytest.mark.parametrize(
    ("text", "platform", "kind"),
    [
        ("virtual", "android", "unlimited"),
        ("virtual:android?latency=0", "android", "unlimited"),
        ("virtual?app=x:1", "android", "unlimited"),
        ("virtual:ios?latency=0", "ios", "unlimited"),
        ("virtual:2", "android", "one"),
        ("virtual:ios:2?latency=0", "ios", "one"),
        ("virtual?latency=0&serial=one", "android", "one"),
        ("virtual:other", None, "unlimited"),
        ("android", "android", "real"),
        ("android:R5CT", "android", "real"),
        ("adb://host:5037/R5CT", "android", "real"),
        ("ios:http://localhost:8100", "ios", "real"),
        ("androidx", None, "real"),
        ("farm:1", None, "real"),
    ],
)
def test_what_a_uri_says_of_its_phones(text: str, platform: str | None, kind: str) -> None:
    """Without judging its knobs: of a virtual phone that has a name there is one, of others as many
    as needed."""
    uri = read_uri(text)
    assert (uri.platform, uri.is_virtual, uri.is_unlimited) == (
        platform,
        kind != "real",
        kind == "unlimited",
    )


def test_every_knob_is_explained() -> None:
    page = (Path(__file__).parents[3] / "docs/reference/virtual-phone.md").read_text(
        encoding="utf-8"
    )
    assert [knob for knob in KNOBS if f"`{knob}`" not in page and f"`{knob}=" not in page] == []


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
    for text in (str(refused.value), read_uri(device).masked):
        assert "hunter" not in text
        assert "host" in text


def test_what_is_hidden_is_known_to_whoever_redacts() -> None:
    assert read_uri("ios:http://ada:hunter2@host:8100?token=7").secrets == (
        "token=7",
        "ada:hunter2",
    )
    assert read_uri("farm:https://key@farm/7?slot=2").secrets == ("key",)
    assert read_uri("virtual:ios?latency=0").secrets == read_uri("android:a@b").secrets == ()


def test_a_password_is_said_to_be_of_no_use() -> None:
    with pytest.raises(UsageError, match=r"a user or a password cannot be used.*tunnel"):
        parse_wda_url("ios:http://ada:hunter2@host:8100", "http://ada:hunter2@host:8100")


@pytest.mark.parametrize(
    "device",
    [
        "virtual?latency=0",
        "android:a@b",
        "adb://host:5037/R5CT",
        "ios:http://host:8100",
        "farm:7",
        "",
    ],
)
def test_any_other_uri_is_reported_as_it_is(device: str) -> None:
    assert read_uri(device).masked == device
