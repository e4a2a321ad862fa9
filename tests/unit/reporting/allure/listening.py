"""Allure at work without a run: its own reporter and its own file logger, and a test that is
running."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Listening:
    """What allure-pytest's listener is to Allure. ``test`` is the result under way."""

    def __init__(self, folder: Path) -> None:
        import allure_commons.reporter
        from allure_commons.model2 import TestResult

        commons: Any = allure_commons.reporter  # ships no types
        self.folder = folder
        self.allure_logger = commons.AllureReporter()
        self.test: Any = TestResult(name="test_shop", uuid="1", start=1, stop=2, status="failed")
        self.allure_logger.schedule_test("1", self.test)

    def closed(self) -> dict[str, Any]:
        """The result as the file has it."""
        self.allure_logger.close_test("1")
        (path,) = self.folder.glob("*-result.json")
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return found

    def content(self, attachment: dict[str, Any]) -> str:
        return (self.folder / str(attachment["source"])).read_text("utf-8")


@contextmanager
def listening(folder: Path, results: object) -> Iterator[Listening]:
    import allure_commons
    from allure_commons.logger import AllureFileLogger

    plugins: list[Any] = [Listening(folder), AllureFileLogger(str(folder)), results]  # type: ignore[no-untyped-call]
    for plugin in plugins:
        allure_commons.plugin_manager.register(plugin)
    try:
        yield plugins[0]
    finally:
        for plugin in plugins:
            allure_commons.plugin_manager.unregister(plugin)


def walk(steps: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for step in steps:
        yield step
        yield from walk(step.get("steps", []))


def names(owner: dict[str, Any]) -> list[str]:
    return [one["name"] for one in owner.get("attachments", [])]
