"""The calls of a trace as Playwright's viewer lists them, with their sources."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from ...kept_runs import file_and_line
from ...model import AnyMapping
from ..artifacts.storage import Excerpt
from ..triage.comparison import same_start

LONGEST_TITLE = 240
LONGEST_LINE = 1_000
LONGEST_MESSAGE = 20_000

# As trace.html shows them. Half a pair would besides stop the viewer, which puts names into
# addresses.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_FILLED_IN = re.compile(r"\{([^}]+)\}")


def shown(text: object, longest: int = LONGEST_MESSAGE) -> str:
    """The text with line breaks, cut; control and direction marks stand by number."""
    whole = str(text)
    if len(whole) > longest:
        whole = f"{whole[:longest]}… {len(whole) - longest:,} more characters"
    return _UNSEEN.sub(lambda sign: f"⟨U+{ord(sign[0]):04X}⟩", whole)


def line(text: object, longest: int = LONGEST_LINE) -> str:
    """The same on one line."""
    return " ".join(shown(text, longest).split())


def title(text: object) -> str:
    """A line, with wide braces around words: for narrow ones the viewer puts in a parameter, or
    nothing."""
    return _FILLED_IN.sub(r"｛\1｝", line(text, LONGEST_TITLE))


def spelled(value: object) -> str:
    """A recorded value as a reader would write it: no quotes and brackets around what needs
    none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {spelled(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(spelled, value))
    return "" if value is None else str(value)


def spelled_pairs(values: Mapping[str, object]) -> dict[str, str]:
    """What a record says by name, without what it leaves empty."""
    pairs = {}
    for name, value in values.items():
        if said := line(spelled(value)):
            pairs[line(name, 80).replace("_", " ")] = said
    return pairs


LAST_LINE = 20_000
"""Of a file that is written out; a line beyond it is named, but not shown."""


def place(source: str) -> tuple[str, int] | None:
    """The file and the line of ``"tests/test_shop.py:18"``."""
    found = file_and_line(source)
    return (shown(found[0]), found[1]) if found else None


def sources_of(calls: Iterable[Call], excerpts: Mapping[str, Excerpt]) -> Mapping[str, bytes]:
    """Files by the name under which the viewer looks for them: of each the lines that are known."""
    known: dict[str, dict[int, str]] = {}
    said = [(call.source, 0, [call.source_text]) for call in calls if call.source_text]
    said += [(source, *excerpt) for source, excerpt in excerpts.items()]
    for source, first, lines in said:
        file, at = place(source) or ("", 0)
        for number, text in enumerate(lines, first or at):
            if file and 0 < number <= LAST_LINE:
                known.setdefault(file, {})[number] = shown(text, 500).replace("\n", " ")
    return {
        f"src@{hashlib.sha1(file.encode(), usedforsecurity=False).hexdigest()}.txt": "\n".join(
            lines.get(number, "") for number in range(1, max(lines) + 1)
        ).encode()
        for file, lines in known.items()
    }


@dataclass
class Call:
    """One entry of the list. Times are milliseconds since the test began; ``record`` is the action
    or check.

    ``before`` and ``after`` are ids of snapshots, ``target`` a rectangle and ``touch`` points in
    the pixels of the one before. ``remark`` is the second line of the entry, in words of ours only.
    ``logs`` are times and lines, ``attachments`` as the viewer spells them.
    """

    id: str
    kind: str
    title: str
    start: float
    end: float
    parent: str = ""
    source: str = ""
    source_text: str = ""
    before: str | None = None
    after: str | None = None
    target: Sequence[int] | None = None
    touch: Sequence[Sequence[int]] = ()
    error: str = ""
    exception: str = ""
    remark: str = ""
    record: AnyMapping = field(default_factory=dict)
    diff: AnyMapping | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    result: Mapping[str, str] = field(default_factory=dict)
    logs: list[tuple[float, str]] = field(default_factory=list)
    attachments: Sequence[Mapping[str, str]] = ()

    def enclose(self, call: Call) -> None:
        """A step grows with each call in it."""
        self.end = max(self.end, call.end)
        self.after = call.after or self.after
        if call.error:
            self.error = call.error  # a folded step shows that something in it failed
            self.source = ""  # the call alone says where it failed


def calls_of(document: AnyMapping) -> list[Call]:
    """The calls of a redacted ``replicant.trace/2`` document, each after the one it is nested
    in."""
    listed: list[Call] = []
    taken: set[str] = set()
    around: list[Call] = []  # the steps of the test that the last call was in
    opened = 0
    for index, event in enumerate(document["events"]):
        call = _call(event, index)
        if call.id in taken:
            call.id = f"step-{index}"
        taken.add(call.id)
        group = event["group"]
        del around[same_start(group, [step.title for step in around]) :]
        parent = around[-1].id if around else ""
        for name in group[len(around) :]:
            # Begun just before its first call: what begins together has no order in the viewer.
            begun = call.start - (len(group) - len(around)) / 10_000
            step = Call(
                f"group-{opened}", "step", name, begun, call.end, parent, call.source,
                before=call.before,
            )  # fmt: skip
            opened += 1
            parent = step.id
            listed.append(step)
            around.append(step)
        for step in around:
            step.enclose(call)
        call.parent = parent
        listed.append(call)
    return listed


_OF_AN_EVENT = (
    "id", "kind", "title", "source", "source_text", "before", "after", "target", "touch", "error",
    "diff",
)  # fmt: skip


def _call(event: AnyMapping, index: int) -> Call:
    record = event["check"] or event["result"] or {}
    # A thousandth for each keeps what began in one millisecond in order.
    start = event["start_ms"] + index / 1000
    return Call(
        **{name: event[name] for name in _OF_AN_EVENT},
        start=start,
        end=start + max(event["duration_ms"], 0.001),
        # The viewer's list of errors has no room for a second line; what failed is red in any case.
        remark="" if event["error"] else _remark(record),
        record=record,
        parameters=_parameters(event, record),
        result=spelled_pairs(
            {
                "observed": record.get("observed"),
                "state": record.get("lifecycle_state") or record.get("result"),
                "failure": record.get("failure_code")
                or (record.get("recovery") or {}).get("failure_code"),
            }
        ),
    )


def _remark(record: AnyMapping) -> str:
    ended = record.get("lifecycle_state") or record.get("result", "")
    remarks = [
        {"pending_verification": "not verified", "error": "could not be decided"}.get(ended, ended),
        "proves little: it held before" if record.get("vacuous") else "",
        f"undone {record['undone']}" if record.get("undone") else "",
        "soft" if record.get("soft") else "",
        "recovered" if (record.get("recovery") or {}).get("recovery_attempts") else "",
    ]
    return " · ".join(filter(None, remarks))


def _parameters(event: AnyMapping, record: AnyMapping) -> dict[str, str]:
    if event["kind"] == "wait":
        return spelled_pairs(event.get("details", {}))
    if event["kind"] == "check":
        return spelled_pairs(
            {"expected": record.get("expected"), "of action": record.get("action_id")}
        )
    target = record.get("target") or {}
    pairs = {"target": target.get("selector")}
    if found := target.get("resolved"):
        pairs["found"] = f'[{found["ref"]}] {found["class_name"]} "{found["label"]}"'
        pairs["in row"] = found["context"]
    return spelled_pairs({**pairs, **record.get("details", {})})


MOST_LINES = 300
"""Lines of one call; from the middle of more, some are left out."""

_NO_READ = ("read failed: ", "interrupt: ")
"""How a read begins that is evidence of nothing."""

Line = tuple[float, str]


def log_lines(call: Call) -> list[Line]:
    """In the order in which it happened, every line at its moment within the call."""
    said = [*_stages(call), *_reads(call)]
    if call.touch:
        said.append((call.start, f"touch at {' → '.join(f'({x}, {y})' for x, y in call.touch)}"))
    said.sort(key=lambda one: one[0])
    if call.diff is not None:
        said += [
            (call.end, line(text))
            for text in (f"changed: {call.diff['summary']}", *call.diff["lines"])
        ]
    if len(said) > MOST_LINES:
        half = MOST_LINES // 2
        left_out = (said[half][0], f"… {len(said) - MOST_LINES} more lines")
        said = [*said[:half], left_out, *said[-half:]]
    return [(min(max(at, call.start), call.end), text) for at, text in said]


def stages_of(call: Call) -> Sequence[AnyMapping]:
    return list((call.record.get("trace") or {}).get("steps", ()))


def moment_of(call: Call, stage: AnyMapping) -> float:
    """When a stage began. Its stamp is a date, of which only the distance from the first is known
    to fit."""
    return call.start + float(stage["timestamp"] - stages_of(call)[0]["timestamp"])


def _stages(call: Call) -> Iterator[Line]:
    for stage in stages_of(call):
        attempt = f" (attempt {stage['attempt_index'] + 1})" if stage["attempt_index"] else ""
        by = f" by {stage['policy']}" if stage.get("policy") else ""
        notes = "; ".join(
            f"{name}: {value}" for name, value in spelled_pairs(stage.get("metadata", {})).items()
        )
        text = f"{stage['stage']}{attempt}{by}: {stage['result']}, {stage['duration_ms']} ms"
        yield moment_of(call, stage), line(f"{text} · {notes}" if notes else text)


def _reads(call: Call) -> Iterator[Line]:
    alike = groupby(call.record.get("reads", ()), key=lambda read: (read["observed"], read["held"]))
    for (observed, held), reads in alike:
        first, *others = reads
        verdict = "held" if held else "no read" if observed.startswith(_NO_READ) else "not yet"
        count = f" ({1 + len(others)} reads)" if others else ""
        yield call.start + first["at"] * 1000, line(f"read{count}: {observed} · {verdict}")
