"""A run that is ended from outside ends in order: what it found out is written, and what it set is put back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from .test_options import traces

pytestmark = [pytest.mark.slow, pytest.mark.ci, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]

TESTS = """
import pathlib, time
import pytest

@pytest.mark.parametrize("number", range(4))
def test_it(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    pathlib.Path(f"running-{number}").touch()
    if number:
        time.sleep(60)
"""


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_run_as_ctrl_c_does(
    pytester: pytest.Pytester, name: str, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(TESTS)
    words = [
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        "--replicant-output=out",
        "--replicant-device=virtual?latency=0",
    ]
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *words, *workers], cwd=pytester.path, stdout=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while len(list(pytester.path.glob("running-*"))) < 2 + bool(workers):
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    asked = time.monotonic()
    run.send_signal(getattr(signal, name))
    said, _ = run.communicate(timeout=30)
    assert time.monotonic() - asked < 15  # seven, on a computer that has nothing else to do
    assert run.returncode == pytest.ExitCode.INTERRUPTED, said
    assert "INTERNALERROR" not in said
    outcomes = {json.loads(path.read_text("utf-8"))["test"]["outcome"] for path in traces(pytester.path / "out")}
    assert "error" in outcomes, outcomes  # of the test that ran
    (run_file,) = (pytester.path / "out").glob("*/run.json")
    assert json.loads(run_file.read_text("utf-8"))["tests"]
    assert run_file.with_name("index.html").exists()


def test_a_handler_of_somebody_elses_is_left_alone(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import signal
        signal.signal(signal.SIGTERM, lambda *_: None)
        """
    )
    pytester.makepyfile(
        """
        import os, signal
        def test_it():
            os.kill(os.getpid(), signal.SIGTERM)
            os.kill(os.getpid(), signal.SIGTERM)
        """
    )
    assert pytester.runpytest_subprocess("-p", "no:cacheprovider").ret == 0
