"""Several phones, several workers, several runs: one phone, one test at a time."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.phone_use import overlaps, uses_in
from pytest_replicant.pool import MUTEX, demo_apps, lease_folder
from pytest_replicant.virtual import Latency, PhoneServer, Profile, VirtualPhone, start_server
from tests.conftest import QUICK, Run, outcomes_of, run_record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent
NO_LATENCY = Latency(**dict.fromkeys(Latency.__dataclass_fields__, 0))
MANY = """
import pytest

@pytest.mark.parametrize("number", range(8))
def test_many(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=f"{number}@example.com").expect_state(text=f"{number}@example.com")
"""


@pytest.fixture(autouse=True)
def leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of leases for this test and the runs that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return lease_folder()


def phone(serial: str, sdk: int = 34) -> VirtualPhone:
    return VirtualPhone(demo_apps(()), profile=Profile(serial=serial, sdk=sdk), latency=NO_LATENCY)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    """An adb server with two phones, where the environment says that adb's is."""
    with start_server(phone("old", 29), phone("new", 34)) as started:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(started.port))
        monkeypatch.delenv("ANDROID_ADB_SERVER_ADDRESS", raising=False)
        monkeypatch.delenv("ANDROID_ADB_SERVER_HOST", raising=False)
        yield started


def left_in(leases: Path) -> list[str]:
    return [path.name for path in leases.iterdir() if path.name != MUTEX]


# Workers


@pytest.mark.thorough
def test_three_workers_share_two_virtual_phones(
    run: Run, pytester: pytest.Pytester, leases: Path
) -> None:
    pytest.importorskip("xdist")
    result = run(
        MANY, "-n", "3", "--replicant-device=virtual:2?latency=0", "--replicant-output=out"
    )
    result.assert_outcomes(passed=8)
    result.stdout.fnmatch_lines(["replicant: virtual:2?latency=0 (*"])
    found = [*uses_in(pytester.path / "out")]
    assert len(found) == 8
    assert {use.phone for use in found} == {
        "virtual:android?latency=0&serial=virtual-1 virtual-1",
        "virtual:android?latency=0&serial=virtual-2 virtual-2",
    }
    assert overlaps(found) == []
    assert {row["phone"] for row in run_record(pytester.path)["tests"]} == {
        "virtual-1",
        "virtual-2",
    }
    assert left_in(leases) == []


@pytest.mark.thorough
def test_auto_is_as_many_workers_as_phones(run: Run, server: PhoneServer) -> None:
    pytest.importorskip("xdist")
    devices = ("android:old", "android", "virtual:ios:2?latency=0")
    given = [f"--replicant-device={device}" for device in devices]
    result = run("def test_nothing(): pass", "-n", "auto", *given)
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*4 worker*"])


@pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright"
)
@pytest.mark.ci
def test_a_killed_worker_gives_its_phone_to_the_others(
    run: Run, pytester: pytest.Pytester, leases: Path
) -> None:
    pytest.importorskip("xdist")
    source = (
        f"{MANY}\n    if number == 2:\n        import os, signal\n        os.kill(os.getpid(), "
        "signal.SIGKILL)\n"
    )
    result = run(
        source, "-n", "2", "--replicant-device=virtual:1?latency=0", "--replicant-output=out"
    )
    result.assert_outcomes(passed=7, failed=1)
    found = outcomes_of(pytester.path)
    assert found.pop("test_many[2]") == "error"
    assert [*found.values()] == ["passed"] * 7
    assert overlaps(uses_in(pytester.path / "out")) == []
    assert not [name for name in left_in(leases) if "ticket" in name]


# Runs


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-p", "no:randomly", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.ci
def test_three_runs_at_once_share_two_phones(
    tmp_path: Path, server: PhoneServer, leases: Path
) -> None:
    """One of them always waits, and each gets its turn."""
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "three"]
    with contextlib.ExitStack() as runs:
        started = []
        for folder in folders:
            folder.mkdir()
            (folder / "test_many.py").write_text(MANY.replace("range(8)", "range(4)"))
            (folder / "pytest.ini").write_text(QUICK)
            process = start(folder, "--replicant-device=android", "--replicant-output=out")
            runs.callback(process.kill)
            started.append(process)
        for process in started:
            output, _ = process.communicate(timeout=120)
            assert process.returncode == 0, output
    found = [use for folder in folders for use in uses_in(folder / "out")]
    assert len(found) == 12
    assert overlaps(found) == []
    assert {use.phone for use in found} == {"android:old old", "android:new new"}
    assert left_in(leases) == []


# Which phone


def test_the_marker_selects_and_skips_with_the_reason(
    run: Run, server: PhoneServer, pytester: pytest.Pytester
) -> None:
    source = """
    import pytest

    replicant = pytest.mark.replicant

    @replicant(api=">=34")
    def test_new(mobile, mobile_device):
        assert mobile_device.driver.info.serial == "new"

    @replicant(api="<34")
    def test_old(mobile_device):
        assert mobile_device.driver.info.serial == "old"

    @replicant(api=">=35")
    def test_newer(mobile): pass

    @replicant(platform="ios")
    def test_iphone(mobile): pass

    @replicant(needs=["shell", "pinch"])
    def test_able(mobile): pass

    @replicant(api="new")
    def test_wrong(mobile): pass

    @replicant(needs="wings")
    def test_wings(mobile): pass

    @replicant(api=">=35")
    def test_another(new_mobile):
        new_mobile()

    @replicant(api=">=35")
    def test_named(new_mobile):
        new_mobile("android:old")
    """
    result = run(source, "--replicant-device=android", "-rs", "-v", "--replicant-output=out")
    result.assert_outcomes(passed=4, skipped=3, errors=2)
    result.stdout.fnmatch_lines(
        [
            '*no phone of this run will do for api=">=35": android:old: has API level 29, not '
            ">=35; "
            "android:new: has API level 34, not >=35",
            '*no phone of this run will do for platform="ios": android:old, android:new: an '
            "Android phone, "
            "not an iPhone",
        ]
    )
    said = result.stdout.str()
    assert 'Write ">=34", ">=29,<34" or "34"' in said
    assert "needs=wings: no such ability. There are: audit, clear_data, " in said
