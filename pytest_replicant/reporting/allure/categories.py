"""Failures by what kind of thing failed, as Allure groups them: one table, in the words of Allure 2 and of 3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from ...model import FailureClass
from ..triage.cause import APP_CRASH, DEVICE_TROUBLE, TEST_ERROR
from ..worker_deaths import WORKER_DIED
from .labels import CLASS, CODE, OUTCOME, SCREEN

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "pytest-replicant: "
"""How each description begins: a file in which all do is ours, and may be written anew."""

_NAMES: dict[str, tuple[str, str]] = {
    APP_CRASH: ("App crashed", "the app under test died"),
    "VerificationFailure": ("Check failed", "the screen was not what a check expected"),
    "TargetResolutionFailure": ("Target not found", "no element, or several, fit what the test named"),
    "ExecutionFailure": ("Action failed", "the element was there, and the action could not be done"),
    "ControlConvergenceFailure": ("Control not set", "a control did not come to the value it was given"),
    "SemanticMismatchFailure": ("Wrong element", "what was found does not mean what the test meant"),
    DEVICE_TROUBLE: ("Phone or tool in trouble", "it says nothing about the app"),
    WORKER_DIED: ("Test process died", "the worker of a parallel run died while it ran the test"),
    TEST_ERROR: ("Test error", "the test or a fixture raised something of its own"),
}
assert set(get_args(FailureClass)) <= set(_NAMES)

_BAD = ["failed", "broken"]


@dataclass(frozen=True)
class Category:
    """``failure_class`` is "" for tests that passed after something was mended."""

    name: str
    description: str
    failure_class: str = ""


def categories() -> Iterator[Category]:
    """In the order in which they are asked; the first that fits wins in Allure 3."""
    for failure_class, (name, why) in _NAMES.items():
        yield Category(name, MARK + why, failure_class)
    yield Category("Recovered", f"{MARK}passed after something failed and was mended")


def for_allure_2() -> list[dict[str, Any]]:
    """``categories.json``. Labels are not seen there: the line below the traceback and the message are matched,
    by expressions that mean the same whether the whole text has to fit or a part of it."""
    return [
        {
            "name": one.name,
            "description": one.description,
            "matchedStatuses": _BAD if one.failure_class else ["passed"],
            **(
                {"traceRegex": rf"[\s\S]*{CLASS}: {one.failure_class}\b[\s\S]*"}
                if one.failure_class
                else {"messageRegex": r"recovered: [\s\S]*"}
            ),
        }
        for one in categories()
    ]


def for_allure_3() -> dict[str, Any]:
    """``allurerc.json``, for ``allure generate --config``: it takes categories from its configuration alone."""
    by_place = [{"label": CODE}, {"label": SCREEN}]
    return {
        "categories": [
            {
                "name": one.name,
                "matchers": {
                    "statuses": _BAD if one.failure_class else ["passed"],
                    "labels": {CLASS: f"^{one.failure_class}$"} if one.failure_class else {OUTCOME: "^recovered$"},
                },
                "groupBy": by_place if one.failure_class in get_args(FailureClass) else [],
            }
            for one in categories()
        ]
    }


def is_ours(existing: object) -> bool:
    """Whether what a file holds is ours, of this version or another one. Anything else is somebody's decision."""
    if isinstance(existing, list):
        return all(isinstance(row, dict) and str(row.get("description", "")).startswith(MARK) for row in existing)
    if isinstance(existing, dict) and set(existing) == {"categories"} and isinstance(existing["categories"], list):
        return all(isinstance(row, dict) and _is_matched_by_us(row) for row in existing["categories"])
    return False


def _is_matched_by_us(row: dict[str, Any]) -> bool:
    matchers = row.get("matchers")
    labels = matchers.get("labels") if isinstance(matchers, dict) else None
    return isinstance(labels, dict) and bool(labels) and set(labels) <= {CLASS, OUTCOME}
