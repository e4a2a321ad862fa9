"""A screen as XCUITest sees it: windows into elements in points, and those into WebDriverAgent's
XML, JSON and description."""

from __future__ import annotations

from .element import Frame, XCElement, to_description
from .source_xml import to_json, to_xml
from .tree import OVER_APPS, SPRINGBOARD, element_tree, springboard_tree

__all__ = [
    "OVER_APPS",
    "SPRINGBOARD",
    "Frame",
    "XCElement",
    "element_tree",
    "springboard_tree",
    "to_description",
    "to_json",
    "to_xml",
]
