"""Makes of phones as data: ``virtual?profile=NAME`` is a phone with these facts, each with its source.

A fact that nobody has a source for is left out, or marked ``GUESS``; a run's header names its guesses.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..errors import UsageError
from .profile import IPHONE, Profile

GUESS = "guess"
"""In place of a source."""


class Facts:
    """Fields of a ``Profile`` that one source tells: a repository and a file, a document, or ``GUESS``."""

    def __init__(self, source: str, **values: Any) -> None:
        self.source = source
        self.values = values


@dataclass(frozen=True)
class Make:
    """A phone that there is. ``called`` is its name among people."""

    called: str
    facts: tuple[Facts, ...]
    platform: Literal["android", "ios"] = "android"

    @property
    def profile(self) -> Profile:
        values = {name: value for facts in self.facts for name, value in facts.values.items()}
        return replace(IPHONE if self.platform == "ios" else Profile(), **values)

    @property
    def guesses(self) -> list[str]:
        return [name for facts in self.facts if facts.source == GUESS for name in facts.values]


_ANDROID_STUDIO = "Android Studio's device definitions, tools/base sdklib/…/devices/nexus.xml"

MAKES: dict[str, Make] = {
    "pixel": Make(
        "Google Pixel 7, Android 15",
        (
            Facts(_ANDROID_STUDIO, brand="google", model="Pixel 7", width=1080, height=2400, density=420),
            Facts("AOSP, Build.VERSION_CODES", release="15", sdk=35),
        ),
    ),
    "iphone": Make(
        "Apple iPhone 15, iOS 17",
        (Facts("WebDriverAgent's GET /wda/device/info", model="iPhone 15"),),
        platform="ios",
    ),
}


def make_named(name: str, platform: str) -> Make:
    """Raises ``UsageError`` for a name that there is not, or that is of the other platform."""
    make = MAKES.get(name)
    if make is not None and make.platform == platform:
        return make
    names = [each for each, one in MAKES.items() if one.platform == platform]
    if make is not None:
        where = "virtual:ios" if make.platform == "ios" else "virtual"
        raise UsageError(
            f"profile {name} is {make.called}: write {where}?profile={name}. Here: {', '.join(names)}."
        )
    near = difflib.get_close_matches(name.lower(), list(MAKES), 1)
    hint = f" Did you mean {near[0]}?" if near else ""
    raise UsageError(f"no profile {name!r}.{hint} Profiles: {', '.join(names)}.")


def profile_of(platform: str, knobs: dict[str, str]) -> Profile:
    """The phone that ``profile=NAME`` and the other knobs ask for, or the platform's own. Takes what it reads out
    of ``knobs``. Raises ``UsageError``."""
    name = knobs.pop("profile", "")
    own = IPHONE if platform == "ios" else Profile()
    return (make_named(name, platform).profile if name else own).with_knobs(knobs)


def profile_lines(names: Iterable[str]) -> Iterator[str]:
    """What each of these profiles is, and what of it is a guess, for the header of a run."""
    for name in dict.fromkeys(names):
        make = MAKES[name]
        guesses = f"; guesses: {', '.join(make.guesses)}" if make.guesses else ""
        yield f"profile {name}: {make.called}{guesses}"
