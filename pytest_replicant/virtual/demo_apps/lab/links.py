"""Addresses that open an exhibit: ``lab://late-content?delay=3000``."""

from __future__ import annotations

import difflib
from urllib.parse import parse_qsl

from ...app_kit import Screen
from .exhibit import Exhibit
from .exhibits import all_exhibits, exhibit_named
from .start import Start
from .state import LabState

PREFIX = "lab://"
LONGEST = 200  # what a notice says of a link at most


def screen_for(url: str) -> Screen[LabState]:
    """The start screen for a link that is wrong, with a word on why."""
    try:
        return _exhibit_for(url.removeprefix(PREFIX)) or Start()
    except ValueError as problem:
        return Start(f"{url[:LONGEST]}: {str(problem)[:LONGEST]}")


def _exhibit_for(place: str) -> Exhibit | None:
    """None if the link names no exhibit; raises ``ValueError`` where it names a wrong one."""
    slug, _, query = place.partition("#")[0].partition("?")
    slug = slug.strip("/")
    if not slug and not query:
        return None
    exhibit = exhibit_named(slug)
    if exhibit is None:
        near = difflib.get_close_matches(slug[:LONGEST], [each.slug for each in all_exhibits()], 1)
        raise ValueError("no such exhibit" + (f"; {near[0]} is one" if near else ""))
    return exhibit(**_settings(exhibit, query))


def _settings(exhibit: type[Exhibit], query: str) -> dict[str, int]:
    parameters = {each.name: each for each in exhibit.parameters}
    settings: dict[str, int] = {}
    for name, value in parse_qsl(query, keep_blank_values=True, max_num_fields=50):
        if name not in parameters:
            known = f"there are: {', '.join(parameters)}" if parameters else "it has none"
            raise ValueError(f"{exhibit.slug} has no parameter {name!r}; {known}")
        if name in settings:
            raise ValueError(f"{name} is given twice")
        settings[name] = parameters[name].read(value)
    return settings
