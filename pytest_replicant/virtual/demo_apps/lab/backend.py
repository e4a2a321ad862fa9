"""Screens that ask a server. There is none: what it would say is logged as an app's network library
logs it."""

from __future__ import annotations

from ...app_kit import Button, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, page, result
from .state import Lab, witness

URL = "https://api.lab.replicant.dev/v1/parcels"
NETWORK_TAG = "OkHttp"
UNRESOLVED = (
    'java.net.UnknownHostException: Unable to resolve host "api.lab.replicant.dev": '
    "No address associated with hostname"
)
REASONS = {
    200: "OK",
    401: "Unauthorized",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
}

DELAY = Parameter("delay", 800, 1, 10_000, "milliseconds until the server answers")
STATUS = Parameter("status", 500, 400, 599, "what the server answers")


class _Asking(Exhibit):
    """A button "Load" that sends a request; ``answered`` is called with what came back."""

    said: str = ""
    calls: int = 0

    @property
    def status(self) -> int:
        return self.settings.get("status", 200)

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Load",
            id="load",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.load(app),
        )
        return page(button, Text("Parcels", size=20, bold=True), result(self.said))

    def load(self, app: Lab) -> None:
        self.calls += 1
        app.log(f"--> GET {URL}", tag=NETWORK_TAG)
        if not app.is_online:
            self.unreachable(app)
            return
        self.later(app, self.settings["delay"], lambda: self.answer(app))

    def answer(self, app: Lab) -> None:
        reason = REASONS.get(self.status, "")
        took = self.settings["delay"]
        line = " ".join(filter(None, ["<--", str(self.status), reason, URL, f"({took}ms)"]))
        app.log(line, tag=NETWORK_TAG)
        if self.status >= 400:
            app.log(f"GET {URL} failed: HTTP {self.status}", level="E", tag="Backend")
        witness(app, f"server answered {self.status}")
        self.answered()

    def unreachable(self, app: Lab) -> None:
        """The phone is without a network: no name is resolved, and the library says so at once."""
        app.log(f"<-- HTTP FAILED: {UNRESOLVED}", tag=NETWORK_TAG)
        witness(app, "server not reached")
        self.not_reached()

    def not_reached(self) -> None:
        self.said = "Could not load"

    def answered(self) -> None:
        raise NotImplementedError


class Backend(_Asking):
    """ "Load" asks a server and shows what it says. The request and its status 200 are in the log.

    Stands for every screen with data in it.

    A good test proves the content. The log is evidence besides, never instead.
    """

    slug = "backend"
    activity = ".Backend"
    title = "Server that answers"
    summary = "HTTP 200, and the content is there"
    parameters = (DELAY,)

    def answered(self) -> None:
        self.said = "Two parcels are on their way"


class FailingBackend(_Asking):
    """ "Load" asks a server that fails. The screen says "Could not load", and the log has the URL
    and HTTP 500.

    Stands for servers that are down, sessions that ran out.

    A good test fails as a failure of the backend, with the URL and the status, and not as "element
    not found".
    """

    slug = "failing-backend"
    activity = ".FailingBackend"
    title = "Server that fails"
    summary = "HTTP 500, and the screen says so"
    parameters = (DELAY, STATUS)

    def answered(self) -> None:
        self.said = "Could not load"


class SilentBackend(_Asking):
    """ "Load" asks a server that fails, and the screen stays as it was. Only the log knows.

    Stands for errors that are caught and swallowed.

    A good test does not take the tap for lost, because the log has a failed request since then; and
    it does not tap again.
    """

    slug = "silent-backend"
    activity = ".SilentBackend"
    title = "Server that fails silently"
    summary = "HTTP 500, and the screen does not change"
    parameters = (DELAY, STATUS)

    def answered(self) -> None:
        """Swallowed."""

    def not_reached(self) -> None:
        """As well."""
