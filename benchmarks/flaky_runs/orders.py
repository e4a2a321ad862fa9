"""A small app whose screens come late, show something else, or do so on one make of phones, as it is asked to."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pytest_replicant.virtual import App, Button, Column, RunningApp, Screen, Scroll, Text, Widget

ORDERS = "dev.replicant.orders"
NAMES = (
    "Report",
    "Sync",
    "Total",
    "List",
    "Scan",
    "Share",
    "Prices",
    "Slow",
    "Busy",
    "Old",
    "New",
    "Note",
    "Both",
)


@dataclass
class Asked:
    """What the run wants of it, by name of a screen: milliseconds that its answer takes, another answer, and an
    error in the log."""

    late: dict[str, int] = field(default_factory=dict)
    other: dict[str, str] = field(default_factory=dict)
    log: dict[str, str] = field(default_factory=dict)


ASKED = Asked()


@dataclass
class State:
    stored: dict[str, Any]
    answers: dict[str, str] = field(default_factory=dict)


class Answer(Screen[State]):
    """A button, and the answer to it once it is there."""

    activity = ".AnswerActivity"

    def __init__(self, name: str = "Report") -> None:
        self.name = self.title = name

    def build(self, app: RunningApp[State]) -> Widget:
        said = app.state.answers.get(self.name)
        shown = [Text(said)] if said else []
        return Column([Button("Ask", on_click=lambda: self.ask(app)), *shown])

    def ask(self, app: RunningApp[State]) -> None:
        if log := ASKED.log.get(self.name):
            app.log(log, level="E", tag="Orders")
        said = ASKED.other.get(self.name, f"{self.name}: 12.50")
        app.after(ASKED.late.get(self.name, 50), lambda: app.state.answers.update({self.name: said}))


class Home(Screen[State]):
    activity = ".HomeActivity"
    title = "Orders"

    def build(self, app: RunningApp[State]) -> Widget:
        return Scroll([Button(name, on_click=partial(self.open, app, name)) for name in NAMES])

    def open(self, app: RunningApp[State], name: str) -> None:
        app.go(Answer(name))


def orders() -> App[State]:
    return App(package=ORDERS, label="Orders", state=State, start=Home, screens={".AnswerActivity": Answer})
