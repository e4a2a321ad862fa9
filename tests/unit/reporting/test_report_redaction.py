"""Credentials in pytest's own report of a failure: values go, the lines of the test stay
readable."""

from __future__ import annotations

import pytest

from pytest_replicant.model import MASK, Redactor
from pytest_replicant.reporting.redaction import redact_report


def _sign_in(password: str, token: str) -> None:
    raise ValueError(
        f"no account at https://ada:{password}@host?token={token}, password={password}"
    )


def test_a_traceback_keeps_its_code_and_loses_its_values() -> None:
    given, token = "hunter2", "-".join(["x1", "y2"])
    with pytest.raises(ValueError, match="no account") as caught:
        _sign_in(password=given, token=token)
    shown = caught.getrepr(showlocals=True, funcargs=True, style="long")
    sections = [("Captured stdout call", "GET /?access_token=x1-y2")]
    report = pytest.TestReport(
        "t.py::test_x", ("t.py", 0, "test_x"), {}, "failed", shown, "call", sections
    )
    redact_report(report, Redactor())
    text = report.longreprtext
    assert "_sign_in(password=given, token=token)" in text
    assert (
        f"ValueError: no account at https://ada:{MASK}@host?token={MASK}, password={MASK}" in text
    )
    assert f"password = {MASK}, token = {MASK}" in text  # the arguments of the function
    assert f"token      = '{MASK}'" in text  # a variable
    assert report.sections == [("Captured stdout call", f"GET /?access_token={MASK}")]
    assert "given      = 'hunter2'" in text  # whose name says nothing
    assert "x1-y2" not in text
