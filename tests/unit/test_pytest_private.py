"""The private names of pytest and pytest-xdist in use: there, and read for the installed
versions."""

from __future__ import annotations

from importlib.metadata import version
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_replicant import pytest_private


def test_this_version_of_pytest_is_known() -> None:
    installed = pytest.version_tuple[:2]
    assert installed <= pytest_private.CHECKED_WITH, (
        f"pytest {pytest.__version__}: read pytest_private.py against its sources, run "
        "tests/plugin/test_requeue.py and tests/plugin/test_crashes.py, then raise CHECKED_WITH"
    )


def test_this_version_of_xdist_is_known() -> None:
    installed = tuple(int(part) for part in version("pytest-xdist").split(".")[:2])
    assert installed <= pytest_private.XDIST_CHECKED_WITH, (
        f"pytest-xdist {installed}: run tests/plugin/test_dead_workers.py, then raise "
        "XDIST_CHECKED_WITH"
    )


class TestPytestKeepsTheNames:
    """Without one of them a requeue or a report would go wrong without a word."""

    def test_of_an_item(self, request: pytest.FixtureRequest, tmp_path: object) -> None:
        item = request.node
        assert item in request.session._setupstate.stack
        assert item._instance is item._obj.__self__ is self
        (definition, *_) = item._fixtureinfo.name2fixturedefs["tmp_path"]
        result, _, error = definition.cached_result
        assert (result, error) == (tmp_path, None)
        assert isinstance(definition._finalizers, list)

    def test_of_an_error(self, request: pytest.FixtureRequest) -> None:
        def fail() -> None:
            __tracebackhide__ = True
            raise ValueError("first")

        with pytest.raises(ValueError, match="first") as caught:
            fail()
        report = a_report(request.node.repr_failure(caught))
        shown: Any = report.longrepr
        assert isinstance(shown.reprcrash.lineno, int)

        pytest_private.set_summary(report, "in short")
        assert shown.reprcrash.message == "in short"

        pytest_private.add_section(report, "Heading", "more")
        assert "Heading" in report.longreprtext
        assert "more" in report.longreprtext
        assert report.sections == []


@pytest.mark.parametrize("marked", [None, ["pytest_replicant"]])
def test_a_hook_of_another_kind_is_left_as_it_is(marked: object) -> None:
    hook = SimpleNamespace(
        _must_rewrite=marked, _marked_for_rewrite_cache={"pytest_replicant": True}
    )
    pytest_private.load_plainly(hook)
    assert hook._must_rewrite == marked
    assert hook._marked_for_rewrite_cache == {"pytest_replicant": True}
    pytest_private.load_plainly(object())


def a_report(error: Any) -> pytest.TestReport:
    return pytest.TestReport(
        "tests/test_a.py::test_b", ("tests/test_a.py", 7, "test_b"), {}, "failed", error, "call"
    )
