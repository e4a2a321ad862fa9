"""Apple's own audit: its issues as findings, each of the one element that it means, merged with our rules'."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model import AuditIssue, Element, Node, Rect, Strings
from .finding import APPLE, APPLE_RULE, Finding

if TYPE_CHECKING:
    from .rules import Screen

SAME_DEFECT: Mapping[str, Strings] = {
    "SufficientElementDescription": ("missing-label",),
    "HitRegion": ("touch-target",),
    "Contrast": ("text-contrast", "image-contrast"),
    "ElementDetection": ("unexposed-text",),
}
"""By Apple's name of what it looked at: rules of ours that find the same."""

_ROUNDED = 1  # points, by which WebDriverAgent's whole ones may differ from a pixel of the hierarchy
NOWHERE = Rect(0, 0, 0, 0)
Make = Callable[[str, str, "Element | None", Rect], Finding]


def merged(screen: Screen, found: Sequence[Finding], issues: Iterable[AuditIssue], make: Make) -> list[Finding]:
    """The findings of our rules, and Apple's: if both speak of one element and one defect it is one finding,
    with both sources. ``make`` makes a finding of a rule, a message, an element and its place."""
    places = {(one.rule, one.ref): at for at, one in enumerate(found) if one.ref}
    both = list(found)
    for issue in issues:
        element = element_of(screen, issue)
        ours = [places.get((rule, element.ref)) for rule in SAME_DEFECT.get(issue.kind, ())] if element else []
        at = next((one for one in ours if one is not None), None)
        if at is not None:
            both[at] = replace(both[at], sources=tuple(dict.fromkeys((*both[at].sources, APPLE))))
        else:
            both.append(_finding(issue, element, make))
    return both


def _finding(issue: AuditIssue, element: Element | None, make: Make) -> Finding:
    message = issue.summary if not issue.detail else f"{issue.summary}: {issue.detail}"
    place = element.bounds if element is not None else issue.bounds or NOWHERE
    made = make(APPLE_RULE, message or issue.kind, element, place)
    key = made.key.replace(APPLE_RULE, f"{APPLE_RULE} {issue.kind}", 1)  # one element may have several
    if element is None:
        made = replace(made, label=issue.label, class_name=issue.class_name)
        key = f"{key} | {issue.label}" if issue.label else key
    return replace(made, key=key, sources=(APPLE,))


def element_of(screen: Screen, issue: AuditIssue) -> Element | None:
    """The one element on the screen that the issue means; None if none, or more than one, can be meant."""
    if not (issue.bounds or issue.label):
        return None
    here = [
        node for node in screen.nodes if screen.shows(node) and _lies_there(node, issue, screen.density or 1.0)
    ]
    labelled = [node for node in here if issue.label in ("", node.text, node.description)]
    typed = [node for node in labelled if issue.class_name in ("", node.class_name)]
    standing = [screen.element_of(node) for node in typed or labelled]
    meant = {element.ref: element for element in standing if element is not None}
    return next(iter(meant.values())) if len(meant) == 1 else None


def _lies_there(node: Node, issue: AuditIssue, scale: float) -> bool:
    """Whether it is where the issue says, which goes by whole points; if it does not say, anything may be."""
    if issue.bounds is None:
        return True
    near = (_ROUNDED + 0.5) * scale
    return all(abs(one - other) <= near for one, other in zip(node.bounds, issue.bounds, strict=True))
