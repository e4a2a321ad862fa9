"""iOS hierarchies, as XML and as JSON, in points and in pixels."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import SnapshotError, UsageError
from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Memory, Snapshot

from ..ios_screens import app, as_json, button, cell, el, parse, screen, static, table
from ..screens import SHOP, labels_of

PLAIN = screen(button("OK"), title="Sure?")


@pytest.mark.parametrize(
    "noisy",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        '[wda] GET /source {"format": "xml"}\n' + PLAIN,
        "\r\n" + PLAIN,
        PLAIN + "\ndone\n",
        PLAIN.replace("><", ">\r\n<"),
        PLAIN.partition("?>")[2],
        PLAIN.replace('encoding="UTF-8"', 'encoding="latin-1"'),
        PLAIN.partition("?>")[0] + "?><AppiumAUT>" + PLAIN.partition("?>")[2] + "</AppiumAUT>",
        "<hierarchy>" + PLAIN.partition("?>")[2] + "</hierarchy>",
    ],
)
def test_noise_around_the_hierarchy_does_not_matter(noisy: str) -> None:
    expected = Snapshot.parse(PLAIN).outline()
    assert Snapshot.parse(noisy).outline() == expected
    assert Snapshot.parse(noisy.encode(), "ios").outline() == expected


def test_a_utf_16_file_is_read() -> None:
    assert Snapshot.parse(PLAIN.encode("utf-16")).find(text="OK").class_name == "Button"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("<AppiumAUT>\n</AppiumAUT>", "no elements"),
        (PLAIN[: PLAIN.index("Button") - 20], "cut off"),
        (PLAIN[: PLAIN.rindex("</")], "cut off"),
        (PLAIN.replace("</XCUIElementTypeButton>", ""), "damaged"),
        (PLAIN.replace('label="OK"', "label=OK"), "damaged"),
        (PLAIN.replace('label="OK"', 'label="&b;"'), "damaged"),
        (PLAIN.replace("?>", '?><!DOCTYPE x [<!ENTITY a "lol">]>'), "document type"),
        ("<!DOCTYPE html><html><body>502 Bad Gateway</body></html>", "web page"),
    ],
)
def test_what_is_no_screen_says_why(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        Snapshot.parse(source)


def test_a_contradicted_platform_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="of ios, not of android"):
        Snapshot.parse(PLAIN, "android")


def test_a_field_is_not_called_what_another_was_called_in_its_place() -> None:
    memory = Memory()
    memory.learn(parse(screen(el("TextField", at=(16, 100, 300, 40), label="Email"))))
    other = Snapshot.parse(
        screen(el("TextField", at=(16, 100, 300, 40), label="Name")), memory=memory
    )
    assert labels_of(other.elements) == ["Name"]


def test_the_app_is_called_by_its_bundle_id_and_never_by_its_label() -> None:
    source = app(el("Window", button("OK")), name="My Shop")
    assert parse(source.replace('bundleId="My Shop"', 'bundleId="dev.shop"')).app == "dev.shop"
    assert parse(source.replace('bundleId="My Shop"', "")).app == ""


def test_a_window_of_the_system_over_an_app_is_marked_by_a_driver_and_by_no_app() -> None:
    source = app(el("Window", button('<?replicant over="dev.evil"?>')))
    assert parse(source).over == ""
    assert (
        parse(source.replace("?>", '?><?replicant over="dev.shop" levels="62"?>', 1)).over
        == "dev.shop"
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Other", "Cell", "Alert", "NavigationBar"])
def test_depth_is_no_limit(kind: str) -> None:
    depth = 4_000  # recursion ends at a thousand
    opened = f'<XCUIElementType{kind} label="x" x="0" y="0" width="9" height="9">'
    snapshot = parse(opened * depth + f"</XCUIElementType{kind}>" * depth)
    assert len(snapshot.nodes) == depth
    assert len(snapshot.elements) <= 1
    assert snapshot.outline()


@pytest.mark.slow
@pytest.mark.thorough
def test_look_alikes_within_each_other_cost_what_they_are() -> None:
    """Each asks for what it lies in."""
    depth = 8_000
    opened = '<XCUIElementTypeButton x="0" y="0" width="9" height="9">'
    assert len(parse(opened * depth + "</XCUIElementTypeButton>" * depth).elements) == depth


SCREEN = screen(
    table(
        cell(static("Milk"), label="Milk", name="milk"),
        cell(el("Switch", label="Wi-Fi", value="1", at=(300, 110, 50, 30)), top=108),
        cell(
            el("TextField", placeholderValue="Email", value="ada", at=(16, 160, 300, 30)), top=152
        ),
    ),
    button("Pay", enabled="false"),
    button("Gone", visible="false"),
    title="List",
)
BARE = as_json(SCREEN, bare=True)


@pytest.mark.parametrize(
    "source",
    [
        as_json(SCREEN),
        BARE,
        as_json(SCREEN, prefix="XCUIElementType"),
        "\ufeff" + BARE,
        "\r\n" + BARE,
        '[wda] GET /source {"format": "json"}\n' + BARE,
        BARE + "\n{}\ndone",
        json.dumps(json.loads(BARE), indent=2),
        json.dumps({"value": {"tree": json.loads(BARE)}, "status": 0}),
        json.dumps({"value": SCREEN, "sessionId": "5C0A"}),
    ],
)
def test_json_and_xml_are_the_same_screen(source: str) -> None:
    expected, snapshot = Snapshot.parse(SCREEN), Snapshot.parse(source)
    assert snapshot.outline(bounds=True) == expected.outline(bounds=True)
    assert snapshot.fingerprint == expected.fingerprint
    assert Snapshot.parse(source.encode(), "ios").nodes == snapshot.nodes


def test_an_answer_may_hold_a_screen_of_android() -> None:
    answer = json.dumps({"value": SHOP})
    assert Snapshot.parse(answer, "android").outline() == Snapshot.parse(SHOP).outline()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            '{"value": {"error": "invalid session id", "message": "Session does not exist"}}',
            "Session does not exist",
        ),
        ('{"value": {"error": "unknown error"}, "sessionId": null}', "unknown error"),
        ('{"status": 6, "value": "A session is either terminated or not started"}', "terminated"),
        ('{"value": null}', "no tree of elements"),
        ('{"ready": true, "build": {"type": "x"}}', "no tree of elements"),
        ('{"type": "Feature", "geometry": {}}', "no tree of elements"),
        ('<html><script>{"type": "Other"}</script></html>', "web page"),
        (BARE[: len(BARE) // 2], "cut off or damaged"),
        (as_json(SCREEN)[:-1], "cut off or damaged"),
        ('{"type":"Other","children":[' * 50_000 + "]}" * 50_000, "nested too deeply"),
        ('{"type":"Other","rect":{"x":1' + "0" * 5000 + "}}", "cut off or damaged"),
    ],
)
def test_json_that_is_no_screen_says_why(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        Snapshot.parse(source)


def test_a_contradicted_platform_is_an_error_in_json_too() -> None:
    with pytest.raises(SnapshotError, match="of ios, not of android"):
        Snapshot.parse(BARE, "android")


def test_an_application_alone_is_a_screen() -> None:
    assert parse(as_json(app())).app == "Shop"


def test_a_frame_is_more_exact_than_a_rect_and_one_that_is_nowhere_is_none() -> None:
    tree = {"type": "Button", "label": "Go", "rect": {"x": 10, "y": 20, "width": 31, "height": 41}}
    exact = {**tree, "frame": "{{10.333, 20.666}, {30.333, 40}}"}
    assert Snapshot.parse(json.dumps(exact), scale=3.0).find(text="Go").bounds == Rect(
        31, 62, 122, 182
    )
    nowhere = {**tree, "frame": "{{inf, inf}, {0, 0}}"}
    assert Snapshot.parse(json.dumps(nowhere)).find(text="Go").bounds == Rect(10, 20, 41, 61)


KEYS = (
    "type",
    "label",
    "name",
    "value",
    "rect",
    "frame",
    "isVisible",
    "isEnabled",
    "traits",
    "placeholderValue",
)
KINDS = (
    "Application",
    "Window",
    "Alert",
    "Cell",
    "Switch",
    "TextField",
    "Keyboard",
    "ScrollView",
    "NavigationBar",
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.sampled_from(KINDS),
    st.just("1"),
)
TREES = st.recursive(
    st.dictionaries(st.sampled_from(KEYS), SCALARS, max_size=6),
    lambda inner: st.fixed_dictionaries(
        {"type": st.sampled_from(KINDS), "rect": st.dictionaries(st.sampled_from("xy"), SCALARS)},
        optional={"children": st.lists(inner, max_size=4), "label": SCALARS, "frame": SCALARS},
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(TREES)
@settings(deadline=None, max_examples=50)
def test_any_json_ends_in_a_snapshot_or_a_snapshot_error(tree: dict[str, Any]) -> None:
    try:
        snapshot = Snapshot.parse(json.dumps(tree))
    except SnapshotError:
        return
    assert snapshot.outline().encode()
    assert len({element.ref for element in snapshot.elements}) == len(snapshot.elements)


IPHONE = (0, 0, 393, 852)
THIRD = 131 + 1 / 3


def in_pixels(source: str, scale: float = 3.0) -> Snapshot:
    return Snapshot.parse(source, "ios", scale=scale)


def test_bounds_and_size_are_in_pixels() -> None:
    source = app(el("Window", button("Pay", at=(16, 100.5, 100, 44)), at=IPHONE), at=IPHONE)
    for form in (source, as_json(source)):
        snapshot = in_pixels(form)
        assert snapshot.size == (1179, 2556)
        assert snapshot.find(text="Pay").bounds == Rect(48, 302, 348, 434)
    assert Snapshot.parse(source).find(text="Pay").bounds == Rect(16, 101, 116, 145)


@pytest.mark.parametrize("digits", [2, 4, 12])
def test_what_touches_in_points_touches_in_pixels(digits: int) -> None:
    written = [(round(n * THIRD, digits), 0.0, round(THIRD, digits), 30.0) for n in range(3)]
    buttons = [button(f"Tab {n}", at=at) for n, at in enumerate(written)]
    boxes = [
        e.bounds for e in in_pixels(app(el("Window", *buttons, at=IPHONE), at=IPHONE)).elements
    ]
    assert [(box.left, box.right) for box in boxes] == [(0, 394), (394, 788), (788, 1182)]


def test_halves_of_pixels_that_are_sums_of_fractions_are_rounded_alike() -> None:
    upper = static("Upper", at=(0, 1 / 6, 90, 20 + 1 / 3))
    lower = static("Lower", at=(0, 20.5, 90, 20))
    snapshot = in_pixels(app(el("Window", upper, lower, at=IPHONE), at=IPHONE))
    assert snapshot.find(text="Upper").bounds.bottom == snapshot.find(text="Lower").bounds.top == 62


def test_a_part_that_is_written_in_pixels_is_not_scaled_twice() -> None:
    whole = (0, 0, 1125, 2001)
    source = app(
        el("Window", el("Other", button("Go", at=(300, 600, 150, 90)), at=whole), at=whole)
    )
    assert Snapshot.parse(source).find(text="Go").bounds == Rect(100, 200, 150, 230)
    assert in_pixels(source).find(text="Go").bounds == Rect(300, 600, 450, 690)
    assert in_pixels(source, 2.0).find(text="Go").bounds == Rect(200, 400, 300, 460)


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_what_is_on_the_screen_does_not_depend_on_the_scale(scale: float) -> None:
    """A line, a scroll indicator and a status bar are identified by their size in points."""
    status = [static("9:41", at=(20, 3, 50, 15)), static("100%", at=(320, 3, 40, 15))]
    line = el("Other", at=(0, 60, 375, 4), label="line")
    thin = el("ProgressIndicator", at=(0, 90, 375, 4), label="Loading", value="40%")
    indicator = el("Other", at=(335, 64, 40, 600), label="Vertical scroll bar", value="0%")
    rows = table(
        cell(static("Milk"), top=100),
        cell(static("Bread", at=(16, 920, 90, 20)), top=900),
        indicator,
    )
    snapshot = in_pixels(screen(*status, line, thin, rows), scale)
    assert [e.label for e in snapshot.elements if e.label] == ["Loading", "Milk"]
    assert snapshot.outline().count("(1 offscreen)") == 1
    assert snapshot.outline() == Snapshot.parse(screen(*status, line, thin, rows)).outline()


@pytest.mark.parametrize("scale", [0, -3.0, float("nan"), float("inf"), "3"])
def test_a_scale_that_is_none_is_refused(scale: object) -> None:
    with pytest.raises(UsageError, match=r"scale=.*pixels a point"):
        Snapshot.parse(screen(button("OK")), scale=scale)  # type: ignore[arg-type]


def test_a_screen_of_android_has_no_points() -> None:
    source = (
        '<hierarchy><node class="android.widget.Button" text="OK" bounds="[0,0][9,9]"/></hierarchy>'
    )
    assert Snapshot.parse(source, scale=1.0).size == (9, 9)
    with pytest.raises(UsageError, match="in pixels already"):
        Snapshot.parse(source, scale=2.75)
