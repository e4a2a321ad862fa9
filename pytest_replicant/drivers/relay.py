"""``Relayed``: a driver whose methods all go through one. ``Relay``: the same, in front of another driver."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from typing import Any, TypeVar, cast

from .base import Capability, DeviceInfo, Driver, SystemDialogs, Traits

F = TypeVar("F", bound=Callable[..., Any])


def _relayed(verb: F) -> F:
    name = verb.__name__

    def ask(self: Relayed, *args: Any, **named: Any) -> Any:
        return self._ask(name, args, named)

    return cast(F, ask)


class Relayed(Driver):
    """All that a session asks of a driver, by the name of the method. The rest of ``Driver`` is for whoever holds
    the phone."""

    @abstractmethod
    def _ask(self, verb: str, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """What the method ``verb`` of ``Driver`` does."""

    dump_hierarchy = _relayed(Driver.dump_hierarchy)
    true_texts = _relayed(Driver.true_texts)
    tap = _relayed(Driver.tap)
    double_tap = _relayed(Driver.double_tap)
    long_press = _relayed(Driver.long_press)
    swipe = _relayed(Driver.swipe)
    drag = _relayed(Driver.drag)
    pinch = _relayed(Driver.pinch)
    check_typeable = _relayed(Driver.check_typeable)
    check_field_takes = _relayed(Driver.check_field_takes)
    type_text = _relayed(Driver.type_text)
    clear_text = _relayed(Driver.clear_text)
    replace_text = _relayed(Driver.replace_text)
    focused_field = _relayed(Driver.focused_field)
    keyboard_shown = _relayed(Driver.keyboard_shown)
    press_key = _relayed(Driver.press_key)
    hide_keyboard = _relayed(Driver.hide_keyboard)
    screenshot = _relayed(Driver.screenshot)
    appearance = _relayed(Driver.appearance)
    launch = _relayed(Driver.launch)
    cold_start = _relayed(Driver.cold_start)
    stop = _relayed(Driver.stop)
    clear_data = _relayed(Driver.clear_data)
    app_in_front = _relayed(Driver.app_in_front)
    is_drawn = _relayed(Driver.is_drawn)
    app_status = _relayed(Driver.app_status)
    open_url = _relayed(Driver.open_url)
    last_toast = _relayed(Driver.last_toast)
    clear_toasts = _relayed(Driver.clear_toasts)
    log_mark = _relayed(Driver.log_mark)
    logs = _relayed(Driver.logs)
    crashes = _relayed(Driver.crashes)
    pids = _relayed(Driver.pids)
    accessibility_audit = _relayed(Driver.accessibility_audit)
    installed = _relayed(Driver.installed)
    install = _relayed(Driver.install)
    uninstall = _relayed(Driver.uninstall)
    permissions = _relayed(Driver.permissions)
    set_permission = _relayed(Driver.set_permission)
    push_file = _relayed(Driver.push_file)
    pull_file = _relayed(Driver.pull_file)
    rotate = _relayed(Driver.rotate)
    orientation = _relayed(Driver.orientation)
    wake = _relayed(Driver.wake)
    reconnect = _relayed(Driver.reconnect)
    shell = _relayed(Driver.shell)


class Relay(Relayed):
    """In front of ``driver``, which answers. A derived one does something about each call."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def _ask(self, verb: str, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
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
