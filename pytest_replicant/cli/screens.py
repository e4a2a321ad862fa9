"""``replicant screens``: which screens recorded tests saw, how they got there, and what they use
there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import UsageError, did_you_mean
from ..model.printable import counted, few, printable
from .process import argument, code_of, command, either, not_read, print_text

if TYPE_CHECKING:
    from ..model import Selector
    from ..test_code.screens_of_runs import SeenRuns, SeenScreen

_LINE = 98  # characters: three lines make one screen of the list
_WIDEST = 160
_MOST_TESTS = 20
_OUTLINE_CHARS = 4_000
_SHORTEST_KEY = 4


@command(
    "screens",
    "list the screens that recorded tests saw, and what they use there",
    "Lists the screens of the reports: how often tests saw each, by which actions they got there, "
    "and the locators that they use on it. Exit codes: 0 fine, 2 usage, 3 not all could be read.",
    argument(
        "reports", "REPORT", "the folder of a run, or of all runs, or a .zip of one", nargs="+"
    ),
    either(
        argument("--screen", "NAME", "this one alone: its outline, ways in and out, its locators"),
        argument(
            "--uses", "LOCATOR", "the tests that use it, and where it matches: 'text=\"Add\"'"
        ),
    ),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the list, or the one that was asked for. Raises ``UsageError``."""
    from ..test_code import read_locator
    from ..test_code.screens_of_runs import read_runs

    if arguments.uses is not None:
        try:
            selector = read_locator(arguments.uses)
        except UsageError as error:
            raise UsageError(f"--uses {arguments.uses!r}: {error}") from None
        runs = read_runs(arguments.reports, cassettes=True)
        lines = [*_uses(runs, selector)]
    elif arguments.screen is not None:
        runs = read_runs(arguments.reports)
        lines = [line for one in _named(runs, arguments.screen) for line in _whole(runs, one)]
    else:
        runs = read_runs(arguments.reports)
        lines = [*_list(runs)]
    print_text("\n".join(lines))
    if runs.troubles:
        print_text("replicant: " + "\n".join(not_read(runs.troubles)), sys.stderr)
    return code_of(False, runs.troubles)


def _list(runs: SeenRuns) -> Iterator[str]:
    """Three lines a screen, the one that most tests saw first."""
    yield f"{counted(len(runs.screens), 'screen')} of {counted(len(runs.tests), 'test')}"
    counts = _counts(runs)
    for screen in sorted(runs.screens.values(), key=lambda one: -len(one.tests)):
        yield "\n" + printable(f"{runs.called(screen.key)} · {_how_often(screen)}", _LINE)
        for title, name in (("in", "ways in"), ("used", "locators used")):
            if screen.key in counts[name]:
                line = "; ".join(f"{text} ({tests})" for text, tests in counts[name][screen.key])
                yield f"  {printable(f'{title}: {line}', _LINE - 2)}"


def _how_often(screen: SeenScreen) -> str:
    app = f"{screen.app} · " if screen.name else ""
    return f"{app}{counted(len(screen.tests), 'test')}, {counted(screen.reads, 'read')}"


Counts = dict[str, dict[str, list[tuple[str, int]]]]
"""By the title and the key of a screen: texts, each with the number of its tests, the most
first."""
"""By the key of a screen: texts, each with the number of its tests, the most first."""


def _counts(runs: SeenRuns) -> Counts:
    tests: dict[str, dict[str, dict[str, set[str]]]] = {
        "ways in": {}, "ways out": {}, "locators used": {},
    }  # fmt: skip

    def add(title: str, key: str, text: str, test: str) -> None:
        tests[title].setdefault(key, {}).setdefault(text, set()).add(test)

    for way in runs.ways:
        start = runs.called(way.before) if way.before else "the start"
        add("ways in", way.after, f"{way.title} from {start}", way.test)
        add("ways out", way.before, f"{way.title} to {runs.called(way.after)}", way.test)
    for use in runs.uses:
        add("locators used", use.screen, str(use.selector), use.test)
    return {
        title: {
            key: sorted(((text, len(by)) for text, by in texts.items()), key=lambda one: -one[1])
            for key, texts in found.items()
        }
        for title, found in tests.items()
    }


# --- one screen -----------------------------------------------------------------------------------


def _named(runs: SeenRuns, name: str) -> list[SeenScreen]:
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
    raise UsageError(
        f"--screen {name!r}: no test saw it.{hint} Next: without --screen, the screens are listed"
    )


def _whole(runs: SeenRuns, screen: SeenScreen) -> Iterator[str]:
    distinct = counted(len(screen.shots), "distinct snapshot")
    head = f"{runs.called(screen.key)} · {_how_often(screen)}, {distinct} · key {screen.key}"
    yield printable(head, 2 * _WIDEST)
    snapshot = next(filter(None, (shot.snapshot() for shot in screen.shots.values())), None)
    if snapshot:
        for line in snapshot.outline(max_chars=_OUTLINE_CHARS).splitlines():
            yield f"  | {printable(line, _WIDEST)}"
    for title, counts in _counts(runs).items():
        if found := counts.get(screen.key):
            yield f"{title}:"
            lines = [
                f"{printable(name, _WIDEST)} ({counted(tests, 'test')})" for name, tests in found
            ]
            yield from (f"  {line}" for line in few(lines, _MOST_TESTS))
    yield ""


# --- one locator ----------------------------------------------------------------------------------


def _uses(runs: SeenRuns, selector: Selector) -> Iterator[str]:
    from ..test_code.screens_of_runs import Trial, Tried

    tried = Tried(selector)
    tests: set[str] = set()
    places: dict[str, set[str]] = {}
    for use in runs.used.get(selector, []):
        tests.add(use.test)
        place = f"{use.verb} at {use.source} on {runs.called(use.screen)}"
        places.setdefault(place, set()).add(use.test)
    by_whom = counted(len(tests), "test") if tests else "no test"
    yield printable(f"{selector}: used by {by_whom}", _WIDEST)
    lines = [f"{place}: {', '.join(few(sorted(by), 2))}" for place, by in places.items()]
    for line in few(lines, _MOST_TESTS):
        yield f"  {printable(line, 2 * _WIDEST)}"
    trial = Trial(runs, [tried])
    trial.run()
    yield f"matches on {len(tried.screens)} of {counted(len(trial.shots), 'screen')}"
    for key, tally in tried.screens.items():
        counts = f"one on {tally.one}, several on {tally.several}, none on {tally.none}"
        snapshots = counted(tally.count, "snapshot")
        yield f"  {printable(runs.called(key), _WIDEST)}: {counts} of {snapshots}"
    if tried.refused:
        yield f"not tried on every screen: {printable(tried.refused, _WIDEST)}"
