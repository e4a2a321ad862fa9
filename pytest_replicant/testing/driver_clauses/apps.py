"""Clauses about apps."""

from __future__ import annotations

from ...drivers.base import Capability
from ...errors import UsageError
from .clause import Clause, Scene, must, refuses

ABSENT = "dev.replicant.not.installed"


def _launch_brings_to_front(scene: Scene) -> None:
    scene.front()
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')


def _launching_again_is_fine(scene: Scene) -> None:
    scene.front()
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_in_front().app == scene.app, f"{scene.app} in front")


def _launching_what_is_not_there(scene: Scene) -> None:
    scene.front()
    error = refuses(lambda: scene.driver.launch(ABSENT, None, ()), UsageError, "launching what is not installed")
    must(ABSENT in str(error), f"the error does not name {ABSENT}: {error}")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a launch that failed brought {front} to the front")


def _stop_stops(scene: Scene) -> None:
    scene.front()
    scene.driver.stop(scene.app)
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "stopped", 'the status "stopped"')
    scene.driver.stop(scene.app)


def _home_puts_behind(scene: Scene) -> None:
    scene.front()
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')


def _launching_what_is_behind(scene: Scene) -> None:
    scene.front()
    pids = scene.driver.pids(scene.app)
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')
    must(scene.driver.pids(scene.app) == pids, "launching an app that runs has started it anew")


def _what_is_not_there_is_stopped(scene: Scene) -> None:
    status = scene.driver.app_status(ABSENT)
    must(status == "stopped", f"an app that is not installed is {status!r}")


def _clear_data(scene: Scene) -> None:
    scene.front()
    scene.driver.clear_data(scene.app)
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "stopped", 'the status "stopped"')
    refuses(lambda: scene.driver.clear_data(ABSENT), UsageError, "clear_data of what is not installed")


APPS = (
    Clause("launch", "launch brings an app to the front", _launch_brings_to_front),
    Clause("launch-again", "launching an app that is in front is fine", _launching_again_is_fine),
    Clause("launch-absent", "launching what is not installed is a UsageError", _launching_what_is_not_there),
    Clause("stop", "stop ends an app, and may be called again", _stop_stops),
    Clause("home", "the home key puts an app behind", _home_puts_behind),
    Clause("launch-behind", "launch brings back what runs", _launching_what_is_behind, Capability.CRASHES),
    Clause("status-absent", "what is not installed is stopped", _what_is_not_there_is_stopped),
    Clause("clear-data", "clear_data stops the app", _clear_data, Capability.CLEAR_DATA),
)
