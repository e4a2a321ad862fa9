"""``run.json`` and ``index.html``: one run, why its tests failed, and where their traces are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...kept_runs import RunRecord
from ...kept_runs.whole_file import write_whole
from ...model import BROKEN, UNSOUND, VERDICTS, AnyDict, AnyMapping, Strings, encode
from ...model.printable import few
from ...pool import kind_of_phone
from ...redaction import every_value, walked
from ..artifacts.storage import script_json
from ..findings import NOTES
from .page import page

BUDGET = 4_500_000
"""Bytes of data in one page. Beyond it long texts are cut, and say that ``run.json`` has the
rest."""

SLOWEST = 20
"""How many of the run's steps are named as its slowest."""

MOST_FACTS = 4
"""How many targets, or screens, of one cause are named."""

_OF_A_RUN = ("run_id", "started_at", "duration_ms", "environment", "results", "phones", "flaky")
_KINDS = ("crash", "message")
_FACTS = (
    "target",
    "nearest",
    "instead",
    "screen",
    "blocker",
    "over",
    "after",
    "phase",
    "exception",
    "crash",
)
_CUTS = (20_000, 2_000, 300)
_OF_PHONES = frozenset({"phone", "lost", "requeues", "reconnects"})
_ELSEWHERE = (
    frozenset({"message", "cause", "slowest", "steps", "started_at", "looks", "signals", "test"})
    | _OF_PHONES
)


def index_data(document: AnyMapping) -> AnyDict:
    """The data of the page for a ``run.json``. Values that say nothing are left out. A failure's
    whole message is there once a cause, and for tests that have no trace to read it in."""
    tests = document["tests"]
    steps = [
        {"test": index, **step} for index, test in enumerate(tests) for step in test["slowest"]
    ]
    data = {
        **{name: document[name] for name in _OF_A_RUN},
        "tests": [_slim(test) for test in tests],
        "causes": [_cause(cause, tests) for cause in document["causes"]],
        "notes": [{"name": one.name, "one": one.one, "many": one.many} for one in NOTES],
        "slowest": sorted(steps, key=lambda step: -step["duration_ms"])[:SLOWEST],
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
    causes = [*(test["cause"] for test in own), group["cause"]]
    facts = {}
    for name in _FACTS:
        # What the tests of a cause were doing may differ: each of it once, up to a few.
        if values := dict.fromkeys(cause[name] for cause in causes if cause.get(name)):
            facts[name] = few([*values], MOST_FACTS)
    each = set()
    for test, cause in zip(own, causes, strict=False):
        name = test["test"] or test["nodeid"]
        each.add((name, cause.get("failure_class") or "", cause.get("failure_code") or ""))
    kinds = Counter(one[1:] for one in sorted(each))
    return {
        "title": group["title"],
        "cause": {name: group["cause"].get(name) or "" for name in _KINDS},
        "kinds": [[*kind, amount] for kind, amount in kinds.most_common(MOST_FACTS)],
        "facts": facts,
        "tests": group["tests"],
        "earlier": group["earlier"],
        "message": next((test["message"] for test in own if test["message"]), ""),
    }


def _fitted(data: AnyDict) -> AnyDict:
    """Texts are cut no further than it takes; where no cut is enough, there are simply many
    tests."""
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


@dataclass(frozen=True)
class RunFiles:
    """What was written for a run. ``index_html`` is None if it could not be; ``warnings`` say
    why."""

    index_html: Path | None
    warnings: Strings = ()


def write_run(run: RunRecord, output: Path) -> RunFiles:
    """Write ``<output>/<run-id>/{run.json, index.html}``, and the links between the pages of its
    tests. Never raises for a disk that refuses."""
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
    return page(f"Run {document['run_id']}", "index.html", index_data(document), "run.json")


# --- links between the pages of a run: each page has room for them near its head ---

ROOM, LITTLE_ROOM = 4_096, 1_024
"""Bytes for the links of a page, and of one that has few."""

_OPENING = b'<script type="application/json" id="nav">'
_NEAR_HEAD = 4_096
"""Within so many bytes of the beginning that element opens."""
_LONGEST = 60  # characters of a name

Links = dict[str, Any]


def nav_block(room: int) -> str:
    """The element, empty: a page that is opened alone has no links that lead nowhere."""
    return f"{_OPENING.decode()}{'{}'.ljust(room)}</script>\n"


def link_pages(document: AnyMapping, folder: Path) -> None:
    """Writes the links into the pages of a run that lie in its folder. A page that cannot be
    written, or has no room for them, stays as it is. Of a run that was merged from others none is
    touched."""
    for path, links in links_of(document).items():
        if re.fullmatch(r"(?!\.\./)[^/\\]+/trace\.html", path):
            with suppress(OSError, ValueError):
                _fill(folder / path, links)


def _fill(page: Path, links: Links) -> None:
    """The command is left out if there is no room for it."""
    bare = {name: one for name, one in links.items() if name != "rerun"}
    texts = [script_json(one).encode("ascii") for one in (links, bare)]
    with page.open("r+b", buffering=0) as file:
        head = file.read(_NEAR_HEAD + len(_OPENING) + ROOM)
        begin = head.find(_OPENING) + len(_OPENING)
        room = head.find(b"</script>", begin) - begin
        text = next((text for text in texts if len(text) <= room), b"")
        if begin >= len(_OPENING) and text:
            file.seek(begin)
            file.write(text.ljust(room))


def links_of(document: AnyMapping) -> dict[str, Links]:
    """The links of each page of a ``replicant.run/1`` document, by the page's path as seen from the
    run's folder.

    ``index``, ``before`` and ``next`` (the failures of the run in the order of its causes, of which
    this is number ``at`` of ``of``), ``pages`` (all attempts of the test, on each of its phones;
    ``here`` is this one) ``phones`` (the same test on the other phones of a matrix), ``rerun`` (the
    command that runs the test again) and ``replay`` (what it is a replay of, and how it ended).
    Paths start from the page's own folder."""
    rows, replays = document["tests"], _replays(document)
    failures, matrix = _failures(document), _matrix(document)
    every = [[rows[at] for at in result["attempts"]] for result in document["results"]]
    last = [shown_attempt(own) for own in every]
    found: dict[str, Links] = {}
    for number, result in enumerate(document["results"]):
        around: Links = {"index": "../index.html"}
        if number in failures:
            around |= _neighbours(failures, failures.index(number), last)
        others = [last[one] for one in matrix.get(number, ())]
        if phones := [_page(row) for row in others if row["trace"]]:
            around["phones"] = phones
        own = [row for row in every[number] if row["trace"]]
        pages = list(map(_page, own))
        for here, row in enumerate(own):
            links = found[row["trace"]] = around.copy()
            if len(pages) > 1:
                links |= {"pages": pages, "here": here}
            if row.get("rerun"):
                links["rerun"] = row["rerun"]
            if result["nodeid"] in replays:
                links["replay"] = replays[result["nodeid"]]
    return found


def _replays(document: AnyMapping) -> dict[str, Links]:
    """By the id of the test; none if the run is no replay."""
    replay = document.get("replay") or {"tests": ()}
    return {
        one["nodeid"]: {
            "run": replay["run"],
            "wanted": one["wanted"],
            "sentence": one["sentence"][: 5 * _LONGEST],
            **({"recorded": f"../{one['recorded']}"} if one["recorded"] else {}),
        }
        for one in replay["tests"]
    }


def _failures(document: AnyMapping) -> list[int]:
    """The places of the results that failed, those of one cause together."""
    results = document["results"]
    of = {at: number for number, result in enumerate(results) for at in result["attempts"]}
    grouped = (of[at] for cause in document["causes"] for at in cause["tests"] if at in of)
    every = dict.fromkeys((*grouped, *range(len(results))))
    return [one for one in every if results[one]["outcome"] in BROKEN]


def _matrix(document: AnyMapping) -> dict[int, list[int]]:
    """The results of one test on several phones, whose names are among its parameters: to each the
    others."""
    found: dict[str, list[int]] = {}
    for number, result in enumerate(document["results"]):
        phone = str(document["tests"][result["attempts"][0]].get("phone") or "")
        named = re.sub(r"[^A-Za-z0-9._]+", "-", kind_of_phone(phone))
        name, _, parameters = str(result["nodeid"]).partition("[")
        words = re.split(rf"(?:^|-){re.escape(named)}(?=[-\]])", parameters, maxsplit=1)
        if phone and len(words) == 2:
            found.setdefault(f"{name}[{''.join(words)}", []).append(number)
    return {one: [each for each in same if each != one] for same in found.values() for one in same}


def _neighbours(failures: Sequence[int], at: int, last: Sequence[Links]) -> Links:
    links: Links = {"at": at + 1, "of": len(failures)}
    for side, others in (("before", failures[:at][::-1]), ("next", failures[at + 1 :])):
        for row in [last[one] for one in others if last[one]["trace"]][:1]:
            links[side] = {**_page(row), "name": row["nodeid"].rpartition("::")[2][:_LONGEST]}
    return links


def shown_attempt(own: Sequence[Links]) -> Links:
    """Of the rows of a test's last attempt, one a phone, that of the phone on which it failed: the
    one with the step that raised it."""
    last = [row for row in own if row["attempt"] == max(one["attempt"] for one in own)]
    return next((row for row in last if _step(row) and row["trace"]), last[0])


def _page(row: Links) -> Links:
    page = {name: row[name] for name in ("attempt", "outcome", "device")}
    page["trace"] = f"../{row['trace']}"
    if step := _step(row):
        page["step"] = step
    return page


def _step(row: Links) -> str:
    return (row.get("cause") or {}).get("step") or ""
