"""The fault table, row by row: the result, the exit code, the trace, and that nothing is left
behind."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_replicant.reporting import trace_schema
from pytest_replicant.session import SessionSettings

from . import strikes
from .leaks import Held, leased, left_in, left_on, left_since
from .stage import Stage, import_everything
from .table import ROWS, Row

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def everything_is_imported() -> None:
    import_everything()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where runs keep what is temporary, leases too."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def held_before() -> Held:
    return Held.now()


@pytest.fixture
def stage(held_before: Held, temporary: Path, pytester: pytest.Pytester) -> Iterator[Stage]:
    """With what the tests inside install."""
    stage = Stage(pytester.path)
    stage.open()
    strikes.package(stage)
    yield stage
    stage.close()


def traces(pytester: pytest.Pytester) -> list[dict[str, Any]]:
    """In the order of attempts. Each is valid by its schema, and has its page beside it."""
    found = []
    for path in (pytester.path / "out").glob("*/*/trace.json"):
        document = json.loads(path.read_text("utf-8"))
        jsonschema.Draft202012Validator(trace_schema()).validate(document)
        assert path.with_name("trace.html").is_file()
        found.append(document)
    return sorted(found, key=lambda document: int(document["test"]["attempt"]))


def once(strike: Callable[[], object]) -> Callable[[], object]:
    """The first time only: a test that runs again is left in peace."""
    strikes_left = [strike]
    return lambda: strikes_left.pop()() if strikes_left else None


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.id, marks=[] if number % 6 == 0 else pytest.mark.ci)
        for number, row in enumerate(ROWS)
    ],
)
def test_a_fault(
    row: Row,
    stage: Stage,
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    held_before: Held,
    temporary: Path,
) -> None:
    if row.fault == "artifact disk full" and not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    monkeypatch.setattr(SessionSettings, "reconnect_timeout", row.patience)
    stage.boot_ms(row.boot_ms)
    stage.strike = once(lambda: row.strike(stage))
    if row.before:
        stage.strike()
    result = stage.run(
        pytester, row.source, *([f"--replicant-device={stage.spare()}"] if row.spare else [])
    )
    assert result.ret == row.exit_code
    result.stdout.fnmatch_lines([f"replicant: 1 {row.outcome}*"])
    result.stdout.fnmatch_lines(list(row.shown), consecutive=False)
    printed = result.stdout.str()
    assert [words for words in row.said if words not in printed] == []
    documents = traces(pytester)
    assert tuple(each["test"]["outcome"] for each in documents) == row.attempts
    assert not list(pytester.path.rglob(".writing-*"))
    for document in documents[:1]:
        messages = "\n".join(failure["message"] for failure in document["failures"])
        assert [words for words in row.said if words not in messages] == []
        assert [words for words in row.traced if words not in json.dumps(document)] == []
    left = [*leased(stage.lease), *left_on(stage.phone, lost=row.lost)]
    stage.close()
    assert [*left, *left_since(held_before), *left_in(temporary)] == []


SOUND = {row.sound or row.source: row for row in ROWS}


@pytest.mark.ci
@pytest.mark.parametrize("source", SOUND, ids=[row.id for row in SOUND.values()])
def test_without_a_fault_the_same_test_passes(
    source: str, stage: Stage, pytester: pytest.Pytester, held_before: Held, temporary: Path
) -> None:
    result = stage.run(pytester, source)
    result.assert_outcomes(passed=1)
    (document,) = traces(pytester)
    assert (document["failures"], document["recoveries"], document["deaths"]) == ([], [], [])
    stage.close()
    assert [*left_since(held_before), *left_in(temporary)] == []
