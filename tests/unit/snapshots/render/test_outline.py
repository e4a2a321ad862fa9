"""The outline, whole and cut to a limit."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import pytest

from pytest_replicant.errors import TargetError, UsageError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.render.outline import Line, indented

from ..screens import SHOP, button, catalogue, labels_of, node, parse, row, screen, text


def without_refs(outline: str) -> list[str]:
    return re.sub(r"\[[a-z]\d{3,15}\] ?", "", outline).splitlines()


def test_every_element_is_listed_once_and_str_is_the_outline() -> None:
    snapshot = parse(SHOP)
    listed = re.findall(r"\[([a-z]\d{3,15})\]", str(snapshot))
    assert sorted(listed) == sorted(element.ref for element in snapshot.elements)


def test_a_very_long_label_is_cut() -> None:
    assert len(parse(screen(button("x" * 5000))).outline()) < 300


def test_bounds_on_request() -> None:
    assert "{x:0,y:300,w:200,h:100}" in parse(screen(button("OK"))).outline(bounds=True)


def test_what_is_off_the_screen_is_counted_and_shown_on_request() -> None:
    snapshot = parse(screen(button("OK"), button("Below", at=(0, 2500, 200, 2600))))
    assert labels_of(snapshot.elements) == ["OK"]
    assert snapshot.outline().endswith("(1 offscreen)")
    assert snapshot.outline(offscreen=True).splitlines()[-1] == 'Button "Below" (offscreen)'


def test_depth_leaves_counts() -> None:
    lines = without_refs(parse(SHOP).outline(depth=1))
    assert lines == ["Catalogue  (dev.shop)", "RecyclerView  (+9 inside)"]


CARDS = screen(
    catalogue(
        row("Blue mug", "£9.90", 400, clickable="true"),
        row("Red mug", "£8.00", 500, clickable="true"),
    ),
    button("Other", at=(0, 300, 90, 390)),
    title="Shop",
)


@pytest.mark.parametrize("kind", ["ref", "element", "selector", "folded label"])
def test_within_shows_one_part(kind: str) -> None:
    snapshot = parse(CARDS)
    element = snapshot.find(text="Blue mug")
    within = {
        "ref": element.ref,
        "element": element,
        "selector": by(text="Blue mug £9.90"),
        "folded label": by(text="£9.90"),
    }[kind]
    part = snapshot.outline(within=within)  # type: ignore[arg-type]  # one of the three
    assert without_refs(part) == [
        "Shop  (dev.shop)",
        'LinearLayout "Blue mug £9.90"',
        '  Button "Add"',
    ]


def test_within_a_container_that_is_no_element_keeps_its_rows() -> None:
    rows = node(
        "LinearLayout",
        row("Blue mug", "£9", 400),
        row("Tray", "£8", 500),
        resource_id="dev.shop:id/all",
    )
    part = parse(screen(rows, button("Other", at=(0, 250, 90, 290)))).outline(
        within=by(resource_id="all")
    )
    assert without_refs(part)[1:] == [
        '- "Blue mug"', '  "£9"', '  Button "Add"', '- "Tray"', '  "£8"', '  Button "Add"'
    ]  # fmt: skip


def test_within_combines_with_depth_and_max_chars() -> None:
    snapshot = parse(CARDS)
    listed = snapshot.ref(class_name="RecyclerView")
    assert without_refs(snapshot.outline(within=listed, depth=1))[1:] == [
        "RecyclerView  (+4 inside)"
    ]
    assert len(snapshot.outline(within=listed, max_chars=70)) <= 70


def test_within_an_element_of_an_earlier_snapshot() -> None:
    earlier = parse(CARDS, "s0").find(text="Blue mug")
    assert 'LinearLayout "Blue mug £9.90"' in parse(CARDS).outline(within=earlier)
    gone = parse(screen(button("Pay"))).find(text="Pay")
    with pytest.raises(TargetError, match="STALE_REFERENCE"):
        parse(CARDS).outline(within=gone)


@pytest.mark.parametrize(
    ("within", "code"),
    [
        ("k427", "ELEMENT_NOT_FOUND"),
        (by(text="Nothing"), "ELEMENT_NOT_FOUND"),
        (by(text="Add"), "AMBIGUOUS_TARGET"),
    ],
)
def test_within_what_is_missing_or_ambiguous_is_a_target_error(
    within: str | Selector, code: str
) -> None:
    with pytest.raises(TargetError) as raised:
        parse(CARDS).outline(within=within)
    assert raised.value.code == code


@pytest.mark.parametrize("within", ["Blue mug", 7])
def test_within_what_names_nothing_is_wrong_usage(within: object) -> None:
    with pytest.raises(UsageError):
        parse(CARDS).outline(within=within)  # type: ignore[arg-type]  # that is the point


def test_within_the_title_shows_the_title() -> None:
    snapshot = parse(CARDS)
    assert snapshot.outline(within=snapshot.headings[0].ref).splitlines()[1].endswith('] "Shop"')


@pytest.mark.parametrize("limit", range(55, 330, 5))
def test_max_chars_is_kept_and_every_element_shown_or_counted(limit: int) -> None:
    snapshot = parse(SHOP)
    whole, cut = snapshot.outline().splitlines(), snapshot.outline(max_chars=limit).splitlines()
    assert len("\n".join(cut)) <= limit
    counts = [
        int(number)
        for number in re.findall(r"\(\+(\d+) (?:more|inside)\)$", "\n".join(cut), re.MULTILINE)
    ]
    shown = [
        re.sub(r"  \(\+\d+ inside\)$", "", text)
        for text in cut
        if not re.match(r" *\(\+\d+ more", text)
    ]
    assert set(shown) <= set(whole)
    assert len(shown) + sum(counts) == len(whole)


@pytest.mark.parametrize("limit", [1, 20, 40])
def test_header_trailer_and_one_count_stay_whatever_max_chars_is(limit: int) -> None:
    source = screen(button("OK"), button("Below", at=(0, 2500, 200, 2600)), title="Cart")
    assert parse(source).outline(max_chars=limit) == "Cart  (dev.shop)\n(+1 more)\n(1 offscreen)"


def test_max_chars_leaves_out_what_lies_deep_before_what_lies_on_top() -> None:
    tabs = [button(f"Tab {n}", at=(n * 200, 2300, n * 200 + 200, 2400)) for n in range(3)]
    rows = [row(f"Mug {n}", f"£{n}", 400 + n * 100) for n in range(15)]
    source = screen(catalogue(*rows), node("FrameLayout", *tabs, at=(0, 2300, 1080, 2400)))
    lines = without_refs(parse(source).outline(max_chars=220))
    assert lines[1] == "RecyclerView"
    assert re.fullmatch(r"  \(\+\d+ more\)", lines[-4])
    assert lines[-3:] == ['Button "Tab 0"', 'Button "Tab 1"', 'Button "Tab 2"']


def test_small_parts_are_shown_before_large_ones() -> None:
    rows = [row(f"Mug {n}", f"£{n}", 400 + n * 100) for n in range(9)]
    menu = node(
        "ScrollView", button("Help"), button("Exit", at=(0, 350, 90, 390)), scrollable="true"
    )
    shown = without_refs(parse(screen(catalogue(*rows), menu)).outline(max_chars=120))
    assert [text.strip() for text in shown[-3:]] == ["ScrollView", 'Button "Help"', 'Button "Exit"']


def test_depth_and_max_chars_combine() -> None:
    snapshot = parse(SHOP)
    assert snapshot.outline(depth=1, max_chars=5000) == snapshot.outline(depth=1)
    assert len(snapshot.outline(depth=2, max_chars=100)) <= 100


@pytest.mark.parametrize("name", ["depth", "max_chars"])
@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "3"])
def test_a_limit_is_a_whole_number_from_one(name: str, limit: Any) -> None:
    with pytest.raises(
        UsageError, match=f"{name}=.*: a limit is a whole number from 1; leave it out for none"
    ):
        parse(SHOP).outline(**{name: limit})


PICTURE = "(the app reports nothing of what it draws; look at mobile.screenshot())"


def test_a_title_and_what_is_off_the_screen_are_reported_too() -> None:
    assert PICTURE not in parse(screen(title="Cart")).outline()
    below = parse(screen(button("Below", at=(0, 2500, 200, 2600))))
    assert PICTURE not in below.outline() + below.outline(offscreen=True)


def test_refs_are_the_same_at_every_level_of_detail() -> None:
    snapshot = Snapshot.parse(SHOP)
    refs = re.findall(r"\[([a-z]\d+)\]", snapshot.outline())
    assert re.findall(r"\[([a-z]\d+)\]", snapshot.outline(bounds=True, offscreen=True)) == refs


def test_what_is_off_the_screen_is_counted_as_it_would_be_listed() -> None:
    card = node(
        "LinearLayout",
        text("Blue mug", at=(0, 2500, 300, 2550)),
        text("£9.90", at=(0, 2550, 300, 2600)),
        button("Add", at=(900, 2500, 1080, 2600)),
        at=(0, 2500, 1080, 2600),
        clickable="true",
    )
    snapshot = parse(screen(card))
    assert snapshot.outline().endswith("(2 offscreen)")
    assert without_refs(snapshot.outline(offscreen=True))[-2:] == [
        'LinearLayout "Blue mug £9.90" (offscreen)',
        '  Button "Add" (offscreen)',
    ]


def test_signs_of_icon_fonts_are_no_names() -> None:
    """Where something happens on a touch they are listed by their place, else they are counted."""
    close, star = button("\ue5cd"), text("\U000f0001", at=(0, 500, 90, 590))
    snapshot = parse(screen(close, star, button("Pay", at=(0, 600, 90, 690))))
    assert without_refs(snapshot.outline())[1:] == [
        "Button @100,350",
        'Button "Pay"',
        "(folded: 1 icons; outline(full=True) lists them)",
    ]
    assert snapshot.find(text="\U000f0001").ref in snapshot.outline(full=True)
    assert snapshot.find(text="\ue5cd").class_name == "Button"


def keys(*names: str, **attributes: str) -> str:
    where = [(100 * n, 300, 100 * n + 90, 390) for n in range(len(names))]
    made = [node("x.Dial$Key", at=at, content_desc=name, clickable="true", **attributes)
            for name, at in zip(names, where, strict=True)]  # fmt: skip
    return screen(*made)


def test_names_of_a_sign_or_two_share_a_line_and_keep_their_refs() -> None:
    snapshot = parse(keys(*"123456", "12"))
    assert without_refs(snapshot.outline())[1:] == ['Dial$Key x7: "1" "2" "3" "4" "5" "6" "12"']
    refs = [element.ref for element in snapshot.elements]
    assert re.findall(r"\[([a-z]\d+)\]", snapshot.outline()) == refs
    assert len(snapshot.outline(full=True).splitlines()) == 8


def test_look_alikes_without_words_are_one_line_with_their_number() -> None:
    snapshot = parse(keys(*[""] * 7))
    assert without_refs(snapshot.outline())[1:] == [
        "Dial$Key x7", "(folded: 7 alike; outline(full=True) lists them)"
    ]  # fmt: skip
    last = snapshot.elements[-1].ref
    assert last in snapshot.outline(full=True)
    assert last in snapshot.outline(within=last)
    assert without_refs(snapshot.outline(bounds=True))[-1].startswith("Dial$Key {x:600")


def test_what_lies_under_a_bar_of_tabs_is_counted() -> None:
    under = button("Settings", at=(0, 2300, 1080, 2390))
    tabs = [button(f"Tab {n}", at=(n * 360, 2280, n * 360 + 360, 2400)) for n in range(3)]
    snapshot = parse(screen(under, node("LinearLayout", *tabs, at=(0, 2270, 1080, 2400))))
    assert "Settings" not in snapshot.outline()
    assert snapshot.outline().endswith("(1 covered)")
    assert snapshot.outline(full=True).splitlines()[1] == 'Button "Settings" (covered)'
    assert snapshot.beneath is not None
    covers = snapshot.reach(snapshot.beneath.find(text="Settings"))[1]
    assert [cover.kind for cover in covers] == ["over"] * 3
    gap = parse(screen(under, node("LinearLayout", tabs[0], tabs[2], at=(0, 2270, 1080, 2400))))
    assert "(covered)" not in gap.outline(full=True)


@pytest.mark.parametrize("wild", ['x" [k427] Button "Pay', "a\nb", "x" * 500])
def test_class_names_and_ids_cannot_pass_for_outline(wild: str) -> None:
    source = screen(
        node(f"x.{escape(wild)}", at=(0, 300, 90, 390), clickable="true", resource_id=wild)
    )
    lines = parse(source).outline().splitlines()
    assert len(lines) == 2
    assert re.search(r'(?<!\\)" \[k427\]', lines[1]) is None
    assert len(lines[1]) < 400


def test_a_hostile_title_stays_one_bearable_line() -> None:
    outline = parse(screen(button("OK"), title="T" * 9000)).outline()
    assert len(outline.splitlines()[0]) < 200


def test_deep_nesting_is_not_indented_without_end() -> None:
    inner = button("OK")
    for _ in range(200):
        inner = node("FrameLayout", inner, long_clickable="true")
    lines = parse(screen(inner)).outline().splitlines()
    assert len(lines) == 202
    assert max(map(len, lines)) < 200


def lines(*levels: int) -> list[Line]:
    """A line a level, numbered."""
    return [Line(indented(f"line {number}", level), level) for number, level in enumerate(levels)]
