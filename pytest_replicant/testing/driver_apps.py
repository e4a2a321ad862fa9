"""Clauses about apps: launching, packages, permissions, processes, logs, commands and files."""

from __future__ import annotations

import tempfile
import time
from functools import partial
from pathlib import Path

from ..drivers import Capability
from ..errors import DeviceError, DeviceTimeout, UsageError
from ..logs import read_deaths
from .contract import DriverClause, DriverScene, Installable, must, refuses
from .driver_screen import focus

ABSENT = "dev.replicant.not.installed"
UNHANDLED_LINK = "replicant-unhandled://nowhere"


def _launch_brings_to_front(scene: DriverScene) -> None:
    scene.front()
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')


def _launching_again_is_fine(scene: DriverScene) -> None:
    scene.front()
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_in_front().app == scene.app, f"{scene.app} in front")


def _launching_what_is_not_there(scene: DriverScene) -> None:
    scene.front()
    error = refuses(lambda: scene.driver.launch(ABSENT, None, ()), UsageError, "launching an absent app")
    must(ABSENT in str(error), f"the error does not name {ABSENT}: {error}")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a launch that failed brought {front} to the front")


def _stop_stops(scene: DriverScene) -> None:
    scene.front()
    scene.driver.stop(scene.app)
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "stopped", 'the status "stopped"')
    scene.driver.stop(scene.app)


def _home_puts_behind(scene: DriverScene) -> None:
    scene.front()
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')


def _launching_what_is_behind(scene: DriverScene) -> None:
    scene.front()
    pids = scene.driver.pids(scene.app)
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')
    must(scene.driver.pids(scene.app) == pids, "launching an app that runs has restarted it")


def _what_is_behind_is_kept(scene: DriverScene) -> None:
    focus(scene)
    scene.driver.clear_text()
    scene.driver.type_text("kept")
    scene.driver.press_key("home")
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "background", 'the status "background"')
    scene.driver.launch(scene.app, None, ())
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "foreground", 'the status "foreground"')
    scene.wait_for(lambda: b"kept" in scene.driver.dump_hierarchy(), "what was typed before")


def _links_are_opened(scene: DriverScene) -> None:
    link = scene.link
    if link is None:
        raise AssertionError("there is no link to open")
    for app in (None, scene.app):
        scene.driver.stop(scene.app)
        scene.driver.open_url(link, app)
        scene.wait_for(lambda: scene.driver.app_in_front().app == scene.app, f"{scene.app} in front, by {link}")


def _unhandled_links(scene: DriverScene) -> None:
    scene.front()
    refuses(lambda: scene.driver.open_url(UNHANDLED_LINK, None), UsageError, f"opening {UNHANDLED_LINK}")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a link that no app opens brought {front} to the front")


def _links_that_an_app_does_not_open(scene: DriverScene) -> None:
    scene.front()
    link = scene.link or UNHANDLED_LINK
    refuses(lambda: scene.driver.open_url(link, ABSENT), UsageError, f"opening {link} in an absent app")
    front = scene.driver.app_in_front().app
    must(front == scene.app, f"a link for an app that is not there brought {front} to the front")


def _activities_have_names(scene: DriverScene) -> None:
    scene.front()
    activity = scene.driver.app_in_front().activity
    must(bool(activity), f"{scene.app} is in front, and no activity")
    scene.driver.stop(scene.app)
    scene.driver.launch(scene.app, activity, ())
    scene.wait_for(lambda: scene.driver.app_in_front().activity == activity, f"{activity} in front")
    refuses(lambda: scene.driver.launch(scene.app, ".NoSuchActivity", ()), UsageError, "an unknown activity")


def _what_is_not_there_is_stopped(scene: DriverScene) -> None:
    status = scene.driver.app_status(ABSENT)
    must(status == "stopped", f"an app that is not installed is {status!r}")


def _clear_data(scene: DriverScene) -> None:
    scene.front()
    scene.driver.clear_data(scene.app)
    scene.wait_for(lambda: scene.driver.app_status(scene.app) == "stopped", 'the status "stopped"')
    refuses(lambda: scene.driver.clear_data(ABSENT), UsageError, "clear_data of an absent app")


APPS = (
    DriverClause("launch", "launch brings an app to the front", _launch_brings_to_front),
    DriverClause("launch-again", "launching an app that is in front is fine", _launching_again_is_fine),
    DriverClause("launch-absent", "launching an absent app is a UsageError", _launching_what_is_not_there),
    DriverClause("stop", "stop ends an app, and may be called again", _stop_stops),
    DriverClause("home", "the home key puts an app behind", _home_puts_behind),
    DriverClause("launch-behind", "launch brings back what runs", _launching_what_is_behind, Capability.CRASHES),
    DriverClause(
        "launch-keeps", "launch brings an app back as it was left", _what_is_behind_is_kept, needs_field=True
    ),
    DriverClause(
        "open-url", "open_url opens a link's app", _links_are_opened, Capability.OPEN_URL, needs_link=True
    ),
    DriverClause(
        "open-url-absent",
        "a link is not opened in another app than was named",
        _links_that_an_app_does_not_open,
        Capability.OPEN_URL,
        needs_link=True,
    ),
    DriverClause(
        "open-url-nowhere",
        "a link that no app opens is a UsageError",
        _unhandled_links,
        Capability.OPEN_URL,
    ),
    DriverClause(
        "activity",
        "the activity in front has a name, by which it can be started",
        _activities_have_names,
        Capability.CURRENT_ACTIVITY,
    ),
    DriverClause("status-absent", "an app that is not installed is stopped", _what_is_not_there_is_stopped),
    DriverClause("clear-data", "clear_data stops the app", _clear_data, Capability.CLEAR_DATA),
)


def _knows_what_is_installed(scene: DriverScene) -> None:
    must(scene.driver.installed(scene.app), f"{scene.app} is not installed")
    must(not scene.driver.installed(ABSENT), f"{ABSENT} is installed")


def _what_is_no_package(scene: DriverScene) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "notes.apk"
        text.write_text("no package")
        for path in (text, Path(folder), Path(folder) / "missing.apk"):
            error = refuses(partial(scene.driver.install, path), UsageError, f"installing {path.name}")
            must(path.name in str(error), f"the error does not name {path.name}: {error}")


def _uninstalling_what_is_not_there(scene: DriverScene) -> None:
    error = refuses(lambda: scene.driver.uninstall(ABSENT), UsageError, "uninstalling an absent app")
    must(ABSENT in str(error), f"the error does not name {ABSENT}: {error}")


def _comes_and_goes(scene: DriverScene) -> None:
    package = _package(scene)
    must(not scene.driver.installed(package.app), f"{package.app} is on the phone already")
    scene.driver.install(package.path)
    must(scene.driver.installed(package.app), f"{package.app} is not there after install")
    scene.driver.install(str(package.path))  # an update
    scene.driver.uninstall(package.app)
    must(not scene.driver.installed(package.app), f"{package.app} is still there after uninstall")


def _permissions_are_set(scene: DriverScene) -> None:
    package = _package(scene)
    scene.driver.install(package.path)
    try:
        before = dict(scene.driver.permissions(package.app))
        for granted in (True, False, True):
            scene.driver.set_permission(package.app, package.permission, granted)
            now = scene.driver.permissions(package.app)
            must(granted in now.values(), f"after set_permission({granted}) the permissions are {dict(now)}")
            for name in now:  # by the platform's own names, too
                scene.driver.set_permission(package.app, name, granted)
            now = scene.driver.permissions(package.app)
            must(set(now.values()) == {granted}, f"after set_permission({granted}) of each: {dict(now)}")
        scene.driver.restore_settings()
        after = dict(scene.driver.permissions(package.app))
        must(after == before, f"restore_settings left {after}, and there was {before}")
    finally:
        scene.driver.uninstall(package.app)


def _permissions_that_are_none(scene: DriverScene) -> None:
    for name in ("no such permission", "", "$(reboot)"):
        refuses(
            partial(scene.driver.set_permission, scene.app, name, True),
            UsageError,
            f"permission {name!r}",
        )
    refuses(lambda: scene.driver.set_permission(ABSENT, "camera", True), UsageError, "a permission of no app")


def _package(scene: DriverScene) -> Installable:
    if scene.installable is None:
        raise AssertionError("there is no package to install")
    return scene.installable


INSTALLING = (
    DriverClause(
        "installed", "a driver knows which apps are installed", _knows_what_is_installed, Capability.INSTALL
    ),
    DriverClause("install-nothing", "no package is a UsageError", _what_is_no_package, Capability.INSTALL),
    DriverClause(
        "uninstall-absent",
        "uninstalling an absent app is a UsageError",
        _uninstalling_what_is_not_there,
        Capability.INSTALL,
    ),
    DriverClause(
        "install",
        "install puts an app there, uninstall removes it",
        _comes_and_goes,
        Capability.INSTALL,
        needs_package=True,
    ),
    DriverClause(
        "permissions",
        "permissions are set, read and put back",
        _permissions_are_set,
        Capability.INSTALL | Capability.PERMISSIONS,
        needs_package=True,
    ),
    DriverClause(
        "permission-unknown",
        "a permission that is none is a UsageError",
        _permissions_that_are_none,
        Capability.PERMISSIONS,
    ),
)


def _processes_come_and_go(scene: DriverScene) -> None:
    scene.front()
    pids = scene.driver.pids(scene.app)
    must(len(pids) > 0, f"{scene.app} is in front, and has no process")
    found = scene.driver.crashes(None, scene.app).pids
    must(found == pids, f"crashes says that the processes are {found}, pids says {pids}")
    scene.driver.stop(scene.app)
    scene.wait_for(lambda: scene.driver.pids(scene.app) == (), "the process's end")
    found = scene.driver.crashes(None, scene.app).pids
    must(found == (), f"an app that was stopped has the processes {found}")


def _what_is_not_there_has_no_process(scene: DriverScene) -> None:
    must(scene.driver.pids(ABSENT) == (), "an app that is not installed has a process")
    scene.front()
    found = scene.driver.crashes(None).pids
    must(found == (), f"asked about no app, crashes gives the processes {found}")


def _what_was_stopped_has_not_crashed(scene: DriverScene) -> None:
    scene.front()
    mark = scene.driver.log_mark()
    scene.driver.stop(scene.app)
    found = scene.driver.crashes(mark, scene.app)
    deaths = [str(one) for one in read_deaths(found.lines, scene.driver.info.platform) if one.is_of(scene.app)]
    must(deaths == [], f"an app that was stopped is reported to have died: {deaths}")


def _a_reading_ends_where_the_next_begins(scene: DriverScene) -> None:
    scene.front()
    first = scene.driver.crashes(None)
    must(all("\n" not in line for line in first.lines), "an entry is no single line")
    again = scene.driver.crashes(first.until)
    must(
        not first.lines or again.lines != first.lines,
        f"read again from its end on, it says the same: {again.lines}",
    )


DYING = (
    DriverClause(
        "pids", "a running app has processes, a stopped one none", _processes_come_and_go, Capability.CRASHES
    ),
    DriverClause("pids-absent", "no app, no process", _what_is_not_there_has_no_process, Capability.CRASHES),
    DriverClause(
        "stop-is-no-crash", "stop is reported as no death", _what_was_stopped_has_not_crashed, Capability.CRASHES
    ),
    DriverClause(
        "crashes",
        "a reading ends where the next begins",
        _a_reading_ends_where_the_next_begins,
        Capability.CRASHES,
    ),
)


_CONTENTS = (b"", b"plain\n", bytes(range(256)) * 1025, b"\0\r\n\x1a")  # the third is longer than one portion
_NAME = "replicant check's (file).bin"


def _content_arrives_exactly(scene: DriverScene) -> None:
    remote = f"{scene.folder}/{_NAME}"
    try:
        for content in _CONTENTS:
            scene.driver.push_file(content, remote)
            back = scene.driver.pull_file(remote)
            must(back == content, f"{len(content)} bytes went there, {len(back)} others came back")
        with tempfile.TemporaryDirectory() as folder:
            local = Path(folder) / "local"
            local.write_bytes(b"from a file")
            for path in (local, str(local)):
                scene.driver.push_file(path, remote)
                must(scene.driver.pull_file(remote) == b"from a file", "a local file did not arrive")
    finally:
        _remove(scene, remote)


def _files_that_are_not_there(scene: DriverScene) -> None:
    missing = f"{scene.folder}/replicant-no-such-file"
    error = refuses(lambda: scene.driver.pull_file(missing), UsageError, "pulling an absent file")
    must(missing in str(error), f"the error does not name {missing}: {error}")
    refuses(lambda: scene.driver.push_file(Path("/no/such/file"), missing), UsageError, "pushing an absent file")
    refuses(lambda: scene.driver.pull_file(missing), UsageError, "pulling a file that was not pushed")


def _paths_that_are_none(scene: DriverScene) -> None:
    for remote in ("", "relative", f"{scene.folder}/nul\0", f"{scene.folder}/"):
        refuses(partial(scene.driver.push_file, b"x", remote), (UsageError, DeviceError), f"push to {remote!r}")
    refuses(lambda: scene.driver.pull_file(scene.folder), (UsageError, DeviceError), "pulling a folder")


def _remove(scene: DriverScene, remote: str) -> None:
    if Capability.SHELL in scene.driver.capabilities:
        scene.driver.shell(["rm", "-f", remote], 10.0)


FILES = (
    DriverClause("files", "a file arrives and comes back exactly", _content_arrives_exactly, Capability.FILES),
    DriverClause(
        "files-absent", "a file that is not there is a UsageError", _files_that_are_not_there, Capability.FILES
    ),
    DriverClause("files-nowhere", "a path of no file is an error", _paths_that_are_none, Capability.FILES),
)


_WORDS = ["it's", "a  b", "$HOME", "*", "", "日本語", "x;y"]
_LONGER_THAN_ASKED = 3.0  # seconds, generously


def _cleared_toasts_are_gone(scene: DriverScene) -> None:
    scene.driver.clear_toasts()
    toast = scene.driver.last_toast()
    must(toast is None, f"a toast after clear_toasts: {toast!r}")


def _logs_are_lines(scene: DriverScene) -> None:
    lines = scene.driver.logs()
    must(isinstance(lines, list) and len(lines) > 0, "the log is empty")
    must(all(isinstance(line, str) and "\n" not in line for line in lines), "an entry is no single line")


def _a_mark_is_where_a_log_begins(scene: DriverScene) -> None:
    scene.front()
    whole = scene.driver.logs()
    mark = scene.driver.log_mark()
    fresh = scene.driver.logs(mark)
    must(len(fresh) < len(whole), f"{len(fresh)} lines since now, {len(whole)} in all")
    must(len(scene.driver.logs()) >= len(fresh), "the whole log is shorter than its end")


def _commands_end_with_a_code(scene: DriverScene) -> None:
    ended = scene.driver.shell("echo out; echo err >&2; exit 7", 10.0)
    must(ended.stdout == "out\n", f"standard output is {ended.stdout!r}")
    must(ended.stderr == "err\n", f"standard error is {ended.stderr!r}")
    must(ended.exit_code == 7, f"the exit code is {ended.exit_code}")


def _words_arrive_as_they_are(scene: DriverScene) -> None:
    for word in _WORDS:
        ended = scene.driver.shell(["printf", "%s|", word, "end"], 10.0)
        must(ended.stdout == f"{word}|end|", f"{word!r} arrived as {ended.stdout!r}")


def _a_command_that_does_not_end(scene: DriverScene) -> None:
    began = time.monotonic()
    refuses(lambda: scene.driver.shell(["sleep", "30"], 0.2), DeviceTimeout, "a command that does not end")
    spent = time.monotonic() - began
    must(spent < _LONGER_THAN_ASKED, f"a limit of 0.2 s took {spent:.1f} s")


READING = (
    DriverClause("toasts", "clear_toasts forgets the last toast", _cleared_toasts_are_gone, Capability.TOASTS),
    DriverClause("logs", "logs are lines of text", _logs_are_lines, Capability.LOGS),
    DriverClause(
        "log-mark", "a log since now is without what was before", _a_mark_is_where_a_log_begins, Capability.LOGS
    ),
    DriverClause(
        "shell", "a command has two outputs and an exit code", _commands_end_with_a_code, Capability.SHELL
    ),
    DriverClause(
        "shell-words", "a list of words arrives word by word", _words_arrive_as_they_are, Capability.SHELL
    ),
    DriverClause(
        "shell-limit", "a command that does not end is left", _a_command_that_does_not_end, Capability.SHELL
    ),
)
