"""The built-in policies in a session, on a phone that plays a script: after a failed wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant.model import ManualClock
from pytest_replicant.recovery import builtin
from pytest_replicant.session import DeviceSession, build_session
from tests.unit.session.scripted_phone import ScriptedPhone, button, screen

Make = Callable[..., DeviceSession]


@pytest.fixture
def session_on() -> Iterator[Make]:
    """``session_on(frames, on_gesture=None)``: a session that has all built-in policies."""
    with ExitStack() as stack:

        def make(frames: Sequence[bytes], on_gesture: Any = None) -> DeviceSession:
            clock = ManualClock()
            phone = ScriptedPhone(clock, frames, on_gesture=on_gesture)
            session, recorder = build_session(
                phone, clock=clock, screenshots=False, recover=builtin, action_timeout=1.0
            )
            stack.callback(recorder.close)
            return session

        yield make


def test_a_ref_whose_element_was_built_anew_is_healed(session_on: Make) -> None:
    was = screen(
        button("Save").replace('resource-id=""', 'resource-id="x:id/save"'), title="Profile"
    )
    now = screen(
        button("Save").replace('resource-id=""', 'resource-id="x:id/keep"'), title="Profile"
    )
    mobile = session_on([was, was, now])
    ref = mobile.snapshot().ref(text="Save")
    mobile._context.observer.invalidate()
    assert mobile.tap(ref).result.success
    assert [(one.policy, one.strategy) for one in mobile._context.recorder.recoveries] == [
        ("stale", "re_resolve")
    ]


def test_a_selector_that_became_ambiguous_means_what_it_meant(session_on: Make) -> None:
    one = screen(button("Add").replace('resource-id=""', 'resource-id="x:id/first"'), title="List")
    two = one.replace(
        b"</node></hierarchy>", button("Add", top=600).encode() + b"</node></hierarchy>"
    )
    mobile = session_on([one], on_gesture=lambda phone: setattr(phone, "frames", [two]))
    mobile.tap(text="Add")
    again = mobile.tap(text="Add")
    assert again.result.target.resolved is not None
    assert again.result.target.resolved.resource_id == "x:id/first"
    assert [(one.policy, one.recovered) for one in mobile._context.recorder.recoveries] == [
        ("ambiguous", True)
    ]
