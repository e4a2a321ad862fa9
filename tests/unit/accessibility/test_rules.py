"""Each rule on a screen with the defect, and on one as it should be."""

from __future__ import annotations

import pytest

from pytest_replicant.accessibility import RULES, Audit, findings
from tests.unit.snapshots.screens import button, hierarchy, node, parse, screen, text

AT, NEXT = (100, 800, 400, 1000), (500, 800, 800, 1000)


def audit(*inside: str, density: float | None = 2.0) -> Audit:
    return findings(parse(screen(*inside, title="Cart")), density=density)


def of(rule: str, *inside: str, density: float | None = 2.0) -> list[str]:
    """What was found by one rule: the messages."""
    return [one.message for one in audit(*inside, density=density).findings if one.rule == rule]


def image(**attributes: str) -> str:
    return node("ImageButton", at=AT, clickable="true", **attributes)


WRONG_AND_RIGHT = {
    "missing-label": (image(), image(content_desc="Search")),
    "duplicate-label": (
        button("Edit", at=AT, resource_id="app:id/name")
        + button("Edit", at=NEXT, resource_id="app:id/mail"),
        button("Edit name", at=AT, resource_id="app:id/name")
        + button("Edit mail", at=NEXT, resource_id="app:id/mail"),
    ),
    "role-in-label": (image(content_desc="Search button"), image(content_desc="Search")),
    "touch-target": (button("Add", at=(100, 800, 160, 860)),
                     button("Add", at=(100, 800, 196, 896))),
    "duplicate-bounds": (
        node("FrameLayout", button("Add", at=AT), at=AT, clickable="true"),
        node("FrameLayout", button("Add", at=AT), at=AT),
    ),
    "hidden-text": (
        node("EditText", at=AT, text="Ann", content_desc="Name", clickable="true"),
        node("EditText", at=AT, text="Ann", hint="Name", clickable="true"),
    ),
    "unclear-link": (
        text("Click here", at=AT, clickable="true"),
        text("Terms of use", at=AT, clickable="true"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", WRONG_AND_RIGHT)
def test_a_rule_finds_the_defect_and_nothing_where_there_is_none(rule: str) -> None:
    wrong, right = WRONG_AND_RIGHT[rule]
    assert len(of(rule, wrong)) == 1
    assert of(rule, right) == []


def test_every_rule_of_the_hierarchy_is_tried_here() -> None:
    assert {*WRONG_AND_RIGHT} == {name for name, rule in RULES.items() if rule.needs == "hierarchy"}


ALSO_WRONG = {
    "the sign of an icon font": ("missing-label", image(content_desc="\ue001")),
    "a joiner without a shape": ("missing-label", image(content_desc="\u200d")),
    "a blank of Braille": ("missing-label", node("Button", at=AT, text="\u2800", clickable="true")),
    "a stop after the role": ("role-in-label", image(content_desc="Search button.")),
    "a picture after the role": ("role-in-label", image(content_desc="Search button 🔍")),
    "a role that leads in Arabic": ("role-in-label", image(content_desc="زر البحث")),
    "a control that covers another": (
        "duplicate-bounds",
        button("Add", at=AT) + button("Pay", at=AT),
    ),
    "a letter of the description": (
        "hidden-text",
        node("EditText", at=AT, text="a", content_desc="Name", clickable="true"),
    ),
    "a link in brackets": ("unclear-link", text("(here)", at=AT, clickable="true")),
    "half a dp too small": ("touch-target", button("Add", at=(100, 800, 194, 1000))),
    "too narrow at an edge": ("touch-target", button("Add", at=(0, 800, 62, 1000))),
}


@pytest.mark.parametrize("case", ALSO_WRONG)
def test_what_is_wrong_in_another_way(case: str) -> None:
    rule, inside = ALSO_WRONG[case]
    assert len(of(rule, inside)) == 1


RIGHT_AS_IT_IS = {
    "the sign of an icon font, described": (
        "missing-label",
        node("Button", at=AT, text="\ue001", content_desc="Search", clickable="true"),
    ),
    "an emoji": ("missing-label", image(content_desc="😀")),
    "a disabled one "
    "below": ("duplicate-bounds", button("Add", at=AT, enabled="false") + button("Pay", at=AT)),
    "a page below": (
        "duplicate-bounds",
        node("FrameLayout", button("Add", at=AT), at=(0, 200, 1080, 2400))
        + node("FrameLayout", button("Pay", at=AT), at=(0, 200, 1080, 2400)),
    ),
    "cut off by a list from edge to edge": (
        "touch-target",
        node("RecyclerView", button("Add", at=(100, 2370, 500, 2400)), at=(0, 0, 1080, 2400),
             scrollable="true"),
    ),
    "words "
    "inside": ("missing-label", node("FrameLayout", text("Pay", at=AT), at=AT, clickable="true")),
    "controls "
    "inside": ("missing-label", node("FrameLayout", button("Pay", at=AT), at=AT, clickable="true")),
    "disabled": ("missing-label", image(enabled="false")),
    "of another app": ("missing-label", image(package="com.android.systemui")),
    "a page": ("missing-label", node("WebView", at=AT, clickable="true")),
    "most of the "
    "screen": ("missing-label", node("View", at=(0, 200, 1080, 2400), clickable="true")),
    "a field with a caption": (
        "missing-label",
        text("Name", at=(100, 740, 400, 790)) + node("EditText", at=AT, clickable="true"),
    ),
    "at an edge": ("touch-target", button("Add", at=(0, 800, 64, 896))),
    "in another control": (
        "touch-target",
        node("LinearLayout", button("Add", at=(100, 800, 160, 860)), at=(100, 800, 900, 1000),
             clickable="true"),
    ),
    "cut off by a list": (
        "touch-target",
        node("RecyclerView", button("Add", at=(100, 800, 300, 820)), at=(0, 800, 1080, 1600),
             scrollable="true"),
    ),
    "text in the description": (
        "hidden-text",
        node("EditText", at=AT, text="Ann", content_desc="Name, Ann", clickable="true"),
    ),
    "one action twice": (
        "duplicate-label",
        button("Add", at=AT, resource_id="app:id/add") + button("Add", at=NEXT,
                                                                resource_id="app:id/add"),
    ),
    "not a role at all": ("role-in-label", image(content_desc="Button collection")),
}  # fmt: skip


@pytest.mark.parametrize("case", RIGHT_AS_IT_IS)
def test_what_is_right_as_it_is(case: str) -> None:
    rule, inside = RIGHT_AS_IT_IS[case]
    assert of(rule, inside) == []


def test_without_a_density_no_size_is_judged_and_the_audit_says_so() -> None:
    small = audit(button("Add", at=(100, 800, 160, 860)), density=None)
    assert [one.rule for one in small.findings] == []
    assert "did not say" in small.not_run["touch-target"]
    assert "touch-target" not in small.ran


def test_a_finding_says_what_where_and_how_to_find_it() -> None:
    (found,) = audit(button("Add", at=(100, 800, 160, 860), resource_id="app:id/add")).findings
    assert (found.label, found.class_name, found.screen, found.platform) == (
        "Add",
        "Button",
        "Cart",
        "android",
    )
    assert found.locator.startswith("by(")
    assert found.key == f"touch-target | android | Cart | {found.locator}"
    assert str(found).startswith(f'touch-target: [{found.ref}] Button "Add": 30 x 30 dp')
    assert found.crop is None


def test_dots_that_may_be_emoji_cost_no_finding() -> None:
    """uiautomator2's server prints them so. Whether a locator finds one of two, a phone would have
    to say."""
    at = [(100, top, 160, top + 60) for top in (800, 900)]
    small = node("FrameLayout", *(button("Hi ..", at=one) for one in at), visible_to_user="true")
    found = findings(parse(hierarchy(small)), density=2.0, rules=["touch-target"]).findings
    assert [one.locator for one in found] == ["", ""]
    assert len({one.key for one in found}) == 2


def test_the_keys_of_look_alikes_differ() -> None:
    other = node("ImageButton", at=NEXT, clickable="true")
    keys = [one.key for one in audit(image(), other).findings if one.rule == "missing-label"]
    assert len(set(keys)) == len(keys) == 2


def test_an_audit_never_says_that_a_screen_is_accessible() -> None:
    said = audit(button("Pay", at=AT)).summary
    assert said.startswith("no findings of 7 rules; not run: text-contrast")
    assert "accessible" not in said
