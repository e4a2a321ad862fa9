"""``replicant inspect``: a kept trace on the page, the command line, and how it ends."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import inspect as command_line
from pytest_replicant.errors import ReplicantError, UsageError
from pytest_replicant.exploring import TOKEN_HEADER, KeptTrace

from ..cli.made_reports import Step, write_report
from ..snapshots.screens import SHOP as CATALOGUE
from ..snapshots.screens import button, screen, text
from .inspected import kept, ref_of
from .sessions import SHOP

pytestmark = pytest.mark.ci  # servers of their own

ROOT = Path(__file__).parents[3]
ASKED: dict[str, Any] = {"command": "do", "values": {"steps": ["home()"]}}

# --- a kept trace

SIGN_IN_SCREEN = screen(button("Sign in"), text("Help"), title="Welcome")
TESTS = {
    "buy": [
        Step("tap", 'text="Sign in"', SIGN_IN_SCREEN, CATALOGUE, line=3),
        Step("expect_visible", 'text="Tray"', CATALOGUE, line=5),
    ],
    "look": [Step("tap", 'text="Help"', SIGN_IN_SCREEN)],
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_report(tmp_path, TESTS)


def test_a_kept_trace_is_shown_step_by_step_without_a_phone(run: Path) -> None:
    with kept(f"{run}::test_buy") as page:
        state = page.state()
        assert (state["mode"], state["name"], state["outcome"]) == (
            "trace", "tests/test_buy.py::test_buy", "passed",
        )  # fmt: skip
        titles = [(step["title"], step["before"], step["after"]) for step in state["steps"]]
        assert titles == [
            ('tap text="Sign in"', "s1", "s2"),
            ('expect_visible text="Tray"', "", "s2"),
        ]
        before = page.state("state?screen=s1")
        assert before["screen"]["title"] == "Welcome"
        element = page.state(f"element/s1/{ref_of(before, 'Sign in')}")
        assert element["action"]["code"] == 'by(text="Sign in")'
        assert element["checks"] == []
        assert page.send("GET", "picture/s1").status == 404
        assert page.send("GET", "state?screen=../s1").status == 400
        assert page.state("poll?seen=s1") == {"same": True}
        refused = page.send("POST", "do", {"command": "do", "values": {"steps": ["home()"]}})
        assert refused.status == 400
        assert "there is no phone" in refused.data["error"]


def test_a_hierarchy_that_is_not_what_it_was_is_said(run: Path) -> None:
    for blob in (run / "blobs").glob("*.xml.gz"):
        blob.write_bytes(b"other")
    state = KeptTrace.open(f"{run}::test_buy").state()
    assert state["screen"] is None
    assert "is not what it was" in state["trouble"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("{run}", "has 2 tests"),
        ("{run}::test_none", "no test 'test_none'"),
        ("/nowhere", "/nowhere"),
    ],
)
def test_a_report_that_is_not_one_test(run: Path, given: str, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        KeptTrace.open(given.format(run=run))
    assert said in str(raised.value)
    if "run" in given:
        assert "tests/test_buy.py::test_buy" in str(raised.value)
        assert f"Next: --trace {run}::test_" in str(raised.value)


def test_what_a_trace_says_of_itself_is_not_believed(run: Path) -> None:
    (folder,) = (one.parent for one in run.glob("test-buy-*/trace.json"))
    document = json.loads((folder / "trace.json").read_text())
    picture = {"width": 1, "height": 1}
    forged = {
        "blob": "../../../../etc/passwd",
        "screenshot": {"blob": "/etc/passwd.png", **picture},
    }
    document["snapshots"]["s1"] |= forged
    document["snapshots"]["s2"]["screenshot"] = {"blob": "../../trace.json", **picture}
    document["events"][0] |= {"before": "s99", "after": "s1"}
    (folder / "trace.json").write_text(json.dumps(document))
    trace = KeptTrace.open(f"{run}::test_buy")
    assert (trace.steps[0]["before"], trace.steps[0]["after"]) == ("", "s1")
    assert "names no blob" in trace.state("s1")["trouble"]
    assert trace.picture("s1") is None
    assert trace.picture("s2") is None
    assert trace.state("s2")["screen"]["picture"] is False


# --- the command


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command_line.run.add_to(parser.add_subparsers())
    return parser.parse_args(["inspect", *words])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "takes the id of an APP"),
        (["--trace", "x", "--guard"], "--guard is about a phone"),
        (["--trace", "/nowhere"], "/nowhere"),
        (["com.acme.none", "--device", "virtual"], "com.acme.none"),
        ([SHOP, "--device", "virtul"], "virtul"),
    ],
)
def test_what_cannot_be_inspected(words: list[str], said: str) -> None:
    given = arguments(*words)
    with pytest.raises(ReplicantError) as raised:
        given.perform(given)
    assert said in str(raised.value)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_signal_releases_the_phone_and_prints_what_no_file_has(tmp_path: Path) -> None:
    code = (
        "import argparse; from pytest_replicant.cli import inspect; p = argparse.ArgumentParser();"
        f"inspect.run.add_to(p.add_subparsers()); a = p.parse_args(['inspect', '{SHOP}', '--device',"
        "'virtual?latency=0']); raise SystemExit(a.perform(a))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        address = process.stdout.readline().strip()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]{32})/", address)
        assert found is not None, address
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
        headers = {"Content-Type": "application/json", TOKEN_HEADER: found[2]}
        connection.request("POST", f"/{found[2]}/do", json.dumps(ASKED), headers)
        assert json.loads(connection.getresponse().read())["code"] == 0
        connection.close()
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert "is free. 1 step not saved:\n" in said
    assert said.endswith("  mobile.home()\n")
