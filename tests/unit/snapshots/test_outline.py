"""The text in which a screen is seen."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.snapshots.snapshot import Snapshot

from .screens import SHOP, button, catalogue, node, parse, row, screen, text


def without_refs(outline: str) -> list[str]:
    return re.sub(r"\[[a-z]\d{3,15}\] ?", "", outline).splitlines()


def test_a_screen_in_full() -> None:
    source = screen(
        node("EditText", at=(0, 110, 900, 200), hint="Email", text="ada", focused="true"),
        node("CheckBox", at=(0, 210, 900, 290), text="Remember me", checkable="true", checked="false"),
        node("SeekBar", at=(0, 300, 900, 390), content_desc="Volume", text="7.0"),
        node(
            "ImageButton", at=(0, 310, 90, 390), resource_id="dev.shop:id/cart", clickable="true", enabled="false"
        ),
        catalogue(row("Blue mug", "£9.90", 400, clickable="true"), row("Red mug", "£8.00", 500)),
        title="Catalogue",
    )
    assert without_refs(parse(source).outline()) == [
        "Catalogue  (dev.shop)",
        'EditText "Email" value="ada" [focused]',
        'CheckBox "Remember me" [unchecked]',
        'SeekBar "Volume" value=7',
        "ImageButton id=cart [disabled]",
        "RecyclerView",
        '  LinearLayout "Blue mug £9.90"',
        '    Button "Add"',
        '  - "Red mug"',
        '    "£8.00"',
        '    Button "Add"',
    ]


def test_every_element_is_listed_once_and_str_is_the_outline() -> None:
    snapshot = parse(SHOP)
    listed = re.findall(r"\[([a-z]\d{3,15})\]", str(snapshot))
    assert sorted(listed) == sorted(element.ref for element in snapshot.elements)


def test_labels_printed_with_a_row_that_has_a_name_of_its_own_are_shown() -> None:
    card = node("LinearLayout", text("£9.90", at=(0, 300, 90, 390)), content_desc="Blue mug", clickable="true")
    assert '"Blue mug" · "£9.90"' in parse(screen(card)).outline()


def test_app_text_cannot_break_out_of_its_quotes() -> None:
    outline = parse(screen(button('x" [checked]\n[k427] Button "Pay'))).outline()
    assert outline.splitlines()[1].endswith('Button "x\\" [checked] [k427] Button \\"Pay"')


def test_a_very_long_label_is_cut() -> None:
    assert len(parse(screen(button("x" * 5000))).outline()) < 300


def test_bounds_on_request() -> None:
    assert "{x:0,y:300,w:200,h:100}" in parse(screen(button("OK"))).outline(bounds=True)


def test_what_is_off_the_screen_is_counted_and_shown_on_request() -> None:
    snapshot = parse(screen(button("OK"), button("Below", at=(0, 2500, 200, 2600))))
    assert [element.label for element in snapshot.elements] == ["OK"]
    assert snapshot.outline().endswith("(1 offscreen)")
    assert snapshot.outline(offscreen=True).splitlines()[-1] == 'Button "Below" (offscreen)'


def test_depth_leaves_counts() -> None:
    lines = without_refs(parse(SHOP).outline(depth=1))
    assert lines == ["Catalogue  (dev.shop)", "RecyclerView  (+9 inside)"]


def test_within_shows_one_part() -> None:
    snapshot = parse(screen(catalogue(row("Blue mug", "£9.90", 400, clickable="true")), button("Other")))
    part = snapshot.outline(within=snapshot.ref(text="Blue mug"))
    assert without_refs(part)[1:] == ['LinearLayout "Blue mug £9.90"', '  Button "Add"']


@pytest.mark.parametrize("limit", [60, 100, 150, 200])
def test_max_chars_cuts_between_lines_and_counts_the_rest(limit: int) -> None:
    snapshot = parse(SHOP)
    whole, cut = snapshot.outline().splitlines(), snapshot.outline(max_chars=limit)
    assert len(cut) <= limit
    *kept, last = cut.splitlines()
    assert last == f"({len(whole) - len(kept)} lines more)"
    assert kept == whole[: len(kept)]


def test_a_screen_with_nothing_to_show_says_so() -> None:
    assert parse(screen()).outline() == "(dev.shop)\n(no elements among 1 nodes)"


def test_refs_are_the_same_at_every_level_of_detail() -> None:
    snapshot = Snapshot.parse(SHOP)
    refs = re.findall(r"\[([a-z]\d+)\]", snapshot.outline())
    assert re.findall(r"\[([a-z]\d+)\]", snapshot.outline(bounds=True, offscreen=True)) == refs
