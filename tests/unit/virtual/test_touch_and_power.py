"""Pages that are turned, rows that scroll to the side, two fingers, power and volume."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.testing.virtual import HorizontalScroll, Pager
from pytest_replicant.virtual import (
    App,
    Button,
    Canvas,
    Column,
    RecyclerList,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
    render_png,
)

from .notes_phone import sh
from .toy_app import STILL, Hand, ManualClock

PACKAGE = "dev.replicant.sideways"


class Main(Screen[dict[str, Any]]):
    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        state = app.state

        def put(name: str) -> Any:
            return lambda value: state.__setitem__(name, value)

        rows = [Text(f"row {number}", height=60) for number in range(20)]
        pages = [
            Text("page 0"),
            RecyclerList(rows, id="rows"),
            Button("page 2", on_click=lambda: put("tap")(2)),
        ]
        chips = [Button(f"chip {number}", id=f"chip{number}") for number in range(12)]
        return Column(
            [
                Pager(pages, id="pager", height=200, on_page=put("page")),
                Pager(
                    [Text("left"), Text("right")], id="held", height=60, page=state.get("held", 0)
                ),
                HorizontalScroll(chips, id="chips"),
                Canvas(id="map", on_pinch=put("scale"), height=240),
            ]
        )


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> VirtualPhone:
    app: App[dict[str, Any]] = App(package=PACKAGE, label="Sideways", state=dict, start=Main)
    phone = VirtualPhone([app], latency=STILL, clock=clock)
    phone.start_app(PACKAGE)
    return phone


@pytest.fixture
def hand(phone: VirtualPhone) -> Hand:
    return Hand(phone, PACKAGE)


def swipe_left(hand: Hand, name: str, by: int = 600) -> None:
    """A negative ``by`` is to the right."""
    middle = hand.find(id=name).bounds.center
    hand.phone.swipe(middle.x + by // 2, middle.y, middle.x - by // 2, middle.y + 20)


def state(phone: VirtualPhone) -> dict[str, Any]:
    found = phone.app_state(PACKAGE)
    assert isinstance(found, dict)
    return found


# --- pages ----------------------------------------------------------------------------------------


def test_the_pages_end(phone: VirtualPhone, hand: Hand) -> None:
    swipe_left(hand, "pager", -600)
    assert state(phone) == {}
    for _ in range(5):
        swipe_left(hand, "pager")
    assert state(phone) == {"page": 2}
    assert hand.find_all(text="page 2")


def test_a_finger_that_hardly_moves_turns_no_page(phone: VirtualPhone, hand: Hand) -> None:
    swipe_left(hand, "pager", 100)
    assert hand.find_all(text="page 0")
    assert state(phone) == {}


# --- rows -----------------------------------------------------------------------------------------


# --- two fingers ----------------------------------------------------------------------------------


# --- a screen that is off -------------------------------------------------------------------------
@pytest.mark.parametrize("key", ["POWER", "SLEEP"])
def test_a_dark_screen_has_no_window_and_takes_no_touch(
    phone: VirtualPhone, hand: Hand, key: str
) -> None:
    lit = render_png(phone.windows(), phone.size)
    phone.press_key(key)
    assert not phone.awake
    assert phone.windows() == []
    assert render_png(phone.windows(), phone.size) != lit
    assert "null root node" in sh(phone, "uiautomator dump").error
    assert "mWakefulness=Asleep" in sh(phone, "dumpsys power").out
    assert "mCurrentFocus=null" in sh(phone, "dumpsys window").out
    phone.tap(540, 300)
    phone.swipe(900, 300, 100, 300)
    assert phone.press_key("HOME")
    assert not phone.type_text("a")
    phone.press_key("WAKEUP")
    assert phone.awake
    assert hand.find_all(text="page 0")
    assert phone.foreground()[0] == PACKAGE


# --- volume ---------------------------------------------------------------------------------------
