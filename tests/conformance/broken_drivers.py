"""Drivers of which each breaks some promises of what is on the screen, on whichever platform; ``broken`` puts them
on one."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_replicant.drivers import AndroidDriver, Capability, DeviceInfo, Key, Orientation, SystemDialogs
from pytest_replicant.errors import Unsupported, UsageError
from pytest_replicant.model import AuditIssue, Point, Rect

if TYPE_CHECKING:
    Sound = AndroidDriver
else:

    class Sound:
        """What each flaw is put on comes behind it."""


_BOUNDS = re.compile(rb"\[(\d+),(\d+)\]")
LITTLE_PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (90).to_bytes(4, "big") + (160).to_bytes(4, "big") + bytes(20)


def broken(flaw: type[Any], platform: type[Any]) -> type[Any]:
    """A driver of that platform with this flaw."""
    return type(flaw.__name__, (flaw, platform), {})


def boasting(capability: Capability) -> type[Any]:
    """Denies an ability and does it all the same."""

    class Boastful(Sound):
        @property
        def capabilities(self) -> Capability:
            return super().capabilities & ~capability

    return Boastful


class Anonymous(Sound):
    """Does not say which phone it is, and is another one each time."""

    asked = 0

    @property
    def uri(self) -> str:
        return ""

    @property
    def info(self) -> DeviceInfo:
        self.asked += 1
        return replace(super().info, model=f"phone {self.asked}")


class Mute(Sound):
    """Gives no screen where it cannot read one."""

    def dump_hierarchy(self) -> bytes:
        return b""


class Pointed(Sound):
    """Counts in points, and says that they are pixels."""

    @property
    def info(self) -> DeviceInfo:
        return replace(super().info, density=1.0)

    def dump_hierarchy(self) -> bytes:
        return _BOUNDS.sub(lambda at: b"[%d,%d]" % (int(at[1]) // 3, int(at[2]) // 3), super().dump_hierarchy())


class Thumbnail(Sound):
    """Gives a picture in the place of the screen, and the same way up whichever way that is."""

    def screenshot(self) -> bytes:
        return LITTLE_PNG


class Dizzy(Sound):
    """Says that the screen is the other way up."""

    def orientation(self) -> Orientation:
        return "landscape" if super().orientation() == "portrait" else "portrait"


class Sleepy(Sound):
    """Gives what it saw first, over and over."""

    seen: bytes = b""

    def dump_hierarchy(self) -> bytes:
        self.seen = self.seen or super().dump_hierarchy()
        return self.seen


class Wordless(Sound):
    """Knows who asks for a permission, and not how to answer."""

    @property
    def system_dialogs(self) -> SystemDialogs:
        known = super().system_dialogs
        return SystemDialogs(known.permission_packages, packages=known.packages)


class Numb(Sound):
    """Cannot touch anything."""

    def tap(self, point: Point) -> None:
        raise RuntimeError("no finger")

    def double_tap(self, point: Point) -> None:
        raise RuntimeError("no finger")

    def long_press(self, point: Point, seconds: float) -> None:
        raise RuntimeError("no finger")

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        raise RuntimeError("no finger")

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        raise RuntimeError("no finger")


class Askew(Sound):
    """Takes pixels for points."""

    def tap(self, point: Point) -> None:
        super().tap(Point(point.x // 3, point.y // 3))


class Hasty(Sound):
    """Says that it touched, wherever it was."""

    def tap(self, point: Point) -> None:
        if point.x >= 0 and point.x < self.info.width:
            super().tap(point)


class Clumsy(Sound):
    """Two fingers that do whatever they were asked to, or nothing at all."""

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        if scale >= 1.5:
            raise UsageError("too far")


class Critical(Sound):
    """Audits, and does not say what is wrong."""

    @property
    def capabilities(self) -> Capability:
        return super().capabilities | Capability.AUDIT

    def accessibility_audit(self) -> tuple[AuditIssue, ...]:
        return (AuditIssue("", ""),)


class Content(Sound):
    """Finds nothing, without a look."""

    def accessibility_audit(self) -> tuple[AuditIssue, ...]:
        return ()


class Mumbling(Sound):
    """Refuses keys without a word of which."""

    def press_key(self, key: Key) -> None:
        if key == "volume_up":
            raise Unsupported("not this one", capability="keys")
        super().press_key(key)


class Tongueless(Sound):
    """The same of another key."""

    def press_key(self, key: Key) -> None:
        if key == "tab":
            raise Unsupported("not this one", capability="keys")
        super().press_key(key)


class Obliging(Sound):
    """Presses what there is not, and not what there is."""

    def press_key(self, key: Key) -> None:
        return None


class Careless(Sound):
    """Types through a shell word, and has the breaks of lines fall under the table."""

    def type_text(self, text: str) -> None:
        super().type_text(text.replace("'", "").replace("\n", " "))


class Prudish(Sound):
    """Knows the alphabet, and nothing else."""

    def check_typeable(self, text: str) -> None:
        if not text.isascii():
            raise UsageError("no such letter")

    def check_field_takes(self, text: str) -> None:
        raise UsageError("nothing goes in here")


class Lenient(Sound):
    """Takes any text, and types it wherever it may be."""

    def check_typeable(self, text: str) -> None:
        return None

    def type_text(self, text: str) -> None:
        try:
            super().type_text(text)
        except UsageError:
            return


class Overwriting(Sound):
    """Begins with an empty field each time."""

    def type_text(self, text: str) -> None:
        super().clear_text()
        super().type_text(text)


class Upright(Sound):
    """Leaves the keyboard where it is."""

    def hide_keyboard(self) -> None:
        return None


class Stiff(Sound):
    """Says that it turned, whatever it was asked for."""

    def rotate(self, orientation: Orientation) -> None:
        return None


class Messy(Sound):
    """Leaves everything as it is, and is surprised by it."""

    turned = False

    def rotate(self, orientation: Orientation) -> None:
        self.turned = True
        super().rotate(orientation)

    def restore_settings(self) -> None:
        if not self.turned:
            raise RuntimeError("nothing to put back")


class Nervous(Sound):
    """Sends the screen to sleep once it is awake."""

    def wake(self) -> None:
        raise RuntimeError("it is awake")
