"""What pytest calls. Registers the rooms, and imports nothing heavy: that waits until a phone is used."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any

import pytest

from . import hookspecs, options
from .errors import UsageError, is_told
from .fixtures import mobile, mobile_device, mobile_pool, mobile_session_args, new_mobile
from .reporting.outcomes import raise_findings
from .reporting.run_reporter import RunReporter
from .reporting.test_reporter import TestReporter
from .stash import OPTIONS, RUN_ID, SESSIONS

__tracebackhide__ = is_told

__all__ = ["mobile", "mobile_device", "mobile_pool", "mobile_session_args", "new_mobile"]

MARKER = "replicant(platform=, api=, needs=, reset=): what phone a test needs, and how it is left"


def pytest_addoption(parser: pytest.Parser) -> None:
    options.register(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    try:
        config.stash[OPTIONS] = options.read(config)
    except UsageError as error:
        raise pytest.UsageError(f"replicant: {error}") from None
    worker: dict[str, Any] | None = getattr(config, "workerinput", None)
    config.stash[RUN_ID] = worker["replicant_run_id"] if worker else time.strftime("%Y%m%d-%H%M%S")
    config.addinivalue_line("markers", MARKER)
    config.pluginmanager.register(TestReporter(config), "replicant-test-reporter")
    if worker is None:
        config.pluginmanager.register(RunReporter(config), "replicant-run-reporter")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """The workers of a parallel run report into the controller's folder."""
    node.workerinput["replicant_run_id"] = node.config.stash[RUN_ID]


def pytest_report_header(config: pytest.Config) -> str:
    devices = ", ".join(config.stash[OPTIONS].devices)
    return f"replicant: {devices} (another phone: --replicant-device=android, android:SERIAL, ...)"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Soft checks, and findings that were asked to fail, fail the test when it raised nothing itself."""
    result = yield
    recorders = [entry.recorder for entry in item.stash.get(SESSIONS, [])]
    raise_findings(item.nodeid, recorders, item.config.stash[OPTIONS])
    return result
