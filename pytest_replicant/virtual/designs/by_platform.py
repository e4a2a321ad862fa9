"""The design of each platform."""

from __future__ import annotations

from typing import Literal

from .design import Design
from .material import Material


def design_of(platform: Literal["android", "ios"]) -> Design:
    return Material()
