"""What an app is told of a finger that scrolls, and of the phone around it."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import App, Column, RecyclerList, RunningApp, Screen, Text, VirtualPhone, Widget

from .toy_app import STILL, Hand, ManualClock

PACKAGE = "dev.replicant.scrolled"
Events = list[str]


class Main(Screen[Events]):
    title = "Scrolled"

    def build(self, app: RunningApp[Events]) -> Widget:
        def note(event: str) -> None:
            if event == "crash":
                raise ValueError("on a scroll")
            app.state.append(event)

        rows = [Text(f"Row {number}", height=60) for number in range(20)]
        scrolled = RecyclerList(rows, id="rows", weight=1)
        scrolled.on_end = lambda: note("crash" if "armed" in app.state else "end")
        scrolled.on_pull = lambda: note("pull")
        shape = Text("wide" if app.landscape else "high", id="shape")
        words = app.read_file("/sdcard/Download/words.txt")
        return Column([shape, Text(repr(words), id="words"), scrolled], height="fill")


@pytest.fixture
def phone() -> VirtualPhone:
    app: App[Events] = App(package=PACKAGE, label="Scrolled", state=lambda stored: [], start=Main)
    phone = VirtualPhone([app], latency=STILL, clock=ManualClock())
    phone.start_app(PACKAGE)
    return phone


def swipe(phone: VirtualPhone, by: int) -> None:
    phone.swipe(540, 1200, 540, 1200 - by)


def events(phone: VirtualPhone) -> Events:
    state = phone.app_state(PACKAGE)
    assert isinstance(state, list)
    return state


def test_a_list_reports_when_a_finger_reaches_its_end_or_goes_on_there(phone: VirtualPhone) -> None:
    swipe(phone, 300)
    assert events(phone) == []
    for _ in range(10):
        swipe(phone, 300)
    assert set(events(phone)) == {"end"}


def test_a_list_reports_when_a_finger_pulls_beyond_its_top(phone: VirtualPhone) -> None:
    swipe(phone, 300)
    swipe(phone, -300)
    assert events(phone) == []
    swipe(phone, -300)
    assert events(phone) == ["pull"]


def test_an_app_that_dies_of_a_scroll_does_not_take_the_phone_along(phone: VirtualPhone) -> None:
    events(phone).append("armed")
    for _ in range(10):
        swipe(phone, 300)
    assert PACKAGE not in phone.processes()


def test_an_app_knows_how_the_phone_is_held(phone: VirtualPhone) -> None:
    hand = Hand(phone)
    shapes = []
    for rotation in range(4):
        phone.set_rotation(rotation)
        shapes.append(hand.find(resource_id=f"{PACKAGE}:id/shape").text)
    assert shapes == ["high", "wide", "high", "wide"]


def test_an_app_reads_files_of_the_shared_storage(phone: VirtualPhone) -> None:
    hand = Hand(phone)
    assert hand.find(resource_id=f"{PACKAGE}:id/words").text == "None"
    phone.files.write("/sdcard/Download/words.txt", b"two words")
    swipe(phone, 100)
    assert hand.find(resource_id=f"{PACKAGE}:id/words").text == repr(b"two words")
