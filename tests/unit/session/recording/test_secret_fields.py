"""A text that shows most of a secret is treated as one: in words and in pixels."""

from __future__ import annotations

from pytest_replicant.model import Redactor
from pytest_replicant.session.recording.secret_fields import SecretFields, secret_areas
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.screens import node, parse, screen


def form(shown: str, name: str, more: str = "") -> Snapshot:
    field = node(
        "EditText",
        at=(0, 100, 900, 200),
        resource_id="app:id/pin",
        text=shown,
        clickable="true",
        focusable="true",
    )
    other = node(
        "EditText", at=(0, 300, 900, 400), resource_id="app:id/name", text=name, clickable="true"
    )
    return parse(screen(field, other, node("TextView", at=(0, 500, 900, 600), text=more)))


BEFORE = form("", "Ada")
FIELD = next(one for one in BEFORE.elements if one.resource_id == "app:id/pin")


def learnt(*screens: Snapshot, secret: bool = True) -> Redactor:
    redactor = Redactor(["hunter2secret"])
    fields = SecretFields(redactor)
    fields.typed(FIELD, secret=True)
    fields.typed(FIELD, secret=secret)
    for seen in screens:
        fields.learn(seen)
    return redactor


def test_what_arrived_is_secret_wherever_it_is_shown() -> None:
    after = form("huter2secret", "Ada", "Hello, huter2secret")
    redactor = learnt(BEFORE, after)
    assert redactor.text("Hello, huter2secret and Ada") == "Hello, ••• and Ada"
    assert [area.top for area in secret_areas(after, redactor)] == [100, 500]


def test_what_is_typed_in_the_open_afterwards_is_none() -> None:
    assert learnt(form("Ada Lovelace", "Ada"), secret=False).text("Ada Lovelace") == "Ada Lovelace"


def test_a_hint_in_the_place_of_text_is_none_of_it() -> None:
    field = node(
        "EditText",
        at=(0, 100, 900, 200),
        resource_id="app:id/pin",
        text="Your PIN",
        hint="Your PIN",
        clickable="true",
    )
    assert learnt(parse(screen(field))).text("Your PIN") == "Your PIN"
