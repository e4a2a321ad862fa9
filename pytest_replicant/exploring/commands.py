"""The commands of one open session, given by the command line, a prompt, a page or an agent."""

from __future__ import annotations

import json
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ..errors import DeviceError, ReplicantError, SnapshotError, TargetError, UsageError
from ..model import AnyMapping, Redactor, one_line, verb_of
from ..model.printable import as_seen_from, counted, printable
from ..redaction import every_text, walked
from ..session import Guard
from ..session.photos import packed
from ..snapshots import Snapshot
from ..test_code import Call, patch_of, read_source, read_steps, write_source, written
from ..vision import CELLS, cell_point, opened, with_grid
from . import answers
from .explorer import Explorer
from .given import Values, values_of
from .process.turns import Answer, Request
from .running import run_test
from .steps import SESSION_SCHEMA, Batch, RecordedStep, StepResult
from .writing import Place, Spot, new_test, said_of

FINE, FINDING, USAGE, TROUBLE = range(4)
PICTURES = ("screenshot", "marks", "grid")
"""What of ``evidence`` is a picture."""
_MOST_LOG_LINES = 40


@dataclass
class Said:
    """An answer, as text and as data. ``ends``: the session closes after it. ``results`` are those
    of steps and checks. ``picture`` is a PNG for a client that takes it."""

    text: str
    data: AnyMapping = field(default_factory=dict)
    code: int = FINE
    ends: bool = False
    results: Sequence[StepResult] = ()
    picture: bytes = b""


@dataclass
class Phone:
    """What an open session holds. ``uri`` is what a test is given, ``how`` is how a fresh app comes
    about. ``state`` is the fixture that it began from, which tests in ``state_file``, or below it,
    have. ``lent`` gives the phone away while a test runs on it, unless that test has a phone of its
    own. ``spot`` is where a test stands still that has this session."""

    name: str
    uri: str
    app: str
    described: str
    how: str
    fresh_in_test: bool = False
    lent: Callable[[], AbstractContextManager[None]] = nullcontext
    close: Callable[[], object] = lambda: None
    spot: Spot | None = None
    state: str = ""
    state_file: Path = Path()


class OpenSession:
    """One explorer and its phone; answers each command of ``table.COMMANDS``."""

    def __init__(self, explorer: Explorer, phone: Phone, guard: Guard | None) -> None:
        self.explorer = explorer
        self.phone = phone
        self.guard = guard
        explorer.guard_by(guard)
        self._printed: Snapshot | None = None
        self._place = ""  # of the test that was saved last
        self._proves = True  # whether a check follows the last action of that one
        # of each step that is in a test, the checks that are there too
        self._saved: list[list[str]] = []
        self._instead: Call | None = None  # in place of the check that failed, once that is saved

    # --- as a handler of the session's process ----------------------------------------------------

    def facts(self) -> Mapping[str, str]:
        return {"phone": self.phone.described, "app": self.phone.app}

    def close(self) -> None:
        self.phone.close()

    def handle(self, request: Request) -> Answer:
        """Answers a command as it was typed."""
        as_json = "--json" in request.argv
        try:
            values = values_of(request.argv)
            as_json = values["json"]
            said = self.answer(request.argv[0], values, request)
        except ReplicantError as error:
            why = self.hidden(str(error))
            said = Said("", {"error": why}, code_of(error))
            if not as_json:
                return Answer(err=f"replicant: {why}\n", code=said.code)
        return self.answer_of(request, said, as_json=as_json)

    def answer_of(self, request: Request, said: Said, as_json: bool) -> Answer:
        """It as its client prints it, without secrets."""
        if as_json:
            data = {
                "schema": SESSION_SCHEMA,
                "command": request.argv[0],
                "code": said.code,
                **said.data,
            }
            text = json.dumps(self.hidden_in(data), indent=2)
        else:
            text = self.hidden(said.text)
        return Answer(
            f"{text}\n" if text else "", code=said.code, ends=said.ends, picture=said.picture
        )

    def hidden_in(self, value: Any) -> Any:
        """Before it is JSON, which writes quotes and accents in another way."""
        return walked(value, every_text(self.hidden))

    def peek(self, request: Request, busy: bool) -> Answer | None:
        """``last`` is answered at once, also while steps are done."""
        return self.handle(request) if request.verb == "last" else None

    def answer(self, name: str, values: Values, request: Request) -> Said:
        """The answer to one command. Raises ``ReplicantError``."""
        method: Callable[[Values, Request], Said] = getattr(self, f"_{name}")
        return method(values, request)

    def hidden(self, text: str) -> str:
        """The text without secrets."""
        redactor = self.explorer.session._context.recorder.redactor
        for secret in self.explorer.secrets.values():
            redactor.add(secret)
        return redactor.text(text)

    # --- looking and acting -----------------------------------------------------------------------

    def first_look(self) -> Said:
        """What was opened, and the screen."""
        phone, guard = self.phone, ""
        facts = {
            "session": phone.name, "phone": phone.described, "app": phone.app, "how": phone.how,
        }  # fmt: skip
        head = "  ".join(facts.values())
        if self.guard:
            guard = self.guard.describe()
            head += f"  guard: {guard}"
        self._printed = self.explorer.look()
        screen = answers.screen_text(self._printed)
        return Said(f"{head}\n{screen}", {**facts, "guard": guard, "screen": screen})

    def _look(self, values: Values, request: Request) -> Said:
        self._printed = screen = self.explorer.look()
        text = answers.screen_text(screen, everything=values["all"], within=values["within"] or "")
        return Said(text, {"screen": text, "elements": screen.to_dict()["elements"]})

    def _do(self, values: Values, request: Request) -> Said:
        steps = list(values["steps"])
        if steps == ["-"]:
            steps = read_steps(request.stdin or "")
        if not steps:
            raise UsageError(
                "do takes steps, as words, or by - on standard input. Next: replicant do 'tap m987'"
            )
        id = values["id"] or uuid.uuid4().hex[:8]
        known = self.explorer.batch(id)
        with self._allowing(values["allow"]):
            batch = self.explorer.do(steps, id, request.env)
        if not known:
            text = answers.batch_text(batch, batch.show(self._changed(batch)))
        else:
            text = answers.batch_text(batch)
            text = f"{id} was asked for before, and nothing was done now\n{text}"
        return Said(text, batch.to_dict(), batch.exit_code, results=batch.results)

    def _changed(self, batch: Batch) -> str:
        """The screen now, as against what was printed last."""
        before = self._printed
        try:
            self._printed = now = self.explorer.look()
        except (DeviceError, SnapshotError) as error:
            return f"the screen cannot be read: {one_line(str(error), 200)}"
        toasts = [toast for one in batch.results for toast in one.toasts]
        done = any(one.code for one in batch.results)
        if done and verb_of(self.explorer.steps[-1].call.verb).scrolls:
            before = None  # of what came, a diff shows a part
        return answers.changes(before, now, toasts)

    @contextmanager
    def _allowing(self, words: Sequence[str]) -> Iterator[Guard | None]:
        """While it is entered, the guard lets these words pass."""
        guard = self.guard.allowing(words) if self.guard else None
        self.explorer.guard_by(guard)
        try:
            yield guard
        finally:
            self.explorer.guard_by(self.guard)

    def _expect(self, values: Values, request: Request) -> Said:
        spot, put, batch = self.phone.spot, None, Batch("")
        if values["instead"]:
            if len(values["checks"]) > 1:
                raise UsageError("--instead takes one check, in place of another one")
            if spot and spot.failed:
                put = self._put_instead
        for given in values["checks"]:
            batch.results.append(
                self.explorer.expect(given, request.env, instead=put, replaces=values["instead"])
            )
            if batch.failed:
                break
        data = {"checks": [one.to_dict() for one in batch.results]}
        text = answers.checks_text(batch.results)
        return Said(text, data, batch.exit_code, results=batch.results)

    def _put_instead(self, check: Call) -> str:
        """What to say of a check that holds in place of the one that the test stands at."""
        self._instead = check
        return f"{check.code()} holds. Next: save, which puts it in place of the check that failed"

    def _rewind(self, values: Values, request: Request) -> Said:
        given = float(values["number"])
        if not given.is_integer() or given < 0:
            raise UsageError(f"rewind takes a whole number from 0, and not {given:g}")
        number = int(given)
        with self._allowing(values["allow"]) as guard:
            rewound, differs = self.explorer.rewind(number, guard)
        self._saved = self._saved[:number]
        with suppress(DeviceError, SnapshotError):
            self._printed = self.explorer.look()
        how = self.phone.how if self.phone.state or self.phone.how == "new phone" else "app cleared"
        text = answers.rewound_text(rewound, differs, self._printed, how)
        data = {
            "steps": [one.to_dict() for one in rewound.results],
            "differs": list(differs),
            "server": "what a server keeps is not undone",
        }
        if not rewound.failed:
            return Said(f"{text}  (what a server keeps is not undone)", data)
        if gone := number - len(rewound.results):
            text += f"\n{counted(gone, 'later step')} forgotten"
        return Said(text, data, FINDING)

    def _note(self, values: Values, request: Request) -> Said:
        title = self.explorer.note(values["title"] or "")
        shown = f"mobile.step({json.dumps(title)})" if title else "no title"
        return Said(f"steps from here on: {shown}", {"title": title})

    def _last(self, values: Values, request: Request) -> Said:
        id = values["id"]
        batch = self.explorer.batch(id) if id else next(reversed(self.explorer.batches), None)
        if not batch:
            if not id:
                return Said("no step was asked for yet")
            raise UsageError(f"{id}: no such request reached this session; nothing of it was done")
        text = answers.batch_text(batch, batch.screen) or "no step has ended yet"
        if batch.is_over:
            return Said(text, batch.to_dict(), batch.exit_code)
        return Said(f"{batch.id}: still at it\n{text}", batch.to_dict())

    # --- evidence ---------------------------------------------------------------------------------

    def _evidence(self, values: Values, request: Request) -> Said:
        what, session = values["what"], self.explorer.session
        output = Path(request.cwd, values["output"]) if values["output"] else None
        if what in PICTURES:
            png, lines = self.picture(what)
            if request.pictures and not output:
                return Said("\n".join(lines), picture=png)
            said = _kept(output or Path(request.cwd, f"replicant-{self.phone.name}.png"), png)
            if not lines:
                return said
            return Said("\n".join([said.text, *lines]), {**said.data, what: lines})
        if what == "logs":
            found = [
                f"{one.level} {one.tag}: {one.message}"
                for one in session.logs(app=self.phone.app, level="W")
            ]
        elif what == "crashes":
            found = [*map(str, session.crashes())]
        else:
            raise UsageError(f"evidence {what!r}: give logs, crashes, {', '.join(PICTURES)}")
        lines = [printable(self.hidden(one), 300) for one in found]
        if output:
            return _kept(output, "\n".join([*lines, ""]).encode())
        shown = lines[-_MOST_LOG_LINES:]
        if left := len(lines) - len(shown):
            shown.insert(0, f"… {counted(left, 'line')} before")
        return Said("\n".join(shown) or f"no {what}", {what: lines})

    def picture(self, what: str) -> tuple[bytes, list[str]]:
        """One of ``PICTURES`` as PNG, and what the refs or cells that are drawn on it stand for, a
        line each. Of cells it is where their middle is on the screen."""
        if what == "screenshot":
            return self.explorer.session.screenshot(), []
        self._printed, shot = self.explorer.shot(marks=what == "marks")
        if what == "marks":
            return shot.png, [self._printed.element(mark.ref).describe() for mark in shot.marks]
        points = [
            shot.to_screen(*cell_point(cell, "center", shot.size)) for cell in range(1, CELLS + 1)
        ]
        lines = [f"cell {cell}: tap_at({x}, {y})" for cell, (x, y) in enumerate(points, 1)]
        return packed(with_grid(opened(shot.png))), lines

    # --- the test ---------------------------------------------------------------------------------

    def _save(self, values: Values, request: Request) -> Said:
        spot, named = self.phone.spot, values["place"]
        there = len(self._saved) if spot else 0
        if len(self.explorer.steps) <= there and not self._instead:
            raise UsageError(
                "no step is recorded, and there is nothing to save. Next: replicant do 'tap m987'"
            )
        if spot and named:
            raise UsageError(
                "a paused test cannot become another one: its own steps are not recorded here. "
                "Next: save, which puts these steps at its line"
            )
        if spot:
            return self._save_here(spot, only_patch=values["diff"])
        if not named:
            raise UsageError(
                "save takes the test to write. Next: save tests/test_order.py::test_order"
            )
        place = Place.of(named, request.cwd)
        before, encoding = read_source(place.path) if place.path.exists() else (None, "utf-8")
        after, said = self.draft(place, request.cwd, before, replaces=values["replace"])
        self._refuse_secrets(before, after)
        shown = as_seen_from(place.path.resolve(), Path(request.cwd).resolve()).as_posix()
        patch = patch_of(shown, before, after)
        if self.explorer.session.platform == "ios":
            said += " An iPhone keeps the app's data from test to test."
        if values["diff"]:
            return Said(f"{patch}{said}", {"patch": patch, "said": said})
        write_source(place.path, after, encoding)
        self._place = named
        self._note_saved()
        open_end = self._open_end()
        self._proves = not open_end
        ran = Said("Not run.", {"ran": None})
        if values["run"]:
            ran = self._ran(named, values["allow"], request)
        added, removed = _counted_lines(patch)
        data = {"added": added, "removed": removed, **ran.data, "said": said, "open_end": open_end}
        parts = filter(None, [f"written, +{added} -{removed}.", open_end, ran.text, said])
        return Said(" ".join(parts), data, ran.code)

    def draft(
        self, place: Place, root: str, before: str | None, replaces: bool = False
    ) -> tuple[str, str]:
        """The file with the test of the steps in it, and what to say of that. ``before`` is the
        file now, None for a new one; ``root`` is where fixtures and page objects are looked for.
        Raises ``UsageError``, also if a test there has not the fixture that the phone began
        from."""
        phone, path = self.phone, place.path.resolve()
        near = path == phone.state_file
        if phone.state_file.stem == "conftest":
            near = phone.state_file.parent in path.parents
        if phone.state and not near:
            raise UsageError(
                f"{place.path} has no fixture {phone.state}. Next: save below "
                f"{phone.state_file.parent}, which {phone.state_file.name} is for"
            )
        steps = [self.explorer.proven(one) for one in self.explorer.steps]
        new, in_place = new_test(
            place, steps, phone.app, phone.fresh_in_test, root, before, phone.state
        )
        after = written(before, new, replace=replaces, path=place.path)
        return after, " ".join([*in_place, said_of(steps)])

    def _note_saved(self) -> None:
        self._saved = [_check_ids(one) for one in self.explorer.steps]

    def unsaved(self) -> list[RecordedStep]:
        """The steps that no test has yet, or with other checks."""
        saved = iter(self._saved)
        return [one for one in self.explorer.steps if _check_ids(one) != next(saved, None)]

    def _open_end(self) -> str:
        """What to say of a test whose last action no check follows, "" for any other."""
        for last in reversed(self.explorer.steps):
            if last.checks:
                break
            if verb_of(last.durable.verb).kind == "action":
                proposed = (f"{id}, {one.code()}" for id, one in self.explorer.proposed.items())
                check = next(proposed, "expect_visible(text=...) of what it is for")
                return (
                    f"Nothing checks step {last.number}, the last action. Next: expect {check}, "
                    "and save again."
                )
        return ""

    def _refuse_secrets(self, before: str | None, after: str) -> None:
        """The last look before a file is written. Raises ``UsageError``."""
        for name, value in self.explorer.secrets.items():
            known = Redactor([value])
            if len(value) > 3 and known.count(after) > known.count(before or ""):
                raise UsageError(
                    f"the test would hold the value of ${name}, and was not written. Next: rewind "
                    "to before the step that shows it, and name it by an id"
                )

    def _save_here(self, spot: Spot, only_patch: bool) -> Said:
        """The steps since the last time, at the line where the test stands."""
        steps = [self.explorer.proven(one) for one in self.explorer.steps[len(self._saved) :]]
        patch, where = spot.write(steps, self._instead, only_patch)
        said = said_of(steps)
        if only_patch:
            return Said(f"{patch}{said}", {"patch": patch, "said": said})
        self._note_saved()
        self._instead = None
        added, removed = _counted_lines(patch)
        lines = f"+{added} -{removed}" if removed else f"+{added}"
        open_end = self._open_end() if steps else ""
        goes_on = "The test that stands here runs on as it was."
        parts = filter(None, [f"written at {where}, {lines}.", open_end, goes_on, said])
        return Said(" ".join(parts), {"added": added, "said": said})

    def _run(self, values: Values, request: Request) -> Said:
        place = values["place"] or self._place
        if not place:
            raise UsageError(
                "run takes a test, and none was saved yet. Next: run "
                "tests/test_order.py::test_order"
            )
        return self._ran(place, values["allow"], request)

    def _ran(self, place: str, allowed: Sequence[str], request: Request) -> Said:
        """What a fresh run of a test showed. One whose end has no check is no pass."""
        guard = []
        if self.guard:
            lines = "\n".join(self.guard.allowing(allowed).lines)
            guard = ["-o", f"replicant_guard={lines}", f"--replicant-app={self.phone.app}"]
        secrets = {**self.explorer.secrets, **request.env}
        with self.phone.lent():
            ran = run_test(place, self.phone.uri, request.cwd, secrets, guard)
        took = f"{ran.seconds:.1f} s, {self.phone.described.partition(',')[0]}"
        if ran.passed and not self._proves and place == self._place:
            ran = replace(ran, passed=False)
            text = f"it ran, {took}, and proves nothing: its end has no check."
        elif ran.passed:
            text = f"passed, {took}."
        else:
            how = "recovered, which is no plain pass" if ran.recovered else "FAILED"
            text = f"{how}, {took}.\n{ran.text}\n"
        return Said(f"Fresh run: {text}", {"ran": asdict(ran)}, FINE if ran.passed else FINDING)

    def _close(self, values: Values, request: Request) -> Said:
        unsaved, phone = self.unsaved(), self.phone
        text = f"{phone.name} goes on"
        if not phone.spot:
            text = f"{phone.name} closed, {phone.described} is free"
        if unsaved:
            since = "since the last save " if self._saved else ""
            text += f"; {counted(len(unsaved), 'step')} recorded {since}and not saved"
        if self._instead:
            text += f"; {self._instead.code()} not saved"
        return Said(text, {"unsaved": len(unsaved)}, ends=True)


def _check_ids(step: RecordedStep) -> list[str]:
    return [one.id for one in step.checks]


def _kept(path: Path, data: bytes) -> Said:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path} was not written: {error.strerror}") from None
    return Said(f"{path}, {len(data):,} bytes", {"path": str(path), "bytes": len(data)})


def _counted_lines(patch: str) -> tuple[int, int]:
    first = Counter(line[0] for line in patch.splitlines() if line[:3] not in ("+++", "---"))
    return first["+"], first["-"]


def code_of(error: ReplicantError) -> int:
    if isinstance(error, DeviceError):
        return TROUBLE
    return FINDING if isinstance(error, (SnapshotError, TargetError)) else USAGE
