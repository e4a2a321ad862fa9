"""``Explorer``: one phone that is looked at and acted on step by step, and what of it is worth a
test."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import (
    UNANSWERED,
    WRONG_CALLS,
    DeviceError,
    ExpectationFailed,
    Guarded,
    ReplicantError,
    UsageError,
)
from ..model import (
    Advice,
    Element,
    ElementRecord,
    Parted,
    Proposals,
    Redactor,
    Screen,
    Selector,
    Strings,
    lines_for_agent,
    verb_of,
)
from ..session import DeviceSession, Expectation, Guard, Shot, unexplained_crash
from ..snapshots import Snapshot, nested
from ..test_code import Call, EnvText, read_step
from .proposals import Change, proposals
from .steps import Batch, RecordedCheck, RecordedStep, StepFailure, StepResult

_STANDS_SECONDS = 1.1  # longer than the second by which clocks and counters move
_LOOK_SECONDS = 0.2
_MOST_SCREENS = 200
_MOST_BATCHES = 200
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class _AppDied(ExpectationFailed):
    """A step after which an app under test was found dead."""


class Explorer:
    """Acts by a session, and records what succeeded. ``fresh`` gives a session on an app as it was
    installed, or raises ``UsageError`` if that cannot be had. ``secrets`` are texts by their names,
    which nothing prints. ``on_step`` is called with each step that was done; ``proposes``: each
    suggests checks."""

    def __init__(
        self, session: DeviceSession, app: str, fresh: Callable[[], DeviceSession]
    ) -> None:
        self.session = session
        self.app = app
        self.steps: list[RecordedStep] = []
        self.batches: list[Batch] = []
        # checks that the newest step suggests: they held after it alone
        self.proposed: dict[str, Call] = {}
        self.screens: list[Snapshot] = []
        self.current: Snapshot | None = None  # as read last; None if a step has failed since
        self.title = ""
        self.secrets: dict[str, str] = {}
        self.proposes = True
        self.on_step: Callable[[RecordedStep], object] = lambda step: None
        self._fresh = fresh
        self._letters = Counter[int]()
        self._said: set[str] = set()  # texts that steps typed, or chose their targets by
        self._outcome: Expectation | None = None  # of the newest step, while nothing came after it
        self._deaths: set[str] = set()
        self._lost = False  # a step failed that may have had an effect: what comes stands on it

    # --- looking ----------------------------------------------------------------------------------

    def look(self) -> Snapshot:
        """The screen once it stands still. Raises ``DeviceError`` and ``SnapshotError``."""
        self.current = self._keep(self.session.snapshot())
        return self.current

    def shot(self, marks: bool) -> tuple[Snapshot, Shot]:
        """The screen, and a picture of it with or without the refs. Raises as ``look`` does."""
        shot = self.session.shot(marks=marks)
        self.current = self._keep(shot.snapshot)
        return self.current, shot

    def _keep(self, screen: Snapshot) -> Snapshot:
        if not any(one.fingerprint == screen.fingerprint for one in self.screens):
            self.screens = [*self.screens[-_MOST_SCREENS + 1 :], screen]
        return screen

    def note(self, title: str) -> str:
        """The title of the steps from here on, on one line."""
        self.title = " ".join(title.split())
        return self.title

    def guard_by(self, guard: Guard | None) -> None:
        """What the session refuses from here on."""
        self.session._context.guard = guard

    # --- acting -----------------------------------------------------------------------------------

    def do(self, lines: Sequence[str], id: str, secrets: Mapping[str, str] | None = None) -> Batch:
        """Does the steps until the first that fails. The same ``id`` does nothing a second time.
        Raises ``UsageError`` before anything is done for a line that is no step."""
        if known := self.batch(id):
            return known
        self.secrets.update(secrets or {})
        calls = [self._allowed(line, read_step(line)) for line in lines]
        batch = Batch(id, [StepResult(line) for line in lines])
        self.batches = [*self.batches[-_MOST_BATCHES + 1 :], batch]
        try:
            for result, call in zip(batch.results, calls, strict=True):
                self._one(call, result)
                if result.failure:
                    break
            if not self._lost:
                batch.proposed.update(self._propose(batch))
        finally:
            batch.end()
        return batch

    def _allowed(self, line: str, call: Call) -> Call:
        """The call. Raises ``UsageError`` for a secret that its client does not have, and for the
        value of one, which would stand in the test."""
        if missing := sorted({*call.secrets()} - self.secrets.keys()):
            raise UsageError(
                f"{', '.join(f'${name}' for name in missing)} is not set where this command runs, "
                f"and nothing was done. Next: export {missing[0]}=..., and run it again"
            )
        if name := self._secret_in(call):
            raise UsageError(
                f"{line[:40]!r} ... holds the value of ${name}, and nothing was done. Next: "
                f"env={name} in a fill, an id or a ref anywhere else"
            )
        return call

    def _secret_in(self, call: Call) -> str:
        """The name of a secret whose value stands in a call; "" for none."""
        texts = [*_strings_of(call)]
        for name, value in self.secrets.items():
            known = Redactor([value] if len(value) > 3 else [])
            if value and any(text == value or known.count(text) for text in texts):
                return name
        return ""

    def batch(self, id: str) -> Batch | None:
        """The steps that were asked for by that id; None for an unknown one."""
        return next((one for one in reversed(self.batches) if one.id == id), None)

    def _one(self, call: Call, result: StepResult) -> None:
        """Does one step, and says in ``result`` what became of it."""
        result.number = len(self.steps) + (not call.is_check)
        if call.is_check:
            self._checked(call, result)
            return
        context = self.session._context
        latest = context.recorder.latest
        try:
            step = self._act(call, result)
        except (ReplicantError, ExpectationFailed, TypeError) as error:
            # something may have reached the app
            sent = context.recorder.latest != latest and context.sends > 0
            self._outcome, self._lost = None, self._lost or sent
            result.fail(self._failure(call, error, sent))
            self.current = None
            return
        self.steps.append(step)
        self.proposed = {}
        self.on_step(step)
        result.succeed(step.durable.code("mobile."))
        for check in call.checks:
            if not result.failure:
                self._checked(check, result)

    def _act(self, call: Call, result: StepResult) -> RecordedStep:
        outcome = call.alone.on(self.session, self.secrets)
        before, acted, self._outcome = self.current, None, None
        if isinstance(outcome, Expectation):
            self._outcome = outcome
            before = outcome.before or before
            self.current = after = outcome.snapshot
            acted = outcome.result.target.resolved
            result.saw(outcome)
        else:
            self.current = after = self.session.snapshot()
        with suppress(*UNANSWERED):
            death = unexplained_crash(self.session)
            if death and death.message not in self._deaths:
                self._deaths.add(death.message)
                raise _AppDied(death.message)
        typed: Strings = ()
        if verb_of(call.verb).types and acted and acted.states.password:
            call, typed = self._without_password(call, acted)
        durable, warnings = self._durable(call, before, acted)
        if self._lost:
            warnings += (
                "stands on a step that failed, had an effect perhaps, and is not recorded",
            )
        result.warn(*warnings, *typed)
        self._said |= {_typed_by(durable), *_chosen_by(durable)}
        if before:
            self._keep(before)
        self._keep(after)
        return RecordedStep(
            len(self.steps) + 1, call, durable, before, after, acted, self.title, [], warnings
        )

    def _without_password(self, call: Call, field: Element) -> tuple[Call, Strings]:
        """A password that stood in a command is taken from the environment by the test, and hidden
        from now on."""
        value = _typed_by(call)
        if not value:
            return call, ()
        name = "_".join(re.findall(r"[A-Z0-9]+", field.label.upper())) or "PASSWORD"
        if not name.isidentifier():
            name = f"PASSWORD_{name}"
        while self.secrets.get(name, value) != value:
            name += "_"
        self.secrets[name] = value
        keywords = {**call.keywords, "value": EnvText(name)}
        said = f"the test takes it from ${name}. Next time: env={name}"
        said = f"a password stood in this command: {said}"
        return replace(call, args=call.args[:1], keywords=keywords), (said,)

    def _durable(
        self, call: Call, before: Snapshot | None, acted: Element | None
    ) -> tuple[Call, Strings]:
        """The call with a locator for each ref, proven on every screen so far, and what to say of
        those."""
        warnings: dict[str, None] = {}

        def locator(ref: str) -> Selector:
            home, found = before, None
            if home:
                found = {one.ref: one for one in home.printed}.get(ref)
                if not found and acted:
                    found = home.locate(acted).element
            if not home or not found:
                raise UsageError(
                    f"{ref} was acted on, and is on no screen that was read: name it by a selector"
                )
            also = self._others(home)
            # words are the same on each platform
            proposal = home.selector(found.ref, also=also, purpose="check")
            if proposal.warnings or self._secret_in(Call("tap", (proposal.selector,))):
                proposal = home.selector(found.ref, also=also)
            if name := self._secret_in(Call("tap", (proposal.selector,))):
                raise UsageError(
                    f"{ref} is known by words that hold the value of ${name} alone: no test may "
                    "hold it"
                )
            warnings.update(dict.fromkeys(proposal.warnings))
            return _by_role(proposal.selector, found, home, also)

        return replace(call.alone.durable(locator), checks=()), tuple(warnings)

    def _others(self, screen: Snapshot) -> list[Snapshot]:
        """The screens so far but this one."""
        return [one for one in self.screens if one is not screen]

    def proven(self, step: RecordedStep) -> RecordedStep:
        """The step with its locators proven on all screens of the session, those that came later
        too."""
        if not step.before or step.call.alone == step.durable:
            return step
        with suppress(ReplicantError):
            durable, warnings = self._durable(step.call, step.before, step.acted)
            return replace(step, durable=durable, warnings=warnings)
        return step

    # --- failures ---------------------------------------------------------------------------------

    def _failure(
        self, call: Call, error: BaseException, sent: bool, kept: bool = False
    ) -> StepFailure:
        recorder = self.session._context.recorder
        record, hide = recorder.record_of(error), recorder.redactor.text
        message, advice, parts = str(error), "", None
        if isinstance(error, Parted):
            message, advice, parts = error.what, error.advice, error.parts
        known = parts or record
        code = known.code if known else type(error).__name__
        step = allow = trouble = ""
        candidates: Strings = ()
        if isinstance(error, Guarded):
            code, allow = "GUARDED", error.word
            advice, step = _advised(call, (Advice(advice),))
        elif isinstance(error, _AppDied):
            code = "APP_DIED"
        elif isinstance(error, (*WRONG_CALLS, TypeError)):
            trouble = "usage"
        elif isinstance(error, DeviceError):
            trouble = "phone"
        if parts:
            message = "\n".join(lines_for_agent(parts))
            advised = parts.advice
            if not advised and parts.undecided:
                advised = parts.undecided.decides
            advice, step = _advised(call, advised)
            if record and code == "AMBIGUOUS_TARGET":
                candidates = tuple(map(_candidate, record.matches))
        if code == "STALE_REFERENCE":
            advice, step = "look, which prints the refs of now", ""
        return StepFailure(
            code, hide(message), sent, kept, candidates, hide(advice), trouble, call.is_check,
            hide(step), allow,
        )  # fmt: skip

    # --- checks -----------------------------------------------------------------------------------

    def expect(
        self,
        given: str,
        secrets: Mapping[str, str] | None = None,
        *,
        instead: Callable[[Call], str] | None = None,
        replaces: bool = False,
    ) -> StepResult:
        """Makes a check, by the id of a proposed one or as it is written, and records it if it
        holds; it ``replaces`` the one that its step was given last. With ``instead`` it is handed
        to that, which returns what to say of it. Raises ``UsageError`` for anything else."""
        self.secrets.update(secrets or {})
        result = StepResult(given, number=len(self.steps))
        proposed = self.proposed.get(given)
        if not proposed and re.fullmatch(r"\d+[a-z]+", given):
            known = ", ".join(self.proposed) or "none"
            raise UsageError(f"{given} is no proposed check of the newest step; there are: {known}")
        call = proposed or read_step(given)
        if not call.is_check:
            raise UsageError(
                f"{given!r} is no check, nor the id of a proposed one. Next: do {given!r}"
            )
        self._allowed(given, call)
        if instead:
            if durable := self._holding(call, result):
                result.hold(instead(durable))
            return result
        self._checked(call, result, given if proposed else "")
        if proposed and result.failure and result.failure.step:
            gone = read_step(result.failure.step)
            if gone.verb == "expect_seen":  # a banner that has gone by itself meanwhile
                self._checked(gone, result, given)
                if not result.failure:
                    result.hold(f"  it has gone by now, so this is {gone}")
        if replaces and self.steps and not result.failure:
            del self.steps[-1].checks[-2:-1]
        return result

    def _holding(self, call: Call, result: StepResult) -> Call | None:
        """The check as a test has it; None if it does not hold, which the result says then."""
        try:
            if not self._outcome and verb_of(call.verb).of_outcome:
                raise UsageError(
                    f"{call.verb}() is about the newest step, and there is none to compare with"
                )
            call.on(self._outcome or self.session, self.secrets)
        except (ReplicantError, ExpectationFailed, TypeError) as error:
            kept = bool(result.code)
            result.fail(self._failure(call, error, kept, kept))
            return None
        durable = call
        if any(isinstance(one, str) for one in call.targets()):
            screen = self.session.snapshot()
            others = self._others(screen)
            durable = call.durable(
                lambda ref: screen.selector(ref, purpose="check", also=others).selector
            )
        return self._allowed(call.code(), durable)

    @property
    def _unrecorded(self) -> str:
        """Why a check that holds is not recorded, "" if it is."""
        if self._lost:
            return "a step that is not recorded came before it"
        return "" if self.steps else "no step is recorded"

    def _checked(self, call: Call, result: StepResult, proposed: str = "") -> None:
        """Makes a check and records it if it holds; the result says what it is worth."""
        durable = self._holding(call, result)
        if not durable:
            return
        if why := self._unrecorded:
            result.hold(f"{durable.code()} holds, and is not recorded: {why}")
            return
        step = self.steps[-1]
        id = what = proposed
        if not proposed:
            id = self._next_id(step.number)
            what = f"{id} {durable.code()}"
        if any(one.call == durable for one in step.checks):
            result.hold(f"{id} holds; it was recorded before")
            return
        checks = self.session._context.recorder.checks
        vacuous = bool(checks and checks[-1].vacuous)
        was = f"was false before step {step.number}"
        if verb_of(durable.verb).of_outcome:
            was = f"compares with before step {step.number}"
        elif vacuous:
            was = f"was true before step {step.number} too"
        elif not proposed and not self._outcome:
            was = "not compared with the screen before"
        step.checks.append(RecordedCheck(id, durable, not proposed, vacuous))
        result.hold(f"{what} recorded: holds, {was}")

    def _next_id(self, number: int) -> str:
        """Another one each time, also for a step that takes the number of one that was taken
        back."""
        count = self._letters[number]
        self._letters[number] += 1
        return f"{number}{_LETTERS[count % 26] * (count // 26 + 1)}"

    def _propose(self, batch: Batch) -> dict[str, str]:
        """Checks of the last step that was done, unless its author has checked it."""
        done = [one for one in batch.results if one.code]
        step = self.steps[-1] if self.steps else None
        if not (step and step.before and done and self.proposes) or step.checks:
            return {}
        earlier = [one for one in self.screens if one not in (step.after, step.before)]
        acted = step.after.locate(step.acted).element if step.acted else None
        change = Change(
            step.durable, step.before, step.after, acted, done[-1].toasts, self._said, earlier
        )
        hidden = self.session._context.recorder.redactor.text
        for call in proposals(change, self._standing):
            if all(hidden(text) == text for text in _strings_of(call)):
                self.proposed[self._next_id(step.number)] = call
        return {id: one.code() for id, one in self.proposed.items()}

    def _standing(self, texts: Collection[str]) -> Collection[str]:
        """Those that stay on the screen while nothing is done."""
        clock = self.session._context.clock
        deadline = clock.now() + _STANDS_SECONDS
        try:
            while texts:
                self.current = screen = self.session.snapshot()
                texts = [text for text in texts if screen.match_labels(Selector(text=text))]
                if clock.now() >= deadline:
                    break
                clock.sleep(_LOOK_SECONDS)
        except ReplicantError:
            return ()
        return texts

    # --- again ------------------------------------------------------------------------------------

    def rewind(self, number: int, guard: Guard | None) -> tuple[Batch, Strings]:
        """Starts over and does the recorded steps 1 to ``number`` again, with their checks, under
        ``guard``; later ones are forgotten. With the steps come lines of what differs, none if the
        screen is the same. Raises ``UsageError`` if nothing fresh can be had."""
        if not 0 <= number <= len(self.steps):
            there = f"steps 1 to {len(self.steps)} are" if self.steps else "no step is"
            raise UsageError(f"rewind {number}: {there} recorded; 0 is a fresh app")
        kept = [self.proven(one) for one in self.steps[:number]]
        self.session = self._fresh()
        self.guard_by(guard)
        self.steps, self._outcome, self.proposed, self._lost = [], None, {}, False
        self._deaths.clear()
        rewound = Batch("")
        for step in kept:
            result = StepResult(step.durable.code())
            rewound.results.append(result)
            self._again(step, result)
            if result.failure:
                return rewound, ()
        differs: list[str] = []
        if kept:
            now, then = self.look(), kept[-1].after
            if (now.screen_key, now.fingerprint) != (then.screen_key, then.fingerprint):
                differs = str(now.diff(then)).splitlines()
        return rewound, tuple(differs) if differs != ["no change"] else ()

    def resume(self, session: DeviceSession) -> None:
        """Goes on with another session of the phone: its screen may be another one by now."""
        guard = self.session._context.guard
        self.session, self._outcome, self.current = session, None, None
        self.guard_by(guard)

    def _again(self, step: RecordedStep, result: StepResult) -> None:
        title, self.title = self.title, step.title
        try:
            self._one(replace(step.durable, checks=()), result)
        finally:
            self.title = title
        if result.failure:
            return
        self.steps[-1] = replace(self.steps[-1], call=step.durable)
        for check in step.checks:
            self._checked(check.call, result, check.id)
            if result.failure:
                return
            self.steps[-1].checks[-1].own = check.own


def _typed_by(call: Call) -> str:
    """The plain text that a fill types; "" for none."""
    value = call.keywords.get("value", call.args[1] if len(call.args) > 1 else None)
    return value if verb_of(call.verb).types and isinstance(value, str) else ""


# --- what it says of a step beyond the message of its failure -------------------------------------


def _by_role(
    selector: Selector, element: Element, home: Snapshot, also: Sequence[Snapshot]
) -> Selector:
    """The selector by a role in place of a class, which differs by platform, if it means the
    same."""
    if selector.class_name is None or element.semantic_role is None:
        return selector
    by_role = replace(selector, class_name=None, role=element.semantic_role)
    same = all(screen.match(by_role) == screen.match(selector) for screen in (home, *also))
    return by_role if same else selector


def _chosen_by(call: Call) -> Iterator[str]:
    """The texts by which its selectors choose."""
    for target in call.targets():
        for one in nested(target) if isinstance(target, Selector) else ():
            for value in (one.text, one.text_contains, one.description):
                if isinstance(value, str):
                    yield value


def _candidate(one: ElementRecord) -> str:
    """An element that was meant as well, by its ref and what differs."""
    return f'[{one.ref}] row "{one.context}"' if one.context else f"[{one.ref}]"


def _advised(call: Call, proposals: Proposals) -> tuple[str, str]:
    """The best proposal as it is written, and the step that it is, which can be done as it stands;
    "" if it is none. The keywords of a locator go into the call."""
    for best in proposals[:1]:
        if isinstance(best, str):
            return best, ""
        with suppress(UsageError):
            if not best.locator:
                step, rest = read_step(best.call).code(), best.rest.strip(" ,;")
                return f"{step}  # {rest}" if rest else step, step
            if not call.is_check:
                given = dict(best.locator.given())
                if "text_matches" in given:
                    given["text"] = given.pop("text_matches")  # as a test writes it
                mine = {name: value for name, value in call.keywords.items() if name != "nth"}
                keywords = {**mine, **given} if mine or "text" in given else {}
                step = replace(call.alone, args=(), keywords=keywords).code()
                return step, step
        return str(best), ""
    return "", ""


def _strings_of(value: Any) -> Iterator[str]:
    """Every text in a call, its checks included."""
    parts: Iterable[Any] = ()
    match value:
        case str():
            yield value
        case re.Pattern():
            yield value.pattern
        case Call():
            parts = (*value.args, *value.keywords.values(), *value.checks)
        case Selector():
            parts = dict(value.given()).values()
        case Screen():
            parts = (value.name, *value.has, *value.lacks)
        case list() | tuple():
            parts = value
    for part in parts:
        yield from _strings_of(part)
