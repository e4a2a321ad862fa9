"""The rules as data, and what an audit of one screen found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..model import Rect, Strings, bare, quoted
from ..snapshots.parsers.dump import Platform

Needs = Literal["hierarchy", "picture", "ocr", "phone"]
"""What a rule is judged by: the hierarchy, a screenshot, text recognised in that, or the phone's own audit."""

OURS, APPLE = "pytest-replicant", "Apple"
"""Who found something: a rule of this package, the audit of the phone."""
APPLE_RULE = "apple-audit"
_ATF = "Google, Accessibility Test Framework for Android"


@dataclass(frozen=True)
class Rule:
    """One rule. ``says`` is what it finds, ``source`` where it is from, ``cannot_see`` what it may miss or get
    wrong. ``fails``: a finding of it fails a test by default; of any other rule it is reported alone."""

    name: str
    says: str
    source: str
    cannot_see: str
    platforms: tuple[Platform, ...] = ("android", "ios")
    needs: Needs = "hierarchy"
    fails: bool = True


RULES: Mapping[str, Rule] = {
    rule.name: rule
    for rule in (
        Rule(
            "missing-label",
            "a control has no words: a screen reader cannot say what it is",
            f"{_ATF}, SpeakableTextPresentCheck; WCAG 2.2, 4.1.2",
            "a label that another view gives it (android:labelFor): a field, switch or slider next to a text "
            "counts as labelled; whether the words make sense",
        ),
        Rule(
            "duplicate-label",
            "controls that do different things have one and the same label",
            f"{_ATF}, DuplicateSpeakableTextCheck; WCAG 2.2, 2.4.4",
            "what a control does: different ids on one screen stand for different actions",
            fails=False,
        ),
        Rule(
            "role-in-label",
            "a label says what kind of control it is, which a screen reader adds by itself",
            f"{_ATF}, RedundantDescriptionCheck; Apple, Human Interface Guidelines, Accessibility",
            "other languages than those that it knows the words of; visible text of an Android button",
            fails=False,
        ),
        Rule(
            "touch-target",
            "a control is smaller than a finger needs: 48 x 48 dp, 32 at an edge of the screen; 44 x 44 pt on an "
            "iPhone",
            f"{_ATF}, TouchTargetSizeCheck; Apple, Human Interface Guidelines, Layout; WCAG 2.2, 2.5.5",
            "an area that takes touches for it (TouchDelegate, hitSlop); links in a line of a web page; an "
            "iPhone's rows",
        ),
        Rule(
            "duplicate-bounds",
            "two controls lie exactly on each other: one of them can never be touched",
            f"{_ATF}, DuplicateClickableBoundsCheck",
            "which of the two does something",
            platforms=("android",),
            fails=False,
        ),
        Rule(
            "hidden-text",
            "a description of a field is read in place of the text that it holds",
            f"{_ATF}, EditableContentDescCheck",
            "what a screen reader makes of it: some toolkits say both",
            platforms=("android",),
            fails=False,
        ),
        Rule(
            "unclear-link",
            "a link says nothing about where it leads",
            f"{_ATF}, LinkPurposeUnclearCheck; WCAG 2.2, 2.4.4",
            "links inside a text, which are in no hierarchy; other languages than those that it knows",
            fails=False,
        ),
        Rule(
            "text-contrast",
            "a text is hard to tell from its background: less than 4.5 to 1, 3 to 1 for large text",
            f"{_ATF}, TextContrastCheck; WCAG 2.2, 1.4.3",
            "text over a photo, or in several colours; how large the letters were meant: it measures "
            "them, and their strokes",
            needs="picture",
            fails=False,
        ),
        Rule(
            "image-contrast",
            "a picture that can be tapped is hard to tell from its background: less than 3 to 1",
            f"{_ATF}, ImageContrastCheck; WCAG 2.2, 1.4.11",
            "pictures in several colours, and photos",
            needs="picture",
            fails=False,
        ),
        Rule(
            "unexposed-text",
            "a text is drawn that the hierarchy does not have: a screen reader cannot say it",
            f"{_ATF}, UnexposedTextCheck; WCAG 2.2, 1.1.1",
            "scripts that text recognition cannot read; it reads some pictures as text",
            needs="ocr",
            fails=False,
        ),
        Rule(
            APPLE_RULE,
            "Apple's own audit of the app in front speaks against an element",
            "Apple, XCUIApplication performAccessibilityAudit, iOS 17 and later; by WebDriverAgent",
            "what Apple looks at in detail is not published; an issue that fits two elements is of neither; it "
            "was tried on virtual iPhones alone",
            platforms=("ios",),
            needs="phone",
            fails=False,
        ),
    )
}
"""All rules, by name."""


@dataclass(frozen=True)
class Finding:
    """One finding. ``ref`` is that of its element on the screen that was judged, "" if none stands for it;
    ``bounds`` in pixels of the screen, ``locator`` the code that finds the element, "" if nothing does.
    ``crop`` is a PNG of the element and a little around it. ``key`` is the same in every run: the rule, the
    platform, the screen and the locator. ``sources`` say who found it: ``OURS``, ``APPLE`` or both."""

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
    """The findings of one screen, in the order of the hierarchy, and the rules that were not run with the reason
    why. ``ran`` are the rules that were."""

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
        rules = "1 rule" if len(self.ran) == 1 else f"{len(self.ran)} rules"
        found = len(self.findings)
        what = "no findings" if not found else "1 finding" if found == 1 else f"{found} findings"
        apart = f"; not run: {', '.join(self.not_run)}" if self.not_run else ""
        return f"{what} of {rules}{apart}"
