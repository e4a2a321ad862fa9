"""Apple's audit among our findings: one defect of one element is one finding, and what fits two is
of neither."""

from __future__ import annotations

import pytest

from pytest_replicant.accessibility import APPLE, OURS, RULES, Audit, Finding, findings
from pytest_replicant.model import AuditIssue, Rect
from pytest_replicant.snapshots import Snapshot

BARE = (100, 100, 44, 44)
SMALL = (100, 200, 20, 20)
SCREEN = "".join(
    [
        '<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="App" label="App" '
        'enabled="true" ',
        'visible="true" x="0" y="0" width="390" height="844" bundleId="dev.example">',
        '<XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" '
        'y="0" ',
        'width="390" height="844">{inside}</XCUIElementTypeWindow></XCUIElementTypeApplication>',
    ]
)


def element(kind: str, at: tuple[int, int, int, int], label: str = "") -> str:
    x, y, width, height = at
    named = f'name="{label}" label="{label}" ' if label else ""
    return (
        f'<XCUIElementType{kind} type="XCUIElementType{kind}" {named}enabled="true" visible="true" '
        f'x="{x}" y="{y}" width="{width}" height="{height}"/>'
    )


def pixels(at: tuple[int, int, int, int], off: int = 0) -> Rect:
    x, y, width, height = at
    return Rect(x * 3 + off, y * 3 + off, (x + width) * 3 + off, (y + height) * 3 + off)


def audit(inside: str, *issues: AuditIssue) -> Audit:
    snapshot = Snapshot.parse(SCREEN.format(inside=inside), scale=3.0)
    return findings(snapshot, density=3.0, issues=issues)


def of_apple(audit: Audit) -> list[Finding]:
    return [one for one in audit.findings if APPLE in one.sources]


INSIDE = element("Button", BARE) + element("Button", SMALL, "Add")


@pytest.mark.parametrize(
    ("kind", "at", "rule"),
    [("SufficientElementDescription", BARE, "missing-label"), ("HitRegion", SMALL, "touch-target")],
)
def test_one_defect_of_one_element_is_one_finding(
    kind: str, at: tuple[int, int, int, int], rule: str
) -> None:
    alone = audit(INSIDE)
    both = audit(
        INSIDE, AuditIssue(kind, "So it is", class_name="Button", bounds=pixels(at, off=1))
    )
    (found,) = of_apple(both)
    assert (found.rule, found.sources) == (rule, (OURS, APPLE))
    assert "; Apple says so, too" in str(found)
    assert [one.key for one in both.findings] == [one.key for one in alone.findings]


def test_what_apple_alone_finds_is_a_finding_of_its_rule_which_fails_no_test() -> None:
    issue = AuditIssue(
        "DynamicType", "No sizes", "It stays as it is", "Add", "Button", pixels(SMALL)
    )
    (found,) = of_apple(audit(INSIDE, issue))
    assert (found.rule, found.message, found.label) == (
        "apple-audit",
        "No sizes: It stays as it is",
        "Add",
    )
    assert found.ref
    assert found.locator == 'by(text="Add")'
    assert not RULES["apple-audit"].fails


def test_two_kinds_of_one_element_have_keys_of_their_own() -> None:
    issues = [AuditIssue(kind, "Odd", bounds=pixels(SMALL)) for kind in ("Trait", "DynamicType")]
    first, second = (one.key for one in of_apple(audit(INSIDE, *issues)))
    assert first != second
    assert {first, second} == {one.key for one in of_apple(audit(INSIDE, *reversed(issues)))}


def test_an_issue_that_fits_two_elements_is_of_neither() -> None:
    twins = element("Button", BARE, "Add") + element("Button", SMALL, "Add")
    (found,) = of_apple(audit(twins, AuditIssue("Contrast", "Faint", label="Add")))
    assert (found.ref, found.locator, found.label) == ("", "", "Add")
    (placed,) = of_apple(
        audit(twins, AuditIssue("Contrast", "Faint", label="Add", bounds=pixels(SMALL)))
    )
    assert placed.ref


def test_an_issue_about_nothing_on_the_screen_names_its_place() -> None:
    away = Rect(900, 900, 960, 960)
    (found,) = of_apple(
        audit(INSIDE, AuditIssue("Contrast", "Faint", class_name="Image", bounds=away))
    )
    assert (found.ref, found.class_name, found.bounds) == ("", "Image", away)
    (nowhere,) = of_apple(audit(INSIDE, AuditIssue("Contrast", "Faint")))
    assert (nowhere.ref, nowhere.bounds.is_empty) == ("", True)


def test_a_phone_that_was_not_asked_is_no_phone_without_issues() -> None:
    snapshot = Snapshot.parse(SCREEN.format(inside=INSIDE), scale=3.0)
    unasked = findings(snapshot, density=3.0)
    assert unasked.not_run["apple-audit"] == "the phone was not asked for its own audit"
    assert "apple-audit" in audit(INSIDE).ran
    why = findings(snapshot, density=3.0, why={"phone": "iOS 16"}).not_run
    assert why["apple-audit"] == "iOS 16"
