"""Screens as apps lay them out: nothing overlaps, every node has a rectangle of its own, labels are
plain.

So what happens to such a screen can be told apart from what happens to its geometry."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from pytest_replicant.model import Rect
from pytest_replicant.virtual import UiNode

PACKAGE = "dev.orderly"
WIDTH = 1080
names = st.sampled_from(["Milk", "Bread", "Blue mug", "Tray", "Über", "Add", "Sign in", "Loud"])
prices = st.sampled_from(["1.00", "2.50", "9.90"])
ids = st.sampled_from(["", "", "add", "name", "row", "toggle"])


def node(
    kind: str, at: tuple[int, int, int, int], *inside: UiNode, id: str = "", **traits: Any
) -> UiNode:
    bounds = Rect(*at)
    full = kind if "." in kind else f"android.widget.{kind}"
    return UiNode(
        full, PACKAGE, bounds, bounds, f"{PACKAGE}:id/{id}" if id else "", children=list(inside),
        editable=kind == "EditText", **traits,
    )  # fmt: skip


Section = Callable[[int], UiNode]  # given where it begins


@st.composite
def buttons(draw: st.DrawFn) -> Section:
    name, id = draw(names), draw(ids)
    return lambda y: node("Button", (10, y, 400, y + 90), id=id, text=name, clickable=True)


@st.composite
def texts(draw: st.DrawFn) -> Section:
    name, id = draw(names), draw(ids)
    return lambda y: node("TextView", (10, y, 700, y + 60), id=id, text=name)


@st.composite
def fields(draw: st.DrawFn) -> Section:
    """With a hint or a description, so that what it is called does not hang on what stands above
    it."""
    name, id, hinted = draw(names), draw(ids), draw(st.booleans())
    typed, password = draw(st.sampled_from(["", "ada"])), draw(st.booleans())
    name_it = {"hint": name} if hinted else {"description": name}
    return lambda y: node(
        "EditText", (10, y, 900, y + 90), id=id, text=typed, password=password, **name_it
    )


@st.composite
def captioned(draw: st.DrawFn) -> Section:
    """A field that is called what stands above it."""
    name, id, typed = draw(names), draw(ids), draw(st.sampled_from(["", "ada"]))
    return lambda y: node(
        "LinearLayout", (5, y, 1000, y + 160),
        node("TextView", (10, y + 5, 700, y + 60), text=name),
        node("EditText", (10, y + 65, 900, y + 155), id=id, text=typed),
    )  # fmt: skip


@st.composite
def boxes(draw: st.DrawFn) -> Section:
    kind, name, id = (
        draw(st.sampled_from(["CheckBox", "Switch", "RadioButton"])),
        draw(names),
        draw(ids),
    )
    on = draw(st.booleans())
    return lambda y: node(
        kind, (10, y, 600, y + 90), id=id, text=name, checkable=True, checked=on, clickable=True
    )


@st.composite
def sliders(draw: st.DrawFn) -> Section:
    name, number = draw(names), draw(st.integers(0, 9))
    return lambda y: node("SeekBar", (10, y, 900, y + 60), text=f"{number}.0", description=name)


@st.composite
def icons(draw: st.DrawFn) -> Section:
    """Look-alikes: nothing but their order tells them apart."""
    count, id = draw(st.integers(1, 4)), draw(ids)
    return lambda y: node(
        "LinearLayout", (5, y, 1000, y + 90),
        *(
            node("ImageView", (10 + x, y + 5, 90 + x, y + 85), id=id, clickable=True)
            for x in range(0, 90 * count, 90)
        ),
    )  # fmt: skip


@st.composite
def cards(draw: st.DrawFn) -> Section:
    name, price = draw(names), draw(prices)
    return lambda y: node(
        "FrameLayout", (5, y, 1000, y + 150),
        node("TextView", (10, y + 5, 700, y + 60), text=name),
        node("TextView", (10, y + 65, 700, y + 120), text=price),
        clickable=True,
    )  # fmt: skip


@st.composite
def lists(draw: st.DrawFn) -> Section:
    rows = draw(st.lists(st.tuples(names, prices, st.booleans()), min_size=1, max_size=4))
    id, button_id = draw(ids), draw(ids)

    def lay(y: int) -> UiNode:
        inside = [
            node(
                "LinearLayout", (5, y + 5 + 110 * n, 1000, y + 105 + 110 * n),
                node("TextView", (10, y + 10 + 110 * n, 500, y + 50 + 110 * n), text=name, id=id),
                node("TextView", (10, y + 55 + 110 * n, 500, y + 95 + 110 * n), text=price),
                node(
                    "Button", (800, y + 10 + 110 * n, 990, y + 90 + 110 * n),
                    id=button_id, text="Add", clickable=True,
                ),
                clickable=whole,
            )
            for n, (name, price, whole) in enumerate(rows)
        ]  # fmt: skip
        box = (2, y, 1005, y + 10 + 110 * len(rows))
        return node("androidx.recyclerview.widget.RecyclerView", box, *inside, scrollable=True)

    return lay


sections = st.one_of(
    buttons(), texts(), fields(), captioned(), boxes(), sliders(), icons(), cards(), lists()
)


@st.composite
def screens(draw: st.DrawFn, most: int = 6) -> UiNode:
    """One window, its sections below each other."""
    laid: list[UiNode] = []
    y = 10
    for section in draw(st.lists(sections, min_size=1, max_size=most)):
        laid.append(section(y))
        y = laid[-1].bounds.bottom + 10
    return node("FrameLayout", (0, 0, WIDTH, y + 200), *laid)


# --- what may happen to a screen ------------------------------------------------------------------
def shifted(root: UiNode, dx: int, dy: int) -> UiNode:
    moved = copy.deepcopy(root)
    for each in moved.walk():
        each.bounds = each.bounds.shifted(dx, dy)
    return moved


def in_another_order(root: UiNode, order: Callable[[list[UiNode]], None], rows_too: bool) -> UiNode:
    """The same rectangles, written down in another order; the parts of a row only where
    ``rows_too``."""
    other = copy.deepcopy(root)
    for each in other.walk():
        if rows_too or each is other or each.scrollable:
            order(each.children)
    return other


def in_other_states(root: UiNode, coin: Callable[[], bool]) -> UiNode:
    """Ticked, chosen, focused and enabled otherwise."""
    other = copy.deepcopy(root)
    for each in other.walk():
        each.selected, each.focused, each.enabled = coin(), coin(), coin()
        each.checked = each.checkable and coin()
    return other


def typed_into(root: UiNode, text: str) -> UiNode:
    """With other values in its fields and sliders."""
    other = copy.deepcopy(root)
    for each in other.walk():
        if each.editable:
            each.text = text
        elif each.class_name.endswith("SeekBar"):
            each.text = f"{len(text)}.5"
    return other


def grown(root: UiNode, by: int) -> UiNode:
    """On a screen that is larger to the right and below."""
    other = copy.deepcopy(root)
    other.bounds = Rect(0, 0, other.bounds.right + by, other.bounds.bottom + by)
    return other


def with_strangers(root: UiNode, chance: random.Random) -> UiNode:
    """With more on it, further down but anywhere in the order, that is like nothing else there."""
    other = copy.deepcopy(root)
    y = other.bounds.bottom - 190
    for number in range(chance.randrange(1, 9)):
        at = (10, y + 10 * number, 900, y + 8 + 10 * number)
        kind = chance.choice(["Chip", "Button", "TextView", "ImageView"])
        stranger = node(
            kind,
            at,
            id=f"stranger{number}",
            text=f"Stranger {number}",
            clickable=kind != "TextView",
        )
        other.children.insert(chance.randrange(len(other.children) + 1), stranger)
    return other
