"""A run on recordings for its readers: what it replays, the verdicts in the terminal and in the
exit code. Pytest remembers nothing of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from ..cassettes import FILE_NAME, Cassette, RecordedPhone, Stored
from ..drivers import device_name
from ..kept_runs import RUN, ReplayedTest, ReplayOf, best_attempt, newest_at, record_of
from ..model import VERDICTS, AnyDict, grouped
from ..model.printable import printable, seen_from
from ..pytest_private import HookWrapper, outermost
from ..running import OPTIONS, SECRETS
from .artifacts.storage import short_digest
from .attempts.attempt import FAILED_THEN, VERDICT, VERDICT_LATER
from .report_rows import rows_of

_LETTERS = {
    "reproduced": "R",
    "holds on the recording": "h",
    "fails on the recording": "f",
    "diverged": "D",
    "beyond the recording": "b",
}
assert set(_LETTERS) == VERDICTS

_WHOLE = ("cache/stepwise", "cache/nodeids")
_LAST_FAILED = "cache/lastfailed"


class ReplayReporter:
    """Registered on the controller of a run that is a replay."""

    NAME = "replicant-replay-reporter"

    def __init__(self, config: pytest.Config, recordings: Recordings) -> None:
        self.failures: dict[str, str] = {}
        """The whole text of what failed, by the id of the test as reports show it."""
        self._recordings = recordings
        self._clean = config.stash[SECRETS].text
        self._ended: dict[str, AnyDict] = {}
        self._names: dict[str, str] = {}
        cache: pytest.Cache | None = getattr(config, "cache", None)
        self._cache = cache
        self._remembered: AnyDict = {}
        if cache is not None:
            self._remembered = {key: cache.get(key, None) for key in (_LAST_FAILED, *_WHOLE)}

    def pytest_report_header(self) -> str:
        return f"replicant: {printable(self._clean(sentence_about(self._recordings.facts)))}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        rows = rows_of(report)
        if rows:
            self._names[report.nodeid] = rows[0].test
        if (ended := getattr(report, VERDICT, None)) is not None:
            self._ended[report.nodeid] = ended
            text = "\n".join(text for title, text in report.sections if title == FAILED_THEN)
            if text:
                self.failures[self._name(report.nodeid)] = text

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> tuple[str, str, str | tuple[str, dict[str, bool]]] | None:
        if hasattr(report, VERDICT_LATER):
            return "", "", ""
        ended = getattr(report, VERDICT, None)
        if ended is None:
            return None
        verdict = str(ended["verdict"])
        colour = {"yellow" if verdict == ended["wanted"] else "red": True}
        return verdict, _LETTERS[verdict], (verdict.upper(), colour)

    @outermost
    def pytest_sessionfinish(self, session: pytest.Session) -> HookWrapper:
        """No other verdict than the wanted one ends as a success. What pytest remembers of tests is
        put back."""
        try:
            return (yield)
        finally:
            wanted = all(ended["verdict"] == ended["wanted"] for ended in self._ended.values())
            ends = pytest.ExitCode
            if not wanted and session.exitstatus in (ends.OK, ends.NO_TESTS_COLLECTED):
                session.exitstatus = ends.TESTS_FAILED
            if self._cache is not None:
                self._put_back(self._cache)

    def _put_back(self, cache: pytest.Cache) -> None:
        """Tests that failed on a phone stay those that ``--lf`` and ``--sw`` run: they did not pass
        since."""
        for key in _WHOLE:
            if self._remembered[key] is not None:
                cache.set(key, self._remembered[key])
        before = self._remembered[_LAST_FAILED] or {}
        now: AnyDict = cache.get(_LAST_FAILED, {})
        kept = {nodeid: True for nodeid in now if nodeid not in self._ended}
        for nodeid in self._ended:
            # The test, and the classes and the file that it stands in.
            around = accumulate(nodeid.split("::"), lambda outer, name: f"{outer}::{name}")
            if not before.keys().isdisjoint(around):
                kept[nodeid] = True
        if kept != now:
            cache.set(_LAST_FAILED, kept)

    def _name(self, nodeid: str) -> str:
        return self._names.get(nodeid) or self._clean(nodeid)

    def record(self, folder: Path) -> ReplayOf:
        """Of the whole run, whose folder is ``folder``."""
        tests = tuple(
            ReplayedTest(
                self._name(nodeid),
                str(ended["verdict"]),
                str(ended["wanted"]),
                self._clean(str(ended["sentence"])),
                self._recordings.page_of(nodeid, folder),
            )
            for nodeid, ended in self._ended.items()
        )
        known = vars(self._recordings.facts)
        facts = {name: self._clean(text) for name, text in known.items() if name != "tests"}
        return ReplayOf(**facts, tests=tests)


# --- the recordings -------------------------------------------------------------------------------


class Recordings:
    """What a run was given to replay. ``knobs`` are those of its URI, as written. Raises
    ``UsageError``."""

    def __init__(self, config: pytest.Config) -> None:
        place, _, query = str(config.stash[OPTIONS].replay).partition("?")
        self.knobs = {name: values[-1] for name, values in parse_qs(query).items()}
        self._attempt = self.knobs.get("attempt", "")
        self._redactor = config.stash[SECRETS]
        self._stored = newest_at(
            str(config.invocation_params.dir / Path(place).expanduser()), FILE_NAME
        )
        self._files = self._stored[0].files

    @property
    def name(self) -> str:
        return Path(self._files.name).name

    @cached_property
    def first(self) -> Cassette | None:
        """The first cassette that can be read: the facts of the run are in each."""
        return next(filter(None, map(_loaded, self._stored)), None)

    def of(self, nodeid: str) -> tuple[Stored, Cassette] | None:
        """The recording of a test. Raises ``ValueError`` and ``OSError`` for one that cannot be
        read."""
        return self._best(
            nodeid, [(one, one.load()) for one in self._candidates(nodeid, self._attempt)]
        )

    def why_not(self, nodeid: str) -> str:
        """Of a test that has no recording."""
        attempt = self._attempt
        loaded = ((one, one.load()) for one in self._candidates(nodeid, "")) if attempt else ()
        if self._best(nodeid, loaded) is not None:
            return f"this test has no attempt {attempt} in {self.name}, which counts them from 0"
        return f"this test is not in {self.name}"

    def _best(
        self, nodeid: str, loaded: Iterable[tuple[Stored, Cassette]]
    ) -> tuple[Stored, Cassette] | None:
        shown = self._redactor.text(nodeid)
        own = [pair for pair in loaded if pair[1].header.nodeid == shown]
        return best_attempt(own) if own else None

    def _candidates(self, nodeid: str, attempt: str) -> list[Stored]:
        """As far as names of folders show; of every attempt where that is ""."""
        found = (*self._by_digest.get(short_digest(nodeid), ()), *self._by_digest.get("", ()))
        return [one for one in found if attempt in ("", str(one.attempt))]

    @cached_property
    def _by_digest(self) -> dict[str, list[Stored]]:
        return grouped((one.digest, one) for one in self._stored)

    @cached_property
    def phones(self) -> tuple[RecordedPhone, ...]:
        """All of them, each once."""
        found = {}
        for cassette in filter(None, map(_loaded, self._stored)):
            for one in cassette.phones:
                found[one.uri, one.capabilities, repr(one.info)] = one
        return tuple(found.values())

    @cached_property
    def facts(self) -> ReplayOf:
        """Of each recorded run, by its ``run.json`` or else its first cassette."""
        runs = {one.path.parent.parent: one for one in reversed(self._stored)}
        found = []
        for one in runs.values():
            known = None
            with suppress(OSError, ValueError):
                if len(self._stored) > 1:
                    run = record_of(one.files.read(one.path.parent.parent / RUN))
                    phones = (row.device for row in run.rows)
                    known = _facts(run.started_at, phones, run.environment)
            if known is None and (cassette := _loaded(one)):
                phones = (device_name(vars(phone.info)) for phone in cassette.phones)
                known = _facts(cassette.header.recorded_at, phones, cassette.header.facts)
            if known is not None:
                found.append(known)
        if not found:
            return ReplayOf(self.name)
        began, *others = zip(*found, strict=True)
        phone, app, revision = map(_one_of, others, ("several phones", "several builds", "several"))
        return ReplayOf(self.name, min(began), phone, app, revision)

    def page_of(self, nodeid: str, folder: Path) -> str:
        """The page of the recorded attempt as seen from there, "" if none is at hand."""
        found = self._candidates(nodeid, self._attempt)
        if len(found) > 1 or not all(one.digest for one in found):  # an only one is not looked into
            loaded = [(one, known) for one in found if (known := _loaded(one)) is not None]
            best = self._best(nodeid, loaded)
            found = [best[0]] if best is not None else []
        if not found:
            return ""
        page = self._files.path / found[0].path.parent / "trace.html"
        return seen_from(page, folder) if page.is_file() else ""


def _loaded(stored: Stored) -> Cassette | None:
    try:
        return stored.load()
    except (OSError, ValueError):
        return None


def _facts(began: str, phones: Iterable[str], environment: Mapping[str, str]) -> list[str]:
    """When it was recorded, on which phone, of which build and revision."""
    names = ("app", "app version", "revision")
    app, version, revision = (environment.get(name, "") for name in names)
    texts = (began, _one_of(phones, "several phones"), f"{app} {version}".strip(), revision[:12])
    return [printable(text, 100) for text in texts]


def _one_of(texts: Iterable[str], several: str) -> str:
    found = {*texts} - {""}
    return several if len(found) > 1 else "".join(found)


def sentence_about(facts: ReplayOf) -> str:
    """``"replay of 20261126-090330-998677: recorded 2026-11-26 09:03 UTC on Pixel 7, Android
    14"``."""
    when = facts.recorded_at[:16].replace("T", " ")
    recorded = " ".join(
        filter(
            None,
            (f"recorded {when} UTC" if when else "", f"on {facts.phone}" if facts.phone else ""),
        )
    )
    app = f"app {facts.app}" if facts.app else ""
    revision = f"revision {facts.revision}" if facts.revision else ""
    known = ", ".join(filter(None, (recorded, app, revision)))
    return f"replay of {facts.run}{f': {known}' if known else ''}"
