"""Apple's accessibility audit, as an iPhone of iOS 17 and later answers it.

Request, answer and refusals are those of WebDriverAgent (FBCustomCommands.m and
XCUIApplication+FBHelpers.m). What is found goes by rules of our own, from what the app declares;
Apple's are not published, and find more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..renderers.xcuitest import XCElement, to_description, to_json
from .failures import WdaError, invalid_argument, unknown_error
from .routes import Call, Route

if TYPE_CHECKING:
    from ..ui import UiNode

PREFIX = "XCUIAccessibilityAuditType"
NAMES = (
    *("Action", "All", "Contrast", "DynamicType", "ElementDetection", "HitRegion", "ParentChild"),
    *("SufficientElementDescription", "TextClipped", "Trait"),
)
FIRST_RELEASE = 17
AUDIT_MS = 1500  # on a phone that takes its time; Apple's takes seconds
LEAST_POINTS = 44  # of each side of a control: Apple's Human Interface Guidelines
LEAST_CONTRAST = 4.5  # WCAG 1.4.3
LEAST_OF_LARGE = 3.0
LARGE_POINTS, LARGE_BOLD_POINTS = 18, 14
_CONTROLS = frozenset(
    {
        "Button",
        "Link",
        "Switch",
        "Toggle",
        "Slider",
        "Stepper",
        "TextField",
        "SecureTextField",
        "SearchField",
    }
)
_READ_OUT = _CONTROLS | {"Image", "Cell", "Icon", "TextView"}
_COLOUR = 7  # characters of "#rrggbb"


class Issue(NamedTuple):
    """``kind`` is one of ``NAMES``; of the element the audit gives description and attributes."""

    kind: str
    compact: str
    detailed: str
    element: XCElement


def _undescribed(element: XCElement, _: float, __: str) -> Iterator[Issue]:
    """Read out, and with nothing to say."""
    said = element.label or element.placeholder or element.value
    if element.accessible and element.type in _READ_OUT and not said:
        what = f"This {element.type} is missing useful accessibility information."
        yield Issue("SufficientElementDescription", "Element has no description", what, element)


def _small(element: XCElement, _: float, __: str) -> Iterator[Issue]:
    _, _, width, height = element.frame
    if element.accessible and element.type in _CONTROLS and min(width, height) < LEAST_POINTS:
        what = "The size of this element is too small for user to interact."
        yield Issue("HitRegion", "Hit area is too small", what, element)


def _faint(element: XCElement, scale: float, behind: str) -> Iterator[Issue]:
    """A text whose own colour is too near to what the app declares behind it; where one of them is
    not declared, nothing is known."""
    node = element.node
    if (
        node is None
        or not node.text
        or not element.enabled
        or element.type not in ("StaticText", "Button")
    ):
        return
    colours = node.look.foreground, node.look.background or behind
    if all(len(each) == _COLOUR for each in colours) and _contrast(*colours) < _least_contrast(
        node, scale
    ):
        yield Issue(
            "Contrast",
            "Contrast failed",
            f"Contrast failed for the text of this {element.type}",
            element,
        )


def _clipped(element: XCElement, scale: float, _: str) -> Iterator[Issue]:
    """A line of text that is higher than its place."""
    node = element.node
    if node is None or not node.text or element.type != "StaticText":
        return
    if 0 < node.frame.height < node.look.text_size:
        yield Issue(
            "TextClipped", "Text clipped", f"Text of this {element.type} is clipped", element
        )


RULES: tuple[Callable[[XCElement, float, str], Iterator[Issue]], ...] = (
    _undescribed,
    _small,
    _faint,
    _clipped,
)


def issues_of(tree: XCElement, scale: float) -> list[Issue]:
    """What the rules find on a screen, in document order. ``scale`` is pixels to a point."""
    found: list[Issue] = []
    pending = [(tree, "")]
    while pending:
        element, behind = pending.pop()
        if element.type in ("Keyboard", "StatusBar"):  # the system's, and none of the app's
            continue
        if element.visible and not element.frame.is_empty:
            found += [issue for rule in RULES for issue in rule(element, scale, behind)]
        own = element.node.look.background if element.node is not None else ""
        pending += [(child, own or behind) for child in reversed(element.children)]
    return found


def _least_contrast(node: UiNode, scale: float) -> float:
    large = LARGE_BOLD_POINTS if node.look.bold else LARGE_POINTS
    return LEAST_OF_LARGE if node.look.text_size >= large * scale else LEAST_CONTRAST


def _contrast(one: str, other: str) -> float:
    """The ratio of two colours ``#rrggbb``, from 1 to 21, as WCAG defines it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _asked_for(call: Call) -> frozenset[str]:
    """Names without the prefix. Raises ``WdaError`` for one that there is not."""
    given = call.arguments.get("auditTypes") or [f"{PREFIX}All"]
    if not isinstance(given, list):
        raise invalid_argument(f"'auditTypes' has to be a list of names, not {given!r:.200}")
    known = [PREFIX + name for name in NAMES]
    for name in given:
        if name not in known:
            raise invalid_argument(
                f"Audit type value '{name}' is not known. Only the following audit types are "
                f"supported: {known}"
            )
    return frozenset(name.removeprefix(PREFIX) for name in given)


def _no_audit() -> WdaError:
    """What XCTest of before iOS 17, which has none, makes WebDriverAgent say."""
    why = "Accessibility audit is only supported since iOS 17/Xcode 15"
    return unknown_error(
        f'Error Domain=com.facebook.WebDriverAgent Code=1 "{why}" '
        f"UserInfo={{NSLocalizedDescription={why}}}"
    )


async def perform_audit(call: Call) -> Any:
    """The issues of the active application, of the kinds that were asked for."""
    agent, kinds = call.agent, _asked_for(call)
    if int(agent.phone.profile.release.partition(".")[0]) < FIRST_RELEASE:
        raise _no_audit()
    await agent.phone.pace.take("dump", AUDIT_MS if agent.phone.latency.dump_ms else 0)

    def audit() -> list[dict[str, Any]]:
        found = issues_of(agent.tree_now(), agent.scale)
        return [_reported(issue) for issue in found if issue.kind in kinds or "All" in kinds]

    return await agent.on_phone(audit)


def _reported(issue: Issue) -> dict[str, Any]:
    """Without the two attributes that iOS is slow to tell."""
    element = issue.element
    attributes = to_json(element, max_depth=1)
    label = f'"{element.label}" ' if element.label else ""
    return {
        "detailedDescription": issue.detailed,
        "compactDescription": issue.compact,
        "auditType": PREFIX + issue.kind,
        "element": f"{label}{element.type}",
        "elementDescription": f"Attributes: {to_description(element, max_depth=1)}\nElement "
        "subtree:\n"
        f" →{to_description(element)}\n",
        "elementAttributes": {
            name: attributes[name]
            for name in attributes
            if name not in ("isVisible", "isAccessible")
        },
    }


ROUTES = (Route("POST", "/wda/performAccessibilityAudit", perform_audit, pace=""),)
