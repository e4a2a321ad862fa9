"""Whether Allure is at work, and where its listener keeps the result of the test that is running."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


def allure_active(config: pytest.Config) -> bool:
    """Whether this run writes Allure results: the plugin is there and ``--alluredir`` was given."""
    return config.pluginmanager.hasplugin("allure_pytest") and bool(config.getoption("--alluredir", None))


def results_folder(config: pytest.Config) -> Path:
    """Where they are written; call it only where Allure is active."""
    return Path(str(config.getoption("--alluredir"))).absolute()


def running_result() -> Any:
    """The result of the running test as allure-pytest keeps it; None where another listener is at work."""
    import allure_commons

    for plugin in allure_commons.plugin_manager.get_plugins():
        reporter = getattr(plugin, "allure_logger", None)
        if reporter is not None:
            return reporter.get_test(None)
    return None
