"""A view of a part of the screen: page objects name what is in it, and mean no other."""

from __future__ import annotations

import inspect

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, TargetError, by
from pytest_replicant.model import Point
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import ScriptedPhone, node, screen


def form(name: str, top: int) -> str:
    title = node("TextView", (0, top, 500, top + 80), text=name)
    save = node("Button", (100, top + 100, 500, top + 200), text="Save", clickable=True)
    agree = node(
        "CheckBox", (600, top + 100, 900, top + 200), text="Agree", checkable=True, clickable=True
    )
    return node(
        "FrameLayout",
        (0, top, 1000, top + 300),
        title,
        save,
        agree,
        resource_id=f"a:id/{name.lower()}",
    )


FORMS = screen(form("Billing", 200), form("Shipping", 800), title="Forms")
SHIPPING = by(resource_id="shipping")


def test_what_is_there_twice_is_meant_in_its_part(play: Play) -> None:
    session, phone = play([FORMS])
    with pytest.raises(ActionFailed):
        session.tap(text="Save")
    page = session.within(SHIPPING)
    page.tap(text="Save")
    page.tap(by(text="Save"))
    page.tap(page.find(text="Save"))
    page.tap(page.find(text="Save").ref)
    assert phone.gestures == [("tap", Point(300, 950))] * 4


def test_checks_and_reads_look_there_only(play: Play) -> None:
    session, _ = play([FORMS])
    page = session.within(resource_id="billing")
    page.expect_visible(text="Billing").expect_gone(text="Shipping").expect_count(1, text="Save")
    page.expect_count(1, by(text="Save"))
    page.expect_state(by(text="Agree"), checked=False)
    assert page.wait_for(text="Agree").bounds.top == 300
    assert page.wait_for_any(other=by(text="Shipping"), own=by(text="Billing")) == "own"
    assert [element.bounds.top for element in page.find_all(class_name="Button")] == [300]
    assert [element.bounds.top for element in page.find_all(by(class_name="Button"))] == [300]
    with pytest.raises(TargetError):
        page.find(text="Shipping")


def test_a_view_has_views(play: Play) -> None:
    inner = node("Button", (0, 300, 500, 400), text="Go", clickable=True)
    box = node("FrameLayout", (0, 250, 1000, 500), inner, resource_id="a:id/box")
    page = node("FrameLayout", (0, 200, 1000, 600), box, resource_id="a:id/page")
    session, phone = play(
        [screen(page, node("Button", (0, 900, 500, 999), text="Go", clickable=True))]
    )
    view = session.within(resource_id="page").within(resource_id="box")
    assert (
        repr(view)
        == '<DeviceSession scripted within resource_id="box", within=by(resource_id="page")>'
    )
    view.tap(text="Go")
    session.within(resource_id="page").tap(text="Go", within=by(resource_id="box"))
    assert phone.gestures == [("tap", Point(250, 350))] * 2


def test_a_swipe_without_a_target_is_across_the_part(play: Play) -> None:
    rows = node("ListView", (0, 800, 1000, 1100), resource_id="a:id/rows", scrollable=True)
    session, phone = play([screen(rows, title="Rows")])
    page = session.within(resource_id="rows")
    page.swipe("up")
    page.scroll("down")
    assert len(phone.gestures) == 3
    assert all(800 <= point.y < 1100 for _, point in phone.gestures)


def test_each_platform_keeps_its_branch(play: Play) -> None:
    session, phone = play([FORMS])
    session.within(SHIPPING).tap(by(android=by(text="Save"), ios=by(text="Sichern")))
    assert phone.gestures == [("tap", Point(300, 950))]


def test_an_interruption_is_met_on_the_whole_screen(play: Play) -> None:
    session, phone = play([FORMS])
    met: list[DeviceSession] = []

    def do(mobile: DeviceSession) -> None:
        met.append(mobile)
        phone.frames = [FORMS]

    page = session.within(SHIPPING)
    phone.frames = [screen(form("Notice", 200))]
    with page.on_interrupt(by(text="Notice"), do):
        page.tap(text="Save")
    assert [repr(one) for one in met] == [repr(session)]


OTHER_ARGUMENTS = {
    "direction": "down",
    "value": "x",
    "to": "x",
    "option": "x",
    "n": 1,
    "scale": 2.0,
    "expected": "x",
}
NAMED = {"target", "source", "selector", "container"}


def methods_with_targets() -> list[str]:
    """Every public method of a session that takes a target, in whatever way."""
    found = []
    for name, method in inspect.getmembers(DeviceSession, inspect.isfunction):
        parameters = inspect.signature(method).parameters.values()
        takes = any(one.name in NAMED or one.kind is one.VAR_KEYWORD for one in parameters)
        never = "NoReturn" in str(inspect.signature(method).return_annotation)
        apart = (
            "within",
            "on_interrupt",
            "locator",
            "expect_looks_like",
        )  # the last needs the files of a test
        if takes and not never and not name.startswith("_") and name not in apart:
            found.append(name)
    return found


@pytest.mark.parametrize("name", methods_with_targets())
def test_every_target_is_meant_in_the_part(play: Play, name: str) -> None:
    session, phone = play([FORMS])
    phone.capabilities = ScriptedPhone.capabilities
    method = getattr(session.within(resource_id="billing"), name)
    parameters = inspect.signature(method).parameters.values()
    target = by(text="Shipping")
    arguments = [
        target if one.name in NAMED else OTHER_ARGUMENTS[one.name]
        for one in parameters
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
        and (one.name in NAMED or one.name in OTHER_ARGUMENTS)
        and not (name == "collect" and one.name == "container")
    ]
    keywords = {
        one.name: OTHER_ARGUMENTS[one.name]
        for one in parameters
        if one.default is one.empty and one.name in ("scale", "expected")
    }
    if name == "expect_state":
        keywords["checked"] = True
    elif name == "wait_for_any":
        keywords["branch"] = target
    keywords |= {} if "find" in name else {"timeout": 0.1}
    if name in ("find_all", "expect_gone", "collect"):
        assert repr(method(*arguments, **keywords)) in (
            "[]",
            repr(session.within(resource_id="billing")),
        )
    else:
        with pytest.raises((ActionFailed, ExpectationFailed, TargetError)) as missed:
            method(*arguments, **keywords)
        assert 'within=by(resource_id="billing")' in str(missed.value).split("\n", 1)[0]
    assert phone.gestures == []
