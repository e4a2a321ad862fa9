"""Hierarchies as uiautomator writes them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from pytest_replicant.model import Rect
from pytest_replicant.virtual import UiNode, Window, render_hierarchy
from pytest_replicant.virtual.renderers.uiautomator import DECLARATION

PLAIN = [
    "index", "text", "resource-id", "class", "package", "content-desc", "checkable", "checked",
    "clickable", "enabled", "focusable", "focused", "scrollable", "long-clickable", "password",
    "selected", "bounds",
]  # fmt: skip
SERVER = [*PLAIN[:-1], "visible-to-user", "bounds", "drawing-order", "hint"]
EVERYWHERE = Rect(0, 0, 100, 200)


def window(root: UiNode, **more: object) -> Window:
    made = Window("app", "dev.replicant.toy", "Toy", 1, root)
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def node(**more: object) -> UiNode:
    made = UiNode("android.widget.TextView", "dev.replicant.toy", EVERYWHERE, EVERYWHERE)
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def parsed(*roots: UiNode, server: bool = False) -> etree._Element:
    return etree.fromstring(render_hierarchy([window(root) for root in roots], 0, server=server))


@pytest.mark.parametrize(("server", "names"), [(False, PLAIN), (True, SERVER)])
def test_attributes_come_in_androids_order(server: bool, names: list[str]) -> None:
    assert list(parsed(node(text="x"), server=server)[0].attrib) == names


def test_the_dump_is_one_line_and_the_servers_is_indented() -> None:
    tree = [window(node(text="x", children=[node(text="y")]))]
    dump = render_hierarchy(tree, 1)
    assert dump.startswith(
        f'{DECLARATION}<hierarchy rotation="1"><node index="0" text="x" '.encode()
    )
    assert dump.endswith(b'bounds="[0,0][100,200]" /></node></hierarchy>')
    lines = render_hierarchy(tree, 0, server=True).decode().split("\r\n")
    assert lines[0] == DECLARATION
    assert [line[: len(line) - len(line.lstrip())] for line in lines] == [
        "",
        "",
        "  ",
        "    ",
        "  ",
        "",
    ]


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_text_comes_back_as_it_was_where_xml_can_hold_it(text: str) -> None:
    got = parsed(node(text=text, description=text))[0]
    expected = "".join(char if _xml_can_hold(char) else "." for char in text)
    assert got.get("text", "") == expected
    assert got.get("content-desc", "") == expected


def _xml_can_hold(char: str) -> bool:
    code = ord(char)
    if char in "\t\n\r":
        return True
    controls = code < 0x20 or (0x7F <= code <= 0x9F and code != 0x85)
    return not (controls or 0xFDD0 <= code <= 0xFDDF or code in (0xFFFE, 0xFFFF))


def test_markup_is_escaped_as_android_escapes_it() -> None:
    dump = render_hierarchy([window(node(text="<a & \"b\">\n'c'\ud800"))], 0)
    assert b"text=\"&lt;a &amp; &quot;b&quot;&gt;&#10;'c'.\"" in dump


def test_a_button_without_any_name_is_marked() -> None:
    nameless = node(clickable=True)
    assert parsed(nameless)[0].get("NAF") == "true"
    assert parsed(replace(nameless, description="Cart"))[0].get("NAF") is None
    assert parsed(replace(nameless, children=[node(text="Cart")]))[0].get("NAF") is None
