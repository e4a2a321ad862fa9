"""An Android phone as a ``Driver``: one role a file, put together here."""

from __future__ import annotations

import time

from ...errors import DeviceError
from ..base import TRAITS, Capability, DeviceInfo, SystemDialogs, Traits
from . import restarts
from .adb import CALL_LIMIT
from .apps import AndroidApps
from .dialogs import SYSTEM_DIALOGS
from .display import AndroidDisplay
from .facts import QUESTION, read_facts
from .files import AndroidFiles
from .hierarchy import AndroidHierarchy
from .keyboard import AndroidKeyboard
from .link import Link
from .logs import AndroidLogs
from .permissions import AndroidPermissions
from .pointer import AndroidPointer
from .screen_image import AndroidScreenImage
from .shell import AndroidShell
from .toasts import AndroidToasts

CAPABILITIES = (
    Capability.TOASTS
    | Capability.SHELL
    | Capability.LOGS
    | Capability.CLEAR_DATA
    | Capability.OPEN_URL
    | Capability.CURRENT_ACTIVITY
    | Capability.DRAG
    | Capability.PERMISSIONS
    | Capability.INSTALL
    | Capability.FILES
    | Capability.ROTATE
    | Capability.PINCH
    | Capability.CRASHES
)


class AndroidDriver(
    AndroidHierarchy,
    AndroidPointer,
    AndroidKeyboard,
    AndroidScreenImage,
    AndroidDisplay,
    AndroidApps,
    AndroidPermissions,
    AndroidFiles,
    AndroidToasts,
    AndroidLogs,
    AndroidShell,
):
    """Use ``connect``. For one thread at a time."""

    def __init__(self, link: Link, uri: str, info: DeviceInfo) -> None:
        super().__init__(link)
        self._uri = uri
        self._info = info

    @classmethod
    def connect(cls, host: str, port: int, serial: str, *, uri: str = "", timeout: float = 60) -> AndroidDriver:
        """Connects to a phone behind a running adb server, within ``timeout`` seconds in all.

        Pushes and starts the uiautomator2 server where the phone does not have it running. Never starts an
        adb server. Raises ``DeviceNotFound``, ``DeviceOffline``, ``DeviceTimeout`` or ``ProtocolError``.
        """
        deadline = time.monotonic() + timeout
        link = Link.connect(host, port, serial, timeout)
        try:
            left = max(deadline - time.monotonic(), 0.1)
            said = link.run(f"{QUESTION}; {restarts.QUESTION}", min(left, CALL_LIMIT)).text
            info, link.boot = read_facts(serial, said), restarts.boot_of(said)
        except BaseException:
            link.close()
            raise
        return cls(link, uri or f"adb://{host}:{port}/{serial}", info)

    @property
    def uri(self) -> str:
        return self._uri

    @property
    def info(self) -> DeviceInfo:
        return self._info

    @property
    def capabilities(self) -> Capability:
        return CAPABILITIES

    @property
    def system_dialogs(self) -> SystemDialogs:
        return SYSTEM_DIALOGS

    @property
    def traits(self) -> Traits:
        return TRAITS["android"]

    def clear_data(self, app: str) -> None:
        """What ``keep_granted`` is to keep is granted again."""
        super().clear_data(app)
        self._grant_again(app)

    def restore_settings(self) -> None:
        self._changes.undo()

    def reconnect(self, timeout: float) -> None:
        """Never starts an adb server, nor tells one to connect to anything: a phone in a network has to be known
        to it again."""
        self._link.reconnect(timeout)

    def close(self) -> None:
        """Stops the uiautomator2 server where this driver started it. May be called again; raises nothing."""
        try:
            self._link.close()
        except DeviceError:
            return  # the phone is gone, and with it what ran on it

    def __repr__(self) -> str:
        return f"<AndroidDriver {self._uri}>"
