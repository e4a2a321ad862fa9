"""Runs of pytest inside pytest, on a virtual phone without latency, plugin loaded whether installed
or not."""

from __future__ import annotations

import gc
import json
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.recovery import builtin  # noqa: F401  # what a run within loads first, it takes away again

Run = Callable[..., pytest.RunResult]
Capture = pytest.CaptureFixture[str]
here_and_in_a_worker = pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["here", "worker"])

QUICK = """
[pytest]
filterwarnings = error
replicant_action_timeout = 1
replicant_expect_timeout = 1
replicant_stabilize = 0.3 0.01 0.05
replicant_read_on = 0
"""


def pytest_collection_finish() -> None:
    """Ten thousand collected tests stay to the end. A search for garbage, which each run of pytest
    within a test makes five times over, need not walk through them: that takes a second each
    time."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)  # once the fixtures of the module are gone
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What a module has imported and cached stays as well."""
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def write_known_flaky(path: Path, *entries: tuple[str, str, str, str]) -> None:
    """Each with its ticket, a test, a cause and the last day."""
    known = [
        {"ticket": ticket, "tests": [test], "causes": [cause], "expires": day}
        for ticket, test, cause, day in entries
    ]
    path.write_text(json.dumps({"schema": "replicant.history/1", "known": known}))


@pytest.fixture(scope="session", autouse=True)
def _nothing_needless_in_runs_within() -> Iterator[None]:
    """None of them is a property test, and few are scenarios; that plugin alone would take as long
    as the whole run. Bytecode is kept: compiling the package takes as long again."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTEST_ADDOPTS", "-p no:hypothesispytest -p no:pytest-bdd")
        environment.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _sessions_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An exploring command names the sessions of other projects too: those of other workers, or of
    who runs the tests, are none of a test's."""
    tmp_path_factory.getbasetemp()  # it is kept: the folders of tests stay if they are wanted
    with (
        pytest.MonkeyPatch.context() as environment,
        tempfile.TemporaryDirectory(prefix="rep-") as folder,
    ):
        environment.setenv("TMPDIR", folder)
        environment.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(scope="session", autouse=True)
def _children_hear_ctrl_c() -> Iterator[None]:
    """A run in the background of a shell ignores SIGINT, and so would all that it starts; a handler
    is not inherited."""
    inherited = signal.getsignal(signal.SIGINT)
    if inherited is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, inherited)
    else:
        yield


@pytest.fixture
def run(
    request: pytest.FixtureRequest, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """``run(source, *options, ini="", apart=False)``: one test file, with quick waits. It runs in
    this process, in which the drivers are loaded already, unless it has workers, is to be
    ``apart``, or is of a thorough test. It takes no pictures, which cost more than all else, but
    where a browser looks at them or a module says ``PICTURES = True``."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent.parent))  # a bare checkout will do
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)  # these runs are no step of the job that tests us
    installed = any(
        point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11")
    )
    plugin = () if installed else ("-p", "pytest_replicant.plugin")

    def make(source: str, *options: str, ini: str = "", apart: bool = False) -> pytest.RunResult:
        pytester.makepyfile(source)
        looked_at = any(map(request.node.get_closest_marker, ("browser", "viewer", "allure")))
        pictures = (
            looked_at or getattr(request.module, "PICTURES", False) or "replicant_screenshot" in ini
        )
        pytester.makeini(QUICK + ini if pictures else f"{QUICK}replicant_screenshot = off\n{ini}")
        device = (
            ()
            if any("--replicant-device" in option for option in options)
            else ("--replicant-device=virtual?latency=0",)
        )
        workers = any(option.startswith("-n") for option in options)
        own = apart or workers or request.node.get_closest_marker("thorough") is not None
        start = pytester.runpytest_subprocess if own else pytester.runpytest_inprocess
        return start(*plugin, *device, "-p", "no:randomly", *options)

    return make


def run_record(folder: Path, output: str = "out") -> Any:
    """What ``run.json`` says of the only run that has reported into ``output``."""
    (path,) = (folder / output).glob("*/run.json")
    return json.loads(path.read_text("utf-8"))


def outcomes_of(folder: Path, output: str = "out") -> dict[str, str]:
    """How each test ended by ``run.json``, by its name."""
    return {
        row["nodeid"].rpartition("::")[2]: row["outcome"]
        for row in run_record(folder, output)["tests"]
    }


def trace_records(folder: Path, output: str = "out") -> list[Any]:
    """What each ``trace.json`` says in the reports of ``output``, in the order of their paths."""
    return [
        json.loads(path.read_text("utf-8"))
        for path in sorted((folder / output).glob("*/*/trace.json"))
    ]
