"""Wrong calls are refused in our own words, with nothing done."""

from __future__ import annotations

import ast
import inspect
import re
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


def test_half_a_surrogate_pair_can_be_attached(play: Play) -> None:
    session, _ = play([HOME])
    session.attach("odd", "\ud800")
    assert session._context.recorder.attachments[0].data == b"\\ud800"


def test_the_app_launched_last_is_the_one_that_is_meant(play: Play) -> None:
    session, phone = play([HOME])
    session.launch("dev.example.one")
    session.launch(APP)
    session.activate()
    assert [kind for kind, _ in phone.gestures] == [
        "launch dev.example.one",
        f"launch {APP}",
        f"launch {APP}",
    ]


def test_a_container_that_does_not_scroll_is_not_swiped(play: Play) -> None:
    session, phone = play([HOME])
    with pytest.raises(Exception, match="does not scroll"):
        session.scroll("down", by(text="Go"))
    assert phone.gestures == []


def test_a_value_that_equals_the_hint_cannot_be_told_from_an_empty_field(play: Play) -> None:
    field = (
        '<node text="Email" hint="Email" class="android.widget.EditText" resource-id="a:id/email" '
    )
    field += (
        f'package="{APP}" content-desc="" clickable="true" enabled="true" '
        'bounds="[0,200][500,300]"/>'
    )
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
        [
            screen(
                node("LinearLayout", (0, 300, 1000, 500), label, more, clickable=True), title="Home"
            )
        ]
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
        row = mobile.find(text=re.compile("^£8.00$"))
        assert (row.label, mobile.find(row).label) == ("£8.00", "Red mug £8.00")
        mobile.tap(row).expect_screen("Product")


def test_what_another_name_is_here_is_there() -> None:
    for name, here in HERE.items():
        called = here.partition("(")[0]
        assert hasattr(DeviceSession, called) or hasattr(Locator, called), name
        assert not hasattr(DeviceSession, name), f"{name} is ours"


CALLS = [
    line
    for line in Path(__file__).with_name("wrong_calls.txt").read_text("utf-8").splitlines()
    if line
]


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_wrong_call_is_answered_in_one_sentence_often_with_the_right_one(
    platform: Platform,
) -> None:
    with virtual_session("dev.replicant.shop", platform=platform, action_timeout=1.0) as mobile:
        known = known_to(mobile)
        screen_before = mobile.snapshot().fingerprint
        for line in CALLS:
            written, proposes, right = line.partition("  =>  ")
            written, _, said = written.partition("  --  ")
            if written.startswith("#"):
                continue
            with pytest.raises((UsageError, AttributeError)) as refused:
                eval(written, known)
            message = str(refused.value)
            assert said in message, message
            if proposes:
                assert "\n" not in message
                assert message.endswith((f"Did you mean {right}?", f"Next: {right}")), message
                assert binds(
                    right, known, owner=written.partition(".")[0].replace("outcome", "mobile")
                ), right
        assert mobile.snapshot().fingerprint == screen_before


def known_to(mobile: DeviceSession) -> dict[str, Any]:
    """The names that a wrong call is made of."""
    public = {name: getattr(pytest_replicant, name) for name in pytest_replicant.__all__}
    outcome, locator = mobile.tap(text="Email"), mobile.locator(text="Sign in")
    own = {"mobile": mobile, "locator": locator, "outcome": outcome, "snapshot": mobile.snapshot()}
    return {**public, **own, "shot": mobile.shot(), "re": re, "Path": Path}


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
