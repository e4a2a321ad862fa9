"""An app that dies fails the test, whatever its checks saw of it; the options say otherwise."""

from __future__ import annotations

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow

DIES_UNSEEN = """
import pytest

def test_dies(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh")
    mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")
"""


def test_a_crash_fails_a_test_whose_checks_all_passed(run: Run) -> None:
    result = run(DIES_UNSEEN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['*dev.replicant.lab died: *after tap text="Weigh" (a2, *.py:5)*', "apps that died (1):"]
    )
    result.stdout.no_fnmatch_line("*raise failures*")  # how it was raised is no news


@pytest.mark.parametrize("said", ["warn", "ignore", "allow"])
def test_a_crash_can_be_a_warning_or_nothing(run: Run, said: str) -> None:
    source, ini = DIES_UNSEEN, f"replicant_crash = {said}\n"
    if said == "allow":
        source, ini = (
            source.replace("def test", '@pytest.mark.replicant(allow=["crash"])\ndef test'),
            "",
        )
    result = run(source, ini=ini)
    result.assert_outcomes(passed=1)
    assert ("test_dies dev.replicant.lab died: " in result.stdout.str()) is (said == "warn")


def test_an_iphone_tells_of_no_death_but_that_the_app_is_gone(run: Run) -> None:
    result = run(
        """
        def test_sees_nothing_of_it(mobile):
            mobile.open_url("lab://crash", "dev.replicant.lab").expect_visible(text="Weigh")
            mobile.tap(text="Weigh")

        def test_fails_by_it(mobile):
            mobile.open_url("lab://crash", "dev.replicant.lab").expect_visible(text="Weigh")
            mobile.tap(text="Weigh").expect_visible(text="Weighed", timeout=0.2)

        def test_stops_it(mobile):
            mobile.launch("dev.replicant.lab").expect_screen("Lab")
            mobile.stop("dev.replicant.lab")
            assert False
        """,
        "--replicant-device=virtual:ios?latency=0",
    )
    result.assert_outcomes(failed=3)
    gone = "dev.replicant.lab is not running any more; this platform does not report why"
    result.stdout.fnmatch_lines(
        [
            f"E *{gone}",
            "apps that died (2):",
            f"  *test_sees_nothing_of_it {gone}",
            f"  *test_fails_by_it {gone}",
        ]
    )
