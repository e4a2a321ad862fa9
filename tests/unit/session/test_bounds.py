"""What a long test, a lost phone and a hostile text may cost is bounded."""

from __future__ import annotations

import gc
import re
import weakref
from typing import Any

import pytest

from pytest_replicant import DeviceError, DeviceOffline, UsageError, by
from pytest_replicant.model import ManualClock
from pytest_replicant.recovery import builtin
from pytest_replicant.session import build_session

from .conftest import Play
from .scripted_phone import ScriptedPhone, button, screen

HOSTILE = "a" * 40 + "!"


@pytest.mark.parametrize("trace", [True, False])
def test_the_screens_of_a_long_test_are_let_go(trace: bool) -> None:
    """Every snapshot once stayed alive through the element that its action was about."""
    clock = ManualClock()
    phone = ScriptedPhone(clock, [screen(button("Go 0"), title="Home")])
    session, recorder = build_session(phone, clock=clock, screenshots=False, trace=trace)
    seen: list[weakref.ref[Any]] = []
    for number in range(160):
        phone.frames = [screen(button(f"Go {number}"), title="Home")]
        session.tap(text=f"Go {number}").expect_visible(text=f"Go {number}")
        session._context.interrupts.clear()
        seen.append(weakref.ref(session._context.observer.latest))
    gc.collect()
    alive = sum(one() is not None for one in seen)
    assert alive <= 2 * session._context.settings.kept_snapshots, alive
    assert recorder.results[0].target.resolved is not None  # what it was is known all the same
    recorder.close()


def test_a_lost_phone_is_waited_for_once(play: Play, clock: ManualClock) -> None:
    class Lost(ScriptedPhone):
        def reconnect(self, timeout: float) -> None:
            self.clock.advance(timeout)
            raise DeviceOffline("it is gone")

    def lose(phone: ScriptedPhone) -> None:
        raise DeviceOffline("it is gone")

    phone = Lost(clock, [screen(button("Go"), title="Home")], on_gesture=lose)
    session, recorder = build_session(
        phone, clock=clock, screenshots=False, recover=builtin, reconnect_timeout=8.0
    )
    spent = []
    for _ in range(4):
        began = clock.now()
        with pytest.raises(DeviceError):
            session.tap(text="Go")
        spent.append(clock.now() - began)
    assert 8 <= spent[0] < 12
    assert all(each < 5 for each in spent[1:]), spent
    recorder.close()


def test_an_expression_that_never_ends_is_a_wrong_call(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _ = play([screen(button(HOSTILE), title=HOSTILE)])
    monkeypatch.setattr("pytest_replicant.snapshots.text.SEARCH_SECONDS", 0.05)
    for check in (
        lambda: session.expect_visible(text_matches="(a|aa)+$"),
        lambda: session.tap(text_matches=re.compile("(a|aa)+$")),
        lambda: session.find(by(text_matches="(a|aa)+$")),
        lambda: session.expect_screen(re.compile("(a|aa)+$")),
    ):
        with pytest.raises(UsageError, match=r"takes more than .* s on a text of 41 letters"):
            check()
