"""Wrong calls are refused in our own words, with nothing done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, Locator, UsageError, by
from pytest_replicant.session import HERE, DeviceSession

from .conftest import Play
from .scripted_phone import APP, button, node, screen

HOME = screen(button("Go"), title="Home")

WRONG: dict[str, Callable[[Any], object]] = {
    "a step without a title": lambda mobile: mobile.step("").__enter__(),
    "a step of a number": lambda mobile: mobile.step(3).__enter__(),
    "attach without a name": lambda mobile: mobile.attach(None, b"x"),
    "attach of what is no data": lambda mobile: mobile.attach("x", {"a": 1}),
    "attach without a media type": lambda mobile: mobile.attach("x", b"d", None),
    "changes since nothing": lambda mobile: mobile.changes(since=None),
    "changes since a word": lambda mobile: mobile.changes(since="yesterday"),
    "launch of a number": lambda mobile: mobile.launch(3),
    "launch of nothing": lambda mobile: mobile.launch(),
    "open_url of a number": lambda mobile: mobile.open_url(3),
    "long_press for a word": lambda mobile: mobile.long_press(text="Go", seconds="long"),
    "shell of nothing": lambda mobile: mobile.shell(None),
    "fill without a value": lambda mobile: mobile.fill(text="Go"),
    "select without an option": lambda mobile: mobile.select(text="Go"),
    "scroll_to with a word": lambda mobile: mobile.scroll_to(text="Go", max_swipes="many"),
    "scroll_to with less than none": lambda mobile: mobile.scroll_to(text="Go", max_swipes=-1),
    "scroll askew": lambda mobile: mobile.scroll("sideways"),
    "a branch that is no selector": lambda mobile: mobile.wait_for_any(home="Go"),
    "no branches": lambda mobile: mobile.wait_for_any(),
    "a state without an element": lambda mobile: mobile.expect_state(checked=True),
    "expect_changed without an action": lambda mobile: mobile.expect_changed(),
    "expect_unchanged without an action": lambda mobile: mobile.expect_unchanged(),
    "a diff against an id": lambda mobile: mobile.snapshot().diff("s1"),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG.keys())
def test_a_wrong_call_is_a_usage_error(play: Play, call: Callable[[DeviceSession], object]) -> None:
    session, phone = play([HOME])
    with pytest.raises(UsageError):
        call(session)
    assert phone.gestures == []
    assert session._context.launched == []


def test_half_a_surrogate_pair_can_be_attached(play: Play) -> None:
    session, _ = play([HOME])
    session.attach("odd", "\ud800")
    assert session._context.recorder.attachments[0].data == b"\\ud800"


def test_the_app_launched_last_is_the_one_that_is_meant(play: Play) -> None:
    session, phone = play([HOME])
    session.launch("dev.example.one")
    session.launch(APP)
    session.activate()
    assert [kind for kind, _ in phone.gestures] == ["launch dev.example.one", f"launch {APP}", f"launch {APP}"]


def test_a_container_that_does_not_scroll_is_not_swiped(play: Play) -> None:
    session, phone = play([HOME])
    with pytest.raises(Exception, match="does not scroll"):
        session.scroll("down", by(text="Go"))
    assert phone.gestures == []


def test_a_value_that_equals_the_hint_cannot_be_told_from_an_empty_field(play: Play) -> None:
    field = '<node text="Email" hint="Email" class="android.widget.EditText" resource-id="a:id/email" '
    field += f'package="{APP}" content-desc="" clickable="true" enabled="true" bounds="[0,200][500,300]"/>'
    session, phone = play([screen(field, title="Sign in")])
    outcome = session.fill(text="Email", value="Email")
    assert outcome.result.details["read_back"] == "unavailable"
    with pytest.raises(ActionFailed, match="shows ''"):
        session.fill(text="Email", value="ada")
    assert phone.typed == ["Email", "ada"]


def test_find_all_sees_what_find_and_checks_see(play: Play) -> None:
    label = node("TextView", (0, 300, 500, 400), text="Gift wrap")
    more = node("TextView", (0, 400, 500, 500), text="Adds a day")
    session, _ = play(
        [screen(node("LinearLayout", (0, 300, 1000, 500), label, more, clickable=True), title="Home")]
    )
    (found,) = session.find_all(text="Gift wrap")
    assert found == session.find(text="Gift wrap")
    assert found.label == "Gift wrap Adds a day"
    with pytest.raises(ExpectationFailed, match="absent"):
        session.expect_state(by(text="Gift wrap", nth=1), enabled=True)


def test_names_of_other_tools_are_answered_with_ours_on_sessions_outcomes_and_locators(play: Play) -> None:
    session, _ = play([screen(button("One"))])
    outcome, locator = session.tap(text="One"), session.locator(text="One")
    for asked, name, here in (
        (session, "click", "here that is mobile.tap()"),
        (session, "clik", "here that is mobile.tap()"),
        (session, "get_by_role", "here that is mobile.locator(role=...)"),
        (session, "expect_visibel", "Did you mean expect_visible?"),
        (session, "set_location", "and there is none here: the emulator's console"),
        (outcome, "click", "here that is mobile.tap()"),
        (outcome, "expect_not_visible", "here that is outcome.expect_gone()"),
        (outcome, "expect_toast", "here that is outcome.expect_seen(text=...)"),
        (locator, "click", "here that is locator.tap()"),
        (locator, "is_visible", "here that is locator.expect_visible(), or"),
        (locator, "expect_toast", "here that is locator.expect_seen()"),
        (locator, "expect_screen", "it is on the session: mobile.expect_screen"),
        (locator, "and_", "here that is locator.filter()"),
        (session, "and_", "here that is locator.filter()"),
        (outcome, "find", "it is on the session: mobile.find"),
        (session, "stop_app", "here that is mobile.stop()"),
        (session, "expect_not_gone", "here that is mobile.expect_visible()"),
        (session, "not_", "here that is locator.expect_not_text() and its like"),
        (locator, "go_back", "here that is mobile.back()"),
    ):
        with pytest.raises(AttributeError) as missing:
            getattr(asked, name)
        assert here in str(missing.value)
    with pytest.raises(AttributeError, match=r"no 'zzz'$"):
        session.zzz  # type: ignore[attr-defined]  # noqa: B018


def test_what_another_name_is_here_is_there() -> None:
    for name, here in HERE.items():
        called = here.partition("(")[0]
        assert hasattr(DeviceSession, called) or hasattr(Locator, called), name
        assert not hasattr(DeviceSession, name), f"{name} is ours"


def test_milliseconds_are_no_seconds(play: Play) -> None:
    session, _ = play([screen(button("One"))])
    with pytest.raises(UsageError, match="not in milliseconds"):
        session.tap(text="One", timeout=5000)
    session.tap(text="One", timeout=3600)
