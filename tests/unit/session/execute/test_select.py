"""Choosing an option of a list that opens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_replicant import ActionFailed
from pytest_replicant.model import Recovery
from pytest_replicant.virtual import (
    Button,
    Dialog,
    DialogButton,
    Row,
    RunningApp,
    Spinner,
    Text,
    Widget,
)
from tests.lab.exhibits_shown import refused

from ..conftest import Kit, Play
from ..kit_controls import into
from ..kit_phone import Build, Held
from ..scripted_phone import ScriptedPhone, button, node, screen

RADIO = button("Pick up", 600)


def spinner(value: str) -> str:
    shown = node("TextView", (100, 200, 500, 300), text=value)
    return node("Spinner", (100, 200, 500, 300), shown, resource_id="a:id/country", clickable=True)


def option(text: str, top: int) -> str:
    return node("CheckedTextView", (100, top, 500, top + 100), text=text, clickable=True)


CLOSED = screen(spinner("Norway"), RADIO)
OPEN = screen(spinner("Norway"), RADIO, option("France", 900), option("Spain", 1000))


def opens(phone: ScriptedPhone) -> None:
    _, point = phone.gestures[-1]
    chosen = "Spain" if point.y > 1000 else "Norway"
    phone.frames = [OPEN if point.y < 300 else screen(spinner(chosen), RADIO)]


def test_an_option_is_chosen_and_shown(play: Play) -> None:
    session, _ = play([CLOSED], on_gesture=opens)
    outcome = session.select(resource_id="country", option="Spain")
    assert outcome.result.details["read_back"] in ("exact", "unavailable")


def test_what_was_there_before_is_no_option(play: Play) -> None:
    """A radio button opens nothing, and the label elsewhere on the screen is not its option."""
    session, phone = play([CLOSED])
    with pytest.raises(ActionFailed, match="opened no list"):
        session.select(text="Pick up", option="Norway", timeout=0.5)
    assert len(phone.gestures) == 1


def test_an_option_that_is_not_offered_names_those_that_are(play: Play) -> None:
    session, _ = play([CLOSED], on_gesture=opens)
    with pytest.raises(ActionFailed, match='new on the screen: "France"   "Spain"'):
        session.select(resource_id="country", option="Atlantis", timeout=0.5)


def lands(*options: str) -> Build:
    def build(app: RunningApp[Held]) -> list[Widget]:
        chosen = app.state.values["land"]
        return [
            Spinner(list(options), id="land", chosen=chosen, on_change=into(app, "land")),
            Button("Else"),
        ]

    return build


LONG = [f"Land {number}" for number in range(60)]


@pytest.mark.parametrize("to", ["Land 1", "Land 30", "Land 59"])
def test_a_list_longer_than_the_screen_is_scrolled(kit: Kit, to: str) -> None:
    session, phone = kit(lands(*LONG), land=0)
    outcome = session.select(resource_id="land", option=to)
    assert LONG[phone.state.values["land"]] == to
    assert (
        outcome.result.details["swipes"] > 0
    )  # for each: another one of that name may be out of sight


@pytest.mark.slow
def test_what_a_long_list_lacks_is_said_with_all_that_it_has(kit: Kit) -> None:
    session, _ = kit(lands(*LONG), land=0)
    with refused("ELEMENT_NOT_FOUND", r'"Land 0".*"Land 59"'):
        session.select(resource_id="land", option="Atlantis", timeout=0.5)


def test_two_options_alike_are_no_choice(kit: Kit) -> None:
    session, phone = kit(lands("Norway", "Sweden", "Sweden"), land=0)
    with refused("AMBIGUOUS_TARGET", '2 options "Sweden"'):
        session.select(resource_id="land", option="Sweden")
    assert phone.state.values["land"] == 0


def test_what_opens_no_list_breaks_its_promise(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        return [Button("Norway", id="land", class_name="android.widget.Spinner"), Text("Sweden")]

    session, phone = kit(build)
    with refused("SEMANTIC_MISMATCH", "opened no list: a tap on it brought nothing new up"):
        session.select(resource_id="land", option="Sweden", timeout=0.5)
    assert len(phone.touches) == 1


def test_a_list_that_opens_late_is_waited_for(kit: Kit) -> None:
    def build(app: RunningApp[Held]) -> list[Widget]:
        def choose(name: str) -> Callable[[], object]:
            return lambda: app.state.values.update(land=name)

        def ask() -> None:
            dialog = Dialog("Which?", "", [DialogButton(name, choose(name)) for name in ("A", "B")])
            app.after(1200, lambda: app.show(dialog))

        return [
            Button(
                app.state.values["land"],
                id="land",
                on_click=ask,
                class_name="android.widget.Spinner",
            )
        ]

    session, phone = kit(build, land="C")
    session.select(resource_id="land", option="B")
    assert phone.state.values["land"] == "B"
    assert len(phone.touches) == 2


def arrow(app: RunningApp[Held]) -> list[Widget]:
    """A field that is called a spinner; only the arrow at its end opens the list."""
    shown = app.state.values["open"]

    def choose(name: str) -> Callable[[], object]:
        return lambda: app.state.values.update(land=name, open=False)

    field = Row(
        [
            Text(app.state.values["land"], weight=1),
            Button("▾", width=56, flat=True, on_click=lambda: app.state.values.update(open=True)),
        ],
        id="land",
        class_name="android.widget.Spinner",
        on_click=lambda: app.state.events.append("field"),
    )
    rows = [Button(name, on_click=choose(name)) for name in ("Norway", "Sweden")] if shown else []
    return [field, *rows]


def test_raw_semantics_open_a_list_by_its_arrow(kit: Kit) -> None:
    def raw(session: object, failure: object, state: object) -> Recovery | None:
        assert getattr(failure, "code", "") == "SEMANTIC_MISMATCH"
        return Recovery("re_resolve", params={"semantics": "raw"}, reason="it opens otherwise")

    session, phone = kit(arrow, land="Norway", open=False)
    with pytest.raises(ActionFailed, match="opened no list"):
        session.select(resource_id="land", option="Sweden", timeout=0.5)
    session, phone = kit(arrow, recover=raw, land="Norway", open=False)
    outcome = session.select(resource_id="land", option="Sweden", timeout=0.5)
    assert phone.state.values["land"] == "Sweden"
    assert outcome.result.recovery is not None
    bounds = phone.bounds("land")
    assert all(bounds.contains(point) for point in phone.touches[:2])
