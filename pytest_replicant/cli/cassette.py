"""``replicant cassette``: looks into recordings, checks, compares and redacts them, and deletes old
ones."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from math import inf
from pathlib import Path

from .. import cassettes
from .. import kept_runs as kept
from ..drivers import device_name
from ..errors import ReplicantError, UsageError
from ..model.printable import counted, few, left_out, printable
from .process import (
    FINDING,
    FINE,
    TROUBLE,
    Commands,
    argument,
    command,
    either,
    flag,
    number_up_to,
    option,
    print_json,
    print_text,
    repeatable,
)

_WIDTH, _MOST_STEPS, _MOST_CALLS = 110, 200, 6
_FROM_0 = number_up_to(1e9, "number from 0", 0)
_REPORT = "REPORT[::TEST]"
_MEANS = (
    "folder of a report, of a run or of a test, or a zip of one; TEST is a test's id or its end, "
    "such as test_add"
)


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "cassette",
        help="look into recordings, check, compare, redact and prune them",
        description="Recordings of tests, cassette.json.gz next to each trace. Exit codes: 0 fine, "
        "1 a finding, 2 usage, 3 a file that cannot be read or written.",
    )
    kinds = parser.add_subparsers(title="what to do", required=True, metavar="WHAT")
    for one in (_show, _check, _redact, _diff, _prune):
        one.add_to(kinds)


# --- show -----------------------------------------------------------------------------------------


@command(
    "show",
    "what was recorded of a test, step by step",
    "Prints when, where and how a test was recorded, and what each step sent and read. Of a "
    "report with several tests, a line for each. Exit codes: 0 fine, 2 usage, 3 as 0, but not "
    "all could be read.",
    argument("report", _REPORT, _MEANS),
    flag("--json", "one JSON object instead"),
)
def _show(arguments: argparse.Namespace) -> int:

    found, problems = kept.chosen(arguments.report)
    if arguments.json:
        rows = [
            {
                "path": stored.path.as_posix(),
                "header": asdict(cassette.header),
                "phones": [{"uri": one.uri, **asdict(one.info)} for one in cassette.shown_phones],
                "totals": asdict(cassettes.Totals.of(cassette)),
                "values": cassette.values,
                "steps": [one.to_dict() for one in cassettes.steps_of(cassette)],
            }
            for stored, cassette in found
        ]
        print_json({"report": found[0][0].files.name, "cassettes": rows})
        return _with_problems(problems)
    is_of_one = len({cassette.header.nodeid for _, cassette in found}) == 1
    for number, (_, cassette) in enumerate(found):
        if is_of_one:
            lines = [*_head(cassette), *_timeline(cassette)]
            print_text("\n".join(["", *lines] if number else lines))
            continue
        totals = cassettes.Totals.of(cassette)
        steps = f"{totals.seconds:6.1f} s {counted(totals.steps, 'step'):>9}"
        print_text(f"{printable(cassette.header.outcome, 12):<10} {steps}  {_named(cassette)}")
    return _with_problems(problems)


def _with_problems(problems: Sequence[str]) -> int:
    for line in few(problems, 10):
        sys.stderr.write(f"replicant: not read: {printable(line)}\n")
    return TROUBLE if problems else FINE


def _named(cassette: cassettes.Cassette) -> str:
    number = cassette.header.attempt
    attempt = f" (attempt {number + 1})" if number else ""
    return f"{printable(cassette.header.nodeid)}{attempt}"


def _head(cassette: cassettes.Cassette) -> Iterator[str]:

    header, totals = cassette.header, cassettes.Totals.of(cassette)
    yield _named(cassette)
    steps, calls = counted(totals.steps, "step"), counted(totals.calls, "call")
    counts = f"{steps}, {calls}, {totals.sends} of them sent, {counted(totals.screens, 'screen')}"
    when = printable(header.recorded_at, 40) or "at a time that is not known"
    yield f"  recorded  {when}, {totals.seconds:.1f} s: {counts}"
    for phone in cassette.shown_phones:
        yield f"  phone     {printable(device_name(vars(phone.info)))} ({printable(phone.uri, 80)})"
    facts = [
        f"{printable(name, 40)} {printable(value, 80)}" for name, value in header.facts.items()
    ]
    if facts:
        yield f"  made with {', '.join(few(facts, 12))}"
    yield f"  ended     {printable(header.outcome, 40)}"
    for failure in header.failures[:_MOST_CALLS]:
        step = f", at {printable(failure.step, 80)}" if failure.step else ""
        yield f"            {printable(f'{failure.exception}: {failure.message}', 200)}{step}"
    hidden = []
    if totals.secrets:
        hidden.append(counted(totals.secrets, "secret"))
    if totals.hidden:
        hidden.append(f"other texts on {counted(totals.hidden, 'screen')}")
    if hidden:
        yield f"  hidden    values behind ••• are not in it: {', '.join(hidden)}"
    if cassette.values:
        values = counted(len(cassette.values), "recorded value")
        yield f"  data      {values} of the test and its fixtures"


def _timeline(cassette: cassettes.Cassette) -> Iterator[str]:

    steps = cassettes.steps_of(cassette)
    place = ""
    for step in steps[:_MOST_STEPS]:
        now = printable(step.phase, 40)
        if step.fixture:
            now = f"fixture {printable(step.fixture, 80)}"
        if now != place:
            place = now
            yield f"{now}:"
        yield from _lines_of(step, len(cassette.shown_phones))
    yield from left_out(steps, _MOST_STEPS, "step")


def _lines_of(step: cassettes.TapedStep, phones: int) -> Iterator[str]:

    begin = "read for the report" if step.phase == "report" else "before its first step"
    title = printable(f"{step.kind} {step.title}".strip(), 80) or begin
    read = counted(step.reads, "read")
    if step.screens:
        read += f", {counted(step.screens, 'screen')}"
    yield f"{step.at:8.2f} {step.number or '':>3} {title}  ({read}, {step.took:.1f} s)"
    sent = []
    for one in step.sends:
        phone = f"phone {one.phone + 1}: " if phones > 1 else ""
        sent.append(f"{phone}{cassettes.sent_call(one)}")
    for word, lines in (("sent", sent), ("got", step.errors)):
        for line in few(lines, _MOST_CALLS):
            yield f"             {word} {printable(line, _WIDTH - 20)}"


# --- check ----------------------------------------------------------------------------------------


@command(
    "check",
    "say whether recordings can be read, and are whole",
    "Reads each recording of the reports, and each file that it names. Exit codes: 0 all are "
    "whole, 1 a line for each that is not, 2 usage.",
    argument("reports", "REPORT", _MEANS.partition(";")[0], nargs="+"),
)
def _check(arguments: argparse.Namespace) -> int:

    damaged = 0
    for name in arguments.reports:
        try:
            found = kept.newest_at(name, cassettes.FILE_NAME)
        except UsageError as error:
            if not Path(name).is_file():
                raise
            damaged += 1
            print_text(f"damaged  {printable(str(error))}")
            continue
        known: dict[str, str] = {}
        report, here = printable(found[0].files.name), 0
        for one in found:
            if why := _damage(one, known):
                here += 1
                print_text(f"damaged  {report}/{printable(str(one.path))}: {printable(why)}")
        damaged += here
        ended = f"{here} damaged" if here else "all whole"
        counts = f"{counted(len(found), 'cassette')}, {counted(len(known), 'blob')}"
        print_text(f"{report}: {counts}, {ended}")
    return FINDING if damaged else FINE


def _damage(stored: cassettes.Stored, known: dict[str, str]) -> str:
    """Why it cannot be replayed in full, "" if it can. ``known`` are the blobs of its report that
    were read."""
    try:
        cassette = stored.load()
    except (OSError, ValueError) as error:
        return str(error)
    for name in dict.fromkeys(cassette.blobs):
        if name not in known:
            known[name] = ""
            try:
                stored.blob(name)
            except (OSError, ValueError) as error:
                known[name] = str(error)
        if why := known[name]:
            return why if name in why else f"{name}: {why}"
    return ""


# --- redact ---------------------------------------------------------------------------------------


@command(
    "redact",
    "make an archive of recordings that may be sent away, and is still replayed",
    "Writes recordings and what they need into one zip, without logs, outputs of commands, files "
    "and pictures, and with stand-ins for secrets, for what patterns match, and for mail addresses "
    "that the test does not name. Replay it: pytest --replicant-device=cassette:FILE.zip. Exit "
    "codes: 0 written, 2 usage, 3 something could not be read or written.",
    argument("report", _REPORT, _MEANS),
    option(
        "-o", "--output", required=True, type=Path, metavar="FILE.zip", help="where to write it"
    ),
    repeatable("--secret", "TEXT", "hide this, wherever it is"),
    repeatable("--pattern", "RE", "hide what this matches"),
    flag("--keep-texts", "keep logs, outputs, files and mail addresses, but for secrets"),
)
def _redact(arguments: argparse.Namespace) -> int:

    from ..kept_runs.whole_file import write_whole
    from ..model import compiled

    output: Path = arguments.output
    if output.suffix != ".zip" or output.is_dir():
        raise UsageError(f"--output {str(output)!r}: give a file whose name ends in .zip")
    try:
        patterns = tuple(map(compiled, arguments.pattern))
    except ValueError as error:
        raise UsageError(f"--pattern: {error}") from None
    redacting = cassettes.Redacting(
        cassettes.Hiding(tuple(arguments.secret), patterns, arguments.keep_texts)
    )
    known, problems = kept.chosen(arguments.report)
    found = []
    for stored, cassette in known:
        try:
            found.append(redacting.redacted(cassette, stored.blob))
        except (OSError, ValueError) as error:
            place = printable(f"{stored.path}: {error}")
            raise ReplicantError(
                f"{place}. Next: replicant cassette check {stored.files.name}"
            ) from None
    data = cassettes.archive_of(found)
    write_whole(output, data)
    print_text("\n".join(_written(output, len(data), found)))
    return _with_problems(problems)


def _written(output: Path, size: int, found: Sequence[cassettes.Redacted]) -> Iterator[str]:
    blobs = {name for one in found for name in one.blobs}
    counts = f"{counted(len(found), 'cassette')}, {counted(len(blobs), 'blob')}"
    yield f"wrote {output}: {counts}, {size / 1000:.1f} kB"
    yield f"hidden: {counted(max(one.hidden for one in found), 'text')}"
    left = Counter[str]()
    for one in found:
        left.update(one.left_out)
    if +left:
        yield f"left out: {', '.join(counted(count, name) for name, count in (+left).items())}"
    yield from few(list(_warnings(found)), _MOST_CALLS, "test")
    yield f"Look into it before you send it. Replay it: pytest --replicant-device=cassette:{output}"


def _warnings(found: Sequence[cassettes.Redacted]) -> Iterator[str]:
    for one in found:
        name = printable(one.cassette.header.nodeid, 120)
        steps = "; ".join(few([printable(step, 80) for step in one.named], 3, "step"))
        if one.named_itself:
            why = "so that pytest will not find its recording"
            yield f"{name}: its own name has a hidden text, {why}"
        elif steps:
            yield f"{name} names a hidden text itself, and may end in another way: {steps}"


# --- diff -----------------------------------------------------------------------------------------


@command(
    "diff",
    "say where two recordings of a test first part",
    "Compares what the phones showed and were sent, step by step, up to the first difference. "
    "Of a test with several attempts, the last one that failed counts. Exit codes: 0 they do "
    "not part, 1 they do, 2 usage, 3 one of them is damaged.",
    argument("first", _REPORT, _MEANS),
    argument("second", _REPORT, _MEANS),
    flag("--json", "one JSON object instead"),
)
def _diff(arguments: argparse.Namespace) -> int:

    first, second = kept.one_chosen(arguments.first), kept.one_chosen(arguments.second)
    for stored, _ in (first, second):
        if why := _damage(stored, {}):
            raise ReplicantError(f"{stored.path} is damaged: {why}. Next: replicant cassette check")
    parting = cassettes.first_parting(first[1], second[1], first[0].blob, second[0].blob)
    if arguments.json:
        print_json({"parting": asdict(parting) if parting else None})
    else:
        lines = ["they do not part: the same was shown and sent"]
        if parting:
            lines = [printable(parting.sentence)]
            lines += [f"  {printable(line, _WIDTH)}" for line in parting.lines]
        for word, (_, cassette) in zip(("first", "second"), (first, second), strict=True):
            header = cassette.header
            ended = f"{printable(header.outcome, 40)}, {printable(header.recorded_at, 40)}"
            print_text(f"{word:<7} {_named(cassette)}, {ended}")
        print_text("\n".join(lines))
    return FINDING if parting else FINE


# --- prune ----------------------------------------------------------------------------------------


@command(
    "prune",
    "delete the recordings of old runs",
    "Deletes cassettes, and the screens that only they need, of runs below the folders. Traces "
    "and pages stay. Exit codes: 0 done, 2 usage, 3 something could not be deleted.",
    argument("reports", "REPORT", "replicant-report, or runs in it", nargs="+", type=Path),
    either(
        argument(
            "--keep",
            "N",
            "keep those of the newest N runs",
            type=number_up_to(inf, "whole number from 0", 0, int),
        ),
        argument("--older-than", "DAYS", "delete those of runs that are older", type=_FROM_0),
        required=True,
    ),
    flag("--dry-run", "delete nothing, and say what would be"),
)
def _prune(arguments: argparse.Namespace) -> int:

    before = time.time() - (arguments.older_than or 0) * 86_400
    plan = kept.plan_of(arguments.reports, keep=arguments.keep, before=before)
    if not arguments.dry_run:
        kept.carry_out(plan)
    print_text("\n".join(map(printable, kept.lines_of(plan, dry=arguments.dry_run))))
    return FINE
