"""With the trace or without it, a session asks and sends the same, at the same moments, with the
same outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_replicant import (
    DeviceError,
    ExpectationFailed,
    ProtocolError,
    Recovery,
    Remedy,
    ReplicantError,
    by,
)
from pytest_replicant.model import ManualClock
from pytest_replicant.session import DeviceSession, build_session

from ..scripted_phone import ScriptedPhone, button, screen

START = screen(button("One", 200), button("Two", 400), title="Start")
OTHER = screen(button("Three", 200), button("Four", 400), title="Other")
DIALOG = screen(button("Not now", 200), title="Rate us")

Said = list[tuple[float, str, str]]


class Overheard:
    """The phone, with every question and gesture written down and the moment at which it came."""

    def __init__(self, phone: ScriptedPhone, clock: ManualClock) -> None:
        self._phone = phone
        self._clock = clock
        self.said: Said = []

    def screenshot(self) -> bytes:
        self.said.append((self._clock.now(), "screenshot", ""))
        return b"\x89PNG\r\n\x1a\n" + bytes(20)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._phone, name)
        if not callable(found):
            return found

        def told(*args: Any, **keywords: Any) -> Any:
            self.said.append((self._clock.now(), name, repr((args, keywords))))
            return found(*args, **keywords)

        return told


def _survey(session: object, failure: Any, state: Any) -> Recovery | None:
    if failure.snapshot is None or not failure.snapshot.every(by(text="Not now")):
        return None
    return Recovery("state_refresh", before=(Remedy.tap(by(text="Not now")),), reason="a survey")


def _story(**settings: Any) -> tuple[Said, list[str], float]:
    """Actions and checks of every ending: passed, failed, ambiguous, stale, mended, unreadable."""
    clock = ManualClock()
    frames: list[bytes | Exception] = [START]

    def change(phone: ScriptedPhone) -> None:
        after: list[list[bytes | Exception]] = [
            [DIALOG],
            [OTHER],
            [START],
            [ProtocolError("no root"), OTHER],
        ]
        phone.frames = after[len(phone.gestures) % len(after)]

    phone: Any = Overheard(ScriptedPhone(clock, frames, on_gesture=change), clock)
    session, recorder = build_session(phone, clock=clock, recover=_survey, **settings)
    outcomes: list[str] = []
    steps: list[Callable[[DeviceSession], object]] = [
        lambda mobile: mobile.tap(text="One").expect_screen("Other"),
        lambda mobile: mobile.tap(text="Three").expect_gone(text="Three"),
        lambda mobile: mobile.tap(class_name="Button"),
        lambda mobile: mobile.tap(mobile.snapshot().ref(text="Two")).expect_visible(text="Four"),
        lambda mobile: mobile.tap(text="Four").expect_state(
            by(text="Two"), enabled=False, timeout=1
        ),
        lambda mobile: mobile.tap(text="One"),
        lambda mobile: mobile.soft.expect_count(7, class_name="Button", timeout=1),
    ]
    for step in steps:
        try:
            outcomes.append(f"passed {step(session)}")
        except (ReplicantError, DeviceError, ExpectationFailed) as error:
            outcomes.append(f"{type(error).__name__} {error}")
    recorder.close()
    return phone.said, outcomes, clock.now()


def test_the_trace_changes_nothing() -> None:
    with_trace, without = (
        _story(trace=True, screenshots=False),
        _story(trace=False, screenshots=False),
    )
    assert with_trace == without
    said, outcomes, _ = without
    kinds = [one.split(" ", 1)[0] for one in outcomes]
    assert "passed" in kinds
    assert "ActionFailed" in kinds
    assert "ExpectationFailed" in kinds
    assert sum(name == "tap" for _, name, _ in said) > 4


def test_pictures_are_all_that_screenshots_add() -> None:
    plain, _, _ = _story(screenshots=False)
    pictured, _, _ = _story(screenshots=True)
    assert [one for one in pictured if one[1] != "screenshot"] == plain
