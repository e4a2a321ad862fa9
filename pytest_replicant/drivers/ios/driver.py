"""An iPhone as a ``Driver``: one role a file, put together here."""

from __future__ import annotations

import time

from ...errors import DeviceError, DeviceNotFound, DeviceOffline
from ..base import TRAITS, Capability, DeviceInfo, SystemDialogs, Traits
from .apps import IosApps
from .dialogs import SYSTEM_DIALOGS
from .display import IosDisplay
from .facts import read_device, read_facts, read_screen, serial_of
from .hierarchy import IosHierarchy
from .keys import IosKeyboard
from .link import Link
from .missing import IosMissing
from .pointer import IosPointer
from .screen import Screen
from .screen_image import IosScreenImage

# A relay that has only just begun cuts the first requests off. Nothing that connecting sends does harm twice.
_CONNECTS = 20
_CONNECT_SECONDS = 1.0
CAPABILITIES = Capability.OPEN_URL | Capability.DRAG | Capability.ROTATE | Capability.PINCH


class IosDriver(
    IosHierarchy,
    IosPointer,
    IosKeyboard,
    IosScreenImage,
    IosDisplay,
    IosApps,
    IosMissing,
):
    """Use ``connect``. For one thread at a time."""

    def __init__(self, link: Link, screen: Screen, uri: str, info: DeviceInfo) -> None:
        super().__init__(link, screen)
        self._uri = uri
        self._info = info

    @classmethod
    def connect(cls, url: str, *, uri: str = "", timeout: float = 60) -> IosDriver:
        """Connects to the WebDriverAgent at ``url``, such as "http://127.0.0.1:8100", within ``timeout`` seconds
        in all. It has to run already; nothing is installed or started here.

        Opens a session of its own, which ends one that somebody else has: WebDriverAgent knows one at a time. No
        app is started. Raises ``DeviceOffline``, ``DeviceTimeout`` or ``ProtocolError``.
        """
        now = time.monotonic()
        deadline, impatient = now + timeout, now + _CONNECT_SECONDS
        for _ in range(_CONNECTS):
            try:
                return cls._connected(url, uri, deadline)
            except DeviceOffline:
                if time.monotonic() >= min(deadline, impatient):
                    raise
        return cls._connected(url, uri, deadline)

    @classmethod
    def _connected(cls, url: str, uri: str, deadline: float) -> IosDriver:
        link = Link.connect(url, deadline - time.monotonic())
        try:
            with link.within(deadline - time.monotonic()):
                screen = read_screen(link)
                info = read_facts(link, screen)
        except BaseException:
            _close(link)
            raise
        link.name = info.serial
        return cls(link, screen, uri or f"ios:{url}", info)

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def info(self) -> DeviceInfo:
        """``density`` is the screen's scale: pixels to a point."""
        return self._info

    @property
    def capabilities(self) -> Capability:
        return CAPABILITIES

    @property
    def system_dialogs(self) -> SystemDialogs:
        return SYSTEM_DIALOGS

    @property
    def traits(self) -> Traits:
        return TRAITS["ios"]

    def restore_settings(self) -> None:
        self._changes.undo()

    def reconnect(self, timeout: float) -> None:
        """A new session with the WebDriverAgent at the same address, once it answers; one that has ended is not
        started. Raises ``DeviceNotFound`` where another phone answers there."""
        deadline = time.monotonic() + timeout
        self._link.reconnect(timeout)
        with self._link.within(deadline - time.monotonic()):
            found = serial_of(read_device(self._link))
        if found and found != self._info.serial:
            raise DeviceNotFound(
                f"reconnecting to {self._info.serial}: at {self._link.url} there is another phone now, {found}. "
                "Is its "
                "port forwarded to another one, or was WebDriverAgent installed anew?",
                device=self._info.serial,
            )

    def close(self) -> None:
        """Ends the session. May be called again; raises nothing."""
        _close(self._link)

    def __repr__(self) -> str:
        return f"<IosDriver {self._uri}>"


def _close(link: Link) -> None:
    try:
        link.close()
    except DeviceError:
        return  # the phone is gone, and with it the session
