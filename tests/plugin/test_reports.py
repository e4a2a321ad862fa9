"""What a trace holds beside the steps, and what pytest-html and the terminal say of it."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
def test_pass(mobile):
    mobile.launch("dev.replicant.lab").expect_app("foreground")
    mobile.shell(["log", "-t", "Shop", "between the two"])
    mobile.home()

def test_waits(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.wait_for(text="Never", timeout=0.1)
"""


def test_the_trace_has_the_log_of_each_moment_and_a_wait_in_vain_its_line(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(SOURCE, "--replicant-output=out", "--html=report.html", "--self-contained-html")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *Open: out/*/trace.html"])
    passed, failed = trace_records(pytester.path)
    (line,) = [line for line in passed["logs"] if line["tag"] == "Shop"]
    launched, *_, home = passed["events"]
    assert launched["start_ms"] <= line["at_ms"] <= home["start_ms"] + 5
    assert line["message"] == "between the two"
    wait = failed["events"][-1]
    assert (wait["kind"], wait["source_text"]) == (
        "wait",
        'mobile.wait_for(text="Never", timeout=0.1)',
    )
    links = {
        *re.findall(
            r"out/[^\"&\\]+?/trace\.html", (pytester.path / "report.html").read_text("utf-8")
        )
    }
    assert len(links) == 2
    assert all((pytester.path / link).is_file() for link in links)
