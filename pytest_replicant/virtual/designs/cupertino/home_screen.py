"""``com.apple.springboard``: the home screen of iOS."""

from __future__ import annotations

from dataclasses import dataclass

from ...app_kit import App, Column, Row, RunningApp, Screen, Theme, Widget
from ...app_kit.widget import Extent, Sizing
from ...ui import Look
from .measures import SPRINGBOARD

COLUMNS = 4


@dataclass(kw_only=True, eq=False)
class Icon(Widget):
    """An app's tile with its name below."""

    width: Extent = 86
    height: Extent = 98
    class_name: str = "XCUIElementTypeIcon"

    def look(self, sizing: Sizing) -> Look:
        shape = f"launcher:{self.description.lower()}"
        return Look(shape=shape, background=self.background, foreground="#ffffff")


class Home(Screen[None]):
    activity = ".SBHomeScreen"

    def build(self, app: RunningApp[None]) -> Widget:
        icons = [self._icon(app, *row) for row in app.host.installed_apps()]
        rows = [
            Row(icons[start : start + COLUMNS], align="start")
            for start in range(0, len(icons), COLUMNS)
        ]
        return Column(rows, raw_id="Home screen icons", height="fill", padding=(24, 20))

    def _icon(self, app: RunningApp[None], package: str, label: str, color: str) -> Widget:
        return Icon(
            raw_id=label,
            key=package,
            description=label,
            background=color,
            on_click=lambda: app.host.start_app(package),
        )


HOME: App[None] = App(
    package=SPRINGBOARD,
    label="Home Screen",
    state=lambda stored: None,
    start=Home,
    theme=Theme(background="#26325c", primary="#26325c"),
    system=True,
)
