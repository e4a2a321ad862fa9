"""``--replicant-build``: the app is built once, before the first test, or no test runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.apks import apk
from tests.conftest import QUICK, Run, run_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="these builds are POSIX shell scripts"),
]

TEST = """
    def test_it(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")

    def test_plain():
        pass
"""
FAILS = """
echo "> Task :app:compileDebugKotlin FAILED"
echo "e: file://$PWD/app/Cart.kt:12:5 Unresolved reference 'totl'."
echo "e: file://$PWD/app/Cart.kt:13:5 Key k-12345678 is wrong."
for line in 1 2 3 4 5; do echo "e: file://$PWD/app/Pay.kt:$line:1 Wrong." >&2; done
exit 1
"""


def log_of(pytester: pytest.Pytester) -> str:
    (log,) = (pytester.path / "out").glob("*/build.log")
    return log.read_text("utf-8")


def test_a_build_that_fails_is_told_and_no_test_runs(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makefile(".sh", build=FAILS)
    result = run(
        TEST,
        "--replicant-output=out",
        "--replicant-build=KEY=k-12345678 sh build.sh",
        ini="replicant_redact = k-[0-9]+\n",
    )
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "ERROR: replicant: the build failed: KEY=••• sh build.sh",
            "  exit code 1 after * s, in :app:compileDebugKotlin",
            "  app/Cart.kt:12:5: Unresolved reference 'totl'.",
            "  app/Cart.kt:13:5: Key ••• is wrong.",
            "  app/Pay.kt:1:1: Wrong.",
            "  app/Pay.kt:2:1: Wrong.",
            "  app/Pay.kt:3:1: Wrong.",
            "  and 2 more errors",
            "  full log: out/*/build.log",
            "  next: fix this*",
        ],
        consecutive=True,
    )
    told = result.stdout.str() + result.stderr.str()
    assert "Traceback" not in told
    assert "passed" not in told
    assert "12345678" not in told + log_of(pytester)
    assert log_of(pytester).count("\n") == 8


@pytest.mark.ci
def test_an_app_is_built_once_for_all_workers_and_used(run: Run, pytester: pytest.Pytester) -> None:
    apk(pytester.path, activity=".SignInActivity")
    build = "echo once >> count; mkdir -p dist; cp shop.apk dist/built.apk; echo made it"
    result = run(
        """
        import pytest

        @pytest.mark.parametrize("turn", [1, 2])
        def test_it(mobile, turn):
            mobile.launch().expect_screen("Sign in")
        """,
        "-n2",
        "--replicant-output=out",
        f"--replicant-build={build}",
        "--replicant-app=dist/*.apk",
    )
    result.assert_outcomes(passed=2)
    assert (pytester.path / "count").read_text() == "once\n"
    assert log_of(pytester) == "made it\n"
    result.stdout.fnmatch_lines(
        ["replicant: building: echo once*", "replicant: built in * s", "2 workers*"]
    )
    assert run_record(pytester.path)["environment"]["build"].endswith(f" s: {build}")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("option", "command"),
    [("--collect-only", "touch built"), ("--setup-plan", "touch built"), ("-q", "")],
)
def test_nothing_is_built_without_a_test_or_a_command(
    run: Run, pytester: pytest.Pytester, option: str, command: str
) -> None:
    result = run(TEST, option, ini=f"replicant_build = {command}\n")
    assert result.ret == 0
    assert "replicant: buil" not in result.stdout.str()
    assert not (pytester.path / "built").exists()


@pytest.mark.ci
@pytest.mark.parametrize(
    ("number", "handler", "workers"),
    [
        (signal.SIGINT, "default_int_handler", ()),
        pytest.param(signal.SIGINT, "default_int_handler", ("-n2",), marks=pytest.mark.thorough),
        pytest.param(signal.SIGTERM, "SIG_DFL", (), marks=pytest.mark.thorough),
    ],
)
def test_an_interrupted_build_leaves_no_process(
    pytester: pytest.Pytester, number: signal.Signals, handler: str, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(TEST)
    pytester.makeini(QUICK)
    unignored = f"import signal\nsignal.signal({int(number)}, signal.{handler})"
    pytester.makeconftest(unignored)
    pids = pytester.path / "pids"
    build = "(trap '' TERM; while :; do sleep 60; done) & echo $! $$ >> pids; wait"
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:randomly",
        *workers,
        f"--replicant-build={build}",
    ]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command,
        cwd=pytester.path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        assert _becomes_true(lambda: pids.exists() and pids.read_text().endswith("\n"))
        running.send_signal(number)
        told, _ = running.communicate(timeout=60)
    assert running.returncode == pytest.ExitCode.INTERRUPTED, told
    assert "KeyboardInterrupt" in told
    assert "INTERNALERROR" not in told
    assert _becomes_true(lambda: not any(_is_alive(int(pid)) for pid in pids.read_text().split()))


def _becomes_true(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 30
    while not (holds := condition()) and time.monotonic() < until:
        time.sleep(0.02)
    return holds


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
