"""``accessibility_findings`` and ``expect_no_accessibility_findings``, on the lab's form with
planted defects."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant import DeviceError, ExpectationFailed, Secret, UsageError, by
from pytest_replicant.accessibility import RULES
from pytest_replicant.drivers import Platform
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import IPHONE, Button, Column, IconButton, Text
from pytest_replicant.vision import has_ocr

from ..on_phone import lab_on, lab_phone, page_on
from .baseline_files import BaselineFiles

DEFECTS = (
    "missing-label", "duplicate-label", "role-in-label", "touch-target", "duplicate-bounds",
    "hidden-text", "unclear-link", "text-contrast", "image-contrast",
)  # fmt: skip
ON_IPHONES = {
    "missing-label",
    "duplicate-label",
    "role-in-label",
    "touch-target",
    "text-contrast",
    "image-contrast",
}
BY_PICTURE = [name for name, rule in RULES.items() if rule.needs in ("hierarchy", "picture")]


@pytest.fixture(scope="module", params=["android", "ios"])
def phone(request: pytest.FixtureRequest) -> Iterator[VirtualDevice]:
    with lab_phone(request.param) as device:
        yield device


@pytest.fixture(scope="module")
def android() -> Iterator[VirtualDevice]:
    with lab_phone() as device:
        yield device


def with_files(session: DeviceSession, root: Path, *, updating: bool = False) -> BaselineFiles:
    files = session._context.baselines = BaselineFiles(root, updating)
    return files


def test_the_form_has_no_defect(phone: VirtualDevice) -> None:
    with lab_on(phone, "accessibility-defects") as mobile:
        audit = mobile.accessibility_findings(rules=BY_PICTURE)
        assert str(audit) == f"no findings of {9 if mobile.platform == 'android' else 7} rules"
        mobile.expect_no_accessibility_findings(rules=BY_PICTURE)


def test_a_heading_between_rows_is_no_control(phone: VirtualDevice) -> None:
    with lab_on(phone) as mobile:
        mobile.expect_no_accessibility_findings()


@pytest.mark.parametrize("number", range(1, len(DEFECTS) + 1), ids=DEFECTS)
def test_a_planted_defect_is_found_by_its_rule_alone(phone: VirtualDevice, number: int) -> None:
    rule = DEFECTS[number - 1]
    with lab_on(phone, f"accessibility-defects?defect={number}") as mobile:
        found = mobile.accessibility_findings(rules=BY_PICTURE)
        assert [one.rule for one in found] == [rule] * (
            mobile.platform == "android" or rule in ON_IPHONES
        )
        for one in found:
            assert mobile.snapshot().element(one.ref).bounds == one.bounds
            assert one.crop is not None
            assert one.crop.startswith(b"\x89PNG")
            with pytest.raises(ExpectationFailed, match=rule):
                mobile.expect_no_accessibility_findings(rules=[rule], timeout=0)


@pytest.mark.ci
@pytest.mark.skipif(not has_ocr(), reason="needs the extra ocr")
def test_text_that_is_drawn_and_in_no_hierarchy_is_found(phone: VirtualDevice) -> None:
    with lab_on(phone, "drawn-button") as mobile:
        (found,) = mobile.accessibility_findings(rules=["unexposed-text"])
        assert "'Play' is drawn here" in found.message
    with lab_on(phone, "accessibility-defects") as mobile:
        assert len(mobile.accessibility_findings(rules=["unexposed-text"])) == 0


def test_without_what_reads_pictures_the_rule_is_not_run(
    android: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.vision.has_ocr", lambda: False, raising=False)
    with lab_on(android, "accessibility-defects") as mobile:
        audit = mobile.accessibility_findings()
    assert audit.not_run == {
        "unexposed-text": "it needs OCR. Next: in a checkout of pytest-replicant, pip install "
        "'.[ocr]'"
    }


def test_what_fails_no_test_is_reported_alone(android: VirtualDevice) -> None:
    with lab_on(android, "accessibility-defects?defect=7") as mobile:
        mobile.expect_no_accessibility_findings()
        record = mobile._context.recorder.checks[-1]
        assert record.observed == (
            "no findings of 9 rules; not run: unexposed-text; reported alone: 1"
        )


def test_the_message_says_what_where_and_how_to_find_it(android: VirtualDevice) -> None:
    with (
        lab_on(android, "accessibility-defects?defect=4") as mobile,
        pytest.raises(ExpectationFailed) as failed,
    ):
        mobile.expect_no_accessibility_findings(timeout=0)
    lines = str(failed.value).splitlines()
    assert lines[0].startswith("expect_no_accessibility_findings none on virtual")
    assert "1 finding of 9 rules; not run: unexposed-text" in lines[0]
    assert lines[1].startswith("  touch-target: [")
    assert '62 x 30 dp, and at least 48 x 48 are needed by(resource_id="help")' in lines[1]
    assert failed.value.failure is not None
    assert "accessible" not in str(failed.value).replace("accessibility", "")


def test_it_waits_for_a_screen_that_is_not_finished(android: VirtualDevice) -> None:
    with lab_on(android, "late-content?delay=700") as mobile:
        mobile.expect_no_accessibility_findings(rules=["missing-label"], timeout=3)
        assert "Loading" not in str(mobile.snapshot())


def test_a_screen_that_goes_on_loading_is_undecided(android: VirtualDevice) -> None:
    with lab_on(android, "loading-veil?lasts=0") as mobile:
        mobile.tap(text="Refresh")
        with pytest.raises(ExpectationFailed, match="cannot be decided: the screen is loading"):
            mobile.expect_no_accessibility_findings(timeout=0)


def test_what_an_action_returns_can_be_asked(android: VirtualDevice) -> None:
    with lab_on(android, "accessibility-defects?defect=1") as mobile:
        done = mobile.tap(text="Pay")
        with pytest.raises(ExpectationFailed, match="missing-label"):
            done.expect_no_accessibility_findings(timeout=0)
        done.expect_no_accessibility_findings(ignore="missing-label")


def test_what_is_ignored_is_no_finding_and_others_stay(android: VirtualDevice) -> None:
    search, other = by(resource_id="search"), by(text="Help")
    with lab_on(android, "accessibility-defects?defect=1") as mobile:
        all_of_it: list[Any] = [
            "missing-label",
            ("missing-label", search),
            search,
            mobile.locator(search),
        ]
        for ignore in [*all_of_it, *([one] for one in all_of_it)]:
            mobile.expect_no_accessibility_findings(ignore=ignore)
            assert len(mobile.accessibility_findings(rules=BY_PICTURE, ignore=ignore)) == 0
        others: list[Any] = [
            ["touch-target"],
            [other],
            ("missing-label", other),
            [("touch-target", search)],
        ]
        for ignore in others:
            with pytest.raises(ExpectationFailed, match="missing-label"):
                mobile.expect_no_accessibility_findings(ignore=ignore, timeout=0)


def test_only_new_findings_fail_with_a_baseline(android: VirtualDevice, tmp_path: Path) -> None:
    with lab_on(android, "accessibility-defects?defect=1") as mobile:
        files = with_files(mobile, tmp_path, updating=True)
        mobile.expect_no_accessibility_findings(baseline="known.json")
        files.write()
        known = json.loads((tmp_path / "known.json").read_text())["findings"]
        assert list(known) == ['missing-label | android | Accessibility | by(resource_id="search")']
    with lab_on(android, "accessibility-defects?defect=1") as mobile:
        with_files(mobile, tmp_path)
        mobile.expect_no_accessibility_findings(baseline="known.json")
        assert "in the baseline: 1" in mobile._context.recorder.checks[-1].observed
    with lab_on(android, "accessibility-defects?defect=4") as mobile:
        files = with_files(mobile, tmp_path)
        with pytest.raises(ExpectationFailed, match=r"none but those in known.json .*1 finding"):
            mobile.expect_no_accessibility_findings(baseline="known.json", timeout=0)
        files.updating = True
        mobile.expect_no_accessibility_findings(baseline="known.json")
        files.write()
    assert len(json.loads((tmp_path / "known.json").read_text())["findings"]) == 2


def test_what_is_no_baseline_is_refused(android: VirtualDevice, tmp_path: Path) -> None:
    with lab_on(android, "accessibility-defects") as mobile:
        with_files(mobile, tmp_path)
        for content in (b"", b"[]", b'{"findings": ["a"]}', b"\xff"):
            (tmp_path / "known.json").write_bytes(content)
            with pytest.raises(UsageError, match=r"known\.json (is no baseline|cannot be read)"):
                mobile.expect_no_accessibility_findings(baseline="known.json")


def test_rules_of_the_hierarchy_need_no_picture(
    android: VirtualDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    with lab_on(android, "accessibility-defects?defect=4") as mobile:

        def fails() -> bytes:
            raise DeviceError("screencap was killed")

        monkeypatch.setattr(mobile._context.driver, "screenshot", fails)
        audit = mobile.accessibility_findings(ignore="unexposed-text")
        assert [one.rule for one in audit] == ["touch-target"]
        assert audit.not_run["text-contrast"] == "there is no screenshot: screencap was killed"
        mobile.expect_no_accessibility_findings(rules=["missing-label"])
        with pytest.raises(DeviceError, match="screencap was killed"):
            mobile.expect_no_accessibility_findings(rules=["text-contrast"], timeout=0)


@pytest.mark.parametrize(
    ("colour", "found"),  # greys on white: 4.54 and 2.96 to 1
    [("#767676", set()), ("#969696", {"small", "body", "subtitle", "bold small", "large", "bold"})],
)
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_large_text_needs_less_contrast(platform: Platform, colour: str, found: set[str]) -> None:
    sizes = {"small": 12, "body": 14, "subtitle": 16, "large": 20, "bold small": 12, "bold": 16}

    def build(app: object) -> Column:
        texts = [
            Text(f"Pay {name}", size=size, bold="bold" in name, foreground=colour)
            for name, size in sizes.items()
        ]
        return Column(texts, background="#ffffff")

    with page_on(platform, build) as (mobile, _, _):
        audit = mobile.accessibility_findings(rules=["text-contrast"])
    assert {one.label.removeprefix("Pay ") for one in audit} == found


def test_no_secret_is_in_a_finding_or_in_its_picture() -> None:
    def build(app: object) -> Column:
        return Column(
            [
                Button("hunter2", id="a", height=30, min_height=30, padding=(8, 2)),
                IconButton(icon="star"),
            ]
        )

    with page_on("android", build) as (mobile, _, _):
        plain = mobile.accessibility_findings(rules=["touch-target"]).findings[0]
        mobile._context.known_secret(Secret("hunter2"))
        hidden = mobile.accessibility_findings(rules=["touch-target"]).findings[0]
    assert "hunter2" in plain.label
    assert "hunter2" not in repr(hidden)
    assert "hunter2" not in str(hidden)
    assert plain.crop != hidden.crop


APPLE = ["apple-audit"]


def test_an_iphone_is_asked_for_its_own_audit(phone: VirtualDevice) -> None:
    with lab_on(phone, "accessibility-defects?defect=1") as mobile:
        audit = mobile.accessibility_findings(rules=["missing-label", *APPLE])
        (found,) = [one for one in audit if one.rule == "missing-label"]
        assert ("Apple" in found.sources) == (mobile.platform == "ios")
        assert ("apple-audit" in audit.ran) == (mobile.platform == "ios")


def test_a_check_asks_for_it_by_name_alone() -> None:
    with lab_phone("ios") as device, lab_on(device, "accessibility-defects") as mobile:
        mobile.expect_no_accessibility_findings()
        assert "apple-audit" in mobile._context.recorder.checks[-1].observed
        mobile.expect_no_accessibility_findings(rules=APPLE)
        assert mobile._context.recorder.checks[-1].observed == "no findings of 1 rule"


def test_what_apple_alone_finds_fails_a_check_that_asks_for_it() -> None:
    def build(app: object) -> Column:
        return Column([Text("Cut", id="cut", size=30, height=12)])

    with page_on("ios", build) as (mobile, _, _):
        (found,) = mobile.accessibility_findings(rules=APPLE)
        assert (found.label, found.sources) == ("Cut", ("Apple",))
        with pytest.raises(ExpectationFailed, match="Text clipped"):
            mobile.expect_no_accessibility_findings(rules=APPLE, timeout=0)
        mobile.expect_no_accessibility_findings()


@pytest.mark.ci
def test_where_there_is_none_it_is_not_run_and_no_pass() -> None:
    old = virtual_device("dev.replicant.lab", profile=replace(IPHONE, release="16.4"), start=False)
    with old as device, lab_on(device, "accessibility-defects") as mobile:
        audit = mobile.accessibility_findings()
        assert audit.not_run["apple-audit"].startswith("it came with iOS 17")
        assert audit.not_run["apple-audit"].endswith("this is iOS 16.4")
        with pytest.raises(ExpectationFailed, match="apple-audit was not run: it came with iOS 17"):
            mobile.expect_no_accessibility_findings(rules=APPLE, timeout=0)


def test_a_check_that_runs_no_rule_is_no_pass(phone: VirtualDevice) -> None:
    with lab_on(phone, "accessibility-defects") as mobile:
        rules = ["hidden-text"] if mobile.platform == "ios" else APPLE
        with pytest.raises(
            ExpectationFailed, match="none of these rules is about screens of this platform"
        ):
            mobile.expect_no_accessibility_findings(rules=rules, timeout=0)
        with pytest.raises(ExpectationFailed, match="unexposed-text was not run"):
            mobile.expect_no_accessibility_findings(rules=["unexposed-text"], timeout=0)
