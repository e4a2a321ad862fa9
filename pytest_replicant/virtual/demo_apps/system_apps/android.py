"""``com.android.settings`` and its search: lists of preferences in AOSP's views, and the volume
panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...app_kit import (
    App,
    Button,
    Column,
    EditText,
    Image,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Scroll,
    SeekBar,
    Space,
    Stack,
    Switch,
    Text,
    Theme,
    Widget,
)
from ...app_kit.host import Host
from ...app_kit.widget import Callback
from ...profile import Profile
from .owner import PERSONAL_TEXTS as MINE

SETTINGS, SEARCH = "com.android.settings", "com.android.settings.intelligence"
HOMEPAGE, PANEL = ".Settings", ".panel.SettingsPanelActivity"
THEME = Theme(primary="#0b57d0", on_primary="#1b1b1f", background="#f6f2f7")
Stored = dict[str, Any]


class Preference(NamedTuple):
    """A row. ``page`` is the one that it leads to; with ``key`` it is a switch, which is on at
    first where ``on`` says so."""

    title: str
    summary: str = ""
    page: str = ""
    key: str = ""
    on: bool = False


def _rows(*rows: Sequence[str]) -> tuple[Preference, ...]:
    return tuple(Preference(row[0], "".join(row[1:2]), "".join(row[2:3])) for row in rows)


# AOSP 14, packages/apps/Settings, res/xml/top_level_settings.xml and the pages that it leads to
PAGES: Mapping[str, tuple[Preference, ...]] = {
    "Settings": _rows(
        (MINE["name"], MINE["email"], "Account"),
        ("Network & internet", "Mobile, Wi\u2011Fi, hotspot", "Network & internet"),
        ("Connected devices", "Bluetooth, pairing", "Connected devices"),
        ("Apps", "Assistant, recent apps, default apps"),
        ("Notifications", "Notification history, conversations"),
        ("Battery", "84%"),
        ("Storage", "41% used - 75.51 GB free"),
        ("Sound & vibration", "Volume, haptics, Do Not Disturb"),
        ("Display", "Dark theme, font size, brightness", "Display"),
        ("Wallpaper & style", "Colors, themed icons, app grid"),
        ("Accessibility", "Display, interaction, audio"),
        ("Security & privacy", "App security, device lock, permissions"),
        ("Location", "On - 4 apps have access to location"),
        ("Safety & emergency", "Emergency SOS, medical info, alerts"),
        ("Passwords & accounts", MINE["email"], "Account"),
        ("System", "Languages, gestures, time, backup"),
        ("About phone", MINE["phone name"], "About phone"),
        ("Tips & support", "Help articles, phone & chat"),
    ),
    "Account": _rows((MINE["name"],), (MINE["email"], "Personal info, security, backup"),
                     ("Sync", "On")),
    "Network & internet": (
        *_rows(("Internet", MINE["wifi"]), ("SIMs", MINE["phone number"])),
        Preference("Airplane mode", key="airplane"),
        *_rows(("Hotspot & tethering", "Off"), ("Data Saver", "Off"), ("Private DNS", "Automatic")),
    ),
    "Connected "
    "devices": _rows(("Pair new device",), (MINE["bluetooth"], "Saved"),
                     ("Connection preferences",)),
    "Display": (
        *_rows(("Brightness level", "50%"),),
        Preference("Adaptive brightness", "Off", key="adaptive_brightness"),
        *_rows(("Lock screen", "Show all notification content"),
               ("Screen timeout", "After {timeout}")),
        Preference("Dark theme", "Will never turn on automatically", key="dark_theme"),
        *_rows(("Display size and text", "Default"),
               ("Night Light", "Off / Will never turn on automatically")),
        Preference("Auto-rotate screen", key="auto_rotate", on=True),
        *_rows(("Screen saver", "Off"),),
    ),
    "About phone": _rows(
        ("Device name", MINE["phone name"]),
        ("Phone number", MINE["phone number"]),
        ("Emergency information", f"Info & contacts for {MINE['name']}"),
        ("Legal information",),
        ("Model", "{model}"),
        ("Serial number", MINE["serial"]),
        ("IMEI", MINE["imei"]),
        ("Android version", "{release}"),
        ("IP address", MINE["ip address"]),
        ("Wi\u2011Fi MAC address", MINE["wifi address"]),
        ("Build number", "{product}-user {release}"),
    ),
}  # fmt: skip
CHINESE = {
    "Settings": "设置",
    "Search settings": "搜索设置",
    "Network & internet": "网络和互联网",
    "Connected devices": "已连接的设备",
    "Apps": "应用",
    "Notifications": "通知",
    "Battery": "电池",
    "Storage": "存储",
    "Sound & vibration": "提示音和振动",
    "Display": "显示",
    "Location": "位置信息",
    "System": "系统",
    "About phone": "关于手机",
    "Media volume": "媒体音量",
    "Done": "完成",
}
VOLUMES = ("Media volume", "Call volume", "Ring volume", "Alarm volume")


def settings(profile: Profile) -> list[App[Any]]:
    """The search and the panel came with Android 10 (Settings.java, "Added in API level 29")."""
    words = Words(profile)
    has_panels = profile.sdk >= 29
    main = App(
        package=SETTINGS,
        label=words("Settings"),
        state=_stored,
        start=lambda: Homepage(words, has_panels),
        screens={DisplayPage.activity: lambda: DisplayPage(words, "Display")},
        panels={PANEL: lambda host, close: VolumePanel(words, host, close).build}
        if has_panels
        else {},
        answers={
            "android.settings.SETTINGS": HOMEPAGE,
            "android.settings.DISPLAY_SETTINGS": DisplayPage.activity,
            **({"android.settings.panel.action.VOLUME": PANEL} if has_panels else {}),
        },
        theme=THEME,
        system=True,
        single_task=True,
    )
    search = App(
        package=SEARCH,
        label=words("Search settings"),
        state=_stored,
        start=lambda: Search(words),
        answers={"android.settings.APP_SEARCH_SETTINGS": Search.activity},
        theme=THEME,
        system=True,
        launchable=False,
    )
    return [main, search] if has_panels else [main]


def _stored(stored: Stored) -> Stored:
    return stored


class Words:
    """Words written on this phone: in its language, as far as that is known."""

    def __init__(self, profile: Profile) -> None:
        self._known = CHINESE if profile.locale.startswith("zh") else {}
        self._facts = {
            "model": profile.model,
            "release": profile.release,
            "product": profile.product,
            "timeout": f"{profile.screen_timeout} seconds",
        }

    def __call__(self, text: str) -> str:
        for name, value in self._facts.items():
            text = text.replace(f"{{{name}}}", value)
        return self._known.get(text, text)


def preference(app: RunningApp[Stored], words: Words, row: Preference, number: int) -> Widget:
    """As preference.xml and preference_widget_switch.xml have it; only the row can be tapped."""
    title = Text(words(row.title), id="android:id/title", size=20, lines=1)
    summary = Text(words(row.summary), id="android:id/summary", size=14, muted=True, lines=2)
    texts = Column(
        [title, *([summary] if row.summary else [])],
        weight=1,
        class_name="android.widget.RelativeLayout",
    )
    icon = Row(
        [Image(id="android:id/icon", picture=row.title, width=24, height=24)],
        id="icon_frame",
        width=56,
    )
    parts: list[Widget] = [icon, texts]
    if row.key:
        shown = Shown(
            "", id="android:id/switch_widget", checked=app.state.get(row.key, row.on), width=68
        )
        parts.append(Row([shown], id="android:id/widget_frame", width="wrap"))
    return Row(
        parts,
        key=f"row{number}",
        padding=(16, 14),
        min_height=72,
        on_click=_tapped(app, words, row),
    )


def _tapped(app: RunningApp[Stored], words: Words, row: Preference) -> Callback:
    def tapped() -> None:
        if row.key:
            app.stored[row.key] = not app.state.get(row.key, row.on)
        elif row.page:
            app.go(
                DisplayPage(words, row.page) if row.page == "Display" else SubPage(words, row.page)
            )

    return tapped


class Shown(Switch):
    """The state of its row, which takes the tap."""

    @property
    def clickable(self) -> bool:
        return False


class SubPage(Screen[Stored]):
    activity = ".SubSettings"
    up = True

    def __init__(self, words: Words, page: str) -> None:
        self._words, self._page = words, page

    def title_for(self, app: RunningApp[Stored]) -> str:
        return self._words(self._page)

    def build(self, app: RunningApp[Stored]) -> Widget:
        rows = [
            preference(app, self._words, row, number)
            for number, row in enumerate(PAGES[self._page])
        ]
        return Column(
            [RecyclerList(rows, id="recycler_view", weight=1)], id="main_content", height="fill"
        )


class DisplayPage(SubPage):
    activity = ".Settings$DisplaySettingsActivity"


class Homepage(Screen[Stored]):
    """settings_homepage_container.xml: one page that scrolls, with a list in it that does not."""

    activity = HOMEPAGE

    def __init__(self, words: Words, has_search: bool) -> None:
        self._words, self._has_search = words, has_search

    def build(self, app: RunningApp[Stored]) -> Widget:
        words = self._words
        rows = [preference(app, words, row, number) for number, row in enumerate(PAGES["Settings"])]
        listed = Column(
            rows, id="recycler_view", class_name="androidx.recyclerview.widget.RecyclerView"
        )
        title = Text(words("Settings"), id="homepage_title", size=36, margin=(24, 36, 24, 12))
        above: list[Widget] = [title, *([self._search_bar(app)] if self._has_search else [])]
        page = [
            Column(above, id="homepage_app_bar_regular_phone_view"),
            Stack([listed], id="main_content"),
        ]
        page[1].width = "fill"
        return Scroll(page, id="main_content_scrollable_container")

    def _search_bar(self, app: RunningApp[Stored]) -> Widget:
        words = Text(self._words("Search settings"), id="search_action_bar_title", size=18)
        bar = Row(
            [Image(picture="search", width=24, height=24), words],
            id="search_action_bar",
            min_height=56,
        )
        bar.class_name, bar.margin, bar.padding = "android.view.ViewGroup", (16, 8), (16, 8)
        bar.on_click = lambda: app.host.start_app(SEARCH)
        return bar


class Search(Screen[Stored]):
    """SettingsIntelligence, search_panel.xml: the framework's own search view over what it
    finds."""

    activity = ".search.SearchActivity"

    def __init__(self, words: Words) -> None:
        self._words = words

    def opened(self, app: RunningApp[Stored]) -> None:
        app.focus("typed")

    def build(self, app: RunningApp[Stored]) -> Widget:
        typed = app.text_of("typed").casefold()
        found = [
            row
            for rows in PAGES.values()
            for row in rows
            if typed and typed in self._words(row.title).casefold()
        ]
        field = EditText(
            self._words("Search settings"), id="android:id/search_src_text", key="typed", weight=1
        )
        field.class_name = "android.widget.AutoCompleteTextView"
        up = Image(picture="back", description="Navigate up", on_click=app.back)
        plate = Row([field], id="android:id/search_plate", weight=1)
        bar = Row(
            [up, Row([plate], id="search_view", weight=1)], id="search_toolbar", padding=(8, 4)
        )
        rows = [self._result(row, number) for number, row in enumerate(found)]
        return Column(
            [bar, RecyclerList(rows, id="list_results", weight=1)],
            id="content_parent",
            height="fill",
        )

    def _result(self, row: Preference, number: int) -> Widget:
        title = Text(self._words(row.title), id="android:id/title", size=18)
        return Column([title], key=f"result{number}", padding=(24, 14), on_click=lambda: None)


class VolumePanel:
    """panel_layout.xml: a dialog of sliders, over the screen in front."""

    def __init__(self, words: Words, host: Host, close: Callback) -> None:
        self._words, self._host, self._close = words, host, close
        self._others = dict.fromkeys(VOLUMES[1:], 5)

    def build(self) -> Widget:
        title = Text(self._words("Volume"), id="panel_title", size=20, padding=(24, 16))
        rows = Column([self._row(name) for name in VOLUMES], id="panel_parent_layout")
        rows.class_name = "androidx.recyclerview.widget.RecyclerView"
        done = Button(self._words("Done"), id="done", flat=True, on_click=self._close)
        below = Row([Space(width=0, weight=1), done], padding=(16, 8))
        return Stack(
            [Column([title, rows, below], id="panel_layout")], id="main_content", width="fill"
        )

    def _row(self, name: str) -> Widget:
        label = Text(self._words(name), id="android:id/title", padding=(16, 8, 16, 0))
        value = self._host.volume if name == VOLUMES[0] else self._others[name]
        bar = SeekBar(
            description=self._words(name), value=value, high=15, key=name, on_change=self._set(name)
        )
        return Column([label, bar], id="slice_view")

    def _set(self, name: str) -> Callable[[int], None]:
        def change(value: int) -> None:
            if name == VOLUMES[0]:
                self._host.volume = value
            else:
                self._others[name] = value

        return change
