"""``-n auto``: as many workers as the phones of the run can serve at once."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .. import options
from ..errors import UsageError

if TYPE_CHECKING:
    import pytest


def workers_for(config: pytest.Config) -> int | None:
    """None where there are as many phones as anybody asks for, and where the user has said a number. Asked before
    the options of the run are kept, so they are read here; what is wrong with them is told when they are."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    try:
        asked = options.read(config)
    except UsageError:
        return 1
    from ..pool.kinds import expand
    from ..pool.uri import is_unlimited

    named = config.getoption("--replicant-device") or config.getini("replicant_devices")
    kinds = dict.fromkeys(asked.devices if named or not asked.avds else ())
    if any(map(is_unlimited, kinds)):
        return None
    phones = {phone for kind in kinds for phone in expand(kind).uris}
    return max(len(phones) + len(asked.avds), 1)
