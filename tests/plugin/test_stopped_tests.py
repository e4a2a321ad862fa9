"""Tests that stand still, and the commands of other processes that go on from there."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SUITE = """
def test_pauses(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.pause()
    mobile.expect_visible(text="Welcome, Ada", timeout=0.2)

def test_fails(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.tap(text="Help", timeout=0.2)
"""
SIGN_IN = (
    'fill(text="Email", value="ada@example.com")',
    'fill(text="Password", env="SHOP_PASSWORD")',
    'tap(text="Sign in")',
)
pytestmark = [pytest.mark.slow, pytest.mark.ci]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the suite, whose sessions are its own."""
    for name, value in (
        ("TMPDIR", str(tmp_path)),
        ("SHOP_PASSWORD", "correct horse"),
        ("PYTHONPATH", str(ROOT)),
    ):
        monkeypatch.setenv(name, value)
    for name in ("CI", "PYTEST_XDIST_WORKER", "PYTEST_ADDOPTS"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "test_it.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\nreplicant_device = virtual?latency=0\nreplicant_read_on = 0\n"
    )
    os.utime(tmp_path / "test_it.py", (1_000_000_000, 1_000_000_000))
    return tmp_path


def typed(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest_replicant.client", *words], cwd=project, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip


@contextmanager
def running(project: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    with (project / "out.txt").open("wb") as out:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:randomly",
            *options,
        ]
        process = subprocess.Popen(
            command, cwd=project, stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()


def wait_for(project: Path, text: str) -> str:
    deadline = time.monotonic() + 60
    while text not in (said := (project / "out.txt").read_text()):
        assert time.monotonic() < deadline, said
        time.sleep(0.05)
    return said


def test_a_paused_test_is_driven_by_commands_that_become_its_lines(project: Path) -> None:
    with running(project, "-k", "pauses") as process:
        said = wait_for(project, "Attach: ")
        assert "test_it.py:4" in said
        assert re.search(r"Attach: replicant look -s test_pauses\b", said)
        assert "10 minutes without a command" in said
        assert '[m987] Button "Sign in"' in typed(project, "look").stdout
        assert typed(project, "do", *SIGN_IN).returncode == 0
        assert typed(project, "rewind", "1").returncode == 2
        assert typed(project, "expect", "3b").returncode == 0
        saved = typed(project, "save")
        assert saved.returncode == 0, saved.stderr
        assert typed(project, "close").stdout == "test_pauses goes on\n"
        assert process.wait(60) == 0
    code = (project / "test_it.py").read_text()
    assert (
        "\n".join(
            [
                "    mobile.pause()",
                '    mobile.fill(text="Email", value="ada@example.com")',
                '    mobile.fill(text="Password", value=Secret(os.environ["SHOP_PASSWORD"]))',
                '    mobile.tap(text="Sign in").expect_visible(text="Welcome, Ada")',
                '    mobile.expect_visible(text="Welcome, Ada", timeout=0.2)',
            ]
        )
        in code
    )
    assert not [*project.glob("pytest-replicant-leases-*/sessions/*.json")]
    again = code.replace("    mobile.pause()\n", "")
    (project / "test_it.py").write_text(again)
    with running(project, "-k", "pauses") as process:
        assert process.wait(60) == 0


def test_a_failed_test_stops_before_its_teardown_and_steps_go_before_its_line(
    project: Path,
) -> None:
    with running(project, "--replicant-debug") as process:
        wait_for(project, "Attach: replicant look -s test_pauses ")
        assert typed(project, "do", *SIGN_IN).returncode == 0
        assert typed(project, "save").returncode == 0
        typed(project, "close")
        said = wait_for(project, "Attach: replicant look -s test_fails ")
        assert "ELEMENT_NOT_FOUND" in said
        assert typed(project, "do", 'tap(text="Forgot password?")').returncode == 0
        assert typed(project, "save").returncode == 0
        typed(project, "close")
        assert process.wait(60) == 1
    lines = (project / "test_it.py").read_text().splitlines()
    here = lines.index(
        '    mobile.tap(text="Help", timeout=0.2)'
    )  # lines above it were written meanwhile
    assert lines[here - 1] == '    mobile.tap(text="Forgot password?")'
    assert lines[lines.index("    mobile.pause()") + 1].startswith("    mobile.fill(")


WRONG = """
def test_wrong(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.tap(text="Forgot password?").expect_screen(
        "Sign in", timeout=0.2
    ).expect_no_crash()
"""


@pytest.mark.parametrize(
    "device",
    ["virtual?latency=0", pytest.param("virtual:ios?latency=0", marks=pytest.mark.thorough)],
)
def test_a_wrong_check_is_replaced_where_it_failed(project: Path, device: str) -> None:
    (project / "test_it.py").write_text(WRONG)
    os.utime(project / "test_it.py", (1_000_000_000, 1_000_000_000))
    with running(project, "--replicant-debug", f"--replicant-device={device}") as process:
        wait_for(project, "Attach: replicant look -s test_wrong ")
        failed = typed(project, "expect", "--instead", 'expect_screen("Nowhere", timeout=0.2)')
        assert failed.returncode == 1
        assert typed(project, "save").returncode == 2  # there is nothing to save
        right = typed(project, "expect", "--instead", 'expect_screen("Reset password")')
        assert "save, which puts it in place of the check that failed" in right.stdout
        saved = typed(project, "save")
        assert "+1 -3" in saved.stdout, saved
        assert typed(project, "do", "tap_at 5 5").returncode == 0
        assert typed(project, "save").returncode == 0
        assert "not saved" not in typed(project, "close").stdout
        assert process.wait(60) == 1
    code = (project / "test_it.py").read_text()
    assert code.splitlines()[3:] == [
        "    mobile.tap_at(5, 5)",
        '    mobile.tap(text="Forgot password?").expect_screen("Reset password").expect_no_crash()',
    ]


def test_a_file_that_was_changed_meanwhile_is_left_alone(project: Path) -> None:
    with running(project, "-k", "pauses"):
        wait_for(project, "Attach: ")
        (project / "test_it.py").write_text(f"# mine\n{SUITE}")
        assert typed(project, "do", SIGN_IN[0]).returncode == 0
        refused = typed(project, "save")
        assert refused.returncode == 2
        assert "was changed since this run has loaded it" in refused.stderr
        assert (project / "test_it.py").read_text() == f"# mine\n{SUITE}"
        assert (
            typed(project, "save", "test_new.py::test_new").returncode == 2
        )  # which lacks the steps before it


def test_nobody_is_waited_for_under_ci_unless_it_is_forced(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    with running(project, "--replicant-debug") as process:
        assert process.wait(60) == 1
    said = (project / "out.txt").read_text()
    assert "pause(): this is a CI run" in said
    assert "--replicant-debug=ci" in said
    assert "Attach" not in said
    with running(project, "-k", "pauses", "--replicant-debug=ci"):
        wait_for(project, "Attach: ")
        typed(project, "close", "--all")


@pytest.mark.parametrize(
    "number", [pytest.param(signal.SIGINT, marks=pytest.mark.thorough), signal.SIGTERM]
)
def test_a_signal_ends_it_and_leaves_nothing(project: Path, number: signal.Signals) -> None:
    with running(project, "-k", "pauses") as process:
        wait_for(project, "Attach: ")
        process.send_signal(number)
        assert process.wait(20) not in (0, 1)
    assert typed(project, "sessions").stdout.startswith("no session is open")


def test_a_prompt_in_a_terminal(project: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "pauses"]
    process = subprocess.Popen(command, cwd=project, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    said = ""

    def until(text: str) -> None:
        nonlocal said
        while text not in said:
            said += os.read(ours, 10_000).decode(errors="replace")

    try:
        until("replicant> ")
        assert '[m987] Button "Sign in"' in said
        for step, answer in (
            *((one, " ok") for one in SIGN_IN[:1]),
            ("tapp m987", "Did you mean tap"),
        ):
            said = ""
            os.write(ours, f"{step}\n".encode())
            until(answer)
            until("replicant> ")
        os.write(ours, b"continue\n")
        until("1 failed")
        assert process.wait(60) == 1
    finally:
        process.kill()
        process.wait()
        os.close(ours)
