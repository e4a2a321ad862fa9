"""Refs and cells that are written in a test file are warned about when it is collected."""

from __future__ import annotations

import pytest

TESTS = """
def test_written(mobile):
    mobile.tap("k427")
    mobile.shot().tap_cell(12, "center")

def test_fine():
    assert "a123".find("k427") == -1
    cell = 12
"""


@pytest.mark.parametrize(
    "arguments", [("-W", "error"), pytest.param(("-n", "2"), marks=pytest.mark.ci)]
)
def test_they_are_warned_about_once(pytester: pytest.Pytester, arguments: tuple[str, ...]) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_subprocess("-k", "fine", "-p", "no:randomly", *arguments)
    shown = result.stdout.str()
    assert result.ret == 0, shown
    assert shown.count("a ref names what was seen on one screen") == 1
    assert shown.count("tap_cell: a cell of a grid is another place") == 1
    assert "test_they_are_warned_about_once.py:2:" in shown
    assert "test_they_are_warned_about_once.py:3:" in shown
