"""Figures that must not get worse, measured on a few captures of each repository in seconds.

``figures.json`` beside this file holds them as they were when last recorded, by ``python -m
benchmarks refs --record``. A test compares: see ``tests/unit/snapshots/test_recorded_figures.py``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from . import runs
from .captures import SPLITS, captures
from .scoring import Resolver, score

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .captures import Capture, Split

Figures = dict[str, float]

RECORDED = Path(__file__).parent / "figures.json"
MOST = 3  # captures of one repository
_GROUPS = {"layout": ("geometric", "structural"), "content": ("content",), "bait": ("bait",)}
# How much worse a share may be by its last word: a few uses of a small sample. The others are
# exact.
_TOLERANCES = {"retention": 0.003, "kept": 0.003, "demanded": 0.002, "mistaken": 0.001}
_SHOULD_GROW = ("retention", "kept")


def measure(resolver: Resolver | None = None) -> Figures:
    """All figures, by name; shares from 0 to 1, but the hijacked ones of changed screens as a
    count."""
    figures: Figures = {}
    for split in SPLITS:
        figures |= refs(split, captures(split, MOST)[0], resolver)
    walked = runs.walk("tune")
    figures["tune runs kept"] = _share(walked.kept, walked.surely)
    figures["tune runs mistaken"] = _share(walked.hijacked, walked.uses)
    return figures


def refs(split: Split, sample: list[Capture], resolver: Resolver | None) -> Figures:
    scores = score(sample, resolver=resolver)
    figures: Figures = {}
    for name, groups in _GROUPS.items():
        tally = scores.total(groups)
        figures[f"{split} {name} hijacked"] = tally.hijacked
        figures[f"{split} {name} mistaken"] = _share(tally.mistaken, tally.uses)
        if tally.decidable:
            figures[f"{split} {name} retention"] = _share(tally.kept, tally.decidable)
            figures[f"{split} {name} demanded"] = _share(tally.demanded, tally.surviving)
    return figures


def worse(now: Mapping[str, float], before: Mapping[str, float]) -> list[str]:
    """What got worse, in words."""
    found = []
    for name, was in before.items():
        value, allowed = now.get(name), _TOLERANCES.get(name.rpartition(" ")[2], 0.0)
        if value is None:
            found.append(f"{name} was {was:.4f} and is no longer measured")
        elif (was - value if name.endswith(_SHOULD_GROW) else value - was) > allowed:
            found.append(f"{name} was {was:.4f}, now {value:.4f}")
    return found


def recorded() -> Figures:
    figures: Figures = json.loads(RECORDED.read_text(encoding="utf-8"))
    return figures


def record() -> None:
    rounded = {name: round(value, 5) for name, value in measure().items()}
    RECORDED.write_text(json.dumps(rounded, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
