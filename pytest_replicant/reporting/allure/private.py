"""All that is read of allure-pytest and allure-commons beyond their documented plugin interface.

Checked with allure-pytest 2.16; a test names the parts in use, and fails where a newer one has moved it.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..printable import plain_text

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


def begun_result(item: pytest.Item) -> dict[str, Any]:
    """The result of a test as allure-pytest begins it: names, history, parameters and labels."""
    import allure_commons.utils
    import allure_pytest.utils

    commons: Any = allure_commons.utils  # ships no types, as little as the other
    utils: Any = allure_pytest.utils

    params = item.callspec.params if hasattr(item, "callspec") else {}
    full_name, title = utils.allure_full_name(item), utils.allure_title(item)
    labels = [
        *utils.allure_labels(item),
        *(("tag", name) for name in utils.pytest_markers(item)),
        *utils.allure_suite_labels(item),
        ("host", commons.host_tag()),
        ("package", utils.allure_package(item)),
        *general_labels(),
    ]
    return {
        "name": plain_text(title if title and "{" not in title else item.name),
        "fullName": full_name,
        "titlePath": utils.allure_title_path(item) if hasattr(utils, "allure_title_path") else [],  # since 2.15
        "testCaseId": commons.md5(full_name),
        "historyId": commons.md5(full_name, *(params[name] for name in sorted(params))),
        "start": round(time.time() * 1000),
        "parameters": [
            {"name": name, "value": plain_text(commons.represent(value))} for name, value in params.items()
        ],
        "labels": [{"name": str(name), "value": plain_text(str(value))} for name, value in labels],
    }


def general_labels() -> list[tuple[str, str]]:
    import allure_commons.utils

    commons: Any = allure_commons.utils
    return [("framework", "pytest"), ("language", commons.platform_label())]
