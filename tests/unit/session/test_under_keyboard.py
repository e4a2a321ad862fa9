"""What an iPhone's keyboard covers is in the hierarchy, but said not to be visible: neither seen
nor gone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import Capability, DeviceInfo
from pytest_replicant.errors import ActionFailed, ExpectationFailed, UsageError
from pytest_replicant.model import ManualClock, Point
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, build_session
from tests.unit.snapshots.ios_screens import app, button, el, static

from .on_phone import QUICK
from .scripted_phone import ScriptedPhone

LOW = (16, 500, 343, 44)  # where the keyboard lies, when it is up
KEYS = el(
    "Window", el("Keyboard", el("Key", label="q", at=(0, 450, 30, 40)), at=(0, 430, 375, 237))
)


def page(*, keyboard: bool, result: str = "Not sent", stays: bool = False) -> bytes:
    field = el("TextField", at=(16, 80, 343, 44), label="", value="Ada", placeholderValue="Name")
    send = button("Send", at=LOW, visible="false" if keyboard else "true")
    hidden = button("Hidden", at=(16, 300, 343, 44), visible="false")
    window = el("Window", field, static(result, at=(16, 140, 343, 20)), send, hidden)
    return app(window, KEYS if keyboard or stays else "").encode()


class Phone(ScriptedPhone):
    """375 x 667 points at scale 2. A touch on the button is answered; one on a key is a mistake."""

    info = DeviceInfo("script", "ios", "iPhone SE", "17.5", 750, 1334, 2.0)
    capabilities = Capability.OPEN_URL
    stays_up = False
    refuses = False

    def hide_keyboard(self) -> None:
        self._gesture("hide_keyboard", Point(0, 0))
        if self.refuses:
            raise UsageError("hide_keyboard: this keyboard has no key for it")
        self.frames = [page(keyboard=self.stays_up, stays=self.stays_up)]

    def tap(self, point: Point) -> None:
        super().tap(point)
        if point == Point(375, 1044):
            self.frames = [page(keyboard=False, result="Sent it")]


@pytest.fixture
def phone() -> Phone:
    return Phone(ManualClock(), [page(keyboard=True)])


@pytest.fixture
def mobile(phone: Phone) -> Iterator[DeviceSession]:
    session, recorder = build_session(phone, clock=phone.clock, **{**QUICK, "recover": builtin})
    yield session
    recorder.close()


def test_it_is_neither_seen_nor_gone(mobile: DeviceSession) -> None:
    assert [element.label for element in mobile.snapshot().elements] == ["Name", "Not sent"]
    for check in (mobile.expect_visible, mobile.expect_gone):
        with pytest.raises(
            ExpectationFailed, match=r"under the keyboard, which hide_keyboard\(\) hides: .*Send"
        ):
            check(text="Send")
    with pytest.raises(ExpectationFailed, match="absent"):
        mobile.expect_visible(text="Hidden")
    mobile.hide_keyboard().expect_visible(text="Send").expect_gone(text="Hidden")


def test_a_touch_on_it_hides_the_keyboard_first_and_leaves_the_screen_as_it_is(
    mobile: DeviceSession, phone: Phone
) -> None:
    outcome = mobile.tap(text="Send").expect_visible(text="Sent it")
    assert phone.gestures == [("hide_keyboard", Point(0, 0)), ("tap", Point(375, 1044))]
    resolve = next(step for step in outcome.result.trace.steps if step.stage == "resolve")
    assert resolve.metadata["keyboard"] == "hidden, since it lay over the target"
    assert outcome.result.recovery is None


def test_a_ref_of_what_the_keyboard_came_to_cover_is_good(
    mobile: DeviceSession, phone: Phone
) -> None:
    phone.frames = [page(keyboard=False)]
    ref = mobile.snapshot().ref(text="Send")
    phone.frames = [page(keyboard=True)]
    mobile.tap(ref).expect_visible(text="Sent it")
    mobile.expect_state(ref, enabled=True)


@pytest.mark.parametrize(
    ("trouble", "says"),
    [
        ("stays_up", "ELEMENT_NOT_INTERACTABLE"),
        ("refuses", "the keyboard lies over it, and stays: hide_keyboard: this keyboard has"),
    ],
)
def test_what_stays_under_the_keyboard_is_not_touched(
    mobile: DeviceSession, phone: Phone, trouble: str, says: str
) -> None:
    setattr(phone, trouble, True)
    with pytest.raises(ActionFailed, match=says):
        mobile.tap(text="Send")
    assert {kind for kind, _ in phone.gestures} == {"hide_keyboard"}
