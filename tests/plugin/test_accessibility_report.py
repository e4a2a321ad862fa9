"""``--replicant-accessibility=report``: screens that a run visits anyway are judged, and nothing
else changes."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_replicant.reporting import accessibility_schema
from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.ci]

PICTURES = True
REPORT = "--replicant-accessibility=report"
SUITE = """
import pytest
from pytest_replicant import Secret

LAB = "dev.replicant.lab"

@pytest.mark.parametrize("number", [1, 4, 8])
def test_defects(mobile, number):
    mobile.launch(LAB)
    mobile.open_url(f"lab://accessibility-defects?defect={number}", LAB).expect_visible(text="Pay")

def test_sound(mobile):
    mobile.launch(LAB)
    mobile.open_url("lab://accessibility-defects", LAB).expect_visible(text="Pay")

def test_fails(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret("ada@secret.example"))
    mobile.tap(text="Forgot password?").expect_screen("Nowhere")
"""
FOUND = {"missing-label", "touch-target", "text-contrast"}


def written(folder: Path) -> dict[str, Any]:
    (path,) = (folder / "out").glob("*/accessibility.json")
    document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    jsonschema.validate(document, accessibility_schema())
    return document


def findings(document: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        (one["key"], one["ref"], one["message"], *(test["test"] for test in one["tests"]))
        for one in document["findings"]
    ]


def calls(folder: Path, test: str) -> list[str]:
    """What was asked of the phone, by the cassette of a test."""
    (path,) = (folder / "out").glob(f"*/{test}*/cassette.json.gz")
    entries = json.loads(gzip.decompress(path.read_bytes()))["entries"]
    return [entry[1] for entry in entries if not entry[1].startswith("#")]


def test_each_screen_is_judged_and_no_outcome_changes(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SUITE, REPORT, "--replicant-output=out", "--alluredir=allure")
    result.assert_outcomes(passed=4, failed=1)
    made = written(pytester.path)
    of_lab = [one for one in made["findings"] if one["app"] == "dev.replicant.lab"]
    assert {one["rule"] for one in of_lab} >= FOUND
    label = next(one for one in of_lab if one["rule"] == "missing-label")
    assert label["locator"] == 'by(resource_id="search")'
    assert label["ref"]
    (run_folder,) = (path.parent for path in (pytester.path / "out").glob("*/accessibility.json"))
    assert (run_folder / label["crop"]).is_file()
    (test,) = label["tests"]
    assert (run_folder / test["trace"]).is_file()
    assert test["test"].endswith("test_defects[1]")
    assert test["step"].startswith("a")
    totals = made["totals"]
    counts = f"{totals['findings']} findings of 9 rules on {totals['screens']} screens"
    result.stdout.fnmatch_lines([f"accessibility: {counts}: out/*/accessibility.html"])
    index = (run_folder / "index.html").read_text("utf-8")
    assert '"page":"accessibility.html"' in index
    for name in ("accessibility.html", "accessibility.json"):
        assert "ada@secret.example" not in (run_folder / name).read_text("utf-8")
    results = [
        json.loads(path.read_text("utf-8"))
        for path in (pytester.path / "allure").glob("*-result.json")
    ]
    (first,) = (one for one in results if one["name"] == "test_defects[1]")
    (source,) = (one["source"] for one in first["attachments"] if one["name"] == "accessibility")
    text = (pytester.path / "allure" / source).read_text("utf-8")
    assert "  missing-label: ImageButton" in text
    assert 'by(resource_id="search")' in text


def test_no_phone_is_asked_for_more_and_nothing_is_judged_unasked(
    run: Run, pytester: pytest.Pytester
) -> None:
    chosen = ("-k", "defects and 4", "--replicant-output=out")
    run(SUITE, *chosen).stdout.no_fnmatch_line("accessibility:*")
    assert not [*(pytester.path).rglob("accessibility.*")]
    plain = calls(pytester.path, "test-defects")
    shutil.rmtree(pytester.path / "out")
    run(SUITE, REPORT, *chosen)
    assert calls(pytester.path, "test-defects") == plain


@pytest.mark.thorough
def test_workers_say_the_same(run: Run, pytester: pytest.Pytester) -> None:
    run(SUITE, REPORT, "--replicant-output=out")
    alone = written(pytester.path)
    shutil.rmtree(pytester.path / "out")
    run(SUITE, REPORT, "--replicant-output=out", "-n", "2")
    shared = written(pytester.path)
    assert findings(alone) == findings(shared)
    assert alone["totals"] == shared["totals"]


def test_a_recording_has_the_audit_of_the_phone(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    LAB = "dev.replicant.lab"

    def test_findings(mobile):
        mobile.launch(LAB)
        mobile.open_url("lab://accessibility-defects?defect=1", LAB)
        found = mobile.accessibility_findings(rules=["missing-label", "apple-audit"])
        assert [one.sources for one in found] == [("pytest-replicant", "Apple")]
        mobile.expect_no_accessibility_findings(rules=["apple-audit"], timeout=0)
    """
    phone = "--replicant-device=virtual:ios?latency=0"
    run(source, phone, "--replicant-output=out").assert_outcomes(failed=1)
    assert "accessibility_audit" in calls(pytester.path, "test-findings")
    result = run(source, "--replicant-replay=out", "--replicant-output=again")
    result.stdout.fnmatch_lines(
        ["REPRODUCED at step 3 of 3: *none of apple-audit*1 finding of 1 rule*"]
    )
