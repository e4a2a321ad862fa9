"""The failures of a recorded run in Playwright's own HTML report: tests of the same names and steps that fail with
the same message at the same source line, with the same picture and device log."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pytest_replicant.reporting.triage.runs import FoundRow, FoundRun

from ..processes import ROOT
from ..table import Unmeasurable

_SUITE = """
const { test } = require("playwright/test");
for (const one of require("./tests.json")) {
  test(one.name, async ({}, info) => {
    for (const [at, title] of one.steps.entries())
      await test.step(title, async () => {
        if (at + 1 < one.steps.length || !one.message) return;
        if (one.log) console.log(one.log);
        if (one.picture) await info.attach("screenshot", { path: one.picture, contentType: "image/webp" });
        const error = new Error(one.message);
        error.stack = `Error: ${one.message}\\n    at ${one.name} (${one.file}:${one.line}:5)`;
        throw error;
      });
  });
}
"""
_CONFIG = 'module.exports = { reporter: [["html", { open: "never", outputFolder: "report" }]], workers: 1 };'


def playwright_report(run: FoundRun, folder: Path, packages: Path, sources: Path = ROOT) -> Path:
    """The page of the report, made in ``folder`` by the test runner below ``packages``, a ``node_modules``. The
    run's source files are below ``sources``."""
    folder.mkdir(parents=True)
    tests = [_failed(found, sources) if found.row.is_broken else _passed(found) for found in run.rows]
    (folder / "tests.json").write_text(json.dumps(tests), "utf-8")
    (folder / "bank_suite.spec.js").write_text(_SUITE, "utf-8")
    (folder / "playwright.config.js").write_text(_CONFIG, "utf-8")
    done = subprocess.run(
        ["node", str(packages / "playwright" / "cli.js"), "test"],
        cwd=folder,
        env={**os.environ, "NODE_PATH": str(packages)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    page = folder / "report" / "index.html"
    if done.returncode != 1 or not page.is_file():
        raise Unmeasurable(f"Playwright made no report of red tests:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return page


def name_of(nodeid: str) -> str:
    return nodeid.rpartition("::")[2]


def _passed(found: FoundRow) -> dict[str, Any]:
    return {"name": name_of(found.row.nodeid), "steps": []}


def _failed(found: FoundRow, sources: Path) -> dict[str, Any]:
    path = found.opens(found.row.trace_json)
    if path is None:
        raise Unmeasurable(f"{found.row.nodeid} left no trace in {found.folder}")
    trace = json.loads(path.read_text("utf-8"))
    failure = trace["failures"][0]
    file, _, line = failure["source"].rpartition(":")
    last = next((event for event in trace["events"] if event["id"] == failure["step"]), None)
    return {
        "name": name_of(found.row.nodeid),
        "steps": [*_steps(trace["events"], last), *([] if last else [failure["exception"]])],
        "message": _message(failure["message"]),
        "file": str(sources / file),
        "line": line,
        "picture": _picture(trace, path.parent, last["after"] if last else None),
        "log": "\n".join("{level} {tag}: {message}".format(**entry) for entry in trace["logs"]),
    }


def _steps(events: list[Mapping[str, Any]], last: Mapping[str, Any] | None) -> Iterator[str]:
    for event in events:
        yield event["title"]
        if event is last:
            return


def _message(message: str) -> str:
    """Without the line that says where our own page is."""
    return "\n".join(line for line in message.splitlines() if not line.startswith("Open: "))


def _picture(trace: Mapping[str, Any], folder: Path, snapshot: str | None) -> str:
    """Of that screen, or of the last one that has any; "" where there is none."""
    taken = [one["screenshot"] for one in trace["snapshots"].values() if one["screenshot"]]
    own = (trace["snapshots"].get(snapshot) or {}).get("screenshot") or (taken[-1] if taken else None)
    return str((folder / own["blob"]).resolve()) if own else ""
