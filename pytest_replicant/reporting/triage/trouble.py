"""What was wrong, however it was found out: one word, and what it is about."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model import quoted
from .alike import masked, told_element
from .screens import selector_from

if TYPE_CHECKING:
    from .failing import FailingStep
    from .screens import Scene

_BY_CODE = {
    "ELEMENT_NOT_FOUND": "missing",
    "STALE_REFERENCE": "missing",
    "AMBIGUOUS_TARGET": "ambiguous",
    "ELEMENT_NOT_INTERACTABLE": "unfit",
    "NAVIGATION_NO_CHANGE": "no change",
}
_BY_CHECK = {
    "expect_visible": "missing",
    "expect_seen": "missing",
    "expect_gone": "unexpected",
    "expect_screen": "screen",
    "expect_changed": "no change",
}
_UNFIT = re.compile(
    r"(?:\[[a-z]\d+\] )?(?P<what>.+?): (?P<why>(?:it |covered|seen|.+ in it takes).*)\. Nothing was touched"
)
_COVER = re.compile(r"covered by (?P<cover>.+)")
_HIDDEN = re.compile(r"covered, not gone: (?P<cover>.+) of the system hides all of the app")
_NONE, _SEVERAL = re.compile(r"absent|0 found|gone: .*"), re.compile(r"\d+ (?:matches|found).*")


@dataclass(frozen=True)
class Trouble:
    """``kind`` is a word for it, ``subject`` what it is about, ``observed`` what was there instead, ``blocker``
    what lay over it."""

    kind: str = ""
    subject: str = ""
    observed: str = ""
    blocker: str = ""


def trouble_of(step: FailingStep, scene: Scene) -> Trouble:
    kind = _kind(step)
    hidden = _HIDDEN.fullmatch(step.observed)
    if hidden:
        return Trouble("covered", masked(step.target), step.observed, hidden["cover"])
    if kind == "unfit":
        return _unfit(step, scene)
    if kind == "missing":
        return _missing(step, scene)
    if kind == "screen":
        return Trouble(kind, f"screen {quoted(step.wanted)}", step.observed)
    if kind == "state":
        return _state(step, scene)
    return Trouble(kind, _subject(step, scene), step.observed)


def _kind(step: FailingStep) -> str:
    if step.code in _BY_CODE:
        return _BY_CODE[step.code]
    if step.verb == "expect_count":
        if step.wanted == "0":
            return "unexpected"
        return "missing" if _NONE.fullmatch(step.observed) else "ambiguous" if step.wanted == "1" else "count"
    if step.verb == "expect_state":
        if _NONE.fullmatch(step.observed):
            return "missing"
        return "ambiguous" if _SEVERAL.fullmatch(step.observed) else "state"
    return _BY_CHECK.get(step.verb, step.verb.removeprefix("expect_") or "raised")


def _subject(step: FailingStep, scene: Scene) -> str:
    """The element where it is one, or several that are told alike; else what the test said."""
    told = {told_element(one) for one in scene.found}
    return masked(told.pop()) if len(told) == 1 else masked(step.target)


def _missing(step: FailingStep, scene: Scene) -> Trouble:
    """What is there but for its numbers is not missing: it has another value."""
    selector = selector_from(step.target)
    text = selector.text if selector is not None else None
    if selector is None or text is None:
        return Trouble("missing", masked(step.target), step.observed)
    alike = [(kind, label) for kind, label in scene.labels if label != text and masked(label) == masked(text)]
    if len(alike) == 1 and masked(text) != text and [name for name, _ in selector.given()] == ["text"]:
        return Trouble("value", quoted(masked(text)), f"{quoted(alike[0][1])}, not {quoted(text)}")
    present = any(label == text for _, label in scene.labels)
    return Trouble("missing", masked(step.target) if present else quoted(masked(text)), step.observed)


def _unfit(step: FailingStep, scene: Scene) -> Trouble:
    told = next((found for line in step.lines[:6] if (found := _UNFIT.search(line))), None)
    if told is None:
        return Trouble("unfit", _subject(step, scene))
    what, why = told["what"].removeprefix("ELEMENT_NOT_INTERACTABLE  "), told["why"]
    covered = _COVER.match(why)
    if covered:
        return Trouble("covered", masked(what), why, covered["cover"])
    return Trouble("disabled" if "disabled" in why else "unfit", masked(what), why)


def _state(step: FailingStep, scene: Scene) -> Trouble:
    subject = _subject(step, scene)
    if "enabled=True" in step.wanted and "enabled=False" in step.observed:
        return Trouble("disabled", subject, step.observed)
    shown = re.fullmatch(r'text="(?P<text>.*)"', step.observed)
    if shown and masked(shown["text"]) != shown["text"]:
        return Trouble("value", quoted(masked(shown["text"])), f"{step.observed}, not {step.wanted}")
    return Trouble("state", subject, f"{step.observed}, not {step.wanted}")
