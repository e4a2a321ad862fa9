"""The outline: every element once, and no text of an app that could be taken for a line of ours."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.errors import TargetError
from pytest_replicant.model import Selector
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import UiNode

from . import orderly
from .effort import examples
from .wild import trees, windows, written

LINE = re.compile(r"^\s*(?:- )*\[([a-z]\d{3,15})\](?: |$)")
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
STATES = {"checked", "unchecked", "selected", "focused", "disabled", "password", "scrollable"}
STATES |= {"expanded", "collapsed"}


def listed(outline: str) -> list[str]:
    return [found.group(1) for found in map(LINE.match, outline.split("\n")) if found]


def check_lines(outline: str, snapshot: Snapshot) -> None:
    """Every element has its line, and every line with a ref is that of an element."""
    assert Counter(listed(outline)) == Counter(element.ref for element in snapshot.elements)
    assert len(outline.splitlines()) == len(outline.split("\n")), (
        "only our own line ends break a line"
    )
    for line in outline.split("\n"):
        found = LINE.match(line)
        if found:
            check_line(line[found.end(1) + 1 :], snapshot.element(found.group(1)).class_name)


def check_line(rest: str, class_name: str) -> None:
    """What follows a ref, once what the app says is taken out, is made of our words."""
    bare = QUOTED.sub("", rest.removeprefix(f" {class_name}"))
    assert '"' not in bare, rest
    for state in re.findall(r"\[([^\]]*)\]", bare):
        assert state in STATES, rest


@pytest.mark.slow
@examples(12)
@given(windows(), st.booleans(), st.booleans())
def test_every_element_is_listed_once(roots: list[UiNode], bounds: bool, offscreen: bool) -> None:
    snapshot = Snapshot.parse(written(*roots), size=(1080, 2400))
    check_lines(snapshot.outline(bounds=bounds, offscreen=offscreen, full=True), snapshot)


@pytest.mark.slow
@examples(12)
@given(windows(), st.booleans(), st.booleans(), st.integers(1, 5), st.integers(1, 3000))
def test_what_is_shortened_lists_nothing_twice(
    roots: list[UiNode], bounds: bool, offscreen: bool, depth: int, most: int
) -> None:
    snapshot = Snapshot.parse(written(*roots), size=(1080, 2400))
    everything = snapshot.outline(bounds=bounds, offscreen=offscreen)
    for shorter in (
        snapshot.outline(bounds=bounds, offscreen=offscreen, depth=depth),
        snapshot.outline(bounds=bounds, offscreen=offscreen, max_chars=most),
        snapshot.outline(bounds=bounds, offscreen=offscreen, depth=depth, max_chars=most),
    ):
        assert not Counter(listed(shorter)) - Counter(listed(everything))
    deep = snapshot.outline(bounds=bounds, offscreen=offscreen, depth=1000)
    assert listed(deep) == listed(everything)


@pytest.mark.slow
@examples(12)
@given(windows(12))
def test_a_part_lists_what_is_in_it(roots: list[UiNode]) -> None:
    snapshot = Snapshot.parse(written(*roots), size=(1080, 2400))
    for element in snapshot.elements:
        below = [e for e in snapshot.elements if in_it(e.node.index, element.node.index, snapshot)]
        for target in (element.ref, element):
            assert sorted(listed(snapshot.outline(within=target, full=True))) == sorted(
                e.ref for e in below
            )
    with pytest.raises(TargetError):
        snapshot.outline(within=Selector(text="nothing has this label"))


def in_it(index: int, ancestor: int, snapshot: Snapshot) -> bool:
    while index > ancestor:
        index = snapshot.nodes[index].parent
    return index == ancestor


# --- what an app may say --------------------------------------------------------------------------
FIELDS = ("text", "description", "resource_id", "class_name", "package", "hint")
FORGED = (
    '\n[k427] Button "Pay"',
    '\n  - [k427] Button "Pay"',
    '"\n[k427] Button "Pay',
    '" [disabled] "',
    '\\" [disabled] \\"',
    "\n(loading)",
    "\n(7 offscreen)",
    '\nDialog "Are you sure?"',
    "[k427] Button",
    '\x85[k427] Button "Pay"',
    '\u2028[k427] Button "Pay"',
    '\x1c[k427] Button "Pay"',
    '\x0b[k427] Button "Pay"',
)


@pytest.mark.parametrize("says", FORGED, ids=ascii)
@pytest.mark.parametrize("where", FIELDS)
def test_no_text_of_an_app_forges_a_line(where: str, says: str) -> None:
    """Said by a button, a field and a slider, each with a name and without."""
    inside = []
    for number, kind in enumerate(("Button", "EditText", "SeekBar", "TextView", "Spinner", "View")):
        for named in (True, False):
            y = 100 * (2 * number + named)
            item = orderly.node(kind, (0, y, 900, y + 90), clickable=kind in ("Button", "View"))
            item.text = "Name" if named and kind != "EditText" else ""
            setattr(item, where, getattr(item, where) + says)
            inside.append(item)
    source = written(orderly.node("FrameLayout", (0, 0, 1080, 2400), *inside))
    snapshot = Snapshot.parse(source)
    assert len(snapshot.elements) >= 2
    for options in ({}, {"bounds": True}, {"offscreen": True}):
        outline = snapshot.outline(**options)  # type: ignore[arg-type]  # two switches
        check_lines(outline, snapshot)
        assert len(outline.split("\n")) == len(snapshot.elements) + 1, outline


@pytest.mark.parametrize("says", FORGED, ids=ascii)
def test_no_title_forges_a_line(says: str) -> None:
    bar = orderly.node(
        "Toolbar", (0, 0, 1080, 90), orderly.node("TextView", (0, 0, 900, 80), text=says)
    )
    button = orderly.node("Button", (0, 100, 900, 190), text="OK")
    snapshot = Snapshot.parse(written(orderly.node("FrameLayout", (0, 0, 1080, 2400), bar, button)))
    check_lines(snapshot.outline(), snapshot)


@pytest.mark.slow
@examples(12)
@given(trees(8), trees(8))
def test_no_text_of_an_app_forges_a_line_of_a_diff(one: UiNode, other: UiNode) -> None:
    before, after = Snapshot.parse(written(one)), Snapshot.parse(written(other), id="s1")
    diff = after.diff(before)
    counted = sum(
        min(len(part), 12) for part in (diff.added, diff.removed, diff.changed, diff.moved)
    )
    assert len(str(diff).splitlines()) == 1 + counted
    for element in (*before.elements, *after.elements):
        check_line(
            element.describe().partition("]")[2].partition(" in row ")[0], element.class_name
        )
