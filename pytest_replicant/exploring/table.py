"""The commands of a session, as data: the command line, the pause prompt, the page and MCP are made
of them.

A client loads this, so that it imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal["text", "texts", "flag", "number"]


class Argument:
    """One argument of a command: an option, unless it is a word of its own (``positional``)."""

    def __init__(
        self,
        name: str,
        help: str,
        kind: Kind = "text",
        positional: bool = False,
        required: bool = False,
    ) -> None:
        self.name, self.help, self.kind = name, help, kind
        self.positional, self.required = positional, required

    @property
    def typed(self) -> str:
        """Its name on the command line."""
        return self.name if self.positional else f"--{self.name.replace('_', '-')}"


class Command:
    """One command. ``tool`` says that agents have it over MCP too, ``page`` that the page has it;
    ``reads``, that it changes nothing; ``of_session``, that it is about a session which is open."""

    def __init__(
        self,
        name: str,
        help: str,
        arguments: tuple[Argument, ...] = (),
        tool: bool = True,
        page: bool = False,
        reads: bool = False,
        of_session: bool = True,
    ) -> None:
        self.name, self.help, self.arguments = name, help, arguments
        self.tool, self.page, self.reads, self.of_session = tool, page, reads, of_session


_ALLOW = Argument(
    "allow", "word that the guard lets pass: pay, delete, send, call, other apps, a label", "texts"
)
JSON = Argument("json", "answer as JSON, replicant.session/1", "flag")

COMMANDS: tuple[Command, ...] = (
    Command(
        "open",
        "start an app on a phone, and keep it for the commands that follow",
        (
            Argument("app", "id of the app; with a state, the one in front", positional=True),
            Argument("state", "fixture of the project, such as a mobile_state, to begin from"),
            Argument(
                "device", "phone as pytest names it: virtual, virtual:ios, android:SERIAL, ios:URL"
            ),
            Argument("keep_data", "leave the app's data as they are", "flag"),
            Argument(
                "guard",
                "refuse to pay, delete, send, call and leave the app; usual on a real phone",
                "flag",
            ),
            Argument("no_guard", "refuse nothing", "flag"),
            Argument("refuse", "further label that is refused", "texts"),
            _ALLOW,
            Argument("idle", "minutes without a command after which it ends (30)", "number"),
        ),
        of_session=False,
    ),
    Command(
        "look",
        "print the screen: each element has a ref",
        (
            Argument(
                "all", "covered elements and those further on as well, without a limit", "flag"
            ),
            Argument("within", "only the part with this ref or label"),
        ),
        reads=True,
    ),
    Command(
        "do",
        "do steps until one fails: tap m987, fill k020 some text, or the call as in a test",
        (
            Argument(
                "steps",
                'tap(text="Sign in"), fill(text="Password", env="NAME")',
                "texts",
                positional=True,
            ),
            Argument("id", "name of this request: sent again, it does nothing"),
            _ALLOW,
        ),
        page=True,
    ),
    Command(
        "expect",
        "make checks and record them: ids of proposed ones, or expect_visible(text=...)",
        (
            Argument("checks", "3a, or a call", "texts", positional=True, required=True),
            Argument(
                "instead", "in place of the check that failed, or of the step's last one", "flag"
            ),
        ),
        page=True,
    ),
    Command(
        "rewind",
        "start the app again and repeat the recorded steps 1 to N; later ones are forgotten",
        (Argument("number", "0 for a fresh app", "number", positional=True, required=True), _ALLOW),
        page=True,
    ),
    Command(
        "note",
        "put the steps from here on under a title, mobile.step(...); without one, under none",
        (Argument("title", "of the part of the test", positional=True),),
        page=True,
    ),
    Command(
        "evidence",
        "print or keep logs, crashes, a screenshot, also with refs or a grid drawn on it",
        (
            Argument(
                "what", "logs, crashes, screenshot, marks or grid", positional=True, required=True
            ),
            Argument("output", "file to write"),
        ),
        page=True,
    ),
    Command(
        "save",
        "write the recorded steps as a test",
        (
            Argument(
                "place",
                "tests/test_order.py::test_order; none in a paused test: at its line",
                positional=True,
            ),
            Argument("diff", "print the patch, write nothing", "flag"),
            Argument("run", "run it on a fresh app", "flag"),
            Argument("replace", "give a test of that name the new steps", "flag"),
            _ALLOW,
        ),
        page=True,
    ),
    Command(
        "run",
        "run a test on a fresh app; without one, the one saved last",
        (Argument("place", "tests/test_order.py::test_order", positional=True), _ALLOW),
    ),
    Command(
        "last",
        "print what became of the last steps, or of those of a request",
        (Argument("id", "of the request", positional=True),),
        reads=True,
    ),
    Command("sessions", "list the sessions that are open", tool=False, of_session=False),
    Command("close", "end the session and give the phone back"),
)
BY_NAME = {one.name: one for one in COMMANDS}
