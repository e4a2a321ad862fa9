"""Clauses about the end."""

from __future__ import annotations

import threading
from dataclasses import replace

from ...errors import DeviceError
from ...model import Point
from .clause import Clause, Scene, must, refuses
from .typing import expect_text, focus

_CONNECTIONS = 8


def _closing_twice(scene: Scene) -> None:
    driver = scene.connect()
    driver.close()
    driver.close()


def _a_closed_driver_does_nothing(scene: Scene) -> None:
    driver = scene.connect()
    driver.close()
    refuses(driver.dump_hierarchy, DeviceError, "a dump on a closed driver")


def _no_thread_is_left(scene: Scene) -> None:
    _connect_and_dump(scene)  # whatever a process starts once and keeps is there from now on
    before = threading.active_count()
    for _ in range(_CONNECTIONS):
        _connect_and_dump(scene)
    scene.wait_for(lambda: threading.active_count() < before + _CONNECTIONS, "the end of the drivers' threads")


def _connect_and_dump(scene: Scene) -> None:
    driver = scene.connect()
    try:
        driver.dump_hierarchy()
    finally:
        driver.close()


def _the_phone_is_there_for_the_next(scene: Scene) -> None:
    scene.connect().close()
    _connect_and_dump(scene)


def _others_leave_the_app_alone(scene: Scene) -> None:
    scene.front()
    front = scene.driver.app_in_front()
    driver = scene.connect()
    must(driver.app_in_front() == front, f"connecting left {front.app} for {driver.app_in_front().app}")
    driver.close()
    after = scene.driver.app_in_front()
    must(after == front, f"closing left {front.app} for {after.app}")


def _taking_hold_again_changes_nothing(scene: Scene) -> None:
    driver = scene.connect()
    try:
        own = replace(scene, driver=driver)
        focus(own)
        driver.clear_text()
        driver.type_text("kept")
        driver.reconnect(scene.patience)
        expect_text(own, "kept")
        driver.type_text(" and more")
        expect_text(own, "kept and more")
    finally:
        driver.close()


def _taking_hold_again(scene: Scene) -> None:
    driver = scene.connect()
    try:
        driver.reconnect(scene.patience)
        driver.dump_hierarchy()
        driver.reconnect(scene.patience)
        driver.tap(Point(driver.info.width // 2, 2))
    finally:
        driver.close()
    refuses(lambda: driver.reconnect(scene.patience), DeviceError, "reconnecting a closed driver")


CLOSING = (
    Clause("reconnect", "a sound connection may be made anew, a closed one not", _taking_hold_again),
    Clause(
        "reconnect-keeps",
        "after reconnect the app is as it was, and goes on",
        _taking_hold_again_changes_nothing,
        needs_field=True,
    ),
    Clause("leaves-alone", "connecting and closing leave the app in front", _others_leave_the_app_alone),
    Clause("close-twice", "close may be called twice", _closing_twice),
    Clause("closed", "a closed driver raises DeviceError", _a_closed_driver_does_nothing),
    Clause("no-threads", "close leaves no thread behind", _no_thread_is_left),
    Clause("next", "the phone is there for the next driver", _the_phone_is_there_for_the_next),
)
