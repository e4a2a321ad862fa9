"""What was typed is what the field shows; else the action says what it shows, and whether another
way is left."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant import ActionFailed, Secret
from pytest_replicant.model import Failure, Recovery
from pytest_replicant.session import DeviceSession

from ..conftest import Play
from ..scripted_phone import APP, ScriptedPhone, screen


def field(value: str = "", *, password: bool = False) -> bytes:
    node = (
        '<node text="{}" hint="Email" class="android.widget.EditText" resource-id="a:id/email" '
        'package="{}" '
    )
    node += (
        'content-desc="" clickable="true" enabled="true" password="{}" bounds="[0,200][500,300]"/>'
    )
    return screen(node.format(value, APP, str(password).lower()), title="Sign in")


class Field:
    """A field of an app that does something of its own with what is typed."""

    def __init__(self, phone: ScriptedPhone, *, password: bool = False) -> None:
        self.phone, self.password, self.value = phone, password, ""
        phone.type_text = self.type_text  # type: ignore[method-assign]
        phone.clear_text = self.clear_text  # type: ignore[method-assign]
        self.typed: list[str] = []

    def type_text(self, text: str) -> None:
        self.typed.append(text)
        self.value = self.take(self.value, text)
        self.show()

    def clear_text(self) -> None:
        self.value = ""
        self.show()

    def show(self) -> None:
        self.phone.frames = [
            field("•" * len(self.value) if self.password else self.value, password=self.password)
        ]

    def take(self, value: str, text: str) -> str:
        return value + text


class Dropping(Field):
    """Takes one character at a time, and drops the rest of what arrives at once."""

    def take(self, value: str, text: str) -> str:
        return value + text[:1]


class Correcting(Field):
    def take(self, value: str, text: str) -> str:
        return (value + text).replace("teh", "the")


def failed(session: DeviceSession, value: Any, **options: Any) -> Failure:
    """The failure of a fill, as a policy is given it."""
    asked: list[Failure] = []

    def ask(failure: Failure, state: object) -> None:
        asked.append(failure)

    object.__setattr__(session._context, "ask", ask)
    with pytest.raises(ActionFailed):
        session.fill(text="Email", value=value, **options)
    return asked[0]


def recovering(session: DeviceSession, answer: Recovery) -> None:
    object.__setattr__(session._context, "ask", lambda failure, state: answer)


def test_dropped_characters_are_rejected_with_what_is_shown(play: Play) -> None:
    session, phone = play([field()])
    Dropping(phone)
    failure = failed(session, "ada")
    assert failure.code == "ACTION_REJECTED"
    assert "shows 'a' after 'ada' was typed" in str(failure.observed)
    assert failure.retryable, "it can still be typed one character after the other"


def test_typing_by_keys_is_what_a_recovery_may_ask_for(play: Play) -> None:
    session, phone = play([field()])
    typed = Dropping(phone)
    recovering(session, Recovery("retry_adjustment", params={"mode": "keys"}))
    outcome = session.fill(text="Email", value="ada")
    assert typed.typed == ["ada", "a", "d", "a"]
    assert outcome.result.details["mode"] == "keys"
    assert outcome.result.details["read_back"] == "exact"


def test_text_that_was_added_is_not_typed_a_second_time(play: Play) -> None:
    session, phone = play([field("lady ")])
    typed = Correcting(phone)
    typed.value = "lady "
    recovering(session, Recovery("retry_adjustment", params={"mode": "keys"}))
    with pytest.raises(ActionFailed, match="shows 'lady the' after 'lady teh' was typed"):
        session.fill(text="Email", value="teh", append=True)
    assert typed.typed == ["teh"]


def test_a_masked_field_is_read_by_its_length(play: Play) -> None:
    session, phone = play([field(password=True)])
    Field(phone, password=True)
    assert (
        session.fill(text="Email", value=Secret("s3cret")).result.details["read_back"] == "length"
    )
    assert (
        session.fill(text="Email", value="x", append=True).result.details["read_back"] == "length"
    )


def test_a_masked_field_that_drops_characters_is_rejected(play: Play) -> None:
    session, phone = play([field(password=True)])
    Dropping(phone, password=True)
    failure = failed(session, Secret("s3cret"))
    assert "holds 1 characters where 6 are meant to be" in str(failure.observed)
    assert failure.retryable


def test_a_secret_is_not_in_what_a_rejection_says(play: Play) -> None:
    session, phone = play([field()])
    Dropping(phone)
    assert "s3cret" not in str(failed(session, Secret("s3cret")).observed)
