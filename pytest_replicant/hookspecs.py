"""The hooks that pytest-replicant calls. Each docstring is its reference page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .drivers.base import Driver


@pytest.hookspec(firstresult=True)
def pytest_replicant_driver(uri: str, config: pytest.Config) -> Driver | None:
    """Return a driver for a phone that only you know how to reach, or None.

    Called once for every phone that a run opens, before the built-in kinds are tried; the first answer wins.
    ``uri`` is what the user gave with ``--replicant-device``. Raise ``DeviceError`` where the URI is yours but
    the phone is not there.

    In a ``conftest.py``::

        def pytest_replicant_driver(uri, config):
            if uri.startswith("farm:"):
                return FarmDriver(uri)
    """
