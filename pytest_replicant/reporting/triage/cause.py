"""Why a test failed, in terms that are the same in another test and in another run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ...kept import RecordedAttempt, RecordedScreen, RecordedStep, element_name, recorded
from ...model import (
    FAILURE_CLASSES,
    ElementRecord,
    FailureRecord,
    ObstacleRecord,
    TestTrace,
    bare,
    quoted,
    verb_of,
)
from .comparison import TEXT, changed_lines
from .divergence import Divergence

DEVICE_TROUBLE = "DeviceError"
"""``failure_class`` of tool trouble, which says nothing about the app."""

APP_CRASH = "AppCrash"
"""``failure_class`` of a test in which the app under test died."""

NOT_RESPONDING = "ApplicationNotResponding"
"""``failure_class`` of a test in which the app under test did not respond (Android's ANR)."""

TEST_ERROR = "TestError"
"""``failure_class`` of any other exception: of the test itself, of a fixture, of a plain ``assert``."""

_OF_THE_APP = frozenset({"ExpectationFailed", "ActionFailed", "TargetError", ""})
"""Errors that say something of the app; "" is of a report without one."""
_LONGEST = 300
_MOST_NEAREST = 3
_VOLATILE = re.compile(
    r"0x[0-9a-fA-F]+"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,}\b"
    r"|\d+(?:[.,:/]\d+)*\+?"
)
_BY_CODE = {
    "ELEMENT_NOT_FOUND": "missing",
    "STALE_REFERENCE": "stale",
    "AMBIGUOUS_TARGET": "ambiguous",
    "ELEMENT_NOT_INTERACTABLE": "unfit",
    "NAVIGATION_NO_CHANGE": "no change",
}


def masked(text: str) -> str:
    """``Total £9.90`` as ``Total £~``; addresses, UUIDs and long hexadecimal ids likewise."""
    return _VOLATILE.sub("~", text)


def kind_and_label(element: ElementRecord) -> str:
    """``Button "Sign in"``: alike whatever selector found it."""
    return f"{element.class_name.rpartition('.')[2]} {quoted(element.label or element.resource_id)}".strip()


@dataclass(frozen=True)
class Cause:
    """Facts about one failure; "" stands for not known, or for not applicable.

    ``failure_class`` is one of the contract's (``TargetResolutionFailure`` ...) or of this module's. ``target`` is
    what was meant, as the test said it, ``screen`` the name of the screen on which it failed, ``screen_key`` which
    screen that is under whatever content, ``exception`` the name of what was raised, ``crash`` the signature of
    the app's death, ``thrown`` and ``frame`` what was thrown there and where. ``detail`` is what a tool or a phone
    said, or the ability that it lacks, ``source`` the line of the test, ``step`` the id of the step in its trace
    page, ``phase`` the test's: setup, call or teardown. ``nearest`` lists what comes near a target that was not
    found.

    ``trouble`` sorts failures by what was wrong, however that was found out: an element is "missing", whether an
    action, a check or a wait was in need of it. ``subject`` is what was in trouble, named alike whatever selector
    the test had for it; ``expected`` what a check wanted, ``observed`` what was seen in place of it, ``states``
    the names of the states that were compared, ``instead`` the line on the screen in the place of what was not
    found. ``signals`` are the first warnings and errors that the app logged, and toasts that it showed, that the
    last pass had not, ``reason`` a digest of the difference from it that explains the failure, "-" where none is
    known, "" where there is no pass; ``late`` is "yes" where a check held after its verdict. ``belongs`` is the
    screen on which that pass looked for it. ``look`` is what the screen was built of, numbers apart. ``blocker``
    is what lay in the way: the system's, or what covered what was meant; ``over`` a window of the app's own.
    ``app`` is the one that died, or that was in front. ``after`` is the action that went before, and ``effect``
    "none" where that had changed nothing, "stayed" where it led to no other screen; ``answer`` is the text that it
    brought there."""

    failure_class: str
    failure_code: str = ""
    target: str = ""
    screen: str = ""
    screen_key: str = ""
    exception: str = ""
    crash: str = ""
    message: str = ""
    source: str = ""
    step: str = ""
    trouble: str = ""
    subject: str = ""
    observed: str = ""
    look: str = ""
    blocker: str = ""
    over: str = ""
    app: str = ""
    after: str = ""
    effect: str = ""
    phase: str = ""
    states: str = ""
    detail: str = ""
    thrown: str = ""
    frame: str = ""
    nearest: str = ""
    expected: str = ""
    signals: tuple[str, ...] = ()
    instead: str = ""
    reason: str = ""
    late: str = ""
    belongs: str = ""
    answer: str = ""

    @property
    def kind(self) -> str:
        """``"ExecutionFailure TIMEOUT"``."""
        return f"{self.failure_class} {self.failure_code}".strip()

    def named(self, *names: str) -> list[tuple[str, str]]:
        """These of its facts, each with its name; without those that are not known."""
        return [(name, fact) for name in names if (fact := getattr(self, name))]


def cause_of(run: RecordedAttempt, parted: Divergence | None = None) -> Cause | None:
    """None where nothing failed the test. ``parted`` is how it differs from its last pass, where one is at hand.
    Of a redacted run it is redacted too."""
    if not run.failures:
        return None
    first, parted = run.failures[0], parted or Divergence("")
    step = run.step(first.step)
    record, done = (step.failure, step) if step is not None else (first.failure, RecordedStep())
    known = Cause(
        TEST_ERROR,
        exception=first.exception,
        message=first.title,
        detail=first.detail,
        source=first.source or done.source,
        step=first.step,
        phase=first.phase,
        expected=done.expected,
        signals=parted.signals,
        instead=parted.instead,
        reason=parted.reason if parted.baseline else "",
        belongs=parted.belongs,
        late="yes" if done.late else "",
    )
    deaths = (*run.deaths, *run.anrs)
    if deaths:
        death = deaths[0]
        known = replace(
            _on_screen(run, step, record, known),
            failure_class=NOT_RESPONDING if death.kind == "anr" else APP_CRASH,
            detail=death.reason,
            crash=death.signature,
            app=death.app,
            thrown=death.exception,
            frame=death.frame,
        )
    elif run.outcome == "infra":
        known = replace(
            known,
            failure_class=DEVICE_TROUBLE,
            failure_code=record.code if record is not None else "",
            message=_device_free(run, first.title),
            detail=_device_free(run, first.detail),
            subject="".join(run.phone_names[:1]),
        )
    elif record is not None and first.exception in _OF_THE_APP:
        known = _on_screen(run, step, record, known)
    elif record is not None:  # a time-out of the test's own, a wrong call: the step was not decided
        known = replace(_on_screen(run, step, None, known), target=target_of(record, step))
    return replace(known, **{name: value[:_LONGEST] for name, value in asdict(known).items()})


def cause_of_trace(trace: TestTrace) -> Cause | None:
    """The cause of an attempt that has just ended; redacted where the trace is."""
    return cause_of(recorded(trace)) if trace.failures else None


def _device_free(run: RecordedAttempt, said: str) -> str:
    """A text without the name of the phone: what befell one phone may befall another."""
    for name in run.phone_names:
        if len(name) > 2:
            own = re.escape(name)
            said = re.sub(rf"(?:\bdevice )?'{own}'|(?<![\w-]){own}(?![\w-])", "the phone", said)
    return said


def _on_screen(
    run: RecordedAttempt, step: RecordedStep | None, failure: FailureRecord | None, known: Cause
) -> Cause:
    """The cause with the facts of the failed step, and of the screen that it failed on."""
    screen = run.last if step is None else step.after if step.after.key else step.before
    after, effect, answer = _before(run, step, screen)
    known = replace(
        known,
        screen=screen.name,
        screen_key=screen.key,
        look=screen.structure,
        app=screen.app,
        after=after,
        effect=effect,
        answer=answer,
    )
    if failure is None:
        return known
    classes: Mapping[str, str] = FAILURE_CLASSES  # type: ignore[assignment]  # looked up by any string
    foreign = failure.over is not None and failure.over.owner != "app"
    over = obstacle_name(failure.over)
    trouble, subject, observed = _trouble(failure, step)
    nearest = [f"[{one.ref}] {element_name(one)}" for one in failure.candidates[:_MOST_NEAREST]]
    return replace(
        known,
        failure_class=classes.get(failure.code, known.failure_class),
        failure_code=failure.code,
        target=target_of(failure, step),
        screen=failure.screen or known.screen,
        screen_key=failure.screen_key or known.screen_key,
        app=failure.app or known.app,
        blocker=over if foreign else obstacle_name(failure.blocker),
        over="" if foreign else over,
        trouble=trouble,
        subject=subject,
        observed=observed,
        states=" ".join(sorted(failure.wanted)) if trouble == "state" else "",
        nearest="   ".join(nearest) if trouble == "missing" else "",
    )


def _before(run: RecordedAttempt, step: RecordedStep | None, screen: RecordedScreen) -> tuple[str, str, str]:
    """The last action that was done before the step, what came of it, and its answer if it led nowhere."""
    end = run.steps.index(step) if step is not None else len(run.steps)
    done = next((one for one in reversed(run.steps[:end]) if one.kind == "action" and one.failure is None), None)
    if done is None:
        return "", "", ""
    named = kind_and_label(done.target) if done.target is not None else done.selector
    stayed = step is not None and bool(done.before.key) and done.before.key == screen.key
    answered = any(one.signals for one in run.steps[run.steps.index(done) : end + 1])
    effect = done.effect or answered  # an error that the app reports is one, though the screen is as it was
    came = "stayed" if effect and stayed else "" if effect else "none"
    known, (new, _) = "\n".join(done.before.outline), changed_lines(done.before.outline, screen.outline)
    texts = (one[0] for one in map(TEXT.search, new) if one and one[0] not in known)
    return f"{done.name} {named}".strip(), came, next(texts, "") if came == "stayed" else ""


# --- what was wrong, however it was found out --------------------------------------------------------------


def _trouble(failure: FailureRecord, step: RecordedStep | None) -> tuple[str, str, str]:
    """One word for it, what it is about, and what was there instead."""
    kind = failure.problem or _BY_CODE.get(failure.code, failure.kind)
    kind = "unseen" if (kind, verb_of(failure.kind).proves) == ("missing", "past") else kind
    seen = step.observed if step is not None else ""
    if kind == "unfit":
        return _unfit(failure, step)
    if kind == "missing":
        return _missing(failure, seen)
    if kind == "unseen":
        return kind, _missing(failure, seen)[1], seen
    if kind == "stale":
        was = f" ({element_name(failure.element)})" if failure.element is not None else ""
        return kind, f"the ref {failure.ref}{was}" if failure.ref else _subject(failure), seen
    if kind == "screen":
        return kind, f"screen {quoted(str(failure.wanted.get('screen', '')))}", seen
    if kind == "state":
        return _state(failure)
    if kind == "disabled":
        named = element_name(failure.element) if failure.element is not None else _subject(failure)
        return kind, named, _compared(failure)
    return kind, target_of(failure, None) if kind == "covered" else _subject(failure), seen


def target_of(failure: FailureRecord, step: RecordedStep | None) -> str:
    """The target as the test said it; of a check of the acted element, that of the action."""
    if failure.selector is not None:
        return failure.selector.describe()
    if failure.ref:
        return failure.ref
    if failure.element is not None:
        return element_name(failure.element)
    if verb_of(failure.kind).targets == "branches":
        return " or ".join(map(str, failure.wanted.values()))
    return step.selector if step is not None else ""


def _subject(failure: FailureRecord) -> str:
    """The element where it is one, or several that are named alike; else what the test said."""
    named = {kind_and_label(one) for one in failure.matches}
    if len(named) == 1:
        return named.pop()
    return kind_and_label(failure.element) if failure.element is not None else target_of(failure, None)


def _missing(failure: FailureRecord, seen: str) -> tuple[str, str, str]:
    """An element that is there but for its numbers is not missing: it has another value."""
    selector = failure.selector
    if selector is None or selector.text is None:
        return "missing", _subject(failure), seen
    text = selector.text
    others = [label for label in failure.alike if label != text]
    if len(others) == 1 and masked(text) != text and [name for name, _ in selector.given()] == ["text"]:
        return "value", quoted(text), f"{quoted(others[0])}, not {quoted(text)}"
    return "missing", selector.describe() if text in failure.alike else quoted(text), seen


def _unfit(failure: FailureRecord, step: RecordedStep | None) -> tuple[str, str, str]:
    subject = element_name(failure.element) if failure.element is not None else _subject(failure)
    if failure.blocker is not None and failure.unfit != "touches taken":
        return "covered", subject, f"covered by {obstacle_name(failure.blocker)}"
    return "disabled" if failure.unfit == "disabled" else "unfit", subject, failure.unfit


def _state(failure: FailureRecord) -> tuple[str, str, str]:
    shown = failure.observed.get("text")
    if isinstance(shown, str) and len(failure.observed) == 1 and masked(shown) != shown:
        wanted = str(failure.wanted.get("text", shown))
        named = wanted if masked(wanted) == masked(shown) else shown
        return "value", quoted(named), _compared(failure)
    return "state", _subject(failure), _compared(failure)


def _compared(failure: FailureRecord) -> str:
    """``checked=False instead of checked=True``."""
    if verb_of(failure.kind).proves == "absence":
        return f"{_values(failure.observed or failure.wanted)}, which it should not be"
    return f"{_values(failure.observed)} instead of {_values(failure.wanted)}"


def _values(facts: Mapping[str, Any]) -> str:
    """``text="Sold out", enabled=False``."""
    shown = (
        f"{bare(name)}={'not reported' if one is None else quoted(one) if isinstance(one, str) else repr(one)}"
        for name, one in facts.items()
    )
    return ", ".join(shown) or "nothing"


def obstacle_name(obstacle: ObstacleRecord | None) -> str:
    """``system dialog "Battery low"``, ``Button "Undo"``; "" for None."""
    if obstacle is None:
        return ""
    if obstacle.element is not None:
        return kind_and_label(obstacle.element)
    kinds = {"app": "Dialog", "system": "system dialog", "permission": "permission prompt"}
    return (
        f"{kinds[obstacle.owner]} {quoted(obstacle.title)}"
        if obstacle.title
        else f"a {kinds[obstacle.owner].lower()}"
    )
