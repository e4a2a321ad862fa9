"""What the other report plugins are given, where a run uses them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_replicant.reporting.artifacts.storage import trace_schema
from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
from pytest_replicant import Secret

def test_pass(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    with mobile.step("Sign in"):
        mobile.fill(text="Email", value=Secret("ada@secret.example"))
        mobile.fill(text="Password", value=Secret("correct horse"))
        mobile.tap(text="Sign in").expect_screen("Catalogue")
    mobile.attach("notes", "what a person would add")

def test_fail(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Nowhere")
"""


def test_the_trace_holds_the_device_log_of_each_moment(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    def test_cart(mobile):
        mobile.launch("dev.replicant.lab").expect_app("foreground")
        mobile.shell(["log", "-t", "Shop", "between the two"])
        mobile.home()
    """
    run(source, "--replicant-output=out").assert_outcomes(passed=1)
    (document,) = trace_records(pytester.path)
    (line,) = [line for line in document["logs"] if line["tag"] == "Shop"]
    launched, *_, home = document["events"]
    assert launched["start_ms"] <= line["at_ms"] <= home["start_ms"] + 5
    assert line["message"] == "between the two"


def test_the_trace_is_valid_and_holds_no_secret(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out").assert_outcomes(passed=1, failed=1)
    documents = trace_records(pytester.path)
    assert {document["test"]["outcome"] for document in documents} == {"passed", "failed"}
    for document in documents:
        jsonschema.validate(document, trace_schema())
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({key: value for key, value in document.items() if key != "events"}, trace_schema())
    for path in (pytester.path / "out").rglob("*"):
        if path.is_file():
            assert b"ada@secret.example" not in path.read_bytes(), path
            assert b"correct horse" not in path.read_bytes(), path


def test_a_secret_in_the_source_reaches_no_report(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    from pytest_replicant import Secret

    def test_fail(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        print("typing", "hunter2")
        mobile.fill(text="Email", value=Secret("hunter2"))
        mobile.fill(text="Nowhere", value=Secret('never typed'))
    """
    files = ("--replicant-output=out", "--alluredir=allure", "--html=report.html", "--junitxml=junit.xml")
    result = run(source, *files, "-l")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*mobile.fill(text=\"Email\", value=Secret('•••'))*"])
    result.stdout.no_fnmatch_line("*hunter2*")
    for path in pytester.path.rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            assert b"hunter2" not in path.read_bytes(), path
            assert b"never typed" not in path.read_bytes(), path


def test_pytest_html_links_the_trace(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("pytest_html")
    run(SOURCE, "--replicant-output=out", "--html=report.html", "--self-contained-html")
    page = (pytester.path / "report.html").read_text("utf-8")
    links = set(re.findall(r"out/[^\"&\\]+?/trace\.html", page))
    assert len(links) == 2
    assert all((pytester.path / link).exists() for link in links)


def test_allure_has_steps_and_attachments(run: Run, pytester: pytest.Pytester) -> None:
    run(SOURCE, "--replicant-output=out", "--alluredir=allure")
    results: dict[str, Any] = {}
    for path in (pytester.path / "allure").glob("*-result.json"):
        result = json.loads(path.read_text("utf-8"))
        results[result["name"]] = result
    assert results["test_pass"]["status"] == "passed"
    assert results["test_fail"]["status"] == "failed"
    names = list(_names(results["test_pass"]["steps"]))
    assert names[0] == "launch dev.replicant.shop"
    assert any(name.startswith("expect_screen Catalogue") for name in names)
    assert {item["name"] for item in results["test_fail"]["attachments"]} >= {"trace.html", "trace.json"}
    passed = {item["name"] for item in results["test_pass"]["attachments"]}
    assert passed.isdisjoint({"trace.html", "trace.json"}), "it says where they are"


def test_a_folder_that_cannot_be_written_never_fails_a_test(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "out").write_text("a file where the folder should be")
    result = run(SOURCE, "--replicant-output=out")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*not recorded in full*"])


def test_the_run_has_an_index(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SOURCE, "--replicant-output=out")
    (index,) = Path(pytester.path / "out").glob("*/index.html")
    result.stdout.fnmatch_lines([f"report: out/{index.parent.name}/index.html"])


def test_a_wait_in_vain_names_the_page_and_its_own_line(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        """
    def test_waits(mobile):
        mobile.launch("dev.replicant.shop")
        mobile.wait_for(text="Never", timeout=0.1)
    """,
        "--replicant-output=out",
    )
    result.stdout.fnmatch_lines(["E *Open: out/*/trace.html"])
    (path,) = (pytester.path / "out").glob("*/*/trace.json")
    wait = json.loads(path.read_text())["events"][-1]
    assert wait["kind"] == "wait"
    assert wait["source_text"] == 'mobile.wait_for(text="Never", timeout=0.1)'


def _names(steps: list[dict[str, Any]]) -> Iterator[str]:
    for step in steps:
        yield step["name"]
        yield from _names(step.get("steps", []))
