"""A phone that is really lost in mid-test: the test runs once more on another one, and every report
says so."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run, run_record

from .test_junit import facts

pytestmark = pytest.mark.slow

RACK = """
from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Latency, Profile, VirtualPhone, start_server

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
    """``rack(source, phones, *options)``: a run with that many phones that can be unplugged,
    without recovery, which would wait for them to come back."""

    def make(source: str, phones: int, *options: str, ini: str = "") -> pytest.RunResult:
        pytester.makeconftest(RACK)
        devices = [f"--replicant-device=rack:phone-{number}" for number in range(1, phones + 1)]
        fixed = ("--replicant-recovery=off", "--replicant-output=out")
        return run(source, *devices, *fixed, *options, ini=ini)

    return make


Attempts = list[tuple[str, int, str, str]]


def attempts(folder: Path) -> Attempts:
    rows = run_record(folder)["tests"]
    return sorted(
        (row["nodeid"].rpartition("::")[2], row["attempt"], row["outcome"], row["phone"])
        for row in rows
    )


LOST = ("test_loses", 0, "infra", "rack:phone-1")
NEXT = ("test_next", 0, "passed", "rack:phone-2")
FILES = ("--junitxml=junit.xml", "--html=report.html", "--alluredir=allure", "-W", "ignore", "-v")


def test_on_another_phone_it_passes_and_every_report_keeps_both_attempts(
    rack: Rack, pytester: pytest.Pytester
) -> None:
    result = rack(LOSES, 2, *FILES)
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "*::test_loses REQUEUED*",
            "*::test_loses PASSED*",
            "requeued (1):",
            "  *::test_loses lost rack:phone-1 and passed on rack:phone-2; * not found*, open "
            "out/*/trace.html*",
            "phones in trouble (1):",
            "  rack:phone-1 (Virtual Phone, Android 14): lost in 1 of 1 tests; in quarantine: * "
            "not found*",
            "replicant: 1 passed, 1 requeued on *",
            "*2 passed, 1 requeued in *",
        ]
    )
    told = run_record(pytester.path)
    assert attempts(pytester.path) == [LOST, ("test_loses", 1, "passed", "rack:phone-2"), NEXT]
    assert [one["outcome"] for one in told["results"]] == ["requeued", "passed"]
    assert [(one["phone"], one["score"], one["requeued"]) for one in told["phones"]] == [
        ("rack:phone-1", 0, 1),
        ("rack:phone-2", 100, 0),
    ]
    (folder,) = (pytester.path / "out").glob("2*")
    assert all((folder / row["trace"]).is_file() for row in told["tests"])
    cases = list(ET.parse(pytester.path / "junit.xml").iter("testcase"))
    known = [(facts(case)["outcome"], facts(case)["attempt"]) for case in cases]
    assert known == [(["requeued"], ["2"]), (["passed"], ["1"])]
    assert [child.tag for child in cases[0]] == ["properties"]
    assert "not found" in facts(cases[0])["lost_phone"][0]
    found = [
        json.loads(path.read_text("utf-8"))
        for path in (pytester.path / "allure").glob("*-result.json")
    ]
    own = sorted(
        (one for one in found if one["name"] == "test_loses"), key=lambda one: one["start"]
    )
    assert [one["status"] for one in own] == ["broken", "passed"]
    assert not any((one.get("statusDetails") or {}).get("flaky") for one in own)
    tags = [{label["value"] for label in one["labels"] if label["name"] == "tag"} for one in own]
    assert "lost phone" in tags[0]
    assert "requeued" in tags[1]
    assert "requeued" in (pytester.path / "report.html").read_text("utf-8")


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
ATTACHED = """
def test_one(mobile_device):
    assert mobile_device.driver.uri == "rack:phone-2"

def test_two(mobile_device):
    assert mobile_device.driver.uri == "rack:phone-2"
"""
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
ENDS: dict[str, tuple[str, int, tuple[str, ...], Attempts, tuple[str, ...]]] = {
    "with one phone it is infra": (
        LOSES,
        1,
        (),
        [LOST, ("test_next", 0, "infra", "rack:phone-1")],
        (),
    ),
    "not where it is off": (LOSES, 2, ("-p", "no:replicant-requeue"), [LOST, NEXT], ()),
    "a second loss is infra with both phones": (
        LOSES.replace("if not Path", "if True or Path"),
        3,
        (),
        [
            LOST,
            ("test_loses", 1, "infra", "rack:phone-2"),
            ("test_next", 0, "passed", "rack:phone-3"),
        ],
        ("  *::test_loses lost rack:phone-1 and rack:phone-2 as well; *", "phones in trouble (2):"),
    ),
    "with reruns attempts are counted on": (
        RERUN,
        2,
        ("--reruns=1",),
        [
            ("test_fails_between", 0, "infra", "rack:phone-1"),
            ("test_fails_between", 1, "failed", "rack:phone-2"),
            ("test_fails_between", 2, "passed", "rack:phone-2"),
        ],
        ("replicant: 1 flaky on *", "*1 passed, 1 requeued, 1 rerun in *"),
    ),
    "a soft check that had failed is the app's, and a wrong call is the test's": (
        OTHERS,
        4,
        (),
        [
            ("test_failed_before", 0, "infra", "rack:phone-1"),
            ("test_in_setup", 0, "infra", "rack:phone-2"),
            ("test_in_setup", 1, "passed", "rack:phone-3"),
            ("test_raised_by_itself", 0, "failed", "rack:phone-3"),
        ],
        (),
    ),
    "under a matrix no other kind will do": (
        LOSES.partition("def test_next")[0],
        2,
        ("--replicant-matrix",),
        [
            ("test_loses[rack-phone-1]", 0, "infra", "rack:phone-1"),
            ("test_loses[rack-phone-2]", 0, "passed", "rack:phone-2"),
        ],
        (),
    ),
    "a phone that is lost at the end of a test is not given to the next": (
        LOSES_AT_THE_END,
        2,
        (),
        [LOST, NEXT],
        ("*2 passed, 1 error*",),
    ),
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if at in (0, 6) else pytest.mark.thorough)
        for at, name in enumerate(ENDS)
    ],
)
def test_what_is_requeued_and_what_is_not(rack: Rack, pytester: pytest.Pytester, name: str) -> None:
    source, phones, options, ended, lines = ENDS[name]
    result = rack(source, phones, *options)
    assert attempts(pytester.path) == ended
    result.stdout.fnmatch_lines(lines)


@pytest.mark.thorough
@pytest.mark.parametrize("dist", ["load", "worksteal"])
def test_in_a_worker(rack: Rack, pytester: pytest.Pytester, dist: str) -> None:
    result = rack(LOSES, 2, "-n", "2", "--dist", dist)
    assert result.ret == 0
    result.stdout.fnmatch_lines(
        ["replicant: 1 passed, 1 requeued on *", "*2 passed, 1 requeued in *"]
    )
    assert [row[:3] for row in attempts(pytester.path)[:2]] == [
        LOST[:3],
        ("test_loses", 1, "passed"),
    ]


@pytest.mark.thorough
def test_a_phone_that_cannot_be_opened_costs_one_attempt(rack: Rack) -> None:
    phones = ("--replicant-device=adb://127.0.0.1:9/absent", "--replicant-device=rack:phone-2")
    result = rack(ATTACHED, 0, *phones)
    assert result.ret == 0
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["  *::test_one lost adb://127.0.0.1:9/absent and passed*"])
