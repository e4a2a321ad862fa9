"""Failed lookups: near misses, differences between matches, and advice that works."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import TargetError, UsageError
from pytest_replicant.model import Advice, Selector, by, combined
from pytest_replicant.snapshots import Snapshot, is_slip
from pytest_replicant.snapshots.query.match import meant
from pytest_replicant.snapshots.suggest.lookup import distinct_descriptions, distinctions

from .. import ios_screens
from ..screens import SHOP, button, catalogue, hierarchy, labels_of, node, parse, row, screen, text


def test_several_matches_are_listed_with_what_distinguish_them() -> None:
    snapshot = parse(SHOP)
    with pytest.raises(TargetError) as caught:
        snapshot.find(text="Add")
    error = caught.value
    refs = [element.ref for element in snapshot.find_all(text="Add")]
    assert error.code == "AMBIGUOUS_TARGET"
    assert [element.ref for element in error.candidates] == refs
    assert error.outline == snapshot.outline()
    assert str(error).splitlines() == [
        'AMBIGUOUS_TARGET  text="Add": 3 matches',
        f'  [{refs[0]}] in row "Blue mug £9.90"   [{refs[1]}] in row "Red mug £8.00"   '
        f'[{refs[2]}] in row "Tray £12.00"',
        'Next: row_with="Blue mug", or row_with="Red mug" or so for the others.',
    ]


def test_an_id_that_the_build_shortened_is_advised_where_nothing_else_helps() -> None:
    def extra(first: str, second: str) -> str:
        adds = [
            button("Add", at=(0, top, 90, top + 90), resource_id=f"dev.shop:id/{name}", content_desc=described)
            for name, described, top in ((first, "Add milk", 300), (second, "Add bread", 500))
        ]
        snapshot = parse(screen(*adds))
        found, _ = distinctions(
            snapshot._search_index, by(class_name="Button"), snapshot.find_all(class_name="Button")
        )
        return found.describe() if found is not None else ""

    assert extra("add_milk", "add_bread") == 'resource_id="add_milk"'
    assert extra("elo", "bpl") != 'resource_id="elo"'


def test_the_advice_works() -> None:
    snapshot = parse(screen(button("OK"), button("OK", at=(0, 500, 90, 590), resource_id="dev.shop:id/ok")))
    with pytest.raises(TargetError, match=r'Next: near=by\(resource_id="ok"\), or resource_id="ok"\.'):
        snapshot.find(text="OK")
    assert snapshot.find(text="OK", resource_id="ok").bounds.top == 500


def test_a_misspelt_label_is_asked_about() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).find(text="tray")
    assert caught.value.code == "ELEMENT_NOT_FOUND"
    assert str(caught.value).endswith('Next: Did you mean text="Tray"?')
    assert labels_of(caught.value.candidates) == ["Tray"]


@pytest.mark.parametrize(("label", "nearest"), [("Zzzz", ""), ("Red rug", "Red mug"), ("Trays", "Tray")])
def test_another_label_is_looked_for_and_never_replaced(label: str, nearest: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).find(text=label)
    first, *others = caught.value.parts.advice
    assert str(first) == f'scroll_to(text="{label}"), if it is further on'
    assert others == ([f'name "{nearest}" as it is if that is meant'] if nearest else [])


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Sgin in", "Sign in"), ("SIGN IN", "Sign in"), ("Signin", "Sign in"), ("sing in", "Sign in"),
        ("Catalouge", "Catalogue"), ("Cataloge", "Catalogue"), ("Catalagua", "Catalague"), ("e-mail", "Email"),
        ("Email:", "Email"), ("Crat, 1 item", "Cart, 1 item"), ("sgin_in", "sign_in"), ("signIn", "sign_in"),
    ],
)  # fmt: skip
def test_a_slip_of_the_keyboard_is_one_name(wanted: str, name: str) -> None:
    assert is_slip(wanted, name) == (wanted != "Catalagua")  # at the end of a word it is another one
    assert is_slip(name, wanted) == is_slip(wanted, name)


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("Red mug", "Red rug"), ("Blue mug", "Red mug"), ("Save", "Saved"), ("Order", "Orders"),
        ("Row 4", "Row 5"), ("Row 14", "Row 41"), ("+1", "-1"), ("£8.00", "£800"), ("Volume +", "Volume -"),
        ("Place order", "Place order?"),
        ("Pay", "Day"), ("On", "Off"), ("Start", "Smart"), ("Black", "Block"), ("Item 1", "Item 11"), ("", "Pay"),
        ("Sign in", "Sign up"), ("Left", "Lift"), ("Accept all", "Accept"),
    ],
)  # fmt: skip
def test_another_name_is_no_slip(wanted: str, name: str) -> None:
    assert not is_slip(wanted, name)
    assert not is_slip(name, wanted)


def test_a_screen_without_elements_gets_its_own_advice() -> None:
    with pytest.raises(TargetError, match="no elements at all"):
        parse(screen()).find(text="Anything")


def test_a_bare_string_is_no_ref() -> None:
    with pytest.raises(UsageError, match=r'Did you mean find\(text="Sign in"\)'):
        parse(SHOP).element("Sign in")


def test_an_unknown_ref_is_not_found_and_the_advice_is_for_refs() -> None:
    with pytest.raises(TargetError) as caught:
        parse(SHOP).element("q000")
    assert str(caught.value).splitlines() == [
        "ELEMENT_NOT_FOUND  q000: none of the 10 elements has this ref",
        "Next: take a ref of the current outline, or write a selector.",
    ]


def test_no_one_is_sent_scrolling_where_nothing_scrolls() -> None:
    with pytest.raises(TargetError) as caught:
        parse(screen(button("Pay"))).find(text="Order placed")
    assert str(caught.value).endswith(
        "Next: go to the screen that has it, or give it more time: nothing here scrolls."
    )


def test_an_unknown_ref_is_not_found() -> None:
    with pytest.raises(TargetError, match="ELEMENT_NOT_FOUND  q000"):
        parse(screen()).element("q000")


def test_wrong_keywords_are_usage_errors() -> None:
    with pytest.raises(UsageError, match=r"Did you mean find\(text=\"Add\"\)"):
        parse(SHOP).find(label="Add")  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="at least one"):
        parse(SHOP).find()


def test_the_nearest_are_named_even_where_they_are_alike() -> None:
    snapshot = parse(screen(button("Save all"), button("Save all", at=(0, 900, 90, 990))))
    with pytest.raises(TargetError) as caught:
        snapshot.find(text="Save al")
    nearest = str(caught.value).splitlines()[1]
    assert nearest.count('Button "Save all" at ') == 2


def test_a_long_list_of_matches_is_cut_short() -> None:
    many = [
        button("Add", at=(n % 9 * 100, 300 + n // 9 * 100, n % 9 * 100 + 90, 390 + n // 9 * 100))
        for n in range(60)
    ]
    with pytest.raises(TargetError) as caught:
        parse(screen(*many)).find(text="Add")
    first, second, third = str(caught.value).splitlines()
    assert first == 'AMBIGUOUS_TARGET  text="Add": 60 matches'
    assert second.endswith("   … and 52 more")
    assert third == "Next: only their position distinguishes them: nth=0 to nth=59, in reading order."
    assert len(caught.value.candidates) == 60


FORM = screen(
    button("Pay", enabled="false"),
    button("Send", at=(0, 500, 200, 590), enabled="true", resource_id="dev.shop:id/send"),
    node("EditText", at=(0, 600, 900, 680), hint="Email", text="ada@example.com"),
    node("EditText", at=(0, 700, 900, 780), hint="Code", text="1234", password="true"),
    node("CheckBox", at=(0, 800, 900, 880), text="Remember me", checkable="true", checked="false"),
    text("A long text " * 20, at=(0, 900, 900, 990)),
)


def report(source: str, selector: Selector) -> list[str]:
    """What is said after the first line, refs left out."""
    snapshot = parse(source)
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    assert caught.value.code == "ELEMENT_NOT_FOUND"
    lines = str(caught.value)
    for element in (*snapshot.elements, *snapshot.headings):
        lines = lines.replace(f"[{element.ref}] ", "")
    return lines.splitlines()[1:]


@pytest.mark.parametrize(
    ("selector", "message", "next_"),
    [
        (
            by(text="Pay", enabled=True),
            'It is there, but disabled: Button "Pay"',
            'wait_for(text="Pay", enabled=True)',
        ),
        (
            by(text="Remember me", checked=True),
            "It is there, but not checked: ",
            'wait_for(text="Remember me", checked',
        ),
        (by(text="Send", enabled=False), "It is there, but enabled: ", "if it is still to become so."),
        (by(text="Send", checked=False), "does not report whether it is checked", "leave out checked=."),
        (by(text="Send", nth=1), "nth=1 asks for more; it counts from 0", "on this screen is one of them."),
        (by(role="button", nth=7), "nth=7 asks for more; it counts from 0", "on this screen are 2 of them."),
        (
            by(text="Send", class_name="TextView"),
            "It is there, but its class_name is Button",
            "correct class_name=,",
        ),
        (
            by(text="Send", class_name="XCUIElementTypeButton"),
            "Of the same role is Button",
            'role="button" in place',
        ),
        (by(text="Send", role="switch"), "its role is button", "if it is the one that is meant, correct role=,"),
        (by(text="Send", role="link"), "its role is button", 'Did you mean role="button"?'),
        (by(text="Pay", resource_id="pay"), 'not with resource_id="pay"', "correct resource_id=, else go"),
        (by(text="Send", resource_id="sned"), 'not with resource_id="sned"', 'Did you mean resource_id="send"?'),
        (
            by(text="Send", within="Nowhere"),
            'not within text="Nowhere", which is not on',
            "go to the screen",
        ),
        (by(text="send"), '"Send" is there, in other letters: case counts.', 'Did you mean text="Send"?'),
        (by(text="Sned"), '"Send" is there, not "Sned".', 'Did you mean text="Send"?'),
        (by(text="Send", text_contains="x"), 'not with text_contains="x"', "correct text_contains=,"),
        (by(text="Send", text_matches="x"), 'not with text_matches="x"', "correct text_matches=,"),
        (by(class_name="checkbox"), "CheckBox is there, in other letters", 'Did you mean class_name="CheckBox"?'),
        (by(text_contains="REMEMBER"), '"Remember" is there, in other letters', 'text_contains="Remember"?'),
        (
            by(text="ada@example.com"),
            'It is what was typed into EditText "Email", ',
            "name the field by its label",
        ),
        (
            by(text="A long text A long…"),
            "cuts long ones",
            '"A long text A long" in place of text=.',
        ),
        (by(text="Send", within="k999"), "within=k999 is not on this screen.", "a ref of this screen"),
        (
            by(ios=by(text="Send")),
            "This is android, and the selector says nothing for it.",
            "a branch for android",
        ),
        (by(android=by(text="Sned")), '"Send" is there, not "Sned".', 'Did you mean android=by(text="Send")?'),
    ],
)
def test_a_near_miss_is_explained(selector: Selector, message: str, next_: str) -> None:
    first, second = report(FORM, selector)
    assert message in f"{first} "
    assert next_ in second


def test_a_label_that_fits_is_not_said_to_be_spelt_in_other_letters() -> None:
    message = "\n".join(report(FORM, by(text_contains="Send", text_matches="^Pay")))
    assert "other letters" not in message


def test_no_one_is_asked_to_wait_for_what_is_never_reported() -> None:
    assert report(FORM, by(text="Send", checked=True))[1] == "Next: leave out checked=."


def test_a_masked_value_is_not_given_away() -> None:
    assert "typed" not in "\n".join(report(FORM, by(text="1234")))


def test_a_label_in_other_rows_is_shown_with_them() -> None:
    first, second = report(SHOP, by(text="Add", row_with="Coffee"))
    assert first.startswith('There are 3, but none in a row with text="Coffee", which is not on this screen: ')
    assert 'in row "Tray £12.00"' in first
    assert second == 'Next: scroll_to(text="Coffee"), if it is further on.'


def test_a_misspelt_row_is_asked_about_and_no_other_row_is_named() -> None:
    *_, last = report(SHOP, by(text="Add", row_with="Rde mug"))
    assert last == 'Next: scroll_to(text="Rde mug"), if it is further on.'  # of three letters
    *_, last = report(SHOP, by(text="Add", row_with="blue mug"))
    assert last == 'Next: Did you mean row_with="Blue mug"?'


def test_a_row_that_has_no_such_label_is_distinguished_from_one_that_is_not_there() -> None:
    source = screen(
        catalogue(row("Blue mug", "£9.90", 400), node("LinearLayout", text("Tray"), at=(0, 500, 900, 600)))
    )
    first, second = report(source, by(text="Add", row_with="Tray"))
    assert first.startswith('It is there, but not in a row with text="Tray": ')
    assert second == "Next: look where it is in the outline: is it in another place now?"


def test_what_lies_off_the_screen_is_scrolled_to() -> None:
    source = screen(button("Here"), button("There", at=(0, 2500, 200, 2600)))
    assert report(source, by(text="There")) == [
        "A Button that fits lies off the screen.",
        'Next: scroll_to(text="There").',
    ]


PAY = node("FrameLayout", button("Pay"), at=(0, 0, 1080, 2400))
OK = button("OK", at=(300, 900, 500, 990), resource_id="android:id/button1")
PAY_UNDER_A_DIALOG = hierarchy(PAY, node("FrameLayout", OK, at=(200, 800, 900, 1400)))


def test_what_is_covered_is_said_to_be() -> None:
    first, second = report(PAY_UNDER_A_DIALOG, by(text="Pay"))
    assert "covered or in a window below" in first
    assert "close what covers it" in second


KEYS = "a.inputmethod"


def test_a_key_of_the_keyboard_is_nothing_that_is_covered() -> None:
    keys = node(
        "FrameLayout", button("x", at=(0, 1700, 90, 1790), package=KEYS), at=(0, 1600, 1080, 2400), package=KEYS
    )
    message = report(hierarchy(PAY, keys), by(text="x"))
    assert not any("covered" in line for line in message)


def test_what_is_covered_is_not_said_to_lie_where_it_was_looked_for() -> None:
    message = report(PAY_UNDER_A_DIALOG, by(text="Pay", within="OK"))
    assert not any("that fits" in line for line in message)


def test_many_candidates_are_cut_short() -> None:
    rows = [row(f"Item {chr(65 + n)}", "£1", 400 + n * 100) for n in range(15)]
    first, _ = report(screen(catalogue(*rows)), by(text="Add", row_with="Coffee"))
    assert first.endswith("… and 11 more")


def test_a_long_selector_is_cut_short() -> None:
    with pytest.raises(TargetError) as caught:
        parse(FORM).find(text="x" * 100_000)
    assert len(str(caught.value)) < 600


def test_a_class_of_the_other_platform_is_answered_with_the_role_that_both_have() -> None:
    bar = node("SeekBar", at=(0, 300, 900, 380), **{"content-desc": "Volume", "clickable": "true"})
    for name in ("Slider", "XCUIElementTypeSlider"):
        said = report(screen(bar), by(class_name=name))
        assert said[0] == 'Of the same role is SeekBar "Volume"; each platform has class names of its own.'
        assert said[1] == 'Next: role="slider" in place of class_name= says the same on every platform.'
    assert "same role" not in "".join(report(screen(bar), by(class_name="Switch")))
    assert "same role" not in "".join(report(screen(bar), by(class_name="Nonsense")))


def advice(source: str, selector: Selector) -> str:
    place = parse(source)._search_index
    found = distinctions(place, selector, meant(place, selector))
    return " or ".join(extra.describe() for extra in found if extra is not None)


def message(source: str, selector: Selector) -> list[str]:
    """What is said of each match, refs left out."""
    place = parse(source)._search_index
    return [line.partition("]")[2].strip() for line in distinct_descriptions(place, meant(place, selector), 8)]


def ok(top: int, label: str = "OK", **attributes: str) -> str:
    return button(label, at=(0, top, 200, top + 90), **attributes)


def section(name: str, top: int, *inside: str, **attributes: str) -> str:
    heading = text(name, at=(0, top, 900, top + 50))
    return node("FrameLayout", heading, *inside, at=(0, top, 1080, top + 300), **attributes)


@pytest.mark.parametrize(
    ("source", "selector", "expected"),
    [
        (
            SHOP,
            by(text="Add"),
            " or ".join(f'row_with="{name}"' for name in ("Blue mug", "Red mug", "Tray")),
        ),
        (
            screen(ok(300), ok(400, resource_id="dev.shop:id/yes")),
            by(text="OK"),
            'near=by(resource_id="yes") or resource_id="yes"',
        ),
        (screen(ok(300, "Yes"), ok(400, "No")), by(role="button"), 'text="Yes" or text="No"'),
        (screen(ok(300), ok(400, content_desc="Agree to all")), by(text="OK"), 'description="Agree to all"'),
        (
            screen(ok(300), node("CheckBox", at=(0, 400, 90, 490), text="OK")),
            by(text="OK"),
            'role="button" or role="checkbox"',
        ),
        (
            screen(ok(300, enabled="true"), ok(400, enabled="false")),
            by(text="OK"),
            "enabled=True or enabled=False",
        ),
        (
            screen(section("Old", 300, ok(400)), section("New", 700, ok(800), resource_id="dev.shop:id/new")),
            by(text="OK"),
            'near="Old" or within=by(resource_id="new")',
        ),
        (screen(ok(300), ok(400)), by(text="OK"), ""),
    ],
)
def test_the_keyword_that_lasts_longest_is_advised(source: str, selector: Selector, expected: str) -> None:
    assert advice(source, selector) == expected


def test_a_keyword_that_was_given_is_given_otherwise_where_no_other_helps() -> None:
    source = screen(catalogue(row("Mug", "£1", 400), row("Mug", "£2", 500)))
    assert advice(source, by(text="Add", row_with="Mug")) == ('row_with="£1" or row_with="£2"')
    with pytest.raises(TargetError, match=r'row_with="£2" in place of the one given\.'):
        parse(source).find(text="Add", row_with="Mug")


@pytest.mark.parametrize(
    ("source", "selector", "expected"),
    [
        (
            SHOP,
            by(text="Add"),
            ['in row "Blue mug £9.90"', 'in row "Red mug £8.00"', 'in row "Tray £12.00"'],
        ),
        (screen(ok(300, "Yes"), ok(400, "No")), by(role="button"), ['Button "Yes"', 'Button "No"']),
        (screen(ok(300, enabled="true"), ok(400, enabled="false")), by(text="OK"), ["enabled", "disabled"]),
        (screen(ok(300, selected="true"), ok(400)), by(text="OK"), ["selected", "at 100,445"]),
        (screen(ok(300, resource_id="a:id/x"), ok(400, resource_id="a:id/y")), by(text="OK"), ["id=x", "id=y"]),
        (
            screen(text("Old", at=(0, 300, 90, 350)), ok(360), text("New", at=(0, 500, 90, 550)), ok(560)),
            by(text="OK"),
            ['below "Old"', 'below "New"'],
        ),
        (screen(ok(300), ok(400)), by(text="OK"), ["at 100,345", "at 100,445"]),
        (screen(ok(300)), by(text="OK"), ['Button "OK"']),
    ],
)
def test_no_more_is_said_than_distinguish_them(source: str, selector: Selector, expected: list[str]) -> None:
    assert message(source, selector) == expected


def test_labels_stay_inside_their_quotes() -> None:
    source = screen(ok(300, 'a" in row "b', selected="true"), ok(400, "x" * 500, selected="true"))
    first, second = message(source, by(selected=True))
    assert first == 'Button "a\\" in row \\"b"'
    assert len(second) < 200


LABELS = st.sampled_from(["Add", "Delete", "Milk", "3", "£1", ""])


@st.composite
def screens(draw: st.DrawFn) -> Snapshot:
    """Rows of a few look-alikes in a few arrangements."""
    rows = draw(st.lists(st.tuples(LABELS, LABELS, st.booleans(), st.booleans()), min_size=2, max_size=5))
    inside = []
    for number, (name, label, marked, wrapped) in enumerate(rows):
        top = 200 + number * 150
        parts = [
            text(name, at=(0, top, 300, top + 50)) if name else "",
            button(label, at=(500, top, 700, top + 90), selected=str(marked).lower()),
        ]
        inside += [node("LinearLayout", *parts, at=(0, top, 1080, top + 140))] if wrapped else parts
    return parse(screen(*inside))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(screens())
def test_the_advice_always_works(snapshot: Snapshot) -> None:
    for label in {element.label for element in snapshot.elements} - {""}:
        advice_holds(snapshot, by(text=label))
    advice_holds(snapshot, by(role="button"))


def advice_holds(snapshot: Snapshot, selector: Selector) -> None:
    """Each keyword that the error advises leaves another one of the candidates; else only their places differ."""
    candidates = meant(snapshot._search_index, selector)
    if len(candidates) < 2:
        return
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    advice = caught.value.parts.advice
    if isinstance(advice[0], str):
        assert f"nth=0 to nth={len(candidates) - 1}" in advice[0]
        return
    locators = [one.locator for one in advice if isinstance(one, Advice) and one.locator is not None]
    assert [snapshot.one(combined(selector, one)) for one in locators] == candidates[:2]


def test_an_id_that_the_app_made_up_stays_within_quotes() -> None:
    source = screen(button("Add", resource_id="a\n[k427]"), button("Add", at=(0, 500, 200, 600), resource_id="b"))
    place = parse(source)._search_index
    assert distinct_descriptions(place, place.elements, 2) == [
        f'[{place.elements[0].ref}] id="a [k427]"',
        f"[{place.elements[1].ref}] id=b",
    ]


# --- the nearest: what a reader would take for it ----------------------------------------------------------------

ANSWERS = [
    ("Wrong password or mail", "Wrong email or password", ["Password", "Mail", "Email"]),
    ("Your password is wrong", "The password was wrong", ["Password", "Your name"]),
    ("Payment failed. Try another card", "Try another card: payment failed", ["Card", "Payment"]),
    ("Falsches Passwort oder falsche E-Mail", "E-Mail oder Passwort falsch", ["Passwort", "E-Mail"]),
    ("Mot de passe ou adresse incorrects", "Adresse ou mot de passe incorrect", ["Mot de passe", "Adresse"]),
    ("Неверный пароль или почта", "Неверная почта или пароль", ["Пароль", "Почта"]),
    ("密码或邮箱错误", "邮箱或密码错误", ["密码", "邮箱"]),
    ("パスワードまたはメールが違います", "メールまたはパスワードが違います", ["パスワード", "メール"]),
    ("비밀번호 또는 이메일이 잘못되었습니다", "이메일 또는 비밀번호가 잘못되었습니다", ["비밀번호", "이메일"]),
    ("كلمة المرور أو البريد غير صحيحة", "البريد أو كلمة المرور غير صحيحة", ["كلمة المرور", "البريد"]),
    ("Order placed", "Your order is placed", ["Order", "Place"]),
]


def shown_on(platform: str, labels: list[str]) -> Snapshot:
    if platform == "ios":
        tops = range(100, 900, 60)
        return ios_screens.parse(
            ios_screens.screen(
                *(
                    ios_screens.static(label, at=(16, top, 300, 20))
                    for label, top in zip(labels, tops, strict=False)
                )
            )
        )
    return parse(
        screen(*(text(label, at=(0, 200 + 100 * at, 900, 290 + 100 * at)) for at, label in enumerate(labels)))
    )


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize(("wanted", "meant_one", "others"), ANSWERS, ids=[one for one, _, _ in ANSWERS])
def test_the_nearest_has_the_words_in_whatever_order(
    wanted: str, meant_one: str, others: list[str], platform: str
) -> None:
    snapshot = shown_on(platform, [*others, meant_one])
    with pytest.raises(TargetError) as caught:
        snapshot.find(text=wanted)
    assert caught.value.candidates[0].label == meant_one


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_of_what_comes_about_as_near_the_new_is_first(platform: str) -> None:
    there = ["Card number", "Card holder", "Pay"]
    before, snapshot = shown_on(platform, there), shown_on(platform, [*there, "Card is expired"])

    def first(wanted: str, then: Snapshot | None) -> str:
        with pytest.raises(TargetError) as caught:
            snapshot.one(by(text=wanted), before=then)
        return caught.value.candidates[0].label

    assert first("Card expired", before) == "Card is expired"
    assert first("Card", None) == "Card number"
    assert first("Card", before) == "Card is expired"
    assert first("Card numbers", before) == "Card number", "what is much nearer is no matter of when it came"
    assert first("Pay now", before) == "Pay"
