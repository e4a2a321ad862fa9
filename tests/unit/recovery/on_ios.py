"""iOS's home screen, and what it asks and says in the system's name: which replace the app in the
hierarchy."""

from __future__ import annotations

from typing import Any

from pytest_replicant.drivers import IOS_DIALOGS
from pytest_replicant.snapshots import Snapshot
from tests.unit.snapshots.ios_screens import app, button, el, static

from .failures import APP, Session

SPRINGBOARD = "com.apple.springboard"


class OnIos(Session):
    """A session on an iPhone: its system's dialogs are alerts of the home screen's."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.system_dialogs = IOS_DIALOGS


def of(bundle: str, *windows: str, name: str = " ") -> Snapshot:
    return Snapshot.parse(app(*windows, name=name, bundle=bundle), "ios", id="s7")


def alert(title: str, *labels: str, bundle: str = SPRINGBOARD) -> Snapshot:
    """Over an app, of which nothing is left in the hierarchy."""
    buttons = [button(label, at=(60, 330 + 44 * n, 255, 44)) for n, label in enumerate(labels)]
    box = (50, 240, 275, 240)
    inside = static(title, at=(60, 250, 250, 20)) + "".join(buttons)
    return of(bundle, el("Window", el("Alert", inside, at=box, label=title, name=title)))


def home(*icons: str) -> Snapshot:
    shown = [
        el("Icon", label=name, name=name, at=(20 + 80 * n, 80, 60, 80))
        for n, name in enumerate(icons)
    ]
    return of(SPRINGBOARD, el("Window", *shown))


def shop(*inside: str) -> Snapshot:
    return of(APP, el("Window", *inside), name="Shop")
