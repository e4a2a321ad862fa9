"""What each client is asked, which ``scenarios.toml`` has, and what has to be so afterwards."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from .running import SHOP, SMALL, Client, Holds, Row, Watched

tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")


def front(phone: Watched, _said: str) -> bool:
    return phone.foreground()[0] == SHOP


def away(phone: Watched, said: str) -> bool:
    return not front(phone, said)


def typed(phone: Watched, _said: str) -> bool:
    nodes = [node for window in phone.windows() for node in window.root.walk()]
    email = next((node.text for node in nodes if node.resource_id.endswith("email")), "")
    return email == "ada@example.com"


def cleared(phone: Watched, said: str) -> bool:
    return not typed(phone, said)


def keyboard(phone: Watched, _said: str) -> bool:
    return phone.keyboard_shown


def pushed(phone: Watched, _said: str) -> bool:
    return phone.files.read("/sdcard/Download/x.txt") == b"hello"


def present(phone: Watched, _said: str) -> bool:
    return phone.packages.get(SMALL) is not None


def absent(phone: Watched, said: str) -> bool:
    return not present(phone, said)


def swiped(phone: Watched, _said: str) -> bool:
    return phone.swipes > 0


def turned(phone: Watched, _said: str) -> bool:
    return phone.rotation != 0


def copied(phone: Watched, _said: str) -> bool:
    return phone.clipboard == "word"


CHECKS = {
    one.__name__: one
    for one in (
        front,
        away,
        typed,
        cleared,
        keyboard,
        pushed,
        present,
        absent,
        swiped,
        turned,
        copied,
    )
}


@dataclass(frozen=True)
class Says:
    """The answer has all of these words."""

    words: tuple[str, ...]

    def __call__(self, _phone: Watched, said: str) -> bool:
        return all(word in said for word in self.words)


def row(known: Mapping[str, Any]) -> Row:
    holds: Holds | None = CHECKS.get(known.get("holds", ""))
    if "says" in known:
        holds = Says(tuple(known["says"]))
    return Row(known["call"], holds, known.get("cannot", ""), known.get("error", ""))


_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CLIENTS = tuple(
    Client(**{**one, "rows": tuple(map(row, one["rows"]))}) for one in _TABLE["clients"]
)
ELSEWHERE: Mapping[str, str] = _TABLE["elsewhere"]
"""Clients that were not run, and why."""
