"""Opens the phone of a session: readiness, settings, guard, and what a fresh app is there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path

from ..connecting import connect
from ..drivers import Capability, system_name
from ..errors import ReplicantError, UsageError
from ..model.printable import printable
from ..options.ini_file import import_as_tests_do, project_ini
from ..pool import read_uri
from ..session import DeviceSession, Guard
from .commands import OpenSession, Phone
from .explorer import Explorer
from .given import Values, values_of
from .inspector.live import LivePage
from .process.turns import Answer, Request


def open_handler(name: str, request: Request) -> tuple[LivePage, Answer]:
    """Opens what ``replicant open`` asks for. Raises ``ReplicantError``."""
    import_as_tests_do(Path(request.cwd))
    if request.cwd not in sys.path:
        sys.path.append(request.cwd)
    values = values_of(request.argv)
    session = open_session(name, values, request.cwd)
    try:
        said = session.first_look()
        return LivePage(session), session.answer_of(request, said, as_json=values["json"])
    except BaseException:
        session.close()
        raise


def open_session(name: str, values: Values, folder: str) -> OpenSession:
    """A session on a phone, as the ``values`` of the command say and the configuration of the
    project around ``folder``. Raises ``ReplicantError``; then nothing is left open."""
    app, state, file, make = values["app"] or "", values["state"], Path(), None
    if not (app or state):
        raise UsageError(
            "open takes the id of an app, or --state NAME. Next: open dev.replicant.shop"
        )
    ini = project_ini(Path(folder))
    configured = [*ini.get("replicant_device", ()), *ini.get("replicant_devices", ())]
    uri = values["device"]
    if not uri and len(configured) > 1:
        raise UsageError(
            f"pytest is configured for {len(configured)} phones: say which one is meant, --device "
            "URI"
        )
    uri = uri or next(iter(configured), "virtual")
    parsed = read_uri(uri)
    words = [*ini.get("replicant_guard", []), *(f"refuse {one}" for one in values["refuse"])]
    words += [f"allow {one}" for one in values["allow"]]
    guards = not values["no_guard"] and (values["guard"] or bool(words) or not parsed.is_virtual)
    if state:
        from .beginning import begin, fixture_file  # which imports pytest

        file = fixture_file(state, folder)
        make = partial(begin, state, file, folder=folder)
    phone = _Phone(uri, app, make, virtual=parsed.is_virtual)
    try:
        session = phone.open()
        app = app or session.current_app.app
        its_guard = Guard.of(["on", *words], {app}) if guards else None
        how = f"begins from {state}"
        if not state:
            how = phone.begin(session, keep_data=values["keep_data"])
        explorer = Explorer(session, app, phone.fresh)
        described = described_phone(session, virtual=parsed.is_virtual)
        facts = Phone(
            name, uri, app, described, how, fresh_in_test=not values["keep_data"],
            lent=nullcontext if parsed.is_virtual else lambda: phone.lent(explorer),
            close=phone.close, state=state or "", state_file=file,
        )  # fmt: skip
        return OpenSession(explorer, facts, its_guard)
    except BaseException:
        phone.close()
        raise


def described_phone(session: DeviceSession, virtual: bool = False) -> str:
    info = session.info
    name = info.serial if virtual else info.model or info.serial
    return printable(f"{name}, {system_name(info.to_dict())}", 60)


class _Phone:
    """One phone, opened, given away and opened again."""

    def __init__(
        self, uri: str, app: str, make: Callable[[str], None] | None, virtual: bool
    ) -> None:
        self._uri, self._app, self._make, self._virtual = uri, app, make, virtual
        self._open = ExitStack()
        self.clears = False

    def open(self) -> DeviceSession:
        """In the state that the project makes, if it is to begin from one."""
        uri = self._uri
        if self._make:
            if self._virtual:  # which the run of the fixture has to reach as well
                from ..running import serve_phones

                close, (uri,) = serve_phones(read_uri(uri))
                self._open.callback(close)
            self._make(uri)
        return self._connected(uri)

    def _connected(self, uri: str) -> DeviceSession:
        session = self._open.enter_context(connect(uri, app=self._app, screenshots=False))
        self.clears = Capability.CLEAR_DATA in session._context.driver.capabilities
        return session

    def begin(self, session: DeviceSession, keep_data: bool = False) -> str:
        """Starts the app; the result says on which data."""
        session.launch(self._app, fresh=self.clears and not keep_data)
        if keep_data:
            return "data kept"
        if self.clears:
            return "data cleared"
        return "new phone" if self._virtual else "data kept: this phone cannot clear them"

    def fresh(self) -> DeviceSession:
        """A session on fresh data. Raises ``UsageError`` if this phone cannot clear them."""
        if not (self.clears or self._virtual or self._make):
            raise UsageError(
                f"{self._uri} cannot clear the data of {self._app}, so that nothing fresh can be "
                "had and nothing was done. Next: close, install the app again, and open it; or go "
                "on from here"
            )
        self.close()
        session = self.open()
        if not self._make:
            self.begin(session)
        return session

    @contextmanager
    def lent(self, explorer: Explorer) -> Iterator[None]:
        """While it is entered, another process may use the phone; it is opened again then."""
        self.close()
        try:
            yield
        finally:
            explorer.resume(self._connected(self._uri))

    def close(self) -> None:
        """What failed before is in the answers already."""
        with suppress(ReplicantError, AssertionError):
            self._open.close()
