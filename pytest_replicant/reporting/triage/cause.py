"""Why a test failed, in terms that are the same in another test and in another run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ...kept_runs import (
    APP_CRASH,
    NOT_RESPONDING,
    TEST_ERROR,
    ActionCause,
    AnyCause,
    CheckCause,
    DeathCause,
    PhoneCause,
    RecordedAttempt,
    RecordedScreen,
    RecordedStep,
    TestCause,
    element_name,
    masked,
    recorded,
)
from ...model import (
    FAILURE_CLASSES,
    AnyDict,
    AnyMapping,
    DeathRecord,
    ElementRecord,
    FailureRecord,
    ObstacleRecord,
    RaisedError,
    TestTrace,
    bare,
    quoted,
    verb_of,
)
from .comparison import TEXT
from .divergence import Divergence
from .lines import changed_lines

_OF_THE_APP = frozenset({"ExpectationFailed", "ActionFailed", "TargetError", ""})
"""Errors that say something of the app; "" is of a report without one."""
_LONGEST = 300
_MOST_NEAREST = 3
_BY_CODE = {
    "ELEMENT_NOT_FOUND": "missing",
    "STALE_REFERENCE": "stale",
    "AMBIGUOUS_TARGET": "ambiguous",
    "ELEMENT_NOT_INTERACTABLE": "unfit",
    "NAVIGATION_NO_CHANGE": "no change",
}


def kind_and_label(element: ElementRecord) -> str:
    """``Button "Sign in"``: alike whichever selector found it."""
    kind = element.class_name.rpartition(".")[2]
    return f"{kind} {quoted(element.label or element.resource_id)}".strip()


def cause_of(run: RecordedAttempt, parted: Divergence | None = None) -> AnyCause | None:
    """None if nothing failed the test. ``parted`` is how it differs from its last pass, if one is
    at hand. Of a redacted run it is redacted too."""
    if not run.failures:
        return None
    made = _cause(run, run.failures[0], parted or Divergence(""))
    texts: AnyDict = {
        name: one[:_LONGEST] for name, one in vars(made).items() if not isinstance(one, bool)
    }
    return replace(made, **texts)


def _cause(run: RecordedAttempt, first: RaisedError, parted: Divergence) -> AnyCause:
    step = run.step(first.step)
    failure, done, screen = first.failure, RecordedStep(), run.last
    if step:
        failure, done = step.failure, step
        screen = step.after if step.after.key else step.before
    known: AnyDict = {
        "exception": first.exception,
        "message": first.title,
        "detail": first.detail,
        "source": first.source or done.source,
        "step": first.step,
        "phase": first.phase,
        "expected": done.expected,
        "signals": parted.signals,
        "instead": parted.instead,
        "reason": parted.reason if parted.baseline else "",
    }
    shown = _shown(failure, done, screen)
    deaths = (*run.deaths, *run.anrs)
    if deaths:
        return _death(deaths[0], {**known, **shown})
    if run.outcome == "infra":
        known["message"] = _device_free(run, first.title)
        known["detail"] = _device_free(run, first.detail)
        phone, code = "".join(run.phone_names[:1]), shown.get("failure_code", "")
        return PhoneCause(**known, failure_code=code, phone=phone)
    if not failure:
        return TestCause(**known)
    if first.exception not in _OF_THE_APP:
        # a time-out of the test's own, a wrong call: the step was not decided
        return TestCause(**known, target=shown["target"], screen=screen.name)
    known |= shown
    known |= _on_screen(failure, done, screen)
    known |= _before(run, step, screen)
    known["belongs"] = parted.belongs
    if verb_of(failure.kind).kind in ("check", "wait"):
        return CheckCause(**known, late=done.late)
    return ActionCause(**known)


def _death(death: DeathRecord, known: AnyMapping) -> DeathCause:
    own = {
        "failure_class": NOT_RESPONDING if death.kind == "anr" else APP_CRASH,
        "detail": death.reason,
        "crash": death.signature,
        "app": death.app,
        "thrown": death.exception,
        "frame": death.frame,
    }
    return DeathCause(**{**known, **own})


def cause_of_trace(trace: TestTrace) -> AnyCause | None:
    """The cause of an attempt that has just ended; redacted where the trace is."""
    return cause_of(recorded(trace)) if trace.failures else None


def _device_free(run: RecordedAttempt, said: str) -> str:
    """A text without the name of the phone: what befell one phone may befall another."""
    for name in run.phone_names:
        if len(name) > 2:
            own = re.escape(name)
            said = re.sub(rf"(?:\bdevice )?'{own}'|(?<![\w-]){own}(?![\w-])", "the phone", said)
    return said


def _shown(failure: FailureRecord | None, step: RecordedStep, screen: RecordedScreen) -> AnyDict:
    """The facts of the failed step that reports show."""
    if not failure:
        return {"screen": screen.name}
    classes: Mapping[str, str] = FAILURE_CLASSES  # type: ignore[assignment]  # looked up by any string
    trouble, _, observed = _trouble(failure, step)
    nearest = [f"[{one.ref}] {element_name(one)}" for one in failure.candidates[:_MOST_NEAREST]]
    return {
        "failure_class": classes.get(failure.code, TEST_ERROR),
        "failure_code": failure.code,
        "target": target_of(failure, step.selector),
        "screen": failure.screen or screen.name,
        "observed": observed,
        "nearest": "   ".join(nearest) if trouble == "missing" else "",
    }


def _on_screen(failure: FailureRecord, step: RecordedStep, screen: RecordedScreen) -> AnyDict:
    """What was wrong, and on which screen."""
    over, blocker = obstacle_name(failure.over), obstacle_name(failure.blocker)
    if failure.over and failure.over.owner != "app":
        over, blocker = "", over
    trouble, subject, _ = _trouble(failure, step)
    return {
        "screen_key": failure.screen_key or screen.key,
        "look": screen.structure,
        "app": failure.app or screen.app,
        "blocker": blocker,
        "over": over,
        "trouble": trouble,
        "subject": subject,
        "states": " ".join(sorted(failure.wanted)) if trouble == "state" else "",
    }


def _before(run: RecordedAttempt, step: RecordedStep | None, screen: RecordedScreen) -> AnyDict:
    """The last action that was done before the step, what came of it, and its answer if it led
    nowhere."""
    end = run.steps.index(step) if step else len(run.steps)
    answered = any(one.signals for one in run.steps[end : end + 1])
    for done in reversed(run.steps[:end]):
        # an error that the app reports is an effect, though the screen is as it was
        answered = answered or bool(done.signals)
        if done.kind == "action" and done.failure is None:
            break
    else:
        return {}
    named = kind_and_label(done.target) if done.target else done.selector
    known: AnyDict = {"after": f"{done.name} {named}".strip()}
    if not done.effect and not answered:
        known["effect"] = "none"
    elif step and done.before.key and done.before.key == screen.key:
        known["effect"] = "stayed"
        before = "\n".join(done.before.outline)
        for text in map(TEXT.search, changed_lines(done.before.outline, screen.outline)[0]):
            if text and text[0] not in before:
                known["answer"] = text[0]
                break
    return known


# --- what was wrong, however it was found out -----------------------------------------------------


def _trouble(failure: FailureRecord, step: RecordedStep) -> tuple[str, str, str]:
    """One word for it, what it is about, and what was there instead."""
    kind = failure.problem or _BY_CODE.get(failure.code, failure.kind)
    subject, seen = _subject(failure), step.observed
    named = element_name(failure.element) if failure.element else subject
    if kind == "unfit":
        if failure.blocker and failure.unfit != "touches taken":
            return "covered", named, f"covered by {obstacle_name(failure.blocker)}"
        return "disabled" if failure.unfit == "disabled" else kind, named, failure.unfit
    if kind == "missing":
        kind, subject, instead = _missing(failure, seen)
        if verb_of(failure.kind).proves == "past":
            return "unseen", subject, seen
        return kind, subject, instead
    if kind == "state":
        return _state(failure)
    if kind == "disabled":
        return kind, named, _compared(failure)
    if kind == "stale" and failure.ref:
        was = f" ({named})" if failure.element else ""
        subject = f"the ref {failure.ref}{was}"
    elif kind == "screen":
        subject = f"screen {quoted(str(failure.wanted.get('screen', '')))}"
    elif kind == "covered":
        subject = target_of(failure)
    return kind, subject, seen


def target_of(failure: FailureRecord, acted: str = "") -> str:
    """The target as the test said it; of a check of the ``acted`` element, that of the action."""
    if failure.selector:
        return failure.selector.describe()
    if failure.ref:
        return failure.ref
    if failure.element:
        return element_name(failure.element)
    if verb_of(failure.kind).targets == "branches":
        return " or ".join(map(str, failure.wanted.values()))
    return acted


def _subject(failure: FailureRecord) -> str:
    """The element where it is one, or several that are named alike; else what the test said."""
    named = {kind_and_label(one) for one in failure.matches}
    if len(named) == 1:
        return named.pop()
    return kind_and_label(failure.element) if failure.element else target_of(failure)


def _missing(failure: FailureRecord, seen: str) -> tuple[str, str, str]:
    """An element that is there but for its numbers is not missing: it has another value."""
    selector = failure.selector
    if not selector or selector.text is None:
        return "missing", _subject(failure), seen
    text = selector.text
    others = [label for label in failure.alike if label != text]
    is_number = masked(text) != text and [*dict(selector.given())] == ["text"]
    if is_number and len(others) == 1:
        return "value", quoted(text), f"{quoted(others[0])}, not {quoted(text)}"
    return "missing", selector.describe() if text in failure.alike else quoted(text), seen


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


def _values(facts: AnyMapping) -> str:
    """``text="Sold out", enabled=False``."""
    return ", ".join(f"{bare(name)}={_value(one)}" for name, one in facts.items()) or "nothing"


def _value(one: object) -> str:
    if one is None:
        return "not reported"
    return quoted(one) if isinstance(one, str) else repr(one)


def obstacle_name(obstacle: ObstacleRecord | None) -> str:
    """``system dialog "Battery low"``, ``Button "Undo"``; "" for None."""
    if not obstacle:
        return ""
    if obstacle.element:
        return kind_and_label(obstacle.element)
    kinds = {"app": "Dialog", "system": "system dialog", "permission": "permission prompt"}
    kind = kinds[obstacle.owner]
    return f"{kind} {quoted(obstacle.title)}" if obstacle.title else f"a {kind.lower()}"
