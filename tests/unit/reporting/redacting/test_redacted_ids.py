"""Ids of tests in files that other plugins wrote: exactly those that hold a secret change, and stay apart."""

from __future__ import annotations

import html
import json

from pytest_replicant.model import MASK, Redactor
from pytest_replicant.reporting.artifacts.folder_names import folder_name, shown_id
from pytest_replicant.reporting.redacting.redacted_ids import redacted_junit, redacted_page, shown_ids

DIGEST = folder_name("t.py::a[hunter2]", "", 0)[-8:]
PLAIN = "tests/test_shop.py::test_pay[card]"
ONE = 'tests/test_shop.py::TestPay::test_pay[hunter2 <"&">::x]'
OTHER = "tests/test_shop.py::test_pay[horse]"


def test_only_ids_with_a_secret_have_another_and_they_differ() -> None:
    redactor = Redactor(["hunter2", "horse"])
    first, second = "t.py::a[hunter2]", "t.py::a[horse]"
    assert shown_ids([first, PLAIN, second], redactor) == {
        first: f"t.py::a[{MASK}] #{DIGEST}",
        second: shown_id(second, f"t.py::a[{MASK}]"),
    }
    assert shown_id(first, f"t.py::a[{MASK}]") != shown_id(second, f"t.py::a[{MASK}]")
    assert folder_name(first, "", 0).endswith(DIGEST)
    assert shown_ids([first], Redactor()) == {}


def test_junit_names_change_and_nothing_else() -> None:
    renamed = shown_ids([ONE, PLAIN, OTHER], Redactor(["hunter2", "pay"]))
    name = html.escape('test_pay[hunter2 <"&">::x]')
    case = '<testsuite name="pytest"><testcase classname="tests.test_shop.TestPay" name="{}" time="1"></testcase>'
    cleaned = redacted_junit(case.format(name), renamed)
    assert cleaned == case.format(html.escape(f'test_{MASK}[{MASK} <"&">::x] #{folder_name(ONE, "", 0)[-8:]}'))
    assert redacted_junit(case.format("test_else"), renamed) == case.format("test_else")


def test_a_page_keeps_its_shape() -> None:
    renamed = shown_ids([ONE], Redactor(["hunter2"]))
    data = {"tests": {ONE: [{"testId": ONE, "cells": [f"<td>{html.escape(ONE)}</td>"]}], PLAIN: []}, "n": 1}
    page = '<div id="data" data-jsonblob="{}"></div><script>let hunter2;</script>'
    cleaned = redacted_page(page.format(html.escape(json.dumps(data))), renamed)
    blob = cleaned.partition('data-jsonblob="')[2].partition('"')[0]
    assert json.loads(html.unescape(blob)) == {
        "tests": {
            renamed[ONE]: [{"testId": renamed[ONE], "cells": [f"<td>{html.escape(renamed[ONE])}</td>"]}],
            PLAIN: [],
        },
        "n": 1,
    }
    assert cleaned.endswith("<script>let hunter2;</script>")
