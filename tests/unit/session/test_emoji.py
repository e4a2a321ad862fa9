"""Emoji on Android, whose hierarchy has two dots for each: the phone is asked before anything is
decided."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, ExpectationFailed, Secret, Snapshot, by
from pytest_replicant.errors import TargetError, UndecidableText
from pytest_replicant.virtual import (
    Button,
    Column,
    EditText,
    RunningApp,
    Screen,
    Spinner,
    Text,
    Widget,
)
from tests.lab.exhibits_shown import refused

from .on_phone import session_on

State = dict[str, Any]


class Till(Screen[State]):
    activity = ".TillActivity"
    title = "Till 🛒"

    def build(self, app: RunningApp[State]) -> Widget:
        def pay(with_what: str) -> None:
            app.state["paid"] = with_what

        def spin(choice: int) -> None:
            app.state["spin"] = choice

        labels = app.state.setdefault("labels", ["Pay 💳", "Pay 🎁", "Pay .."])
        return Column(
            [
                *(
                    Button(label, id=f"pay{i}", on_click=partial(pay, label))
                    for i, label in enumerate(labels)
                ),
                Text(f"Paid with {app.state.get('paid', 'nothing')}"),
                Spinner(
                    ["One 😀", "Two 😁", "Two 😂"],
                    chosen=app.state.get("spin", 0),
                    on_change=spin,
                    id="spin",
                ),
                EditText("Search 🔍", id="search"),
                Button("Icon", description="Cart 🛒", id="cart"),
            ],
            height="fill",
        )


@pytest.fixture(scope="module")
def phone() -> Iterator[DeviceSession]:
    with session_on(Till) as session:
        yield session


@pytest.fixture
def mobile(phone: DeviceSession) -> DeviceSession:
    phone.launch("dev.replicant.trial", fresh=True)
    return phone


@pytest.mark.parametrize("label", ["Pay 💳", "Pay 🎁", "Pay .."])
def test_of_several_that_look_alike_the_right_one_is_tapped(
    mobile: DeviceSession, label: str
) -> None:
    mobile.tap(text=label).expect_visible(text=f"Paid with {label}")


@pytest.mark.parametrize("label", ["Pay 💰", "Pay ...", "Pay 🎁🎁"])
def test_another_emoji_is_another_text(mobile: DeviceSession, label: str) -> None:
    with refused("ELEMENT_NOT_FOUND"):
        mobile.tap(text=label, timeout=0.2)
    mobile.expect_gone(text=label)
    mobile.expect_count(0, by(text=label))
    with pytest.raises(ExpectationFailed, match="absent"):
        mobile.expect_visible(text=label, timeout=0.2)


def test_presence_and_absence_are_the_phones(mobile: DeviceSession) -> None:
    mobile.expect_visible(text="Pay 💳")
    with pytest.raises(ExpectationFailed):
        mobile.expect_gone(text="Pay 💳", timeout=0.2)
    mobile.expect_count(1, by(text="Pay 💳"))
    mobile.expect_count(3, by(text_contains="Pay"))
    mobile.expect_count(1, by(text_contains="💳"))
    mobile.expect_count(1, by(text_contains=".."))
    mobile.expect_count(2, by(text_matches=r"^Pay .$"))
    mobile.expect_count(1, by(text_matches=r"^Pay \.\.$"))
    mobile.expect_visible(description="Cart 🛒")
    mobile.expect_gone(description="Cart 🎁")
    assert mobile.find(near=by(text="Pay 🎁"), text_contains="Paid").label.startswith("Paid")


def test_an_outline_has_the_true_texts(mobile: DeviceSession) -> None:
    mobile.expect_outline('Button "Pay 💳"\nButton "Pay 🎁"\n...')
    with pytest.raises(ExpectationFailed):
        mobile.expect_outline('Button "Pay 🎁"\nButton "Pay 💳"\n...', timeout=0.2)
    assert mobile.snapshot().outline().endswith("(.. may be an emoji)")
    with pytest.raises(ExpectationFailed):
        mobile.expect_outline(mobile.snapshot().outline(), timeout=0.2)


@pytest.mark.parametrize("text", ["😀", "a 😀 b..", "👨‍👩‍👧 family", "(😀|x) [\\d] $^"])
def test_what_is_typed_is_read_back(mobile: DeviceSession, text: str) -> None:
    filled = mobile.fill(resource_id="search", value=text)
    assert filled.result.details["read_back"] == "exact"
    mobile.expect_state(by(resource_id="search"), text=text)
    with pytest.raises(ExpectationFailed):
        mobile.expect_state(
            by(resource_id="search"), text=text.replace("😀", "💳").replace("👨", "👩"), timeout=0.2
        )


@pytest.mark.parametrize("option", ["Two 😂", "Two 😁", "One 😀"])
def test_an_option_is_chosen_by_its_true_text(mobile: DeviceSession, option: str) -> None:
    """The list and the control are in two windows, and the server counts through one."""
    mobile.select(by(resource_id="spin"), option).expect_state(by(resource_id="spin"), value=option)
    with pytest.raises(ActionFailed, match="opened no list with one"):
        mobile.select(by(resource_id="spin"), "Two 🎁", timeout=0.2)


def test_a_hint_behind_a_text_cannot_be_decided(mobile: DeviceSession) -> None:
    mobile.fill(text="Search 🔍", value="x")
    with pytest.raises(ExpectationFailed, match="cannot be decided"):
        mobile.expect_visible(text="Search 🔍", timeout=0.2)
    with pytest.raises(ExpectationFailed, match="cannot be decided"):
        mobile.expect_gone(text="Search 🔍", timeout=0.2)
    with pytest.raises(ActionFailed, match="cannot be decided"):
        mobile.tap(text="Search 🔍", timeout=0.2)


def test_the_phone_is_asked_only_where_it_matters(
    mobile: DeviceSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver: Any = mobile._context.driver
    asked: list[Any] = []
    true_texts = driver.true_texts

    def counted(*texts: Any) -> Any:
        asked.append(texts)
        return true_texts(*texts)

    monkeypatch.setattr(driver, "true_texts", counted)
    mobile.tap(resource_id="pay0").expect_visible(text_contains="Paid with")
    assert asked == []
    mobile.tap(text="Pay 💳", silent=True)
    assert asked
    assert all(texts == ({"Pay ..": 3}, {}) for texts in asked)


def test_a_secret_with_an_emoji_is_masked_as_a_dump_has_it(mobile: DeviceSession) -> None:
    mobile.fill(resource_id="search", value=Secret("p🔑ss phrase"))
    redactor = mobile._context.recorder.redactor
    assert "p..ss phrase" in mobile.snapshot().outline()
    assert "ss phrase" not in redactor.text(mobile.snapshot().outline())


def test_a_stored_screen_has_no_phone_to_ask(mobile: DeviceSession) -> None:
    stored = Snapshot.parse(mobile._context.driver.dump_hierarchy())
    for text in ("Pay 💳", "Pay .."):
        with pytest.raises(UndecidableText, match="cannot be decided"):
            stored.find(text=text)
    with pytest.raises(TargetError, match="ELEMENT_NOT_FOUND"):
        stored.find(text="Buy 💳")
    assert stored.find(resource_id="pay0").label == "Pay .."
