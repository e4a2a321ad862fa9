"""Which cassettes ``REPORT[::TEST]`` names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError, did_you_mean
from .files import Files, Stored, report_at, stored_in
from .tape import Cassette


@dataclass(frozen=True)
class Chosen:
    """``found`` are the attempts in the order of the report, ``problems`` say of those that cannot be read why."""

    files: Files
    found: tuple[tuple[Stored, Cassette], ...]
    problems: tuple[str, ...]


def chosen(named: str) -> Chosen:
    """The recordings of a report, or of the test that is named by its id or its end. Raises ``UsageError`` if
    there is none that can be read."""
    place, _, test = named.partition("::")
    files = report_at(Path(place))
    loaded: list[tuple[Stored, Cassette]] = []
    problems: list[str] = []
    for one in stored_in(files):
        try:
            loaded.append((one, one.load()))
        except (OSError, ValueError) as error:
            problems.append(f"{one.path}: {error}")
    exact = [pair for pair in loaded if test in ("", pair[1].header.nodeid)]
    found = exact or [pair for pair in loaded if _ends(pair[1].header.nodeid, test)]
    if not found and not loaded:
        why = f"no cassette in it can be read. {problems[0]}" if problems else "there is no cassette in it"
        raise UsageError(f"{place}: {why}. Next: name a run of tests whose traces were kept")
    if not found:
        known = {pair[1].header.nodeid: None for pair in loaded}
        near = did_you_mean(test, known, 0.3) or f" Next: replicant cassette show {place} lists them"
        raise UsageError(f"{place} has no test {test!r}.{near}")
    return Chosen(files, tuple(found), tuple(problems))


def one_chosen(named: str) -> tuple[Stored, Cassette]:
    """One recording: of several attempts of a test the last one that failed, else the last. Raises ``UsageError``
    where several tests are meant."""
    found = chosen(named).found
    tests = list(dict.fromkeys(cassette.header.nodeid for _, cassette in found))
    if len(tests) > 1:
        place = named.partition("::")[0]
        raise UsageError(f"{named} names {len(tests)} tests. Next: name one of them, such as {place}::{tests[0]}")
    return best_attempt(found)


def best_attempt(attempts: Iterable[tuple[Stored, Cassette]]) -> tuple[Stored, Cassette]:
    """Of the attempts of one test, of which there is one at least, the last one that failed, else the last."""
    ordered = sorted(attempts, key=lambda pair: pair[1].header.attempt)
    return ([pair for pair in ordered if pair[1].header.failures] or ordered)[-1]


def _ends(nodeid: str, test: str) -> bool:
    bare = nodeid.partition("[")[0]
    return any(one == test or one.endswith((f"::{test}", f"/{test}")) for one in (nodeid, bare))
