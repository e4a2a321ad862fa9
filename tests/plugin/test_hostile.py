"""Ids, names and texts that attack whoever writes or shows them: files that any system takes, and
no markup."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import Run, run_record

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SAFE = re.compile(r"[a-z0-9][a-z0-9.-]*[a-z0-9]")

SOURCE = r"""
import pytest

NAMES = [
    "a\x00b", "</script><img src=x onerror=alert(1)>", "a ]]> b", "user\u202egpj.exe", "x" * 100_000, "../../up",
    "CON", "con", "aux.txt", "dots...", "blanks   ", "\U0001f600", "Case", "case", "half \ud800", "%s{0}",
    "C:\\temp", "$(id)", "-rf", "", "one\ntwo\u2028three",
]

@pytest.mark.parametrize("number", range(len(NAMES)))
def test_names(mobile, number):
    name = NAMES[number]
    mobile.attach(name, name)
    mobile.attach(name, name, "text/html")
    with mobile.step(name):
        mobile.soft.expect_visible(text=name or "-", timeout=0.01)

# Half a surrogate pair among parameters stops Allure, with this plugin and without it.
IDS = [name[:5_000].replace("\ud800", "\ufffd") for name in NAMES]

@pytest.mark.parametrize("name", IDS, ids=lambda name: name)
def test_ids(mobile, name):
    assert not name, name

class Test_日本語_CON:
    def test_ünïcode(self, mobile):
        "</script><img src=x onerror=alert(1)> ]]>"
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_hostile_names(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    files = (
        "--replicant-output=out",
        "--alluredir=allure",
        "--html=report.html",
        "--junitxml=junit.xml",
    )
    result = run(SOURCE, *files, "-n", workers, "-q", "--tb=line")
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    outcomes = result.parseoutcomes()
    assert sum(outcomes.get(name, 0) for name in ("passed", "failed", "errors")) == 43
    output = pytester.path / "out"
    traces = list(output.glob("*/*/trace.json"))
    assert len(traces) == 43
    assert len({path.parent.name.lower() for path in traces}) == 43
    for path in output.rglob("*"):
        assert SAFE.fullmatch(path.name), path
        assert len(str(path.relative_to(output))) <= 160
        assert path.stem.lower() not in ("con", "aux", "nul", "prn")
    assert {path.name for path in pytester.path.glob("*")} >= {
        "out",
        "allure",
        "report.html",
        "junit.xml",
    }
    assert not (pytester.path.parent / "up").exists()
    assert len([*ElementTree.parse(pytester.path / "junit.xml").iter("testcase")]) == 43
    _as_text(output)
    assert len(run_record(pytester.path)["tests"]) == 43
    ours = result.stdout.str().rpartition("- replicant -")[2].partition("short test summary")[0]
    assert "index.html" in ours
    assert [line for line in ours.splitlines() if not line.isprintable()] == []


def _as_text(output: Path) -> None:
    """Nothing that a page carries is markup of an app's or a test's."""
    pages = [*output.glob("*/*/trace.html"), *output.glob("*/index.html")]
    assert len(pages) == 44
    for page in pages:
        text = page.read_text("utf-8")
        assert "<img src=x" not in text, page
        own = 2 if page.name == "index.html" else 3  # its data, its links, its script
        assert text.count("</script>") == own, page
    attachments = {path.suffix for path in output.glob("*/*/attachments/*")}
    assert attachments == {".txt", ".html"}
