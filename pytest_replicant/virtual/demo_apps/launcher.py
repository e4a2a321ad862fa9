"""``com.replicant.launcher``: the home screen."""

from __future__ import annotations

from ..app_kit import App, Column, RunningApp, Screen, Scroll, Text, Theme, Widget
from ..app_kit.containers import Row
from ..app_kit.widget import Sizing
from ..ui import Look

COLUMNS = 4


class AppIcon(Text):
    """A text view with the icon drawn above the name, as launchers have it."""

    def look(self, sizing: Sizing) -> Look:
        look = Text.look(self, sizing)
        look.shape = f"launcher:{self.text.lower()}"
        return look


class Home(Screen[None]):
    activity = ".HomeActivity"

    def build(self, app: RunningApp[None]) -> Widget:
        icons = [self._icon(app, *row) for row in app.host.installed_apps()]
        rows = [
            Row(icons[start : start + COLUMNS], align="start")
            for start in range(0, len(icons), COLUMNS)
        ]
        return Column(
            [Scroll(rows, id="apps", weight=1, padding=(16, 24))], id="workspace", height="fill"
        )

    def back(self, app: RunningApp[None]) -> bool:
        return True

    def _icon(self, app: RunningApp[None], package: str, label: str, color: str) -> Widget:
        return AppIcon(
            label,
            id="icon",
            key=package,
            description=label,
            size=12,
            align="center",
            lines=1,
            width=86,
            height=92,
            padding=(4, 68, 4, 4),
            foreground="#ffffff",
            background=color,
            on_click=lambda: app.host.start_app(package),
        )


LAUNCHER: App[None] = App(
    package="com.replicant.launcher",
    label="Home",
    state=lambda stored: None,
    start=Home,
    theme=Theme(background="#263238", primary="#263238"),
    system=True,
)
