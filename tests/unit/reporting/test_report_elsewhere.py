"""The example that reports a run to other systems, against a server that stands in for all of
them."""

from __future__ import annotations

import importlib.util
import json
import threading
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_replicant.kept_runs import RunRecord, RunRow
from pytest_replicant.plugin import hookspecs
from pytest_replicant.reporting import run_of
from pytest_replicant.reporting.test_reporter import call_each

from .made_rows import row

EXAMPLE = Path(__file__).parents[3] / "docs" / "how-to" / "examples" / "report_elsewhere.py"
SECRET = "hunter2"


class Server:
    """Answers with ``status``, and keeps what it was sent: path, credentials, content."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, str, Any]] = []
        self.status = 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.sent.append(
                    (self.path, self.headers.get("Authorization", ""), json.loads(body))
                )
                answer = b'"a token"' if self.path.endswith("authenticate") else b"ok"
                self.send_response(outer.status)
                self.send_header("Location", f"{outer.url}/elsewhere")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    server = Server()
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for name, value in {
        "SLACK_WEBHOOK": f"{server.url}/services/{SECRET}",
        "REPORT_URL": "https://ci/report",
        "TESTRAIL_URL": server.url,
        "TESTRAIL_USER": "ada@example.com",
        "TESTRAIL_KEY": SECRET,
        "TESTRAIL_RUN": "7",
        "XRAY_URL": server.url,
        "XRAY_CLIENT_ID": "ada",
        "XRAY_CLIENT_SECRET": SECRET,
        "XRAY_EXECUTION": "CALC-9",
    }.items():
        monkeypatch.setenv(name, value)
    yield server
    server.close()


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("report_elsewhere", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def covering(case_id: str, one: RunRow) -> RunRow:
    return replace(one, case_id=case_id)


def run() -> RunRecord:
    rows = (
        covering("C1, CALC-1", row("a")),
        covering("C1", row("b", "failed", "no <!channel> & more")),
        covering("C2", row("c", "infra", "the cable")),
        covering("C3, CALC-3", row("d", "failed", "first")),
        covering("C3, CALC-3", row("d", attempt=1)),
        covering("C4", row("e", "skipped")),
        row("f"),
    )
    return run_of("run", "2026-11-20T19:18:52Z", 4200, rows)


def reported(module: ModuleType) -> list[str]:
    """The lines at the end of the run."""
    manager = pytest.PytestPluginManager()
    manager.add_hookspecs(hookspecs)
    manager.register(module)
    return call_each(manager.hook.pytest_replicant_run, config=None, run=run(), files=None)


def test_each_system_gets_what_it_takes(server: Server) -> None:
    assert reported(example()) == []
    slack, testrail, login, xray = server.sent
    assert slack[:2] == (f"/services/{SECRET}", "")
    assert slack[2]["text"].splitlines()[0] == "1 failed, 1 flaky, 1 infra, 2 passed, 1 skipped"
    assert "&lt;!channel&gt; &amp; more" in slack[2]["text"]
    assert slack[2]["text"].endswith("\n<https://ci/report|report>")
    assert testrail[0] == "/index.php?/api/v2/add_results_for_cases/7"
    assert b64decode(testrail[1].removeprefix("Basic ")).decode() == f"ada@example.com:{SECRET}"
    statuses = {one["case_id"]: one["status_id"] for one in testrail[2]["results"]}
    assert statuses == {1: 5, 2: 4, 3: 1}
    assert testrail[2]["results"][0]["comment"] == "failed: no <!channel> & more"
    assert login == ("/api/v2/authenticate", "", {"client_id": "ada", "client_secret": SECRET})
    assert xray[:2] == ("/api/v2/import/execution", "Bearer a token")
    assert xray[2]["testExecutionKey"] == "CALC-9"
    assert {one["testKey"]: one["status"] for one in xray[2]["tests"]} == {
        "CALC-1": "PASSED",
        "CALC-3": "PASSED",
    }


def test_a_refusal_is_one_line_that_holds_no_secret(server: Server) -> None:
    server.status = 403
    (line,) = reported(example())
    assert (
        "not reported to Slack: HTTPError 403, TestRail: HTTPError 403, Xray: HTTPError 403" in line
    )
    assert "; the result stands" in line
    assert SECRET not in line
    assert len(server.sent) == 3


def test_credentials_follow_no_redirect(server: Server) -> None:
    server.status = 302
    (line,) = reported(example())
    assert "HTTPError 302" in line
    assert not [path for path, *_ in server.sent if "elsewhere" in path]


@pytest.mark.parametrize(
    "url", [f"htps:/{SECRET}", f"http://127.0.0.1:1/ {SECRET}", f"http://127.0.0.1:1/{SECRET}"]
)
def test_an_address_that_is_none_is_not_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("SLACK_WEBHOOK", url)
    (line,) = reported(example())
    assert "not reported to Slack: " in line
    assert SECRET not in line


def test_who_is_not_named_gets_nothing(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLACK_WEBHOOK", "TESTRAIL_KEY", "XRAY_CLIENT_SECRET"):
        monkeypatch.delenv(name)
    assert reported(example()) == []
    assert server.sent == []
