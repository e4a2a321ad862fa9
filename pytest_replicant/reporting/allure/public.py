"""All that we ask of allure-pytest and allure-commons: options, hooks, and functions that have no
underscore.

Checked with allure-pytest 2.16; a test names the functions in use, and fails where a newer one has
moved them.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker

from ...model.printable import one_line, plain_text
from ...redaction import masked_value

if TYPE_CHECKING:
    import pytest

    from ...model import AnyDict, Redactor


def allure_active(config: pytest.Config) -> bool:
    """Whether this run writes Allure results: the plugin is there and ``--alluredir`` was given."""
    return config.pluginmanager.hasplugin("allure_pytest") and bool(
        config.getoption("--alluredir", None)
    )


def results_folder(config: pytest.Config) -> Path:
    """Where they are written; call it only if Allure is active."""
    return Path(str(config.getoption("--alluredir"))).absolute()


hook = HookimplMarker("allure")
"""Marks a method that Allure's own plugin manager calls."""


def attach_file(path: Path, file_name: str, folder: Path) -> None:
    """Into the folder of results: another name of the same file where the two are on one disk, as
    pictures are most of what a report takes. A page is copied: when the run ends, links to its
    neighbours are written into it, which lead nowhere from there. Raises ``OSError``."""
    from allure_commons import plugin_manager
    from allure_commons.logger import AllureFileLogger

    attached = plugin_manager.hook.report_attached_file
    writers = [one.plugin for one in attached.get_hookimpls()]
    if path.suffix != ".html" and len(writers) == 1 and isinstance(writers[0], AllureFileLogger):
        with suppress(OSError):  # another disk, or one that knows no such names
            os.link(path, folder / file_name)
            return
    attached(source=str(path), file_name=file_name)


def link_pattern(config: pytest.Config, kind: str) -> str:
    """What ``--allure-link-pattern`` says of a kind of links; "" if it says nothing."""
    return str(dict(config.getoption("allure_link_pattern", None) or ()).get(kind, ""))


def begun_result(item: Any, redactor: Redactor) -> AnyDict:
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
        ("framework", "pytest"),
        ("language", commons.platform_label()),
    ]
    shown = {
        "name": plain_text(title if title and "{" not in title else item.name),
        "parameters": [
            {"name": name, "value": plain_text(commons.represent(value))}
            for name, value in params.items()
        ],
        "labels": [{"name": str(name), "value": plain_text(str(value))} for name, value in labels],
    }
    return {
        "fullName": full_name,
        # Since 2.15.
        "titlePath": getattr(utils, "allure_title_path", lambda _: [])(item),
        "testCaseId": commons.md5(full_name),
        "historyId": commons.md5(full_name, *(params[name] for name in sorted(params))),
        "start": round(time.time() * 1000),
        **{name: masked_value(value, redactor) for name, value in shown.items()},
    }


def named_result(nodeid: str, redactor: Redactor) -> AnyDict:
    """``begun_result`` of a test of which no more than its id is known, without its parameters:
    they may hold anything, colons too."""
    file, _, rest = plain_text(nodeid).partition("::")
    names, bracket, _ = rest.partition("[")
    name = names.rpartition("::")[2] + rest[len(names) :]
    item = SimpleNamespace(
        nodeid=f"{file}::{names}",
        name=one_line(redactor.text(name or file)),
        callspec=SimpleNamespace(params={"": name} if bracket else {}),
        iter_markers=lambda **_: (),
        stash={},
    )
    return {**begun_result(item, redactor), "parameters": []}
