"""``com.apple.Preferences``: settings in tables, as on an iPhone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...app_kit import (
    App,
    Column,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Switch,
    Text,
    Theme,
    Widget,
)
from ...profile import Profile
from .owner import PERSONAL_TEXTS as MINE

AIRPLANE = "Airplane Mode"
Stored = dict[str, Any]

PAGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Settings": (
        (MINE["name"], "Apple ID, iCloud, Media & Purchases"),
        (AIRPLANE, ""),
        ("Wi-Fi", MINE["wifi"]),
        ("Bluetooth", "On"),
        ("Mobile Data", MINE["phone number"]),
        ("Notifications", ""),
        ("Sounds & Haptics", ""),
        ("Focus", ""),
        ("Screen Time", ""),
        ("General", ""),
        ("Control Centre", ""),
        ("Display & Brightness", ""),
        ("Accessibility", ""),
        ("Wallpaper", ""),
        ("Face ID & Passcode", ""),
        ("Battery", ""),
        ("Privacy & Security", ""),
        ("Passwords", MINE["email"]),
        ("Mail", MINE["email"]),
        ("Contacts", ""),
        ("Safari", ""),
    ),
    "General": (
        ("About", MINE["phone name"]),
        ("Software Update", "{release}"),
        ("AirDrop", ""),
        ("iPhone Storage", ""),
        ("Keyboard", ""),
        ("VPN & Device Management", ""),
        ("Transfer or Reset iPhone", ""),
    ),
    "About": (
        ("Name", MINE["phone name"]),
        ("iOS Version", "{release}"),
        ("Model Name", "{model}"),
        ("Serial Number", MINE["serial"]),
        ("Wi-Fi Address", MINE["wifi address"]),
        ("IMEI", MINE["imei"]),
    ),
    "Wi-Fi": ((MINE["wifi"], ""), ("Ask to Join Networks", "Notify")),
    "Bluetooth": ((MINE["bluetooth"], "Not Connected"),),
}


def preferences(profile: Profile) -> App[Any]:
    return App(
        package="com.apple.Preferences",
        label="Settings",
        state=lambda stored: stored,
        start=lambda: Table("Settings", profile),
        theme=Theme(primary="#0a7aff", background="#f2f2f7", text="#000000"),
        system=True,
    )


class Table(Screen[Stored]):
    activity = ".PreferencesAppController"

    def __init__(self, page: str, profile: Profile) -> None:
        self.title = page
        self._profile = profile

    def build(self, app: RunningApp[Stored]) -> Widget:
        rows = [self._row(app, *row) for row in PAGES[self.title]]
        above = [EditText("Search", margin=(16, 8))] if self.title == "Settings" else []
        table = RecyclerList(rows, weight=1, class_name="android.widget.ListView")
        return Column([*above, table], height="fill")

    def _row(self, app: RunningApp[Stored], name: str, value: str) -> Widget:
        label = Text(name, size=17, weight=1, lines=1)
        if name == AIRPLANE:
            parts: list[Widget] = [label, self._switch(app)]
        else:
            shown = value.format(release=self._profile.release, model=self._profile.model)
            parts = [label, *([Text(shown, size=17, muted=True, lines=1)] if shown else [])]
        row = Row(parts, raw_id=name, key=name, padding=(20, 11), min_height=48)
        if name in PAGES:
            row.on_click = lambda: app.go(Table(name, self._profile))
        return row

    def _switch(self, app: RunningApp[Stored]) -> Widget:
        on = app.stored.get(AIRPLANE, False)
        return Switch(
            "",
            description=AIRPLANE,
            checked=on,
            on_change=lambda now: app.stored.update({AIRPLANE: now}),
            width=60,
        )
