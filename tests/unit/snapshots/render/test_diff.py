"""What changed between two screens."""

from __future__ import annotations

from dataclasses import replace

from ..screens import SHOP, button, catalogue, parse, row, screen, text


def test_toasts_are_lines_of_their_own_and_no_difference_of_the_screen() -> None:
    diff = parse(SHOP, "s2").diff(parse(SHOP, "s1"))
    assert diff.toasts is None, "two snapshots know of none"
    toasted = replace(diff, toasts=("Saved", 'a\n"b"', *map(str, range(20))))
    lines = str(toasted).splitlines()
    assert lines[:3] == ["no change", '* toast "Saved"', '* toast "a \\"b\\""']
    assert lines[-1] == "* … and 11 more"
    assert toasted.empty


def test_against_nothing_everything_is_new() -> None:
    diff = parse(SHOP).diff(None)
    assert diff.complete
    assert diff.summary == "Catalogue: 10 added"


def test_a_long_list_is_capped_with_a_count() -> None:
    rows = [row(f"Mug {n}", f"£{n}", 400 + n * 100) for n in range(15)]
    lines = str(parse(screen(catalogue(*rows))).diff(None)).splitlines()
    assert len(lines) == 13
    assert lines[-1] == "+ … and 35 more"


def test_added_lines_carry_refs() -> None:
    before, after = parse(screen(title="Cart")), parse(screen(button("Pay"), title="Cart"), "s2")
    assert str(after.diff(before)).splitlines()[1] == f'+ [{after.ref(text="Pay")}] Button "Pay"'


def rows(*names: str, first: int = 400) -> str:
    listed = [row(name, "£1", first + 100 * place) for place, name in enumerate(names)]
    return screen(catalogue(*listed), button("Pay", at=(0, 200, 90, 290)), title="Catalogue")


def status(clock: str, percent: str, total: str) -> str:
    return screen(
        text(f"Now {clock}", at=(0, 200, 90, 290)),
        text(f"Downloaded {percent}", at=(0, 300, 90, 390), resource_id="x:id/progress"),
        text(total, at=(0, 400, 90, 490)),
        title="Status",
    )


def test_what_ticks_can_be_left_out() -> None:
    before, after = parse(status("10:45", "12%", "£8")), parse(status("10:46", "57%", "£9"), "s2")
    assert after.diff(before).summary == "Status: 3 changed"
    masked = after.diff(before, mask_volatile=True)
    assert [change for _, change in masked.changed] == [{"label": ("£8", "£9")}]
    ticking = parse(status("10:46", "12%", "£8"), "s2")
    assert ticking.diff(before, mask_volatile=True).empty
    assert not ticking.diff(before).empty


def test_an_empty_screen_against_nothing() -> None:
    assert parse(screen(title="Cart")).diff(None).summary == "Cart: nothing on it"
