"""A phone that is really lost in mid-test: the test runs once more on another one, and every report says so."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Run, run_record

from .test_junit import facts

pytestmark = pytest.mark.slow

RACK = """
from pytest_replicant.drivers.android.driver import AndroidDriver
from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual.device.phone import VirtualPhone
from pytest_replicant.virtual.profile import Latency, Profile
from pytest_replicant.virtual.serve import start_server

SERVERS = {}

def pytest_replicant_driver(uri, config):
    if not uri.startswith("rack:"):
        return None
    serial = uri.partition(":")[2]
    if uri not in SERVERS:
        latency = Latency.from_knobs({"latency": "0"})
        phone = VirtualPhone(demo_apps(()), profile=Profile(serial=serial), latency=latency)
        SERVERS[uri] = start_server(phone)
    server = SERVERS[uri]
    return AndroidDriver.connect(server.host, server.port, serial, uri=uri, timeout=5)

def pytest_sessionfinish():
    for server in SERVERS.values():
        server.close()

def unplug(opened):
    SERVERS[opened.driver.uri].detach(opened.driver.info.serial)
"""

LOSES = """
from pathlib import Path
from conftest import unplug

def test_loses(mobile, mobile_device):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    if not Path("lost").exists():
        Path("lost").touch()
        unplug(mobile_device)
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_next(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""

Rack = Callable[..., pytest.RunResult]


@pytest.fixture
def rack(run: Run, pytester: pytest.Pytester) -> Rack:
    """``rack(source, phones, *options)``: a run with that many phones that can be unplugged, without recovery,
    which would wait for them to come back."""

    def make(source: str, phones: int, *options: str, ini: str = "") -> pytest.RunResult:
        pytester.makeconftest(RACK)
        devices = [f"--replicant-device=rack:phone-{number}" for number in range(1, phones + 1)]
        fixed = ("--replicant-recovery=off", "--replicant-output=out")
        return run(source, *devices, *fixed, *options, ini=ini)

    return make


def attempts(told: dict[str, Any]) -> list[tuple[str, int, str, str]]:
    rows = [
        (row["nodeid"].rpartition("::")[2], row["attempt"], row["outcome"], row["phone"]) for row in told["tests"]
    ]
    return sorted(rows)


def test_on_another_phone_it_passes(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(LOSES, 2, "--junitxml=junit.xml", "-v")
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "*::test_loses REQUEUED*",
            "*::test_loses PASSED*",
            "requeued (1):",
            "  *::test_loses lost rack:phone-1 and passed on rack:phone-2; * not found*, open out/*/trace.html*",
            "phones in trouble (1):",
            "  rack:phone-1 (Virtual Phone, Android 14): lost in 1 of 1 tests; in quarantine: * not found*",
            "replicant: 1 passed, 1 requeued on *",
            "*2 passed, 1 requeued in *",
        ]
    )
    told = run_record(pytester.path)
    assert attempts(told) == [
        ("test_loses", 0, "infra", "rack:phone-1"),
        ("test_loses", 1, "passed", "rack:phone-2"),
        ("test_next", 0, "passed", "rack:phone-2"),
    ]
    assert [one["outcome"] for one in told["results"]] == ["requeued", "passed"]
    assert [(one["phone"], one["score"], one["requeued"]) for one in told["phones"]] == [
        ("rack:phone-1", 0, 1),
        ("rack:phone-2", 100, 0),
    ]
    for row in told["tests"]:
        assert (next((pytester.path / "out").glob("2*")) / row["trace"]).is_file()
    cases = list(ET.parse(pytester.path / "junit.xml").iter("testcase"))
    assert [(facts(case)["outcome"][0], facts(case)["attempt"][0]) for case in cases] == [
        ("requeued", "2"),
        ("passed", "1"),
    ]
    assert [child.tag for child in cases[0]] == ["properties"]
    assert "not found" in facts(cases[0])["lost_phone"][0]


def test_with_one_phone_it_is_infra(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(LOSES, 1)
    assert result.ret == 1
    result.assert_outcomes(errors=2)
    told = run_record(pytester.path)
    assert attempts(told) == [
        ("test_loses", 0, "infra", "rack:phone-1"),
        ("test_next", 0, "infra", "rack:phone-1"),
    ]
    assert "requeued" not in result.stdout.str()


@pytest.mark.thorough
def test_not_where_it_is_off(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(LOSES, 2, ini="addopts = -p no:replicant-requeue")
    result.assert_outcomes(passed=1, errors=1)
    assert attempts(run_record(pytester.path)) == [
        ("test_loses", 0, "infra", "rack:phone-1"),
        ("test_next", 0, "passed", "rack:phone-2"),
    ]


@pytest.mark.thorough
def test_a_second_loss_is_infra_with_both_phones(rack: Rack, pytester: pytest.Pytester) -> None:
    source = LOSES.replace("if not Path", "if True or Path")
    result = rack(source, 3)
    assert result.ret == 1
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        [
            "  *::test_loses lost rack:phone-1 and rack:phone-2 as well; *",
            "phones in trouble (2):",
            "  rack:phone-1 *",
            "  rack:phone-2 *",
            "replicant: 1 passed, 1 infra (1 cause) on *",
        ]
    )
    assert attempts(run_record(pytester.path)) == [
        ("test_loses", 0, "infra", "rack:phone-1"),
        ("test_loses", 1, "infra", "rack:phone-2"),
        ("test_next", 0, "passed", "rack:phone-3"),
    ]


RERUN = """
from conftest import unplug
import pytest

tried = 0

@pytest.fixture(scope="module")
def module():
    yield []

class TestIt:
    def test_fails_between(self, mobile, mobile_device, module):
        global tried
        tried += 1
        assert not hasattr(self, "seen"), "of an earlier attempt"
        self.seen = True
        module.append(tried)
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        if tried == 1:
            unplug(mobile_device)
        mobile.launch("dev.replicant.shop").expect_screen("Sign in" if tried != 2 else "Else")
        assert module == [1, 2, 3], "what outlives a test is not made anew"
"""


@pytest.mark.thorough
def test_beside_reruns_attempts_are_counted_on(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(RERUN, 2, "--reruns=1")
    assert result.ret == 0
    result.stdout.fnmatch_lines(["replicant: 1 flaky on *", "*1 passed, 1 requeued, 1 rerun in *"])
    assert attempts(run_record(pytester.path)) == [
        ("test_fails_between", 0, "infra", "rack:phone-1"),
        ("test_fails_between", 1, "failed", "rack:phone-2"),
        ("test_fails_between", 2, "passed", "rack:phone-2"),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("dist", ["load", "worksteal"])
def test_in_a_worker(rack: Rack, pytester: pytest.Pytester, dist: str) -> None:
    result = rack(LOSES, 2, "-n", "2", "--dist", dist)
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["replicant: 1 passed, 1 requeued on *", "*2 passed, 1 requeued in *"])
    told = run_record(pytester.path)
    assert [row[:3] for row in attempts(told) if row[0] == "test_loses"] == [
        ("test_loses", 0, "infra"),
        ("test_loses", 1, "passed"),
    ]


OTHERS = """
from conftest import unplug
import pytest

def test_failed_before(mobile, mobile_device):
    mobile.launch("dev.replicant.shop")
    mobile.soft.expect_screen("Else", timeout=0.1)
    unplug(mobile_device)
    mobile.launch("dev.replicant.shop")

@pytest.fixture
def account(mobile, mobile_device):
    if mobile_device.driver.uri == "rack:phone-2":
        unplug(mobile_device)
    mobile.launch("dev.replicant.shop")
    yield
    mobile.launch("dev.replicant.shop")

def test_in_setup(account):
    pass

def test_raised_by_itself(mobile):
    from pytest_replicant import Unsupported
    raise Unsupported("no such thing", capability="x")
"""


@pytest.mark.thorough
def test_what_is_requeued_and_what_is_not(rack: Rack, pytester: pytest.Pytester) -> None:
    rack(OTHERS, 4)
    assert attempts(run_record(pytester.path)) == [
        ("test_failed_before", 0, "infra", "rack:phone-1"),  # a soft check had failed: that is the app's
        ("test_in_setup", 0, "infra", "rack:phone-2"),
        ("test_in_setup", 1, "passed", "rack:phone-3"),
        ("test_raised_by_itself", 0, "failed", "rack:phone-3"),  # a wrong call
    ]


@pytest.mark.thorough
def test_pytest_html_and_allure_keep_both_attempts(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(LOSES, 2, "--html=report.html", "--alluredir=allure", "-W", "ignore")
    assert result.ret == 0
    found = [json.loads(path.read_text("utf-8")) for path in (pytester.path / "allure").glob("*-result.json")]
    own = sorted((one for one in found if one["name"].startswith("test_loses")), key=lambda one: one["start"])
    assert [one["status"] for one in own] == ["broken", "passed"]
    assert not any((one.get("statusDetails") or {}).get("flaky") for one in own)
    tags = [{label["value"] for label in one["labels"] if label["name"] == "tag"} for one in own]
    assert "lost phone" in tags[0]
    assert "requeued" in tags[1]
    assert "requeued" in (pytester.path / "report.html").read_text("utf-8")


ATTACHED = """
def test_one(mobile_device):
    assert mobile_device.driver.uri == "rack:phone-2"

def test_two(mobile_device):
    assert mobile_device.driver.uri == "rack:phone-2"
"""


@pytest.mark.thorough
def test_a_phone_that_cannot_be_opened_costs_one_attempt(rack: Rack, pytester: pytest.Pytester) -> None:
    phones = ("--replicant-device=adb://127.0.0.1:9/absent", "--replicant-device=rack:phone-2")
    result = rack(ATTACHED, 0, *phones)
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["  *::test_one lost adb://127.0.0.1:9/absent and passed*"])


SHELF = """
import os
from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual.device.phone import VirtualPhone
from pytest_replicant.virtual.profile import Latency, Profile
from pytest_replicant.virtual.serve import start_server

def phone(serial):
    latency = Latency.from_knobs({"latency": "0"})
    return VirtualPhone(demo_apps(()), profile=Profile(serial=serial), latency=latency)

SERVER = start_server(phone("phone-1"), phone("phone-2"))
os.environ["ANDROID_ADB_SERVER_PORT"] = str(SERVER.port)

def pytest_sessionfinish():
    SERVER.close()

def unplug(opened):
    SERVER.detach(opened.driver.info.serial)
"""


@pytest.mark.thorough
def test_of_all_that_are_attached_another_one(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(SHELF)
    options = ("--replicant-device=android", "--replicant-recovery=off", "--replicant-output=out")
    result = run(LOSES, *options)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["replicant: 1 passed, 1 requeued on *"])
    assert attempts(run_record(pytester.path)) == [
        ("test_loses", 0, "infra", "android:phone-1"),
        ("test_loses", 1, "passed", "android:phone-2"),
        ("test_next", 0, "passed", "android:phone-2"),
    ]


@pytest.mark.thorough
def test_under_a_matrix_no_other_kind_will_do(rack: Rack, pytester: pytest.Pytester) -> None:
    result = rack(LOSES.partition("def test_next")[0], 2, "--replicant-matrix")
    assert result.ret == 1
    assert [row[1:] for row in attempts(run_record(pytester.path))] == [
        (0, "infra", "rack:phone-1"),
        (0, "passed", "rack:phone-2"),
    ]


LOSES_AT_THE_END = """
import pytest
from conftest import unplug

@pytest.fixture
def ends(mobile, mobile_device):
    yield
    unplug(mobile_device)
    mobile.snapshot()

def test_loses(ends):
    pass

def test_next(mobile):
    mobile.snapshot()
"""


def test_the_next_test_is_not_given_a_phone_that_was_lost_at_the_end_of_one(
    rack: Rack, pytester: pytest.Pytester
) -> None:
    rack(LOSES_AT_THE_END, 2).assert_outcomes(passed=2, errors=1)
    assert attempts(run_record(pytester.path)) == [
        ("test_loses", 0, "infra", "rack:phone-1"),
        ("test_next", 0, "passed", "rack:phone-2"),
    ]
