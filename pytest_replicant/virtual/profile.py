"""Which phone the virtual phone is, and how long it takes over everything."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import Annotated, Literal

from ..errors import UsageError
from .recording import RecordedScreen

PERMISSION_DIALOGS = (
    "google",
    "aosp",
    "packageinstaller",
    "samsung",
    "miui",
    "miui-cn",
    "oppo",
    "vivo",
    "huawei",
)
"""Who asks for permissions."""
WDA_VERSIONS = ("8.12", "9.0", "9.7", "10.0", "10.1", "16.7")
"""WebDriverAgents that a virtual iPhone can run, the newest last; the driver takes all but the
first."""
OVERLAYS = ("taskbar", "edge", "bubble", "toolbar", "autofill", "pip")
"""Windows that lie over every app and are not modal."""


Ms = Annotated[int, range(600_001)]


@dataclass(frozen=True)
class Latency:
    """What each call takes, in milliseconds; the defaults look like a mid-range phone.

    ``dump_ms`` is one hierarchy, ``gesture_ms`` what injecting a tap takes beyond its own length,
    ``screen_change_ms`` the time from a touch to the next screen standing still, ``boot_ms`` that
    from a restarted phone's first answer to adb until its services run.
    """

    dump_ms: Ms = 60
    gesture_ms: Ms = 40
    text_ms: Ms = 40
    screenshot_ms: Ms = 120
    shell_ms: Ms = 15
    rpc_ms: Ms = 4
    launch_ms: Ms = 350
    screen_change_ms: Ms = 180
    boot_ms: Ms = 4000

    @classmethod
    def from_knobs(cls, knobs: dict[str, str], unset: Latency | None = None) -> Latency:
        """``latency=MS`` sets every call, a name such as ``dump_ms=1500`` one; the others are as
        ``unset``. Takes what it reads out of ``knobs``; raises ``UsageError`` for a value that is
        no number of milliseconds."""
        names = [item.name for item in fields(cls)]
        latency = unset or cls()
        if "latency" in knobs:
            each = milliseconds("latency", knobs.pop("latency"))
            latency = cls(**dict.fromkeys(names, each))
        for name in names:
            if name in knobs:
                latency = replace(latency, **{name: milliseconds(name, knobs.pop(name))})
        return latency


@dataclass(frozen=True)
class Profile:
    """The make of a phone. ``density`` is in dots per inch, 160 to a density-independent pixel or
    point; sizes are pixels."""

    platform: Literal["android", "ios"] = "android"
    serial: str = "virtual-1"
    brand: str = "Replicant"
    model: str = "Virtual Phone"
    product: str = "replicant_virtual"
    device: str = "virtual"
    release: str = "14"
    sdk: int = 34
    abi: str = "arm64-v8a"
    width: int = 1080
    height: int = 2400
    density: int = 420
    cutout: int = 0  # dp that a camera in the screen takes of its upper edge
    locale: str = "en-US"
    displays: int = 1  # a second one is a monitor with a launcher of its own
    folded: bool = False  # a foldable whose large panel is off: the first one for `screencap`
    permissions: str = (
        "google"  # who asks for permissions, by name of ``designs/material/askers.py``
    )
    deepest: int = (
        100  # levels of a hierarchy for which the uiautomator2 server's stack of 1 MB has room
    )
    injects: bool = (
        True  # touches and keys of adb; not on a Xiaomi without "USB debugging (Security settings)"
    )
    writes_settings: bool = True  # ``settings put`` of adb; likewise
    screen_timeout: int = 30  # seconds without a touch or a key until the screen goes dark
    keyboard: str = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
    autofill: str = ""  # the service that offers to fill forms and to save passwords
    characteristics: str = (
        "default"  # ro.build.characteristics: "emulator" on Google's images, "tablet" on tablets
    )
    stylus: bool = (
        False  # the keyboard shows a page on pens at the first field, as on Google's images
    )
    reads_clipboard: bool = True  # of the uiautomator2 server; on some phones it is given none
    windows: tuple[str, ...] = ()  # of ``OVERLAYS``
    verifier: bool = False  # Play Protect asks at each install by adb
    wda: str = WDA_VERSIONS[-1]  # of an iPhone's WebDriverAgent
    latency: Latency = Latency()  # where neither a knob nor who makes the phone says otherwise
    recorded: tuple[RecordedScreen, ...] = ()  # of its own apps, which it plays

    def with_knobs(self, knobs: dict[str, str]) -> Profile:
        """``serial=NAME``, ``displays=1|2``, ``screen_timeout=SECONDS``, ``ime=PACKAGE``,
        ``autofill=PACKAGE``, ``permissions=MAKER``, ``deepest=LEVELS``, ``windows=NAME,NAME``, and
        ``clipboard``, ``folded``, ``inject``, ``settings``, ``stylus``, ``verifier``, ``wda``.
        Takes what it reads out of ``knobs``; raises ``UsageError`` for a value that there is
        not."""
        stylus = _switch(knobs, "stylus", ("off", "on"), self.stylus)
        return replace(
            self,
            folded=_switch(knobs, "folded", ("off", "on", "0", "1"), self.folded),
            serial=knobs.pop("serial", self.serial),
            displays=int(_choice(knobs, "displays", ("1", "2"), str(self.displays))),
            injects=_switch(knobs, "inject", ("denied", "allowed"), self.injects),
            permissions=_choice(knobs, "permissions", PERMISSION_DIALOGS, self.permissions),
            deepest=_number(knobs, "deepest", 999, "levels", self.deepest),
            writes_settings=_switch(knobs, "settings", ("denied", "allowed"), self.writes_settings),
            screen_timeout=_number(knobs, "screen_timeout", 86400, "seconds", self.screen_timeout),
            keyboard=_component(knobs, "ime", self.keyboard, ".ImeService"),
            autofill=_component(knobs, "autofill", self.autofill, ".AutofillService"),
            stylus=stylus,
            characteristics="emulator" if stylus and not self.stylus else self.characteristics,
            verifier=_switch(knobs, "verifier", ("off", "on"), self.verifier),
            reads_clipboard=_switch(knobs, "clipboard", ("null", "read"), self.reads_clipboard),
            windows=_choices(knobs, "windows", OVERLAYS, self.windows),
            wda=_choice(knobs, "wda", WDA_VERSIONS, self.wda),
        )

    @property
    def scale(self) -> float:
        """Pixels per density-independent pixel, or per point of an iPhone."""
        return self.density / 160


def _choice(knobs: dict[str, str], name: str, choices: tuple[str, ...], unset: str) -> str:
    given = knobs.pop(name, unset)
    if given not in choices:
        raise UsageError(f"virtual phone: {name}={given}: give one of {', '.join(choices)}")
    return given


def _choices(
    knobs: dict[str, str], name: str, choices: tuple[str, ...], unset: tuple[str, ...]
) -> tuple[str, ...]:
    given = tuple(filter(None, knobs.pop(name, ",".join(unset)).split(",")))
    if wrong := [each for each in given if each not in choices]:
        raise UsageError(f"virtual phone: {name}={wrong[0]}: give some of {','.join(choices)}")
    return tuple(dict.fromkeys(given))


def _switch(knobs: dict[str, str], name: str, choices: tuple[str, ...], unset: bool) -> bool:
    """Off and on are in turns in ``choices``."""
    return choices.index(_choice(knobs, name, choices, choices[unset])) % 2 == 1


def _number(knobs: dict[str, str], name: str, most: int, what: str, unset: int) -> int:
    given = knobs.pop(name, str(unset))
    if not (given.isascii() and given.isdecimal() and 1 <= int(given[:6]) <= most):
        raise UsageError(f"virtual phone: {name}={given} is no number of {what} from 1 to {most}")
    return int(given)


def _component(knobs: dict[str, str], name: str, unset: str, service: str) -> str:
    """A service as Android names it; of a package alone, one called ``service``."""
    given = knobs.pop(name, unset)
    if given and not _COMPONENT.fullmatch(given):
        raise UsageError(
            f"virtual phone: {name}={given}: give a package, such as com.baidu.input_mi"
        )
    return f"{given}/{service}" if given and "/" not in given else given


_COMPONENT = re.compile(r"[A-Za-z]\w*(\.\w+)+(/[\w.$]+)?", re.ASCII)

IPHONE = Profile(
    platform="ios",
    serial="virtual-iphone-1",
    brand="Apple",
    model="iPhone 15",
    product="iPhone15,4",
    device="iphone",
    release="17.5",
    sdk=0,
    abi="arm64",
    width=1179,
    height=2556,
    density=480,
)
"""393 x 852 points at scale 3."""


def milliseconds(name: str, text: str) -> int:
    """A knob's value; raises ``UsageError`` for a value that is no number of milliseconds."""
    if not text.isdecimal() or int(text) > 600_000:
        raise UsageError(
            f"virtual phone: {name}={text} is not a number of milliseconds from 0 to 600000"
        )
    return int(text)
