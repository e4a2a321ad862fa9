"""``--replicant-matrix``: each test that uses a phone runs once on every kind that the run was given."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

from ..pool import told_uri
from ..stash import OPTIONS

FIXTURE = "_mobile_kind"
"""What ``mobile_device`` is told by which phone it is to be."""
LONGEST = 60


class Matrix:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        options = self._config.stash[OPTIONS]  # emulators that were booted for the run are among them only now
        if options.matrix and FIXTURE in metafunc.fixturenames:
            kinds = list(dict.fromkeys(options.devices))
            metafunc.parametrize(FIXTURE, kinds, indirect=True, ids=kind_ids(kinds))


def kind_ids(kinds: Sequence[str]) -> list[str]:
    """Readable, safe in a file's name, without secrets, and no two alike. Knobs are in it only where they tell two
    kinds apart."""
    short = [_safe(told_uri(kind).partition("?")[0]) for kind in kinds]
    long = [_safe(told_uri(kind)) for kind in kinds]
    chosen = [one if short.count(one) == 1 else other for one, other in zip(short, long, strict=True)]
    return [
        f"{each}.{chosen[:place].count(each) + 1}" if chosen.count(each) > 1 else each
        for place, each in enumerate(chosen)
    ]


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", text)[:LONGEST].strip("-.") or "phone"
