"""Finding elements by the strategies that clients may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..renderers.xcuitest import to_xml
from .attributes import read
from .class_chain import find_chain, holds
from .failures import WdaError, invalid_selector
from .predicate import parse_predicate

if TYPE_CHECKING:
    from ..renderers.xcuitest import XCElement


def find(using: str, value: str, root: XCElement) -> list[XCElement]:
    """All matches below ``root``, in document order. Raises ``WdaError`` for a strategy or value that is none."""
    search = _STRATEGIES.get(using)
    if search is None:
        raise invalid_selector(f"Invalid locator requested: {using}")
    return search(value, root)


def _below(root: XCElement, test: Callable[[XCElement], bool]) -> list[XCElement]:
    return [element for element in root.walk() if element is not root and test(element)]


def _by_name(value: str, root: XCElement) -> list[XCElement]:
    return _below(root, lambda element: element.name == value)


def _by_class(value: str, root: XCElement) -> list[XCElement]:
    return _below(root, lambda element: value in ("XCUIElementTypeAny", element.full_type))


def _by_predicate(value: str, root: XCElement) -> list[XCElement]:
    test = parse_predicate(value)
    return _below(root, lambda element: holds(test, element))


def _by_link(value: str, root: XCElement, *, partial: bool) -> list[XCElement]:
    """``label=Add to cart``; without an attribute's name, the name."""
    given, equals, wanted = value.partition("=")
    attribute, wanted = (given, wanted) if equals else ("name", value)

    def matches(element: XCElement) -> bool:
        text = read(element, attribute)
        return isinstance(text, str) and (wanted in text if partial else wanted == text)

    return _below(root, matches)


def _by_xpath(value: str, root: XCElement) -> list[XCElement]:
    """Over the same XML that ``/source`` gives, to all of which the path may lead, ``root`` too."""
    from lxml import etree  # heavy, and only this strategy needs it

    parser = etree.XMLParser(huge_tree=True, resolve_entities=False)  # a screen may be as deep as it likes
    document = etree.fromstring(to_xml(root).encode(), parser)
    elements = dict(zip(document.iter(), root.walk(), strict=True))
    try:
        found = document.getroottree().xpath(value)
    except (etree.XPathError, ValueError) as error:  # the latter for what no XML can hold
        raise _bad_xpath(value, str(error)) from None
    matches = (
        [elements[each] for each in found if isinstance(each, etree._Element)] if isinstance(found, list) else []
    )
    if not isinstance(found, list) or len(matches) < len(found):
        raise _bad_xpath(value, "it does not lead to elements")
    return matches


def _bad_xpath(value: str, why: str) -> WdaError:
    return invalid_selector(f'Invalid XPath expression "{value}": {why}')


_STRATEGIES: dict[str, Callable[[str, XCElement], list[XCElement]]] = {
    "id": _by_name,
    "name": _by_name,
    "accessibility id": _by_name,
    "class name": _by_class,
    "predicate string": _by_predicate,
    "class chain": find_chain,
    "xpath": _by_xpath,
    "link text": lambda value, root: _by_link(value, root, partial=False),
    "partial link text": lambda value, root: _by_link(value, root, partial=True),
}
