"""A phone with one small app, and a terminal that keeps what a command writes."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Latency,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Terminal,
    Text,
    VirtualPhone,
    Widget,
    run,
    run_words,
)

APP = "dev.example.notes"
HOSTILE = [
    *(
        "it's",
        "a & b (c)",
        "$abc",
        "100%",
        '"quotes"',
        "`id`; rm -rf .",
        "a\\b",
        "*",
        "~",
        "#x",
        "{a,b}",
        "-n",
    ),
]
BEYOND_ASCII = ["日本語", "😀", "é"]
AT_ONCE = Latency(0, 0, 0, 0, 0, 0, 0, 0)


class Memory:
    """A terminal that keeps what is written; ``live`` input stays open at its end, as a client's
    does."""

    def __init__(self, given: bytes = b"", *, live: bool = False) -> None:
        self._given = given
        self._live = live
        self.output = b""
        self.errors = b""

    async def read(self, limit: int = 65536) -> bytes:
        if not self._given and self._live:
            await asyncio.Event().wait()
        taken, self._given = self._given[:limit], self._given[limit:]
        return taken

    async def write(self, data: bytes) -> None:
        self.output += data

    async def write_error(self, data: bytes) -> None:
        self.errors += data


class Answer:
    def __init__(self, code: int, terminal: Memory) -> None:
        self.code = code
        self.bytes = terminal.output
        self.out = terminal.output.decode("utf-8", "surrogateescape")
        self.error = terminal.errors.decode("utf-8", "surrogateescape")


class Notes:
    def __init__(self, stored: dict[str, object]) -> None:
        self.text = ""
        self.taps = 0
        self.holds = 0


class NotesScreen(Screen[Notes]):
    """A field, a button to count with, a question, a toast and a list."""

    activity = ".NotesActivity"

    def build(self, app: RunningApp[Notes]) -> Widget:
        notes = app.state

        def add(name: str) -> Callable[[], None]:
            return lambda: setattr(notes, name, getattr(notes, name) + 1)

        def ask() -> None:
            app.show(
                Dialog(
                    "Sure?", "It cannot be undone.", (DialogButton("OK"), DialogButton("Cancel"))
                )
            )

        rows: list[Widget] = [
            Row([Text(f"Row {number}")], key=f"row{number}") for number in range(40)
        ]
        return Column(
            [
                EditText(
                    "Note",
                    id="note",
                    text=notes.text,
                    on_change=lambda text: setattr(notes, "text", text),
                ),
                Row(
                    [
                        Button(
                            "Count", id="count", on_click=add("taps"), on_long_click=add("holds")
                        ),
                        Button("Ask", on_click=ask),
                        Button("Toast", on_click=lambda: app.toast("Saved")),
                    ]
                ),
                Text(f"{notes.taps} taps", id="taps"),
                Text(f"{notes.holds} holds", id="holds"),
                RecyclerList(rows, id="rows", weight=1),
            ]
        )


class OtherScreen(NotesScreen):
    activity = ".OtherActivity"


def make_phone(latency: Latency = AT_ONCE, **more: Any) -> VirtualPhone:
    app: App[Notes] = App(
        package=APP,
        label="Notes",
        state=Notes,
        start=NotesScreen,
        screens={".OtherActivity": OtherScreen},
        permissions=("android.permission.CAMERA",),
        receivers={"dev.example.PING": lambda running, extras: (-1, extras.get("word", ""))},
    )
    return VirtualPhone([app], latency=latency, **more)


def sh(phone: VirtualPhone, line: str, given: bytes = b"") -> Answer:
    terminal = Memory(given)
    checked: Terminal = terminal
    return Answer(asyncio.run(asyncio.wait_for(run(phone, line, checked), 10)), terminal)


def words(phone: VirtualPhone, *given: str, data: bytes = b"", live: bool = False) -> Answer:
    terminal = Memory(data, live=live)
    return Answer(asyncio.run(asyncio.wait_for(run_words(phone, given, terminal), 10)), terminal)


def center(phone: VirtualPhone, resource_id: str) -> tuple[int, int]:
    for window in phone.windows():
        for node in window.root.walk():
            if node.resource_id.endswith(f":id/{resource_id}"):
                return (node.bounds.left + node.bounds.right) // 2, (
                    node.bounds.top + node.bounds.bottom
                ) // 2
    raise AssertionError(f"{resource_id} is not on the screen")


def shown(phone: VirtualPhone) -> list[str]:
    return [node.text for window in phone.windows() for node in window.root.walk() if node.text]


def apk(**facts: object) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as zipped:
        zipped.writestr("replicant-app.json", json.dumps(facts))
    return output.getvalue()
