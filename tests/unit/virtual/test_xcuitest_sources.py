"""Elements as WebDriverAgent tells them: XML, JSON, description."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.virtual import Frame, XCElement, to_json, to_xml
from pytest_replicant.virtual.renderers.xcuitest import to_description

XML = [
    "type", "value", "name", "label", "enabled", "visible", "accessible", "x", "y", "width",
    "height", "index", "placeholderValue", "traits",
]  # fmt: skip
HOSTILE = '<b>&amp;"x"\'</b>\n\t\r]]>{{0, 0}, {1, 1}} \u202e\u2028 \U0001f600'


def field(**more: object) -> XCElement:
    made = XCElement(
        "TextField", Frame(16, 100.5, 361, 44.25), identifier="email", label="", value="Email"
    )
    made.placeholder, made.traits = "Email", ("Selected",)
    return replace(made, **more)  # type: ignore[arg-type]  # whatever a test varies


def app(*inside: XCElement) -> XCElement:
    window = XCElement("Window", Frame(0, 0, 393, 852), children=list(inside))
    window.number_children()
    root = XCElement(
        "Application", Frame(0, 0, 393, 852), label="Toy", bundle_id="dev.replicant.toy", pid=7
    )
    root.children = [window]
    return root


def label(text: str) -> XCElement:
    return XCElement("StaticText", Frame(16, 100, 361, 20), label=text, value=text)


def test_xml_attributes_come_in_the_order_of_webdriveragent() -> None:
    printed = to_xml(field())
    assert printed.startswith(
        '<?xml version="1.0" encoding="UTF-8"?>\n<XCUIElementTypeTextField type='
    )
    element = ElementTree.fromstring(printed)
    assert list(element.attrib) == XML
    assert element.attrib["name"] == "email"
    assert element.attrib["label"] == ""


def test_xml_has_whole_points_around_the_element_and_json_the_exact_frame() -> None:
    place = ElementTree.fromstring(to_xml(field())).attrib
    assert [place[side] for side in ("x", "y", "width", "height")] == ["16", "100", "361", "45"]
    message = to_json(field())
    assert message["rect"] == {"x": 16, "y": 100, "width": 361, "height": 45}
    assert message["frame"] == "{{16, 100.5}, {361, 44.25}}"


def test_a_description_is_a_line_an_element_whatever_the_label() -> None:
    lines = to_description(app(label("two\nlines"))).splitlines()
    assert lines[0] == "Application, pid: 7, {{0.0, 0.0}, {393.0, 852.0}}, label: 'Toy'"
    assert len(lines) == 3


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs"])))
def test_any_label_survives_in_xml_and_json(text: str) -> None:
    printed = ElementTree.fromstring(to_xml(label(text)))
    kept = "".join(
        glyph
        for glyph in text
        if glyph in "\t\n\r" or (glyph >= " " and glyph not in "\ufffe\uffff")
    )
    assert printed.attrib["label"] == kept
    assert json.loads(json.dumps(to_json(label(text))))["label"] == text
