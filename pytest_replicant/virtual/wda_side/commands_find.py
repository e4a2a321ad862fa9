"""Commands that find elements, from the application or from another element."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..renderers.xcuitest import XCElement
from .actions import ELEMENT_KEYS
from .agent import Agent
from .attributes import read, rect_of, refuse_unknown
from .failures import no_element
from .locators import find
from .routes import Call, Route
from .session import Session


async def find_one(call: Call) -> Any:
    """The first; an error if there is none."""
    found = await _find(call)
    if not found:
        raise no_element(call.text("using"), call.text("value"))
    return found[0]


async def find_all(call: Call) -> Any:
    return await _find(call)


async def _find(call: Call) -> list[Any]:
    agent, using, value = call.agent, call.text("using"), call.text("value")
    await agent.phone.pace.take("rpc")
    if using in ("predicate string", "class chain"):
        refuse_unknown(value, agent.lacks("attribute"))

    def look() -> list[Any]:
        identity = call.names.get("element")
        root = agent.element_now(call.session, identity) if identity else agent.tree_now()
        return [told_now(agent, call.session, each) for each in find(using, value, root)]

    return await agent.on_phone(look)


async def visible_cells(call: Call) -> Any:
    agent = call.agent
    await agent.phone.pace.take("rpc")

    def look() -> list[Any]:
        root = agent.element_now(call.session, call.names["element"])
        cells = [each for each in root.walk() if each.type == "Cell" and each.visible]
        return [told_now(agent, call.session, each) for each in cells]

    return await agent.on_phone(look)


async def active(call: Call) -> Any:
    """What has the keyboard."""
    agent = call.agent
    await agent.phone.pace.take("rpc")

    def look() -> Any:
        for each in agent.tree_now().walk():
            if each.focused:
                return told_now(agent, call.session, each)
        raise no_element("", "the element that has the keyboard")

    return await agent.on_phone(look)


def told_now(agent: Agent, session: Session, element: XCElement) -> dict[str, Any]:
    """By both names of its id; unless answers are to be compact, with the attributes that the settings name."""
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
    return FACTS[name](element) if name in FACTS else read(element, name.removeprefix(ATTRIBUTE), lacks)


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
"""The facts of an element that answers may hold besides its id, and attributes beginning with ``attribute/``."""

ROUTES = (
    Route("POST", "/element", find_one),
    Route("POST", "/elements", find_all),
    Route("POST", "/element/:element/element", find_one),
    Route("POST", "/element/:element/elements", find_all),
    Route("GET", "/element/active", active),
    Route("GET", "/wda/element/:element/getVisibleCells", visible_cells),
)
