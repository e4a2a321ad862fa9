"""``replicant doctor``: which phones it looks at, what it prints, and what it returns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_replicant import pool
from pytest_replicant.cli import FINDING, FINE, USAGE, doctor, main
from pytest_replicant.options import project_ini
from pytest_replicant.pool import Check, Finding, Subject
from pytest_replicant.virtual import Latency, PhoneServer, Profile, VirtualPhone, start_server
from tests.conftest import Capture

QUICK = "virtual?latency=0"
Computer = Callable[..., None]


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Computer:
    """``computer(finding, …)``: all that is found of it; the project is empty, and no adb server
    listens."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")

    def put(*findings: Finding) -> None:
        look = Check("all", 5, lambda: findings)
        monkeypatch.setattr(pool, "computer", lambda: Subject("computer", lambda: iter([look])))

    put(Finding("ok", "Python", "fine"))
    return put


@pytest.fixture
def server(computer: Computer, monkeypatch: pytest.MonkeyPatch) -> Iterator[PhoneServer]:
    phones = [
        VirtualPhone(profile=Profile(serial=each), latency=Latency.from_knobs({"latency": "0"}))
        for each in "ab"
    ]
    with start_server(*phones) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield server


def told(capsys: Capture, *given: str) -> tuple[int, dict[str, dict[str, str]], str]:
    """The exit code, the verdict, and by group and name how each check ended."""
    code = main(["doctor", "--json", *given])
    said = json.loads(capsys.readouterr().out)
    assert said.pop("schema") == "replicant.doctor/1"
    groups: dict[str, dict[str, str]] = {}
    for check in said["checks"]:
        assert list(check) == ["group", "name", "status", "found", "next"]
        groups.setdefault(check["group"], {})[check["name"]] = check["status"]
    return code, groups, said["verdict"]


def test_a_virtual_phone_where_nothing_is_attached(computer: Computer, capsys: Capture) -> None:
    code, groups, verdict = told(capsys, "--device", QUICK)
    assert (code, verdict) == (FINE, "ok")
    assert groups == {"computer": {"Python": "ok"}, QUICK: {"screen": "ok"}}


def test_warnings_are_fine_and_a_failure_is_a_finding(computer: Computer, capsys: Capture) -> None:
    computer(Finding("warn", "adb", "old", "renew it"))
    assert told(capsys, "--device", QUICK)[::2] == (FINE, "warn")
    computer(Finding("fail", "lxml", "broken", "renew it"))
    code, groups, verdict = told(capsys, "--device", QUICK, "--device", "android:gone")
    assert (code, verdict, groups[QUICK]) == (FINDING, "fail", {"screen": "ok"})
    assert groups["android:gone"] == {"connection": "fail"}


@pytest.mark.slow
def test_every_attached_phone_and_a_virtual_one(server: PhoneServer, capsys: Capture) -> None:
    """One of them in trouble hides none of the others."""
    server.set_state("b", "unauthorized")
    code, groups, _ = told(capsys)
    assert [*groups] == ["computer", "android:a", "android:b", "virtual"]
    assert (code, groups["android:b"], groups["android:a"]["uiautomator2"]) == (
        1,
        {"connection": "fail"},
        "ok",
    )


def test_the_phones_of_the_project(computer: Computer, capsys: Capture, tmp_path: Path) -> None:
    """Those of the command line come before; what only a driver of the project knows is passed
    by."""
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nreplicant_devices =\n    farm:7\n    virtual?latency=0\n"
    )
    assert [*told(capsys)[1]] == ["computer", "farm:7", QUICK]
    assert [*told(capsys, "--device", "virtual:ios?latency=0")[1]] == [
        "computer",
        "virtual:ios?latency=0",
    ]


@pytest.mark.parametrize(
    "given",
    [
        ["--device", "farm:7"],
        ["--device", "virtual?nope=1"],
        ["--timeout", "0"],
    ],
)
def test_usage(given: list[str], computer: Computer, capsys: Capture) -> None:
    assert main(["doctor", *given]) == USAGE
    said = capsys.readouterr()
    assert (said.out, bool(said.err)) == ("", True)


def test_a_check_that_breaks_is_a_failure(
    computer: Computer, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.pool.doctor.open_device", lambda *_, **__: 1 // 0)
    code = main(["doctor", "--json", "--device", QUICK])
    (_, check) = json.loads(capsys.readouterr().out)["checks"]
    assert (code, check["status"], check["found"].partition(":")[0]) == (
        FINDING,
        "fail",
        "ZeroDivisionError",
    )


# --- as a person reads it -------------------------------------------------------------------------
def test_a_page(computer: Computer, capsys: Capture) -> None:
    computer(
        Finding("ok", "Python", "3.11"), Finding("warn", "adb command", "not found", "install it")
    )
    assert main(["doctor", "--device", QUICK]) == FINE
    lines = capsys.readouterr().out.splitlines()
    assert lines[:5] == [
        "computer",
        "  ok    Python       3.11",
        "  warn  adb command  not found",
        "                     Next: install it",
        "",
    ]
    assert lines[-1] == "Fine, with 1 warning."


def test_what_a_phone_says_is_not_obeyed() -> None:
    hostile = Finding(
        "warn",
        "key\x1b[2Jboard",
        "\x1b]0;title\x07 x\u202eyz \n  ok   fake",
        "a\tb",
        "android:\x9b1",
    )
    lines = [*doctor.group_lines([hostile])]
    assert len(lines) == 3
    assert all(map(str.isprintable, lines))


@pytest.mark.slow
def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    """While a phone hangs."""
    command = [
        sys.executable,
        "-m",
        "pytest_replicant.cli",
        "doctor",
        "--device",
        "virtual?rpc_ms=600000",
    ]
    root = str(Path(__file__).parents[3])
    environment = {
        **os.environ,
        "PYTHONPATH": root,
        "ANDROID_ADB_SERVER_PORT": "1",
        "PYTHONUNBUFFERED": "1",
    }
    environment["PYTHONFAULTHANDLER"] = "1"
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        while process.stdout.readline().strip():  # until all of the computer is reported
            pass
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:  # faulthandler says where each thread stands
            process.send_signal(signal.SIGABRT)
            pytest.fail(process.communicate(timeout=20)[1])
    assert (process.returncode, said) == (130, "")


# --- the project's configuration ------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\nreplicant_devices =\n  android:a\n  virtual\n"),
        ("tox.ini", "[tox]\n[pytest]\nreplicant_devices = android:a\n  virtual\n"),
        (
            "pyproject.toml",
            '[tool.pytest.ini_options]\nreplicant_devices = ["android:a", "virtual"]\n',
        ),
        ("pytest.toml", '[pytest]\nreplicant_devices = ["android:a", "virtual"]\n'),
    ],
)
def test_where_a_project_names_its_phones(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    below = tmp_path / "tests" / "unit"
    below.mkdir(parents=True)
    (tmp_path / "tests" / "setup.cfg").write_text("[metadata]\nname = x\n")  # configures no pytest
    assert project_ini(below) == {"replicant_devices": ["android:a", "virtual"]}
