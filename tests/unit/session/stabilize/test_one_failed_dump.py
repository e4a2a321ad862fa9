"""One dump that fails, at any moment of any action: made again, without recovery and without a second gesture."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import Failure, ProtocolError
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, button, node, screen

Act = Callable[[DeviceSession], object]


def page(*names: str) -> bytes:
    rows = [button(name, 200 + 150 * number) for number, name in enumerate(names)]
    return screen(node("ListView", (0, 150, 1000, 1900), *rows, scrollable=True), title="Page")


FIRST, NEXT = page("One", "Two", "Three"), page("Three", "Four", "Five")

ACTIONS: dict[str, Act] = {
    "tap": lambda mobile: mobile.tap(text="One"),
    "tap_at": lambda mobile: mobile.tap_at(10, 300),
    "scroll": lambda mobile: mobile.scroll("down"),
    "scroll_to": lambda mobile: mobile.scroll_to(text="Five"),
    "swipe": lambda mobile: mobile.swipe("up"),
    "back": lambda mobile: mobile.back(),
    "drag": lambda mobile: mobile.drag(mobile.find(text="One"), mobile.find(text="Two")),
}


def _unwanted(session: object, failure: Failure, state: object) -> None:
    raise AssertionError(f"recovery was asked for: {failure.message}")


@pytest.mark.parametrize("dump_seconds", [0.05, 1.5])
@pytest.mark.parametrize("failing", range(6))
@pytest.mark.parametrize("name", ACTIONS)
def test_one_failed_dump_changes_nothing(play: Play, name: str, failing: int, dump_seconds: float) -> None:
    dumps = 0
    moved = False

    def change(phone: ScriptedPhone) -> None:
        nonlocal moved
        moved = True

    session, phone = play([FIRST], dump_seconds=dump_seconds, on_gesture=change, recover=_unwanted)

    def dump() -> bytes:
        nonlocal dumps
        dumps += 1
        phone.clock.advance(dump_seconds)
        if dumps == failing + 1:
            raise ProtocolError("null root node")
        return NEXT if moved else FIRST

    phone.dump_hierarchy = dump  # type: ignore[method-assign]  # one of its dumps fails
    ACTIONS[name](session)
    session.expect_visible(text="Five")
