"""The end of a run in Allure's folder, on the controller: categories, the environment, and tests
whose process died."""

from __future__ import annotations

import json
import platform
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args
from uuid import uuid4

import pytest

from ...errors import version_of
from ...kept_runs import APP_CRASH, DEVICE_TROUBLE, TEST_ERROR, WORKER_DIED, RunRecord
from ...kept_runs.whole_file import write_whole
from ...model import VERDICTS, AnyDict, FailureClass, encode
from ...model.printable import one_line, plain_text
from ...running import APP, SECRETS
from .public import named_result, results_folder
from .results import ATTEMPT, BEGUN, CAUSE, CLASS, OUTCOME, attempt_key

MARK = "pytest-replicant: "
"""How each description begins: a file in which all do is ours, and may be written again."""

_RECOVERED = "Recovered"  # no failure class: these tests passed
_REPLAYED = "Replay"  # none either: these are no runs on a phone
_VERDICTS = f"({'|'.join(sorted(VERDICTS))})"

_NAMES: dict[str, tuple[str, str]] = {
    APP_CRASH: ("App crashed", "the app under test died"),
    "VerificationFailure": ("Check failed", "the screen was not what a check expected"),
    "TargetResolutionFailure": (
        "Target not found",
        "no element, or several, fit what the test named",
    ),
    "ExecutionFailure": (
        "Action failed",
        "the element was there, and the action could not be done",
    ),
    "ControlConvergenceFailure": (
        "Control not set",
        "a control did not come to the value it was given",
    ),
    "SemanticMismatchFailure": (
        "Wrong element",
        "what was found does not mean what the test meant",
    ),
    DEVICE_TROUBLE: ("Phone or tool in trouble", "it says nothing about the app"),
    WORKER_DIED: ("Test process died", "the worker of a parallel run died while it ran the test"),
    TEST_ERROR: ("Test error", "the test or a fixture raised something of its own"),
    _RECOVERED: ("Recovered", "passed after something failed and was recovered"),
    _REPLAYED: ("Replayed", "run on a recording, with no phone"),
}
assert set(get_args(FailureClass)) <= set(_NAMES)

MOST_PHONES = 20
MOST_CAUSES = 50
"""Of how many ``categories.json`` makes categories of their own."""

BELOW = "# Below: by pytest-replicant, of its last run into this folder\n"
"""The text before this line is the user's own; the rest is written again by each run."""

DIED = "died"
"""``replicant_outcome`` of a test whose process died."""


class AllureRunFiles:
    """Registered once a run. A folder that cannot be written is allure-pytest's to report."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._folder = results_folder(config)
        self._redactor = config.stash[SECRETS]
        self._begun: dict[str, AnyDict] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "setup" and hasattr(report, BEGUN):
            self._begun[report.nodeid] = json.loads(getattr(report, BEGUN))
        elif report.when == "teardown":
            self._begun.pop(report.nodeid, None)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any) -> None:
        """xdist reports such a test to every reporter but Allure's."""
        # The result as its worker began it; without it names are made from the node id, which
        # joins the history of a test without parameters.
        row = self._begun.pop(crashitem, None) or named_result(crashitem, self._redactor)
        shown = plain_text(self._redactor.text(str(report.longrepr)))
        key = attempt_key(self._redactor.text(crashitem), WORKER_DIED)
        mark = {"name": ATTEMPT, "value": key, "excluded": True, "mode": "hidden"}
        mine = ((OUTCOME, DIED), ("tag", DIED), (CLASS, WORKER_DIED))
        result = {
            "uuid": str(uuid4()),
            **row,
            "parameters": [*row.get("parameters", ()), mark],
            "stop": round(time.time() * 1000),
            "status": "broken",
            "statusDetails": {"message": shown, "trace": f"{shown}\n\n{CLASS}: {WORKER_DIED}"},
            "labels": [*row["labels"], *({"name": name, "value": value} for name, value in mine)],
        }
        with suppress(OSError):
            write_whole(self._folder / f"{uuid4()}-result.json", encode(result, indent=1))

    @pytest.hookimpl(tryfirst=True)
    def pytest_replicant_run(self, run: RunRecord) -> None:
        facts = environment(row.device for row in run.rows)
        if app := self._config.stash.get(APP, None):
            facts |= app.facts
        if run.replay is not None:
            facts["replay of"] = run.replay.run
        titles: dict[str, str] = {}  # why each attempt failed, the largest causes first
        for group in run.causes:
            for row in (run.rows[at] for at in group.tests):
                key = attempt_key(row.test, WORKER_DIED if row.is_death else row.attempt)
                titles.setdefault(key, one_line(group.title))
        with suppress(OSError):
            write_causes(self._folder, titles)
        _write_ours(
            self._folder / "categories.json", for_allure_2([*dict.fromkeys(titles.values())])
        )
        _write_ours(self._folder / "allurerc.json", for_allure_3())
        path = self._folder / "environment.properties"
        with suppress(OSError, UnicodeDecodeError):
            old = path.read_text("utf-8") if path.exists() else ""
            write_whole(path, merged(old, facts).encode("utf-8"))


def write_causes(folder: Path, titles: Mapping[str, str]) -> None:
    """Adds the cause to the results of these attempts: as a label, and as the last line below the
    traceback. Which file is whose it alone says. Raises ``OSError``."""
    for path in folder.glob("*-result.json") if titles else ():
        data = path.read_bytes()
        if ATTEMPT.encode() not in data:
            continue
        result = json.loads(data)
        mark = next((one for one in result.get("parameters", ()) if one["name"] == ATTEMPT), None)
        title = titles.get(mark["value"]) if mark is not None else None
        if title is not None:
            result["parameters"].remove(mark)
            result["labels"].insert(
                0, {"name": CAUSE, "value": title}
            )  # of many, Allure 3 shows the first
            details = result.setdefault("statusDetails", {})
            details["trace"] = f"{details.get('trace', '')}\n{CAUSE}: {title}".lstrip("\n")
            write_whole(path, encode(result, indent=1))


def for_allure_2(causes: Sequence[str] = ()) -> list[AnyDict]:
    """``categories.json``: one for each cause, and for each class those without one. Labels are not
    seen there: the lines below the traceback and the message are matched, by expressions that mean
    the same whether the whole text has to fit or a part of it."""
    without = rf"(?![\s\S]*\n{CAUSE}: )" if causes else ""
    signs = {name: {"traceRegex": rf"{without}[\s\S]*{CLASS}: {name}\b[\s\S]*"} for name in _NAMES}
    signs[_RECOVERED] = {"messageRegex": r"recovered: [\s\S]*"}
    signs[_REPLAYED] = {"messageRegex": rf"{_VERDICTS} [\s\S]*"}
    by_cause = []
    for title in causes[:MOST_CAUSES]:
        # In an expression of Java's and of Python's alike.
        literal = re.sub(r"([^\w ]|_)", r"\\\1", title)
        by_cause.append(
            {
                "name": title,
                "description": f"{MARK}a cause of the last run",
                "matchedStatuses": ["failed", "broken"],
                "traceRegex": rf"[\s\S]*\n{CAUSE}: {literal}(?![\s\S])",
            }
        )
    return by_cause + [
        {
            "name": name,
            "description": f"{MARK}{why}",
            "matchedStatuses": _statuses(failure_class),
            **signs[failure_class],
        }
        for failure_class, (name, why) in _NAMES.items()
    ]


def for_allure_3() -> AnyDict:
    """``allurerc.json``, for ``allure generate --config``: it takes categories from its
    configuration alone. The first that fits wins."""
    rows = []
    for failure_class, (name, _) in _NAMES.items():
        labels, by = {CLASS: f"^{failure_class}$"}, [CAUSE]
        if failure_class == _RECOVERED:
            labels, by = {OUTCOME: "^recovered$"}, []
        elif failure_class == _REPLAYED:
            labels, by = {OUTCOME: f"^{_VERDICTS}$"}, [OUTCOME]
        rows.append(
            {
                "name": name,
                "matchers": {"statuses": _statuses(failure_class), "labels": labels},
                "groupBy": [{"label": one} for one in by],
            }
        )
    return {"categories": rows}


def _statuses(failure_class: str) -> list[str]:
    return {_RECOVERED: ["passed"], _REPLAYED: ["skipped"]}.get(failure_class, ["failed", "broken"])


def is_ours(existing: object) -> bool:
    """Whether what a file holds is ours, of this version or another one. Anything else is
    somebody's decision."""
    if isinstance(existing, dict) and set(existing) == {"categories"}:
        existing = existing["categories"]
    return isinstance(existing, list) and all(map(_is_our_row, existing))


def _is_our_row(row: object) -> bool:
    if not isinstance(row, dict):
        return False
    matchers = row.get("matchers")
    labels = matchers.get("labels") if isinstance(matchers, dict) else row.get("description")
    if isinstance(labels, dict):
        return bool(labels) and set(labels) <= {CLASS, OUTCOME}
    return str(labels).startswith(MARK)


def environment(phones: Iterable[str]) -> dict[str, str]:
    """Versions, the system, and the phones that tests ran on, by model and system; no serial, no
    host, no user."""
    seen = sorted({phone for phone in phones if phone})
    more = f"; {len(seen) - MOST_PHONES} more" if len(seen) > MOST_PHONES else ""
    facts = {
        "pytest": version_of("pytest"),
        "pytest-replicant": version_of("pytest-replicant"),
        "allure-pytest": version_of("allure-pytest"),
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.release()} {platform.machine()}",
        "phones": "; ".join(seen[:MOST_PHONES]) + more,
    }
    return {name: value for name, value in facts.items() if value}


def merged(existing: str, facts: Mapping[str, str]) -> str:
    """A Java properties file, in ASCII. What somebody wrote stays as it is; of ours the keys that
    are not there are added."""
    text = existing.partition(BELOW)[0]
    taken = re.findall(r"(?m)^\s*((?:\\.|[^\s:=\\])+)", text)
    if text and not text.endswith("\n"):
        text += "\n"
    text += BELOW
    for name, value in facts.items():
        # A key ends with its first space, colon or equals sign.
        key = re.sub(r"([ :=#!])", r"\\\1", _escaped(name))
        if key not in taken:
            text += f"{key}={_escaped(one_line(value, 1_000))}\n"
    return text


def _escaped(text: str) -> str:
    """As in JSON, whose escapes Java's properties have as well."""
    return json.dumps(text)[1:-1]


def _write_ours(path: Path, value: object) -> None:
    """Unless somebody's own stands there: what it says is a decision, and merging would show tests
    twice."""
    with suppress(OSError):
        try:
            ours = not path.exists() or is_ours(json.loads(path.read_bytes()))
        except ValueError:
            ours = False
        if ours:
            write_whole(path, encode(value, indent=1))
