"""Clauses about apps."""

from __future__ import annotations

from ...drivers import Capability
from ...errors import UsageError
from .clause import Clause, Scene, must, refuses
from .typing import focus

ABSENT = "dev.replicant.not.installed"
NOBODYS = "replicant-nobodys://nowhere"


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


def _what_is_behind_is_kept(scene: Scene) -> None:
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text("kept")
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')
    scene.wait_for(lambda: b"kept" in scene.driver.dump_hierarchy(), "what was typed before")


def _links_are_opened(scene: Scene) -> None:
    link = scene.link
    if link is None:
        raise AssertionError("there is no link to open")
    for app in (None, scene.app):
        scene.driver.stop(scene.app)
        scene.driver.open_url(link, app)
        scene.wait_for(lambda: scene.driver.app_in_front().app == scene.app, f"{scene.app} in front, by {link}")


def _links_that_nobody_opens(scene: Scene) -> None:
    scene.front()
    refuses(lambda: scene.driver.open_url(NOBODYS, None), UsageError, f"opening {NOBODYS}")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a link that no app opens brought {front} to the front")


def _links_that_an_app_does_not_open(scene: Scene) -> None:
    scene.front()
    link = scene.link or NOBODYS
    refuses(lambda: scene.driver.open_url(link, ABSENT), UsageError, f"opening {link} in what is not installed")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a link for an app that is not there brought {front} to the front")


def _activities_have_names(scene: Scene) -> None:
    scene.front()
    activity = scene.driver.app_in_front().activity
    must(bool(activity), f"{scene.app} is in front, and no activity")
    scene.driver.stop(scene.app)
    scene.driver.launch(scene.app, activity, ())
    scene.wait_for(lambda: scene.driver.app_in_front().activity == activity, f"{activity} in front")
    refuses(lambda: scene.driver.launch(scene.app, ".NoSuchActivity", ()), UsageError, "an unknown activity")


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
    Clause("launch-keeps", "launch brings an app back as it was left", _what_is_behind_is_kept, needs_field=True),
    Clause("open-url", "open_url opens a link's app", _links_are_opened, Capability.OPEN_URL, needs_link=True),
    Clause(
        "open-url-absent",
        "a link is not opened in another app than was named",
        _links_that_an_app_does_not_open,
        Capability.OPEN_URL,
        needs_link=True,
    ),
    Clause(
        "open-url-nowhere",
        "a link that no app opens is a UsageError",
        _links_that_nobody_opens,
        Capability.OPEN_URL,
    ),
    Clause(
        "activity",
        "the activity in front has a name, by which it can be started",
        _activities_have_names,
        Capability.CURRENT_ACTIVITY,
    ),
    Clause("status-absent", "what is not installed is stopped", _what_is_not_there_is_stopped),
    Clause("clear-data", "clear_data stops the app", _clear_data, Capability.CLEAR_DATA),
)
