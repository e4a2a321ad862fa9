from __future__ import annotations

import shlex
from collections.abc import Sequence
from importlib import import_module

import pytest

from pytest_replicant.testing import SharedClock
from pytest_replicant.virtual import Latency, VirtualPhone, lab

from .notes_phone import APP, AT_ONCE, BEYOND_ASCII, HOSTILE, center, make_phone, sh, shown


@pytest.fixture
def phone() -> VirtualPhone:
    return make_phone()


@pytest.mark.parametrize(
    ("screen", "error", "seconds"),
    [(".Clock", "ERROR: could not get idle state.\n", 10.0), (None, "", 1.0)],
)
@pytest.mark.parametrize("latency", [Latency(), AT_ONCE])
def test_a_dump_waits_for_a_screen_that_stands_still(
    screen: str | None, error: str, seconds: float, latency: Latency
) -> None:
    """For a second, within ten, on the phone's clock."""
    clock = SharedClock()
    phone = VirtualPhone([lab()], latency=latency, clock=clock.read, sleep=clock.sleep)
    clock.on_step.append(phone.version)
    phone.start_app("dev.replicant.lab", screen)
    clock.sleep(3)
    began = clock.now()
    assert sh(phone, "uiautomator dump /sdcard/x.xml").error == error
    assert phone.files.exists("/sdcard/x.xml") is not bool(error)
    wanted = seconds if screen or latency.dump_ms else 0.0
    assert clock.now() - began == pytest.approx(wanted, abs=0.3)


def test_taps_reach_the_app_and_take_one_gesture_each(phone: VirtualPhone) -> None:
    phone.start_app(APP)
    x, y = center(phone, "count")
    assert sh(phone, f"input tap {x} {y}").code == 0
    assert sh(phone, f"input touchscreen -d 0 tap {x}.5 {y}.0; echo done").code == 0
    assert "2 taps" in shown(phone)
    assert phone.pace.calls == {"gesture": 2}


@pytest.mark.parametrize(
    "text", [*HOSTILE, "%", "100% s", "two words", "~!@#$^&*()_+|}{:?><`-=[];,./"]
)
def test_text_is_typed_exactly(phone: VirtualPhone, text: str) -> None:
    phone.start_app(APP)
    phone.tap(*center(phone, "note"))
    answer = sh(phone, f"input text {shlex.quote(text.replace(' ', '%s'))}")
    assert (answer.code, answer.error) == (0, "")
    assert text in shown(phone)
    assert phone.pace.calls == {"text": 1}


@pytest.mark.parametrize("text", BEYOND_ASCII)
def test_text_beyond_ascii_is_refused_before_anything_is_typed(
    phone: VirtualPhone, text: str
) -> None:
    phone.start_app(APP)
    phone.tap(*center(phone, "note"))
    before = shown(phone)
    answer = sh(phone, f"input text {shlex.quote('abc' + text)}")
    assert answer.code == 255
    assert "NullPointerException" in answer.error
    assert shown(phone) == before


def test_keys_by_number_and_name(phone: VirtualPhone) -> None:
    phone.start_app(APP)
    phone.tap(*center(phone, "note"))
    assert (
        sh(
            phone, "input text abc; input keyevent 67 KEYCODE_DEL; input keyevent --longpress 29"
        ).code
        == 0
    )
    assert "aa" in shown(phone)
    assert sh(phone, "input keyevent HOME").code == 0
    assert phone.foreground()[0] != APP
    assert "unknown key: NO_SUCH" in sh(phone, "input keyevent NO_SUCH").error


@pytest.mark.parametrize(
    "line", ["input tap 1", "input tap a b", "input swipe 1 2 3 nan", "input text", "input nope 1"]
)
def test_bad_input_says_what_is_wrong_and_takes_no_time(phone: VirtualPhone, line: str) -> None:
    answer = sh(phone, line)
    assert answer.code == 255
    assert answer.error
    assert phone.pace.calls == {}


@pytest.mark.slow
def test_pictures(phone: VirtualPhone) -> None:
    png = sh(phone, "screencap -p").bytes
    assert png.startswith(b"\x89PNG")
    assert sh(phone, "screencap /sdcard/s.png; cat /sdcard/s.png").bytes == png
    raw = sh(phone, "screencap").bytes
    assert raw[:8] == (1080).to_bytes(4, "little") + (2400).to_bytes(4, "little")
    assert len(raw) == 16 + 1080 * 2400 * 4
    assert "not valid" in sh(phone, "screencap -d 7 -p").error


def test_a_picture_is_drawn_again_only_when_something_has_changed(
    phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As the shell finds it: the package may still name the one of a run within a test, which is
    # over.
    pictures = import_module("pytest_replicant.virtual.shell.commands.pictures")
    drawn: list[object] = []

    def draw(windows: Sequence[object], size: tuple[int, int]) -> bytes:
        drawn.append(size)
        return b"drawn %d" % len(drawn)

    monkeypatch.setattr(pictures, "render_png", draw)
    assert sh(phone, "screencap -p; screencap -p").out == "drawn 1drawn 1"
    phone.start_app(APP)
    assert sh(phone, "screencap -p").out == "drawn 2"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("getprop", "[ro.build.version.sdk]: [34]\n"),
        ("setprop debug.x 'a b'; getprop debug.x", "a b\n"),
        ("settings get global wifi_on; svc wifi disable; settings get global wifi_on", "1\n0\n"),
        (
            "settings delete system font_scale; settings get system font_scale",
            "Deleted 1 rows\nnull\n",
        ),
        ("dumpsys display", "uniqueId='local:4619827259835644672'"),
        ("dumpsys battery set level 7; dumpsys battery", "  level: 7\n"),
        ("dumpsys power", "mHoldingDisplaySuspendBlocker=true"),
        (
            "dumpsys SurfaceFlinger --display-id",
            "Display 4619827259835644672 (HWC display 0): port=0",
        ),
        (f"dumpsys deviceidle whitelist +{APP}", f"Added: {APP}\n"),
        ("pm list features", "feature:android.hardware.touchscreen\n"),
        ("getevent -p", "0035  : value 0, min 0, max 1079"),
        ("ifconfig wlan0", "inet addr:192.0.2.15 "),
        ("ip addr show dev wlan0", "inet 192.0.2.15/24"),
        ("ime list -s -a", "/com.android.inputmethod.latin.LatinIME\n"),
        ("cmd uimode night yes", "Night mode: yes\n"),
    ],
)
def test_what_clients_read(phone: VirtualPhone, line: str, part: str) -> None:
    answer = sh(phone, line)
    assert part in answer.out
    assert answer.code == 0
