"""Screens that no one designed: any tree, any text, any place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from pytest_replicant.model import Rect
from pytest_replicant.virtual import UiNode

PACKAGE = "dev.wild"
CLASSES = (
    "android.widget.Button",
    "android.widget.TextView",
    "android.widget.EditText",
    "android.widget.CheckBox",
    "android.widget.Switch",
    "android.widget.SeekBar",
    "android.widget.Spinner",
    "android.widget.ImageView",
    "android.widget.FrameLayout",
    "android.widget.ScrollView",
    "android.view.View",
    "androidx.recyclerview.widget.RecyclerView",
    "androidx.appcompat.widget.Toolbar",
)
FLAGS = (
    "checkable", "checked", "clickable", "enabled", "focusable", "focused", "scrollable",
    "long_clickable", "password", "selected",
)  # fmt: skip
NASTY = (
    'say "hi"',
    "it's",
    "a<b>&c",
    "]]>",
    "<![CDATA[x]]>",
    "<!-- x -->",
    "<?pi?>",
    "&amp;#10;",
    "two\nlines",
    "a\r\nb",
    "tab\there",
    "nul\x00",
    "bell\x07\x0b\x1b[31mred",
    "next\x85line",
    "para\u2028graph\u2029",
    "😀👩‍👩‍👧 flags 🇩🇰",
    "half \ud83d",
    "\udc00\ud83d",
    "\ue000\uf8ff\U000f0000",
    "\ufffe\uffff\ufdd0",
    "\u0634\u064e\u0627\u062f\u0650\u0646 \u200f123\u200e",
    "\u202egnp.exe",
    "e\u0301 é Å",
    "\u200b\ufeff\u2060",
    "   ",
    "Loading…",
    "\\",
    '\\"',
    "[k427] Button",
    '\n[k427] Button "Pay"',
    '"\n[k427] Button "Pay',
    '" [disabled]',
    "\n(3 offscreen)",
    "\nDialog\n",
    "x" * 5000,
    "é\n" * 500,
)
PLAIN = ("", "Add", "Milk", "Bread", "9.90", "OK")
IDS = (
    "",
    f"{PACKAGE}:id/add",
    f"{PACKAGE}:id/row",
    "android:id/title",
    "toolbar",
    "tag with blanks",
)

anything = st.text(st.characters(), max_size=12)
odd = st.text(st.characters(categories=["Cs", "Cc", "Zl", "Lu"]), max_size=6)
labels: st.SearchStrategy[str] = st.one_of(*[st.sampled_from(PLAIN + NASTY)] * 6, anything, odd)
ids: st.SearchStrategy[str] = st.one_of(*[st.sampled_from(IDS)] * 4, labels)
edges = st.sampled_from([-50, -1, 0, 1, 90, 540, 700, 1080, 1200, 2400, -999_999_999, 999_999_999])
lengths = st.sampled_from([1, 50, 90, 400, 1080])


@st.composite
def rects(draw: st.DrawFn) -> Rect:
    """Mostly a place on the screen, at times inverted, empty, negative or enormous."""
    if draw(st.integers(0, 3)):
        left, top = divmod(draw(st.integers(0, 900 * 2000)), 2000)
        return Rect(left, top, left + draw(lengths), top + draw(lengths))
    return Rect(draw(edges), draw(edges), draw(edges), draw(edges))


@st.composite
def trees(draw: st.DrawFn, most: int = 20, texts: st.SearchStrategy[str] = labels) -> UiNode:
    """A window: up to ``most`` nodes, each below one that came before it."""
    nodes = [_node(draw, texts, Rect(0, 0, 1080, 2400))]
    for number in range(1, draw(st.integers(1, most))):
        node = _node(draw, texts, draw(rects()))
        nodes[draw(st.integers(0, number - 1))].children.append(node)
        nodes.append(node)
    return nodes[0]


def windows(most: int = 20) -> st.SearchStrategy[list[UiNode]]:
    return st.lists(trees(most), min_size=1, max_size=3)


def _node(draw: st.DrawFn, texts: st.SearchStrategy[str], bounds: Rect) -> UiNode:
    class_name = draw(st.sampled_from(CLASSES))
    bits = draw(st.integers(0, 2 ** len(FLAGS) - 1))
    flags: dict[str, Any] = {name: bool(bits >> place & 1) for place, name in enumerate(FLAGS)}
    return UiNode(
        class_name=class_name,
        package=PACKAGE,
        bounds=bounds,
        frame=bounds,
        resource_id=draw(ids),
        text=draw(texts),
        description=draw(texts) if bits % 3 == 0 else "",
        hint=draw(texts) if class_name.endswith("EditText") else "",
        editable=class_name.endswith("EditText"),
        **flags,
    )


def written(*roots: UiNode) -> str:
    """As XML, nothing left out: a phone prints neither empty nodes nor a field's text next to its
    hint."""
    return "".join(
        [
            "<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation='0'>",
            *map(_xml, roots),
            "</hierarchy>",
        ]
    )


def _xml(node: UiNode) -> str:
    return "".join(_pieces(node))


def _pieces(node: UiNode) -> Iterator[str]:
    bounds = node.bounds
    named = {
        "class": node.class_name,
        "package": node.package,
        "resource-id": node.resource_id,
        "text": node.text,
        "content-desc": node.description,
        "bounds": f"[{bounds.left},{bounds.top}][{bounds.right},{bounds.bottom}]",
        **({"hint": node.hint} if node.editable else {}),
        **{name.replace("_", "-"): str(getattr(node, name)).lower() for name in FLAGS},
    }
    yield "<node" + "".join(f' {name}="{_reference(value)}"' for name, value in named.items()) + ">"
    for child in node.children:
        yield from _pieces(child)
    yield "</node>"


def _reference(text: str) -> str:
    """Every unusual character as a number, those that XML forbids too: some phones do that."""
    return "".join(
        sign if sign.isascii() and sign.isprintable() and sign not in '<>&"' else f"&#{ord(sign)};"
        for sign in text
    )
