"""What an app is told of a finger that scrolls."""

from __future__ import annotations

from pytest_replicant.virtual import (
    App,
    RecyclerList,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
)

from .toy_app import STILL

PACKAGE = "dev.replicant.scrolled"
Events = list[str]


class Main(Screen[Events]):
    def build(self, app: RunningApp[Events]) -> Widget:
        rows = [Text(f"Row {number}", height=60) for number in range(20)]
        scrolled = RecyclerList(rows, id="rows", height="fill")
        scrolled.on_end = lambda: app.state.append("end")
        scrolled.on_pull = lambda: app.state.append("pull")
        return scrolled


def test_a_list_reports_a_pull_beyond_its_top_and_that_a_finger_reached_its_end() -> None:
    app: App[Events] = App(package=PACKAGE, label="Scrolled", state=lambda stored: [], start=Main)
    phone = VirtualPhone([app], latency=STILL)
    phone.start_app(PACKAGE)
    events = phone.app_state(PACKAGE)
    assert isinstance(events, list)

    def swipe(by: int) -> None:
        phone.swipe(540, 1200, 540, 1200 - by)

    swipe(300)
    swipe(-300)
    assert events == []
    swipe(-300)
    assert events == ["pull"]
    for _ in range(10):
        swipe(300)
    assert set(events) == {"pull", "end"}
