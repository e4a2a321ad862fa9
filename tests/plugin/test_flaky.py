"""A test that passes only when it is run again, or fails now and then: every attempt is kept, the
run calls it flaky, and one that the project knows to be flaky fails no run by the causes that are
listed for it."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run, outcomes_of, run_record, write_known_flaky

pytestmark = pytest.mark.slow

# --- the last runs --------------------------------------------------------------------------------

FLAKY = """
from pathlib import Path

def test_flaky(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    tried = Path("tried")
    if not tried.exists():
        tried.touch()
        mobile.tap(text="Sign on")
"""


@pytest.mark.thorough
def test_a_run_adds_to_what_earlier_runs_left(run: Run, pytester: pytest.Pytester) -> None:
    assert run(FLAKY, "--replicant-output=out").ret == 1
    assert run(FLAKY, "--replicant-output=out").ret == 0
    earlier = {*(pytester.path / "out").glob("*/run.json")}
    (pytester.path / "tried").unlink()
    result = run(FLAKY, "--replicant-output=out")
    result.stdout.no_fnmatch_line("*history*")
    (last,) = {*(pytester.path / "out").glob("*/run.json")} - earlier
    known = json.loads(last.read_text("utf-8"))
    assert known["results"][0]["history"] == "fpf"
    (flaky,) = known["flaky"]
    assert (flaky["test"], flaky["failed"], flaky["runs"], flaky["history"]) == (
        known["results"][0]["nodeid"], 2, 3, "fpf"
    )  # fmt: skip
    assert flaky["key"] == known["causes"][0]["key"]
    assert "Sign on" in flaky["cause"]
    assert "tap" in flaky["parts_at"]


# --- known flaky ----------------------------------------------------------------------------------

LISTED = ("SHOP-1", "*::test_known*", '"Sign on" not found', "2999-12-31")
EXPIRED = ("SHOP-2", "*::test_expired", '"Sign on" not found', "2020-12-31")
GONE = ("SHOP-3", "test_a_*.py::test_gone", "0123abcd", "2999-12-31")

MANY = """
import pytest

def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

@pytest.fixture
def before(mobile):
    start(mobile)
    mobile.find(text="Sign on")

@pytest.fixture
def after(mobile):
    yield
    mobile.find(text="Sign on")

def test_known_call(mobile):
    start(mobile)
    mobile.find(text="Sign on")

def test_known_by_another_cause(mobile):
    start(mobile)
    mobile.find(text="Nothing")

def test_known_setup(before):
    pass

def test_known_teardown(mobile, after):
    start(mobile)

def test_known_and_another(mobile):
    start(mobile)
    for text in ("Sign on", "Nothing"):
        mobile.soft.expect_visible(text=text, timeout=0.1)

def test_known_that_passes(mobile):
    start(mobile)

def test_expired(mobile):
    start(mobile)
    mobile.find(text="Sign on")

def test_unlisted(mobile):
    start(mobile)
    mobile.find(text="Sign on")
"""

ENDED = {
    "test_known_call": "known flaky",
    "test_known_by_another_cause": "failed",
    "test_known_setup": "known flaky",
    "test_known_teardown": "known flaky",
    "test_known_and_another": "failed",
    "test_known_that_passes": "passed",
    "test_expired": "failed",
    "test_unlisted": "failed",
}


def test_failing_by_a_listed_cause_fails_no_run_and_by_another_does(
    run: Run, pytester: pytest.Pytester
) -> None:
    write_known_flaky(pytester.path / "known.json", LISTED, EXPIRED, GONE)
    ini = "replicant_known_flaky = known.json"
    result = run(
        MANY, "--replicant-output=out", "--junitxml=j.xml", "-p", "no:rerunfailures", ini=ini
    )
    assert result.ret == 1
    assert outcomes_of(pytester.path) == ENDED
    rows = {row["nodeid"].rpartition("::")[2]: row for row in run_record(pytester.path)["tests"]}
    assert rows["test_known_call"]["known_flaky"] == "SHOP-1, until 2999-12-31"
    assert rows["test_known_call"]["cause"]["subject"]
    assert rows["test_unlisted"]["known_flaky"] == ""
    assert [one["failures"] for one in run_record(pytester.path)["causes"]].count(0) == 0
    result.stdout.fnmatch_lines(
        [
            "known flaky (3):",
            "  *::test_known_call, SHOP-1, until 2999-12-31: *Sign on*",
            "out of date in replicant_known_flaky (1):",
            "  known.json SHOP-2: expired on 2020-12-31, its failures count again",
            "replicant: 1 passed, 3 known flaky, 4 failed *",
        ]
    )
    xml = (pytester.path / "j.xml").read_text("utf-8")
    assert '<skipped type="pytest.xfail" message="known flaky: SHOP-1, until 2999-12-31"' in xml
    assert 'failures="4"' in xml


FAILS = MANY.partition("def test_known_by")[0]


@pytest.mark.thorough
@pytest.mark.parametrize("options", [("--reruns=2",), ("-n", "1", "--reruns=1"), ("--maxfail=1",)])
def test_it_is_neither_run_again_nor_does_it_stop_the_run(
    run: Run, pytester: pytest.Pytester, options: tuple[str, ...]
) -> None:
    write_known_flaky(pytester.path / "known.json", LISTED)
    source = f"{FAILS}\ndef test_fine(mobile):\n    start(mobile)\n"
    result = run(
        source, "--replicant-output=out", *options, ini="replicant_known_flaky = known.json"
    )
    assert result.ret == 0
    assert outcomes_of(pytester.path) == {"test_known_call": "known flaky", "test_fine": "passed"}
    result.stdout.fnmatch_lines(["*1 passed, 1 known flaky in *"])
    result.stdout.no_fnmatch_line("*out of date*")


@pytest.mark.thorough
def test_an_entry_that_is_out_of_date_may_fail_the_run(run: Run, pytester: pytest.Pytester) -> None:
    write_known_flaky(pytester.path / "known.json", LISTED, EXPIRED)
    ini = "replicant_known_flaky = known.json\nreplicant_known_flaky_stale = fail"
    result = run("def test_fine(mobile):\n    mobile.home()\n", "--replicant-output=out", ini=ini)
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*(1):", "*json SHOP-2: expired*"])


def test_a_file_that_cannot_be_read_ends_the_run_before_it_begins(
    run: Run, pytester: pytest.Pytester
) -> None:
    write_known_flaky(pytester.path / "known.json", ("SHOP-1", "a", "Sign in", "soon"))
    result = run("def test_a(): pass", ini="replicant_known_flaky = known.json")
    assert result.ret == 4
    result.stderr.fnmatch_lines(["ERROR: replicant: known.json: known[[]0].expires: *"])
