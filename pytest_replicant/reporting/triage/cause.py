"""Why a test failed, in terms that are the same in another test and in another run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ...kept import (
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
    return (
        f"{element.class_name.rpartition('.')[2]} {quoted(element.label or element.resource_id)}"
    ).strip()


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
    failure, done = (step.failure, step) if step is not None else (first.failure, RecordedStep())
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
    deaths = (*run.deaths, *run.anrs)
    if deaths:
        return _death(deaths[0], {**known, **_shown(run, step, failure)})
    if run.outcome == "infra":
        said = {name: _device_free(run, known[name]) for name in ("message", "detail")}
        code = failure.code if failure is not None else ""
        phone = "".join(run.phone_names[:1])
        return PhoneCause(**{**known, **said}, failure_code=code, phone=phone)
    if failure is None:
        return TestCause(**known)
    if (
        first.exception not in _OF_THE_APP
    ):  # a time-out of the test's own, a wrong call: the step was not decided
        return TestCause(
            **known, target=target_of(failure, step), screen=_screen_of(run, step).name
        )
    known |= {
        **_shown(run, step, failure),
        **_on_screen(run, step, failure),
        "belongs": parted.belongs,
    }
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


def _screen_of(run: RecordedAttempt, step: RecordedStep | None) -> RecordedScreen:
    """The screen that it failed on, as far as the steps say."""
    if step is None:
        return run.last
    return step.after if step.after.key else step.before


def _shown(
    run: RecordedAttempt, step: RecordedStep | None, failure: FailureRecord | None
) -> AnyDict:
    """The facts of the failed step that reports show."""
    screen = _screen_of(run, step).name
    if failure is None:
        return {"screen": screen}
    classes: Mapping[str, str] = FAILURE_CLASSES  # type: ignore[assignment]  # looked up by any string
    trouble, _, observed = _trouble(failure, step)
    nearest = [f"[{one.ref}] {element_name(one)}" for one in failure.candidates[:_MOST_NEAREST]]
    return {
        "failure_class": classes.get(failure.code, TEST_ERROR),
        "failure_code": failure.code,
        "target": target_of(failure, step),
        "screen": failure.screen or screen,
        "observed": observed,
        "nearest": "   ".join(nearest) if trouble == "missing" else "",
    }


def _on_screen(run: RecordedAttempt, step: RecordedStep | None, failure: FailureRecord) -> AnyDict:
    """What was wrong, on which screen, and after what."""
    screen = _screen_of(run, step)
    after, effect, answer = _before(run, step, screen)
    foreign = failure.over is not None and failure.over.owner != "app"
    over = obstacle_name(failure.over)
    trouble, subject, _ = _trouble(failure, step)
    return {
        "screen_key": failure.screen_key or screen.key,
        "look": screen.structure,
        "app": failure.app or screen.app,
        "after": after,
        "effect": effect,
        "answer": answer,
        "blocker": over if foreign else obstacle_name(failure.blocker),
        "over": "" if foreign else over,
        "trouble": trouble,
        "subject": subject,
        "states": " ".join(sorted(failure.wanted)) if trouble == "state" else "",
    }


def _before(
    run: RecordedAttempt, step: RecordedStep | None, screen: RecordedScreen
) -> tuple[str, str, str]:
    """The last action that was done before the step, what came of it, and its answer if it led
    nowhere."""
    end = run.steps.index(step) if step is not None else len(run.steps)
    done = next(
        (one for one in reversed(run.steps[:end]) if one.kind == "action" and one.failure is None),
        None,
    )
    if done is None:
        return "", "", ""
    named = kind_and_label(done.target) if done.target is not None else done.selector
    stayed = step is not None and bool(done.before.key) and done.before.key == screen.key
    answered = any(one.signals for one in run.steps[run.steps.index(done) : end + 1])
    effect = (
        done.effect or answered
    )  # an error that the app reports is one, though the screen is as it was
    came = "stayed" if effect and stayed else "" if effect else "none"
    known, (new, _) = (
        "\n".join(done.before.outline),
        changed_lines(done.before.outline, screen.outline),
    )
    texts = (one[0] for one in map(TEXT.search, new) if one and one[0] not in known)
    return f"{done.name} {named}".strip(), came, next(texts, "") if came == "stayed" else ""


# --- what was wrong, however it was found out -----------------------------------------------------


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
    return (
        kind_and_label(failure.element) if failure.element is not None else target_of(failure, None)
    )


def _missing(failure: FailureRecord, seen: str) -> tuple[str, str, str]:
    """An element that is there but for its numbers is not missing: it has another value."""
    selector = failure.selector
    if selector is None or selector.text is None:
        return "missing", _subject(failure), seen
    text = selector.text
    others = [label for label in failure.alike if label != text]
    if (
        len(others) == 1
        and masked(text) != text
        and [name for name, _ in selector.given()] == ["text"]
    ):
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


def _values(facts: AnyMapping) -> str:
    """``text="Sold out", enabled=False``."""
    return ", ".join(f"{bare(name)}={_value(one)}" for name, one in facts.items()) or "nothing"


def _value(one: object) -> str:
    if one is None:
        return "not reported"
    return quoted(one) if isinstance(one, str) else repr(one)


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
