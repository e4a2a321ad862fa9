"""Which texts name the card of a control, and when they are those of another."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Card
from pytest_replicant.snapshots.identity.cards import replaced, says_the_same

from ..screens import button, node, parse, screen, text


def card(*texts: str, kind: str = "card") -> Card:
    return Card(kind, texts)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("then", "now", "found"),
    [
        (card("Alice"), card("Bob"), ("Alice", "Bob")),
        (card("Alice"), card("Bob", "Verified"), ("Alice", "Bob")),
        (card("Candidate", "Alice"), card("Candidate", "Bob"), ("Alice", "Bob")),
        (card("Alice", "Engineer", "Bonn"), card("Bob", "Engineer", "Bonn"), ("Alice", "Bob")),
        (card("Mug", "Red", "New"), card("Mug", "Red", "Sold out"), None),
        (card("Mug"), card("Sold out", "Mug"), None),
        (card("Mug", "Sold out"), card("Mug"), None),
        (card("Mug", "Tray"), card("Tray", "Mug"), None),
        (card("Mug"), card("Now free")._replace(further=("Mug", "Now free")), None),
        (card("Mug"), card("Now free")._replace(further=("Tray", "Now free")), ("Mug", "Now free")),
        (None, card("Bob"), None),
        (card("Alice"), None, None),
        (card("Share", kind="controls"), card("Bob"), None),
        (card("Alice", kind="controls"), card("Bob", kind="controls"), ("Alice", "Bob")),
        (card("Hello", "a", "b", kind="page"), card("Bye", "a", "b", kind="page"), None),
        (card("Hello", "a", kind="page"), card("Bye", "a", kind="page"), ("Hello", "Bye")),
    ],
)
def test_what_makes_another_card(
    then: Card | None, now: Card | None, found: tuple[str, str] | None
) -> None:
    assert replaced(then, now) == found
    assert replaced(now, then) == (found and found[::-1])
    assert says_the_same(then, now) or found or (then and len(then.texts) == 3)


def test_a_text_among_others_needs_all_of_them_to_be_replaced() -> None:
    assert replaced(card("Alice", "Engineer"), card("Bob", "Engineer"), wholly=True) is None
    assert replaced(card("Alice"), card("Bob"), wholly=True) == ("Alice", "Bob")


def texts_of(*inside: str, at: tuple[int, int, int, int] = (0, 200, 1080, 900)) -> Card | None:
    return parse(screen(node("LinearLayout", *inside, at=at), title="Shop")).find(text="Buy").card


def lines(count: int) -> list[str]:
    return [
        text(f"Line {chr(97 + n)}", at=(0, 200 + 50 * n, 500, 250 + 50 * n)) for n in range(count)
    ]


BUY = button("Buy", at=(0, 800, 200, 880))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (texts_of(*lines(2), BUY, text("Below", at=(0, 880, 99, 900))), card("Line a", "Line b")),
        (texts_of(BUY, text("Below", at=(0, 880, 99, 900))), card("Below")),
        (
            texts_of(
                text("Mug"),
                node(
                    "FrameLayout", BUY, text("Below", at=(0, 880, 99, 900)), at=(0, 800, 900, 900)
                ),
            ),
            card("Mug"),
        ),
        (
            texts_of(
                node("EditText", text="ada", hint="Name", clickable="true"), text("Hello, ada"), BUY
            ),
            card("Hello,"),
        ),
        (texts_of(*lines(8), BUY), card(*(f"Line {sign}" for sign in "abcdefgh"))),
        (texts_of(*lines(9), BUY), None),  # a page of text
        (texts_of(*lines(2), BUY, at=(0, 200, 1080, 2400)), card("Line a", "Line b", kind="page")),
        (texts_of(*lines(4), BUY, at=(0, 200, 1080, 2400)), None),
        (texts_of(text("12.50 €"), text("★★★"), BUY), None),
        (texts_of(text("\U0001f98a"), BUY), card("\U0001f98a")),
        (texts_of(BUY), None),
        (texts_of(button("Mug", at=(0, 700, 200, 800)), BUY), card("Mug", kind="controls")),
        (
            texts_of(
                BUY,
                node(
                    "FrameLayout",
                    text("Tray"),
                    button("Hide"),
                    button("Show", at=(300, 300, 500, 400)),
                ),
            ),
            None,  # of the other card
        ),
    ],
)
def test_which_texts_name_a_control(found: Card | None, expected: Card | None) -> None:
    assert (found and found._replace(further=())) == expected


def test_the_screen_with_its_title_is_no_card() -> None:
    assert parse(screen(text("Mug"), BUY, title="Shop")).find(text="Buy").card is None
