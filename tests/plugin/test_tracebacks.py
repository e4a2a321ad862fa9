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


OWN_CODE = """
import pytest
from pytest_replicant import by, check, mobile_state, recorded

@check
def has_a_row(screen, number):
    return screen.nodes[number].row > 1

def close(mobile):
    raise ValueError("the handler")

@mobile_state(proof=by(text="Catalogue"))
def signed_in(mobile):
    return {}["the state"]

@pytest.fixture
@recorded
def user():
    return [][7]

def test_check(mobile):
    mobile.launch("dev.replicant.shop").expect(has_a_row(0), timeout=0.1)

def test_interrupt(mobile):
    with mobile.on_interrupt(by(text="Sign in"), close):
        mobile.launch("dev.replicant.shop").expect_visible(text="Email")

def test_state(signed_in):
    pass

def test_recorded(user):
    pass

def test_policy(mobile):
    mobile.launch("dev.replicant.shop").expect_visible(text="Nothing", timeout=0.1)

def test_wrong_calls(mobile):
    mobile.expect_text("Email", "ada")

def test_wrong_step(mobile):
    with mobile.step(7):
        pass

def test_new_phone(new_mobile):
    new_mobile(uri=7)

def test_further_phone(new_mobile):
    new_mobile("virtual", "android")

def test_resource(mobile_resource):
    mobile_resource(kind=7)

@pytest.mark.replicant(7)
def test_marker(mobile):
    pass
"""
POLICY = """
def pytest_replicant_recover(session, failure, state):
    raise KeyError("the policy")
"""
LINES = """
*test_it.py:6: AttributeError
*test_it.py:9: ValueError
*test_it.py:13: KeyError
*test_it.py:18: IndexError
*conftest.py:2: KeyError
*UsageError: DeviceSession has no 'expect_text'; here that is mobile.expect_state(by(...), text=...)
*UsageError: step(7): the title is a string, as in step("Pay")
*UsageError: new_mobile(7): a phone is named by its URI, as in new_mobile("virtual")*
*UsageError: new_mobile("virtual", "android"): *Did you mean new_mobile("virtual", platform="android")[?]
*UsageError: 7 is no kind of resource: *as in leased("account")*
*UsageError: marker replicant: 7 is not known.*Next: @pytest.mark.replicant(*)
"""


@pytest.mark.slow
def test_an_error_of_the_tests_own_code_shows_its_lines_and_none_of_ours(
    pytester: pytest.Pytester,
) -> None:
    pytester.makeconftest(POLICY)
    pytester.makepyfile(test_it=OWN_CODE)
    result = pytester.runpytest_inprocess(
        "-p", "no:randomly", "--replicant-device=virtual?latency=0"
    )
    text = result.stdout.str().replace("\\", "/")
    for line in LINES.split("\n")[1:-1]:
        result.stdout.fnmatch_lines([line])
    assert "pytest_replicant/" not in text.replace("pytest_replicant/reporting", "")


WRONG = ('by("Email")', 'by(role="buton", text=7)', 'Screen("Cart", has=7)', "check(7)")


def test_a_wrong_call_in_a_module_ends_its_collection_at_its_line(
    pytester: pytest.Pytester,
) -> None:
    for at, wrong in enumerate(WRONG):
        source = f"from pytest_replicant import Screen, by, check\n\nEMAIL = {wrong}\n"
        pytester.makepyfile(**{f"test_{at}": source})
    result = pytester.runpytest_inprocess("-p", "no:randomly")
    result.assert_outcomes(errors=4)
    for at in range(4):
        result.stdout.fnmatch_lines([f"test_{at}.py:3: in <module>", "E*UsageError: *"])
    assert "pytest_replicant/" not in result.stdout.str().replace("\\", "/")


def test_without_the_hook_our_frames_are_shown(pytester: pytest.Pytester) -> None:
    assert "pytest_replicant/" in shown(pytester, "-p", "no:replicant-short-tracebacks")
