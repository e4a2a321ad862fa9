"""The lab's controls: each is set where it can be, and where it cannot the reason is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession
from pytest_replicant.clock import ManualClock
from pytest_replicant.recovery import builtin
from pytest_replicant.session import build_session
from pytest_replicant.virtual import LabState, lab

from ..kit_phone import KitPhone
from .test_adjust_tracks import all_inside

LAB = "dev.replicant.lab"


class LabPhone(KitPhone):
    def __init__(self, clock: ManualClock, link: str) -> None:
        self.hold(clock, lab(), LAB, f"lab://{link}")

    @property
    def events(self) -> list[str]:
        state = self.phone.app_state(LAB)
        assert isinstance(state, LabState)
        return state.events


Show = Callable[..., "tuple[DeviceSession, LabPhone]"]


@pytest.fixture
def show(clock: ManualClock) -> Iterator[Show]:
    with ExitStack() as stack:

        def make(link: str, **settings: Any) -> tuple[DeviceSession, LabPhone]:
            phone = LabPhone(clock, link)
            session, recorder = build_session(phone, clock=clock, screenshots=False, quiet=0.0, **settings)
            stack.callback(recorder.close)
            return session, phone

        yield make


@pytest.mark.parametrize(
    ("link", "target", "to", "event"),
    [
        ("stepped-slider", "slider", 30, "stepped-slider set to 30"),
        ("stepped-slider", "slider", 100, "stepped-slider set to 100"),
        ("vertical-slider", "slider", 7, "vertical-slider set to 7"),
        ("vertical-slider", "slider", 93, "vertical-slider set to 93"),
        ("stepper", "guests", 9, "stepper set to 9"),
        ("stepper", "guests", 1, "stepper set to 1"),
        ("halves", "heating", 27, "halves set to 27"),
        ("halves", "heating", 5, "halves set to 5"),
        ("spoken-control", "brightness", 60, "spoken-control set to 60"),
        ("spoken-control", "brightness", 47, "spoken-control set to 47"),
        ("dropdown", "size", "Extra large", "size Extra large"),
        ("segments", "day", "Month", "span Month"),
        ("segments", "month", "Day", "span Day"),
    ],
)
def test_what_can_be_set_is_set(show: Show, link: str, target: str, to: Any, event: str) -> None:
    session, phone = show(link, recover=builtin)
    bounds = phone.bounds(target)
    session.adjust(resource_id=target, to=to)
    assert phone.events[-1] == event
    if link not in ("dropdown", "segments", "stepper"):
        assert all_inside(phone, bounds)


@pytest.mark.parametrize(
    ("link", "target", "to", "code", "why"),
    [
        ("stepped-slider", "slider", 33, "CONTROL_CONVERGENCE_FAILED", "no value between 30 and 40"),
        ("stepper?most=4", "guests", 9, "CONTROL_CONVERGENCE_FAILED", "no further than 4"),
        ("halves", "heating", 40, "CONTROL_CONVERGENCE_FAILED", "no further than 30"),
        ("silent-slider", "slider", 50, "SEMANTIC_MISMATCH", "reports no number"),
        ("segments", "day", "Year", "ELEMENT_NOT_FOUND", "it offers"),
        ("dropdown", "size", "Huge", "ELEMENT_NOT_FOUND", "Extra large"),
    ],
)
def test_what_cannot_be_set_says_why(show: Show, link: str, target: str, to: Any, code: str, why: str) -> None:
    session, _ = show(link, recover=builtin)
    with pytest.raises(ActionFailed, match=why) as failed:
        session.adjust(resource_id=target, to=to, timeout=0.5)
    assert failed.value.failure_code == code
