"""The apps that a virtual phone can have installed, by id. Imported only once one is started."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..virtual import App

DEFAULT_APPS = ("dev.replicant.shop", "dev.replicant.lab")


def _shop() -> App[Any]:
    from ..virtual import shop

    return shop()


def _lab() -> App[Any]:
    from ..virtual import lab

    return lab()


DEMO_APPS: Mapping[str, Callable[[], App[Any]]] = {"dev.replicant.shop": _shop, "dev.replicant.lab": _lab}


def demo_apps(ids: Sequence[str]) -> list[App[Any]]:
    """Fresh declarations. Raises ``UsageError`` for an id that is none of ours."""
    for app in ids:
        if app not in DEMO_APPS:
            near = difflib.get_close_matches(app, DEMO_APPS, 1, 0.4)
            meant = f" Did you mean {near[0]}?" if near else ""
            raise UsageError(f"app={app}: no such demo app.{meant} There are: {', '.join(sorted(DEMO_APPS))}.")
    return [DEMO_APPS[app]() for app in dict.fromkeys(ids or DEFAULT_APPS)]
