"""An app that hangs when it sorts, and has a screen on which it dies as it starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pytest_replicant.virtual import App, AppCrash, Button, Column, RunningApp, Screen, Text, Widget

WEAK = "dev.replicant.weak"
ANR_MS = 50


@dataclass
class WeakState:
    stored: dict[str, Any]
    sorted: bool = False


Weak = RunningApp[WeakState]


class Main(Screen[WeakState]):
    """Has a list to sort, which takes longer than the system waits."""

    title = "Weak"

    def build(self, app: Weak) -> Widget:
        def sort() -> None:
            app.state.sorted = True

        def sort_all() -> None:
            sort()
            app.hang(60_000)

        return Column(
            [
                Text("Sorted" if app.state.sorted else "Unsorted", id="order"),
                Button("Sort", id="sort", on_click=sort_all),
                Button("Sort a part", id="sort_part", on_click=sort),
                Button("Show", id="show", on_click=lambda: None),
            ]
        )


class Broken(Screen[WeakState]):
    """Cannot be shown: the app dies as it starts."""

    title = "Broken"

    def opened(self, app: Weak) -> None:
        raise AppCrash(
            "java.lang.IllegalStateException",
            "Database version 7 is newer than this app",
            at=("store.Database.open:31", "BrokenActivity.onCreate:12"),
        )

    def build(self, app: Weak) -> Widget:
        return Text("never seen")


def weak_app() -> App[WeakState]:
    return App(
        package=WEAK,
        label="Weak",
        state=WeakState,
        start=Main,
        screens={".Broken": Broken},
        anr_ms=ANR_MS,
    )
