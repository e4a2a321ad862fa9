"""Waiting for what a test names: synchronises, and verifies nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import is_told
from .resolve import resolve
from .stabilize import AGREEING_READS, Reads
from .step import StageFailed
from .targets import describe

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model.element import Element
    from .step import Parts, Target

__tracebackhide__ = is_told


def await_any(parts: Parts, branches: Mapping[str, Target], timeout: float) -> tuple[str, Element]:
    """The first branch whose target is on two consecutive reads, and its element. Raises ``TargetError``
    with the last outline where none came in time, ``DeviceError`` where nothing could be read."""
    reads = Reads(parts, timeout)
    waiting = [reads.reuse(reading) for reading in parts.observer.recent()]
    counts = dict.fromkeys(branches, 0)
    trouble: StageFailed | None = None
    while True:
        reading = waiting.pop(0) if waiting else reads.next()
        if reading is None:
            counts = dict.fromkeys(branches, 0)
        else:
            for name, target in branches.items():
                try:
                    element = resolve(parts.observer, reading.snapshot, target)
                except StageFailed as failed:
                    counts[name], trouble = 0, failed
                    continue
                counts[name] += 1
                if counts[name] >= AGREEING_READS:
                    return name, element
        if not waiting and reads.out_of_time and not any(counts.values()):
            break
    reads.raise_if_blind()
    assert trouble is not None
    wanted = " or ".join(describe(target) for target in branches.values())
    raise trouble.as_target_error(f"waited for {wanted} on {parts.driver.uri} ({reads.told()})\n")
