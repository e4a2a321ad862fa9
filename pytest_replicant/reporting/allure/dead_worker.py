"""A result for a test whose process died: allure-pytest writes one only when a test ends."""

from __future__ import annotations

import hashlib
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..artifacts.blobs import write_whole
from ..artifacts.plain import file_json
from ..worker_deaths import WORKER_DIED
from .labels import CLASS, OUTCOME
from .plain_text import one_line, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pytest

    from ...model import Redactor

DIED = "died"
"""``replicant_outcome`` of such a test."""


class BegunTests:
    """On a worker: writes down which test has begun, as allure-pytest would name it, for the controller to find if
    the worker never ends it. One small file a worker."""

    def __init__(self, folder: Path, worker: str, redactor: Redactor) -> None:
        self._path = begun_path(folder, worker)
        self._redactor = redactor

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        with suppress(Exception):  # no such folder on another machine, a parameter that cannot be shown
            self._path.write_bytes(file_json(begun(item, self._redactor)))


def begun_path(folder: Path, worker: str) -> Path:
    return folder / f"{worker}.json"


def begun(item: pytest.Item, redactor: Redactor) -> dict[str, Any]:
    """A result as allure-pytest begins it."""
    import allure_commons.utils
    import allure_pytest.utils

    commons: Any = allure_commons.utils  # ships no types, as little as the other
    utils: Any = allure_pytest.utils

    params = item.callspec.params if hasattr(item, "callspec") else {}
    full_name, title = utils.allure_full_name(item), utils.allure_title(item)
    path = utils.allure_title_path(item) if hasattr(utils, "allure_title_path") else []  # since 2.15
    labels = [
        *utils.allure_labels(item),
        *(("tag", name) for name in utils.pytest_markers(item)),
        *utils.allure_suite_labels(item),
        ("host", commons.host_tag()),
        ("framework", "pytest"),
        ("language", commons.platform_label()),
        ("package", utils.allure_package(item)),
    ]
    return {
        "nodeid": item.nodeid,
        "name": plain_text(redactor.text(title if title and "{" not in title else item.name)),
        "fullName": full_name,
        "titlePath": path,
        "testCaseId": commons.md5(full_name),
        "historyId": commons.md5(full_name, *(params[name] for name in sorted(params))),
        "start": round(time.time() * 1000),
        "parameters": [
            {"name": name, "value": plain_text(redactor.text(commons.represent(value)))}
            for name, value in params.items()
        ],
        "labels": [{"name": str(name), "value": plain_text(redactor.text(str(value)))} for name, value in labels],
    }


def _pair(name: str, value: str, redactor: Redactor) -> dict[str, str]:
    return {"name": name, "value": plain_text(redactor.text(value))}


def read_begun(folder: Path, worker: str, nodeid: str) -> dict[str, Any]:
    """What that worker wrote of the test; nothing where it came to another one."""
    try:
        row = json.loads(begun_path(folder, worker).read_bytes())
    except (OSError, ValueError):
        return {}
    return row if isinstance(row, dict) and row.get("nodeid") == nodeid else {}


def write_dead_worker_result(
    nodeid: str,
    message: str,
    folder: Path,
    *,
    known: Mapping[str, Any] | None = None,
    redactor: Redactor | None = None,
) -> Path:
    """Writes a broken result into Allure's ``folder`` and returns its path. ``known`` is what ``read_begun``
    found; without it names are made from the node id, which joins the history of a test without parameters.
    Raises ``OSError``."""
    now = round(time.time() * 1000)
    shown = redactor.text if redactor is not None else str
    row = dict(known) if known else dict(_named(nodeid, shown))
    row.pop("nodeid", None)
    mine = ((OUTCOME, DIED), ("tag", DIED), (CLASS, WORKER_DIED))
    told = plain_text(shown(message))
    result = {
        "uuid": str(uuid4()),
        "start": now,
        **row,
        "stop": now,
        "status": "broken",
        "statusDetails": {"message": told, "trace": f"{told}\n\n{CLASS}: {WORKER_DIED}"},
        "labels": [*row["labels"], *({"name": name, "value": value} for name, value in mine)],
    }
    path = folder / f"{uuid4()}-result.json"
    write_whole(path, file_json(result))
    return path


def _named(nodeid: str, shown: Any) -> Iterator[tuple[str, Any]]:
    """As allure-pytest makes names of a node id."""
    import allure_commons.utils

    commons: Any = allure_commons.utils
    file, _, rest = nodeid.partition("::")
    *classes, function = rest.split("::") if "[" not in rest else _split_before_parameters(rest)
    *folders, module = file.split("/")
    package = ".".join(filter(None, [".".join(folders), module.rpartition(".")[0] or module]))
    full_name = f"{'.'.join((package, *classes))}#{function.partition('[')[0]}"
    labels = (
        ("parentSuite", ".".join(folders)),
        ("suite", module.rpartition(".")[0] or module),
        ("subSuite", " > ".join(classes)),
        ("framework", "pytest"),
        ("language", commons.platform_label()),
        ("package", package),
    )
    yield "name", one_line(shown(function or file))
    yield "fullName", full_name
    yield "titlePath", [*file.split("/"), *classes]
    yield "testCaseId", _md5(full_name)
    yield "historyId", _md5(full_name if "[" not in function else full_name + function)
    yield "labels", [{"name": name, "value": plain_text(shown(value))} for name, value in labels if value]


def _split_before_parameters(rest: str) -> list[str]:
    """The id of a parameter may hold anything, colons too."""
    names, _, parameters = rest.partition("[")
    *classes, function = names.split("::")
    return [*classes, f"{function}[{parameters}"]


def _md5(text: str) -> str:
    """As allure-pytest makes ids, of text that is text."""
    return hashlib.md5(text.encode("utf-8", errors="backslashreplace"), usedforsecurity=False).hexdigest()
