"""The built-in policies in a run: they are there, they come last, and each can be switched off."""

from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow

NOTICE = """
def test_notice(mobile):
    mobile.open_url("lab://system-notice?delay=1")
    mobile.wait_for(text="Battery low")
    mobile.tap(text="Tap", timeout=0.1).expect_visible(text="Tapped 1 times")
"""
OWN = """
from pytest_replicant import Recovery, Remedy, by

def pytest_replicant_recover(failure):
    if failure.snapshot is not None and failure.snapshot.dialog == "Battery low":
        return Recovery("state_refresh", (Remedy.tap(by(text="OK")),), reason="our own", policy="own")
"""


def test_they_are_there(run: Run) -> None:
    result = run(NOTICE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["*test_notice*state_refresh by system_dialog*", "*1 recovered in*"]
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", ["replicant-recover-system-dialog", "replicant-recover-system_dialog"]
)
def test_one_of_them_can_be_switched_off(run: Run, name: str) -> None:
    result = run(NOTICE, "-p", f"no:{name}")
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*recovered*")


def test_those_of_a_folder_are_asked_before_them(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(OWN)
    result = run(NOTICE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_notice*state_refresh by own*our own", "*1 recovered in*"])


@pytest.mark.thorough
def test_a_plugin_that_comes_late_is_still_asked_before_them(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(late=OWN)
    pytester.makeconftest("""
    def pytest_collection_finish(session):
        import late
        session.config.pluginmanager.register(late, "late")
    """)
    result = run(NOTICE)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*test_notice*state_refresh by own*our own"])
