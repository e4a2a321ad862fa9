"""``check_driver``: whether a driver keeps the contract of ``Driver``, clause by clause, on any
phone.

In a test of your own driver::

    def test_my_driver_keeps_the_contract():
        check_driver(lambda: MyDriver("serial"), app="com.example.app", text_field=Point(540, 800))

or one test a clause, with ``@pytest.mark.parametrize("clause", DRIVER_CLAUSES, ids=str)`` and
``clause.check(scene)``. The clauses here are about apps (launching, packages, permissions,
processes, logs, commands and files), about abilities that a driver lacks, and about its end; those
about the screen are in ``driver_screen``.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from inspect import signature
from operator import methodcaller
from pathlib import Path

from ..drivers import AppInFront, Capability, Driver, log_of
from ..errors import DeviceError, DeviceTimeout, Unsupported, UsageError
from ..logs import read_deaths
from ..model import Point, Rect
from .contract import (
    DriverClause,
    DriverClauses,
    DriverScene,
    Installable,
    Verdict,
    judge,
    must,
    refuses,
)
from .driver_screen import SCREEN, expect_text, write

APPS = DriverClauses()
ABSENT = "dev.replicant.not.installed"
UNHANDLED_LINK = "replicant-unhandled://nowhere"


@APPS.in_front("launch brings an app to the front")
def _launch(scene: DriverScene) -> None:
    scene.await_status("foreground")


@APPS.in_front("launching an app that is in front is fine")
def _launch_again(scene: DriverScene) -> None:
    scene.driver.launch(scene.app, None, ())
    scene.await_front()


@APPS.in_front("launching an absent app is a UsageError")
def _launch_absent(scene: DriverScene) -> None:
    refuses(lambda: scene.driver.launch(ABSENT, None, ()), "launching an absent app", names=ABSENT)
    scene.expect_front("a launch that failed")


@APPS.in_front("a cold start ends the app and starts it", needs=Capability.COLD_START)
def _cold_start(scene: DriverScene) -> None:
    before: list[AppInFront | None] = []
    driver = scene.driver
    front = driver.cold_start(scene.app, None, (), fresh=False, ended=before.append)
    must(len(before) == 1, f"it said {len(before)} times what was in front before")
    must(front is None or front.app == scene.app, f"it says that {front} is in front")
    scene.await_front()

    refuses(
        partial(driver.cold_start, ABSENT, None, (), fresh=False, ended=before.append),
        "a cold start of an absent app",
    )


@APPS.in_front("the activity in front comes to show a window", needs=Capability.DRAWN)
def _drawn(scene: DriverScene) -> None:
    scene.wait_for(
        lambda: scene.driver.is_drawn(scene.driver.app_in_front()),
        "a window of the activity in front",
    )


@APPS.clause("a phone in use is not locked", needs=Capability.LOCK)
def _lock(scene: DriverScene) -> None:
    scene.driver.wake()
    must(not scene.driver.is_locked(), "it is locked")


@APPS.in_front("stop ends an app, and may be called again")
def _stop(scene: DriverScene) -> None:
    has_ended = _end_of(scene)
    scene.driver.stop(scene.app)
    scene.wait_for(has_ended, f'the status "stopped" of {scene.app}')
    scene.driver.stop(scene.app)


def _end_of(scene: DriverScene) -> Callable[[], bool]:
    """Whether the app has ended since. The system may start one of its own again at once, as other
    processes."""
    pids: tuple[int, ...] = ()
    if scene.in_use and Capability.CRASHES in scene.driver.capabilities:
        pids = scene.driver.pids(scene.app)

    def has_ended() -> bool:
        if scene.driver.app_status(scene.app) == "stopped":
            return True
        return pids != () and not _left(scene, pids)

    return has_ended


def _left(scene: DriverScene, pids: tuple[int, ...]) -> tuple[int, ...]:
    """The processes of the app that was stopped; on a phone in use those of before."""
    now = scene.driver.pids(scene.app)
    return tuple(pid for pid in now if pid in pids or not scene.in_use)


@APPS.in_front("the home key puts an app behind")
def _home(scene: DriverScene) -> None:
    scene.leave()


@APPS.in_front("launch brings back what runs", needs=Capability.CRASHES)
def _launch_behind(scene: DriverScene) -> None:
    pids = scene.driver.pids(scene.app)
    scene.leave()
    scene.driver.launch(scene.app, None, ())
    scene.await_status("foreground")
    must(scene.driver.pids(scene.app) == pids, "launching an app that runs has restarted it")


@APPS.clause("launch brings an app back as it was left", needs_field=True, needs_field_first=True)
def _launch_keeps(scene: DriverScene) -> None:
    write(scene, "kept")
    scene.leave()
    scene.driver.launch(scene.app, None, ())
    scene.await_status("foreground")
    scene.wait_for(lambda: b"kept" in scene.driver.dump_hierarchy(), "what was typed before")


@APPS.clause("open_url opens a link's app", needs=Capability.OPEN_URL, needs_link=True)
def _open_url(scene: DriverScene) -> None:
    link = scene.link
    if link is None:
        raise AssertionError("there is no link to open")
    for app in (None, scene.app):
        scene.driver.stop(scene.app)
        scene.driver.open_url(link, app)
        scene.await_front(f", by {link}")


@APPS.in_front("a link that no app opens is a UsageError", needs=Capability.OPEN_URL)
def _open_url_nowhere(scene: DriverScene) -> None:
    refuses(lambda: scene.driver.open_url(UNHANDLED_LINK, None), f"opening {UNHANDLED_LINK}")
    scene.expect_front("a link that no app opens")


@APPS.in_front(
    "a link is not opened in another app than was named", needs=Capability.OPEN_URL, needs_link=True
)
def _open_url_absent(scene: DriverScene) -> None:
    link = scene.link or UNHANDLED_LINK
    refuses(lambda: scene.driver.open_url(link, ABSENT), f"opening {link} in an absent app")
    scene.expect_front("a link for an app that is not there")


@APPS.in_front(
    "the activity in front has a name, by which it can be started",
    needs=Capability.CURRENT_ACTIVITY,
)
def _activity(scene: DriverScene) -> None:
    driver = scene.driver
    activity = driver.app_in_front().activity
    must(bool(activity), f"{scene.app} is in front, and no activity")
    driver.stop(scene.app)
    driver.launch(scene.app, activity, ())
    scene.wait_for(lambda: driver.app_in_front().activity == activity, f"{activity} in front")
    refuses(lambda: driver.launch(scene.app, ".NoSuchActivity", ()), "an unknown activity")


@APPS.clause("an app that is not installed is stopped")
def _status_absent(scene: DriverScene) -> None:
    status = scene.driver.app_status(ABSENT)
    must(status == "stopped", f"an app that is not installed is {status!r}")


@APPS.in_front(
    "clear_data stops the app", needs=Capability.CLEAR_DATA, risk="it would forget the app's data"
)
def _clear_data(scene: DriverScene) -> None:
    scene.driver.clear_data(scene.app)
    scene.await_status("stopped")
    refuses(lambda: scene.driver.clear_data(ABSENT), "clear_data of an absent app")


@APPS.clause("a driver knows which apps are installed", needs=Capability.INSTALL)
def _installed(scene: DriverScene) -> None:
    must(scene.driver.installed(scene.app), f"{scene.app} is not installed")
    must(not scene.driver.installed(ABSENT), f"{ABSENT} is installed")


@APPS.clause("no package is a UsageError", needs=Capability.INSTALL)
def _install_nothing(scene: DriverScene) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "notes.apk"
        text.write_text("no package")
        for path in (text, Path(folder), Path(folder) / "missing.apk"):
            refuses(partial(scene.driver.install, path), f"installing {path.name}", names=path.name)


@APPS.clause("uninstalling an absent app is a UsageError", needs=Capability.INSTALL)
def _uninstall_absent(scene: DriverScene) -> None:
    refuses(lambda: scene.driver.uninstall(ABSENT), "uninstalling an absent app", names=ABSENT)


@APPS.clause(
    "install puts an app there, uninstall removes it", needs=Capability.INSTALL, needs_package=True
)
def _install(scene: DriverScene) -> None:
    driver = scene.driver
    package = _package(scene)
    must(not driver.installed(package.app), f"{package.app} is on the phone already")
    driver.install(package.path)
    must(driver.installed(package.app), f"{package.app} is not there after install")
    driver.install(str(package.path))  # an update
    driver.uninstall(package.app)
    must(not driver.installed(package.app), f"{package.app} is still there after uninstall")


@APPS.clause(
    "permissions are set, read and put back",
    needs=Capability.INSTALL | Capability.PERMISSIONS,
    needs_package=True,
)
def _permissions(scene: DriverScene) -> None:
    driver = scene.driver
    package = _package(scene)
    driver.install(package.path)
    try:
        before = dict(driver.permissions(package.app))
        for granted in (True, False, True):
            driver.set_permission(package.app, package.permission, granted)
            now = driver.permissions(package.app)
            must(
                granted in now.values(),
                f"after set_permission({granted}) the permissions are {dict(now)}",
            )
            for name in now:  # by the platform's own names, too
                driver.set_permission(package.app, name, granted)
            now = driver.permissions(package.app)
            must(
                set(now.values()) == {granted},
                f"after set_permission({granted}) of each: {dict(now)}",
            )
        driver.restore_settings()
        after = dict(driver.permissions(package.app))
        must(after == before, f"restore_settings left {after}, and there was {before}")
    finally:
        driver.uninstall(package.app)


@APPS.clause("a permission that is none is a UsageError", needs=Capability.PERMISSIONS)
def _permission_unknown(scene: DriverScene) -> None:
    for name in ("no such permission", "", "$(reboot)"):
        refuses(partial(scene.driver.set_permission, scene.app, name, True), f"permission {name!r}")
    refuses(lambda: scene.driver.set_permission(ABSENT, "camera", True), "a permission of no app")


def _package(scene: DriverScene) -> Installable:
    if not scene.installable:
        raise AssertionError("there is no package to install")
    return scene.installable


@APPS.in_front("a running app has processes, a stopped one none", needs=Capability.CRASHES)
def _pids(scene: DriverScene) -> None:
    pids = scene.driver.pids(scene.app)
    must(pids != (), f"{scene.app} is in front, and has no process")
    found = scene.driver.crashes(None, scene.app).pids
    must(found == pids, f"crashes says that the processes are {found}, pids says {pids}")
    has_ended = _end_of(scene)
    scene.driver.stop(scene.app)
    scene.wait_for(lambda: has_ended() and not _left(scene, pids), "the process's end")
    found = scene.driver.crashes(None, scene.app).pids
    must(not (found and _left(scene, pids)), f"an app that was stopped has the processes {found}")


@APPS.clause("no app, no process", needs=Capability.CRASHES)
def _pids_absent(scene: DriverScene) -> None:
    must(scene.driver.pids(ABSENT) == (), "an app that is not installed has a process")
    scene.front()
    found = scene.driver.crashes(None).pids
    must(found == (), f"asked about no app, crashes gives the processes {found}")


@APPS.in_front("stop is reported as no death", needs=Capability.CRASHES)
def _stop_is_no_crash(scene: DriverScene) -> None:
    mark = scene.driver.log_mark()
    scene.driver.stop(scene.app)
    found = scene.driver.crashes(mark, scene.app)
    every = read_deaths(found.lines, scene.driver.info.platform)
    deaths = [str(one) for one in every if one.is_of(scene.app)]
    must(deaths == [], f"an app that was stopped is reported to have died: {deaths}")


@APPS.in_front("a reading ends where the next begins", needs=Capability.CRASHES)
def _crashes(scene: DriverScene) -> None:
    first = scene.driver.crashes(None)
    must(all("\n" not in line for line in first.lines), "an entry is no single line")
    again = scene.driver.crashes(first.until)
    must(
        not first.lines or again.lines != first.lines,
        f"read again from its end on, it says the same: {again.lines}",
    )


_CONTENTS = (
    b"",
    b"plain\n",
    bytes(range(256)) * 1025,
    b"\0\r\n\x1a",
)  # the third is longer than one portion
_NAME = "replicant check's (file).bin"


@APPS.clause("a file arrives and comes back exactly", needs=Capability.FILES)
def _files(scene: DriverScene) -> None:
    driver = scene.driver
    remote = f"{scene.folder}/{_NAME}"
    try:
        for content in _CONTENTS:
            driver.push_file(content, remote)
            back = driver.pull_file(remote)
            must(back == content, f"{len(content)} bytes went there, {len(back)} others came back")
        with tempfile.TemporaryDirectory() as folder:
            local = Path(folder) / "local"
            local.write_bytes(b"from a file")
            for path in (local, str(local)):
                driver.push_file(path, remote)
                must(driver.pull_file(remote) == b"from a file", "a local file did not arrive")
    finally:
        if Capability.SHELL in driver.capabilities:
            driver.shell(["rm", "-f", remote], 10.0)


@APPS.clause("a file that is not there is a UsageError", needs=Capability.FILES)
def _files_absent(scene: DriverScene) -> None:
    missing = f"{scene.folder}/replicant-no-such-file"
    refuses(lambda: scene.driver.pull_file(missing), "pulling an absent file", names=missing)
    refuses(
        lambda: scene.driver.push_file(Path("/no/such/file"), missing), "pushing an absent file"
    )
    refuses(lambda: scene.driver.pull_file(missing), "pulling a file that was not pushed")


@APPS.clause("a path of no file is an error", needs=Capability.FILES)
def _files_nowhere(scene: DriverScene) -> None:
    for remote in ("", "relative", f"{scene.folder}/nul\0", f"{scene.folder}/"):
        refuses(
            partial(scene.driver.push_file, b"x", remote),
            f"push to {remote!r}",
            UsageError,
            DeviceError,
        )
    refuses(
        lambda: scene.driver.pull_file(scene.folder), "pulling a folder", UsageError, DeviceError
    )


_WORDS = ["it's", "a  b", "$HOME", "*", "", "日本語", "x;y"]
_LONGER_THAN_ASKED = 3.0  # seconds, generously


@APPS.clause("clear_toasts forgets the last toast", needs=Capability.TOASTS)
def _toasts(scene: DriverScene) -> None:
    scene.driver.clear_toasts()
    toast = scene.driver.last_toast()
    must(toast is None, f"a toast after clear_toasts: {toast!r}")


@APPS.clause("logs are lines of text", needs=Capability.LOGS)
def _logs(scene: DriverScene) -> None:
    lines = log_of(scene.driver).logs()
    must(isinstance(lines, list) and len(lines) > 0, "the log is empty")
    must(
        all(isinstance(line, str) and "\n" not in line for line in lines),
        "an entry is no single line",
    )


@APPS.in_front("a log since now is without what was before", needs=Capability.LOGS)
def _log_mark(scene: DriverScene) -> None:
    log = log_of(scene.driver)
    whole = log.logs()
    mark = log.log_mark()
    fresh = log.logs(mark)
    must(len(fresh) < len(whole), f"{len(fresh)} lines since now, {len(whole)} in all")
    must(len(log.logs()) >= len(fresh), "the whole log is shorter than its end")


@APPS.clause("a command has two outputs and an exit code", needs=Capability.SHELL)
def _shell(scene: DriverScene) -> None:
    ended = scene.driver.shell("echo out; echo err >&2; exit 7", 10.0)
    must(ended.stdout == "out\n", f"standard output is {ended.stdout!r}")
    must(ended.stderr == "err\n", f"standard error is {ended.stderr!r}")
    must(ended.exit_code == 7, f"the exit code is {ended.exit_code}")


@APPS.clause("a list of words arrives word by word", needs=Capability.SHELL)
def _shell_words(scene: DriverScene) -> None:
    for word in _WORDS:
        ended = scene.driver.shell(["printf", "%s|", word, "end"], 10.0)
        must(ended.stdout == f"{word}|end|", f"{word!r} arrived as {ended.stdout!r}")


@APPS.clause("a command that does not end is left", needs=Capability.SHELL)
def _shell_limit(scene: DriverScene) -> None:
    began = time.monotonic()
    refuses(
        lambda: scene.driver.shell(["sleep", "30"], 0.2),
        "a command that does not end",
        DeviceTimeout,
    )
    spent = time.monotonic() - began
    must(spent < _LONGER_THAN_ASKED, f"a limit of 0.2 s took {spent:.1f} s")


_HARMLESS: Mapping[str, object] = {
    "activity": None, "app": ABSENT, "area": Rect(100, 400, 500, 800), "args": (),
    "command": "true", "end": Point(200, 700), "ended": id, "fresh": False,
    "front": AppInFront(ABSENT, ".Main"), "granted": True, "local": b"", "orientation": "portrait",
    "path": "no-such-file", "permission": "camera", "remote": "/replicant/no/such/folder/file",
    "scale": 2.0, "seconds": 0.1, "start": Point(200, 600), "text": "", "since": None,
    "timeout": 5.0, "url": "https://example.com/",
}  # fmt: skip
"""Arguments by which a call does no harm if the phone has the ability after all."""


def _calls(*verbs: str) -> Mapping[str, Callable[[Driver], object]]:
    calls = {}
    for verb in verbs:
        wanted = signature(getattr(Driver, verb)).parameters
        given = {name: _HARMLESS[name] for name in wanted if name in _HARMLESS}
        calls[verb] = methodcaller(verb, **given)
    return calls


METHODS_NEEDING: Mapping[Capability, Mapping[str, Callable[[Driver], object]]] = {
    Capability.TOASTS: _calls("last_toast", "clear_toasts"),
    Capability.SHELL: _calls("shell"),
    Capability.LOGS: _calls("logs", "log_mark"),
    Capability.CLEAR_DATA: _calls("clear_data"),
    Capability.OPEN_URL: _calls("open_url"),
    Capability.CURRENT_ACTIVITY: {
        "launch(activity)": lambda driver: driver.launch(ABSENT, ".Main", ())
    },
    Capability.DRAG: _calls("drag"),
    Capability.PERMISSIONS: _calls("set_permission", "permissions"),
    Capability.INSTALL: _calls("install", "uninstall", "installed"),
    Capability.FILES: _calls("push_file", "pull_file"),
    Capability.ROTATE: _calls("rotate"),
    Capability.PINCH: _calls("pinch"),
    Capability.CRASHES: _calls("crashes", "pids"),
    Capability.AUDIT: _calls("accessibility_audit"),
    Capability.COLD_START: _calls("cold_start"),
    Capability.REPLACE_TEXT: _calls("replace_text"),
    Capability.DRAWN: _calls("is_drawn"),
    Capability.LOCK: _calls("is_locked"),
    Capability.STYLE: _calls("appearance"),
}
"""For each ability all that needs it, called so that it does no harm if the phone has it after
all."""


def why_unsupported(driver: Driver, capability: Capability) -> str:
    """Why this driver lacks it, in its own words. Raises ``AssertionError`` if it says nothing of
    the kind."""
    name = str(capability.name)
    said = []
    for verb, call in METHODS_NEEDING[capability].items():
        error = refuses(partial(call, driver), f"{verb}, which needs {name},", Unsupported)
        named = getattr(error, "capability", "")
        must(
            named.upper() == name,
            f"the error of {verb} names {named!r} as missing, not {name.lower()!r}",
        )
        said.append(str(error))
    return said[0]


def _says_so(capability: Capability, scene: DriverScene) -> None:
    scene.front()  # on the home screen it could not be seen that it left for that
    before = scene.driver.app_in_front()
    why_unsupported(scene.driver, capability)
    after = scene.driver.app_in_front()
    must(
        after == before, f"{after.app} is in front after what cannot be done, and {before.app} was"
    )


def _missing_clause(capability: Capability) -> DriverClause:
    name = str(capability.name).lower()
    verbs = list(METHODS_NEEDING[capability])
    listed = " and ".join(filter(None, (", ".join(verbs[:-1]), verbs[-1])))
    verb = "raise" if verbs[1:] else "raises"
    claim = f"without the ability, {listed} {verb} Unsupported, naming it"
    return DriverClause(
        f"no-{name.replace('_', '-')}", claim, partial(_says_so, capability), lacks=capability
    )


MISSING = tuple(_missing_clause(capability) for capability in METHODS_NEEDING)
CLOSING = DriverClauses()
_CONNECTIONS = 8


@CLOSING.clause("close may be called twice")
def _close_twice(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.close()
        driver.close()


@CLOSING.clause("a closed driver raises DeviceError")
def _closed(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.close()
        refuses(driver.dump_hierarchy, "a dump on a closed driver", DeviceError)


@CLOSING.clause("close leaves no thread behind")
def _no_threads(scene: DriverScene) -> None:
    _connect_and_dump(scene)  # whatever a process starts once and keeps is there from now on
    before = {*threading.enumerate()}
    for _ in range(_CONNECTIONS):
        _connect_and_dump(scene)
    since = {*threading.enumerate()} - before  # other phones of this process may have some that end

    scene.wait_for(
        lambda: sum(thread.is_alive() for thread in since) < _CONNECTIONS,
        "the end of the drivers' threads",
    )


def _connect_and_dump(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.dump_hierarchy()


@CLOSING.clause("the phone is there for the next driver")
def _next(scene: DriverScene) -> None:
    for _ in range(2):
        _connect_and_dump(scene)


@CLOSING.in_front("connecting and closing leave the app in front")
def _leaves_alone(scene: DriverScene) -> None:
    front = scene.driver.app_in_front()
    with scene.another() as driver:
        must(
            driver.app_in_front() == front,
            f"connecting left {front.app} for {driver.app_in_front().app}",
        )
    after = scene.driver.app_in_front()
    must(after == front, f"closing left {front.app} for {after.app}")


@CLOSING.clause("after reconnect the app is as it was, and goes on", needs_field=True)
def _reconnect_keeps(scene: DriverScene) -> None:
    with scene.another() as driver:
        own = replace(scene, driver=driver)
        write(own, "kept")
        driver.reconnect(scene.patience)
        expect_text(own, "kept")
        driver.type_text(" and more")
        expect_text(own, "kept and more")


@CLOSING.clause("a sound connection may be renewed, a closed one not")
def _reconnect(scene: DriverScene) -> None:
    with scene.another() as driver:
        driver.reconnect(scene.patience)
        driver.dump_hierarchy()
        driver.reconnect(scene.patience)
        driver.tap(Point(driver.info.width // 2, 2))
    refuses(lambda: driver.reconnect(scene.patience), "reconnecting a closed driver", DeviceError)


DRIVER_CLAUSES: tuple[DriverClause, ...] = (*SCREEN, *APPS, *MISSING, *CLOSING)


class DriverCheckFailed(AssertionError):
    """Clauses of the contract that the driver breaks, in ``broken``."""

    def __init__(self, broken: Sequence[Verdict], checked: int) -> None:
        self.broken = broken
        what = [f"\n  {each.clause}: {each.clause.claim}\n    {each.error!r}" for each in broken]
        super().__init__(
            f"the driver breaks {len(broken)} of {checked} clauses of the contract:{''.join(what)}"
        )


def check_driver(
    connect: Callable[[], Driver],
    *,
    app: str,
    text_field: Point | None = None,
    patience: float = 10.0,
    installable: Installable | None = None,
    folder: str = "/data/local/tmp",
    link: str | None = None,
    clauses: Sequence[DriverClause] = DRIVER_CLAUSES,
) -> tuple[Verdict, ...]:
    """Runs the clauses that the driver's capabilities and the arguments allow; raises
    ``DriverCheckFailed``.

    Returns a verdict for each clause; that of an ability that the driver does not have reads "not
    offered: ...".

    ``connect`` makes a fresh driver of the same phone each time. ``app`` is an installed app, which
    is launched, stopped and touched. ``text_field`` is a point inside a text field of one line on
    its first screen, in device pixels; without it nothing is typed. ``patience`` is in seconds, for
    what a phone does in its own time. ``installable`` is an app that is not on the phone; without
    it none is installed. ``folder`` is one on the phone that files may be written to. ``link`` is
    an address that the app opens; without it none is.
    """
    with closing(connect()) as driver:
        scene = DriverScene(driver, connect, app, text_field, patience, installable, folder, link)
        verdicts = tuple(judge(clauses, scene))
    if broken := [each for each in verdicts if each.error is not None]:
        raise DriverCheckFailed(broken, sum(each.asked for each in verdicts))
    return verdicts
