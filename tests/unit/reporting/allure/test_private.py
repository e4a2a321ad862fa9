"""The names of allure-pytest that are no public interface: a version that moved one says so here, and nowhere
else."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

CHECKED = "2.16"
"""Minor version of allure-pytest with which ``reporting/allure/private.py`` was checked last."""

UTILS = (
    "allure_full_name",
    "allure_labels",
    "allure_package",
    "allure_suite_labels",
    "allure_title",
    "pytest_markers",
)
COMMONS = ("host_tag", "md5", "platform_label", "represent")


def test_the_private_names_are_where_they_were(tmp_path: Path) -> None:
    import allure_commons.utils
    import allure_pytest.utils
    from allure_commons.logger import AllureFileLogger
    from allure_pytest.listener import AllureListener

    here = version("allure-pytest")
    utils: Any = allure_pytest.utils  # ships no types, as little as the other
    commons: Any = allure_commons.utils
    missing = [f"allure_pytest.utils.{name}" for name in UTILS if not hasattr(utils, name)]
    missing += [f"allure_commons.utils.{name}" for name in COMMONS if not hasattr(commons, name)]
    listener = AllureListener(type("Config", (), {"option": None})())
    missing += [] if hasattr(listener, "allure_logger") else ["AllureListener.allure_logger"]
    missing += [] if hasattr(listener.allure_logger, "get_test") else ["AllureReporter.get_test"]
    missing += [] if hasattr(getattr(listener, "_cache", None), "pop") else ["AllureListener._cache.pop"]
    logger: Any = AllureFileLogger
    missing += [] if hasattr(logger(str(tmp_path)), "_report_dir") else ["AllureFileLogger._report_dir"]
    assert not missing, f"allure-pytest {here} has no {missing}; private.py was checked with {CHECKED}"


def test_a_begun_result_has_what_allure_joins_a_history_by(request: pytest.FixtureRequest) -> None:
    from pytest_replicant.reporting.allure.private import begun_result

    begun = begun_result(request.node)
    assert begun["name"] == request.node.name
    assert begun["fullName"].endswith(f"#{request.node.name}")
    assert {"historyId", "testCaseId", "titlePath", "labels", "parameters", "start"} <= set(begun)
