"""The end of a run in Allure's folder, on the controller: what allure-pytest does not write of itself."""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ...stash import APP, SECRETS
from ..artifacts.blobs import write_whole
from ..artifacts.plain import file_json
from ..carried_rows import rows_of
from .active import results_folder
from .categories import for_allure_2, for_allure_3, is_ours
from .dead_worker import BegunTests, read_begun, write_dead_worker_result
from .environment import environment, merged

if TYPE_CHECKING:
    from collections.abc import Callable

BEGUN = "replicant_allure_begun"
"""Key of a worker's input: the folder in which it writes down the test that has begun."""


class AllureRunFiles:
    """Registered once a run. A folder that cannot be written is allure-pytest's trouble to tell."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._folder = results_folder(config)
        self._redactor = config.stash[SECRETS]
        self._begun: Path | None = None
        self._phones: set[str] = set()
        self._results: list[tuple[Path, bytes]] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        if self._begun is None:
            self._begun = Path(tempfile.mkdtemp(prefix="replicant-begun-"))
        node.workerinput[BEGUN] = str(self._begun)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._phones.update(row.device for row in rows_of(report))

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str, report: Any) -> None:
        """xdist reports such a test to every reporter but this one."""
        worker = report.node.gateway.id
        known = read_begun(self._begun, worker, crashitem) if self._begun is not None else {}
        with suppress(OSError):
            path = write_dead_worker_result(
                crashitem, str(report.longrepr), self._folder, known=known, redactor=self._redactor
            )
            self._results.append((path, path.read_bytes()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if not any(_is_result(path) for path in _entries(self._folder)):
            return  # nothing was run
        for path, content in self._results:  # a worker that began later may have emptied the folder
            if not path.exists():
                _written(path, content)
        _write_ours(self._folder / "categories.json", for_allure_2())
        _write_ours(self._folder / "allurerc.json", for_allure_3())
        _update(
            self._folder / "environment.properties",
            lambda old: merged(old, {**environment(self._phones), **self._app()}),
        )

    def _app(self) -> dict[str, str]:
        app = self._config.stash.get(APP, None)
        return app.told if app else {}

    def pytest_unconfigure(self) -> None:
        if self._begun is not None:
            shutil.rmtree(self._begun, ignore_errors=True)


def begun_tests(config: pytest.Config) -> BegunTests | None:
    """For a worker of a parallel run; None in any other process."""
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    if BEGUN not in worker:
        return None
    return BegunTests(Path(worker[BEGUN]), worker["workerid"], config.stash[SECRETS])


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_result(path: Path) -> bool:
    return path.name.endswith("-result.json")


def _write_ours(path: Path, value: object) -> None:
    """Unless somebody's own stands there: what it says is a decision, and merging would show tests twice."""
    with suppress(OSError):
        if path.exists() and not _holds_ours(path):
            return
        write_whole(path, file_json(value))


def _holds_ours(path: Path) -> bool:
    try:
        return is_ours(json.loads(path.read_bytes()))
    except ValueError:
        return False


def _update(path: Path, change: Callable[[str], str]) -> None:
    with suppress(OSError, UnicodeDecodeError):
        old = path.read_text("utf-8") if path.exists() else ""
        write_whole(path, change(old).encode("utf-8"))


def _written(path: Path, content: bytes) -> None:
    with suppress(OSError):
        write_whole(path, content)
