"""A drop-down: the option is what the tap brought up, and the control shows it afterwards."""

from __future__ import annotations

import pytest

from pytest_replicant import ActionFailed

from ..conftest import Play
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


def test_a_choice_whose_list_stays_open_was_not_made(play: Play) -> None:
    """The tap on the option was lost: the control that lies under the list shows what it did before."""
    window = node("ListView", (100, 800, 900, 1200), option("France", 900), option("Spain", 1000))
    still_open = CLOSED.replace(b"</hierarchy>", window.encode() + b"</hierarchy>")

    def stays_open(phone: ScriptedPhone) -> None:
        phone.frames = [still_open]

    session, _ = play([CLOSED], on_gesture=stays_open)
    with pytest.raises(ActionFailed, match="shows 'Norway' after 'Spain' was chosen"):
        session.select(resource_id="country", option="Spain")
