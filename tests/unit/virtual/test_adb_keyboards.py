"""The keyboard of uiautomator2, which types what a broadcast says."""

from __future__ import annotations

import base64

import pytest

from pytest_replicant.virtual import VirtualPhone

from .notes_phone import apk, center, make_phone, sh, words

ADB_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"


@pytest.fixture
def phone() -> VirtualPhone:
    """With that keyboard, and the focus in a field."""
    phone = make_phone()
    data = apk(package=ADB_KEYBOARD.partition("/")[0])
    assert words(phone, "package", "install", "-S", str(len(data)), data=data).out == "Success\n"
    phone.start_app("dev.example.notes")
    phone.tap(*center(phone, "note"))
    return phone


def use(phone: VirtualPhone, method: str) -> None:
    assert sh(phone, f"ime enable {method} && ime set {method}").code == 0


def sent(phone: VirtualPhone, action: str, *extras: str) -> str:
    answer = sh(phone, f"am broadcast -a {action} {' '.join(extras)}").out
    return answer.splitlines()[-1].removeprefix("Broadcast completed: ")


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def note(phone: VirtualPhone) -> str:
    return next(
        node.text for window in phone.windows() for node in window.root.walk() if node.focused
    )


def test_the_one_of_uiautomator2(phone: VirtualPhone) -> None:
    use(phone, ADB_KEYBOARD)
    assert sent(phone, "ADB_KEYBOARD_INPUT_TEXT", "--es text", encoded("日本 语")) == "result=-1"
    assert sent(phone, "ADB_KEYBOARD_INPUT_TEXT", "--es text", encoded("!")) == "result=-1"
    assert note(phone) == "日本 语!"
    assert sent(phone, "ADB_KEYBOARD_SET_TEXT", "--es text", encoded("other")) == "result=-1"
    assert note(phone) == "other"
    assert sent(phone, "ADB_KEYBOARD_INPUT_KEYCODE", "--ei code 67") == "result=-1"
    assert (
        sent(phone, "ADB_KEYBOARD_INPUT_KEYCODE", "--es code 67") == "result=-1"
    )  # no number, no key
    assert note(phone) == "othe"
    phone.set_clip("kept")
    assert sent(phone, "ADB_KEYBOARD_GET_CLIPBOARD") == f'result=-1, data="{encoded("kept")}"'
    assert (
        sent(phone, "ADB_KEYBOARD_INPUT_TEXT", "--es text", "***")
        == 'result=0, data="error:bad base-64"'
    )
    assert sent(phone, "ADB_KEYBOARD_CLEAR_TEXT") == "result=-1"
    assert phone.keyboard_shown
    assert sent(phone, "ADB_KEYBOARD_HIDE") == sent(phone, "ADB_KEYBOARD_HIDE") == "result=-1"
    assert not phone.keyboard_shown
    assert phone.app_state("dev.example.notes").text == ""


def test_only_one_in_use_listens_and_only_with_a_field(phone: VirtualPhone) -> None:
    assert sent(phone, "ADB_KEYBOARD_INPUT_TEXT", "--es text", encoded("x")) == "result=0"
    use(phone, ADB_KEYBOARD)
    phone.press_key("HOME")
    assert sent(phone, "ADB_KEYBOARD_CLEAR_TEXT") == 'result=-1, data="ADB_KEYBOARD_CLEAR_TEXT"'
    assert (
        sh(phone, "pm uninstall com.github.uiautomator; ime list -s -a").out.count("AdbKeyboard")
        == 0
    )
    assert phone.app_state("dev.example.notes").text == ""  # type: ignore[attr-defined]
