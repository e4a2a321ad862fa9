"""UiSelector dictionaries against a small tree: every key, children, siblings, instances."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.model import Rect
from pytest_replicant.virtual import RpcError, UiNode
from pytest_replicant.virtual.uiautomator2_side.selector import (
    ATTRIBUTES,
    INDEX_MASK,
    INSTANCE_MASK,
    find,
    parse_selector,
)

SHOP = "dev.replicant.shop"
FULL = Rect(0, 0, 1080, 2400)
BITS = {key: attribute.mask for key, attribute in ATTRIBUTES.items()} | {
    "index": INDEX_MASK,
    "instance": INSTANCE_MASK,
}


def node(class_name: str, text: str = "", *children: UiNode, **rest: object) -> UiNode:
    made = UiNode(
        f"android.widget.{class_name}", SHOP, FULL, FULL, text=text, children=list(children)
    )
    return replace(made, **rest)  # type: ignore[arg-type]  # attribute names are checked at run time


def given(**keys: object) -> dict[str, object]:
    """A selector as the client builds it."""
    mask = 0
    for key in keys:
        mask |= BITS[key]
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], **keys}


def related(relation: str, inner: dict[str, object], **keys: object) -> dict[str, object]:
    return {**given(**keys), "childOrSibling": [relation], "childOrSiblingSelector": [inner]}


def row(name: str, price: str) -> UiNode:
    return node(
        "LinearLayout",
        "",
        node("TextView", name, resource_id=f"{SHOP}:id/name"),
        node("TextView", price),
        node("Button", "Add", clickable=True, focusable=True, description=f"Add {name} to cart"),
        clickable=True,
    )


@pytest.fixture
def screen() -> UiNode:
    return node(
        "FrameLayout",
        "",
        node("TextView", "Catalogue"),
        node(
            "RecyclerView",
            "",
            row("Blue mug", "£9.90"),
            row("Red mug", "£8.00"),
            row("Tray", "£12.00"),
            scrollable=True,
            resource_id=f"{SHOP}:id/products",
        ),
        node("CheckBox", "Gift", checkable=True, checked=True, enabled=False, selected=True),
        node("EditText", "Note", focused=True, long_clickable=True),
    )


def texts(screen: UiNode, selector: dict[str, object]) -> list[str]:
    return [each.text for each in find(parse_selector(selector), screen)]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"text": "Red mug"}, ["Red mug"]),
        ({"text": "red mug"}, []),
        ({"textContains": "MUG"}, ["Blue mug", "Red mug"]),
        ({"textStartsWith": "blue"}, ["Blue mug"]),
        ({"textMatches": r"£\d+\.\d0"}, ["£9.90", "£8.00", "£12.00"]),
        ({"textMatches": "mug"}, []),
        ({"textMatches": r"\Q£9.90\E"}, ["£9.90"]),
        ({"className": "android.widget.Button"}, ["Add", "Add", "Add"]),
        ({"className": "Button"}, []),
        ({"classNameMatches": ".*Box"}, ["Gift"]),
        ({"description": "Add Tray to cart"}, ["Add"]),
        ({"descriptionContains": "TRAY"}, ["Add"]),
        ({"descriptionStartsWith": "add"}, ["Add", "Add", "Add"]),
        ({"descriptionMatches": "Add .* mug .*"}, ["Add", "Add"]),
        ({"checkable": True}, ["Gift"]),
        ({"checked": True}, ["Gift"]),
        ({"enabled": False}, ["Gift"]),
        ({"selected": True}, ["Gift"]),
        ({"focused": True}, ["Note"]),
        ({"longClickable": True}, ["Note"]),
        ({"clickable": True, "focusable": True}, ["Add", "Add", "Add"]),
        ({"scrollable": True}, [""]),
        ({"resourceId": f"{SHOP}:id/name"}, ["Blue mug", "Red mug", "Tray"]),
        ({"resourceId": "name"}, []),
        ({"resourceIdMatches": ".*:id/name", "textMatches": "T.*"}, ["Tray"]),
        ({"packageName": SHOP, "text": "Tray"}, ["Tray"]),
        ({"packageNameMatches": r"com\..*"}, []),
        ({"index": 1, "className": "android.widget.TextView"}, ["£9.90", "£8.00", "£12.00"]),
        ({"text": "Add", "instance": 2}, ["Add"]),
        ({"text": "Add", "instance": 3}, []),
        ({"text": 5}, []),
    ],
)
def test_each_key_asks_what_its_name_says(
    screen: UiNode, keys: dict[str, object], expected: list[str]
) -> None:
    assert texts(screen, given(**keys)) == expected


def test_a_child_may_be_at_any_depth_and_its_instance_counts_across_parents(screen: UiNode) -> None:
    names = given(resourceId=f"{SHOP}:id/name")
    assert texts(screen, related("child", names, scrollable=True)) == [
        "Blue mug",
        "Red mug",
        "Tray",
    ]
    second = given(resourceId=f"{SHOP}:id/name", instance=1)
    assert (
        texts(screen, related("child", second, className="android.widget.LinearLayout"))[0]
        == "Red mug"
    )


def test_a_sibling_is_anything_below_the_same_parent(screen: UiNode) -> None:
    assert texts(screen, related("sibling", given(text="Add"), text="Red mug")) == ["Add"]
    found = find(parse_selector(related("sibling", given(text="Add"), text="Red mug")), screen)
    assert found[0].description == "Add Red mug to cart"
    assert texts(screen, related("sibling", given(), text="no such text")) == []


def test_what_cannot_be_seen_is_not_found(screen: UiNode) -> None:
    screen.children[1].children[1].bounds = Rect(0, 2400, 1080, 2400)
    assert texts(screen, given(resourceId=f"{SHOP}:id/name")) == ["Blue mug", "Tray"]


@pytest.mark.parametrize(
    "selector",
    [
        pytest.param({"mask": 1, "colour": "red"}, id="unknown key"),
        pytest.param({"mask": "1"}, id="mask is text"),
        pytest.param(given(text=None), id="no text"),
        pytest.param(given(text=["a"]), id="a list for a text"),
        pytest.param(given(clickable="true"), id="text for a truth"),
        pytest.param(given(instance=-1), id="negative instance"),
        pytest.param(given(instance=1.5), id="half an instance"),
        pytest.param(given(textMatches="("), id="no pattern"),
        pytest.param({**given(text="x"), "childOrSibling": ["child"]}, id="a relation to nothing"),
        pytest.param(
            {**given(), "childOrSibling": ["uncle"], "childOrSiblingSelector": [given()]},
            id="uncle",
        ),
        pytest.param(
            {**given(), "childOrSibling": "child", "childOrSiblingSelector": [given()]}, id="text"
        ),
        pytest.param(
            {**given(), "childOrSibling": ["child"], "childOrSiblingSelector": [1]}, id="number"
        ),
    ],
)
def test_a_selector_that_is_none_is_refused(selector: dict[str, object]) -> None:
    with pytest.raises(RpcError):
        parse_selector(selector)


def test_a_selector_reads_as_ui_automator_writes_it() -> None:
    selector = parse_selector(related("child", given(text="Add", instance=1), scrollable=True))
    assert str(selector) == "UiSelector[SCROLLABLE=true, CHILD=UiSelector[TEXT=Add, INSTANCE=1]]"
