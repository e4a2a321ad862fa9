"""Test scheduling over phones: matrix, shards, workers, lease handover, rerun after a lost
phone."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .between_tests import REQUEUED, LeaseHandover, LossWatch, Requeue
    from .selection import (
        WIDER_SCOPES,
        Matrix,
        acquire_for_test,
        acquire_further,
        requirements_of,
        workers_for,
    )
    from .sharding import SHARD, Sharding

__getattr__, __dir__ = lazy_names(__name__)
