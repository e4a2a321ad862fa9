"""A tiny app that has one of everything, and a hand that uses a phone by what is on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_replicant.testing.virtual import WebView
from pytest_replicant.virtual import (
    App,
    AppCrash,
    Button,
    Canvas,
    CheckBox,
    Column,
    Dialog,
    DialogButton,
    EditText,
    IconButton,
    Latency,
    Profile,
    RadioGroup,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Scroll,
    SeekBar,
    Spinner,
    Switch,
    Text,
    UiNode,
    VirtualPhone,
    Widget,
    stepper,
)

PACKAGE = "dev.replicant.toy"
STILL = Latency.from_knobs({"latency": "0"})


@dataclass
class ToyState:
    stored: dict[str, Any]
    email: str = ""
    agreed: bool = False
    loud: bool = False
    way: int = 0
    tip: int = 0
    country: int = 0
    count: int = 1
    events: list[str] = field(default_factory=list)


Toy = RunningApp[ToyState]


def into(state: ToyState, name: str) -> Callable[[object], None]:
    """Stores what a control reports."""
    return lambda value: setattr(state, name, value)


class Controls(Screen[ToyState]):
    """One of every control."""

    activity = ".ControlsActivity"
    title = "Controls"

    def build(self, app: Toy) -> Widget:
        state = app.state
        return Scroll(
            [
                EditText("Email", id="email", text=state.email, on_change=into(state, "email")),
                CheckBox(
                    "Agree", id="agree", checked=state.agreed, on_change=into(state, "agreed")
                ),
                Switch("Loud", id="loud", checked=state.loud, on_change=into(state, "loud")),
                RadioGroup(options=["Post", "Van"], chosen=state.way, on_change=into(state, "way")),
                SeekBar(id="tip", value=state.tip, high=30, on_change=into(state, "tip")),
                Spinner(
                    ["Denmark", "Norway", "Sweden"],
                    id="country",
                    chosen=state.country,
                    on_change=into(state, "country"),
                ),
                stepper(state.count, into(state, "count"), high=2),
                Button("Off", id="off", enabled=False, on_click=lambda: state.events.append("off")),
                Button(
                    "Press",
                    on_click=lambda: state.events.append("tap"),
                    on_long_click=lambda: state.events.append("long press"),
                ),
                Button("Ask", on_click=lambda: app.show(self.question(app))),
                Button("Say", on_click=lambda: app.toast("Said")),
                Button("Next", on_click=lambda: app.go(Rows())),
            ]
        )

    def actions(self, app: Toy) -> Sequence[Widget]:
        return [
            IconButton(
                icon="more", description="More", on_click=lambda: app.state.events.append("more")
            )
        ]

    def question(self, app: Toy) -> Dialog:
        events = app.state.events
        return Dialog(
            "Sure?",
            "There is no way back.",
            [DialogButton("Yes", lambda: events.append("yes")), DialogButton("No")],
            on_cancel=lambda: events.append("cancelled"),
        )


class Rows(Screen[ToyState]):
    """A list that is longer than the screen."""

    activity = ".RowsActivity"
    title = "Rows"
    up = True

    def build(self, app: Toy) -> Widget:
        def row(number: int) -> Widget:
            return Row(
                [
                    Text(f"Row {number}", weight=1),
                    Button(
                        "Add", id="add", on_click=lambda: app.state.events.append(f"add {number}")
                    ),
                ],
                key=f"row{number}",
                on_click=lambda: app.state.events.append(f"row {number}"),
            )

        return Column(
            [
                Text("Many rows"),
                RecyclerList([row(number) for number in range(40)], id="rows", weight=1),
            ],
            height="fill",
        )


class Form(Screen[ToyState]):
    """Fields down to the bottom of the screen; the screen itself keeps what is typed."""

    activity = ".FormActivity"
    title = "Form"

    def build(self, app: Toy) -> Widget:
        return Scroll(
            [
                EditText("Name", id="name", on_done=None),
                EditText("Secret", id="secret", input="password", max_length=6),
                EditText("Note", id="note", input="multiline"),
                Text("space", height=700),
                EditText("Last", id="last", on_done=lambda: app.state.events.append("done")),
            ],
            id="page",
        )


class Panned(Screen[ToyState]):
    """A field at the bottom of a screen that does not scroll."""

    activity = ".PannedActivity"
    title = "Panned"
    soft_input = "pan"

    def build(self, app: Toy) -> Widget:
        return Column([Text("Top", weight=1), EditText("Bottom", id="bottom")], height="fill")


class Surfaces(Screen[ToyState]):
    """What has nothing, or something foreign, inside."""

    activity = ".SurfacesActivity"
    title = "Surfaces"

    def build(self, app: Toy) -> Widget:
        return Column(
            [
                Text(
                    "Parcel",
                    id="parcel",
                    on_drop=lambda name: app.state.events.append(f"dropped on {name}"),
                ),
                Canvas(id="board", on_touch=lambda x, y: app.state.events.append(f"{x},{y}")),
                WebView([Text("A page", raw_id="headline")], page_title="Page", weight=1),
            ],
            height="fill",
        )


class Perils(Screen[ToyState]):
    """Everything here ends badly, or later."""

    activity = ".PerilsActivity"
    title = "Perils"
    broken: bool = False

    def build(self, app: Toy) -> Widget:
        if self.broken:
            raise ValueError("cannot be built")
        return Column(
            [
                Button("Null", on_click=self.null),
                Button("Python", on_click=lambda: {"a": 1}["nothing"]),
                Button("Break", on_click=lambda: setattr(self, "broken", True)),
                Button(
                    "Terms",
                    on_click=lambda: app.show(
                        Dialog("Terms", "word " * 2000, [DialogButton("Agree")])
                    ),
                ),
                Spinner([f"Choice {number}" for number in range(60)], id="many"),
                Button(
                    "Later",
                    on_click=lambda: app.after(500, lambda: app.state.events.append("later")),
                ),
                Button("Late crash", on_click=lambda: app.after(500, self.null)),
                Button("Keep", on_click=lambda: app.stored.update(kept=True)),
            ]
        )

    def null(self) -> None:
        raise AppCrash("java.lang.NullPointerException", "cart is null", at=("CartStore.total:42",))


TOY: App[ToyState] = App(
    package=PACKAGE,
    label="Toy",
    state=ToyState,
    start=Controls,
    screens={
        ".RowsActivity": Rows,
        ".FormActivity": Form,
        ".PannedActivity": Panned,
        ".SurfacesActivity": Surfaces,
        ".PerilsActivity": Perils,
    },
    url_prefixes=("toy://",),
    links=lambda url: Rows() if url.endswith("rows") else Controls(),
    receivers={"toy.COUNT": lambda app, extras: (app.state.count, extras.get("who", ""))},
)


class ManualClock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Hand:
    """Uses a phone by what is on its screen, the topmost window first; ``id`` is within
    ``package``."""

    def __init__(self, phone: VirtualPhone, package: str = PACKAGE) -> None:
        self.phone = phone
        self.package = package

    def find(self, **wanted: object) -> UiNode:
        found = self.find_all(**wanted)
        assert found, f"{wanted} is not on the screen: {self.texts()}"
        return found[0]

    def find_all(self, **wanted: object) -> list[UiNode]:
        if "id" in wanted:
            wanted["resource_id"] = f"{self.package}:id/{wanted.pop('id')}"
        return [
            node
            for window in reversed(self.phone.windows())
            for node in window.root.walk()
            if all(getattr(node, name) == value for name, value in wanted.items())
        ]

    def tap(self, **wanted: object) -> None:
        self.phone.tap(*self.find(**wanted).bounds.center)

    def texts(self) -> list[str]:
        return [
            node.text for window in self.phone.windows() for node in window.root.walk() if node.text
        ]

    def kinds(self) -> list[str]:
        return [window.kind for window in self.phone.windows()]

    @property
    def title(self) -> str:
        return next(node.text for node in self.find(id="toolbar").walk() if node.text)


def toy_phone(
    screen: str = "",
    latency: Latency = STILL,
    clock: ManualClock | None = None,
    profile: Profile | None = None,
) -> VirtualPhone:
    """With the toy app in front, at the screen whose activity is named."""
    phone = VirtualPhone([TOY], latency=latency, clock=clock or ManualClock(), profile=profile)
    phone.settings.put("global", "stay_on_while_plugged_in", "7")
    phone.start_app(PACKAGE, f".{screen}Activity" if screen else None)
    return phone


def state_of(phone: VirtualPhone) -> ToyState:
    """The app's own, which no client of a phone could see."""
    state = phone.app_state(PACKAGE)
    assert isinstance(state, ToyState)
    return state
