"""The design of each platform."""

from __future__ import annotations

from ..profile import Profile
from .cupertino import Cupertino
from .design import Design
from .material import Material


def design_of(profile: Profile) -> Design:
    return Cupertino(profile) if profile.platform == "ios" else Material(profile)
