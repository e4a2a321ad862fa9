"""What a phone shows is what is read: renderer and parser, written apart, agree on every observable
fact."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import (
    App,
    UiNode,
    VirtualPhone,
    Window,
    active_window,
    lab,
    render_hierarchy,
    shop,
)
from tests.unit.virtual.toy_app import STILL, TOY, ManualClock

from .effort import examples
from .facts import Fact, facts, facts_of
from .wild import windows


def shown(roots: list[UiNode]) -> list[Window]:
    return [Window("app", root.package, "", layer, root) for layer, root in enumerate(roots)]


@pytest.mark.slow
@pytest.mark.parametrize("server", [False, True], ids=["uiautomator", "uiautomator2"])
@examples(20)
@given(windows())
def test_what_is_rendered_is_what_is_read(server: bool, roots: list[UiNode]) -> None:
    source = render_hierarchy(shown(roots), 0, server=server)
    assert facts_of(Snapshot.parse(source)) == facts(roots, server=server)


@pytest.mark.slow
@examples(12)
@given(windows(8))
def test_old_serialisers_write_an_emoji_as_two_halves(roots: list[UiNode]) -> None:
    source = render_hierarchy(shown(roots), 0).decode()
    assert facts_of(Snapshot.parse(_halved(source))) == facts(roots)


def _halved(source: str) -> str:
    def halves(sign: str) -> str:
        units = sign.encode("utf-16-be")
        return "".join(f"&#{int.from_bytes(units[at : at + 2], 'big')};" for at in (0, 2))

    return "".join(halves(sign) if ord(sign) > 0xFFFF else sign for sign in source)


def phone_with(app: App[Any]) -> VirtualPhone:
    return VirtualPhone([app], latency=STILL, clock=ManualClock())


@pytest.mark.slow
@pytest.mark.parametrize("server", [True, pytest.param(False, marks=pytest.mark.ci)])
@pytest.mark.parametrize(
    "app", [shop(), pytest.param(lab(), marks=pytest.mark.ci), TOY], ids=["shop", "lab", "toy"]
)
def test_every_screen_of_the_demo_apps_is_read(app: App[Any], server: bool) -> None:
    phone = phone_with(app)
    seen: set[tuple[Fact, ...]] = set()
    for activity in (None, *app.screens):
        phone.start_app(app.package, activity)
        for _ in range(2):
            seen.add(read_in_both_ways(phone, server))
            open_keyboard(phone)
            seen.add(read_in_both_ways(phone, server))
            phone.press_key("BACK")
            phone.swipe(540, 1800, 540, 900)
    assert len(seen) >= 8


def read_in_both_ways(phone: VirtualPhone, server: bool) -> tuple[Fact, ...]:
    """All windows as a server prints them, and the one of the command line."""
    all_windows = [window for window in phone.windows() if window.accessible]
    active = active_window(all_windows)
    assert active is not None
    for printed in ([active], all_windows):
        read = facts_of(Snapshot.parse(render_hierarchy(printed, phone.rotation, server=server)))
        assert read == facts([window.root for window in printed], server=server)
    return tuple(read)


def open_keyboard(phone: VirtualPhone) -> None:
    fields = [node for window in phone.windows() for node in window.root.walk() if node.editable]
    if fields:
        middle = fields[0].bounds.center
        phone.tap(middle.x, middle.y)
