"""What changed between two screens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.snapshots import Snapshot

from ..screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text


def test_nothing_changed() -> None:
    diff = parse(SHOP, "s2").diff(parse(SHOP, "s1"))
    assert (diff.summary, diff.empty, str(diff)) == ("no change", True, "no change")
    assert len(diff.unchanged) == 10


def test_another_screen_is_identified_by_both_names() -> None:
    before = parse(screen(button("Sign in"), button("Help", at=(0, 500, 90, 590)), title="Sign in"))
    after = parse(SHOP, "s2")
    diff = after.diff(before)
    assert diff.summary == "Sign in → Catalogue: 10 added, 2 removed"
    assert diff.interactive_count == 3


def in_app(app: str, title: str, platform: str) -> Snapshot:
    if platform == "android":
        return parse(screen(button("OK"), title=title).replace('"dev.shop"', f'"{app}"'))
    bar = f'<XCUIElementTypeNavigationBar name="{title}" label="{title}" x="0" y="44" width="390" height="44"/>'
    size = 'visible="true" x="0" y="0" width="390" height="844"'
    return parse(
        f'<XCUIElementTypeApplication name="My App" bundleId="{app}" {size}>{bar}</XCUIElementTypeApplication>'
    )


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_the_app_that_came_to_the_front_is_named(platform: str) -> None:
    shop, settings = ("dev.shop", "com.android.settings" if platform == "android" else "com.apple.Preferences")
    ours = in_app(shop, "Sign in", platform)
    there = in_app(settings, "Settings", platform).diff(ours)
    assert there.summary.startswith(f"Sign in → Settings ({settings}): ")
    assert (there.app, there.same_screen) == (settings, False)
    same_title = in_app(settings, "Sign in", platform).diff(ours)
    assert same_title.summary.startswith(f"Sign in → Sign in ({settings}): ")
    within = in_app(shop, "Catalogue", platform).diff(ours)
    assert within.summary.startswith("Sign in → Catalogue: ")
    assert within.app == ours.diff(None).app == ours.diff(in_app("", "Sign in", platform)).app == ""


def test_toasts_are_lines_of_their_own_and_no_difference_of_the_screen() -> None:
    diff = parse(SHOP, "s2").diff(parse(SHOP, "s1"))
    assert diff.toasts is None, "two snapshots know of none"
    toasted = replace(diff, toasts=("Saved", 'a\n"b"', *map(str, range(20))))
    lines = str(toasted).splitlines()
    assert lines[:3] == ["no change", '* toast "Saved"', '* toast "a \\"b\\""']
    assert lines[-1] == "* … and 11 more"
    assert toasted.empty


def test_states_values_and_labels_are_changes_of_one_element() -> None:
    def source(checked: str, typed: str, total: str) -> str:
        return screen(
            node("CheckBox", at=(0, 110, 900, 190), text="Gift", checkable="true", checked=checked),
            node("EditText", at=(0, 200, 900, 290), hint="Name", text=typed),
            text(total, at=(0, 300, 900, 390), resource_id="dev.shop:id/total"),
            text(f"{total}!", at=(0, 400, 900, 490)),
            title="Cart",
        )

    diff = parse(source("true", "Ada", "£9"), "s2").diff(parse(source("false", "", "£8")))
    assert [change for _, change in diff.changed] == [
        {"checked": (False, True)},
        {"value": ("", "Ada")},
        {"label": ("£8", "£9")},
        {"label": ("£8!", "£9!")},  # no id, but the same place
    ]
    assert diff.summary == "Cart: 4 changed"
    assert 'CheckBox "Gift": checked False → True' in str(diff)
    assert '"Name": value "" → "Ada"' in str(diff)


def test_what_only_moved_is_neither_added_nor_changed() -> None:
    before = parse(screen(button("OK"), title="Cart"))
    after = parse(screen(button("OK", at=(0, 900, 200, 1000)), title="Cart"), "s2")
    diff = after.diff(before)
    assert (len(diff.moved), diff.added, diff.removed, diff.changed) == (1, (), (), ())
    assert diff.summary == "Cart: 1 moved"


def test_against_nothing_everything_is_new() -> None:
    diff = parse(SHOP).diff(None)
    assert diff.complete
    assert diff.summary == "Catalogue: 10 added"


def test_a_long_list_is_capped_with_a_count() -> None:
    rows = [row(f"Mug {n}", f"£{n}", 400 + n * 100) for n in range(15)]
    lines = str(parse(screen(catalogue(*rows))).diff(None)).splitlines()
    assert len(lines) == 13
    assert lines[-1] == "+ … and 35 more"


def test_a_dialog_names_what_is_on_top() -> None:
    app = node("FrameLayout", button("Buy"))
    title = text("Sure?", at=(220, 910, 400, 940), resource_id="dev.shop:id/alertTitle")
    dialog = node("FrameLayout", title, button("OK", at=(300, 950, 400, 990)), at=(200, 900, 800, 1000))
    diff = parse(hierarchy(app, dialog), "s2").diff(parse(hierarchy(app)))
    assert diff.summary == 'dialog "Sure?": 1 added, 1 removed'


def test_added_lines_carry_refs() -> None:
    before, after = parse(screen(title="Cart")), parse(screen(button("Pay"), title="Cart"), "s2")
    assert str(after.diff(before)).splitlines()[1] == f'+ [{after.ref(text="Pay")}] Button "Pay"'


def rows(*names: str, first: int = 400) -> str:
    listed = [row(name, "£1", first + 100 * place) for place, name in enumerate(names)]
    return screen(catalogue(*listed), button("Pay", at=(0, 200, 90, 290)), title="Catalogue")


def test_a_list_that_scrolled_moved_by_one_offset() -> None:
    before = parse(rows("Mug", "Cup", "Tray", "Bowl"))
    after = parse(rows("Cup", "Tray", "Bowl", "Jug"), "s2")
    diff = after.diff(before)
    assert diff.summary == "Catalogue: 3 added, 3 removed, 9 moved up 100 px"
    assert [(shift.dx, shift.dy, len(shift.elements)) for shift in diff.shifts] == [(0, -100, 9)]
    assert str(diff).splitlines()[-1].startswith("  9 moved up 100 px: ")
    assert diff.changed == ()  # the row that took the place of another is not that one with a new name


def test_what_an_edge_cuts_moved_with_the_others() -> None:
    before = screen(
        *(button(name, at=(0, top, 90, top + 80)) for name, top in (("A", 400), ("B", 500), ("C", 600)))
    )
    after = screen(
        button("A", at=(0, 330, 90, 380)), *(button(n, at=(0, t, 90, t + 80)) for n, t in (("B", 400), ("C", 500)))
    )
    diff = parse(after, "s2").diff(parse(before))
    assert [(shift.dy, len(shift.elements)) for shift in diff.shifts] == [(-100, 3)]


def test_moves_apart_are_reported_one_by_one_and_new_sizes_as_such() -> None:
    before = screen(button("A"), button("B", at=(0, 500, 90, 590)), button("C", at=(0, 700, 90, 790)))
    after = screen(
        button("A", at=(5, 320, 205, 420)), button("B", at=(0, 450, 90, 540)), button("C", at=(0, 700, 190, 890))
    )
    lines = str(parse(after, "s2").diff(parse(before))).splitlines()
    assert lines[0] == "screen: 3 moved"
    assert sorted(line.split("] ")[1] for line in lines[1:]) == [
        'Button "A" moved down 20 px and right 5 px',
        'Button "B" moved up 50 px',
        'Button "C" resized',
    ]


def test_a_text_in_a_list_that_stands_still_changes_in_its_place() -> None:
    def source(left: str) -> str:
        return screen(catalogue(text("Blue mug", at=(0, 400, 90, 490)), text(left, at=(0, 500, 90, 590))))

    (change,) = parse(source("2 left"), "s2").diff(parse(source("3 left"))).changed
    assert change[1] == {"label": ("3 left", "2 left")}


def test_another_content_in_the_place_of_a_list_is_new() -> None:
    diff = parse(rows("Jug", "Can"), "s2").diff(parse(rows("Mug", "Cup")))
    assert (len(diff.added), len(diff.removed), diff.changed) == (6, 6, ())


def test_one_that_is_no_longer_alone_is_still_the_same() -> None:
    before = parse(screen(button("Add", at=(0, 300, 90, 390)), title="Cart"))
    more = screen(button("Add", at=(0, 300, 90, 390), resource_id="x:id/add"), title="Cart")
    alike = screen(
        button("Add", at=(0, 300, 90, 390)),
        button("Add", at=(0, 500, 90, 590), resource_id="x:id/add"),
        title="Cart",
    )
    diff = parse(alike, "s2").diff(before)
    assert (len(diff.added), len(diff.removed)) == (1, 0)
    assert parse(more, "s3").diff(before).summary == "Cart: 1 added, 1 removed"


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


def test_what_is_off_was_not_necessarily_reported_before() -> None:
    before = screen(node("CheckBox", at=(0, 200, 90, 290), text="Gift", clickable="true"))
    after = screen(node("CheckBox", at=(0, 200, 90, 290), text="Gift", checkable="true", checked="false"))
    diff = parse(after, "s2").diff(parse(before))
    assert not any("checked" in change for _, change in diff.changed)


def test_text_of_the_app_stays_in_its_quotes() -> None:
    def source(typed: str) -> str:
        return screen(node("EditText", at=(0, 200, 900, 290), hint='a" [k427] Button "b', text=typed))

    message = str(parse(source("x"), "s2").diff(parse(source(""))))
    assert 'EditText "a\\" [k427] Button \\"b": value "" → "x"' in message


def test_an_empty_screen_against_nothing() -> None:
    assert parse(screen(title="Cart")).diff(None).summary == "Cart: nothing on it"


def test_one_of_another_section_is_not_the_one_that_scrolled_away() -> None:
    def lamp(name: str, top: int, enabled: str) -> str:
        switch = button("On", at=(0, top + 60, 90, top + 100), enabled=enabled)
        return text(name, at=(0, top, 500, top + 50)) + switch

    def page(*lamps: str) -> str:
        return screen(node("ScrollView", *lamps, at=(0, 100, 1080, 2400), scrollable="true"), title="Lights")

    before = parse(page(lamp("Inside", 200, "true"), lamp("Trunk", 500, "true")))
    after = parse(page(lamp("Trunk", 200, "true"), lamp("Roof", 500, "false")), "s2")
    diff = after.diff(before)
    assert not any("enabled" in change for _, change in diff.changed)
    assert [(shift.dy, len(shift.elements)) for shift in diff.shifts] == [(-300, 2)]


def test_a_container_is_not_identified_by_its_place_where_its_content_reports_it() -> None:
    after = screen(
        node("ScrollView", button("OK"), scrollable="true"), node("ImageView", at=(0, 0, 90, 90), clickable="true")
    )
    lines = str(parse(after, "s2").diff(parse(screen(text("x"))))).splitlines()
    assert [line.split("] ")[1] for line in lines if line[0] == "+"] == [
        "ScrollView",
        'Button "OK"',
        "ImageView @45,45",
    ]


def test_another_screen_without_a_name() -> None:
    before = parse(screen(button("A", resource_id="x:id/a")))
    after = parse(screen(button("B", resource_id="x:id/b")), "s2")
    assert after.diff(before).summary == "another screen: 1 added, 1 removed"
