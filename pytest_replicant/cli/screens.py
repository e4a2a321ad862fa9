"""``replicant screens``: which screens recorded tests saw, how they got there, and what they use there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import UsageError, did_you_mean
from ..reporting.printable import counted, few, printable
from .process import print_text

if TYPE_CHECKING:
    from ..reporting.screens_of_runs import SeenRuns, SeenScreen

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_FINE, _TROUBLE = 0, 3
_LINE = 98  # characters: three lines make one screen of the list
_WIDEST = 160
_MOST_TESTS = 20
_MOST_TROUBLES = 5
_OUTLINE_CHARS = 4_000
_SHORTEST_KEY = 4


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "screens",
        help="list the screens that recorded tests saw, and what they use there",
        description="Lists the screens of the reports: how often tests saw each, by which actions they got there, "
        "and the locators that they use on it. Exit codes: 0 fine, 2 usage, 3 not all could be read.",
    )
    parser.add_argument(
        "reports", nargs="+", metavar="REPORT", help="the folder of a run, or of all runs, or a .zip of one"
    )
    one = parser.add_mutually_exclusive_group()
    one.add_argument("--screen", metavar="NAME", help="this one alone: its outline, ways in and out, its locators")
    one.add_argument(
        "--uses", metavar="LOCATOR", help="the tests that use it, and where it matches: 'text=\"Add\"'"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the list, or the one that was asked for. Raises ``UsageError``."""
    from ..reporting.screens_of_runs import read_runs
    from ..reporting.written_locators import read_locator

    if arguments.uses is not None:
        try:
            read_locator(arguments.uses)
        except UsageError as error:
            raise UsageError(f"--uses {arguments.uses!r}: {error}") from None
    runs = read_runs(arguments.reports, cassettes=arguments.uses is not None)
    if arguments.uses is not None:
        lines = list(_uses(runs, arguments.uses))
    elif arguments.screen is not None:
        lines = [line for screen in _named(runs, arguments.screen) for line in _whole(runs, screen)]
    else:
        lines = list(_list(runs))
    print_text("\n".join(lines))
    if runs.troubles:
        sys.stderr.write(f"replicant: not read ({len(runs.troubles)}):\n")
        for line in few(runs.troubles, _MOST_TROUBLES):
            sys.stderr.write(f"  {printable(line)}\n")
        return _TROUBLE
    return _FINE


def _list(runs: SeenRuns) -> Iterator[str]:
    """Three lines a screen, the one that most tests saw first."""
    yield f"{counted(len(runs.screens), 'screen')} of {counted(len(runs.tests), 'test')}"
    for screen in sorted(runs.screens.values(), key=lambda one: -len(one.tests)):
        yield "\n" + printable(f"{runs.called(screen.key)} · {_how_often(screen)}", _LINE)
        ways = _joined(_ways_in(runs, screen.key))
        used = _joined(_used_on(runs, screen.key))
        yield from (
            f"  {printable(text, _LINE - 2)}" for text in (f"in: {ways}", f"used: {used}") if text[-2:] != ": "
        )


def _how_often(screen: SeenScreen) -> str:
    app = f"{screen.app} · " if screen.name else ""
    return f"{app}{counted(len(screen.tests), 'test')}, {counted(screen.reads, 'read')}"


def _joined(counts: Iterable[tuple[str, set[str]]]) -> str:
    return "; ".join(f"{name} ({len(tests)})" for name, tests in counts)


def _ways_in(runs: SeenRuns, key: str) -> list[tuple[str, set[str]]]:
    ways = ((f"{way.title} from {_start(runs, way.before)}", way.test) for way in runs.ways if way.after == key)
    return _by_tests(ways)


def _ways_out(runs: SeenRuns, key: str) -> list[tuple[str, set[str]]]:
    return _by_tests(
        (f"{way.title} to {runs.called(way.after)}", way.test) for way in runs.ways if way.before == key
    )


def _start(runs: SeenRuns, key: str) -> str:
    return runs.called(key) if key else "the start"


def _used_on(runs: SeenRuns, key: str) -> list[tuple[str, set[str]]]:
    return _by_tests((str(use.selector), use.test) for use in runs.uses if use.screen == key)


def _by_tests(found: Iterable[tuple[str, str]]) -> list[tuple[str, set[str]]]:
    """Each once, the one of most tests first."""
    tests: dict[str, set[str]] = {}
    for name, test in found:
        tests.setdefault(name, set()).add(test)
    return sorted(tests.items(), key=lambda one: -len(one[1]))


# --- one screen --------------------------------------------------------------------------------------------


def _named(runs: SeenRuns, name: str) -> Sequence[SeenScreen]:
    """The screens of that name or title, else those whose key begins so. Raises ``UsageError``."""
    wanted = name.casefold()
    every = list(runs.screens.values())
    found = [
        one
        for one in every
        if wanted in (one.name.casefold(), one.title.casefold(), (one.dialog or "").casefold())
    ]
    if len(wanted) >= _SHORTEST_KEY:
        found = found or [one for one in every if one.key.startswith(wanted)]
    if found and wanted:
        return found
    hint = did_you_mean(name, {one.name for one in every if one.name}, form="{!r}")
    raise UsageError(f"--screen {name!r}: no test saw it.{hint} Next: without --screen, the screens are listed")


def _whole(runs: SeenRuns, screen: SeenScreen) -> Iterator[str]:
    distinct = counted(len(screen.shots), "distinct snapshot")
    yield printable(
        f"{runs.called(screen.key)} · {_how_often(screen)}, {distinct} · key {screen.key}", 2 * _WIDEST
    )
    snapshot = next(filter(None, (shot.snapshot() for shot in screen.shots.values())), None)
    if snapshot is not None:
        outline = snapshot.outline(max_chars=_OUTLINE_CHARS)
        yield from (f"  | {printable(line, _WIDEST)}" for line in outline.splitlines())
    for title, counts in (
        ("ways in", _ways_in(runs, screen.key)),
        ("ways out", _ways_out(runs, screen.key)),
        ("locators used", _used_on(runs, screen.key)),
    ):
        if counts:
            yield f"{title}:"
            lines = [f"{printable(name, _WIDEST)} ({counted(len(tests), 'test')})" for name, tests in counts]
            yield from (f"  {line}" for line in few(lines, _MOST_TESTS))
    yield ""


# --- one locator -------------------------------------------------------------------------------------------


def _uses(runs: SeenRuns, text: str) -> Iterator[str]:
    from ..reporting.screens_of_runs import Trial, Tried
    from ..reporting.written_locators import read_locator

    tried = Tried(read_locator(text))
    uses = runs.used.get(tried.selector, [])
    by_whom = counted(len({use.test for use in uses}), "test") if uses else "no test"
    yield printable(f"{tried.selector}: used by {by_whom}", _WIDEST)
    places = _by_tests((f"{use.verb} at {use.source} on {runs.called(use.screen)}", use.test) for use in uses)
    for line in few([f"{place}: {', '.join(few(sorted(tests), 2))}" for place, tests in places], _MOST_TESTS):
        yield f"  {printable(line, 2 * _WIDEST)}"
    trial = Trial(runs, [tried])
    trial.run()
    yield f"matches on {len(tried.screens)} of {counted(len(trial.shots), 'screen')}"
    for key, tally in tried.screens.items():
        counts = f"one on {tally.one}, several on {tally.several}, none on {tally.none}"
        yield f"  {printable(runs.called(key), _WIDEST)}: {counts} of {counted(tally.count, 'snapshot')}"
    if tried.refused:
        yield f"not tried on every screen: {printable(tried.refused, _WIDEST)}"
