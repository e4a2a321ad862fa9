"""Starting and ending apps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...errors import is_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..step import Dispatch, Hands

__tracebackhide__ = is_told


def launch(app: str, *, fresh: bool, activity: str | None, args: tuple[str, ...]) -> Dispatch:
    """A cold start: whatever runs of the app is stopped first."""

    def send(hands: Hands) -> Mapping[str, Any]:
        if fresh:
            hands.driver.clear_data(app)
        else:
            hands.driver.stop(app)
        hands.driver.launch(app, activity, args)
        return {"app": app, "fresh": fresh}

    return send


def activate(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.launch(app, None, ())
        return {"app": app}

    return send


def stop(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.stop(app)
        return {"app": app}

    return send


def clear_data(app: str) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.clear_data(app)
        return {"app": app}

    return send


def open_url(url: str, app: str | None) -> Dispatch:
    def send(hands: Hands) -> Mapping[str, Any]:
        hands.driver.open_url(url, app)
        return {"url": url}

    return send
