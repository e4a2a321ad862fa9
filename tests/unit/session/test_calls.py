"""Wrong calls are refused in our own words, with nothing done."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import pytest_replicant
from pytest_replicant import ActionFailed, ExpectationFailed, Locator, UsageError, by
from pytest_replicant.drivers import Platform
from pytest_replicant.model import SELECTOR_KEYWORDS
from pytest_replicant.session import HERE, DeviceSession
from pytest_replicant.testing import virtual_session

from .conftest import Play
from .scripted_phone import APP, button, node, screen

HOME = screen(button("Go"), title="Home")

WRONG: dict[str, Callable[[Any], object]] = {
    "a step without a title": lambda mobile: mobile.step("").__enter__(),
    "a step of a number": lambda mobile: mobile.step(3).__enter__(),
    "attach without a name": lambda mobile: mobile.attach(None, b"x"),
    "attach without a media type": lambda mobile: mobile.attach("x", b"d", None),
    "changes since nothing": lambda mobile: mobile.changes(since=None),
    "changes since a word": lambda mobile: mobile.changes(since="yesterday"),
    "launch of a number": lambda mobile: mobile.launch(3),
    "launch of nothing": lambda mobile: mobile.launch(),
    "open_url of a number": lambda mobile: mobile.open_url(3),
    "long_press for a word": lambda mobile: mobile.long_press(text="Go", seconds="long"),
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
    assert session._context.apps.launched == ()


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


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_what_a_pattern_finds_is_what_is_printed_as_the_label(platform: Platform) -> None:
    price = re.compile(r"^£\d+\.00$")
    with virtual_session("dev.replicant.shop", platform=platform) as mobile:
        mobile.fill(text="Email", value="ada@example.com")
        mobile.fill(text="Password", value="correct horse")
        mobile.tap(text="Sign in").expect_screen("Catalogue")
        found = mobile.find_all(text=price)
        assert [one.label for one in found][:2] == ["£8.00", "£12.00"]
        assert mobile.snapshot().find(text=re.compile("^Red mug$")).label == "Red mug"
        assert mobile.find(text="Red mug").label == "Red mug £8.00"
        assert mobile.wait_for(text=re.compile("^£8")).label == "£8.00"
        assert all(map(price.search, mobile.collect(text=price).labels))
        mobile.scroll_to(text="Red mug", direction="up")
        row = mobile.find(text=re.compile("^£8.00$"))
        assert (row.label, mobile.find(row).label) == ("£8.00", "Red mug £8.00")
        mobile.tap(row).expect_screen("Product")


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


MISUSED = [
    ('by("Email")', 'by(text="Email")'),
    ('by(nmae="Email", xpath="//a")', "by(text=...)"),
    ('by(id="app:id/go")', 'by(resource_id="app:id/go")'),
    ("by(re.compile('^Go$'), 3)", 'by(text=re.compile("^Go$"))'),
    ('mobile.tap("Sign in")', 'tap(text="Sign in")'),
    ('mobile.tap("Sign in", timeout_ms=500)', 'tap(text="Sign in", timeout=0.5)'),
    ('mobile.tap(by(text="Go"), 5)', 'tap(by(text="Go"), timeout=5)'),
    ('mobile.tap(target="k427")', 'tap("k427")'),
    ('mobile.tap(xpath="//Button")', "tap(text=...)"),
    ('mobile.tap(accessibility_id="Go", exact=True)', 'tap(description="Go", text=...)'),
    ('mobile.tap(text="Go", silent="yes")', 'tap(text="Go", silent=True)'),
    ('mobile.long_press(text="Go", duration=2)', 'long_press(text="Go", seconds=2)'),
    ('mobile.fill("Email", "ada")', 'fill(text="Email", value="ada")'),
    ('mobile.fill("ada", text="Email")', 'fill(text="Email", value="ada")'),
    ('mobile.select("Size", "Large")', 'select(text="Size", option="Large")'),
    ('mobile.drag("k427")', 'drag("k427", ...)'),
    ("mobile.swipe()", 'swipe("up")'),
    ('mobile.scroll(dirction="down")', 'scroll("down")'),
    ("mobile.rotate()", 'rotate("portrait")'),
    ("mobile.press_key()", 'press_key("back")'),
    ("mobile.tap_at(3)", "tap_at(3, 5)"),
    ('mobile.pinch("Map")', 'pinch(text="Map", scale=5)'),
    ('mobile.launch("dev.replicant.shop", True)', 'launch("dev.replicant.shop", fresh=True)'),
    ('mobile.launch("dev.replicant.shop", wait=5)', 'launch("dev.replicant.shop")'),
    ('mobile.set_permission("camera")', 'set_permission("camera", True)'),
    ('mobile.screenshot(path="a.png")', 'Path("a.png").write_bytes(mobile.screenshot())'),
    ('mobile.find("Sign in")', 'find(text="Sign in")'),
    ('mobile.find_all(re.compile("Sign"))', 'find_all(text=re.compile("Sign"))'),
    ('mobile.wait_for("Sign in", 10)', 'wait_for(text="Sign in", timeout=10)'),
    ("mobile.attach(b'x')", "attach(b'x', ...)"),
    ("mobile.step()", "step(...)"),
    ("mobile.on_interrupt(by(text='Rate us'))", 'on_interrupt(by(text="Rate us"), ...)'),
    ('mobile.within("Cart")', 'within(text="Cart")'),
    ('mobile.expect_visible("Cart", 10)', 'expect_visible(text="Cart", timeout=10)'),
    ('mobile.expect_count(2, "Row")', 'expect_count(2, text="Row")'),
    ('mobile.expect_app("foreground", "a", 3)', 'expect_app("foreground", "a", timeout=3)'),
    ('mobile.expect_looks_like("cart", "Cart")', 'expect_looks_like("cart", text="Cart")'),
    ("mobile.expect_screen()", "expect_screen(...)"),
    ('locator.scroll_to(text="Pay")', 'mobile.scroll_to(text="Pay")'),
    ('locator.fill(text="ada")', 'fill(value="ada")'),
    ("locator.expect_text()", "expect_text(...)"),
    ("locator.wait_for(10)", "wait_for(timeout=10)"),
    ('locator.filter("Cart")', 'filter(text="Cart")'),
    ('outcome.expect_gone("Cart")', 'expect_gone(text="Cart")'),
    ('snapshot.find("Cart")', 'find(text="Cart")'),
    ("snapshot.element()", "element(...)"),
    ("snapshot.outline(3)", "outline(depth=3)"),
    ('Screen("Cart", hass=["Pay"])', 'Screen("Cart", has=["Pay"])'),
    ("Secret()", "Secret(...)"),
    ("by_image()", "by_image(...)"),
    ("check(len, True)", "check(..., presence=True)"),
    ("mobile_state(len)", "mobile_state(proof=...)"),
    ('connect("virtual", 5)', 'connect("virtual", timeout=5)'),
]


MISTYPED = [
    ('mobile.tap(text="Go", timeout="5")', 'tap(text="Go", timeout=5)'),
    ('mobile.tap(text="Go", timeout=-1)', 'tap(text="Go", timeout=5)'),
    ('mobile.tap(by(text="Go"), source="photo")', 'tap(by(text="Go"), source="hierarchy")'),
    ('mobile.fill(text="Email", value=7)', 'fill(text="Email", value="ada")'),
    ('mobile.adjust(by(text="Sound"))', 'adjust(text="Sound", to=True)'),
    ('mobile.select(by(text="Size"), 7)', 'select(by(text="Size"), ...)'),
    ("mobile.rotate(90)", 'rotate("portrait")'),
    ("mobile.press_key(['back'])", 'press_key("back")'),
    ("mobile.open_url(None)", "open_url(...)"),
    ("mobile.swipe(7)", 'swipe("up")'),
    ('mobile.tap_at("left", 3)', "tap_at(5, 3)"),
    ('mobile.pinch(by(text="Map"), scale="big")', 'pinch(by(text="Map"), scale=5)'),
    ("mobile.install(7)", "install(...)"),
    ("mobile.push_file(7, '/sdcard/a')", 'push_file(..., "/sdcard/a")'),
    ("mobile.launch('dev.replicant.shop', args=7)", 'launch("dev.replicant.shop")'),
    ("mobile.answer_permission('yes')", 'answer_permission("allow")'),
    ("mobile.background('long')", "background(5)"),
    ("mobile.shell(7)", "shell(...)"),
    ("mobile.logs(since='now')", 'logs(since="test")'),
    ("mobile.attach('x', 7)", 'attach("x", ...)'),
    ("mobile.recorded('x', 7)", 'recorded("x", ...)'),
    ("mobile.expect_screen(7)", "expect_screen(...)"),
    ("mobile.expect_outline(7)", "expect_outline(...)"),
    ("mobile.expect_looks_like('cart', masks=7)", "expect_looks_like('cart', masks=[by(text=...)])"),
    ("mobile.expect_app('front')", 'expect_app("foreground")'),
    ("mobile.wait_for_change(timeout='long')", "wait_for_change(timeout=5)"),
    ("mobile.tap()", 'tap(text="Sign in")'),
    ("locator.nth('first')", "nth(5)"),
    ("locator.expect_text(7)", "expect_text(...)"),
    ("snapshot.element(7)", "element(...)"),
    ("snapshot.outline(depth='all')", "outline(depth=5)"),
    ("by(text=7)", "by(text=...)"),
    ("by(text=b'Go')", "by(text=...)"),
    ("by(nth='1')", "by(nth=...)"),
    ("Secret(None)", "Secret(...)"),
]


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_value_of_another_type_is_answered_in_one_sentence_with_the_right_call(platform: Platform) -> None:
    with virtual_session("dev.replicant.shop", platform=platform) as mobile:
        known = known_to(mobile)
        for written, right in MISTYPED:
            with pytest.raises(UsageError) as refused:
                eval(written, known)
            message = str(refused.value)
            assert message.endswith(f"Next: {right}"), message
            assert "\n" not in message
            assert binds(right, known, owner=written.partition(".")[0]), right


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_call_that_fits_no_signature_is_answered_in_one_sentence_with_the_right_one(platform: Platform) -> None:
    with virtual_session("dev.replicant.shop", platform=platform) as mobile:
        known = known_to(mobile)
        screen_before = mobile.snapshot().fingerprint
        for written, right in MISUSED:
            with pytest.raises(UsageError) as refused:
                eval(written, known)
            message = str(refused.value)
            assert message.endswith(f"Did you mean {right}?"), message
            assert "\n" not in message
            assert binds(right, known, owner=written.partition(".")[0].replace("outcome", "mobile")), right
        assert mobile.snapshot().fingerprint == screen_before


def known_to(mobile: DeviceSession) -> dict[str, Any]:
    """The names that a wrong call is made of."""
    public = {name: getattr(pytest_replicant, name) for name in pytest_replicant.__all__}
    outcome, locator = mobile.tap(text="Email"), mobile.locator(text="Sign in")
    own = {"mobile": mobile, "locator": locator, "outcome": outcome, "snapshot": mobile.snapshot()}
    return {**public, **own, "re": re, "Path": Path}


def binds(written: str, known: dict[str, Any], owner: str) -> bool:
    """Whether the arguments of a call, which is not made, are those that the function takes."""
    call = cast("ast.Call", ast.parse(written, mode="eval").body)
    name = ast.unparse(call.func)
    own = known.get(owner)
    function = getattr(own, name) if own is not None and hasattr(own, name) else eval(name, known)
    given = {str(one.arg): one.value for one in call.keywords}
    signature = inspect.signature(function)
    signature.bind(*call.args, **given)
    return given.keys() <= {*signature.parameters, *SELECTOR_KEYWORDS}


def test_milliseconds_are_no_seconds(play: Play) -> None:
    session, _ = play([screen(button("One"))])
    with pytest.raises(UsageError, match="not in milliseconds"):
        session.tap(text="One", timeout=5000)
    session.tap(text="One", timeout=3600)
