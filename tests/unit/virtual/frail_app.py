"""An app that asks, hangs and dies when it is told to, and a phone with it in front."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    EditText,
    Latency,
    Profile,
    RunningApp,
    Screen,
    Text,
    VirtualPhone,
    Widget,
    Window,
)

from .toy_app import STILL, Hand, ManualClock

FRAIL = "dev.replicant.frail"
NOTIFICATIONS = "android.permission.POST_NOTIFICATIONS"
CAMERA = "android.permission.CAMERA"
INTERNET = "android.permission.INTERNET"
CONTACTS = "android.permission.READ_CONTACTS"  # not declared


@dataclass
class FrailState:
    stored: dict[str, Any]
    count: int = 0
    answers: list[bool] = field(default_factory=list)
    permission: str = NOTIFICATIONS
    note: str = ""


Frail = RunningApp[FrailState]


class Main(Screen[FrailState]):
    title = "Frail"

    def build(self, app: Frail) -> Widget:
        state = app.state

        def add() -> None:
            state.count += 1

        def hang() -> None:
            state.count += 100
            app.hang(12_000)

        def ask() -> None:
            app.request_permission(state.permission, state.answers.append)

        def note(text: str) -> None:
            state.note = text

        return Column(
            [
                Text(f"{state.count} taps", id="count"),
                EditText("Note", id="note", text=state.note, on_change=note),
                Button("Add", id="add", on_click=add),
                Button("Hang", id="hang", on_click=hang),
                Button("Ask", id="ask", on_click=ask),
                Button("Crash", id="crash", on_click=lambda: 1 // 0),
                Button(
                    "Low",
                    id="low",
                    on_click=lambda: app.system_dialog("Battery low", "10% left", ("Got it",)),
                ),
                Button("Later", id="later", on_click=lambda: app.after(1000, add)),
            ]
        )


def frail_app(**options: Any) -> App[FrailState]:
    return App(
        package=FRAIL,
        label="Frail",
        state=FrailState,
        start=Main,
        permissions=(NOTIFICATIONS, CAMERA, INTERNET),
        **options,
    )


class FrailHand(Hand):
    """At the app that asks, hangs and dies."""

    def __init__(self, phone: VirtualPhone) -> None:
        super().__init__(phone, FRAIL)

    @property
    def top(self) -> Window:
        """The window with the focus."""
        (window,) = [window for window in self.phone.windows() if window.focused]
        return window

    def top_kind(self) -> str:
        return self.top.kind


def frail_phone(
    clock: ManualClock | None = None,
    latency: Latency = STILL,
    profile: Profile | None = None,
    **options: Any,
) -> tuple[VirtualPhone, FrailHand]:
    phone = VirtualPhone(
        [frail_app(**options)], latency=latency, clock=clock or ManualClock(), profile=profile
    )
    phone.settings.put("global", "stay_on_while_plugged_in", "7")
    phone.start_app(FRAIL)
    return phone, FrailHand(phone)


def frail_state(phone: VirtualPhone) -> FrailState:
    state = phone.app_state(FRAIL)
    assert isinstance(state, FrailState)
    return state
