"""Makes of phones in runs: which of them fails first, what that says, and that it passes once the
switch is on."""

from __future__ import annotations

import pytest

from tests.conftest import Run
from tests.lab.on_profiles import command

FAILS_FIRST = {
    ("hyperos", "inject=denied"): "USB debugging (Security settings)",
    ("hyperos-cn", "inject=denied"): "USB debugging (Security settings)",
}
"""Profile and switch, to what the run says to switch on. All other pairs pass as they are."""

SWITCHES = {
    "hyperos": ("inject=denied", "settings=denied"),
    "hyperos-cn": ("inject=denied", "settings=denied"),
    "emulator": ("stylus=off",),
    "one-ui": ("verifier=on",),
}
"""By profile, what its users may find otherwise than the profile has it."""
PAIRS = [(profile, switch) for profile, switches in SWITCHES.items() for switch in switches]

SIGN_IN = """
def test_sign_in(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
    mobile.fill(text="Password", value="correct horse")
    mobile.tap(text="Sign in").expect_screen("Catalogue")
"""


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(("profile", "switch"), PAIRS)
def test_a_switch_that_is_off(run: Run, profile: str, switch: str) -> None:
    result = run(
        SIGN_IN, f"--replicant-device=virtual?latency=0&profile={profile}&{switch}", "-Wdefault"
    )
    if advice := FAILS_FIRST.get((profile, switch)):
        result.assert_outcomes(errors=1)  # infra, and no failed test
        result.stdout.fnmatch_lines([f"*{advice}*"])
        assert "Catalogue" not in result.stdout.str()
    else:
        outcomes = result.parseoutcomes()
        assert set(outcomes) <= {"passed", "recovered", "warnings"}, outcomes


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["hyperos", pytest.param("android-7", marks=pytest.mark.ci)])
def test_with_the_switch_on_it_passes(run: Run, profile: str) -> None:
    run(SIGN_IN, f"--replicant-device=virtual?latency=0&profile={profile}").assert_outcomes(
        passed=1
    )


def test_a_run_on_a_profile_is_of_the_lab_and_of_the_examples() -> None:
    words = command("virtual:ios", "ipad", quick=True)
    assert {"tests/lab", "example_app_tests", "--lab-profile=ipad"} <= set(words)
    assert "--replicant-device=virtual:ios?profile=ipad" in words
