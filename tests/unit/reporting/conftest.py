"""Each picture of a story is packed once, which costs more than all else that is written of it."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import pytest

from pytest_replicant.reporting.artifacts import pictures

_once = functools.cache(pictures.webp)


@pytest.fixture(scope="package", autouse=True)
def _pictures_are_packed_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "webp", _once)
        yield
