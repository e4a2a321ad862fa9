"""What pytest-html really shows: it is run, in a pytest of its own, over a trace of ours."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.model import Redactor
from pytest_replicant.reporting.pytest_html import summary_markup
from pytest_replicant.reporting.redaction import redacted_trace
from pytest_replicant.reporting.trace_files import TraceFiles

from .factory import recovered_trace

pytest_plugins = ["pytester"]

CONFTEST = """
import pytest
from pathlib import Path
from pytest_replicant.model import Redactor
from pytest_replicant.reporting.redaction import redacted_trace
from pytest_replicant.reporting.trace_files import write_trace
from pytest_replicant.reporting.pytest_html import html_extras
from tests.unit.reporting.factory import hostile_trace
from tests.unit.reporting.story import failing_story

TRACE = failing_story()
if {hostile!r}:
    TRACE = hostile_trace({hostile!r})

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        redactor = Redactor(["ada@example.com"])
        files = write_trace(TRACE, Path("out"), "run", redactor)
        if item.config.pluginmanager.hasplugin("html") and item.config.getoption("htmlpath"):
            report_html = Path(item.config.getoption("htmlpath"))
            extras = html_extras(redacted_trace(TRACE, redactor), files, report_html)
            report.extras = [*getattr(report, "extras", []), *extras]
    return report
"""


def _run(pytester: pytest.Pytester, *arguments: str, hostile: str = "") -> None:
    pytester.makeconftest(CONFTEST.format(hostile=hostile))
    pytester.makepyfile("def test_shop(): assert 1 == 2")
    result = pytester.runpytest_subprocess("-p", "no:randomly", "-p", "no:xdist", *arguments)
    result.assert_outcomes(failed=1)
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--self-contained-html",)])
def test_pytest_html_links_to_the_trace(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PYTHONPATH", _root())
    _run(pytester, "--html=reports/r.html", *more)
    row = _html_row(pytester.path / "reports" / "r.html")
    (link,) = [extra for extra in row["extras"] if extra["format_type"] == "url"]
    assert link["name"] == "Replicant trace, attempt 2"
    assert (pytester.path / "reports" / link["content"]).resolve().is_file()
    (summary,) = [extra for extra in row["extras"] if extra["format_type"] == "html"]
    assert summary["content"].count("<tr>") == 11
    assert "data:image/webp;base64," in summary["content"]


def test_pytest_html_shows_recoveries_and_deaths() -> None:
    trace = redacted_trace(recovered_trace("failed"), Redactor(["no cart"]))
    markup = summary_markup(trace, TraceFiles(Path(), None, None))
    assert "<p>dev.replicant.shop died: ••• (Cart.kt:4)" in markup
    assert "<p>Recovered: ELEMENT_NOT_FOUND of tap text=&quot;Sign in&quot;" in markup
    assert "<p>Recovery would have tried: VERIFICATION_FAILED of expect_visible" in markup


@pytest.mark.slow
def test_pytest_html_shows_hostile_text_as_text(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", _root())
    _run(pytester, "--html=r.html", hostile="</td></script><img src=x onerror=alert(1)>\x00\u202e")
    (summary,) = [
        extra for extra in _html_row(pytester.path / "r.html")["extras"] if extra["format_type"] == "html"
    ]
    assert "<img" not in summary["content"]
    assert "&lt;img" in summary["content"]


def _html_row(path: Path) -> dict[str, Any]:
    import html

    found = re.search(r'data-jsonblob="([^"]*)"', path.read_text(encoding="utf-8"))
    assert found is not None
    tests: dict[str, list[dict[str, Any]]] = json.loads(html.unescape(found[1]))["tests"]
    (rows,) = tests.values()
    return rows[0]


def _root() -> str:
    return str(Path(__file__).parents[3])
