"""Whatever an iOS screen is made of: its two forms are one screen, every control is listed or wraps
one that is, and no label that can be read is lost."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.labels.labels import is_control

from ..unit.snapshots.ios_screens import app, as_json, el
from .effort import examples

LISTED = re.compile(r"^\s*(?:- )*\[([a-z]\d{3,15})\]", re.MULTILINE)
KINDS = [
    "Other", "Group", "Any", "Window", "Cell", "Table", "CollectionView", "ScrollView", "WebView",
    "Button", "Link", "StaticText", "Image", "TextField", "SecureTextField", "TextView", "Switch",
    "Slider", "Picker", "PickerWheel", "SegmentedControl", "ActivityIndicator", "Alert", "Sheet",
    "Popover", "Keyboard", "Key", "StatusBar", "NavigationBar", "TabBar", "Toolbar", "Application",
]  # fmt: skip
PLACES = st.sampled_from(
    [(0, 0, 375, 667), (0, 64, 375, 44), (0, 108, 375, 44), (300, 70, 50, 30), (16, 100, 100, 20),
     (0, 700, 375, 44), (342, 70, 30, 590), (0, 0, 0, 0), (20, 2, 40, 16), (330, 2, 40, 16),
     (0, 0, 750, 1334),
     (-5, -5, 3, 900)]
)  # fmt: skip
TEXTS = st.sampled_from(
    ["A", "B", "A B", "Wi-Fi", "Wi-Fi Home", "Home", "", "50%", "1", "\u202a\ufffc"]
)
ATTRIBUTES = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("label", "name", "value", "placeholderValue"), TEXTS),
        **dict.fromkeys(("visible", "enabled"), st.sampled_from(["true", "false"])),
        "traits": st.sampled_from(["Selected", "Adjustable", "Button"]),
    },
)
LEAVES = st.builds(
    lambda kind, at, given: el(kind, at=at, **given), st.sampled_from(KINDS), PLACES, ATTRIBUTES
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(
        lambda kind, inside, at, given: el(kind, *inside, at=at, **given),
        st.sampled_from(KINDS),
        st.lists(inner, min_size=1, max_size=4),
        PLACES,
        ATTRIBUTES,
    ),
    max_leaves=20,
)


@pytest.mark.slow
@given(st.lists(TREES, min_size=1, max_size=3))
@examples(25, 10_000)
def test_nothing_is_lost_and_nothing_listed_twice(parts: list[str]) -> None:
    source = app(el("Window", *parts))
    snapshot, again = Snapshot.parse(source), Snapshot.parse(as_json(source), id="s1")
    assert again.outline() == snapshot.outline()
    assert again.fingerprint == snapshot.fingerprint
    refs = [element.ref for element in snapshot.elements]
    assert (
        Counter(LISTED.findall(snapshot.outline(full=True))) == Counter(refs) == Counter(set(refs))
    )
    assert {again.locate(element).verdict for element in snapshot.elements} <= {"same"}
    known = {element.node.index for element in (*snapshot.elements, *snapshot.headings)}
    place = snapshot._search_index
    for index in place.shown:
        label = place.labels.own[index]
        if label and index not in known:
            assert place.labels.owner[index] in known, label
            assert snapshot.find_all(text_contains=label), label
        if is_control(snapshot.nodes[index]) and index not in known:
            inside = range(index + 1, place.layout.ends[index])
            assert any(other in known and is_control(snapshot.nodes[other]) for other in inside)
