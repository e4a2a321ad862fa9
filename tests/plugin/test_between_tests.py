"""Nothing leaks from one test into the next, and nothing that an app does at a test's edges is
lost."""

from __future__ import annotations

import sys

import pytest

from tests.conftest import Run

pytestmark = pytest.mark.slow

DYING = """
import unittest
import pytest
from pytest_replicant import connect

CRASH = 'am start -n dev.replicant.lab/.Crash'

@pytest.fixture
def dies_at_its_end(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    yield mobile
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()

def test_dies_in_teardown(dies_at_its_end):
    dies_at_its_end.expect_visible(text="Weigh")

def test_dies_before_a_skip(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()
    pytest.skip("no more of it")

def test_dies_though_the_test_did_not_start_it(mobile):
    mobile.shell(CRASH)
    mobile.wait_for(text="Weigh")
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_dies_in_a_block_of_its_own():
    with connect("virtual?latency=0") as mobile:
        mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
        mobile.tap(text="Weigh", silent=True)
        mobile.wait_for_change()

class TestCase(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def phone(self, mobile):
        self.mobile = mobile

    def test_soft_before_a_skip(self):
        self.mobile.launch("dev.replicant.shop").soft.expect_visible(text="Never", timeout=0)
        self.skipTest("no more of it")

    @unittest.expectedFailure
    def test_soft_as_expected(self):
        self.mobile.launch("dev.replicant.shop").soft.expect_visible(text="Never", timeout=0)

    def test_skips(self):
        self.mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        self.skipTest("nothing went wrong")

def test_the_next_one_finds_no_dialog_of_the_system(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in").expect_gone(text_contains="keeps stopping")
"""


def test_a_crash_is_reported_wherever_it_happens(run: Run) -> None:
    result = run(DYING)
    result.assert_outcomes(passed=2, failed=4, errors=1, xfailed=1, skipped=1)
    for name, word in (
        ("test_dies_in_teardown", "ERROR"),
        ("test_dies_before_a_skip", "FAILED"),
        ("test_dies_though_the_test_did_not_start_it", "FAILED"),
        ("test_dies_in_a_block_of_its_own", "FAILED"),
        ("TestCase::test_soft_before_a_skip", "FAILED"),
    ):
        result.stdout.fnmatch_lines([f"{word} *{name}*"])


AROUND = """
import unittest
import pytest
from pytest_replicant import connect

def crash(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh", silent=True)
    mobile.wait_for_change()

def as_unittest_does():
    raise unittest.SkipTest("no more of it")

@pytest.mark.parametrize("skip", [
    lambda: pytest.skip("no more of it"), lambda: pytest.importorskip("no_such_module"), as_unittest_does
])
def test_a_block_that_skips(skip):
    with connect("virtual?latency=0", expect_timeout=0, read_on=0, window=0.3) as mobile:
        mobile.launch("dev.replicant.lab").soft.expect_visible(text="Never")
        skip()

def test_a_block_that_skips_once_its_app_died():
    with connect("virtual?latency=0", window=0.3) as mobile:
        crash(mobile)
        pytest.skip("no more of it")

def test_a_block_that_fails():
    with connect("virtual?latency=0", window=0.3) as mobile:
        crash(mobile)
        pytest.fail("by itself")

@pytest.fixture
def ends(mobile, request):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    yield mobile
    request.param(mobile)

def soft_and_skip(mobile):
    mobile.soft.expect_visible(text="Never", timeout=0)
    pytest.skip("late")

def crash_and_skip(mobile):
    crash(mobile)
    pytest.skip("late")

def crash_and_fail(mobile):
    crash(mobile)
    assert not "of its own"

@pytest.mark.parametrize("ends", [soft_and_skip, crash_and_skip, crash_and_fail], indirect=True)
def test_a_teardown(ends):
    ends.expect_visible(text="Weigh")

def test_fails_by_itself(mobile):
    crash(mobile)
    pytest.fail("by itself")

def test_is_known_to_fail(mobile):
    crash(mobile)
    pytest.xfail("known")
"""


def test_what_failed_stands_beside_every_other_end(run: Run) -> None:
    """An error is one error, which names the death as well; a skip is none."""
    result = run(AROUND)
    result.assert_outcomes(failed=6, passed=3, errors=3, xfailed=1)
    names_both = ["*-- an app died before --*", "dev.replicant.lab died: *"]
    result.stdout.fnmatch_lines(
        [
            "E*of its own*",
            *names_both,
            "E*Failed: by itself",
            *(
                ["E*an app died before: dev.replicant.lab died: *"]
                if sys.version_info >= (3, 11)
                else []
            ),
            "E*Failed: by itself",
            *names_both,
            "apps that died (4):",
            "*test_is_known_to_fail dev.replicant.lab died: *",
            "FAILED *test_a_block_that_skips_once_its_app_died*",
            "ERROR *test_a_teardown?soft_and_skip?*",
            "ERROR *test_a_teardown?crash_and_skip?*",
        ]
    )


DIES_BY_ITSELF = """
import pytest
from pytest_replicant.testing import SharedClock, virtual_device
from pytest_replicant.virtual import App, Button, Column, Screen, Text, lab

class Home(Screen):
    title, activity = "Frail", "HomeActivity"

    def build(self, app):
        def die():
            raise RuntimeError("boom")
        return Column([
            Text("Alive"),
            Button("Die", id="die", on_click=die),
            Button("Die later", id="later", on_click=lambda: app.after(400, die)),
        ])

class Phones:
    def __init__(self):
        self.clock = SharedClock()
        frail = App(package="dev.frail", label="Frail", state=dict, start=Home)
        self.lent = virtual_device(frail, lab(), clock=self.clock, start=False)
        self.device = self.lent.__enter__()
        driver, self.done = self.device.driver, []
        for name in ("stop", "clear_data"):
            setattr(driver, name, self.noting(name, getattr(driver, name)))

    def noting(self, name, do):
        def noted(app):
            self.done.append((name, app))
            return do(app)
        return noted

    def pytest_replicant_driver(self, uri):
        return self.device.driver if uri == "virtual:shared" else None

    @pytest.fixture
    def mobile_session_args(self):
        return {"clock": self.clock}

def pytest_configure(config):
    config.phones = Phones()
    config.pluginmanager.register(config.phones)
    config.add_cleanup(lambda: config.phones.lent.__exit__(None, None, None))
"""


def test_an_app_that_was_only_used_is_watched_and_left_alone(
    run: Run, pytester: pytest.Pytester
) -> None:
    """Its death is the test's affair, its data are not; and the dialog that it leaves is
    nobody's."""
    pytester.makeconftest(DIES_BY_ITSELF)
    result = run(
        """
        import pytest

        FRAIL = "dev.frail"

        def start(mobile):
            mobile.shell(["monkey", "-p", FRAIL, "-c", "android.intent.category.LAUNCHER", "1"])
            mobile.wait_for(text="Alive")
            return mobile

        def press(mobile, text, **how):
            at = mobile.find(text=text).center
            return mobile.tap_at(at.x, at.y, **how)

        def test_by_its_place(mobile):
            press(start(mobile), "Die", silent=True)
            mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")

        def test_by_a_key(mobile, pytestconfig):
            later = start(mobile).find(text="Die later").center
            mobile.shell(["input", "tap", str(later.x), str(later.y)])
            mobile.press_key("volume_up")
            mobile.wait_for_change()
            pytestconfig.phones.clock.sleep(0.2)  # a test takes a while to begin

        def test_the_next_one_meets_no_dialog(mobile):
            mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")

        @pytest.fixture
        def slow_end(mobile, pytestconfig):
            yield mobile
            pytestconfig.phones.clock.sleep(0.6)

        def test_dies_while_its_fixtures_end(slow_end):
            slow_end.launch(FRAIL).expect_visible(text="Alive")
            slow_end.tap(text="Die later", silent=True).expect_visible(text="Alive", timeout=0)

        def test_data(mobile, pytestconfig):
            pytestconfig.phones.done.clear()
            mobile.home()
            mobile.tap(text="Frail").expect_visible(text="Alive")
            mobile.open_url("lab://crash")
            mobile.activate(FRAIL)

        def test_data_of_it_stay(pytestconfig):
            assert pytestconfig.phones.done == [("stop", "dev.replicant.lab")]

        def test_data_of_what_was_launched(mobile, pytestconfig):
            mobile.launch(FRAIL).expect_visible(text="Alive")
            pytestconfig.phones.done.clear()

        def test_are_cleared(pytestconfig):
            assert pytestconfig.phones.done == [("clear_data", FRAIL)]
        """,
        "--replicant-device=virtual:shared",
        ini="replicant_reset = clear\n",
    )
    result.assert_outcomes(failed=2, passed=6, errors=1)
    for word, name in (
        ("FAILED", "test_by_its_place"),
        ("FAILED", "test_by_a_key"),
        ("ERROR", "test_dies_while_its_fixtures_end"),
    ):
        result.stdout.fnmatch_lines([f"{word} *{name}*"])
    result.stdout.fnmatch_lines(["apps that died (3):"])


def test_what_a_test_leaves_behind_proves_nothing_in_the_next(run: Run) -> None:
    result = run(
        """
        import pytest
        from pytest_replicant import UsageError, connect

        KEPT = {}

        def test_first(mobile):
            mobile.launch("dev.replicant.lab", activity=".Toasts")
            KEPT["outcome"] = mobile.tap(text="Archive").expect_seen(text_contains="rchived")
            KEPT["mobile"], KEPT["part"] = mobile, mobile.within(text="Archive")
            KEPT["screen"] = mobile.snapshot()
            with connect("virtual?latency=0") as other:
                other.launch("dev.replicant.shop")
            with pytest.raises(UsageError, match="has ended"):
                other.snapshot()

        def test_a_toast_of_before_was_not_seen(mobile):
            with pytest.raises(AssertionError):
                mobile.expect_seen(text_contains="rchived", timeout=0.2)

        USES = [
            lambda kept: kept["mobile"].tap(text="Archive"),
            lambda kept: kept["mobile"].soft.expect_visible(text="Never"),
            lambda kept: kept["part"].find_all(text="Archive"),
            lambda kept: kept["mobile"].shell("id"),
            lambda kept: kept["mobile"].logs(),
            lambda kept: kept["mobile"].crashes(),
            lambda kept: kept["mobile"].current_app,
            lambda kept: kept["mobile"].wait_for(text="Archive"),
            lambda kept: kept["outcome"].expect_visible(text="Archive"),
            lambda kept: kept["outcome"].snapshot,
            lambda kept: kept["mobile"].attach("note", "late"),
            lambda kept: kept["mobile"].step("late").__enter__(),
        ]

        def test_a_session_that_has_ended_refuses(mobile):
            mobile.launch("dev.replicant.lab").expect_visible(text="Look-alike rows")
            for use in USES:
                with pytest.raises(UsageError, match="has ended"):
                    use(KEPT)
            assert KEPT["outcome"].result.success
            assert "(ended)" in repr(KEPT["mobile"])
            assert KEPT["screen"].find(text="Archive")

        def test_what_is_held_for_so_long_is_there(mobile):
            for check in (mobile.expect_gone, mobile.expect_seen):
                with pytest.raises(UsageError, match="stays=, which is for checks that something is there"):
                    check(text="Archive", stays=1)
        """
    )
    result.assert_outcomes(passed=4)
