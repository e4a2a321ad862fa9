"""A run that is ended from outside ends in order: what it found out is written, and what it set is
put back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.running import ending
from pytest_replicant.virtual import VirtualPhone, start_server

from .test_options import traces

pytestmark = [
    pytest.mark.slow,
    pytest.mark.ci,
    pytest.mark.skipif(os.name == "nt", reason="signals of POSIX"),
]

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


WORDS = (
    "-p",
    "no:randomly",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:hypothesispytest",
    "--replicant-output=out",
)
NONE_SLOW = "--replicant-device=virtual?latency=0"


def signalled(
    pytester: pytest.Pytester, number: int, running: int, *words: str
) -> tuple[int, str, dict[str, Any]]:
    """Starts a run, sends it the signal once so many files say that tests run, and returns its exit
    code, what it said and its ``run.json``."""
    ours = signal.signal(number, signal.SIG_DFL)  # where nohup has it ignored, so would the run
    run = subprocess.Popen(
        [sys.executable, "-m", "pytest", *WORDS, *words],
        cwd=pytester.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    signal.signal(number, ours)
    deadline = time.monotonic() + 60
    while len(list(pytester.path.glob("running-*"))) < running:
        assert run.poll() is None, run.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)
    asked = time.monotonic()
    run.send_signal(number)
    said, _ = run.communicate(timeout=30)
    assert time.monotonic() - asked < 15, said  # seven, on a computer that has nothing else to do
    assert "INTERNALERROR" not in said
    (run_file,) = (pytester.path / "out").glob("*/run.json")
    assert run_file.with_name("index.html").exists()
    return run.returncode, said, json.loads(run_file.read_text("utf-8"))


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.thorough)])
def test_a_signal_ends_a_run_as_ctrl_c_does(
    pytester: pytest.Pytester, name: str, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(TESTS)
    code, said, record = signalled(
        pytester, getattr(signal, name), 2 + bool(workers), NONE_SLOW, *workers
    )
    assert code == pytest.ExitCode.INTERRUPTED, said
    outcomes = {
        json.loads(path.read_text("utf-8"))["test"]["outcome"]
        for path in traces(pytester.path / "out")
    }
    assert "error" in outcomes, outcomes  # of the test that ran
    assert record["tests"]


@pytest.mark.parametrize("where", ["fixture", "teardown", "end"])
def test_wherever_it_comes_the_phone_is_put_back_and_the_report_written(
    pytester: pytest.Pytester, where: str
) -> None:
    """In a fixture of the run before any test had a phone of its own, in a teardown, which goes on
    no further, and in somebody's hook at the end of the run. What is started meanwhile can be ended
    by the same signal."""
    pytester.makeini("[pytest]\nreplicant_screenshot = off\n")
    pytester.makeconftest(
        f"""
        import pathlib, subprocess, time
        import pytest

        def wait(here):
            if here == {where!r}:
                pathlib.Path("running-1").touch()
                time.sleep(60)

        @pytest.fixture(scope="session")
        def whole_run(mobile_pool):
            wait("fixture")
            yield

        @pytest.fixture
        def late(mobile):
            yield
            wait("teardown")

        @pytest.fixture(scope="session", autouse=True)
        def child():
            yield
            started = subprocess.Popen(["sleep", "60"])
            started.terminate()
            pathlib.Path("child").write_text(str(started.wait(20)))

        @pytest.hookimpl(tryfirst=True)
        def pytest_sessionfinish():
            wait("end")
        """
    )
    pytester.makepyfile(
        """
        def test_it(mobile, whole_run, late):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.rotate("landscape")
        """
    )
    phone = VirtualPhone(demo_apps(()))
    phone.settings.put("global", "window_animation_scale", "1.5")
    phone.settings.put("system", "user_rotation", "2")
    server = start_server(phone, server=True, wda=False)
    try:
        uri = f"--replicant-device=adb://127.0.0.1:{server.port}/{phone.profile.serial}"
        code, said, record = signalled(pytester, signal.SIGTERM, 1, uri)
    finally:
        server.close()
    assert code == pytest.ExitCode.INTERRUPTED, said
    assert [row["outcome"] for row in record["tests"]] == [
        "passed" if where == "end" else "error"
    ], said
    assert phone.settings.get("global", "window_animation_scale") == "1.5"
    assert phone.settings.get("system", "user_rotation") == "2"
    assert (pytester.path / "child").read_text() == str(-signal.SIGTERM)
    assert len(traces(pytester.path / "out")) == (where != "fixture")


def test_asked_again_a_run_that_swallowed_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(ending, "_let_it_end", ended.append)
    run = SimpleNamespace(shouldstop=False)
    plugins = SimpleNamespace(getplugin={"session": run}.get)
    handler = ending._interrupting(cast("pytest.Config", SimpleNamespace(pluginmanager=plugins)))
    with pytest.raises(KeyboardInterrupt, match="SIGTERM"):
        handler(signal.SIGTERM, None)
    assert run.shouldstop == "SIGTERM", "a test that swallows it is the last one"
    handler(signal.SIGTERM, None)  # the end takes seconds
    monkeypatch.setattr(ending, "END_SECONDS", 0)
    for times in range(2):
        with pytest.raises(KeyboardInterrupt):
            handler(signal.SIGTERM, None)
        assert len(ended) == times


def test_neither_a_copy_of_the_process_nor_a_later_handler_is_touched(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        """
        import multiprocessing, signal, sys, time

        def wait():
            while True:
                try:
                    time.sleep(10)
                except BaseException:
                    pass

        def test_copy():
            copy = multiprocessing.get_context("fork").Process(target=wait)
            copy.start()
            time.sleep(0.3)
            copy.terminate()
            copy.join(10)
            ended = copy.exitcode
            copy.kill()
            assert ended == -signal.SIGTERM

        def test_sets_one(monkeypatch):
            signal.signal(signal.SIGTERM, sys.modules["__main__"].somebodys)
        """
    )
    script = pytester.path / "script.py"
    script.write_text(
        "import signal, pytest\n"
        "somebodys = lambda *_: None\n"
        "assert pytest.main(['-p', 'no:cacheprovider', '-p', 'no:randomly']) == 0\n"
        "assert signal.getsignal(signal.SIGTERM) is somebodys\n"
    )
    result = pytester.run(sys.executable, str(script))
    assert result.ret == 0
    result.assert_outcomes(passed=2)
