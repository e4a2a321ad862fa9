"""Makes of phones as data: ``virtual?profile=NAME`` is a phone with these facts, each with its
source, and ``virtual?profile=./FILE.json`` one of a file.

A fact that no one has a source for is left out, or marked ``GUESS``; a run's header names its
guesses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ..errors import UsageError, did_you_mean
from .profile import IPHONE, Profile
from .profile_file import is_file, read_profile_file
from .recording import RecordedScreen

GUESS = "guess"
"""In place of a source."""


class Facts:
    """Fields of a ``Profile`` that one source reports: a repository and a file, a document, or
    ``GUESS``."""

    def __init__(self, source: str, **values: Any) -> None:
        self.source = source
        self.values = values


@dataclass(frozen=True)
class Make:
    """A phone that there is. ``called`` is its name among people; ``unknown`` are facts that are
    not known, each with the reason, ``recorded`` screens of its own apps."""

    called: str
    facts: tuple[Facts, ...]
    platform: Literal["android", "ios"] = "android"
    unknown: Mapping[str, str] = field(default_factory=dict)
    recorded: tuple[RecordedScreen, ...] = ()

    @property
    def profile(self) -> Profile:
        values = {name: value for facts in self.facts for name, value in facts.values.items()}
        return replace(
            IPHONE if self.platform == "ios" else Profile(), recorded=self.recorded, **values
        )

    @property
    def guesses(self) -> list[str]:
        return [name for facts in self.facts if facts.source == GUESS for name in facts.values]


_STUDIO = "Android Studio's device definitions: tools/base, sdklib/…/devices/nexus.xml"
_VERSIONS = "AOSP, Build.VERSION_CODES"
_AGENT = "the user agents that such phones send from web views: Android ({0})"

_MIUI = "gkd-kit, recorded hierarchies of com.lbe.security.miui"
_GMS_AUTOFILL = "com.google.android.gms/.autofill.service.AutofillService"
_GMS = "package overlays of phones with Google's services: config_defaultAutofillService"

MAKES: dict[str, Make] = {
    "pixel": Make(
        "Google Pixel 7, Android 15",
        (
            Facts(_STUDIO, brand="google", model="Pixel 7", width=1080, height=2400, density=420),
            Facts(
                "LineageOS/android_device_google_pantah, panther/…/dimens.xml: 136 px", cutout=52
            ),
            Facts("LineageOS/android_device_google_pantah", product="panther", device="panther"),
            Facts(_VERSIONS, release="15", sdk=35),
            Facts(_GMS, autofill=_GMS_AUTOFILL),
        ),
    ),
    "tablet": Make(
        "Google Pixel Tablet, Android 14, with a taskbar",
        (
            Facts(
                _STUDIO, brand="google", model="Pixel Tablet", width=2560, height=1600, density=320
            ),
            Facts("LineageOS, device/google/tangorpro", product="tangorpro", device="tangorpro"),
            Facts("AOSP, PRODUCT_CHARACTERISTICS of tablets", characteristics="tablet"),
            Facts(
                "AOSP, Launcher3's TaskbarActivityContext, a window of its own",
                windows=("taskbar",),
            ),
            Facts(_VERSIONS, release="14", sdk=34),
            Facts(_GMS, autofill=_GMS_AUTOFILL),
        ),
    ),
    "one-ui": Make(
        "Samsung Galaxy S23, One UI 6, Android 14",
        (
            Facts(
                _AGENT.format("34/14; 480dpi; 1080x2340; samsung; SM-S911B; dm1q"),
                brand="samsung",
                model="SM-S911B",
                device="dm1q",
                width=1080,
                height=2340,
                density=480,
                release="14",
                sdk=34,
            ),
            Facts("leancodepl/patrol#231, hierarchy of a Samsung SM-X205", permissions="google"),
            Facts(
                "Samsung's InputMethodManagerService, decompiled",
                keyboard="com.samsung.android.honeyboard/.service.HoneyBoardService",
            ),
            Facts(
                GUESS,
                product="dm1qxxx",
                windows=("edge",),
                autofill="com.samsung.android.samsungpassautofill/.SamsungPassAutofillService",
            ),
        ),
    ),
    "hyperos": Make(
        "Xiaomi Redmi Note 12 Pro, HyperOS, Android 14",
        (
            Facts(
                _AGENT.format("34/14; 440dpi; 1080x2400; Xiaomi/Redmi; 22101316G; ruby; mt6877"),
                brand="Redmi",
                model="22101316G",
                device="ruby",
                width=1080,
                height=2400,
                density=440,
                release="14",
                sdk=34,
            ),
            Facts(_MIUI, permissions="miui"),
            Facts(_GMS, autofill=_GMS_AUTOFILL),
            Facts(GUESS, product="ruby_global", windows=("bubble",)),
        ),
    ),
    "hyperos-cn": Make(
        "Xiaomi 14, HyperOS for China, Android 14",
        (
            Facts(
                "Xiaomi's specification",
                brand="Xiaomi",
                model="23127PN0CC",
                width=1200,
                height=2670,
            ),
            Facts("zeus-x99/android_device_xiaomi_houji", product="houji", device="houji"),
            Facts(_VERSIONS, release="14", sdk=34),
            Facts(_MIUI, permissions="miui-cn"),
            Facts(
                "scripts that set it again on such phones",
                keyboard="com.baidu.input_mi/.ImeService",
            ),
            Facts(GUESS, density=480, locale="zh-CN"),
        ),
    ),
    "emulator": Make(
        "Android emulator, Google APIs, Android 14",
        (
            Facts(_STUDIO, width=1080, height=2400, density=420),
            Facts(
                "adb devices -l of such an emulator",
                brand="google",
                model="sdk_gphone64_x86_64",
                product="sdk_gphone64_x86_64",
                device="emu64x",
                abi="x86_64",
            ),
            Facts("appium/appium-uiautomator2-driver#909", stylus=True, characteristics="emulator"),
            Facts(_VERSIONS, release="14", sdk=34),
        ),
    ),
    "android-7": Make(
        "Samsung Galaxy J5, Android 7",
        (
            Facts(
                _AGENT.format("24/7.0; 320dpi; 720x1280; samsung; SM-J530FM; j5y17lte"),
                brand="samsung",
                model="SM-J530FM",
                device="j5y17lte",
                width=720,
                height=1280,
                density=320,
                release="7.0",
                sdk=24,
            ),
            Facts(
                "AOSP 7, PackageInstaller's GrantPermissionsActivity",
                permissions="packageinstaller",
            ),
            Facts(
                "Samsung's InputMethodManagerService, decompiled",
                keyboard="com.sec.android.inputmethod/.SamsungKeypad",
            ),
            Facts(GUESS, product="j5y17ltexx", abi="armeabi-v7a"),
        ),
    ),
    "iphone": Make(
        "Apple iPhone 15, iOS 17",
        (
            Facts(
                "Apple's specification of the phone",
                model="iPhone 15",
                width=1179,
                height=2556,
                density=480,
            ),
        ),
        platform="ios",
    ),
    "ipad": Make(
        "Apple iPad (10th generation), iPadOS 17",
        (
            Facts(
                "Apple's specification of the tablet: 2360 x 1640 pixels, two of them a point",
                model="iPad (10th generation)",
                width=1640,
                height=2360,
                density=320,
            ),
            Facts("lists of models by hw.machine", product="iPad13,18", device="ipad"),
        ),
        platform="ios",
    ),
}


def make_named(name: str, platform: str = "") -> Make:
    """The make of that name, or that in a file: ``./one-ui.json``. Raises ``UsageError`` for a name
    that there is not, a file that is no profile, and one of the other platform, unless "" asks for
    any."""
    make = _in_file(name) if is_file(name) else MAKES.get(name)
    if make is not None and make.platform == (platform or make.platform):
        return make
    names = [each for each, one in MAKES.items() if one.platform == (platform or one.platform)]
    if make is not None:
        where = "virtual:ios" if make.platform == "ios" else "virtual"
        raise UsageError(
            f"profile {name} is {make.called}: write {where}?profile={name}. Here: "
            f"{', '.join(names)}."
        )
    hint = did_you_mean(name.lower(), MAKES)
    raise UsageError(
        f"no profile {name!r}.{hint} Profiles: {', '.join(names)}, or a file: ./NAME.json."
    )


def _in_file(name: str) -> Make:
    read = read_profile_file(name)
    facts = tuple(Facts(each.source, **each.values.given) for each in read.facts)
    return Make(read.called, facts, read.platform, read.unknown, read.screens)


def profile_of(platform: str, knobs: dict[str, str]) -> Profile:
    """The phone that ``profile=NAME`` and the other knobs ask for, or the platform's own. Takes
    what it reads out of ``knobs``. Raises ``UsageError``."""
    name = knobs.pop("profile", "")
    own = IPHONE if platform == "ios" else Profile()
    return (make_named(name, platform).profile if name else own).with_knobs(knobs)


def profile_lines(names: Iterable[str]) -> Iterator[str]:
    """What each of these profiles is, and what of it is a guess or not known, for the header of a
    run."""
    for name in dict.fromkeys(names):
        make = make_named(name)
        guesses = f"; guesses: {', '.join(make.guesses)}" if make.guesses else ""
        unknown = f"; not known: {', '.join(make.unknown)}" if make.unknown else ""
        yield f"profile {name}: {make.called}{guesses}{unknown}"
