"""What a failed call advises, from what the session has seen: it leads to what was meant, or
nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, TargetError, by
from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    SeekBar,
    Spinner,
    Text,
    Widget,
)  # fmt: skip
from tests.lab.lab_phone import lab_phone

from .on_phone import PACKAGE, QUICK, session_on, trial

NEXT = re.compile(r"^Next: (.*)$", re.MULTILINE)
NAMES = ("Red mug", "Blue mug", *(f"Cup {number}" for number in range(30)), "Red rug")
QUICKER: dict[str, Any] = {"action_timeout": 0.3, "expect_timeout": 0.3, "read_on": 0.0}


class Shop(Screen[dict[str, Any]]):
    title = "Front"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def add(name: str) -> Callable[[], None]:
            def clicked() -> None:
                app.state["count"] = app.state.get("count", 0) + 1
                app.toast(f"Added {name}")

            return clicked

        rows = [Row([Text(name), Button("Add", on_click=add(name))], key=name) for name in NAMES]
        cart = Button(f"Cart, {app.state.get('count', 0)} items", id="cart")
        cart.on_click = lambda: app.show(
            Dialog("Empty it?", "", [DialogButton("Yes"), DialogButton("No")])
        )
        return Column([cart, RecyclerList(rows, id="products", weight=1)], height="fill")


@pytest.fixture(scope="module")
def phone() -> Iterator[VirtualDevice]:
    with virtual_device(trial(Shop)) as device:
        yield device


@pytest.fixture
def mobile(phone: VirtualDevice) -> Iterator[DeviceSession]:
    phone.phone.clear_app(PACKAGE)
    phone.phone.start_app(PACKAGE)
    with phone.session(**{**QUICK, **QUICKER}) as session:
        session.snapshot()
        yield session


def advice(call: Callable[[], object]) -> str:
    with pytest.raises((ActionFailed, ExpectationFailed, TargetError)) as failed:
        call()
    (found,) = NEXT.findall(str(failed.value))
    return str(found)


def test_a_row_that_was_scrolled_away_is_scrolled_back_to_and_no_other_is_named(
    mobile: DeviceSession,
) -> None:
    ref = mobile.snapshot().ref(text="Red mug")
    mobile.scroll("down")
    back = 'scroll_to(text="Red mug", direction="up").'
    assert advice(lambda: mobile.tap(text="Add", row_with="Red mug")) == back
    assert advice(lambda: mobile.find(text="Red mug")) == back
    assert advice(lambda: mobile.wait_for(text="Red mug", timeout=0.1)) == back
    assert advice(lambda: mobile.expect_visible(text="Red mug")) == back
    assert advice(lambda: mobile.tap(ref)) == f'scroll_to("{ref}", direction="up").'
    unseen = advice(lambda: mobile.tap(text="Add", row_with="Red rug"))
    assert unseen == 'scroll_to(text="Red rug"), if it is further on.'
    mobile.scroll_to(text="Red mug", direction="up")
    mobile.tap(text="Add", row_with="Red mug").expect_visible(text="Cart, 1 items")


def test_the_advice_of_a_view_can_be_pasted_there_too(mobile: DeviceSession) -> None:
    page = mobile.within(resource_id="products")
    mobile.scroll("down")
    wanted = 'scroll_to(text="Red mug", within=by(resource_id="products"), direction="up").'
    assert advice(lambda: page.tap(text="Red mug")) == wanted
    page.scroll_to(
        text="Red mug", within=by(resource_id="products"), direction="up"
    ).expect_visible(text="Red mug")


def test_what_came_and_went_is_for_expect_seen(mobile: DeviceSession) -> None:
    outcome = mobile.tap(text="Add", row_with="Blue mug")
    assert (
        advice(lambda: outcome.expect_visible(text="Added Blue mug"))
        == 'expect_seen(text="Added Blue mug").'
    )
    outcome.expect_seen(text="Added Blue mug")


def test_what_was_there_before_did_not_come(mobile: DeviceSession) -> None:
    outcome = mobile.tap(text="Add", row_with="Blue mug")
    assert (
        advice(lambda: outcome.expect_visible(text="Cart, 0 items"))
        == "wait for it, or correct the test."
    )
    assert (
        advice(lambda: mobile.expect_visible(text="Cart, 0 items"))
        == "wait for it, or correct the test."
    )


def test_a_label_that_changed_is_named_to_an_action(mobile: DeviceSession) -> None:
    mobile.tap(text="Add", row_with="Blue mug").expect_visible(text="Cart, 1 items")
    assert advice(lambda: mobile.tap(text="Cart, 0 items")) == 'text="Cart, 1 items".'


def test_a_known_answer_is_shown_with_what_is_next_to_it(mobile: DeviceSession) -> None:
    whole = len(mobile.snapshot().outline().splitlines())
    for call in (
        lambda: mobile.tap(text="Bleu mug"),
        lambda: mobile.expect_visible(text="Bleu mug"),
    ):
        with pytest.raises((ActionFailed, ExpectationFailed)) as caught:
            call()
        shown = str(caught.value).partition('Did you mean text="Blue mug"?')[2].splitlines()
        assert any('"Blue mug"' in line for line in shown), shown
        assert len(shown) < 20 < whole
    with pytest.raises(ExpectationFailed) as caught:
        mobile.expect_visible(text="Never")
    assert mobile.snapshot().outline() in str(caught.value)


def test_the_title_of_a_dialog_is_no_screen(mobile: DeviceSession) -> None:
    outcome = mobile.tap(text="Cart, 0 items")
    assert advice(lambda: outcome.expect_screen("Empty it?")) == 'expect_visible(text="Empty it?").'
    outcome.expect_visible(text="Empty it?")


def test_a_misspelt_screen_is_asked_about(mobile: DeviceSession) -> None:
    assert advice(lambda: mobile.expect_screen("Fornt")) == 'Did you mean expect_screen("Front")?'
    with pytest.raises(ExpectationFailed) as failed:
        mobile.expect_screen("Checkout")
    assert not NEXT.search(str(failed.value))


def test_another_app_is_left_for_the_one_that_had_it(mobile: DeviceSession) -> None:
    mobile.home()
    assert advice(lambda: mobile.tap(text="Cart, 0 items")) == 'activate("dev.replicant.trial").'
    mobile.activate("dev.replicant.trial").expect_visible(text="Cart, 0 items")


def test_a_name_that_is_misspelt_leads_to_where_it_was(mobile: DeviceSession) -> None:
    mobile.scroll("down")
    back = 'scroll_to(text="Blue mug", direction="up").'
    assert advice(lambda: mobile.tap(text="Bleu mug")) == back
    assert advice(lambda: mobile.tap(text="Add", row_with="Bleu mug")) == back
    mobile.home()
    assert advice(lambda: mobile.find(text="Bleu mug")) == 'activate("dev.replicant.trial").'


class Door(Screen[dict[str, Any]]):
    title = "Door"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        answer = [Text("Wrong email or password")] if app.state.get("tried") else []
        button = Button("Enter", on_click=lambda: app.state.update(tried=True))
        return Column([EditText("Password"), EditText("Mail"), *answer, button])


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_failure_names_first_what_the_action_brought(platform: Platform) -> None:
    wanted = "Wrong password or mail"
    with session_on(Door, platform=platform) as mobile:
        with pytest.raises(ExpectationFailed) as failed:
            mobile.tap(text="Enter").expect_visible(text=wanted, timeout=0.2)
        message, record = str(failed.value), failed.value.failure
        assert message.partition(":")[0].endswith(f" on {mobile.info.serial}")
        assert re.search(r'^Nearest: \[\w+\] \w+ "Wrong email or password" ', message, re.M)
        assert re.search(
            r'^Next: name "Wrong email or password" as it is if that is meant, or', message, re.M
        )
        changed = r'^The action changed: Door: 1 added.*\n  \+ \[\w+\] "Wrong email or password"'
        assert re.search(changed, message, re.M)
        assert record is not None
        assert record.candidates[0].label == "Wrong email or password"
        with pytest.raises(ActionFailed, match=r'Nearest: \[\w+\] \w+ "Wrong email or password" '):
            mobile.tap(text=wanted, timeout=0.2)


class Sizes(Screen[dict[str, Any]]):
    """Labels, each with a control of the same name."""

    title = "Sizes"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        choose = Spinner(["Small", "Large"], description="Size", chosen=app.state.get("size", 0))
        choose.on_change = lambda chosen: app.state.update(size=chosen)
        slider = SeekBar(description="Volume", value=app.state.get("volume", 40), step=10)
        slider.on_change = lambda value: app.state.update(volume=value)
        labels = [Text(label) for label in ("Size", "Volume", "Email", "Amount: 120 EUR", "1 item")]
        field = EditText("", description="Email", on_change=lambda text: None)
        return Column([*labels, choose, slider, field, Button("Sign in"), Button("Sign out")])


@pytest.fixture(params=["android", "ios"])
def sizes(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with session_on(Sizes, platform=request.param) as mobile:
        yield mobile


def test_what_sets_a_control_passes_over_the_text_about_it(sizes: DeviceSession) -> None:
    sizes.select(text="Size", option="Large")
    sizes.adjust(text="Volume", to=60).expect_state(by(text="Volume", role="slider"), value=60)


def test_of_two_that_fit_only_what_the_call_can_be_about_is_proposed(sizes: DeviceSession) -> None:
    name = advice(lambda: sizes.fill(text="Email", value="ada@example.com", timeout=0.2))
    assert name == 'role="text_field".'
    assert (
        advice(lambda: sizes.expect_state(by(text="Volume"), value=40, timeout=0.2))
        == 'role="slider".'
    )
    sizes.expect_state(by(text="Volume", role="slider"), value=40)
    none = advice(lambda: sizes.fill(text="Volume", value="3", timeout=0.2))
    assert none == "name the field that is meant: none of these is one."
    assert advice(lambda: sizes.tap(text="Size", timeout=0.2)).startswith('role="text", or role="')


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("Amount: 125 EUR", 'correct the test if "Amount: 120 EUR" is right, else the app.'),
        ("2 items", 'correct the test if "1 item" is right, else the app.'),
        ("1 items", 'name "1 item" as it is if that is meant, or correct the app.'),
        ("Sgn in", 'Did you mean text="Sign in"?'),
        ("Log in", 'name "Sign in" as it is if that is meant, or correct the app.'),
        ("^Sign i", 'text=re.compile("^Sign i").'),
    ],
)
def test_the_advice_follows_from_the_cause(
    sizes: DeviceSession, wanted: str, expected: str
) -> None:
    assert advice(lambda: sizes.expect_visible(text=wanted, timeout=0.2)) == expected
    assert advice(lambda: sizes.tap(text=wanted, timeout=0.2)) == expected


def test_a_pattern_that_fits_several_is_called_one_all_the_same(sizes: DeviceSession) -> None:
    assert (
        advice(lambda: sizes.tap(text="^Sign", timeout=0.2))
        == 'write a pattern as re.compile("^Sign").'
    )


class Labelled(Screen[dict[str, Any]]):
    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        return Column([Text("Delivery note"), Button("Help"), EditText("Recipient")])


def test_the_name_of_the_text_about_a_field_is_not_proposed_to_fill_it() -> None:
    with session_on(Labelled) as mobile:
        said = advice(lambda: mobile.fill(text="Delivery ntoe", value="x", timeout=0.2))
        assert said == 'name the field that is meant: "Delivery note" is none.'


def test_what_is_there_now_is_not_said_to_have_been_there_before(mobile: DeviceSession) -> None:
    mobile.tap(text="Add", row_with="Blue mug").expect_visible(text="Cart, 1 items")
    with pytest.raises(ExpectationFailed) as failed:
        mobile.expect_visible(text="Bleu mug")
    assert '"Blue mug" is there, not "Bleu mug".' in str(failed.value)
    assert "there before" not in str(failed.value)


def test_a_request_that_failed_is_the_first_to_see_to() -> None:
    with lab_phone() as phone, phone.session() as mobile:
        mobile.open_url("lab://failing-backend", "dev.replicant.lab")
        outcome = mobile.tap(text="Load")
        said = advice(lambda: outcome.expect_visible(text="Two parcels are on their way"))
        assert said.startswith("see to that request first")
        assert said.endswith(": 500.")
        assert advice(lambda: mobile.tap(text="Parcel 1")) == said
        assert advice(lambda: mobile.tap(text="Laod")) == 'Did you mean text="Load"?'
