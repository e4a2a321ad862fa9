"""``run.json`` and ``index.html``: one run, why its tests failed, and where their traces are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...codec import encode
from ...kept import RunRecord
from ...model import UNSOUND, VERDICTS, AnyDict, AnyMapping, Strings
from ...redaction import every_value, walked
from ...whole_file import write_whole
from ..artifacts.document import script_json
from ..findings import NOTES
from ..printable import few
from .navigation import link_pages
from .page import asset, page

BUDGET = 4_500_000
"""Bytes of data in one page. Beyond it long texts are cut, and say that ``run.json`` has the rest."""

SLOWEST = 20
"""How many of the run's steps are named as its slowest."""

MOST_FACTS = 4
"""How many targets, or screens, of one cause are named."""

_OF_A_RUN = ("run_id", "started_at", "duration_ms", "environment", "results", "phones", "flaky")
_KINDS = ("crash", "message")
_FACTS = ("target", "nearest", "instead", "screen", "blocker", "over", "after", "phase", "exception", "crash")
_CUTS = (20_000, 2_000, 300)
_OF_PHONES = frozenset({"phone", "lost", "requeues", "reconnects"})
_ELSEWHERE = (
    frozenset({"message", "cause", "slowest", "steps", "started_at", "looks", "signals", "test"}) | _OF_PHONES
)


def index_data(document: AnyMapping) -> AnyDict:
    """The data of the page for a ``run.json``. Values that say nothing are left out. A failure's whole message is
    there once a cause, and for tests that have no trace to read it in."""
    tests = document["tests"]
    data = {
        **{name: document[name] for name in _OF_A_RUN},
        "tests": [_slim(test) for test in tests],
        "causes": [_cause(cause, tests) for cause in document["causes"]],
        "notes": [{"name": one.name, "one": one.one, "many": one.many} for one in NOTES],
        "slowest": _slowest(tests),
        "replay": document.get("replay"),
        "accessibility": document.get("accessibility"),
    }
    return _fitted(data)


def _slim(test: AnyMapping) -> AnyDict:
    cause = test["cause"] or {}
    slim = {name: value for name, value in test.items() if name not in _ELSEWHERE}
    if test["outcome"] not in UNSOUND | VERDICTS:
        slim["rerun"] = ""  # of a failure one wants to make it again
    slim |= {"step": cause.get("step"), "source": cause.get("source")}
    if test["lost"] or test["requeues"]:
        slim["phone"] = test["phone"]
    if not test["trace"]:
        slim["message"] = test["message"]
    return {"nodeid": "", **{name: value for name, value in slim.items() if value}}


def _cause(group: AnyMapping, tests: Sequence[AnyMapping]) -> AnyDict:
    own = [tests[at] for at in group["tests"]]
    facts = {
        name: _distinct(cause.get(name) for cause in (*(test["cause"] for test in own), group["cause"]))
        for name in _FACTS
    }
    each = {(test["test"] or test["nodeid"], _kind(test["cause"])) for test in own}
    kinds = Counter(kind for _, kind in sorted(each))
    return {
        "title": group["title"],
        "cause": {name: group["cause"].get(name) or "" for name in _KINDS},
        "kinds": [[*kind, amount] for kind, amount in kinds.most_common(MOST_FACTS)],
        "facts": {name: values for name, values in facts.items() if values},
        "tests": group["tests"],
        "earlier": group["earlier"],
        "message": next((test["message"] for test in own if test["message"]), ""),
    }


def _kind(cause: AnyMapping) -> tuple[str, str]:
    return cause.get("failure_class") or "", cause.get("failure_code") or ""


def _distinct(values: Iterable[str | None]) -> list[str]:
    """What the tests of a cause were doing may differ: each of it once, up to a few."""
    return few(list(dict.fromkeys(value for value in values if value)), MOST_FACTS)


def _slowest(tests: Sequence[AnyMapping]) -> list[AnyDict]:
    steps = [{"test": index, **step} for index, test in enumerate(tests) for step in test["slowest"]]
    return sorted(steps, key=lambda step: -step["duration_ms"])[:SLOWEST]


def _fitted(data: AnyDict) -> AnyDict:
    """Texts are cut no further than it takes; where no cut is enough, there are simply many tests."""
    if len(script_json(data)) <= BUDGET:
        return data
    cuts = (_cut(data, length) for length in _CUTS)
    return next((cut for cut in cuts if len(script_json(cut)) <= BUDGET), _cut(data, _CUTS[0]))


def _cut(value: Any, length: int) -> Any:
    """``value`` with no text longer than ``length`` and the words that say how much is missing."""

    def cut(text: str) -> str:
        left = len(text) - length
        return f"{text[:length]}… ({left:,} more characters in run.json)" if left > 0 else text

    return walked(value, every_value(cut))


STYLES = ("look.css", "index.css", "causes.css", "tests.css")
SCRIPTS = (
    "elements.js",
    "theme.js",
    "help.js",
    "links.js",
    "message.js",
    "run.js",
    "headline.js",
    "causes.js",
    "flaky.js",
    "markdown.js",
    "notes.js",
    "tests.js",
    "phones.js",
    "keys.js",
    "index.js",
)


@dataclass(frozen=True)
class RunFiles:
    """What was written for a run. ``index_html`` is None where it could not be; ``warnings`` say why."""

    index_html: Path | None
    warnings: Strings = ()


def write_run(run: RunRecord, output: Path) -> RunFiles:
    """Write ``<output>/<run-id>/{run.json, index.html}``, and the links between the pages of its tests. Never
    raises for a disk that refuses."""
    folder = output / run.run_id
    document = run.to_dict()
    try:
        write_whole(folder / "run.json", encode(document, indent=1))
        write_whole(folder / "index.html", index_page(document).encode("utf-8"))
        link_pages(document, folder)
    except OSError as error:
        return RunFiles(None, (f"{folder}: no index of the run: {error.strerror or error}",))
    return RunFiles(folder / "index.html")


def index_page(document: AnyMapping) -> str:
    """The page for a ``run.json``; its links start from the folder of that document."""
    return page(
        f"Run {document['run_id']}", asset("index.html"), STYLES, SCRIPTS, index_data(document), "run.json"
    )
