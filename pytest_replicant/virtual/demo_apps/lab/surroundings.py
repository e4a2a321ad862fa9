"""What depends on more than the screen: the network, the way the phone is held, a file."""

from __future__ import annotations

from ...app_kit import Button, Column, Row, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, SIDE, page, result
from .state import Lab, witness

IMPORTED = "/sdcard/Download/lab.txt"
MOST_BYTES = 10_000


class Offline(Exhibit):
    """A banner says "No connection", and "Send" only keeps the message, until the connection is
    back.

    Stands for apps on the train.

    A good test treats the banner as a state of the surroundings. It waits for it to go within a
    limit, or says that the network was down.
    """

    slug = "offline"
    activity = ".Offline"
    title = "Offline banner"
    summary = "No connection for a while"
    parameters = (
        Parameter("lasts", 3000, 0, 60_000, "milliseconds without a connection; 0 is for ever"),
    )
    offline: bool = True
    said: str = ""

    def opened(self, app: Lab) -> None:
        if self.settings["lasts"]:
            self.later(app, self.settings["lasts"], lambda: setattr(self, "offline", False))

    def content(self, app: Lab) -> Widget:
        text = Text("No connection", id="offline_banner", foreground="#ffffff", weight=1)
        banner = Row(
            children=[text], background="#7a2e2e", padding=(SIDE, 12), visible=self.cut_off(app)
        )
        button = Button(
            "Send",
            id="send",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.send(app),
        )
        return Column(children=[banner, page(button, result(self.said))], height="fill")

    def cut_off(self, app: Lab) -> bool:
        """As long as the exhibit plays it, and in airplane mode."""
        return self.offline or not app.is_online

    def send(self, app: Lab) -> None:
        self.said = "Will be sent later" if self.cut_off(app) else "Sent"
        witness(app, self.said.lower())


class Rotation(Exhibit):
    """A list of letters. Held upright it shows the list alone, and a tap opens a letter in its
    place. Held across it shows list and letter side by side, and has a button more.

    Stands for tablets' layouts, players, keyboards that take the whole screen.

    A good test rotates the phone and looks again before it acts: what was there may be elsewhere,
    or not at all. It leaves the phone as it found it.
    """

    slug = "rotation"
    activity = ".Rotation"
    title = "Two layouts"
    summary = "Other content when the phone is turned"
    letter: str = ""

    def content(self, app: Lab) -> Widget:
        letters = Column(
            children=[self.row(name) for name in ("Ada", "Grace", "Linus")], id="letters"
        )
        if not app.landscape:
            opened = [result(f"A letter from {self.letter}", id="letter"), self.close_button()]
            return page(*opened) if self.letter else letters
        letters.width, letters.weight = "fill", 1
        text = f"A letter from {self.letter}" if self.letter else "Choose a letter"
        reply = Button("Reply", id="reply", radius=PILL, enabled=bool(self.letter))
        reply.on_click = lambda: witness(app, f"replied to {self.letter}")
        pane = Column(children=[result(text, id="letter"), reply], weight=2, padding=(SIDE, 0))
        return Row(children=[letters, pane], align="start", height="fill")

    def row(self, name: str) -> Widget:
        return Row(
            children=[Text(f"Letter from {name}")],
            key=name,
            min_height=56,
            padding=(SIDE, 8),
            shape="row",
            selected=name == self.letter,
            on_click=lambda: setattr(self, "letter", name),
        )

    def close_button(self) -> Widget:
        return Button(
            "Close", id="close", radius=PILL, on_click=lambda: setattr(self, "letter", "")
        )


class FileImport(Exhibit):
    """A button that reads the file ``/sdcard/Download/lab.txt`` and shows its first lines.

    Stands for uploads, pictures from the gallery, certificates.

    A good test pushes its own file first and checks its words. Without the file the screen says
    that there is none.
    """

    slug = "file-import"
    activity = ".FileImport"
    title = "File import"
    summary = "Shows the content of a file in Download"
    parameters = (Parameter("lines", 5, 1, 50, "lines that are shown"),)
    said: str = ""

    def content(self, app: Lab) -> Widget:
        button = Button("Import", id="import", radius=PILL, width="fill", margin=(0, 16))
        button.on_click = lambda: self.read(app)
        return page(button, Text(IMPORTED, size=14, muted=True), result(self.said))

    def read(self, app: Lab) -> None:
        data = app.read_file(IMPORTED)
        if data is None:
            self.said = "There is no such file"
        else:
            lines = data[:MOST_BYTES].decode("utf-8", "replace").splitlines()
            self.said = "\n".join(lines[: self.settings["lines"]]) or "The file is empty"
        witness(app, "file missing" if data is None else f"file read, {len(data)} bytes")
