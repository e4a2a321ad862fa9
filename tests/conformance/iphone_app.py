"""An app for what the demo apps have not: fields of each kind, a bar with a button that leads
nowhere, depth."""

from __future__ import annotations

from typing import Any

from pytest_replicant.virtual import App, Button, Column, EditText, RunningApp, Screen, Text, Widget

NOTES = "dev.replicant.notes"
LOCATION = "android.permission.ACCESS_FINE_LOCATION"


class Nested(Screen[dict[str, Any]]):
    """As deep as the app's state has it, a label at the bottom."""

    title = "Nested"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        inner: Widget = Text("at the bottom", id="bottom")
        for _ in range(app.state["levels"]):
            inner = Column([inner])
        return inner


class Notes(Screen[dict[str, Any]]):
    title = "Notes"

    def build(self, app: RunningApp[dict[str, Any]]) -> Widget:
        def nested(levels: int) -> None:
            app.state["levels"] = levels
            app.go(Nested())

        return Column(
            [
                EditText("Title", id="title"),
                EditText("Text", id="text", input="multiline"),
                EditText("PIN", id="pin", input="password"),
                Button("Nested", id="nested", on_click=lambda: nested(40)),
                Button("Too deep", id="too_deep", on_click=lambda: nested(90)),
                Button(
                    "Ask",
                    id="ask",
                    on_click=lambda: app.request_permission(LOCATION, lambda granted: None),
                ),
                Button("Crash", id="crash", on_click=lambda: 1 / 0),
            ]
        )


def notes() -> App[dict[str, Any]]:
    return App(
        package=NOTES,
        label="Notes",
        state=lambda stored: {"levels": 0},
        start=Notes,
        permissions=(LOCATION,),
    )
