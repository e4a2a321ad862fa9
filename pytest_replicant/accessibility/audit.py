"""An audit of one screen: each rule that can be run, and what its findings are called."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from PIL.Image import Image

from ..errors import UndecidableText
from ..model import AuditIssue, Element, Node, Rect
from ..snapshots import Snapshot
from ..vision import opened, packed
from .apple import merged
from .finding import APPLE_RULE, RULES, Audit, Finding
from .pictures import PICTURE, Drawn, unexposed_text
from .rules import HIERARCHY, Found, Screen

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
        found += [
            _finding(screen, name, one, image if crops else None) for one in _run(name, screen, image, texts)
        ]
    ran = tuple(name for name in asked if name not in not_run)
    if issues is not None and APPLE_RULE in ran:
        make = partial(finding_of, snapshot, image=image if crops else None)
        found = merged(screen, found, issues, make)
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


def _finding(screen: Screen, rule: str, found: Found, image: Image | None) -> Finding:
    element = screen.element_of(found.node)
    return finding_of(
        screen.snapshot,
        rule,
        found.message,
        element,
        found.bounds or found.node.bounds,
        node=found.node,
        image=image,
    )


def finding_of(
    snapshot: Snapshot,
    rule: str,
    message: str,
    element: Element | None,
    bounds: Rect,
    *,
    node: Node | None = None,
    image: Image | None = None,
) -> Finding:
    """The finding about an element of a screen, or about a part of it that no element stands for."""
    node = node or (element.node if element is not None else None)
    locator = _locator(snapshot, element.ref) if element is not None else ""
    part = ""
    if node is not None and element is not None and node.index != element.index:
        part = node.resource_id or f"{node.class_name} {node.index - element.index}"
    where = locator or (f"{node.class_name} {node.resource_id}".strip() if node is not None else message)
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
        crop=crop_of(image, bounds) if image is not None and not bounds.is_empty else None,
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


def crop_of(image: Image, bounds: Rect) -> bytes | None:
    """A PNG of a part of a picture and a little around it; None if nothing of it is in the picture."""
    part = bounds.inset(-_MARGIN).intersect(Rect(0, 0, *image.size))
    if part.is_empty:
        return None
    return packed(image.crop(part))
