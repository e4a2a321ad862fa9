"""The functions of allure-pytest that are no documented interface: a version that moved one says so
here."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest_replicant

CHECKED = "2.16"
"""Minor version of allure-pytest with which ``reporting/allure/public.py`` was checked last."""

UTILS = (
    "allure_full_name",
    "allure_labels",
    "allure_package",
    "allure_suite_labels",
    "allure_title",
    "pytest_markers",
)
COMMONS = ("host_tag", "md5", "platform_label", "represent")


def test_the_functions_are_where_they_were() -> None:
    import allure_commons.utils
    import allure_pytest.utils

    here = version("allure-pytest")
    utils: Any = allure_pytest.utils  # ships no types, as little as the other
    commons: Any = allure_commons.utils
    missing = [f"allure_pytest.utils.{name}" for name in UTILS if not hasattr(utils, name)]
    missing += [f"allure_commons.utils.{name}" for name in COMMONS if not hasattr(commons, name)]
    assert not missing, (
        f"allure-pytest {here} has no {missing}; public.py was checked with {CHECKED}"
    )


def test_nothing_with_an_underscore_is_asked_of_allure() -> None:
    folder = Path(pytest_replicant.__file__).parent / "reporting" / "allure"
    texts = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
    private = re.compile(r"allure\w*\._|\b(?:listener|logger|writers\[0\])\._|allure_logger")
    assert {
        name: private.findall(text) for name, text in texts.items() if private.search(text)
    } == {}
