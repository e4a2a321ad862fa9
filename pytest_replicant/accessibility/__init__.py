"""Accessibility: what a screen's hierarchy and picture say against it, rule by rule.

``findings`` judges one snapshot; nothing here asks a phone. A rule says what it cannot see, and an
audit which rules were not run: that there are no findings never means that an app is accessible."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .audit import (
        APPLE,
        APPLE_RULE,
        OURS,
        RULES,
        Audit,
        Finding,
        Rule,
        cropped,
        findings,
        one_audit,
    )

__getattr__, __dir__ = lazy_names(__name__)
