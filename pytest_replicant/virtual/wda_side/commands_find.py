"""Commands that find elements, from the application or from another element."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..renderers.xcuitest import XCElement, to_xml
from .actions import ELEMENT_KEYS
from .agent import Agent
from .attributes import read, rect_of, refuse_unknown
from .class_chain import find_chain, holds
from .failures import WdaError, invalid_selector, no_element
from .predicate import parse_predicate
from .routes import Call, Route, look
from .session import Session

if TYPE_CHECKING:
    from ..renderers.xcuitest import XCElement


def find(using: str, value: str, root: XCElement) -> list[XCElement]:
    """All matches below ``root``, in document order. Raises ``WdaError`` for a strategy or value
    that is none."""
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

    parser = etree.XMLParser(
        huge_tree=True, resolve_entities=False
    )  # a screen may be as deep as it likes
    document = etree.fromstring(to_xml(root).encode(), parser)
    elements = dict(zip(document.iter(), root.walk(), strict=True))
    try:
        found = document.getroottree().xpath(value)
    except (etree.XPathError, ValueError) as error:  # the latter for what no XML can hold
        raise _bad_xpath(value, str(error)) from None
    matches = (
        [elements[each] for each in found if isinstance(each, etree._Element)]
        if isinstance(found, list)
        else []
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


def find_one(call: Call) -> Any:
    """The first; an error if there is none."""
    found = find_all(call)
    if not found:
        raise no_element(call.text("using"), call.text("value"))
    return found[0]


def find_all(call: Call) -> list[Any]:
    agent, using, value = call.agent, call.text("using"), call.text("value")
    if using in ("predicate string", "class chain"):
        refuse_unknown(value, agent.lacks("attribute"))
    identity = call.names.get("element")
    root = agent.element_now(call.session, identity) if identity else agent.tree_now()
    return [told_now(agent, call.session, each) for each in find(using, value, root)]


def active(call: Call) -> Any:
    """What has the keyboard."""
    for each in call.agent.tree_now().walk():
        if each.focused:
            return told_now(call.agent, call.session, each)
    raise no_element("", "the element that has the keyboard")


def told_now(agent: Agent, session: Session, element: XCElement) -> dict[str, Any]:
    """By both names of its id; unless answers are to be compact, with the attributes that the
    settings name."""
    identity = agent.remember_now(session, element)
    facts: dict[str, Any] = dict.fromkeys(ELEMENT_KEYS, identity)
    if not agent.settings["shouldUseCompactResponses"]:
        names = [name.strip() for name in agent.settings["elementResponseAttributes"].split(",")]
        facts.update(
            {
                name: _fact_of(element, name, agent.lacks("attribute"))
                for name in names
                if name in FACTS or name.startswith(ATTRIBUTE)
            }
        )
    return facts


def _fact_of(element: XCElement, name: str, lacks: frozenset[str]) -> Any:
    return (
        FACTS[name](element)
        if name in FACTS
        else read(element, name.removeprefix(ATTRIBUTE), lacks)
    )


def text_of(element: XCElement) -> str:
    """The value, or else the label."""
    return element.value or element.label or ""


def type_of(element: XCElement) -> str:
    """What WebDriver calls the name of an element."""
    return element.full_type


ATTRIBUTE = "attribute/"
FACTS: dict[str, Callable[[XCElement], Any]] = {
    "displayed": lambda element: element.visible,
    "enabled": lambda element: element.enabled,
    "label": lambda element: element.label,
    "name": type_of,
    "rect": rect_of,
    "selected": lambda element: element.selected,
    "text": text_of,
    "type": type_of,
}
"""The facts of an element that answers may hold besides its id, and attributes beginning with
``attribute/``."""

ROUTES = (
    Route("POST", "/element", look(find_one)),
    Route("POST", "/elements", look(find_all)),
    Route("POST", "/element/:element/element", look(find_one)),
    Route("POST", "/element/:element/elements", look(find_all)),
    Route("GET", "/element/active", look(active)),
)
