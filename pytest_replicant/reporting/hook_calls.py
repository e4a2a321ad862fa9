"""Calls of the report hooks: an implementation that raises costs no other its turn, and no test its result."""

from __future__ import annotations

import inspect
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pluggy import HookCaller, HookImpl

RAISED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""Errors that end one implementation. ``pytest.exit`` and Ctrl-C end the run, as they do everywhere."""


def call_each(hook: HookCaller, **arguments: Any) -> list[str]:
    """Calls each implementation, in pluggy's order, and returns a line for each that failed."""
    problems = []
    for one in reversed(hook.get_hookimpls()):
        try:
            problems += _call(one, hook.name, arguments)
        except RAISED as error:
            problems.append(f"{hook.name} of {_shown(one.plugin_name)}: {_described(error, one)}")
    return problems


def _call(implementation: HookImpl, name: str, arguments: dict[str, Any]) -> list[str]:
    if implementation.wrapper or implementation.hookwrapper:
        return [f"{name} of {_shown(implementation.plugin_name)} is a wrapper, which this hook does not call"]
    implementation.function(*(arguments[each] for each in implementation.argnames))
    return []


def _described(error: BaseException, implementation: HookImpl) -> str:
    """The error and the line of the implementation's own file that it came from."""
    try:
        detail = str(error).partition("\n")[0]
    except Exception:  # an error of the user's own, which has no readable text
        detail = ""
    own = inspect.getsourcefile(inspect.unwrap(implementation.function))
    lines = [frame for frame in extract_tb(error.__traceback__) if frame.filename == own]
    place = f" ({_shown(lines[-1].filename)}:{lines[-1].lineno})" if lines else ""
    return f"{type(error).__name__}{': ' if detail else ''}{detail}{place}; the result stands"


def _shown(path: str) -> str:
    """A plugin's name, or a file as seen from where pytest runs."""
    here = Path.cwd()
    return Path(path).relative_to(here).as_posix() if Path(path).is_relative_to(here) else path
