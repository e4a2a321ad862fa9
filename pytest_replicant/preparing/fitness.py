"""A phone that was opened for the run is made ready, or given up."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ..pool import Opened


def make_fit(opened: Opened, timeout: float) -> None:
    """Warns of what may trouble the tests. Raises ``DeviceError`` for a phone that cannot be tested on; it is
    closed then."""
    from ..pool import make_ready

    try:
        findings = make_ready(opened.driver, timeout)
        for finding in findings:
            warnings.warn(pytest.PytestWarning(f"{opened.driver.uri}: {finding}"), stacklevel=2)
    except BaseException:  # Ctrl-C included: nothing may be left leased
        opened.close()
        raise
