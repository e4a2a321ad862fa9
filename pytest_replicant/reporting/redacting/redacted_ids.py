"""Secrets out of the ids of tests, which other plugins write as pytest gives them.

What a pattern of ``replicant_redact`` matches never gets into the id of a parameter. A ``Secret`` is known only
once its test has run: those ids are put right in JUnit's and pytest-html's files after they were written.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ...model import MASK
from ...stash import SECRETS
from ..artifacts.blobs import write_whole
from ..artifacts.folder_names import shown_id

if TYPE_CHECKING:
    from ...model import Redactor

_ASCII_MASK = "***"
"""Pytest would write the usual one as escapes."""
_SECRETS = "replicant_secrets"
_CASE_NAME = re.compile(r'(<testcase\b[^>]*?\bname=)"([^"]*)"')
_JSON_BLOB = re.compile(r'(\bdata-jsonblob=)"([^"]*)"')


class RedactedIds:
    """Registered in each process. A worker tells its controller what it learnt when it ends, and nobody else."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._redactor = config.stash[SECRETS]
        self._nodeids: dict[str, None] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_parametrize_id(self, val: object) -> Generator[None, str | None, str | None]:
        name = yield
        shown = name if name is not None else val
        if not isinstance(shown, str):
            return name
        cleaned = self._redactor.text(shown)
        return name if cleaned == shown else cleaned.replace(MASK, _ASCII_MASK)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._nodeids[report.nodeid] = None

    def pytest_sessionfinish(self) -> None:
        output: dict[str, object] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output[_SECRETS] = list(self._redactor.known)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        for secret in getattr(node, "workeroutput", {}).get(_SECRETS, ()):
            self._redactor.add(secret)

    def pytest_unconfigure(self) -> None:
        if hasattr(self._config, "workerinput"):
            return
        renamed = shown_ids(self._nodeids, self._redactor)
        if renamed:
            _rewrite(self._config.getoption("xmlpath", None), lambda text: redacted_junit(text, renamed))
            _rewrite(self._config.getoption("htmlpath", None), lambda text: redacted_page(text, renamed))


def shown_ids(nodeids: Iterable[str], redactor: Redactor) -> dict[str, str]:
    """Node ids that hold a secret, and what stands for each: different ones stay different."""
    cleaned = {nodeid: redactor.text(nodeid) for nodeid in nodeids}
    return {nodeid: shown_id(nodeid, text) for nodeid, text in cleaned.items() if text != nodeid}


def redacted_junit(text: str, renamed: dict[str, str]) -> str:
    """A JUnit file in which these tests have other names."""
    names = {_case_name(nodeid): _case_name(shown) for nodeid, shown in renamed.items()}

    def name(match: re.Match[str]) -> str:
        shown = names.get(html.unescape(match[2]))
        return match[0] if shown is None else f'{match[1]}"{html.escape(shown)}"'

    return _CASE_NAME.sub(name, text)


def redacted_page(text: str, renamed: dict[str, str]) -> str:
    """A page of pytest-html in which these tests have other ids."""

    def blob(match: re.Match[str]) -> str:
        data = _renamed(json.loads(html.unescape(match[2])), renamed)
        return f'{match[1]}"{html.escape(json.dumps(data))}"'

    return _JSON_BLOB.sub(blob, text)


def _case_name(nodeid: str) -> str:
    """What JUnit calls a test: the last part of its id, with the parameters."""
    path, bracket, parameters = nodeid.partition("[")
    return path.rpartition("::")[2] + bracket + parameters


def _renamed(value: Any, renamed: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {_renamed(key, renamed): _renamed(item, renamed) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, renamed) for item in value]
    if isinstance(value, str):
        for nodeid, shown in renamed.items():
            for spelled in (nodeid, html.escape(nodeid), html.escape(nodeid, quote=False)):
                value = value.replace(spelled, html.escape(shown) if spelled != nodeid else shown)
    return value


def _rewrite(path: str | None, clean: Callable[[str], str]) -> None:
    """The file as it should be. One that is not there, or not as expected, stays as it is."""
    if not path:
        return
    with suppress(OSError, ValueError):
        file = Path(path)
        before = file.read_text(encoding="utf-8")
        after = clean(before)
        if after != before:
            write_whole(file, after.encode("utf-8"))
