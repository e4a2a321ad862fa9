"""Screens of any size, of shapes that make careless readers slow: each from a number of nodes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

Shape = Callable[[int], str]
DEPTH = 240  # as deep as XML readers go without being asked to
LONG = 100_000


def node(
    kind: str = "TextView",
    *inside: str,
    at: tuple[int, int, int, int] = (0, 0, 1080, 2400),
    more: str = "",
    text: str = "",
) -> str:
    left, top, right, bottom = at
    head = (
        f'<node class="android.widget.{kind}" package="dev.big" text="{text}" {more}'
        f' bounds="[{left},{top}][{right},{bottom}]"'
    )
    return f"{head}>{''.join(inside)}</node>" if inside else f"{head}/>"


def screen(*inside: str) -> str:
    return f"<hierarchy>{node('FrameLayout', *inside)}</hierarchy>"


def tile(number: int) -> tuple[int, int, int, int]:
    """A place of its own on a screen that is never too small."""
    row, column = divmod(number, 40)
    return (column * 27, row * 20, column * 27 + 25, row * 20 + 18)


TAP = 'clickable="true"'


def flat(n: int) -> str:
    return screen(*(node(at=tile(i), text=f"Item {i}") for i in range(n)))


def one_list(n: int) -> str:
    rows = (
        node(
            "LinearLayout", node(at=(0, y, 400, y + 9), text=f"Item {y}"),
            node(at=(400, y, 500, y + 9), text="9.90"),
            node("Button", at=(600, y, 800, y + 9), more=TAP, text="Add"), at=(0, y, 1080, y + 9),
        )
        for y in range(0, n // 4 * 10, 10)
    )  # fmt: skip
    return screen(node("RecyclerView", *rows, more='scrollable="true"', at=(0, 0, 1080, n * 3)))


def mixed(n: int) -> str:
    """Wide in some places and deep in others, controls among it."""
    chance = random.Random(n)
    depth, pieces = 1, [f"<hierarchy>{node('FrameLayout')[:-2]}>"]
    for number in range(n):
        while depth > 1 and chance.random() < (0.5 if depth < DEPTH - 5 else 1):
            pieces.append("</node>")
            depth -= 1
        kind = chance.choice(
            ["Button", "TextView", "LinearLayout", "CheckBox", "EditText", "RecyclerView"]
        )
        more = chance.choice(
            ["", TAP, 'checkable="true"', 'resource-id="a:id/x"', 'scrollable="true"']
        )
        pieces.append(
            node(
                kind, at=tile(number), more=more, text=chance.choice(["", "Add", f"Item {number}"])
            )[:-2]
            + ">"
        )
        depth += 1
    return "".join([*pieces, "</node>" * depth, "</hierarchy>"])


def overlapping(n: int) -> str:
    """Everything clickable and in one place, each a little smaller than the one over it."""
    return screen(
        *(
            node("Button", at=(i % 300, 0, 1080 - i % 200, 2000), more=TAP, text=f"B{i}")
            for i in range(n)
        )
    )


def nested_boxes(n: int) -> str:
    """Each encloses the next but one, and lies under it."""
    places = ((i % 500, i % 900, 1080 - i % 499, 2400 - i % 899) for i in range(n))
    return screen(
        *(
            node("LinearLayout", node(at=at, text="x"), at=at, more='content-desc="y"')
            for at in places
        )
    )


def same_label(n: int) -> str:
    return screen(*(node("Button", at=tile(i), more=TAP, text="Add") for i in range(n)))


def same_id(n: int) -> str:
    more = f'{TAP} resource-id="a:id/add"'
    return screen(*(node("ImageView", at=tile(i), more=more) for i in range(n)))


def nothing_known(n: int) -> str:
    return screen(*(node("ImageView", at=tile(i), more=TAP) for i in range(n)))


def one_place(n: int) -> str:
    """Look-alikes that not even their place tells apart; nothing over another takes its touches."""
    return screen(*(node("SeekBar", at=(0, 0, 90, 90)) for _ in range(n)))


def long_row(n: int) -> str:
    """One row of a list that holds everything."""
    inside = [node("Button", at=tile(i), more=TAP, text=f"B{i % 7}") for i in range(n)]
    return screen(
        node(
            "RecyclerView",
            node("LinearLayout", node(text="Title"), *inside),
            more='scrollable="true"',
        )
    )


def unnamed_switches(n: int) -> str:
    """Every one looks for a caption."""
    groups = (
        node(
            "LinearLayout",
            *(node("Switch", at=tile(i * 30 + k), more='checkable="true"') for k in range(30)),
        )
        for i in range(n // 31)
    )
    return screen(*groups)


def fields(n: int) -> str:
    return screen(*(node("EditText", at=tile(i), text="ada") for i in range(n)))


def many_windows(n: int) -> str:
    roots = (
        node("FrameLayout", node("Button", at=tile(i), more=TAP, text=f"B{i}"), at=tile(i))
        for i in range(n // 2)
    )
    return f"<hierarchy>{''.join(roots)}</hierarchy>"


def many_windows_over_each_other(n: int) -> str:
    roots = (
        node("FrameLayout", node("Button", more=TAP, text=f"B{i}"), at=(0, 0, 1080, i + 9))
        for i in range(n // 2)
    )
    return f"<hierarchy>{''.join(roots)}</hierarchy>"


def many_keyboards(n: int) -> str:
    roots = (node("FrameLayout", node("Button", more=TAP, text=f"B{i}")) for i in range(n // 2))
    return f"<hierarchy>{''.join(roots)}</hierarchy>".replace("dev.big", "dev.keyboard")


def off_the_screen(n: int) -> str:
    return screen(
        *(node("Button", at=(0, 3000 + i, 90, 3050 + i), more=TAP, text=f"B{i}") for i in range(n))
    )


def with_depth(
    depth: int, *chain: Callable[[int], tuple[str, str, str]]
) -> Callable[[int], Iterator[str]]:
    """Towers of ``depth`` nodes, side by side; ``chain`` gives class, traits and text by level."""

    def towers(n: int) -> Iterator[str]:
        for base in range(0, n, depth):
            high = min(depth, n - base)
            for level in range(high):
                kind, more, text = chain[level % len(chain)](base + level)
                yield node(kind, at=tile(base // depth), more=more, text=text)[:-2] + ">"
            yield "</node>" * high

    return towers


def tower(kind: str, more: str = "", text: str = "", depth: int = DEPTH) -> Shape:
    towers = with_depth(
        depth, lambda i: (kind, more.replace("#", str(i)), text.replace("#", str(i)))
    )
    return lambda n: screen("".join(towers(n)))


def panes_over_labels(n: int) -> str:
    """Look-alikes at the bottom of nested panes, which all look upwards for a heading."""
    pane = node("ScrollView", more='scrollable="true"')[:-2] + ">"
    inside = "".join(node("ImageView", at=tile(i), more=TAP) for i in range(n - DEPTH // 2))
    return screen(pane * (DEPTH // 2) + inside + "</node>" * (DEPTH // 2))


def bar_over_everything(n: int) -> str:
    """Nested tool bars without a text, so that each is searched for one."""
    bar = node("Toolbar", at=(0, 0, 1080, 90))[:-2] + ">"
    return screen(
        bar * (DEPTH // 2)
        + node("View", at=(0, 0, 9, 9)) * (n - DEPTH // 2)
        + "</node>" * (DEPTH // 2)
    )


def long_title_over_look_alikes(n: int) -> str:
    """A text of great length before every one of many look-alikes, and in the row around them."""
    buttons = [node("Button", at=tile(40 + i), more=TAP, text="Add") for i in range(n)]
    title = node(at=(0, 0, 1080, 18), text="1 long title " * (LONG // 13))
    row = node("LinearLayout", title, *buttons)
    return screen(node("RecyclerView", row, more='scrollable="true"'))


def long_ids_around_look_alikes(n: int) -> str:
    inside = [node("ImageView", at=tile(i), more=TAP) for i in range(n)]
    long = "a" * LONG
    return screen(node("LinearLayout", *inside, more=f'resource-id="{long}"'))


WIDE: dict[str, Shape] = {
    shape.__name__: shape
    for shape in (
        flat, one_list, mixed, overlapping, nested_boxes, same_label, same_id, nothing_known,
        one_place, long_row, unnamed_switches, fields, many_windows, many_windows_over_each_other,
        many_keyboards, off_the_screen, panes_over_labels, bar_over_everything,
        long_title_over_look_alikes, long_ids_around_look_alikes,
    )
}  # fmt: skip

_KINDS = {
    "layouts": ("FrameLayout", "", ""),
    "texts": ("TextView", "", "Item #"),
    "cards": ("FrameLayout", TAP, ""),
    "buttons": ("Button", TAP, "Add"),
    "ids": ("ImageView", f'{TAP} resource-id="a:id/level"', ""),
    "panes": ("ScrollView", 'scrollable="true"', ""),
    "lists": ("RecyclerView", 'scrollable="true"', "Item #"),
    "bars": ("Toolbar", "", ""),
    "boxes": ("CheckBox", 'checkable="true"', ""),
    "fields": ("EditText", "", "ada"),
}
TOWERS: dict[str, Shape] = {f"towers_of_{name}": tower(*kind) for name, kind in _KINDS.items()}
BOTTOMLESS: dict[str, Shape] = {
    f"bottomless_{name}": tower(*kind, depth=10**9) for name, kind in _KINDS.items()
}


def ios_tower(kind: str, more: str, depth: int) -> Shape:
    def towers(n: int) -> str:
        pieces = []
        for base in range(0, n, depth):
            high = min(depth, n - base)
            x, y, right, bottom = tile(base // depth)
            at = f'x="{x}" y="{y}" width="{right - x}" height="{bottom - y}"'
            pieces += [
                f'<XCUIElementType{kind} type="XCUIElementType{kind}" visible="true" '
                f'enabled="true" {at}'
                f" {more.replace('#', str(base + level))}>"
                for level in range(high)
            ]
            pieces.append(f"</XCUIElementType{kind}>" * high)
        window = 'XCUIElementTypeWindow visible="true" x="0" y="0" width="1080" height="2400"'
        return f"<AppiumAUT><{window}>{''.join(pieces)}</XCUIElementTypeWindow></AppiumAUT>"

    return towers


_IOS = {
    "others": ("Other", ""),
    "named": ("Other", 'name="Item #" label="Item #"'),
    "same": ("Button", 'label="Add"'),
    "buttons": ("Button", 'label="Item #" name="id#"'),
    "ids": ("Image", 'name="level"'),
    "cells": ("Cell", ""),
    "tables": ("Table", 'label="Item #"'),
    "panes": ("ScrollView", ""),
    "bars": ("NavigationBar", ""),
    "texts": ("StaticText", 'label="Item #" value="Item #"'),
    "fields": ("TextField", 'value="ada"'),
    "switches": ("Switch", 'value="1"'),
    "alerts": ("Alert", 'label="Item #"'),
}
IOS: dict[str, Shape] = {
    f"ios_towers_of_{name}": ios_tower(*kind, depth=40) for name, kind in _IOS.items()
}
IOS_DEEP: dict[str, Shape] = {
    f"ios_bottomless_{name}": ios_tower(*kind, depth=10**9) for name, kind in _IOS.items()
}
SHAPES = WIDE | TOWERS | BOTTOMLESS | IOS | IOS_DEEP
