"""What the system puts over an app unasked: it stays away in a run, and is declined where it
comes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.errors import ActionFailed, DeviceError, ReplicantError, UsageError
from pytest_replicant.pool import OpenDevice, open_device, use_settings
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import Profile
from tests.apks import apk

SHOP = "dev.replicant.shop"
GOOGLE = "com.google.android.gms/.autofill.service.AutofillService"


def sign_in(mobile: DeviceSession) -> None:
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value="correct horse")
    mobile.tap(text="Sign in")


def texts(device: VirtualDevice) -> list[str]:
    return [
        node.text for window in device.phone.windows() for node in window.root.walk() if node.text
    ]


@pytest.fixture
def with_service() -> Iterator[VirtualDevice]:
    with virtual_device(SHOP, profile=Profile().with_knobs({"autofill": GOOGLE})) as device:
        yield device


def test_a_phone_offers_to_save_a_password(with_service: VirtualDevice) -> None:
    with with_service.session(recover=None) as mobile:
        sign_in(mobile)
        with_service.clock.sleep(1)
        assert any(text.startswith("Save password to ") for text in texts(with_service))
        assert {node.resource_id for node in mobile.snapshot().nodes} >= {
            "android:id/autofill_save_no",
            "android:id/autofill_save_yes",
        }


def test_the_offer_is_declined(with_service: VirtualDevice) -> None:
    with with_service.session() as mobile:
        sign_in(mobile)
        with_service.clock.sleep(1)
        assert "Save" in texts(with_service)
        mobile.expect_visible(text="Blue mug")
        assert "Save" not in texts(with_service)


def test_no_offer_comes_while_the_phone_is_used(with_service: VirtualDevice) -> None:
    use_settings(with_service.driver, ("dialogs",))
    with with_service.session(recover=None) as mobile:
        sign_in(mobile)
        mobile.expect_screen("Catalogue")


def test_an_emulators_keyboard_shows_a_page_on_pens_once() -> None:
    profile = Profile().with_knobs({"stylus": "on"})
    with virtual_device(SHOP, profile=profile) as device, device.session(recover=None) as mobile:
        mobile.tap(text="Email")
        assert {"Try out your stylus", "Cancel"} <= set(texts(device))
        mobile.back()
        mobile.tap(text="Email")
        assert "q" in texts(device)


def test_it_shows_none_while_the_phone_is_used() -> None:
    with virtual_device(SHOP, profile=Profile().with_knobs({"stylus": "on"})) as device:
        use_settings(device.driver, ("dialogs",))
        assert device.phone.settings.get("secure", "stylus_handwriting_enabled") == "0"
        with device.session(recover=None) as mobile:
            sign_in(mobile)
            mobile.expect_screen("Catalogue")


MESSAGE = "Diese App wurde für eine ältere Android-Version entwickelt."


@pytest.mark.parametrize("label", ["ok.", "Aceptar", "确定"])
def test_a_message_with_one_button_is_closed_in_any_language(label: str) -> None:
    with virtual_device(SHOP) as device, device.session() as mobile:
        device.phone.show_system_dialog("Shop", MESSAGE, (label,))
        mobile.tap(text="Forgot password?").expect_screen("Reset password")


@pytest.mark.parametrize(
    ("title", "message", "buttons", "package"),
    [
        ("Shop", MESSAGE, ("Restart",), "android"),
        ("Zurücksetzen", "Alle Daten löschen?", ("OK",), "android"),
        ("Shop", MESSAGE, ("OK", "Behalten"), "android"),
        ("Shop", MESSAGE, ("OK",), "com.example.other"),
    ],
)
def test_what_asks_or_leaves_a_choice_is_not_answered(
    title: str, message: str, buttons: tuple[str, ...], package: str
) -> None:
    with virtual_device(SHOP) as device, device.session() as mobile:
        device.phone.show_system_dialog(title, message, buttons, package=package)
        with pytest.raises((ActionFailed, ReplicantError)):
            mobile.tap(text="Forgot password?", timeout=1)
        assert set(buttons) <= set(texts(device))


@pytest.fixture
def asking() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0&verifier=on") as opened:
        yield opened


def test_play_protect_holds_an_install_up_unless_it_is_off(
    asking: OpenDevice, tmp_path: Path
) -> None:
    package = apk(tmp_path, package="dev.example.camera")
    with pytest.raises(
        DeviceError, match=r"VERIFICATION_FAILURE.*Play Protect.*verifier_verify_adb_installs 0"
    ):
        asking.driver.install(package)
    asking.use_settings(("dialogs",))
    asking.driver.install(package)
    assert asking.driver.installed("dev.example.camera")


@pytest.mark.parametrize(
    ("sdk", "target", "taken"), [(34, 22, False), (34, 23, True), (35, 23, False), (33, 1, True)]
)
def test_an_app_for_an_old_android_is_refused_with_a_way_out(
    sdk: int, target: int, taken: bool, tmp_path: Path
) -> None:
    package = apk(tmp_path, package="dev.example.camera", min_sdk=1, target_sdk=target)
    with virtual_device(SHOP, profile=Profile(sdk=sdk)) as device:
        if not taken:
            with pytest.raises(
                UsageError, match=r"DEPRECATED_SDK_VERSION.*--bypass-low-target-sdk-block"
            ):
                device.driver.install(package)
            device.driver.push_file(package, "/data/local/tmp/camera.apk")
            by_hand = "pm install --bypass-low-target-sdk-block /data/local/tmp/camera.apk"
            assert device.driver.shell(by_hand, 5).stdout == "Success\n"
        else:
            device.driver.install(package)
        assert device.driver.installed("dev.example.camera")
