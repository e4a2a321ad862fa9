"""The private names of pytest and pytest-xdist.

A requeue needs them because no public API runs an item again in the same process;
pytest-rerunfailures does the same. Reports need the fields of a shown error, and the worker that
died. ``CHECKED_WITH`` is the newest version that this file was checked with; a test fails on a
newer one, so that it is read again when pytest is updated. Loaded before the package is left out:
PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from _pytest.nodes import Node

HookWrapper = Generator[None, object, object]
"""A hook that wraps the others, with any result."""
outermost = pytest.hookimpl(wrapper=True, tryfirst=True)
"""Marks one that begins before all others, and ends after them."""
innermost = pytest.hookimpl(wrapper=True, trylast=True)
"""Marks one that begins after all others, and ends before them."""
ReportWrapper = Generator[None, pytest.TestReport, pytest.TestReport]
"""One that wraps those that make the report of a test."""

CHECKED_WITH = (9, 2)
XDIST_CHECKED_WITH = (3, 8)
"""The same for pytest-xdist, which is optional."""


def error_of(call: pytest.CallInfo[Any]) -> BaseException | None:
    """What a phase of a test raised, if anything."""
    return call.excinfo.value if call.excinfo else None


def load_plainly(hook: object) -> None:
    """Leaves the package out of the assertions that this import hook of pytest rewrites, apart from
    ``testing``, whose checks fail with them. pytest rewrites all of a distribution that has a
    plugin, in each process. A hook of another kind is left as it is."""
    marked = getattr(hook, "_must_rewrite", None)
    decided = getattr(hook, "_marked_for_rewrite_cache", None)
    if isinstance(marked, set) and isinstance(decided, dict):
        marked.discard("pytest_replicant")
        marked.add("pytest_replicant.testing")
        decided.clear()


def config_keys(path: Path) -> dict[str, Any] | None:
    """The keys that pytest finds in a configuration file; None if it configures no pytest, or
    cannot be read."""
    from _pytest.config.findpaths import load_config_dict_from_file  # which few runs need

    try:
        found = load_config_dict_from_file(path)
    except (OSError, ValueError, AttributeError, pytest.UsageError, pytest.fail.Exception):
        return None
    if found is None:
        return None
    return {
        key: getattr(given, "value", given) for key, given in found.items()
    }  # pytest 9 says whence it is


def mark_rerun(report: pytest.TestReport) -> None:
    """Makes a report neither a failure nor a pass: the outcome of pytest-rerunfailures, which other
    plugins know."""
    report.outcome = "rerun"  # type: ignore[assignment]


@contextmanager
def wider_scopes_held(item: pytest.Item, but: Container[str] = ()) -> Iterator[None]:
    """Tears down the test alone, as if it came next itself, and the collectors with these node
    ids."""
    stack: dict[Any, Any] = item.session._setupstate.stack
    held = {
        node: entry for node, entry in stack.items() if node is not item and node.nodeid not in but
    }
    for node in held:
        del stack[node]
    try:
        yield
    finally:
        stack.update(held)


def is_set_up(node: Node) -> bool:
    """Whether this collector is set up now."""
    return node in node.session._setupstate.stack


def tear_down_wider_scopes(session: pytest.Session, nextitem: pytest.Item | None = None) -> None:
    """Ends every fixture and collector that outlives the test before, but for those of the next
    one. Raises what they raise."""
    session._setupstate.teardown_exact(nextitem)


def reset_item(item: pytest.Item) -> None:
    """Forgets pytest's records of a run of this item: errors of fixtures that outlive it, and the
    object of its method."""
    fixtures: Any = getattr(item, "_fixtureinfo", None)
    for definitions in fixtures.name2fixturedefs.values() if fixtures else ():
        for definition in definitions:
            if definition.cached_result and definition.cached_result[2]:
                definition.cached_result = None
                definition._finalizers.clear()
    if getattr(item, "_instance", None):
        del item._instance  # type: ignore[attr-defined]
        item._obj = None  # type: ignore[attr-defined]


Report = pytest.TestReport | pytest.CollectReport


def fixture_functions(item: pytest.Item) -> dict[str, Callable[..., object]]:
    """The functions of the fixtures that a test asks for, by their names; of those that it asks for
    while it runs, the ones that it was given so far."""
    fixtures, request = getattr(item, "_fixtureinfo", None), getattr(item, "_request", None)
    asked: Any = fixtures.name2fixturedefs if fixtures else {}
    given: Any = request._fixture_defs if request else {}
    return {name: each[-1].func for name, each in asked.items()} | {
        name: one.func for name, one in given.items()
    }


def fixture_names(item: pytest.Item) -> set[str]:
    """Of the fixtures that a test asks for, with those that it has asked for while it ran."""
    return {*getattr(item, "fixturenames", ()), *fixture_functions(item)}


def strict_xfail(item: pytest.Item) -> str | None:
    """What pytest will report where this test passes, since it is a strict xfail; None for any
    other."""
    from _pytest.skipping import xfailed_key

    xfail = item.stash.get(xfailed_key, None)
    if not xfail or not xfail.strict or item.config.getoption("runxfail", False):
        return None
    return f"[XPASS(strict)] {xfail.reason}"


def fixture_finisher(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Tears down the fixture that is being set up, and those that are built on it, whenever it is
    called; if they are asked for again, they are set up again."""
    one: Any = request
    return partial(one._fixturedef.finish, request=request)


def add_section(report: Report, heading: str, text: str) -> None:
    """Adds a section below the error of the report, or to its captured output where the error is a
    plain text."""
    if add := getattr(report.longrepr, "addsection", None):
        add(heading, text)
    else:
        report.sections.append((heading, text))


def set_summary(report: Report, text: str) -> None:
    """Sets the line of the error in pytest's short summary, which is JUnit's message too."""
    if crash := getattr(report.longrepr, "reprcrash", None):
        crash.message = text


def summary_of(report: Report) -> str:
    """What ``set_summary`` sets; the whole error where it is a plain text."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr or "")


def extend_fixture_error(report: pytest.TestReport, text: str) -> None:
    """Adds a sentence to the first line of the error of an unknown fixture, before the list of the
    known ones."""
    shown: Any = report.longrepr
    if hasattr(shown, "errorstring"):
        first, *rest = shown.errorstring.split("\n")
        shown.errorstring = "\n".join([f"{first}.{text}" if text else first, *rest])


def place_hidden_error(report: pytest.TestReport, error: str) -> None:
    """Gives an error the place of its test if its traceback is hidden whole: pytest says then that
    all is hidden, and names a frame of its own."""
    traceback = getattr(report.longrepr, "reprtraceback", None)
    if not traceback or not traceback.extraline:
        return
    path, line, _ = report.location
    number = (line or 0) + 1
    traceback.extraline = f"\n{path}:{number}: {error}"
    if crash := getattr(report.longrepr, "reprcrash", None):
        crash.path, crash.lineno = path, number


def worker_of_crash(report: pytest.TestReport) -> str:
    """The name of the worker that died, of the report that pytest-xdist makes of it; "" if it names
    none."""
    gateway = getattr(getattr(report, "node", None), "gateway", None)
    return str(getattr(gateway, "id", ""))


def unittest_ending(item: pytest.Item) -> tuple[bool, bool]:
    """Whether a test of ``unittest`` skipped itself, and whether it is expected to fail: its own
    runner catches both, so that no exception is seen."""
    caught = getattr(item, "_excinfo", None) or []
    skipped = any(isinstance(one.value, pytest.skip.Exception) for one in caught)
    method = getattr(item, "obj", None) if hasattr(item, "_excinfo") else None
    return skipped, bool(getattr(method, "__unittest_expecting_failure__", False))


def forget_unittest_ending(item: pytest.Item) -> None:
    """Makes pytest report an error raised around the test in place of how ``unittest`` said that it
    ended."""
    if hasattr(item, "_excinfo"):
        item._excinfo = None


def worker_pids(config: pytest.Config) -> list[int]:
    """The processes of pytest-xdist's workers, asked for by their controller; none elsewhere."""
    nodes = getattr(config.pluginmanager.getplugin("dsession"), "_active_nodes", ())
    processes = (getattr(node.gateway._io, "popen", None) for node in nodes)
    return [process.pid for process in processes if process]


class JUnitXml:
    """The test cases of JUnit XML, in the process that writes it and before it does."""

    def __init__(self, config: pytest.Config) -> None:
        from _pytest.junitxml import xml_key

        self._xml: Any = config.stash[xml_key]

    @contextmanager
    def cases_of(self, teardown: pytest.TestReport) -> Iterator[list[Element]]:
        """The list that is yielded holds, once the report was handled, the test cases of the
        attempt: one, or two where call and teardown both failed."""
        reporters = self._xml.node_reporters_ordered
        found = [self._xml.node_reporter(teardown)]
        before = len(reporters)
        elements: list[Element] = []
        yield elements
        elements += [one.to_xml() for one in (*found, *reporters[before:])]

    def drop(self, cases: Container[int]) -> None:
        """Leaves out the test cases with these identities, and counts the others: pytest counts
        parts of a test as tests."""
        kept = []
        counts = dict.fromkeys(("error", "failure", "skipped", "passed"), 0)
        for one in self._xml.node_reporters_ordered:
            element = one.to_xml()
            if id(element) not in cases:
                kept.append(one)
                tags = {child.tag for child in element}
                known = [name for name in ("failure", "error", "skipped") if name in tags]
                counts[known[0] if known else "passed"] += 1
        self._xml.node_reporters_ordered = kept
        self._xml.stats = counts
        self._xml.cnt_double_fail_tests = 0
