"""An iPhone as a ``Driver``, its facts, and the abilities that WebDriverAgent lacks."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ...errors import DeviceError, DeviceNotFound, DeviceOffline
from ...model import AnyMapping, AuditIssue, Clock, SystemClock
from ..base import Appearance, Capability, DeviceInfo, SystemDialogs, language_tag
from ..base_driver import OurDriver
from .answers import Refused
from .apps import IOS_DIALOGS, IosApps
from .input import IosKeyboard, IosPointer
from .link import Link
from .screen import IosScreen, Screen, read_screen


def read_facts(link: Link, screen: Screen) -> DeviceInfo:
    """Facts of the phone. ``serial`` is its UDID where WebDriverAgent reports it, else an
    identifier that lasts as long as WebDriverAgent stays installed."""
    device = read_device(link)
    width, height = screen.portrait
    return DeviceInfo(
        serial=serial_of(device) or link.url,
        platform="ios",
        model=str(device.get("model") or link.status.get("device") or "iPhone"),
        os_version=str(link.status["os"]["version"]),
        width=width,
        height=height,
        density=screen.scale,
        extra={
            "name": device.get("name"),
            "simulator": device.get("isSimulator"),
            "locale": device.get("currentLocale"),
            "webdriveragent": link.status.get("build"),
        },
    )


def read_device(link: Link) -> AnyMapping:
    """Answer about the device."""
    said = link.get("wda/device/info")
    if not isinstance(said, Mapping):
        raise link.unexpected("wda/device/info", said)
    return said


def serial_of(device: AnyMapping) -> str:
    return str(device.get("udid") or device.get("uuid") or "")


def ios_appearance(device: AnyMapping) -> Appearance:
    """Out of the answer to ``GET /wda/device/info``."""
    styles = {"light": False, "dark": True}
    return Appearance(
        language_tag(str(device.get("currentLocale") or "")),
        styles.get(str(device.get("userInterfaceStyle"))),
    )


INSTEAD: Mapping[Capability, str] = {
    Capability.COLD_START: "stop and launch do the same, one after the other",
    Capability.REPLACE_TEXT: "clear_text and type_text do the same, one after the other",
    Capability.DRAWN: "an iPhone's app has no activities",
    Capability.TOASTS: "iOS has none; what an app shows in their place is in the hierarchy",
    Capability.SHELL: "an iPhone has no shell that WebDriverAgent reaches",
    Capability.LOGS: "WebDriverAgent gives none; `idevicesyslog` or `xcrun simctl spawn booted "
    "log stream` does",
    Capability.CRASHES: "WebDriverAgent has none; app_status tells whether an app runs, "
    "idevicecrashreport why",
    Capability.CLEAR_DATA: "WebDriverAgent does not reach an app's data; reinstall the app, or "
    "give it an argument that makes it forget",
    Capability.PERMISSIONS: "on iOS only the user grants them; answer the question when it comes, "
    "or `xcrun simctl privacy` on a simulator",
    Capability.INSTALL: "WebDriverAgent installs nothing; `ideviceinstaller install` does, or on a "
    "simulator `xcrun simctl install`",
    Capability.FILES: "WebDriverAgent moves none; `afcclient` reaches an app's, on a simulator "
    "`xcrun simctl get_app_container`",
    Capability.AUDIT: "Apple's accessibility audit came with iOS 17, and with WebDriverAgent "
    "built by Xcode 15",
}


AUDIT = "wda/performAccessibilityAudit"
AUDIT_TYPE = "XCUIAccessibilityAuditType"
AUDIT_SECONDS = (
    60.0  # it takes seconds of a full screen, and WebDriverAgent reads each element that is named
)
AUDIT_SINCE = 17  # of iOS
NO_AUDIT = "only supported since iOS 17"  # XCUIApplication+FBHelpers.m


def read_issue(said: AnyMapping, screen: Screen) -> AuditIssue:
    """An issue as WebDriverAgent reports it. Of some it gives no attributes: then the description
    of the element says which is meant."""
    given = said.get("elementAttributes")
    facts: AnyMapping = given if isinstance(given, Mapping) else {}
    described = re.fullmatch(r'(?:"(.*)" )?(\w+)', str(said.get("element") or ""), re.DOTALL)
    label, kind = described.groups() if described is not None else ("", "")
    try:
        bounds = screen.in_pixels(facts["rect"])
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
        bounds = None
    return AuditIssue(
        str(said.get("auditType") or "").removeprefix(AUDIT_TYPE),
        str(said.get("compactDescription") or ""),
        str(said.get("detailedDescription") or ""),
        str(facts.get("label") or label or ""),
        str(facts.get("type") or kind or "").removeprefix("XCUIElementType"),
        bounds if bounds is not None and not bounds.is_empty else None,
    )


# A relay that has only just begun cuts the first requests off. Nothing that connecting sends does
# harm twice.
_CONNECTS = 20
_CONNECT_SECONDS = 1.0
CAPABILITIES = (
    Capability.OPEN_URL
    | Capability.DRAG
    | Capability.ROTATE
    | Capability.PINCH
    | Capability.LOCK
    | Capability.STYLE
)


class IosDriver(IosScreen, IosPointer, IosKeyboard, IosApps, OurDriver):
    """An iPhone behind a WebDriverAgent. Use ``connect``. For one thread at a time. The density in
    ``info`` is the screen's scale: pixels to a point."""

    instead = INSTEAD

    def __init__(self, link: Link, screen: Screen, uri: str, info: DeviceInfo) -> None:
        super().__init__(link, screen)
        major = info.os_version.partition(".")[0]
        # A phone that does not say is taken for a new one, which then answers for itself.
        self._has_audit = not major.isdecimal() or int(major) >= AUDIT_SINCE
        self.exchanges = link.exchanges
        self._uri = uri
        self._info = info

    @classmethod
    def connect(
        cls, url: str, *, uri: str = "", timeout: float = 60, clock: Clock | None = None
    ) -> IosDriver:
        """Connects to the WebDriverAgent at ``url``, such as "http://127.0.0.1:8100", within
        ``timeout`` seconds in all. It has to run already; nothing is installed or started here. The
        driver waits on ``clock``, that of the system unless given.

        Opens a session of its own, which ends that of another program: WebDriverAgent knows one at
        a time. No app is started. Raises ``DeviceOffline``, ``DeviceTimeout`` or ``ProtocolError``.
        """
        clock = clock or SystemClock()
        now, tries = clock.now(), 0
        deadline, impatient = now + timeout, now + _CONNECT_SECONDS
        while True:
            tries += 1
            try:
                link = Link.connect(url, deadline - clock.now(), clock)
                try:
                    with link.within(deadline - clock.now()):
                        screen = read_screen(link)
                        info = read_facts(link, screen)
                except BaseException:
                    with suppress(DeviceError):
                        link.close()
                    raise
            except DeviceOffline:
                if tries > _CONNECTS or clock.now() >= min(deadline, impatient):
                    raise
                continue
            link.name = info.serial
            return cls(link, screen, uri or f"ios:{url}", info)

    def appearance(self) -> Appearance:
        return ios_appearance(read_device(self._link))

    @property
    def capabilities(self) -> Capability:
        return CAPABILITIES | (Capability.AUDIT if self._has_audit else Capability.NONE)

    def accessibility_audit(self) -> Sequence[AuditIssue]:
        """Apple's own, of the app in front, which the phone begins by looking at the whole screen:
        it takes seconds. A WebDriverAgent that turns out to have none is not asked again."""
        if not self._has_audit:
            raise self.unsupported("accessibility_audit", Capability.AUDIT)
        try:
            said = self._link.get(
                AUDIT, {"auditTypes": [f"{AUDIT_TYPE}All"]}, seconds=AUDIT_SECONDS
            )
        except Refused as refused:
            if NO_AUDIT not in refused.said:
                raise
            self._has_audit = False
            raise self.unsupported("accessibility_audit", Capability.AUDIT) from refused
        if not isinstance(said, list) or not all(isinstance(each, Mapping) for each in said):
            raise self._link.unexpected(AUDIT, said)
        return tuple(read_issue(each, self._screen) for each in said)

    @property
    def system_dialogs(self) -> SystemDialogs:
        return IOS_DIALOGS

    def reconnect(self, timeout: float) -> None:
        """Opens a new session with the WebDriverAgent at the same address, once it answers; one
        that has ended is not started. Raises ``DeviceNotFound`` if another phone answers there."""
        deadline = self._link.clock.now() + timeout
        self._link.reconnect(timeout)
        with self._link.within(deadline - self._link.clock.now()):
            found = serial_of(read_device(self._link))
        if found and found != self._info.serial:
            raise DeviceNotFound(
                f"reconnecting to {self._info.serial}: at {self._link.url} there is another phone "
                f"now, {found}. Is its port forwarded to another one, or was WebDriverAgent "
                "reinstalled?",
                device=self._info.serial,
            )

    def close(self) -> None:
        """Ends the session. May be called again; raises nothing."""
        with suppress(DeviceError):  # the phone is gone, and with it the session
            self._link.close()
