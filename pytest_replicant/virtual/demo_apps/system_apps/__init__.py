"""The apps that every phone has, and on which a phone can be tried without an app of one's own:
settings, contacts and dialler. They hold what a user's own hold: names, addresses, numbers
(``PERSONAL_TEXTS``)."""

from __future__ import annotations

from typing import Any

from ...app_kit import App
from ...profile import Profile
from . import android, iphone, people
from .owner import PERSONAL_TEXTS


def system_apps(profile: Profile) -> list[App[Any]]:
    """Fresh declarations, for one phone. Their screens are made when they are shown."""
    if profile.platform == "ios":
        return [iphone.preferences(profile), *people.on_iphone()]
    return [*android.settings(profile), *people.on_android()]


__all__ = ["PERSONAL_TEXTS", "system_apps"]
