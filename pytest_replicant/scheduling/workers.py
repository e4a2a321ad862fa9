"""``-n auto``: as many workers as the phones of the run can serve at once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from .. import options
from ..errors import UsageError

if TYPE_CHECKING:
    import pytest

LOOK_SECONDS = 5.0  # at each attached phone, at all of them side by side


def workers_for(config: pytest.Config) -> int | None:
    """None where there are as many phones as anybody asks for, and where the user has said a number. Asked before
    the options of the run are kept, so they are read here; what is wrong with them is told when they are."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    try:
        asked = options.read(config)
    except UsageError:
        return 1
    from ..pool import expand, is_unlimited, is_virtual

    named = config.getoption("--replicant-device") or config.getini("replicant_devices")
    kinds = dict.fromkeys(asked.devices if named or not asked.avds else ())
    if any(map(is_unlimited, kinds)):
        return None
    phones = {phone for kind in kinds for phone in expand(kind).uris}
    phones -= _unfit(sorted(phone for phone in phones - {*kinds} if not is_virtual(phone)))
    return max(len(phones) + len(asked.avds), 1)


def _unfit(attached: Sequence[str]) -> set[str]:
    """Those of phones that nobody named on which no test can begin, such as one that is locked."""
    if not attached:
        return set()
    from ..pool import parse_uri, server_address, why_unfit

    def reason(phone: str) -> str:
        return why_unfit(*server_address(), parse_uri(phone).serial, LOOK_SECONDS)

    with ThreadPoolExecutor(len(attached)) as looks:
        return {phone for phone, why in zip(attached, looks.map(reason, attached), strict=True) if why}
