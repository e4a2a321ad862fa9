"""Errors that fail when they are looked at, and a folder that is gone: each is told, and the run
goes on."""

from __future__ import annotations

import pytest

from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import os

class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no")

class Numbered(Exception):
    exceptions = 3

class Listed(Exception):
    exceptions = ["text", None]

class Closed(Exception):
    @property
    def exceptions(self):
        raise RuntimeError("no")

    reason = exceptions

class Lazy:
    @property
    def __class__(self):
        raise RuntimeError("nothing to stand for")

LAZY = Lazy()

def test_mute(mobile):
    raise Mute

def test_numbered(mobile):
    raise Numbered("x")

def test_listed(mobile):
    raise Listed("x")

def test_closed(mobile):
    raise Closed("x")

def test_holds_itself(mobile):
    held = []
    held.append(held)
    raise ValueError(held)

def test_no_folder(mobile, tmp_path):
    os.chdir(tmp_path)
    tmp_path.rmdir()
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    raise ValueError("x")
"""


def test_errors_that_cannot_be_looked_at(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SOURCE, "--replicant-output=out", "--tb=short")
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    result.assert_outcomes(failed=6)
    found = trace_records(pytester.path)
    told = {each["test"]["nodeid"].rpartition("::")[2]: each["failures"][0] for each in found}
    assert {name: one["exception"] for name, one in told.items()} == {
        "test_mute": "Mute",
        "test_numbered": "Numbered",
        "test_listed": "Listed",
        "test_closed": "Closed",
        "test_holds_itself": "ValueError",
        "test_no_folder": "ValueError",
    }
    assert "RuntimeError" in told["test_mute"]["message"]


@pytest.mark.parametrize("workers", ["0", "1"])
def test_what_a_test_replaces_is_not_what_reports_use(
    run: Run, pytester: pytest.Pytester, workers: str
) -> None:
    """It is in force until the teardown, and the report of the test is made before."""
    result = run(
        """
        import json

        def test_it(mobile, monkeypatch):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            monkeypatch.setattr(json, "dumps", lambda *given, **more: None)
            assert False
        """,
        "--replicant-output=out",
        "-n",
        workers,
    )
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["replicant: 1 failed*"])
