"""Typing behind what a field holds: by no clipboard, which a phone shows, announces and may not
read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_replicant import DeviceSession, Secret, Unsupported
from pytest_replicant.model import Rect
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    Column,
    EditText,
    RunningApp,
    Screen,
    Text,
    UiNode,
    Widget,
    Window,
)

from .on_phone import PACKAGE, QUICK, trial

State = dict[str, Any]
SECRET = 'Tr0ub4dor&3 "x"'


class Form(Screen[State]):
    activity = ".FormActivity"
    title = "Form"

    def build(self, app: RunningApp[State]) -> Widget:
        def field(name: str, hint: str, **options: Any) -> EditText:
            def keep(text: str) -> None:
                app.state[name] = text

            return EditText(hint, id=name, text=app.state.get(name, ""), on_change=keep, **options)

        return Column(
            [
                field("plain", "Name 😀"),
                field("bare", ""),
                field("secret", "Password", input="password"),
                field("notes", "Notes...", input="multiline"),
                field("loud", "Loud", transform=str.upper),
                Text("End"),
            ],
            height="fill",
        )


@pytest.fixture(scope="module")
def device() -> Iterator[VirtualDevice]:
    with virtual_device(trial(Form)) as device:
        yield device


@pytest.fixture
def mobile(device: VirtualDevice, monkeypatch: pytest.MonkeyPatch) -> Iterator[DeviceSession]:
    """A session on a phone where anything that is copied is noticed."""
    copied: list[str | None] = []
    monkeypatch.setattr(device.phone, "set_clip", copied.append)
    device.phone.clear_app(PACKAGE)
    with device.session(**{**QUICK, "app": None}) as session:
        session.launch(PACKAGE)
        yield session
    assert copied == []
    assert device.phone.clipboard is None


def held(device: VirtualDevice, name: str) -> str:
    state: Any = device.phone.app_state(PACKAGE)
    return str(state[name])


@pytest.mark.parametrize("name", ["plain", "bare", "secret", "notes"])
@pytest.mark.parametrize("mode", ["bulk", "keys"])
def test_a_secret_never_passes_the_clipboard(
    mobile: DeviceSession,
    device: VirtualDevice,
    name: str,
    mode: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pytest_replicant.session.execute.touch.MODES", (mode, mode))
    mobile.fill(resource_id=name, value=Secret(SECRET))
    mobile.fill(resource_id=name, value=Secret("Behind?"), append=True)
    assert held(device, name) == SECRET + "Behind?"
    mobile.expect_gone(text_contains="pasted")


@pytest.mark.parametrize(("name", "first"), [("plain", "😀 .."), ("bare", "x"), ("notes", "a\nb")])
def test_behind_a_text(mobile: DeviceSession, device: VirtualDevice, name: str, first: str) -> None:
    mobile.fill(resource_id=name, value=first)
    mobile.fill(resource_id=name, value=" 🎁", append=True)
    assert held(device, name) == first + " 🎁"


def test_behind_a_hint_alone(mobile: DeviceSession, device: VirtualDevice) -> None:
    for name in ("plain", "bare", "secret", "notes"):
        mobile.fill(resource_id=name, value="a", append=True)
        assert held(device, name) == "a"


def test_what_has_no_key_is_not_typed_behind_a_password(
    mobile: DeviceSession, device: VirtualDevice
) -> None:
    mobile.fill(resource_id="secret", value="abc")
    with pytest.raises(Unsupported, match="fill the whole text"):
        mobile.fill(resource_id="secret", value="é", append=True)
    assert held(device, "secret") == "abc"


def test_the_field_is_touched_once(
    mobile: DeviceSession, device: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice is a double tap, which selects a word."""
    taps: list[tuple[int, int]] = []
    tap = device.phone.tap

    def counted(x: int, y: int) -> None:
        taps.append((x, y))
        tap(x, y)

    monkeypatch.setattr(device.phone, "tap", counted)
    mobile.fill(resource_id="bare", value="first")
    mobile.fill(resource_id="bare", value=" second", append=True)
    mobile.fill(resource_id="bare", value="third")
    assert len(taps) == 1


def test_the_field_of_the_app_in_front_is_the_one_with_the_focus(
    mobile: DeviceSession, device: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each window has a focus of its own, and they come in any order: here a small one of another
    app's first."""
    place = Rect(700, 80, 1000, 160)
    field = UiNode(
        "android.widget.EditText", "com.example.other", place, place, focusable=True, focused=True
    )
    field.editable = True
    other = Window("app", "com.example.other", "Other", 0, field)
    windows = device.phone.windows
    monkeypatch.setattr(device.phone, "windows", lambda: [other, *windows()])
    mobile.fill(resource_id="plain", value="one")
    mobile.fill(resource_id="plain", value=" 二", append=True)
    assert held(device, "plain") == "one 二"
