"""A phone for a test: of those that its marker allows, or a skip that says why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ..errors import DeviceNotFound, UsageError
from ..marks import read_marks
from ..stash import WAITS

if TYPE_CHECKING:
    from ..pool import Opened, Wanted, WarmPhones


def lend(phones: WarmPhones, item: pytest.Item, kind: str | None = None) -> Opened:
    """One of that kind, of any where it is None. Skips a test that no phone of the run can serve."""
    from ..pool import NoneFits

    wanted = wanted_by(item)
    try:
        return phones.take(kind, wanted=wanted)
    except NoneFits as none:
        raise pytest.skip.Exception(none.reason, _use_item_location=True) from None
    finally:
        _note(phones, item)


def lend_another(
    phones: WarmPhones, item: pytest.Item, uri: str | None, platform: str | None, timeout: float | None
) -> Opened:
    """The one that the test names, by its URI or platform, is had or is an error; else as its marker says."""
    from ..pool import NoneFits, Wanted

    marked = wanted_by(item)
    named = uri is not None or platform is not None
    try:
        return phones.take(uri, platform, timeout, wanted=None if named else marked)
    except NoneFits as none:
        if named or marked == Wanted():
            raise DeviceNotFound(str(none), device=none.device) from None
        raise pytest.skip.Exception(none.reason, _use_item_location=True) from None
    finally:
        _note(phones, item)


def _note(phones: WarmPhones, item: pytest.Item) -> None:
    if phones.last_wait:
        waits = item.config.stash.setdefault(WAITS, {})
        waits[item.nodeid] = waits.get(item.nodeid, 0) + phones.last_wait


def wanted_by(item: pytest.Item) -> Wanted:
    """Raises ``UsageError`` that names the marker."""
    from ..pool import Wanted

    marks = read_marks(item)
    try:
        return Wanted(marks.platform, marks.api, marks.needs)
    except UsageError as error:
        raise UsageError(f"marker replicant: {error}") from None
