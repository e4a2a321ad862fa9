"""Contacts and diallers of both platforms. No call is made: the phone has no SIM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...app_kit import (
    App,
    Button,
    Column,
    EditText,
    IconButton,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Text,
    Theme,
    Widget,
)
from .owner import PEOPLE
from .owner import PERSONAL_TEXTS as MINE

KEYS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "star",
    "zero",
    "pound",
)
GLYPHS = "123456789*0#"
THEME = Theme(primary="#0b57d0", on_primary="#1b1b1f", background="#fdfbff")
APP_CONTACTS = "android.intent.action.MAIN android.intent.category.APP_CONTACTS"
Stored = dict[str, Any]
LISTS = {"android": "androidx.recyclerview.widget.RecyclerView", "ios": "android.widget.ListView"}


def on_android() -> list[App[Any]]:
    contacts: App[Any] = App(
        package="com.android.contacts",
        label="Contacts",
        state=_stored,
        start=lambda: Contacts("android"),
        answers={APP_CONTACTS: Contacts.activity},
        theme=THEME,
        system=True,
    )
    dialler: App[Any] = App(
        package="com.android.dialer",
        label="Phone",
        state=_stored,
        start=Dialpad,
        answers={"android.intent.action.DIAL": Dialpad.activity},
        url_prefixes=("tel:",),
        links=lambda url: Dialpad(url.removeprefix("tel:")),
        theme=THEME,
        system=True,
    )
    return [contacts, dialler]


def on_iphone() -> list[App[Any]]:
    contacts: App[Any] = App(
        package="com.apple.MobileAddressBook",
        label="Contacts",
        state=_stored,
        start=lambda: Contacts("ios"),
        theme=THEME,
        system=True,
    )
    phone: App[Any] = App(
        package="com.apple.mobilephone",
        label="Phone",
        state=_stored,
        start=Keypad,
        theme=THEME,
        system=True,
    )
    return [contacts, phone]


def _stored(stored: Stored) -> Stored:
    return stored


class Contacts(Screen[Stored]):
    """Ids as in AOSP's Contacts, contact_list_content.xml and ContactListItemView."""

    activity = ".activities.PeopleActivity"
    title = "Contacts"

    def __init__(self, platform: str) -> None:
        self._class = LISTS[platform]
        self._search = platform == "ios"

    def build(self, app: RunningApp[Stored]) -> Widget:
        everyone = [(f"Me: {MINE['name']}", MINE["phone number"], MINE["email"]), *PEOPLE]
        rows = [self._row(app, *each) for each in everyone]
        listed = RecyclerList(rows, id="android:id/list", weight=1, class_name=self._class)
        above = [EditText("Search", margin=(16, 8))] if self._search else []
        return Column([*above, listed], height="fill")

    def _row(self, app: RunningApp[Stored], name: str, number: str, email: str) -> Widget:
        words = Text(name, id="cliv_name_textview", size=18, lines=1)
        return Column(
            [words], key=name, padding=(16, 14), on_click=lambda: app.go(Card(name, number, email))
        )


class Card(Screen[Stored]):
    activity = ".quickcontact.QuickContactActivity"
    up = True

    def __init__(self, name: str, number: str, email: str) -> None:
        self._name, self._texts = name, [text for text in (number, email) if text]

    def title_for(self, app: RunningApp[Stored]) -> str:
        return self._name

    def build(self, app: RunningApp[Stored]) -> Widget:
        return Column(
            [Text(text, id="header", size=18, padding=(24, 14)) for text in self._texts],
            height="fill",
        )


class Dialpad(Screen[Stored]):
    """AOSP's Dialer, dialpad_fragment.xml, over the calls of late."""

    activity = ".main.impl.MainActivity"

    def __init__(self, typed: str = "") -> None:
        self._typed = typed

    def build(self, app: RunningApp[Stored]) -> Widget:
        calls = [
            Text(f"{name}, {number}", id="name", padding=(24, 14)) for name, number, _ in PEOPLE
        ]
        digits = EditText(
            id="digits", text=self._typed, input="phone", weight=1, on_change=self._type
        )
        delete = IconButton(
            icon="back", id="deleteButton", description="backspace", on_click=self._delete
        )
        pads = [self._key(index) for index in range(len(GLYPHS))]
        rows: list[Widget] = [Row(pads[at : at + 3]) for at in range(0, len(pads), 3)]
        call = IconButton(
            icon="check", id="dialpad_floating_action_button", description="dial", gravity="center"
        )
        call.on_click = lambda: called(app, self._typed)
        pad = Column([Row([digits, delete], id="digits_container"), *rows, call], id="dialpad_view")
        return Column([RecyclerList(calls, id="recycler_view", weight=1), pad], height="fill")

    def _key(self, index: int) -> Widget:
        glyph = GLYPHS[index]
        number = Text(glyph, id="dialpad_key_number", size=28, align="center", width="fill")
        key = Column(
            [number],
            id=KEYS[index],
            description=glyph,
            class_name="android.widget.FrameLayout",
            weight=1,
        )
        key.padding, key.on_click = (8, 10), lambda: self._type(self._typed + glyph)
        return key

    def _type(self, text: str) -> None:
        self._typed = text

    def _delete(self) -> None:
        self._typed = self._typed[:-1]


class Keypad(Screen[Stored]):
    """The keypad of the iPhone's own Phone, with the number above it."""

    activity = ".Keypad"

    def __init__(self) -> None:
        self._typed = ""

    def build(self, app: RunningApp[Stored]) -> Widget:
        calls: Sequence[Widget] = [
            Column(
                [Text(name), Text(number, muted=True)],
                key=name,
                padding=(16, 8),
                on_click=lambda: None,
            )
            for name, number, _ in PEOPLE
        ]
        listed = RecyclerList(calls, weight=1, class_name=LISTS["ios"])
        keys = [Button(glyph, weight=1, margin=4, on_click=self._typing(glyph)) for glyph in GLYPHS]
        rows = [Row(keys[at : at + 3]) for at in range(0, len(keys), 3)]
        number = Text(self._typed or " ", size=28, align="center", width="fill")
        call = Button(
            "Call", width="fill", margin=(96, 8), on_click=lambda: called(app, self._typed)
        )
        return Column([listed, number, *rows, call], height="fill")

    def _typing(self, glyph: str) -> Any:
        def typed() -> None:
            self._typed += glyph

        return typed


def called(app: RunningApp[Stored], number: str) -> None:
    """Leaves a record, so that a call that was tried can be seen afterwards."""
    app.stored["called"] = [*app.stored.get("called", []), number]
    app.toast("No SIM")
