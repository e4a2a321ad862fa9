"""What to write in place of a wrong option, fixture or marker, added to what pytest says of it; and
in place of a ref, or of a cell of a shot, which mean something on one screen alone.

Its assertions are not rewritten: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Generator, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

import pytest

from ..errors import did_you_mean
from ..options.marks import near_marker
from ..options.options import SETTINGS
from ..pytest_private import (
    ReportWrapper,
    add_section,
    error_of,
    extend_fixture_error,
    fixture_functions,
    innermost,
    set_summary,
    summary_of,
)
from ..running import IS_STATE, WIDER_SCOPES

_OPTION = "--replicant-"
_WRITTEN = {one.name.replace("_", "-"): one.flag or f"-o {one.keys[0]}=VALUE" for one in SETTINGS}
"""Name of a setting to how it is given: some have an ini key alone."""
_LIKELY, _CERTAIN = 0.6, 0.8
_UNKNOWN_MARKER = (
    r"(?:^Failed: '|Unknown pytest\.mark\.|^')(\w+)(?:' not found in `markers`| - is this)"
)
_ELSEWHERE = dict.fromkeys(("device", "driver", "phone"), "mobile")
"""What a phone is called by other plugins."""
_MISMATCH = r"^ScopeMismatch: You tried to access the function scoped fixture (\w+) with a (\w+) "
_SHARED = (
    "ask for {1}_mobile in place of mobile, which shares one phone until the {1} ends; or make "
    "the fixture a state, by @mobile_state"
)
_WIDER = {
    **dict.fromkeys(("mobile", "mobile_device", "_held_mobile"), _SHARED),
    "mobile_resource": "ask for mobile_resource_pool: with "
    'mobile_resource_pool.leased("account") as account: yield account',
    "new_mobile": "ask for new_mobile in the test, or in a fixture without a scope: that phone is "
    "for one test",
}
_WIDER_STATE = (
    "leave out the scope of the fixture that asks for {0}, or make it a state too, by "
    "@mobile_state: a state is made once, and holds for many tests"
)


def hint_at_options(parser: pytest.Parser, args: Sequence[str]) -> None:
    """Leaves the right names where pytest's own error will print them: ``extra_info``. To be called
    once every ``conftest.py`` has declared its options."""
    unknown = (word.partition("=")[0] for word in parser.parse_known_and_unknown_args(args)[1])
    if hints := list(filter(None, map(_hint, unknown))):
        parser.extra_info["replicant"] = " ".join(hints)


def _hint(option: str) -> str:
    """For one option that there is not; "" if it has nothing to do with this plugin."""
    ours = option.startswith(_OPTION)
    name = option.removeprefix(_OPTION).lstrip("-")
    near = get_close_matches(name, _WRITTEN, 1, _LIKELY if ours else _CERTAIN)
    meant = did_you_mean(option, _WRITTEN.values(), _CERTAIN)
    if near:
        meant = f" Did you mean {_WRITTEN[near[0]]}?"
    elif ours and not meant:
        flags = [flag for flag in _WRITTEN.values() if flag.startswith(_OPTION)]
        meant = f" There are: {', '.join(flags)}."
    return meant and f"There is no option {option}.{meant}"


class Misspelt:
    """Registered in every process. ``fixtures`` are the names of this plugin's own."""

    def __init__(self, fixtures: Collection[str]) -> None:
        self._fixtures = [name for name in fixtures if not name.startswith("_")]

    @innermost  # before what others make of the report
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[Any]
    ) -> ReportWrapper:
        error = error_of(call)
        if isinstance(error, pytest.fail.Exception) and (
            found := re.match(_MISMATCH, str(error.msg))
        ):
            name, scope = found[1], found[2] if found[2] in WIDER_SCOPES else "session"
            state = hasattr(fixture_functions(item).get(name), IS_STATE)
            if wider := _WIDER_STATE if state else _WIDER.get(name):
                error.msg = f"{error.msg}\nNext: {wider.format(name, scope)}"
        report = yield
        if isinstance(error, pytest.FixtureLookupError) and error.argname not in self._fixtures:
            name = str(error.argname)
            extend_fixture_error(report, did_you_mean(_ELSEWHERE.get(name, name), self._fixtures))
        return report

    @pytest.hookimpl(trylast=True)  # once those that were left out are gone
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Warns of refs and cells that are written in the files of collected tests: they are for
        exploring."""
        if getattr(config, "workerinput", {"workerid": "gw0"})["workerid"] != "gw0":
            return  # each worker collects them all
        for path in dict.fromkeys(item.path for item in items if item.path.suffix == ".py"):
            try:
                found = list(fragile_in(path.read_text("utf-8")))
            except (OSError, SyntaxError, ValueError):
                continue  # whoever imports it says so
            for line, text in found:
                _warn(pytest.PytestWarning(f"replicant: {text}"), str(path), line)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self,
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Where a wrong marker ends the collection, as under ``--strict-markers``; else its test is
        refused."""
        report = yield
        found = re.search(_UNKNOWN_MARKER, summary_of(report)) if report.failed else None
        if found and (meant := near_marker(found[1])):
            add_section(report, "replicant", f"There is no marker {found[1]}.{meant}")
            set_summary(report, f"{summary_of(report)}.{meant}")
        return report


# --- what means something on one screen alone -----------------------------------------------------

"""In the text of a file, before it is parsed: most have none."""


def _warn(warning: Warning, path: str, line: int) -> None:
    """Also where warnings are errors: here, that would end the whole run."""
    try:
        warnings.warn_explicit(warning, None, path, line)
    except type(warning):
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.warn_explicit(warning, None, path, line)


def fragile_in(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a file's text with a written ref or cell, and what to write instead. Raises
    ``SyntaxError``."""
    if not re.search(r"""\.tap_cell\(|\(\s*["'][a-z]\d{3,15}["']\s*[,)]""", source):
        return
    from ..model import TABLE, is_ref  # as most files have none of them

    takes_ref = {one.name for one in TABLE if one.words and one.words.startswith("ref")}
    takes_ref.add("within")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        verb = node.func.attr
        constants = (one.value for one in node.args if isinstance(one, ast.Constant))
        first = next(constants, None)
        if verb == "tap_cell":
            yield (
                node.lineno,
                "tap_cell: a cell of a grid is another place on another screen. Next: name it: "
                'tap(text=..., source="picture"), or tap(by_image("icon.png"))',
            )
        elif verb in takes_ref and isinstance(first, str) and is_ref(first):
            yield (
                node.lineno,
                f"{verb}({first!r}): a ref names what was seen on one screen. Next: write the "
                f"locator that snapshot.selector({first!r}).code gives",
            )
