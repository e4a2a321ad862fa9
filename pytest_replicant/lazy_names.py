"""The names of a room, each loaded with its module when it is first used (PEP 562): a run without phones stays
light, and whoever imports from a room need not know its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(room: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """A module's ``__getattr__``. ``modules`` maps each module below ``room`` to its names, parted by blanks."""
    homes = {name: module for module, names in modules.items() for name in names.split()}

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(f"{room}.{homes[name]}"), name)

    return load
