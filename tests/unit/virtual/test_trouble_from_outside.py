"""Airplane mode, a clock that is set, a full storage, a package for another processor."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from pytest_replicant.virtual import Latency, VirtualPhone, lab
from pytest_replicant.virtual.demo_apps.lab import PACKAGE

from .notes_phone import sh
from .toy_app import ManualClock

AT_ONCE = Latency(**dict.fromkeys(Latency.__dataclass_fields__, 0))
APK = "/data/local/tmp/parcel.apk"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> VirtualPhone:
    return VirtualPhone([lab()], latency=AT_ONCE, clock=clock)


def is_online(phone: VirtualPhone) -> bool:
    """As an app sees it."""
    phone.start_app(PACKAGE)
    return bool(phone._tasks.running[PACKAGE].is_online)


# --- the network ------------------------------------------------------------------------------------------
def test_airplane_mode_takes_the_network_from_apps(phone: VirtualPhone) -> None:
    assert is_online(phone)
    sh(phone, "cmd connectivity airplane-mode enable")
    assert not is_online(phone)
    assert sh(phone, "cmd connectivity airplane-mode; settings get global airplane_mode_on").out == "enabled\n1\n"
    sh(phone, "cmd connectivity airplane-mode disable")
    assert is_online(phone)
    assert sh(phone, "cmd connectivity airplane-mode").out == "disabled\n"


def test_a_setting_alone_moves_no_radio(phone: VirtualPhone) -> None:
    sh(phone, "settings put global airplane_mode_on 1; settings put global wifi_on 0")
    assert is_online(phone)


def test_one_network_of_two_is_enough(phone: VirtualPhone) -> None:
    sh(phone, "svc wifi disable")
    assert is_online(phone)
    sh(phone, "svc data disable")
    assert not is_online(phone)
    sh(phone, "cmd wifi set-wifi-enabled enabled")
    assert is_online(phone)


@pytest.mark.parametrize("words", ["", "airplane-mode maybe", "tethering"])
def test_what_connectivity_does_not_know(phone: VirtualPhone, words: str) -> None:
    assert sh(phone, f"cmd connectivity {words}").code == 255


@pytest.mark.parametrize("link", ["backend", "failing-backend", "silent-backend"])
def test_a_request_without_a_network_fails_in_the_log(phone: VirtualPhone, link: str) -> None:
    phone.set_radio("airplane", True)
    phone.start_app(PACKAGE, url=f"lab://{link}?delay=1")
    load = next(
        node for window in phone.windows() for node in window.root.walk() if node.resource_id.endswith("/load")
    )
    phone.tap(*load.bounds.center)
    said = [entry.message for entry in phone.log.entries() if entry.tag == "OkHttp"]
    assert said[-1].startswith("<-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host")
    texts = [node.text for window in phone.windows() for node in window.root.walk()]
    assert ("Could not load" in texts) == (link != "silent-backend")


# --- the clock --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seconds", [7200.0, -7200.0])
def test_a_clock_that_is_set_stamps_the_log(phone: VirtualPhone, seconds: float) -> None:
    before = phone.log.append("I", "A", "before", 1).epoch
    shown = int(sh(phone, "date +%s").out)
    phone.set_clock(seconds)
    assert abs(phone.log.append("I", "A", "after", 1).epoch - before - seconds) < 60
    assert abs(int(sh(phone, "date +%s").out) - shown - seconds) < 60


# --- the storage, and who may install ---------------------------------------------------------------------
def package(*members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("replicant-app.json", json.dumps({"package": "dev.example.parcel"}))
        for name in members:
            archive.writestr(name, b"\0" * 500)
    return packed.getvalue()


def test_what_does_not_fit_is_not_installed(phone: VirtualPhone) -> None:
    phone.files.write(APK, package())
    phone.files.capacity = phone.files.used + 10
    answer = sh(phone, f"pm install {APK}")
    assert answer.code == 1
    assert answer.out.startswith("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE")
    assert phone.packages.get("dev.example.parcel") is None
    phone.files.capacity = None
    assert sh(phone, f"pm install {APK}").out == "Success\n"


def test_df_reports_of_it(phone: VirtualPhone) -> None:
    assert " 100% /data\n" not in sh(phone, "df").out
    phone.files.write("/sdcard/film", b"\0" * 500_000)
    phone.files.capacity = phone.files.used
    assert sh(phone, "df").out.count(" 100% ") == 3 or " 99% /data" in sh(phone, "df").out


def test_a_session_that_finds_no_room_says_so(phone: VirtualPhone) -> None:
    session = sh(phone, "pm install-create").out.split("[")[1].split("]")[0]
    phone.files.write(APK, package())
    phone.files.capacity = phone.files.used
    answer = sh(phone, f"pm install-write {session} base.apk {APK}")
    assert answer.code == 255
    assert "No space left on device" in answer.error


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ((), "Success\n"),
        (("lib/arm64-v8a/libparcel.so",), "Success\n"),
        (("lib/x86_64/libparcel.so", "lib/arm64-v8a/libparcel.so"), "Success\n"),
        (("lib/x86_64/notes.txt",), "Success\n"),
        (
            ("lib/x86_64/libparcel.so", "lib/armeabi-v7a/libparcel.so"),
            "Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]\n",
        ),
    ],
)
def test_native_code_must_be_for_this_processor(phone: VirtualPhone, members: tuple[str, ...], said: str) -> None:
    phone.files.write(APK, package(*members))
    assert sh(phone, f"pm install {APK}").out == said
    assert (phone.packages.get("dev.example.parcel") is not None) == (said == "Success\n")
