"""An audit of one screen: each rule that can be run, and what its findings are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Literal

from PIL.Image import Image

from .. import vision
from ..errors import UndecidableText
from ..model import AuditIssue, Element, Node, Rect, Strings, bare, quoted
from ..snapshots import Snapshot
from ..snapshots.parsers.dump import Platform
from .rules import (
    Found,
    Screen,
    duplicate_bounds,
    duplicate_label,
    hidden_text,
    image_contrast,
    missing_label,
    role_in_label,
    text_contrast,
    touch_target,
    unclear_link,
    unexposed_text,
)

Needs = Literal["hierarchy", "picture", "ocr", "phone"]
"""What a rule is judged by: the hierarchy, a screenshot, text recognised in that, or the phone's
own audit."""

OURS, APPLE = "pytest-replicant", "Apple"
"""Who found something: a rule of this package, the audit of the phone."""
APPLE_RULE = "apple-audit"
_ATF = "Google, Accessibility Test Framework for Android"


@dataclass(frozen=True)
class Rule:
    """One rule. ``says`` is what it finds, ``source`` if it is from, ``cannot_see`` what it may
    miss or get wrong. ``fails``: a finding of it fails a test by default; of any other rule it is
    reported alone."""

    name: str
    says: str
    source: str
    cannot_see: str
    judge: Callable[[Screen], Iterable[Found]] = field(repr=False)
    platforms: tuple[Platform, ...] = ("android", "ios")
    needs: Needs = "hierarchy"
    fails: bool = False


RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "missing-label",
            "a control has no words: a screen reader cannot say what it is",
            f"{_ATF}, SpeakableTextPresentCheck; WCAG 2.2, 4.1.2",
            "a label that another view gives it (android:labelFor): a field, switch or slider "
            "next to a text counts as labelled; whether the words make sense",
            missing_label,
            fails=True,
        ),
        Rule(
            "duplicate-label",
            "controls that do different things have one and the same label",
            f"{_ATF}, DuplicateSpeakableTextCheck; WCAG 2.2, 2.4.4",
            "what a control does: different ids on one screen stand for different actions",
            duplicate_label,
        ),
        Rule(
            "role-in-label",
            "a label says what kind of control it is, which a screen reader adds by itself",
            f"{_ATF}, RedundantDescriptionCheck; Apple, Human Interface Guidelines, Accessibility",
            "other languages than those that it knows the words of; visible text of an Android "
            "button",
            role_in_label,
        ),
        Rule(
            "touch-target",
            "a control is smaller than a finger needs: 48 x 48 dp, 32 at an edge of the screen; "
            "44 x 44 pt on an iPhone",
            f"{_ATF}, TouchTargetSizeCheck; Apple, Human Interface Guidelines, Layout; WCAG 2.2, "
            "2.5.5",
            "an area that takes touches for it (TouchDelegate, hitSlop); links in a line of a web "
            "page; an iPhone's rows",
            touch_target,
            fails=True,
        ),
        Rule(
            "duplicate-bounds",
            "two controls lie exactly on each other: one of them can never be touched",
            f"{_ATF}, DuplicateClickableBoundsCheck",
            "which of the two does something",
            duplicate_bounds,
            platforms=("android",),
        ),
        Rule(
            "hidden-text",
            "a description of a field is read in place of the text that it holds",
            f"{_ATF}, EditableContentDescCheck",
            "what a screen reader makes of it: some toolkits say both",
            hidden_text,
            platforms=("android",),
        ),
        Rule(
            "unclear-link",
            "a link says nothing about where it leads",
            f"{_ATF}, LinkPurposeUnclearCheck; WCAG 2.2, 2.4.4",
            "links inside a text, which are in no hierarchy; other languages than those that it "
            "knows",
            unclear_link,
        ),
        Rule(
            "text-contrast",
            "a text is hard to tell from its background: less than 4.5 to 1, 3 to 1 for large text",
            f"{_ATF}, TextContrastCheck; WCAG 2.2, 1.4.3",
            "text over a photo, or in several colours; how large the letters were meant: it "
            "measures them, and their strokes",
            text_contrast,
            needs="picture",
        ),
        Rule(
            "image-contrast",
            "a picture that can be tapped is hard to tell from its background: less than 3 to 1",
            f"{_ATF}, ImageContrastCheck; WCAG 2.2, 1.4.11",
            "pictures in several colours, and photos",
            image_contrast,
            needs="picture",
        ),
        Rule(
            "unexposed-text",
            "a text is drawn that the hierarchy does not have: a screen reader cannot say it",
            f"{_ATF}, UnexposedTextCheck; WCAG 2.2, 1.1.1",
            "scripts that text recognition cannot read; it reads some pictures as text",
            unexposed_text,
            needs="ocr",
        ),
        Rule(
            APPLE_RULE,
            "Apple's own audit of the app in front speaks against an element",
            "Apple, XCUIApplication performAccessibilityAudit, iOS 17 and later; by WebDriverAgent",
            "what Apple looks at in detail is not published; an issue that fits two elements is "
            "of neither; it was tried on virtual iPhones alone",
            lambda _: (),  # the phone has judged
            platforms=("ios",),
            needs="phone",
        ),
    )
}
"""All rules, by name."""


@dataclass(frozen=True)
class Finding:
    """One finding. ``ref`` is that of its element on the screen that was judged, "" if none stands
    for it; ``bounds`` in pixels of the screen, ``locator`` the code that finds the element, "" if
    nothing does. ``crop`` is a PNG of the element and a little around it. ``key`` is the same in
    every run: the rule, the platform, the screen and the locator. ``sources`` say who found it:
    ``OURS``, ``APPLE`` or both."""

    rule: str
    message: str
    ref: str
    label: str
    class_name: str
    bounds: Rect
    locator: str
    screen: str
    platform: Platform
    key: str
    crop: bytes | None = field(default=None, repr=False, compare=False)
    node: int = field(default=-1, repr=False, compare=False)  # its index in the hierarchy
    sources: Strings = (OURS,)

    def __str__(self) -> str:
        ref = f"[{self.ref}] " if self.ref else ""
        name = f" {quoted(self.label)}" if self.label else ""
        found_by = f"  {self.locator}" if self.locator else ""
        both = f"; {APPLE} says so, too" if {OURS, APPLE} <= {*self.sources} else ""
        return f"{self.rule}: {ref}{bare(self.class_name)}{name}: {self.message}{both}{found_by}"


@dataclass(frozen=True)
class Audit:
    """The findings of one screen, in the order of the hierarchy, and the rules that were not run
    with the reason why. ``ran`` are the rules that were."""

    findings: tuple[Finding, ...]
    not_run: Mapping[str, str]
    ran: Strings

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __str__(self) -> str:
        return "\n".join([self.summary, *(f"  {one}" for one in self.findings)])

    @property
    def summary(self) -> str:
        """One line; it never says that a screen is accessible."""
        apart = f"; not run: {', '.join(self.not_run)}" if self.not_run else ""
        return f"{one_audit(len(self.findings), len(self.ran))}{apart}"


def one_audit(findings: int, rules: int) -> str:
    """ "2 findings of 9 rules". It never says more than that."""
    found = f"{findings or 'no'} finding{'' if findings == 1 else 's'}"
    return f"{found} of {rules} rule{'' if rules == 1 else 's'}"


_MARGIN = 8  # pixels around an element in a crop


def findings(
    snapshot: Snapshot,
    *,
    density: float | None,
    picture: bytes | None = None,
    texts: Sequence[vision.Found] | None = None,
    rules: Collection[str] | None = None,
    why: Mapping[str, str] | None = None,
    issues: Iterable[AuditIssue] | None = None,
    crops: bool = True,
) -> Audit:
    """Audits one screen. ``density`` is pixels a dp or point, None if the phone did not say.
    ``picture`` is the screenshot of the same screen as PNG, ``texts`` those drawn on it; rules that
    need what it lacks are not run, and ``why`` says more of a need. ``rules`` limits them by name.
    ``issues`` are those of the phone's own audit of it, None if it was not asked. Raises
    ``SnapshotError`` for a picture that is none."""
    image = vision.opened(picture) if picture is not None else None
    if image is not None and image.size != tuple(snapshot.size):
        image = None  # of another screen, or turned meanwhile: no evidence
    screen = Screen(snapshot, density, image, texts)
    found: list[Finding] = []
    not_run: dict[str, str] = {}
    ran: list[str] = []
    for name, rule in RULES.items():
        if (rules is not None and name not in rules) or snapshot.platform not in rule.platforms:
            continue
        missing = _missing(name, screen, issues)
        if missing:
            not_run[name] = (why or {}).get(rule.needs) or missing
            continue
        ran.append(name)
        for one in rule.judge(screen):
            element, place = screen.element_of(one.node), one.bounds or one.node.bounds
            found.append(finding_of(snapshot, name, one.message, element, place, one.node))
    if issues is not None and APPLE_RULE in ran:
        found = merged(screen, found, issues)
    # With keys of their own: look-alikes are counted.
    times, numbered = Counter[str](), []
    for each in sorted(found, key=lambda each: (each.node, each.rule)):
        key, crop = each.key, cropped(image, each.bounds) if crops else None
        times[key] += 1
        if times[key] > 1:
            key += f" | {times[key]}"
        numbered.append(
            replace(each, key=key, crop=vision.packed(crop) if crop is not None else None)
        )
    return Audit(tuple(numbered), not_run, tuple(ran))


def _missing(name: str, screen: Screen, issues: object) -> str:
    """Why a rule cannot be run, "" if it can."""
    needs = RULES[name].needs
    if needs == "phone" and issues is None:
        return "the phone was not asked for its own audit"
    if name == "touch-target" and screen.density is None:
        return "the phone did not say how dense its screen is"
    if needs == "picture" and screen.image is None:
        return "there is no screenshot of this screen"
    if needs == "ocr" and screen.texts is None:
        return "no text was recognised on a screenshot"
    return ""


def finding_of(
    snapshot: Snapshot,
    rule: str,
    message: str,
    element: Element | None,
    bounds: Rect,
    node: Node | None,
) -> Finding:
    """The finding about an element of a screen, or about a part of it that no element stands
    for."""
    locator, ref, label, part, where = "", "", "", "", message
    if node is not None:
        where = f"{node.class_name} {node.resource_id}".strip()
    if element is not None:
        ref, label = element.ref, element.label
        # Dots for emoji in a dump may stand for several, and the phone cannot be asked which.
        with suppress(UndecidableText):
            where = locator = snapshot.selector(element.ref).code
        if node is not None and node.index != element.index:
            part = node.resource_id or f"{node.class_name} {node.index - element.index}"
    return Finding(
        rule=rule,
        message=message,
        ref=ref,
        label=label,
        class_name=(node or snapshot.nodes[0]).class_name,
        bounds=bounds,
        locator=locator,
        screen=snapshot.screen,
        platform=snapshot.platform,
        key=" | ".join(
            filter(None, (rule, snapshot.platform, snapshot.screen or snapshot.app, where, part))
        ),
        node=node.index if node is not None else -1,
    )


def cropped(image: Image | None, bounds: Rect) -> Image | None:
    """A part of a picture and a little around it; None if nothing of it is in the picture."""
    if image is None or bounds.is_empty:
        return None
    part = bounds.inset(-_MARGIN).intersect(Rect(0, 0, *image.size))
    return None if part.is_empty else image.crop(part)


# --- Apple's own audit: its issues as findings, each of the one element that it means -------------

SAME_DEFECT: Mapping[str, Strings] = {
    "SufficientElementDescription": ("missing-label",),
    "HitRegion": ("touch-target",),
    "Contrast": ("text-contrast", "image-contrast"),
    "ElementDetection": ("unexposed-text",),
}
"""By Apple's name of what it looked at: rules of ours that find the same."""

# points, by which WebDriverAgent's whole ones may differ from a pixel of the hierarchy
_ROUNDED = 1
_NOWHERE = Rect(0, 0, 0, 0)


def merged(screen: Screen, found: Sequence[Finding], issues: Iterable[AuditIssue]) -> list[Finding]:
    """The findings of our rules, and Apple's: if both speak of one element and one defect it is one
    finding, with both sources."""
    places = {(one.rule, one.ref): at for at, one in enumerate(found) if one.ref}
    both = list(found)
    for issue in issues:
        element = element_of(screen, issue)
        for rule in SAME_DEFECT.get(issue.kind, ()):
            at = places.get((rule, element.ref if element is not None else ""))
            if at is not None:
                both[at] = replace(both[at], sources=(OURS, APPLE))
                break
        else:
            both.append(_issue_found(screen, issue, element))
    return both


def _issue_found(screen: Screen, issue: AuditIssue, element: Element | None) -> Finding:
    message = issue.summary if not issue.detail else f"{issue.summary}: {issue.detail}"
    place, node = issue.bounds or _NOWHERE, None
    if element is not None:
        place, node = element.bounds, element.node
    made = finding_of(screen.snapshot, APPLE_RULE, message or issue.kind, element, place, node)
    # One element may have several.
    key = made.key.replace(APPLE_RULE, f"{APPLE_RULE} {issue.kind}", 1)
    if element is None:
        made = replace(made, label=issue.label, class_name=issue.class_name)
        key = f"{key} | {issue.label}" if issue.label else key
    return replace(made, key=key, sources=(APPLE,))


def element_of(screen: Screen, issue: AuditIssue) -> Element | None:
    """The one element on the screen that the issue means; None if none, or more than one, can be
    meant."""
    if not (issue.bounds or issue.label):
        return None
    near = (_ROUNDED + 0.5) * (screen.density or 1.0)
    labelled = []
    for node in screen.nodes:
        # It lies where the issue says, which goes by whole points; if that does not say, anywhere.
        sides = zip(node.bounds, issue.bounds or node.bounds, strict=True)
        here = screen.shows(node) and all(abs(one - other) <= near for one, other in sides)
        if here and issue.label in ("", node.text, node.description):
            labelled.append(node)
    typed = [node for node in labelled if issue.class_name in ("", node.class_name)]
    standing = [screen.element_of(node) for node in typed or labelled]
    meant = {element.ref: element for element in standing if element is not None}
    return next(iter(meant.values())) if len(meant) == 1 else None
