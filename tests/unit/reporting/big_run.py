"""A made-up run of any size, as ``run.json`` holds it: failures of a few causes, retries, and
notes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_replicant.kept_runs import OpenAction, RunRow, SlowStep
from pytest_replicant.model import plain

STARTED = "2026-11-20T19:18:52.004Z"
PHONES = (
    "Pixel 7, Android 14",
    "Pixel 4a, Android 12",
    "Galaxy S21, Android 13",
    "iPhone 15, iOS 17.4",
)
WORDS = ("mug", "tray", "bowl", "cart", "coupon", "profile", "search", "login", "refund", "address")
CAUSES: tuple[tuple[str, dict[str, str]], ...] = (
    (
        'ELEMENT_NOT_FOUND: text="Check out" on "Cart"',
        {
            "failure_class": "TargetResolutionFailure",
            "failure_code": "ELEMENT_NOT_FOUND",
            "target": 'text="Check out"',
            "screen": "Cart",
        },
    ),
    (
        "dev.replicant.shop died: NullPointerException CartStore.kt:42",
        {
            "failure_class": "AppCrash",
            "target": 'text="Add"',
            "screen": "Catalogue",
            "crash": "java.lang.NullPointerException at CartStore.total(CartStore.kt:42)",
        },
    ),
    (
        'expect_state text="Total £19.80" was "Total £9.90"',
        {
            "failure_class": "VerificationFailure",
            "failure_code": "VERIFICATION_FAILED",
            "target": 'text="Total £19.80"',
            "screen": "Cart",
            "exception": "ExpectationFailed",
        },
    ),
    (
        "emulator-5556 went offline",
        {"failure_class": "DeviceError", "exception": "DeviceOffline"},
    ),
)
OUTLINE = "\n".join(
    [
        'Screen "Cart"',
        *(f'  [m{row:03}] Button "Fewer" in row "Blue mug £{row}.90"' for row in range(14)),
    ]
)


def big_run(tests: int, failing: int, causes: int = 12, message_length: int = 0) -> dict[str, Any]:
    """A document of ``tests`` attempts whose first ``failing`` failed, of ``causes`` causes; every
    fifth of these passed in a second attempt that follows."""
    rows = [_row(number) for number in range(tests)]
    groups = [{**_cause(number), "tests": []} for number in range(min(causes, failing))]
    for number in range(failing):
        group = groups[_group_of(number, len(groups))]
        group["tests"].append(number)
        rows[number] |= _failed(rows[number]["location"], number, group["cause"], message_length)
    retried = {number: _retry(rows, number) for number in range(0, failing, 5)}
    return {
        "schema": "replicant.run/2",
        "run_id": "20261120-191852-4f1c",
        "started_at": STARTED,
        "duration_ms": 1_534_000,
        "environment": {
            "python": "3.11.7",
            "pytest": "9.0.1",
            "pytest-replicant": "1.0.0",
            "workers": "4",
        },
        "tests": rows,
        "results": [
            {
                "nodeid": rows[number]["nodeid"],
                "outcome": "flaky" if number in retried else rows[number]["outcome"],
                "attempts": [number, retried[number]] if number in retried else [number],
            }
            for number in range(tests)
        ],
        "causes": [
            {**group, "earlier": [place for place in group["tests"] if place in retried]}
            for group in groups
        ],
        "phones": [],
        "flaky": [],
    }


def _group_of(number: int, groups: int) -> int:
    """A few causes have most of the failures, as they do in life."""
    return min(number % 7 if number % 2 else 0, groups - 1) if number >= groups else number


def _cause(number: int) -> dict[str, Any]:
    title, facts = CAUSES[number % len(CAUSES)]
    if number >= len(CAUSES):
        title = f"{title} ({WORDS[number % 10]} {number})"
    return {"title": title, "cause": {**facts, "screen_key": f"k{number}"}}


def _row(number: int) -> dict[str, Any]:
    word = WORDS[number % 10]
    path = f"tests/test_{word}.py"
    took = 2400 + (number * 7919) % 9000
    nodeid = (
        f"{path}::Test{word.title()}::test_{word}_can_be_ordered[{number}-{PHONES[number % 4][:7]}]"
    )
    outcome = "skipped" if number % 97 == 96 else "xfailed" if number % 211 == 210 else "passed"
    folder, title = f"test-{word}-{number:08x}", f'tap text="{word.title()}"'
    row = RunRow(
        nodeid,
        0,
        outcome,
        STARTED,
        took,
        PHONES[number % 4],
        f"{folder}/trace.html",
        trace_json=f"{folder}/trace.json",
        trace_zip=f"{folder}/trace.zip",
        vacuous=('expect_visible text="Search" already held before tap text="Add"',)
        * (number % 83 == 82),
        location=f"{path}:{10 + number // 10 * 7}",
        worker=f"gw{number % 4}",
        steps=20,
        slowest=tuple(SlowStep(title, took // share, f"a{share}") for share in (2, 3, 5)),
    )
    if number % 50 == 49:
        save = OpenAction('tap text="Save"', f"{path}:99", "a9")
        unverified = 'ends on an unverified action: tap text="Save"'
        row = replace(row, unverified=unverified, unverified_actions=2, open_actions=(save,))
    document: dict[str, Any] = plain(row)
    return document | _recovered(number)


def _recovered(number: int) -> dict[str, Any]:
    if number % 61 != 60:
        return {}
    healed = {
        "target": 'id="btn_pay"',
        "found": '[o777] Button "Pay now"',
        "selector": 'text="Pay now", class_name="Button"',
        "source": f"tests/test_cart.py:{number}",
        "step": "a7",
    }
    remark = (
        'ELEMENT_NOT_FOUND of tap id="btn_pay", re_resolve by healing: its id changed, its label '
        "did not"
    )
    return {"outcome": "recovered", "recovered": [remark], "healed": [healed]}


def _failed(
    location: str, number: int, cause: dict[str, Any], message_length: int
) -> dict[str, Any]:
    first = (
        f"{cause.get('failure_code') or 'ExpectationFailed'}  tap {cause.get('target', '')} (3 "
        "reads, 5.0 s)"
    )
    remark = "It was not there before the tap either.\nNext: scroll_to, or another selector."
    message = f"{first}\n{remark}\n\n{OUTLINE}"
    crash = cause.get("crash", "")
    return {
        "outcome": "infra" if cause["failure_class"] == "DeviceError" else "failed",
        "recovered": [],
        "healed": [],
        "failure": first,
        "message": message.ljust(message_length, "."),
        "deaths": [f"dev.replicant.shop died: {crash} (a7)"] if crash else [],
        "divergence": 'Step a7 tap text="Check out" first differed: it led to "Cart", not "Pay"'
        * (number % 3 == 0),
        "cause": {**cause, "message": first, "source": f"{location}7", "step": "a7"},
    }


def _retry(rows: list[dict[str, Any]], number: int) -> int:
    calm: dict[str, Any] = {
        "outcome": "passed",
        "failure": "",
        "message": "",
        "cause": None,
        "deaths": [],
        "divergence": "",
    }
    folder = f"test-{number:08x}-retry1"
    paths = {"trace": f"{folder}/trace.html", "trace_json": f"{folder}/trace.json", "trace_zip": ""}
    rows.append({**rows[number], **calm, **paths, "attempt": 1})
    return len(rows) - 1
