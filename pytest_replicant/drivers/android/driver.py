"""An Android phone as a ``Driver``, put together of its roles."""

from __future__ import annotations

from ...clock import Clock, SystemClock
from ...errors import DeviceError
from ..base import Capability, DeviceInfo, SystemDialogs
from ..base_driver import BaseDriver
from .adb import CALL_LIMIT
from .input import AndroidKeyboard, AndroidPointer
from .link import BOOT_QUESTION, Link, boot_of
from .permissions import ANDROID_DIALOGS, AndroidPermissions
from .screen import FACTS_QUESTION, AndroidScreen, read_facts
from .system import AndroidSystem

CAPABILITIES = ~Capability.NONE  # all that there are


class AndroidDriver(AndroidScreen, AndroidPointer, AndroidKeyboard, AndroidPermissions, AndroidSystem, BaseDriver):
    """An Android phone behind an adb server. Use ``connect``. For one thread at a time."""

    def __init__(self, link: Link, uri: str, info: DeviceInfo) -> None:
        super().__init__(link)
        self._uri = uri
        self._info = info

    @classmethod
    def connect(
        cls,
        host: str,
        port: int,
        serial: str,
        *,
        uri: str = "",
        timeout: float = 60,
        clock: Clock | None = None,
    ) -> AndroidDriver:
        """Connects to a phone behind a running adb server, within ``timeout`` seconds in all. The driver waits on
        ``clock``, that of the system unless given.

        Pushes and starts the uiautomator2 server where the phone does not have it running. Never starts an
        adb server. Raises ``DeviceNotFound``, ``DeviceOffline``, ``DeviceTimeout`` or ``ProtocolError``.
        """
        clock = clock or SystemClock()
        deadline = clock.now() + timeout
        link = Link.connect(host, port, serial, timeout, clock)
        try:
            left = max(deadline - clock.now(), 0.1)
            said = link.run(f"{FACTS_QUESTION}; {BOOT_QUESTION}", min(left, CALL_LIMIT)).text
            info, link.boot = read_facts(serial, said), boot_of(said)
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
        return ANDROID_DIALOGS

    def restore_settings(self) -> None:
        self._changes.undo()

    def reconnect(self, timeout: float) -> None:
        """Connects again. Starts no adb server, nor has one connect to anything: a phone in a network has to be
        known to it again."""
        self._link.reconnect(timeout)

    def close(self) -> None:
        """Stops the uiautomator2 server where this driver started it. May be called again; raises nothing."""
        try:
            self._link.close()
        except DeviceError:
            return  # the phone is gone, and with it what ran on it

    def __repr__(self) -> str:
        return f"<AndroidDriver {self._uri}>"
