"""The two halves of the benchmark: an app, its suite, and what can be broken in it, by kind of fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.virtual import App

from . import bank_faults, shop_faults
from .bank_app import bank

Fault = Callable[[pytest.MonkeyPatch], None]
"""Breaks an app until the patch is undone."""


@dataclass(frozen=True)
class Half:
    """``suite`` is the file of tests; ``kinds`` has the faults of each kind."""

    suite: Path
    app: Callable[[], App[Any]]
    kinds: Mapping[str, tuple[Fault, ...]]

    @property
    def faults(self) -> dict[str, Fault]:
        return {fault.__name__: fault for faults in self.kinds.values() for fault in faults}


_HERE = Path(__file__).parent
HALVES: dict[str, Half] = {
    "tune": Half(_HERE / "shop_suite.py", shop_faults.asking_shop, shop_faults.KINDS),
    "held_out": Half(_HERE / "bank_suite.py", bank, bank_faults.KINDS),
}
