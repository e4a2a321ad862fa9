"""Flaws of drivers, each of which breaks one promise, or the few that go together; on either
platform.

A flaw goes by verb: what is called in its place, with the verb itself and what it was given. Some
remember what was done before: ``faults`` makes all of them again.
"""

from __future__ import annotations

import itertools
import re
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pytest_replicant.drivers import Appearance, AppInFront, Capability, ShellOutput
from pytest_replicant.errors import DeviceError, DeviceTimeout, Unsupported, UsageError
from pytest_replicant.model import AuditIssue, Rect
from pytest_replicant.testing import METHODS_NEEDING
from tests.faults.desk import Fake, Flaw


class Fault(NamedTuple):
    """A flaw, and the clauses that it breaks where they are asked; on one platform only, or on
    both."""

    breaks: tuple[str, ...]
    flaw: Flaw
    platform: str = ""


_Row = tuple[Any, ...]
_ABSENT = "dev.replicant.not.installed"
_SIZE = struct.Struct(">II")
_WORDS = re.compile(rb'(?<= )(text|content-desc|hint|resource-id|label|name|value)="[^"]*"')
_USED = re.compile(
    rb'(?<= )(clickable|long-clickable|scrollable|checkable|focusable|visible|accessible)="true"'
)
_SWITCH = re.compile(rb'(class="android.widget.Switch"[^>]*? checked=)"\w+"')
_CLASS = re.compile(rb' class="[^"]*"')
_BOX = re.compile(rb"EditText|AutoCompleteTextView|TextField|SearchField")


def never(*_: object, **__: object) -> None:
    """Does nothing, and says that it was done."""


def fails(*_: object, **__: object) -> None:
    raise RuntimeError("no")


def refuses(*_: object, **__: object) -> None:
    raise UsageError("no")


def gives(answer: object) -> Fake:
    return lambda *_, **__: answer


def where(condition: Fake, fake: Fake) -> Fake:
    """Another fake, of some arguments only."""
    return lambda call, *given, **named: (
        fake(call, *given, **named) if condition(*given, **named) else call(*given, **named)
    )


def until(verb: str, flaw: Flaw, *, ends: bool = True) -> Flaw:
    """A flaw that ends, or else begins, when the verb is first called."""
    called: list[bool] = []

    def marked(call: Fake, *given: Any, **named: Any) -> Any:
        called.append(True)
        return call(*given, **named)

    return {
        **{name: where(lambda *_, **__: bool(called) != ends, fake) for name, fake in flaw.items()},
        verb: marked,
    }


def after(verb: str, flaw: Flaw) -> Flaw:
    return until(verb, flaw, ends=False)


def given(*wanted: object) -> Fake:
    """Whether the first arguments are these."""
    return lambda *asked, **_: asked[: len(wanted)] == wanted


def cached(verb: str) -> Flaw:
    """Gives what it saw first."""
    seen: list[object] = []

    def stale(call: Fake) -> object:
        seen[:] = seen or [call()]
        return seen[0]

    return {verb: stale}


def resized(call: Fake, *, turned: bool = False) -> bytes:
    """A screenshot that says it is higher, or the other way up."""
    png = bytes(call())
    width, height = _SIZE.unpack_from(png, 16)
    return (
        png[:16]
        + (_SIZE.pack(height, width) if turned else _SIZE.pack(width, height + 8))
        + png[24:]
    )


def too_far(call: Fake) -> bytes:
    """A first window that reaches beyond the screen."""
    source = bytes(call())
    wide = re.sub(rb"(bounds=\"\[0,0\]\[)\d+(,)", rb"\g<1>9000\2", source, count=1)
    return re.sub(rb"( width=\")\d+(\")", rb"\g<1>9000\2", wide, count=1)


def bare(app: str) -> Flaw:
    """Screens of this app are empty."""

    def emptied(call: Any) -> bytes:
        source = bytes(call())
        if app != call.args[0].app_in_front().app:
            return source
        return _CLASS.sub(
            b' class="View"', _USED.sub(rb'\1="false"', _WORDS.sub(rb'\1=""', source))
        )

    return after("reconnect", {"dump_hierarchy": emptied})


def of_screen() -> Iterator[_Row]:
    count = itertools.count()
    yield ("names-itself",), {"uri": gives("")}
    yield ("info-is-fixed",), {"info": lambda call: replace(call(), model=f"phone {next(count)}")}
    yield ("hierarchy",), until("screenshot", {"dump_hierarchy": lambda call: call().decode()})
    yield ("screenshot",), {"screenshot": resized}
    yield ("pixels",), until("rotate", {"dump_hierarchy": too_far})
    yield (
        ("orientation",),
        until(
            "rotate",
            {"orientation": lambda call: "landscape" if "portrait" in call() else "portrait"},
        ),
    )
    yield ("fresh",), until("rotate", cached("screenshot"))
    yield (
        ("system-dialogs",),
        {
            "system_dialogs": lambda call: replace(
                call(), permission_packages=frozenset({"dev.example"})
            )
        },
    )
    yield ("tap",), until("double_tap", {"tap": fails})
    yield ("double-tap",), {"double_tap": refuses}
    yield ("long-press",), {"long_press": refuses}
    yield ("swipe",), until("rotate", {"swipe": refuses})
    yield ("tap-place",), until("type_text", {"focused_field": _elsewhere})
    yield ("drag",), {"drag": fails}
    yield ("pinch",), {"pinch": where(lambda area, scale, _: scale == 2.0, refuses)}
    yield ("pinch-nothing",), {"pinch": where(lambda area, scale, _: scale == 1.0, never)}
    yield ("audit",), {"accessibility_audit": gives((AuditIssue("", ""),))}, "ios"
    yield ("touch-outside",), {"tap": where(lambda point: point.x < 0, never)}
    yield ("keys",), {"press_key": where(given("tab"), fails)}
    yield ("unknown-key",), {"press_key": where(given("no such key"), never)}
    yield ("typeable",), until("type_text", {"check_typeable": where(given("100%"), refuses)})
    yield ("untypeable",), {"check_typeable": where(given("bell\a"), never)}


def _elsewhere(call: Fake) -> Any:
    field = call()
    return field and replace(field, bounds=Rect(0, 0, 1, 1))


def of_text() -> Iterator[_Row]:
    yield ("type",), {"type_text": where(given("it's"), lambda call, _: call("its"))}
    yield ("type-more",), {"type_text": where(given(" & two"), lambda call, _: call("&two"))}
    yield ("field-takes",), {"check_field_takes": _choosy}
    yield ("type-nothing",), {"type_text": where(given("half\0"), never)}
    yield (
        ("newline",),
        {"type_text": where(given(" two\nlines"), lambda call, _: call(" two lines"))},
    )
    yield ("hide-keyboard",), {"hide_keyboard": never}
    yield ("type-nowhere",), {"clear_text": _lenient}


def _choosy(call: Any, text: str) -> None:
    field = call.args[0].focused_field()
    if field is not None and (text, field.text) == ("plain", "before"):
        raise UsageError("nothing goes in here")
    call(text)


def _lenient(call: Fake) -> None:
    try:
        call()
    except UsageError:
        return


def of_turning() -> Iterator[_Row]:
    turns: list[str] = []

    def once(call: Fake, orientation: str) -> None:
        if turns:
            call(orientation)
        turns.append(orientation)

    yield ("rotate",), {"rotate": once}
    yield ("rotate-each",), {"rotate": where(given("reverse_landscape"), never)}
    yield ("rotate-screen",), after("rotate", {"screenshot": partial(resized, turned=True)})
    yield ("restore",), {"restore_settings": never}
    yield ("rotate-unknown",), {"rotate": where(given("sideways"), never)}
    yield ("restore-nothing",), _surprised()
    yield ("wake",), {"wake": fails}


def _surprised() -> Flaw:
    """Where it has not turned the screen itself."""
    turned: list[object] = []

    def rotate(call: Any, orientation: str) -> None:
        turned.append(call.args[0])
        call(orientation)

    def restore(call: Any) -> None:
        if call.args[0] not in turned:
            raise RuntimeError("nothing to put back")
        call()

    return {"rotate": rotate, "restore_settings": restore}


def of_apps() -> Iterator[_Row]:
    yield (
        ("launch", "launch-behind", "launch-keeps"),
        {"app_status": _instead("foreground", "background")},
    )
    yield ("launch-again",), _once()
    yield ("launch-absent",), {"launch": where(given(_ABSENT, None), never)}
    yield ("stop", "pids"), {"stop": never}
    yield (
        ("home", "launch-behind", "launch-keeps"),
        {"app_status": _instead("background", "foreground")},
    )
    yield ("launch-behind", "launch-keeps"), {"launch": _restless}
    yield ("open-url-nowhere",), {"open_url": never}
    yield (
        ("activity",),
        {"launch": where(lambda _, activity, __: activity == ".NoSuchActivity", never)},
    )
    yield ("status-absent",), {"app_status": where(given(_ABSENT), gives("background"))}
    yield ("installed",), {"installed": where(lambda app: app != _ABSENT, gives(False))}
    yield ("install-nothing",), {"install": where(lambda path: Path(path).is_dir(), never)}
    yield ("uninstall-absent",), {"uninstall": never}
    yield ("permission-unknown",), {"set_permission": where(lambda _, name, __: name == "", never)}
    yield ("pids",), {"crashes": lambda call, *given: replace(call(*given), pids=())}
    yield ("pids-absent",), {"pids": where(given(_ABSENT), gives((1,)))}
    yield ("stop-is-no-crash",), {"stop": _obituary}
    yield (
        ("crashes",),
        {"crashes": lambda call, *given: replace(call(*given), lines=("two\nlines",))},
    )


def _obituary(call: Any, app: str) -> None:
    """Ends an app so that the log says it has died."""
    driver = call.args[0]
    pids = driver.pids(app)
    call(app)
    if pids:
        driver.shell(
            ["log", "-t", "ActivityManager", f"Process {app} (pid {pids[0]}) has died: fg  TOP"],
            5.0,
        )


def _instead(status: str, other: str) -> Fake:
    def said_of(call: Fake, app: str) -> str:
        said = call(app)
        return other if said == status else str(said)

    return said_of


def _restless(call: Any, app: str, *rest: object) -> None:
    call.args[0].stop(app)
    call(app, *rest)


def _once() -> Flaw:
    """Cannot start what it has started."""
    started: list[str] = []

    def launch(call: Fake, app: str, activity: str | None, args: object) -> None:
        if app in started and activity is None:
            raise RuntimeError("it runs already")
        call(app, activity, args)
        started.append(app)

    def forgotten(call: Fake, *given: object) -> None:
        started.clear()
        call(*given)

    return {
        "launch": launch,
        "stop": forgotten,
        "press_key": forgotten,
    }


def of_phone() -> Iterator[_Row]:
    yield ("files",), {"pull_file": lambda call, remote: call(remote)[: 1 << 16]}
    yield (
        ("files-absent",),
        {
            "push_file": where(
                lambda local, _: isinstance(local, Path) and not local.exists(), never
            )
        },
    )
    yield ("files-nowhere",), {"push_file": where(lambda _, remote: remote == "", never)}
    yield ("toasts",), {"last_toast": gives("boo")}
    yield ("cold-start",), {"cold_start": lambda _, app, *rest, **named: AppInFront(app)}
    yield ("replace",), {"replace_text": lambda call, text: call.args[0].type_text(text)}
    yield ("drawn",), {"is_drawn": gives(False)}
    yield ("lock",), {"is_locked": gives(True)}
    yield ("appearance",), {"appearance": gives(Appearance("en_GB"))}
    yield (
        ("logs",),
        {"logs": lambda call, *since: [*call(*since), *(() if since else ("two\nlines",))]},
    )
    yield ("log-mark",), {"logs": lambda call, *_: call()}
    yield ("shell",), {"shell": lambda call, *given: replace(call(*given), exit_code=0)}
    yield ("shell-words",), {"shell": _sparing}
    yield ("shell-limit",), {"shell": _patient}


def _sparing(call: Fake, command: Any, seconds: float) -> Any:
    """Leaves out words in which nothing is."""
    return call(command if isinstance(command, str) else [*filter(None, command)], seconds)


def _patient(call: Fake, *given: Any) -> ShellOutput:
    try:
        return call(*given)  # type: ignore[no-any-return]
    except DeviceTimeout:
        return ShellOutput("", "", 0)


def of_missing() -> Iterator[_Row]:
    """Does what it says it cannot, or lacks something else than it says."""
    for capability, verbs in METHODS_NEEDING.items():
        name = f"no-{str(capability.name).lower().replace('_', '-')}"
        verb = next(iter(verbs))
        if verb.isidentifier():
            lacking = Capability.DRAG if capability != Capability.DRAG else Capability.PINCH
            yield (
                (name,),
                {
                    "capabilities": lambda call, lost=capability: call() & ~lost,
                    verb: _raising(Unsupported("no", capability=str(lacking.name).lower())),
                },
            )
        else:
            yield (
                (name,),
                {
                    "capabilities": lambda call, lost=capability: call() & ~lost,
                    "launch": where(lambda _, activity, __: activity == ".Main", never),
                },
            )


def _raising(error: Exception) -> Fake:
    def raises(*_: object, **__: object) -> None:
        raise error

    return raises


def of_closing() -> Iterator[_Row]:
    yield ("close-twice",), _clinging()
    yield ("closed",), {"dump_hierarchy": _undead}
    yield ("no-threads",), {"close": _leaving_a_thread}
    yield ("next",), _possessive()
    yield ("leaves-alone",), {"close": _going_home}
    yield ("reconnect-keeps",), {"reconnect": _forgetting}
    yield ("reconnect",), {"reconnect": _obliging}


def _clinging() -> Flaw:
    gone: list[object] = []

    def close(call: Any) -> None:
        (driver,) = call.args
        if driver in gone:
            raise RuntimeError("closed already")
        gone.append(driver)
        call()

    return {"close": close}


def _undead(call: Fake) -> Any:
    try:
        return call()
    except DeviceError:
        return b""


def _leaving_a_thread(call: Fake) -> None:
    threading.Thread(target=partial(threading.Event().wait, 2.0), daemon=True).start()
    call()


def _possessive() -> Flaw:
    """Where one was closed that was not used, the next to look at the screen cannot."""
    used: list[object] = []
    blocked: list[bool] = [False]

    def using(call: Any, *given: object) -> Any:
        used.append(call.args[0])
        return call(*given)

    def look(call: Any) -> Any:
        was, blocked[0] = blocked[0], False
        source = using(call)
        if was:
            raise RuntimeError("somebody else's")
        return source

    def close(call: Any) -> None:
        blocked[0] = call.args[0] not in used
        call()

    verbs = ("app_in_front", "restore_settings", "reconnect", "tap")
    return {**dict.fromkeys(verbs, using), "dump_hierarchy": look, "close": close}


def _going_home(call: Any) -> None:
    (driver,) = call.args
    with suppress(DeviceError):  # closed before
        driver.press_key("home")
    call()


def _forgetting(call: Any, timeout: float) -> None:
    call(timeout)
    call.args[0].press_key("home")


def _obliging(call: Fake, timeout: float) -> None:
    try:
        call(timeout)
    except DeviceError:
        return


def of_tour() -> Iterator[_Row]:
    lists = ("tour-settings", "tour-scrolled", "tour-page")
    yield (*lists, "tour-display"), bare("com.android.settings"), "android"
    yield (*lists, "tour-search", "tour-keyboard"), bare("com.apple.Preferences"), "ios"
    yield ("tour-display",), {"dump_hierarchy": lambda call: _SWITCH.sub(rb'\1""', call())}
    yield ("tour-scrolled",), after("reconnect", {"swipe": never})
    yield ("tour-page",), after("reconnect", {"press_key": where(given("back"), never)})
    yield ("tour-page",), after("reconnect", {"tap": never}), "android"
    yield ("tour-page", "tour-search"), after("reconnect", {"tap": never}), "ios"
    yield (
        ("tour-search",),
        {"type_text": where(given("replicant"), lambda call, _: call("replicants"))},
    )
    yield (
        ("tour-search", "tour-keyboard"),
        after("reconnect", {"dump_hierarchy": lambda call: _BOX.sub(b"Image", call())}),
    )
    yield ("tour-contacts",), bare("com.android.contacts"), "android"
    yield ("tour-contacts",), bare("com.apple.MobileAddressBook"), "ios"
    yield ("tour-dialler",), bare("com.android.dialer"), "android"
    yield ("tour-dialler",), bare("com.apple.mobilephone"), "ios"


def faults() -> list[Fault]:
    """All of them, without a memory."""
    parts = (of_screen, of_text, of_turning, of_apps, of_phone, of_missing, of_closing, of_tour)
    return [Fault(*each) for part in parts for each in part()]
