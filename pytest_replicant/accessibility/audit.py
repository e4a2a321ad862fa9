"""An audit of one screen: each rule that can be run, and what its findings are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from PIL.Image import Image

from ..errors import UndecidableText
from ..model import AuditIssue, Element, Node, Rect, Strings
from ..snapshots import Snapshot
from ..vision import opened, packed
from .finding import APPLE, APPLE_RULE, RULES, Audit, Finding
from .rules import HIERARCHY, PICTURE, Drawn, Found, Screen, unexposed_text

UNEXPOSED = "unexposed-text"
_MARGIN = 8  # pixels around an element in a crop


def findings(
    snapshot: Snapshot,
    *,
    density: float | None,
    picture: bytes | None = None,
    texts: Sequence[Drawn] | None = None,
    rules: Collection[str] | None = None,
    why: Mapping[str, str] | None = None,
    issues: Iterable[AuditIssue] | None = None,
    crops: bool = True,
) -> Audit:
    """Audits one screen. ``density`` is pixels a dp or point, None if the phone did not say. ``picture`` is the
    screenshot of the same screen as PNG, ``texts`` those drawn on it; rules that need what it lacks are not run,
    and ``why`` says more of a rule. ``rules`` limits them by name. ``issues`` are those of the phone's own audit
    of it, None if it was not asked. Raises ``SnapshotError`` for a picture that is none."""
    screen = Screen(snapshot, density)
    image = opened(picture) if picture is not None else None
    if image is not None and image.size != tuple(snapshot.size):
        image = None  # of another screen, or turned meanwhile: no evidence
    shown = image if crops else None
    found: list[Finding] = []
    not_run: dict[str, str] = {}
    asked = [
        name
        for name, rule in RULES.items()
        if (rules is None or name in rules) and snapshot.platform in rule.platforms
    ]
    for name in asked:
        missing = _missing(name, screen, image, texts, issues)
        if missing:
            not_run[name] = (why or {}).get(name) or missing
            continue
        for one in _run(name, screen, image, texts):
            element, place = screen.element_of(one.node), one.bounds or one.node.bounds
            found.append(finding_of(snapshot, name, one.message, element, place, one.node, shown))
    ran = tuple(name for name in asked if name not in not_run)
    if issues is not None and APPLE_RULE in ran:
        found = merged(screen, found, issues, shown)
    return Audit(_numbered(sorted(found, key=lambda one: (one.node, one.rule))), not_run, ran)


def _missing(name: str, screen: Screen, image: Image | None, texts: Sequence[Drawn] | None, issues: object) -> str:
    """Why a rule cannot be run, "" if it can."""
    needs = RULES[name].needs
    if needs == "phone" and issues is None:
        return "the phone was not asked for its own audit"
    if name == "touch-target" and screen.density is None:
        return "the phone did not say how dense its screen is"
    if needs == "picture" and image is None:
        return "there is no screenshot of this screen"
    return "no text was recognised on a screenshot" if needs == "ocr" and texts is None else ""


def _run(name: str, screen: Screen, image: Image | None, texts: Sequence[Drawn] | None) -> Iterator[Found]:
    if name in HIERARCHY:
        yield from HIERARCHY[name](screen)
    elif name in PICTURE and image is not None:
        yield from PICTURE[name](screen, image)
    elif name == UNEXPOSED and texts is not None:
        yield from unexposed_text(screen, texts)


def finding_of(
    snapshot: Snapshot,
    rule: str,
    message: str,
    element: Element | None,
    bounds: Rect,
    node: Node | None,
    image: Image | None,
) -> Finding:
    """The finding about an element of a screen, or about a part of it that no element stands for."""
    locator = _locator(snapshot, element.ref) if element is not None else ""
    part = ""
    if node is not None and element is not None and node.index != element.index:
        part = node.resource_id or f"{node.class_name} {node.index - element.index}"
    where = locator or (f"{node.class_name} {node.resource_id}".strip() if node is not None else message)
    crop = cropped(image, bounds)
    return Finding(
        rule=rule,
        message=message,
        ref=element.ref if element is not None else "",
        label=element.label if element is not None else "",
        class_name=(node or snapshot.nodes[0]).class_name,
        bounds=bounds,
        locator=locator,
        screen=snapshot.screen,
        platform=snapshot.platform,
        key=" | ".join(filter(None, (rule, snapshot.platform, snapshot.screen or snapshot.app, where, part))),
        crop=packed(crop) if crop is not None else None,
        node=node.index if node is not None else -1,
    )


def _locator(snapshot: Snapshot, ref: str) -> str:
    """The code that finds an element; "" if a dump has dots for emoji, and the phone cannot be asked which."""
    try:
        return snapshot.selector(ref).code
    except UndecidableText:
        return ""


def _numbered(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with keys of their own: look-alikes are counted."""
    times: dict[str, int] = {}
    numbered: list[Finding] = []
    for one in found:
        times[one.key] = times.get(one.key, 0) + 1
        numbered.append(replace(one, key=f"{one.key} | {times[one.key]}") if times[one.key] > 1 else one)
    return tuple(numbered)


def cropped(image: Image | None, bounds: Rect) -> Image | None:
    """A part of a picture and a little around it; None if nothing of it is in the picture."""
    if image is None or bounds.is_empty:
        return None
    part = bounds.inset(-_MARGIN).intersect(Rect(0, 0, *image.size))
    return None if part.is_empty else image.crop(part)


# --- Apple's own audit: its issues as findings, each of the one element that it means ---------------------

SAME_DEFECT: Mapping[str, Strings] = {
    "SufficientElementDescription": ("missing-label",),
    "HitRegion": ("touch-target",),
    "Contrast": ("text-contrast", "image-contrast"),
    "ElementDetection": ("unexposed-text",),
}
"""By Apple's name of what it looked at: rules of ours that find the same."""

_ROUNDED = 1  # points, by which WebDriverAgent's whole ones may differ from a pixel of the hierarchy
_NOWHERE = Rect(0, 0, 0, 0)


def merged(
    screen: Screen, found: Sequence[Finding], issues: Iterable[AuditIssue], image: Image | None
) -> list[Finding]:
    """The findings of our rules, and Apple's: if both speak of one element and one defect it is one finding,
    with both sources."""
    places = {(one.rule, one.ref): at for at, one in enumerate(found) if one.ref}
    both = list(found)
    for issue in issues:
        element = element_of(screen, issue)
        ours = [places.get((rule, element.ref)) for rule in SAME_DEFECT.get(issue.kind, ())] if element else []
        at = next((one for one in ours if one is not None), None)
        if at is not None:
            both[at] = replace(both[at], sources=tuple(dict.fromkeys((*both[at].sources, APPLE))))
        else:
            both.append(_issue_found(screen, issue, element, image))
    return both


def _issue_found(screen: Screen, issue: AuditIssue, element: Element | None, image: Image | None) -> Finding:
    message = issue.summary if not issue.detail else f"{issue.summary}: {issue.detail}"
    place, node = issue.bounds or _NOWHERE, None
    if element is not None:
        place, node = element.bounds, element.node
    made = finding_of(screen.snapshot, APPLE_RULE, message or issue.kind, element, place, node, image)
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
