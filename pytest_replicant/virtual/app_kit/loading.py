"""Apps of a team's own, by their places: ``apps=MODULE:ATTRIBUTE`` of a virtual phone's URI."""

from __future__ import annotations

import importlib
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection, Sequence
from pathlib import PurePath
from pkgutil import iter_modules
from typing import Any, TypeVar

from ...errors import UsageError, did_you_mean
from .app import App

T = TypeVar("T")

_DOTTED = r"[^\W\d]\w*(?:\.[^\W\d]\w*)*"
_ID = r"[A-Za-z][\w-]*(?:\.[\w-]+)+"
FORM = "MODULE:ATTRIBUTE, such as apps=mypackage.phone:apps"


def check_place(place: str, shipped: Collection[str]) -> None:
    """Raises ``UsageError`` for a text that is no ``MODULE:ATTRIBUTE``. Imports nothing."""
    module, _, name = place.partition(":")
    if re.fullmatch(f"{_DOTTED}:{_DOTTED}", place) and not module.endswith(".py"):
        return
    if place in shipped:
        raise UsageError(
            f"apps={place}: this app comes with the phone. Write app={place}; apps= is for your "
            "own."
        )
    guess = f"{module.removesuffix('.py').strip('./').replace('/', '.')}:{name or 'apps'}"
    meant = f" Did you mean apps={guess}?" if re.fullmatch(f"{_DOTTED}:{_DOTTED}", guess) else ""
    raise UsageError(f"apps={place}: this names no app.{meant} Write {FORM}.")


def load_apps(places: Sequence[str], shipped: Collection[str]) -> list[App[Any]]:
    """The apps at these places, in their order. A callable there is called each time.

    The modules are imported as others are, and from the working directory, which goes to the end of
    ``sys.path``. Raises ``UsageError`` that names the place: no such module or attribute, no
    ``App``, an exception of the module's own, an id that is none, is used twice or is one of
    ``shipped``.
    """
    found: dict[str, tuple[str, App[Any]]] = {}
    for place in places:
        check_place(place, shipped)
        for where, app in _apps_at(place):
            _check_app(where, app)
            if app.package in shipped:
                raise UsageError(
                    f"{where}: the id {app.package} belongs to an app that comes with the phone or "
                    "its profile."
                )
            if app.package in found:
                raise UsageError(
                    f"{where}: the id {app.package} is used by {found[app.package][0]} as well."
                )
            found[app.package] = (where, app)
    return [app for _, app in found.values()]


def _apps_at(place: str) -> list[tuple[str, App[Any]]]:
    """Each with its place in the words of a message."""
    where, value = f"apps={place}", _value(place)
    if not isinstance(value, App) and callable(value):
        call: Callable[[], object] = value
        where, value = f"{where}()", _run(f"{where}: calling it", call)
    if isinstance(value, App):
        return [(where, value)]
    if not isinstance(value, (list, tuple)):
        raise UsageError(
            f"{where} {_is(value)}: give an App, a list of them, or a function that returns them."
        )
    if not value:
        raise UsageError(f"{where} is empty: it has no App.")
    places = [(f"{where}[{number}]", app) for number, app in enumerate(value)]
    for each, app in places:
        if not isinstance(app, App):
            hint = " Call it in the list." if callable(app) else ""
            raise UsageError(f"{each} {_is(app)}, and an App is needed.{hint}")
    return places


def _value(place: str) -> object:
    name, _, attribute = place.partition(":")
    if not {"", os.getcwd()} & {*sys.path}:
        sys.path.append(os.getcwd())
    try:
        value: object = _run(
            f"apps={place}: importing {name}", lambda: importlib.import_module(name), name
        )
    except ModuleNotFoundError as error:
        parent, dot, last = (error.name or name).rpartition(".")
        folders = getattr(sys.modules.get(parent), "__path__", None) if parent else [os.getcwd()]
        meant = did_you_mean(
            last, [each.name for each in iter_modules(folders)], form=f"{parent}{dot}{{}}"
        )
        raise UsageError(
            f"apps={place}: there is no module {error.name!r}.{meant} Start in the folder that "
            f"holds it (now {os.getcwd()}), or name that folder in pytest's `pythonpath`."
        ) from None
    where = f"{name} ({getattr(value, '__file__', None) or 'built in'})"
    for part in attribute.split("."):
        names = [each for each in dir(value) if not each.startswith("_")]
        apps = [each for each in names if isinstance(getattr(value, each, None), App)]
        try:
            value = getattr(value, part)
        except AttributeError:
            meant = did_you_mean(part, names) or (f" Its apps: {', '.join(apps)}." if apps else "")
            raise UsageError(f"apps={place}: {where} has no attribute {part!r}.{meant}") from None
    return value


def _check_app(where: str, app: App[Any]) -> None:
    if not re.fullmatch(_ID, app.package, re.ASCII):
        raise UsageError(
            f"{where}: {app.package!r} is no id of an app; write one such as com.example.shop."
        )
    _run(f"{where}: its first screen", lambda: app.main_activity)


def _run(what: str, code: Callable[[], T], module: str = "") -> T:
    """Runs a team's code. An exception of it is a ``UsageError`` with its place, unless the module
    is missing."""
    try:
        return code()
    except (Exception, SystemExit) as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if missing and f"{module}.".startswith(f"{missing}."):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        file, line = (
            (error.filename, error.lineno)
            if isinstance(error, SyntaxError)
            else (last.filename, last.lineno)
        )
        said = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        raise UsageError(
            f"{what} raised {said} ({PurePath(file or '?').name}, line {line})"
        ) from error


def _is(value: object) -> str:
    kind = value if isinstance(value, type) else type(value)
    return f"is {'the class' if isinstance(value, type) else 'a'} {kind.__name__}"
