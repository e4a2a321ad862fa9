"""Whatever is done to the phone, it stands, and its screen makes sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pytest_replicant.model import Rect
from pytest_replicant.virtual import IPHONE, App, Latency, Profile, VirtualPhone, render_hierarchy
from pytest_replicant.virtual.device.keys import NAMED

from .frail_app import FRAIL, frail_app
from .toy_app import PACKAGE, TOY, ManualClock

Deed = Callable[[VirtualPhone, ManualClock], object]

across = st.integers(-10, 2500)
points = st.tuples(across, across)
deeds: st.SearchStrategy[Deed] = st.one_of(
    points.map(lambda at: lambda phone, clock: phone.tap(*at)),
    points.map(lambda at: lambda phone, clock: phone.long_press(*at)),
    st.tuples(points, points).map(lambda way: lambda phone, clock: phone.swipe(*way[0], *way[1])),
    st.tuples(points, points).map(lambda way: lambda phone, clock: phone.drag(*way[0], *way[1])),
    st.sampled_from(sorted(NAMED)).map(
        lambda key: lambda phone, clock: phone.press_key(f"KEYCODE_{key}")
    ),
    st.text(max_size=8).map(lambda text: lambda phone, clock: phone.type_text(text)),
    st.integers(0, 3).map(lambda turns: lambda phone, clock: phone.set_rotation(turns)),
    st.floats(0, 5).map(
        lambda seconds: lambda phone, clock: setattr(clock, "now", clock.now + seconds)
    ),
    st.sampled_from(["Rows", "Form", "Panned", "Surfaces", "Perils"]).map(
        lambda screen: lambda phone, clock: phone.start_app(PACKAGE, f".{screen}Activity")
    ),
    st.tuples(
        st.integers(0, 400), st.integers(150, 1100)
    ).map(  # where the frail app has its buttons
        lambda at: lambda phone, clock: phone.tap(*at)
    ),
    st.sampled_from(
        [
            lambda phone, clock: phone.stop_app(PACKAGE),
            lambda phone, clock: phone.start_app(FRAIL),
            lambda phone, clock: phone.clear_app(FRAIL),
            lambda phone, clock: phone.show_system_dialog(
                "Battery low", "10%", ("Got it", "Dismiss")
            ),
            lambda phone, clock: phone.begin_dump(),
        ]
    ),
)


phones = st.sampled_from([Profile(), IPHONE])


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.lists(deeds, max_size=25), st.sampled_from([0, 180]), phones)
def test_a_monkey_at_the_phone(done: list[Deed], screen_change_ms: int, profile: Profile) -> None:
    clock = ManualClock()
    apps: list[App[Any]] = [TOY, frail_app(anr_ms=3000)]
    phone = VirtualPhone(
        apps, profile=profile, latency=Latency(screen_change_ms=screen_change_ms), clock=clock
    )
    phone.settings.put("global", "stay_on_while_plugged_in", "7")
    phone.start_app(FRAIL)
    for deed in done:
        deed(phone, clock)
        if phone.awake:
            check(phone)
        else:
            assert phone.windows() == []


def check(phone: VirtualPhone) -> None:
    windows = phone.windows()
    screen = Rect(0, 0, *phone.size)
    assert [window.layer for window in windows] == sorted(window.layer for window in windows)
    assert sum(window.focused for window in windows) == (
        1 if windows else 0
    )  # none while the screen is off
    assert phone.foreground()[0] in phone.processes()
    for window in windows:
        for node in window.root.walk():
            if node.bounds.is_empty:
                assert phone.profile.platform == "ios", "iOS alone keeps what is out of sight"
                continue
            assert screen.encloses(node.bounds)
            assert node.frame.encloses(node.bounds)
    focused = [node for window in windows for node in window.root.walk() if node.focused]
    assert len(focused) <= 2, "one in the screen, one in the window over it"
    etree.fromstring(render_hierarchy(windows, phone.rotation))
    assert phone.windows() is windows
