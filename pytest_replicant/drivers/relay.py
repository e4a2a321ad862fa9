"""``Relayed``: a driver whose methods all go through one. ``Relay``: the same, in front of another
driver. ``log_of``: a phone's log by the contract, also if each line is given once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from operator import methodcaller
from typing import Any, NamedTuple, TypeVar, cast

from ..model import AnyMapping, AuditIssue, NodeText
from .base import (
    Appearance,
    AppInFront,
    Capability,
    CrashLog,
    DeviceInfo,
    Driver,
    FocusedField,
    LogMark,
    ShellOutput,
    SystemDialogs,
    Traits,
)


class Kind(Enum):
    """How calls of a method are found on a tape when their order is not the recorded one.

    - ``SEND``: may change what the phone shows. The next one that was recorded has to be this one
    - ``READ``: shows one moment: the next one of the same, up to the next ``SEND``
    - ``FACT``: as a read; between two equal answers it has not changed
    - ``STATIC``: the same at any time
    - ``PICTURE``: a read that may have been left out of the recording
    - ``FREE``: has no effect that a test sees
    """

    SEND = auto()
    READ = auto()
    FACT = auto()
    STATIC = auto()
    PICTURE = auto()
    FREE = auto()


class Method(NamedTuple):
    """``answer`` is the annotation of what it returns; ``bytes`` are a blob. ``points`` are its
    first arguments: one for a touch, two for a way."""

    kind: Kind
    answer: Any = None
    points: int = 0


METHODS: dict[str, Method] = {}
"""Every method of ``Driver`` that a session calls, as ``Relayed`` has them."""
F = TypeVar("F", bound=Callable[..., Any])


def _relayed(verb: F, method: Method) -> F:
    name = verb.__name__
    METHODS[name] = method

    def ask(self: Relayed, *args: Any, **named: Any) -> Any:
        return self._ask(name, args, named)

    return cast(F, ask)


def _send(verb: F, answer: Any = None, points: int = 0) -> F:
    return _relayed(verb, Method(Kind.SEND, answer, points))


def _read(verb: F, answer: Any) -> F:
    return _relayed(verb, Method(Kind.READ, answer))


def _fact(verb: F, answer: Any) -> F:
    return _relayed(verb, Method(Kind.FACT, answer))


class Relayed(Driver):
    """All that a session asks of a driver, by the name of the method. The rest of ``Driver`` is for
    what holds the phone."""

    @abstractmethod
    def _ask(self, verb: str, args: Sequence[Any], named: AnyMapping) -> Any:
        """What the method ``verb`` of ``Driver`` does."""

    dump_hierarchy = _read(Driver.dump_hierarchy, bytes)
    true_texts = _read(Driver.true_texts, tuple[NodeText, ...])
    tap = _send(Driver.tap, points=1)
    double_tap = _send(Driver.double_tap, points=1)
    long_press = _send(Driver.long_press, points=1)
    swipe = _send(Driver.swipe, points=2)
    drag = _send(Driver.drag, points=2)
    pinch = _send(Driver.pinch)
    check_typeable = _relayed(Driver.check_typeable, Method(Kind.STATIC))
    check_field_takes = _relayed(Driver.check_field_takes, Method(Kind.STATIC))
    type_text = _send(Driver.type_text)
    clear_text = _send(Driver.clear_text)
    replace_text = _send(Driver.replace_text)
    focused_field = _fact(Driver.focused_field, FocusedField | None)
    keyboard_shown = _fact(Driver.keyboard_shown, bool)
    press_key = _send(Driver.press_key)
    hide_keyboard = _send(Driver.hide_keyboard)
    screenshot = _relayed(Driver.screenshot, Method(Kind.PICTURE, bytes | None))
    appearance = _fact(Driver.appearance, Appearance)
    launch = _send(Driver.launch)
    cold_start = _send(Driver.cold_start, AppInFront | None)
    stop = _send(Driver.stop)
    clear_data = _send(Driver.clear_data)
    app_in_front = _fact(Driver.app_in_front, AppInFront)
    is_drawn = _fact(Driver.is_drawn, bool)
    app_status = _fact(Driver.app_status, str)
    open_url = _send(Driver.open_url)
    last_toast = _fact(Driver.last_toast, str | None)
    clear_toasts = _relayed(Driver.clear_toasts, Method(Kind.FREE))
    log_mark = _read(Driver.log_mark, LogMark)
    logs = _read(Driver.logs, bytes)
    crashes = _read(Driver.crashes, CrashLog)
    pids = _fact(Driver.pids, tuple[int, ...])
    accessibility_audit = _read(Driver.accessibility_audit, tuple[AuditIssue, ...])
    installed = _fact(Driver.installed, bool)
    install = _send(Driver.install)
    uninstall = _send(Driver.uninstall)
    permissions = _fact(Driver.permissions, Mapping[str, bool])
    set_permission = _send(Driver.set_permission)
    push_file = _send(Driver.push_file)
    pull_file = _fact(Driver.pull_file, bytes)
    rotate = _send(Driver.rotate)
    orientation = _fact(Driver.orientation, str)
    wake = _send(Driver.wake)
    reconnect = _send(Driver.reconnect)
    shell = _send(Driver.shell, ShellOutput)


class Relay(Relayed):
    """In front of ``driver``, which answers. A derived one does something about each call."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def _ask(self, verb: str, args: Sequence[Any], named: AnyMapping) -> Any:
        return methodcaller(verb, *args, **named)(self._driver)

    @property
    def uri(self) -> str:
        return self._driver.uri

    @property
    def info(self) -> DeviceInfo:
        return self._driver.info

    @property
    def capabilities(self) -> Capability:
        return self._driver.capabilities

    @property
    def system_dialogs(self) -> SystemDialogs:
        return self._driver.system_dialogs

    @property
    def traits(self) -> Traits:
        return self._driver.traits

    def notices(self) -> Sequence[str]:
        return self._driver.notices()

    def is_locked(self) -> bool:
        return self._driver.is_locked()

    def restore_settings(self) -> None:
        self._driver.restore_settings()

    def close(self) -> None:
        self._driver.close()


@dataclass
class DrainedLog:
    """The log of a driver with the trait ``log_drains``: all that it gave since this was made."""

    driver: Driver
    _lines: list[str] = field(default_factory=list)

    def log_mark(self) -> LogMark:
        self._lines += self.driver.logs()
        return LogMark(f"line {len(self._lines)}", last=self._lines[-1] if self._lines else "")

    def logs(self, since: LogMark | None = None, buffers: Sequence[str] = ()) -> list[str]:
        self._lines += self.driver.logs(buffers=buffers)
        first = since.moment.removeprefix("line ") if since is not None else "0"
        return self._lines[int(first) :]


def log_of(driver: Driver) -> Driver | DrainedLog:
    """What gives the log and its marks, for one who reads it over and over."""
    return DrainedLog(driver) if driver.traits.log_drains else driver
