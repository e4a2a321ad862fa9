"""The results of a run for Slack, TestRail and Xray. Copy it next to your conftest.py, which names
it: ``pytest_plugins = ["report_elsewhere"]``. What it needs is in the environment; a system that is
not named there gets nothing."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pytest_replicant import RunRecord

PASSED = {"passed", "recovered", "flaky", "requeued", "xpassed"}
FAILED = {"failed", "xfailed"}
SKIPPED = {"skipped"}
# All others (infra, error, known flaky) decide nothing about the app: such a case is to be tested
# again.


def pytest_replicant_run(run: RunRecord) -> None:
    problems = []
    for name, needed, send in (
        ("Slack", "SLACK_WEBHOOK", to_slack),
        ("TestRail", "TESTRAIL_KEY", to_testrail),
        ("Xray", "XRAY_CLIENT_SECRET", to_xray),
    ):
        if not os.environ.get(needed):
            continue
        try:
            send(run)
        except Exception as error:  # its text may hold an address, and that a secret
            code = f" {error.code}" if isinstance(error, HTTPError) else ""
            problems.append(f"{name}: {type(error).__name__}{code}")
    if problems:  # one line at the end of the run, which changes no result
        raise RuntimeError(f"not reported to {', '.join(problems)}") from None


def to_slack(run: RunRecord) -> None:
    outcomes = [result.outcome for result in run.results]
    counts = ", ".join(f"{outcomes.count(one)} {one}" for one in dict.fromkeys(sorted(outcomes)))
    causes = [f"• {len(cause.tests)} × {cause.title}" for cause in run.causes if cause.failures]
    text = "\n".join(
        [counts, *causes[:5], *([f"and {len(causes) - 5} more causes"] if causes[5:] else [])]
    )
    for mark, written in (
        ("&", "&amp;"),
        ("<", "&lt;"),
        (">", "&gt;"),
    ):  # or an app's text could ping a channel
        text = text.replace(mark, written)
    if os.environ.get("REPORT_URL"):
        text += f"\n<{os.environ['REPORT_URL']}|report>"
    post(os.environ["SLACK_WEBHOOK"], {"text": text})


def to_testrail(run: RunRecord) -> None:
    status = {"passed": 1, "failed": 5, "undecided": 4}
    results = [
        {"case_id": int(case[1:]), "status_id": status[verdict], "comment": comment}
        for case, verdict, comment in cases(run)
        if case[0] == "C" and case[1:].isdecimal()
    ]
    user = f"{os.environ['TESTRAIL_USER']}:{os.environ['TESTRAIL_KEY']}".encode()
    call = f"add_results_for_cases/{os.environ['TESTRAIL_RUN']}"
    url = f"{os.environ['TESTRAIL_URL']}/index.php?/api/v2/{call}"
    if results:
        post(url, {"results": results}, f"Basic {base64.b64encode(user).decode()}")


def to_xray(run: RunRecord) -> None:
    """Xray Cloud. A server of your own has another address, a token of yours, and the words PASS
    and FAIL."""
    status = {"passed": "PASSED", "failed": "FAILED", "undecided": "TODO"}
    tests = [
        {"testKey": case, "status": status[verdict], "comment": comment}
        for case, verdict, comment in cases(run)
        if "-" in case
    ]
    if not tests:
        return
    url = os.environ.get("XRAY_URL", "https://xray.cloud.getxray.app")
    secret = {
        "client_id": os.environ["XRAY_CLIENT_ID"],
        "client_secret": os.environ["XRAY_CLIENT_SECRET"],
    }
    token = post(f"{url}/api/v2/authenticate", secret)
    results = {"testExecutionKey": os.environ["XRAY_EXECUTION"], "tests": tests}
    post(f"{url}/api/v2/import/execution", results, f"Bearer {token}")


def cases(run: RunRecord) -> Iterator[tuple[str, str, str]]:
    """Each case of ``@pytest.mark.replicant(id=...)``, its verdict and a comment; of several tests
    the worst."""
    worst = ("passed", "undecided", "failed")
    found: dict[str, tuple[int, str]] = {}
    for result in run.results:
        rows = [run.rows[at] for at in reversed(result.attempts)]
        failure = next(
            (row.failure for row in rows if row.outcome == result.outcome and row.failure), ""
        )
        verdict = (
            "passed"
            if result.outcome in PASSED
            else "failed"
            if result.outcome in FAILED
            else "undecided"
        )
        ranked = (
            worst.index(verdict),
            f"{result.outcome}: {failure}" if failure else result.outcome,
        )
        for case in filter(
            None, rows[0].case_id.split(", ") if result.outcome not in SKIPPED else ()
        ):
            found[case] = max(found.get(case, ranked), ranked, key=lambda one: one[0])
    for case, (rank, comment) in found.items():
        yield case, worst[rank], comment


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would take the credentials along, wherever it leads."""

    def redirect_request(self, *_: Any) -> None:
        return None


def post(url: str, value: object, authorization: str = "") -> Any:
    headers = {
        "Content-Type": "application/json",
        **({"Authorization": authorization} if authorization else {}),
    }
    request = Request(url, json.dumps(value).encode(), headers, method="POST")
    with build_opener(_NoRedirect).open(request, timeout=10) as response:
        body = response.read()
    return json.loads(body) if body[:1] in (b"{", b"[", b'"') else None
