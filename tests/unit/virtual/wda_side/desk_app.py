"""An app with something for every command, and a client that talks to WebDriverAgent as it is on
the wire."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from pytest_replicant.virtual import (
    IPHONE,
    App,
    Button,
    Canvas,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Faults,
    Latency,
    RecyclerList,
    RunningApp,
    Screen,
    Scroll,
    SeekBar,
    Text,
    VirtualPhone,
    Widget,
)

DESK = "dev.example.desk"
SPRINGBOARD = "com.apple.springboard"
AT_ONCE = Latency.from_knobs({"latency": "0"})
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


@dataclass
class DeskState:
    stored: dict[str, Any]
    events: list[str] = field(default_factory=list)
    note: str = ""
    name: str = ""


Desk = RunningApp[DeskState]


class Main(Screen[DeskState]):
    title = "Desk"

    def build(self, app: Desk) -> Widget:
        state, tell = app.state, app.state.events.append

        def note(text: str) -> None:
            state.note = text

        return Scroll(
            [
                EditText("Note", id="note", text=state.note, on_change=note),
                EditText("Memo", id="memo", input="multiline"),
                Button(
                    "Press",
                    id="press",
                    on_click=lambda: tell("tap"),
                    on_long_click=lambda: tell("hold"),
                ),
                Button("Off", id="off", enabled=False, on_click=lambda: tell("off")),
                SeekBar(
                    id="level", value=3, high=10, on_change=lambda level: tell(f"level {level}")
                ),
                Button("Ask", id="ask", on_click=lambda: app.show(self.question(app))),
                Button("Name", id="name", on_click=lambda: app.show(self.naming())),
                Button(
                    "Where",
                    id="where",
                    on_click=lambda: app.request_permission(LOCATION, lambda yes: tell(f"{yes}")),
                ),
                Button("Rows", id="rows", on_click=lambda: app.go(Rows())),
                Button("Crash", id="crash", on_click=lambda: 1 // 0),
                Button("Deep", id="deep", on_click=lambda: app.go(Deep())),
                Text("Parcel", id="parcel", on_drop=lambda target: tell(f"dropped on {target}")),
                Canvas(
                    id="board",
                    height=100,
                    on_touch=lambda x, y: tell(f"{x},{y}"),
                    on_pinch=lambda factor: tell(f"pinch {factor:.1f}"),
                ),
            ]
        )

    def question(self, app: Desk) -> Dialog:
        tell = app.state.events.append
        return Dialog(
            "Sure?",
            "There is no way back.",
            [DialogButton("Yes", lambda: tell("yes")), DialogButton("No", lambda: tell("no"))],
        )

    def naming(self) -> Dialog:
        return Dialog(
            "Name it", "", [DialogButton("OK")], content=lambda: EditText("A name", id="new_name")
        )


class Rows(Screen[DeskState]):
    title = "Rows"

    def build(self, app: Desk) -> Widget:
        rows = [
            Text(f"Row {number}", id="row", key=f"{number}", padding=(0, 10))
            for number in range(60)
        ]
        return RecyclerList(rows, id="list", height="fill")


class Page(Screen[DeskState]):
    title = "Page"

    def build(self, app: Desk) -> Widget:
        lines = [
            Text(f"Line {number}", id=f"line_{number}", padding=(0, 10)) for number in range(60)
        ]
        return Scroll(lines, id="page", height="fill")


class Still(Screen[DeskState]):
    """Does not scroll, nor make room for the keyboard."""

    title = "Still"
    soft_input = "pan"

    def build(self, app: Desk) -> Widget:
        return Column(
            [EditText("Typed", id="typed"), Text("", height=600), Text("Below", id="below")]
        )


class Deep(Screen[DeskState]):
    title = "Deep"

    def build(self, app: Desk) -> Widget:
        inner: Widget = Text("At the bottom", id="bottom")
        for _ in range(70):
            inner = Column([inner])
        return inner


LOCATION = "android.permission.ACCESS_FINE_LOCATION"
APP: App[DeskState] = App(
    package=DESK,
    label="Desk",
    state=DeskState,
    start=Main,
    permissions=(LOCATION,),
    url_prefixes=("desk://",),
    links=lambda url: {"rows": Rows, "page": Page, "still": Still}.get(
        url.removeprefix("desk://"), Main
    )(),
)


def desk_phone(
    faults: Mapping[str, Any] | None = None, latency: Latency = AT_ONCE, **more: Any
) -> VirtualPhone:
    return VirtualPhone(
        [APP], profile=IPHONE, latency=latency, faults=Faults(seed=1, **(faults or {})), **more
    )


class Wire:
    """Requests and answers, without any client's own ideas. With ``open`` there is a session, and
    paths that do not begin with a slash are of it."""

    def __init__(self, port: int, phone: VirtualPhone) -> None:
        self.port = port
        self.phone = phone
        self.session = ""

    def send(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, Any]]:
        """Status and answer."""
        where = path if path.startswith("/") else f"/session/{self.session}/{path}"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, where, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """The value; what is an error fails the test."""
        return self._value(*self.send("GET", path))

    def post(self, path: str, body: object = None, **arguments: Any) -> Any:
        return self._value(*self.send("POST", path, arguments if body is None else body))

    def _value(self, status: int, answer: dict[str, Any]) -> Any:
        assert status == 200, answer
        return answer["value"]

    def refused(self, method: str, path: str, body: object = None) -> tuple[int, str, str]:
        """Status, error and message."""
        status, answer = self.send(method, path, body)
        assert set(answer) == {"value", "sessionId"}, answer
        assert set(answer["value"]) == {"error", "message", "traceback"}, answer
        return status, answer["value"]["error"], answer["value"]["message"]

    def open(self, **capabilities: Any) -> Wire:
        reported = self.post("/session", capabilities={"alwaysMatch": capabilities})
        self.session = reported["sessionId"]
        return self

    def show(self, app: str = DESK) -> Wire:
        """The app in front, in a session that is of none."""
        if not self.session:
            self.open()
        self.post("wda/apps/launch", bundleId=app)
        return self

    def set(self, **settings: Any) -> None:
        self.post("appium/settings", settings=settings)

    def follow(self, url: str) -> None:
        """Opens a link of the app's own scheme, before which SpringBoard asks the first time."""
        self.post("url", url=url)
        if self.send("GET", "wda/alert/buttons")[0] == 200:
            self.post("alert/accept", name="Open")

    def find(self, name: str) -> str:
        """The id of the only element of that name."""
        (found,) = self.post("elements", using="id", value=name)
        return str(found["ELEMENT"])

    def wait_for(self, name: str) -> bool:
        """Whether it comes to be on the screen within a few hundred looks."""
        return any(self.post("elements", using="id", value=name) for _ in range(500))

    def rect(self, name: str) -> dict[str, Any]:
        rect: dict[str, Any] = self.get(f"element/{self.find(name)}/rect")
        return rect

    def middle(self, name: str) -> dict[str, float]:
        rect = self.rect(name)
        return {"x": rect["x"] + rect["width"] / 2, "y": rect["y"] + rect["height"] / 2}

    def tap(self, name: str) -> None:
        self.post("wda/tap", self.middle(name))

    def attribute(self, identity: str, name: str) -> Any:
        return self.get(f"element/{identity}/attribute/{quote(name)}")

    @property
    def state(self) -> DeskState:
        state = self.phone.app_state(DESK)
        assert isinstance(state, DeskState)
        return state

    @property
    def events(self) -> list[str]:
        return self.state.events
