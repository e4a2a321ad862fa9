"""Locators: descriptions that are bound to a session, and the calls of the session on them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pytest_replicant import (
    ActionFailed,
    ExpectationFailed,
    Locator,
    Screen,
    Secret,
    Snapshot,
    UsageError,
    by,
    check,
)
from pytest_replicant.session import DeviceSession
from tests.lab.exhibits_shown import refused

from .conftest import Play
from .scripted_phone import button, node, screen


def row(title: str, top: int, *more: str) -> str:
    label = node("TextView", (0, top, 400, top + 100), text=title)
    add = node("Button", (500, top, 900, top + 100), text="Add", clickable=True)
    return node("LinearLayout", (0, top, 1000, top + 100), label, add, *more, clickable=True)


def sold_out(top: int) -> str:
    return node("TextView", (400, top, 500, top + 100), text="Sold out")


def field(text: str = "", *, password: bool = False, **flags: bool) -> str:
    states = {"clickable": True, "focusable": True, **flags}
    shown = node(
        "EditText",
        (0, 1500, 900, 1600),
        text=text,
        resource_id="a:id/email",
        password=password,
        **states,
    )
    return shown.replace("<node ", '<node hint="Email" ', 1)


SHOP = screen(
    row("Blue mug", 200), row("Red mug", 400, sold_out(400)), row("Tray", 600), title="Shop"
)


def test_a_locator_is_made_without_a_read_and_looks_at_each_use(play: Play) -> None:
    session, phone = play([screen(button("Go", 200)), screen(button("Go", 900))])
    go = session.locator(text="Go")
    assert phone.dumps == 0
    assert go.find().bounds.top == 900  # once it rests
    phone.frames = [screen(button("Go", 500))]
    session._context.observer.invalidate()
    assert go.find().bounds.top == 500
    assert repr(go) == 'locator(text="Go")'


def test_a_locator_of_a_session_that_has_ended_is_refused_and_its_description_is_not(
    play: Play,
) -> None:
    session, _ = play([SHOP])
    tray = session.locator(text="Tray")
    session._context.end("its test is over")
    with pytest.raises(UsageError, match="this session has ended"):
        tray.expect_visible()
    other, _ = play([SHOP])
    assert other.find(tray).label == "Tray"


PICKED: dict[str, tuple[Callable[[DeviceSession], Locator], list[str]]] = {
    "a row by a text": (lambda m: m.locator(text="Add").row("Red mug"), ["Red mug"]),
    "a row by keywords": (lambda m: m.locator(text="Add").row(text_contains="Tr"), ["Tray"]),
    "a row by another locator": (
        lambda m: m.locator(text="Add").row(m.locator(text="Tray")),
        ["Tray"],
    ),
    "inside of another": (
        lambda m: m.locator(text="Add").within(text="Tray", class_name="LinearLayout"),
        ["Tray"],
    ),
    "what has something": (
        lambda m: m.locator(class_name="LinearLayout").filter(has="Sold out"),
        ["Red mug"],
    ),
    "what has not": (
        lambda m: m.locator(class_name="LinearLayout").filter(has_not="Sold out"),
        ["Blue mug", "Tray"],
    ),
    "the first": (lambda m: m.locator(text="Add").first, ["Blue mug"]),
    "the last": (lambda m: m.locator(text="Add").last, ["Tray"]),
    "the second": (lambda m: m.locator(text="Add").nth(1), ["Red mug"]),
    "the last but one": (lambda m: m.locator(text="Add").nth(-2), ["Red mug"]),
    "either": (
        lambda m: m.locator(text="Add").row("Tray") | by(text="Add", row_with="Blue mug"),
        ["Blue mug", "Tray"],
    ),
    "either, in one row": (
        lambda m: (m.locator(text="Add") | by(text="Buy")).row("Tray"),
        ["Tray"],
    ),
    "in a part": (
        lambda m: m.within(class_name="LinearLayout", has="Tray").locator(text="Add"),
        ["Tray"],
    ),
    "a pattern": (
        lambda m: m.locator(text="Add", row_with=by(text=re.compile("^Bl"))),
        ["Blue mug"],
    ),
}


@pytest.mark.parametrize("name", PICKED)
def test_a_locator_finds_what_it_says(name: str, play: Play) -> None:
    session, _ = play([SHOP])
    make, rows = PICKED[name]
    locator = make(session)
    assert [
        (one.context or one.label).removesuffix(" Sold out").removesuffix(" Add")
        for one in locator.find_all()
    ] == rows
    # Of a view the same: its part is in the locator already.
    assert session.within(class_name="FrameLayout").find_all(locator.selector) == locator.find_all()
    assert session.find_all(locator) == locator.find_all()


def test_each_action_and_check_is_the_one_of_the_session(play: Play) -> None:
    session, phone = play([screen(field("ada"), button("Go"))])
    email, go = session.locator(text="Email"), session.locator(text="Go")
    go.tap().expect_visible(text="Go")
    go.double_tap()
    go.long_press(seconds=1)
    go.drag_to(email)
    session.tap(go)
    session.drag(go, email)
    email.expect_text("ada").expect_not_text("bob").expect_enabled().expect_count(
        1
    ).expect_visible()
    email.expect_state(text=re.compile("^a"), enabled=True)
    assert [kind for kind, _ in phone.gestures] == [
        "tap",
        "double_tap",
        "long_press",
        "drag",
        "tap",
        "drag",
    ]
    assert session.wait_for_any(home=session.locator(text="Home"), go=go) == "go"


def test_either_of_two_that_are_both_there_is_no_choice(play: Play) -> None:
    session, phone = play([SHOP])
    either = session.locator(text="Add", row_with="Tray") | by(text="Add", row_with="Red mug")
    with refused("AMBIGUOUS_TARGET"):
        either.tap(timeout=0.2)
    assert phone.gestures == []
    (session.locator(text="Buy") | by(text="Add", row_with="Tray")).tap()
    assert len(phone.gestures) == 1


def test_either_is_gone_when_both_are(play: Play) -> None:
    session, _ = play([SHOP])
    (session.locator(text="Buy") | by(text="Sell")).expect_gone()
    with pytest.raises(ExpectationFailed, match="Tray"):
        (session.locator(text="Buy") | by(text="Tray")).expect_gone(timeout=0.2)
    with pytest.raises(ExpectationFailed, match="cannot be decided"):
        (session.locator(text="Buy") | by(text="Sell", within="Cart")).expect_gone(timeout=0.2)


# --- checks of one state --------------------------------------------------------------------------

BOX = node(
    "CheckBox",
    (0, 300, 500, 400),
    text="News",
    checkable=True,
    checked=True,
    clickable=True,
    selected=False,
)
FORM = screen(BOX, field("ada"), button("Go", 900, enabled=False), title="Form")
HOLDS: dict[str, Callable[[DeviceSession], object]] = {
    "text": lambda m: m.locator(text="Email").expect_text("ada"),
    "text by a pattern": lambda m: m.locator(text="Email").expect_text(re.compile("d")),
    "another text": lambda m: m.locator(text="Email").expect_not_text("bob"),
    "value of a field": lambda m: m.locator(text="Email").expect_value("ada"),
    "checked": lambda m: m.locator(text="News").expect_checked(),
    "not enabled": lambda m: m.locator(text="Go").expect_enabled(False),
    "not focused": lambda m: m.locator(text="News").expect_focused(False),
    "a state by a pattern": lambda m: m.expect_state(
        by(text="Email"), text=re.compile("^ad"), enabled=True
    ),
}
FAILS: dict[str, Callable[[DeviceSession], object]] = {
    "text": lambda m: m.locator(text="Email").expect_text("bob", timeout=0.2),
    "another text": lambda m: m.locator(text="Email").expect_not_text("ada", timeout=0.2),
    "value of a field": lambda m: m.locator(text="Email").expect_value("bob", timeout=0.2),
    "another value of what has none": lambda m: m.locator(text="Go").expect_not_value(
        3, timeout=0.2
    ),
    "not checked": lambda m: m.locator(text="News").expect_checked(False, timeout=0.2),
    "checked where none is reported": lambda m: m.locator(text="Go").expect_checked(timeout=0.2),
    "enabled": lambda m: m.locator(text="Go").expect_enabled(timeout=0.2),
    "focused": lambda m: m.locator(text="News").expect_focused(timeout=0.2),
    "of two": lambda m: m.locator(by(text="Go") | by(text="News")).expect_enabled(
        False, timeout=0.2
    ),
}


@pytest.mark.parametrize("name", HOLDS)
def test_a_check_of_one_state_holds(name: str, play: Play) -> None:
    HOLDS[name](play([FORM])[0])


def test_a_text_that_is_elsewhere_in_the_row_is_pointed_to(play: Play) -> None:
    session, _ = play([SHOP])
    with pytest.raises(ExpectationFailed) as failed:
        session.locator(text="Red mug").expect_text("Sold out", timeout=0.2)
    assert 'Next: expect_visible(text="Sold out", row_with="Red mug").' in str(failed.value)
    with pytest.raises(ExpectationFailed) as failed:
        session.locator(text="Blue mug").expect_text("Sold out", timeout=0.2)
    assert "Next: " not in str(failed.value)


def test_a_negated_check_names_the_state_that_is_not_to_be(play: Play) -> None:
    with pytest.raises(
        ExpectationFailed, match=r'"Email": other than text="ada" on .*: text="ada" '
    ):
        play([FORM])[0].locator(text="Email").expect_not_text("ada", timeout=0.2)


@pytest.mark.parametrize("name", FAILS)
def test_a_check_of_one_state_fails(name: str, play: Play) -> None:
    with pytest.raises(ExpectationFailed):
        FAILS[name](play([FORM])[0])


def test_an_outcome_checks_the_element_that_was_acted_on(play: Play) -> None:
    session, _ = play([screen(field("ada"))])
    session.tap(text="Email").expect_text(expected="ada").expect_enabled()
    session.locator(text="Email").tap().expect_text("ada").expect_not_text("bob").expect_value(
        "ada"
    )
    with pytest.raises(ExpectationFailed, match='expect_text text="bob"'):
        session.tap(text="Email").expect_text("bob", timeout=0.2)
    with pytest.raises(TypeError, match="expected"):
        session.locator(text="Email").expect_text()  # type: ignore[call-arg]


# --- checks of a test's own -----------------------------------------------------------------------


@check
def titled(screen: Snapshot, name: str) -> bool:
    return screen.title == name


@check(presence=True)
def labelled(screen: Snapshot, label: str) -> bool:
    assert screen.find(text=label).states.enabled, f"{label} is disabled"
    return True


@check
def forgotten(screen: Snapshot) -> bool:
    screen.find_all(text="Go")
    return None  # type: ignore[return-value]


def test_a_check_of_ones_own_waits_is_proven_and_recorded(play: Play) -> None:
    session, phone = play(
        [screen(title="Loading"), screen(title="Loading"), screen(button("Go"), title="Home")]
    )
    session.expect(titled("Home")).expect(labelled("Go"))
    assert phone.dumps >= 4  # two that agree
    outcome = session.tap(text="Go")
    assert outcome.expect(titled("Home")).result.trace is not None
    assert session._context.recorder.checks_of(outcome.result.action_id)[0].vacuous
    with pytest.raises(ExpectationFailed, match=re.escape("titled('Away')")):
        session.expect(titled("Away"), timeout=0.2)
    with pytest.raises(ExpectationFailed, match="no match among"):
        session.expect(labelled("Stop"), timeout=0.2)


def test_a_check_of_ones_own_that_says_neither_yes_nor_no_is_refused(play: Play) -> None:
    session, _ = play([screen(button("Go", enabled=False), title="Home")])
    with pytest.raises(ExpectationFailed, match="Go is disabled"):
        session.expect(labelled("Go"), timeout=0.2)
    with pytest.raises(UsageError, match="returned None: a check returns True or False"):
        session.expect(forgotten())


def test_a_check_of_ones_own_proves_no_absence_on_a_screen_that_is_loading(play: Play) -> None:
    spinner = node("ProgressBar", (400, 900, 600, 1100))
    session, _ = play([screen(button("Go"), spinner, title="Home")])
    with pytest.raises(ExpectationFailed, match="the screen is loading"):
        session.expect(titled("Home"), timeout=0.2)
    session.expect(labelled("Go"))


def test_a_screen_by_its_content_takes_texts_and_locators(play: Play) -> None:
    session, _ = play([SHOP])
    session.expect_screen(
        Screen("Shop", has=["Tray", session.locator(text="Red mug")], lacks=["Cart"])
    )
    with pytest.raises(ExpectationFailed, match='should not show text="Tray"'):
        session.expect_screen(Screen("Shop", has=["Red mug"], lacks=["Tray"]), timeout=0.2)


# --- what is not known is never a pass ------------------------------------------------------------


def test_a_label_in_a_row_is_compared_as_that_label(play: Play) -> None:
    price = node("TextView", (400, 200, 700, 300), text="£9.90")
    session, _ = play([screen(row("Blue mug", 200, price), title="Shop")])
    session.locator(text="£9.90").expect_text("£9.90").expect_not_text("£8.00")
    for wanted in ("£9.90", re.compile("9.90")):
        with pytest.raises(ExpectationFailed):
            session.locator(text="£9.90").expect_not_text(wanted, timeout=0.2)
    with pytest.raises(ExpectationFailed, match="several labels that fit"):
        session.locator(text=re.compile("^(£9.90|Blue mug)$")).expect_not_text("x", timeout=0.2)


def test_a_mask_is_no_value_and_no_other_one(play: Play) -> None:
    session, _ = play([screen(field("••••", password=True))])
    for wanted in ("abcd", "x", re.compile("x")):
        with pytest.raises(ExpectationFailed, match="it is masked"):
            session.locator(text="Email").expect_not_value(wanted, timeout=0.2)
    session.locator(text="Email").expect_text(Secret("abcd")).expect_not_text(Secret("abc"))
    session.locator(text="Email").expect_text(Secret("ab🔑"))  # a dot for each half of a sign
    with pytest.raises(ExpectationFailed):
        session.locator(text="Email").expect_not_text(Secret("ab🔑"), timeout=0.2)


def test_what_a_row_must_not_have_counts_where_it_is_covered(play: Play) -> None:
    sheet = node(
        "FrameLayout",
        (400, 0, 1000, 2000),
        node("TextView", (450, 900, 900, 990), text="Sheet"),
        clickable=True,
    )
    session, phone = play([screen(row("Blue mug", 200, sold_out(200)), sheet, title="Shop")])
    cards = session.locator(class_name="LinearLayout", has_not="Sold out")
    assert cards.find_all() == []
    with pytest.raises(ActionFailed):
        cards.tap(timeout=0.2)
    assert phone.gestures == []


CUT_ROW = node(
    "LinearLayout",
    (0, 600, 1000, 630),
    node("TextView", (0, 600, 400, 630), text="Tray"),
    clickable=True,
)


def test_what_is_cut_off_by_its_list_is_not_known_to_lack_anything(play: Play) -> None:
    cards = node(
        "RecyclerView",
        (0, 200, 1000, 630),
        row("Blue mug", 200),
        row("Red mug", 400),
        CUT_ROW,
        scrollable=True,
    )
    session, phone = play([screen(cards, title="Shop")])
    without = session.locator(class_name="LinearLayout").filter(has_not="Add")
    with pytest.raises(ActionFailed):
        without.tap(timeout=0.2)
    assert phone.gestures == []
    for check_ in (
        without.expect_visible,
        without.expect_gone,
        lambda timeout: without.expect_count(1, timeout=timeout),
    ):
        with pytest.raises(ExpectationFailed):
            check_(timeout=0.2)
    with pytest.raises(ExpectationFailed, match="cut off by the edge of its list"):
        without.expect_gone(timeout=0.2)
    session.locator(class_name="LinearLayout").filter(has="Add", has_not="Tray").expect_count(2)


def test_what_must_not_be_there_may_still_come_on_a_screen_that_is_loading(play: Play) -> None:
    spinner = node("ProgressBar", (400, 900, 600, 1100))
    session, phone = play([screen(row("Blue mug", 200), spinner, title="Shop")])
    card = session.locator(class_name="LinearLayout", has="Blue mug", has_not="Sold out")
    with pytest.raises(ActionFailed, match="the screen is loading"):
        card.tap(timeout=0.2)
    with pytest.raises(ExpectationFailed, match="the screen is loading"):
        card.expect_enabled(timeout=0.2)
    with pytest.raises(ExpectationFailed, match="the screen is loading"):
        session.expect_screen(Screen("Shop", has=[card]), timeout=0.2)
    assert phone.gestures == []


def test_a_state_that_is_not_reported_decides_nothing_wherever_it_is_asked(play: Play) -> None:
    session, _ = play([screen(row("Tray", 200), title="Shop")])
    for gone in (
        by(text="Tray", android=by(focused=True)),
        by(class_name="LinearLayout", has=by(text="Tray", focused=True)),
    ):
        frame = screen(row("Tray", 200), title="Shop").replace(b' focused="false"', b"")
        session, _ = play([frame])
        with pytest.raises(ExpectationFailed, match="no one reports whether it is focused"):
            session.expect_gone(gone, timeout=0.2)
    with pytest.raises(ExpectationFailed, match="no one reports whether it is focused"):
        session.expect_visible(
            class_name="LinearLayout", has_not=by(text="Tray", focused=True), timeout=0.2
        )


def test_one_of_several_is_not_gone_because_it_is_counted_with_what_is_covered(play: Play) -> None:
    beyond = node("Button", (100, -400, 500, -300), text="Go", clickable=True)
    covered = node("Button", (100, 200, 500, 300), text="Go", clickable=True)
    lid = node(
        "FrameLayout",
        (0, 150, 1000, 400),
        node("TextView", (0, 150, 900, 390), text="Lid"),
        clickable=True,
    )
    session, _ = play([screen(beyond, covered, lid, title="Shop")])
    for locator in (session.locator(text="Go").first, session.locator(text="Go").last):
        with pytest.raises(ExpectationFailed, match="covered, not gone"):
            locator.expect_gone(timeout=0.2)


def test_alternatives_keep_what_is_said_around_them(play: Play) -> None:
    buttons = button("Delete", 200) + button("Cancel", 400)
    session, phone = play([screen(buttons, title="Shop")])
    with pytest.raises(ActionFailed):
        session.tap(
            text="Cancel",
            android=by(class_name="Button", text="Delete", within="Cart") | by(text="Nope"),
            timeout=0.2,
        )
    with pytest.raises(ActionFailed):
        session.within(class_name="Toolbar").tap(
            android=by(text="Delete") | by(text="Nope"), timeout=0.2
        )
    assert phone.gestures == []
    assert (
        session.find(class_name="Button", android=by(text="Delete") | by(text="Nope")).label
        == "Delete"
    )


def test_a_claim_is_neither_true_nor_false(play: Play) -> None:
    session, _ = play([SHOP])
    with pytest.raises(UsageError):
        assert titled("Shop")
    with pytest.raises(UsageError, match="the screen is given by expect"):
        titled(session.snapshot(), "Shop")  # type: ignore[call-arg, arg-type]


@check
def lacks(screen: Snapshot, text: str) -> bool:
    return not screen.find_all(text=text)


def test_a_check_of_ones_own_proves_no_absence_of_what_is_covered(play: Play) -> None:
    lid = node(
        "FrameLayout",
        (0, 150, 1000, 400),
        node("TextView", (0, 150, 900, 390), text="Lid"),
        clickable=True,
    )
    session, _ = play([screen(button("Pay"), lid, title="Shop")])
    with pytest.raises(ExpectationFailed, match="covered, not gone"):
        session.expect(lacks("Pay"), timeout=0.2)


def test_a_check_of_ones_own_of_absence_holds_through_a_window(play: Play) -> None:
    there, away = screen(button("Pay"), title="Shop"), screen(button("Go"), title="Shop")
    session, _ = play([away, away, there])
    with pytest.raises(ExpectationFailed):
        session.expect(lacks("Pay"), timeout=0.2)


def test_a_check_of_ones_own_does_nothing_but_look(play: Play) -> None:
    session, phone = play([screen(button("Go"), title="Shop")])

    @check
    def acts(screen: Snapshot) -> bool:
        session.tap(text="Go")
        return True

    @check
    def breaks(screen: Snapshot) -> bool:
        return [element.label for element in screen.elements].index(
            "Go"
        ) >= 0 and screen.title == "Shop"

    with pytest.raises(UsageError, match="only looks"):
        session.expect(acts())
    assert phone.gestures == []
    session.tap(text="Go").expect(breaks())
    phone.frames = [screen(button("Stop"), title="Shop")]
    session.expect_visible(text="Stop")  # a later screen breaks no earlier check
    with pytest.raises(ValueError, match="is not in list"):
        session.expect(breaks())


def test_a_secret_that_is_compared_is_hidden_in_all_that_is_kept(play: Play) -> None:
    session, _ = play([screen(button("S3cr3t-code-1"), button("other-code-22", 400), title="Shop")])
    redactor = session._context.recorder.redactor

    @check
    def shows(screen: Snapshot, codes: list[Secret]) -> bool:
        return any(element.label == codes[0].value for element in screen.elements)

    session.expect(shows([Secret("S3cr3t-code-1")]))
    session.locator(text="other-code-22").expect_text(Secret("other-code-22"))
    assert "S3cr3t" not in redactor.text("S3cr3t-code-1 other-code-22")
    assert "other-code" not in redactor.text("S3cr3t-code-1 other-code-22")
