"""The screen: hierarchy, screenshots, toasts, orientation, and the facts asked on connecting."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from ...errors import ProtocolError, UsageError
from ...logs import SCREEN_QUESTION, ScreenState, screen_densities, screen_sizes, screen_state
from ...model import AnyDict, AnyMapping, NodeText, Rect, as_dotted, come_true
from ..base import Appearance, AppInFront, DeviceInfo, Orientation, language_tag
from ..base_driver import Changes, Depths
from ..checks import READ_AGAIN, is_whole_png
from .link import Link, ObjectNotFound


class Role:
    def __init__(self, link: Link) -> None:
        self._link = link
        self._changes = Changes()
        self._noticed: list[str] = []
        self._put_out = False  # the power key was pressed

    def _failed(self, doing: str, why: str, said: str) -> ProtocolError:
        """The error for an answer ``said`` that is none, or a refusal."""
        serial = self._link.serial
        return ProtocolError(
            f"{doing} on {serial}: {why}", exchange=said[:2000], device=serial, detail=why
        )


DUMP_SECONDS = 20.0
# uiautomator2 asks for 50 levels below the windows, and web and Compose pages go deeper. The server
# descends by recursion, and the stack of its thread has 1 MB: what it cannot hold is a
# StackOverflowError, and no hierarchy.
LEVELS = (121, 61, 41)
OWN_FOLDER = "/data/local/tmp/replicant-proof"
"""For files of a moment; what puts settings back removes it."""
_OVERFLOW = "StackOverflowError"
SCREENSHOT_SECONDS = 20.0
_FIRST_DISPLAY = "screencap -p"
_SEVERAL_DISPLAYS = "Multiple displays were found"
# By the id that the compositor has for display 0, which is another panel once a phone is unfolded.
_OWN_DISPLAY = (
    'screencap -p -d "$(dumpsys display | grep -o "displayId=0, uniqueId=\'local:[0-9]*" | head '
    '-n 1 | grep -o "[0-9]*$")"'
)
ROTATE_SECONDS = 3.0  # an app rebuilds its screen while the phone turns
_LOOK_EVERY = 0.05
_LIT_SECONDS = 3.0  # the window manager shows a little later what was asked of it
_NO_LOCK = (
    "Settings > Security > Screen lock: None, and Developer options > Stay awake, keep it from "
    "happening."
)
SECURITY_SETTINGS = "Some makers ask for 'USB debugging (Security settings)' to be on."
# Quarter turns by orientation, of a phone that is upright at none, and of a tablet that is wide at
# none.
_UPRIGHT: Mapping[Orientation, int] = {
    "portrait": 0,
    "landscape": 1,
    "reverse_portrait": 2,
    "reverse_landscape": 3,
}
_WIDE: Mapping[Orientation, int] = {
    "landscape": 0,
    "reverse_portrait": 1,
    "reverse_landscape": 2,
    "portrait": 3,
}
_KEYS = (
    "user_rotation",
    "accelerometer_rotation",
)  # the sensor last: what it says counts once it is on again


_TEXT_MATCHES, _DESCRIPTION_MATCHES = 0x4, 0x100  # bits of a selector's mask
_DOTS, _SPECIAL = re.compile(r"\.+"), re.compile(r"[\\^$|?*+()\[\]{}]")
# A dot of a dump: itself, or what XML cannot hold. Written as Java, ICU and Python all read it.
_ANY_DOT = (
    r"[.\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufdd0-\ufddf\ufffe\uffff"
    "\U00010000-\U0010ffff]"
)


def _matching(kind: str, mask: int, dotted: Iterable[str], but: Iterable[str] = ()) -> AnyDict:
    """The server's selector of all nodes whose text or description is one of these in a dump, and
    not one of ``but`` in truth."""
    others = "|".join(_SPECIAL.sub(r"\\\g<0>", text) for text in but)
    patterns = [
        "".join(map(_undotted, _DOTS.split(text), [*_DOTS.findall(text), ""])) for text in dotted
    ]
    pattern = (f"(?!(?:{others})(?![\\s\\S]))" if others else "") + f"(?:{'|'.join(patterns)})"
    return {"mask": mask, "childOrSibling": [], "childOrSiblingSelector": [], kind: pattern}


def _undotted(plain: str, dots: str) -> str:
    """The pattern of a plain text and of the dots behind it, of which an emoji has two."""
    return _SPECIAL.sub(r"\\\g<0>", plain) + (
        f"{_ANY_DOT}{{{(len(dots) + 1) // 2},{len(dots)}}}" if dots else ""
    )


def rect_of(sides: AnyMapping | None) -> Rect:
    """Of the bounds in an answer; empty if it has none."""
    found = sides or {}
    return Rect(*(int(found.get(side, 0)) for side in ("left", "top", "right", "bottom")))


def _node_text(info: AnyMapping) -> NodeText:
    bounds = rect_of(info.get("visibleBounds") or info.get("bounds"))
    return NodeText(info.get("text") or "", info.get("contentDescription") or "", bounds)


_WINDOWS = "dumpsys window windows | grep -E 'Window #|isReadyForDisplay'"
_SHOWN_WINDOW = (
    r"Window #\d+ Window\{\S+ (?:u\d+ )?(?P<name>.+?)\}:(?P<facts>(?:(?!Window #)[\s\S])*)"
)


def shows_activity(said: str, front: AppInFront) -> bool:
    """Whether the activity has a window that is ready to be shown, in ``dumpsys window windows``.
    Windows of activities go by ``app/activity`` (AOSP's Activity.attach), and the blank one of an
    app that starts by its package. True if none is the app's, as then nothing is said."""
    own = {
        window["name"]: "isReadyForDisplay()=false" not in window["facts"]
        for window in re.finditer(_SHOWN_WINDOW, said)
        if re.fullmatch(
            rf"(?:Splash Screen |Starting )?{re.escape(front.app)}(?:/.+)?", window["name"]
        )
    }
    shortened = re.sub(rf"^{re.escape(front.app)}(?=\.)", "", front.activity)
    return not own or any(
        own.get(f"{front.app}/{activity}") for activity in (front.activity, shortened)
    )


def _is_too_deep(error: ProtocolError) -> bool:
    return _OVERFLOW in error.detail


def _is_lit(state: ScreenState) -> bool:
    return state.awake is not False and not state.locked


class AndroidScreen(Role):
    def __init__(self, link: Link) -> None:
        super().__init__(link)
        self._screencap = _FIRST_DISPLAY
        self._depths = Depths(LEVELS, link.clock, self._dump, _is_too_deep)

    def dump_hierarchy(self) -> bytes:
        """Hierarchy as XML in UTF-8, with the number of levels that was asked for. A screen that
        has gone dark is turned on, and read then. Raises ``ProtocolError`` for a hierarchy without
        a node: that is a failed read; and for a lock screen that asks for something."""
        try:
            return self._depths.read()
        except ProtocolError as error:
            if not _is_too_deep(error):
                raise
            why = (
                f"the uiautomator2 server cannot descend into this screen, not even {LEVELS[-1]} "
                "levels: its views are nested too deeply, or in a circle "
                f"({error.detail.rstrip('.')}). Show less at a time."
            )
            raise self._failed("dump_hierarchy", why, error.exchange) from None

    def _dump(self, levels: int) -> bytes:
        xml = self._asked_dump(levels)
        shown = str(xml)
        # A dump may be of a dark or locked screen if it shows the system alone, or the keyguard.
        if re.search(r' package="(?!com\.android\.systemui")', shown) and not re.search(
            r":id/(?:keyguard_|lockscreen_|lock_icon)", shown
        ):
            self._put_out = False
        elif self._light_up():
            xml = self._asked_dump(levels)
        if not isinstance(xml, str) or "<node" not in xml:
            why = f"the phone gave a hierarchy without a node. {READ_AGAIN}"
            raise self._failed("dump_hierarchy", why, repr(xml))
        return xml.encode("utf-8", "replace")

    def _asked_dump(self, levels: int) -> Any:
        # The window is level 0 for the server (AccessibilityNodeInfoDumper.java dumpNodeRec).
        return self._link.read("dumpWindowHierarchy", False, levels - 1, seconds=DUMP_SECONDS)

    def _light_up(self) -> bool:
        """Turns a dark screen on, and opens a lock screen that asks for nothing. False if it is
        neither; raises ``ProtocolError`` where it stays so."""
        before = self._screen_state()
        if _is_lit(before):
            return False
        what = " and ".join(
            ["dark"] * (before.awake is False) + ["locked"] * (before.locked is True)
        )
        if self._put_out:
            why = f"the screen is {what} since the power key was pressed. Next: press_key('power')"
            raise self._failed("dump_hierarchy", why, str(before))
        self.wake()
        self._link.run(["wm", "dismiss-keyguard"])
        if not come_true(
            self._link.clock, lambda: _is_lit(self._screen_state()), _LIT_SECONDS, _LOOK_EVERY
        ):
            why = f"the screen had gone {what}"
            if before.secure:
                why += ", and its lock screen asks for a PIN, a pattern or a password"
            why += f"; it stays so. Next: unlock it by hand. {_NO_LOCK}"
            raise self._failed("dump_hierarchy", why, str(before)).give_up()
        self._noticed.append(f"the screen had gone {what}, and was turned on")
        return True

    def notices(self) -> list[str]:
        noticed, self._noticed = self._noticed, []
        return noticed

    def is_locked(self) -> bool:
        """Whether a lock screen is up that asks for something; not known, it is not."""
        state = self._screen_state()
        return state.locked is True and state.secure is not False

    def _screen_state(self) -> ScreenState:
        return screen_state(self._link.run("; ".join(SCREEN_QUESTION.values())).text)

    def true_texts(
        self, texts: Mapping[str, int], descriptions: Mapping[str, int]
    ) -> list[NodeText]:
        """The nodes with such texts: of the active window in one answer, which is all that the
        server counts through (QueryController.java). Where that is fewer than there are, every
        other text in any window."""
        found: list[NodeText] = []
        for kind, mask, at, wanted in (
            ("textMatches", _TEXT_MATCHES, 0, texts),
            ("descriptionMatches", _DESCRIPTION_MATCHES, 1, descriptions),
        ):
            if not wanted:
                continue
            said = self._link.read("objInfoOfAllInstances", _matching(kind, mask, wanted))
            found += [_node_text(one) for one in said or () if isinstance(one, dict)]
            for text, count in wanted.items():
                known = [str(one[at]) for one in found if as_dotted(str(one[at])) == text]
                with suppress(ObjectNotFound):
                    while len(known) < count:
                        answer = self._link.read(
                            "objInfo", _matching(kind, mask, [text], but=known)
                        )
                        found.append(_node_text(answer))
                        known.append(str(found[-1][at]))
        return found

    def screenshot(self) -> bytes:
        """Screenshot as a whole PNG. uiautomator2's own picture is a lossy JPEG, so this is
        ``screencap``; over the shell protocol, since phones with two displays print a warning that
        ``exec:`` would mix into the picture. Such a phone, as a foldable is, is asked which display
        is its own: the first one may be off, and its picture black."""
        ended = self._link.run(self._screencap, SCREENSHOT_SECONDS)
        if self._screencap == _FIRST_DISPLAY and _SEVERAL_DISPLAYS in ended.error_text:
            self._screencap = _OWN_DISPLAY
            ended = self._link.run(self._screencap, SCREENSHOT_SECONDS)
        png = ended.stdout
        if ended.exit_code == 0 and is_whole_png(png):
            return png
        said = ended.error_text.strip() or repr(png[:80])
        why = f"{len(png)} bytes that are no whole PNG: {said[:300]}"
        raise self._failed("screenshot", why, f"{self._screencap} → exit {ended.exit_code}, {said}")

    def is_drawn(self, front: AppInFront) -> bool:
        return shows_activity(self._link.run(_WINDOWS).text, front)

    def last_toast(self) -> str | None:
        text = self._link.read("getLastToast")
        return str(text) if text else None

    def clear_toasts(self) -> None:
        self._link.read("clearLastToast")

    def rotate(self, orientation: Orientation) -> None:
        """Turns the screen by the settings for rotation, which ``restore_settings`` restores."""
        if orientation not in _UPRIGHT:
            known = ", ".join(_UPRIGHT)
            raise UsageError(
                f"rotate({orientation!r}): no such orientation. There are: {known}. Nothing was "
                "done."
            )
        turns = _names(self._device_info())[orientation]
        before = self._link.run(
            "; ".join(f"settings get system {key}" for key in _KEYS)
        ).text.split()
        if len(before) != len(_KEYS):
            raise self._odd_answer(f"rotate {orientation}", " ".join(before))
        self._changes.setdefault("rotation", partial(self._put_rotation, before))
        self._put_rotation([str(turns), "0"])
        if not come_true(
            self._link.clock, lambda: self.orientation() == orientation, ROTATE_SECONDS, _LOOK_EVERY
        ):
            self._put_rotation(before)
            raise UsageError(
                f"rotate {orientation} on {self._link.serial}: the screen stayed "
                f"{self.orientation()} for {ROTATE_SECONDS:g} s: the app in front keeps its own "
                "orientation. The setting was put back."
            )

    def orientation(self) -> Orientation:
        screen = self._device_info()
        turns = int(screen["displayRotation"])
        return next(name for name, value in _names(screen).items() if value == turns % 4)

    def appearance(self) -> Appearance:
        return android_appearance(self._link.run(APPEARANCE_QUESTION).text)

    def wake(self) -> None:
        self._link.send("wakeUp")
        self._put_out = False

    def _put_rotation(self, values: list[str]) -> None:
        """Writes the values of ``_KEYS``; "null" is the phone's word for one that is not set."""
        commands = [
            f"settings delete system {key}"
            if value == "null"
            else f"settings put system {key} {int(value)}"
            for key, value in zip(_KEYS, values, strict=True)
        ]
        ended = self._link.run(" && ".join(commands))
        if ended.exit_code != 0 or "xception" in ended.words:
            raise self._odd_answer("rotate", ended.words)

    def _device_info(self) -> AnyDict:
        said = self._link.read("deviceInfo")
        wanted = {"displayRotation", "displayWidth", "displayHeight"}
        if not isinstance(said, dict) or not wanted <= said.keys():
            raise self._odd_answer("orientation", str(said))
        return said

    def _odd_answer(self, doing: str, said: str) -> ProtocolError:
        why = f"the phone would not say or take it: {said[:300] or 'nothing'}. {SECURITY_SETTINGS}"
        return self._failed(doing, why, said)


def quarter_turns(orientation: Orientation, *, wide: bool) -> int:
    """By how many quarters the screen is turned, of a phone or tablet that is ``wide``, or upright,
    at none."""
    return (_WIDE if wide else _UPRIGHT)[orientation]


def _names(screen: AnyMapping) -> Mapping[Orientation, int]:
    """Quarter turns by orientation, of this screen: its sides show whether it was made upright or
    wide."""
    wide_now = int(screen["displayWidth"]) > int(screen["displayHeight"])
    sideways = int(screen["displayRotation"]) % 2 == 1
    return _WIDE if wide_now != sideways else _UPRIGHT


# "mComputedNightMode" is of a phone that goes by the time of day.
APPEARANCE_QUESTION = (
    "cmd uimode night; echo locale $(getprop persist.sys.locale); "
    "echo locale $(settings get system system_locales); "
    "echo locale $(getprop ro.product.locale); wm density; "
    "dumpsys uimode | grep -o 'mComputedNightMode=[a-z]*'"
)
"""What an Android phone is asked, in one command. The locale that its user chose comes first; a
phone on which no one has chosen has that of its maker alone."""


def android_appearance(said: str) -> Appearance:
    """Out of the answer to ``APPEARANCE_QUESTION``: of several densities the last one, an
    override."""
    night = re.search(r"Night mode: (yes|no)\b|mComputedNightMode=(true|false)", said)
    dots = re.findall(r"density: (\d{2,4})\s*$", said, re.MULTILINE)
    words = re.findall(r"^locale (?!null\s*$)([^,\n]*)", said, re.MULTILINE)
    locale = next(filter(None, map(language_tag, words)), "")
    dark = None if night is None else (night[1] or night[2]) in ("yes", "true")
    return Appearance(locale, dark, int(dots[-1]) if dots else 0)


_PROPERTIES = {
    "serialno": "ro.serialno",
    "brand": "ro.product.brand",
    "model": "ro.product.model",
    "release": "ro.build.version.release",
    "sdk": "ro.build.version.sdk",
    "abi": "ro.product.cpu.abi",
}
FACTS_QUESTION = "; ".join(
    [*(f"getprop {name}" for name in _PROPERTIES.values()), "wm size", "wm density"]
)

_BASE_DENSITY = 160  # dots per inch at which one density-independent pixel is one pixel


def read_facts(serial: str, answer: str) -> DeviceInfo:
    """Facts in the answer to ``FACTS_QUESTION``. An override of size or density wins over the
    physical one; the size is that of the phone held upright. A density that was not said is that of
    a plain screen, and marked in ``extra`` as assumed. Raises ``ProtocolError`` if there is no
    size."""
    lines = answer.splitlines()
    said = dict(zip(_PROPERTIES, map(str.strip, lines), strict=False))
    sizes, densities = screen_sizes(answer), screen_densities(answer)
    if not sizes:
        raise ProtocolError(
            f"connecting to {serial}: `wm size` did not say how large the screen is. Is it still "
            "starting?",
            exchange=answer[-500:],
            device=serial,
            detail="`wm size` did not say how large the screen is",
        )
    extra = {key: said[key] for key in ("serialno", "brand", "sdk", "abi") if said.get(key)}
    if not densities:
        extra["density"] = "assumed"
    width, height = sizes.get("override", sizes.get("physical", (0, 0)))
    density = densities.get("override", densities.get("physical", _BASE_DENSITY))
    return DeviceInfo(
        serial=serial,
        platform="android",
        model=said.get("model", ""),
        os_version=said.get("release", ""),
        width=width,
        height=height,
        density=density / _BASE_DENSITY,
        extra=extra,
    )
