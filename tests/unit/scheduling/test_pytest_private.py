"""The private names of pytest that a requeue uses: there, and read for the installed version."""

from __future__ import annotations

import pytest

from pytest_replicant.scheduling import pytest_private


def test_this_version_of_pytest_is_known() -> None:
    installed = pytest.version_tuple[:2]
    assert installed <= pytest_private.CHECKED_WITH, (
        f"pytest {pytest.__version__}: read scheduling/pytest_private.py against its sources, run "
        "tests/plugin/test_requeue.py, then raise CHECKED_WITH"
    )


class TestPytestKeepsTheNames:
    """Without one of them a requeue would go wrong without a word."""

    def test_of_an_item(self, request: pytest.FixtureRequest, tmp_path: object) -> None:
        item = request.node
        assert item in request.session._setupstate.stack
        assert item._instance is item._obj.__self__ is self
        (definition, *_) = item._fixtureinfo.name2fixturedefs["tmp_path"]
        result, _, error = definition.cached_result
        assert (result, error) == (tmp_path, None)
        assert isinstance(definition._finalizers, list)
