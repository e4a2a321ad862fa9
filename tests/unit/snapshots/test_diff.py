"""What changed between two screens."""

from __future__ import annotations

from .screens import SHOP, button, catalogue, hierarchy, node, parse, row, screen, text


def test_nothing_changed() -> None:
    diff = parse(SHOP, "s2").diff(parse(SHOP, "s1"))
    assert (diff.summary, diff.empty, str(diff)) == ("no change", True, "no change")
    assert len(diff.unchanged) == 10


def test_another_screen_is_told_by_both_names() -> None:
    before = parse(screen(button("Sign in"), button("Help", at=(0, 500, 90, 590)), title="Sign in"))
    after = parse(SHOP, "s2")
    diff = after.diff(before)
    assert diff.summary == "Sign in → Catalogue: 10 added, 2 removed"
    assert diff.interactive_count == 3


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
