"""The traceback of an error of ours ends in the test; that of any other shows the way it came."""

from __future__ import annotations

import pytest

TESTS = """
import pytest
from pytest_replicant import Screen, Snapshot

def helper():
    Snapshot.parse(b"")

def test_ours():
    helper()

def test_foreign():
    Screen("Sign in", has=1 / 0)

def test_setup(mobile):
    pass
"""
NO_PHONE = "--replicant-device=ios:http://127.0.0.1:1"


def shown(pytester: pytest.Pytester, *args: str) -> str:
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest_inprocess("-p", "no:randomly", NO_PHONE, *args)
    result.assert_outcomes(failed=2, errors=1)
    return result.stdout.str().replace("\\", "/")


def test_no_frame_of_this_package_is_shown_for_an_error_of_ours(pytester: pytest.Pytester) -> None:
    text = shown(pytester)
    assert "pytest_replicant/" not in text
    assert "test_it.py:5: SnapshotError" in text
    assert "ZeroDivisionError" in text


def test_without_the_hook_our_frames_are_shown(pytester: pytest.Pytester) -> None:
    assert "pytest_replicant/" in shown(pytester, "-p", "no:replicant-short-tracebacks")
