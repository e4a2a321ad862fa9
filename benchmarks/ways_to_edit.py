"""Every way to edit a test whose run was recorded: other values, targets, orders, checks, time-outs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_replicant import Element, Secret, Selector, by
from pytest_replicant.errors import TargetError
from pytest_replicant.model import SELECTOR_KEYWORDS
from pytest_replicant.snapshots import Snapshot

from .taped_flows import Step, Taped, key_of, step, then

NOT_THERE = "Zebra crossing"
SAME = "as recorded"
REPRODUCED, HOLDS, FAILS, DIVERGED, BEYOND = (
    "reproduced",
    "holds on the recording",
    "fails on the recording",
    "diverged",
    "beyond the recording",
)
VERDICTS = (REPRODUCED, HOLDS, FAILS, DIVERGED, BEYOND)


@dataclass(frozen=True)
class Kind:
    """Edits of one kind. ``may``: verdicts that one may get, ``SAME`` is that of the test as it was recorded.
    ``unseen``: the edit is in what no recording holds, so that the truth is what was recorded. ``same_element``:
    touches may go to other points. ``may_diverge``: no recording shows
    that the phone is sent the same."""

    may: tuple[str, ...]
    unseen: bool = False
    same_element: bool = False
    may_diverge: bool = False


KINDS: Mapping[str, Kind] = {
    "none": Kind((SAME,)),
    "another value": Kind((DIVERGED,)),
    "another target": Kind((DIVERGED,)),
    "a target that is not there": Kind((DIVERGED, FAILS)),
    "another action on it": Kind((DIVERGED, FAILS)),
    "two actions swapped": Kind((SAME, DIVERGED, FAILS, BEYOND)),
    "an extra action": Kind((DIVERGED, FAILS, BEYOND)),
    "an extra action at the end": Kind((BEYOND,)),
    "an action left out": Kind((DIVERGED, FAILS, BEYOND)),
    "cut short": Kind((DIVERGED, HOLDS)),
    "a better locator": Kind((SAME,)),
    "a check that holds, added": Kind((SAME,)),
    "a weaker check": Kind((SAME, HOLDS, FAILS, BEYOND)),
    "a check of another text": Kind((FAILS, BEYOND)),
    "the opposite check": Kind((FAILS, BEYOND, SAME, HOLDS)),
    "a check that has to last": Kind((SAME, FAILS, BEYOND)),
    "absence of what was never there": Kind((SAME, BEYOND)),
    "a look, added": Kind((SAME, BEYOND)),
    "a wait for what is not there": Kind((FAILS, BEYOND)),
    "a check of the log, added": Kind((SAME, BEYOND)),
    "two checks swapped": Kind((SAME, BEYOND)),
    "an action made silent": Kind((SAME, BEYOND)),
    "another time-out of an action": Kind((SAME, FAILS, BEYOND)),
    "another point of it": Kind((SAME, DIVERGED), same_element=True, may_diverge=True),
    "nothing changed": Kind((SAME, FAILS, BEYOND)),
    "another time-out": Kind((SAME, FAILS, BEYOND)),
    "another time-out of what failed": Kind((REPRODUCED, BEYOND)),
    "a check after the end": Kind((BEYOND,)),
    "a check before its action": Kind((SAME, FAILS, BEYOND, DIVERGED)),
    "a sleep": Kind((SAME, BEYOND)),
    "a sleep while the screen changes": Kind((SAME, FAILS, BEYOND)),
    "on the other phone": Kind((DIVERGED, FAILS, BEYOND)),
    "a secret for a text": Kind((SAME, DIVERGED), may_diverge=True),
    "another secret for a text": Kind((DIVERGED,)),
    "a text for a secret": Kind((SAME, DIVERGED), may_diverge=True),
    "another secret": Kind((SAME,), unseen=True),
    "a secret from another place": Kind((DIVERGED,)),
    "a check of another secret": Kind((FAILS, BEYOND)),
    "another value, hidden as well": Kind((SAME, DIVERGED), unseen=True),
}


@dataclass(frozen=True)
class Edit:
    """A test as it was edited: ``at`` is the first step that may not be as it was."""

    kind: str
    steps: tuple[Step, ...]
    at: int

    def __str__(self) -> str:
        shown = self.steps[self.at] if self.at < len(self.steps) else "the end"
        return f"{self.kind}, at {self.at}: {shown}"


class Editor:
    """Makes the edits of one recorded test."""

    def __init__(self, tape: Taped) -> None:
        self._tape = tape
        self._steps = tape.flow.steps
        self._failed = tape.live.course.done if tape.live.course.error is not None else -1
        self._dumps = [
            (at, one.phone, one.answer["blob"])
            for at, one in enumerate(tape.live.entries)
            if one.method == "dump_hierarchy" and "blob" in one.answer
        ]

    def edits(self) -> Iterator[Edit]:
        yield Edit("none", self._steps, len(self._steps))
        seen: set[str] = set()
        for made in self._every():
            if (key := f"{made.kind} {key_of(made.steps)}") not in seen:
                seen.add(key)
                yield made

    def _every(self) -> Iterator[Edit]:
        for at, one in enumerate(self._steps):
            if one.kind == "action":
                yield from self._of_action(at, one)
            elif one.kind == "check":
                yield from self._of_check(at, one)
            yield from self._at(at, one)
        yield from self._orders()
        yield from self._ends()

    # --- what is edited ------------------------------------------------------------------------------------
    def _with(self, kind: str, at: int, *others: Step, instead: int = 1) -> Edit:
        """``others`` stand at that place, instead of so many steps."""
        return Edit(kind, (*self._steps[:at], *others, *self._steps[at + instead :]), at)

    def _of_action(self, at: int, one: Step) -> Iterator[Edit]:
        yield from self._of_value(at, one)
        target = selector_of(one)
        if target is not None:
            yield self._with("a target that is not there", at, _aimed(one, by(text=NOT_THERE), timeout=1))
            screen = self._before(at)
            found = _found(screen, target)
            for other in self._others(screen, found):
                yield self._with("another target", at, _aimed(one, other))
            for better in self._locators(screen, found, target):
                yield self._with("a better locator", at, _aimed(one, better))
            if one.verb == "tap":
                for verb in ("long_press", "double_tap"):
                    yield self._with("another action on it", at, replace(one, verb=verb))
                yield from self._points(at, one, found)
            if one.verb == "fill":
                yield self._with("another action on it", at, _named(one, append=True))
            if target.row_with is not None:
                yield self._with(
                    "another target", at, _aimed(one, replace(target, row_with=by(text="Blue plate")))
                )
        for seconds in (0.4, 3.0, 20.0):
            yield self._with("another time-out of an action", at, _named(one, timeout=seconds))
        if at != self._failed:
            yield self._with("an action left out", at)
            if at + 1 == len(self._steps) or not self._steps[at + 1].on_outcome:
                yield self._with("an action made silent", at, _named(one, silent=True))
        if one.args and isinstance(one.args[0], str):
            place = "lab://clock" if one.verb == "open_url" else "dev.replicant.lab"
            yield self._with("another value", at, replace(one, args=(place,)))

    def _points(self, at: int, one: Step, found: Element | None) -> Iterator[Edit]:
        """A tap at other points of the same element."""
        if found is not None:
            box = found.bounds
            for x, y in ((box.left + 9, box.top + 9), (box.right - 9, box.bottom - 9), box.center):
                yield self._with("another point of it", at, step("tap_at", x, y, phone=one.phone))

    def _of_value(self, at: int, one: Step) -> Iterator[Edit]:
        value = one.named.get("value")
        if isinstance(value, str):
            hidden = self._tape.flow.redactor().text(value) != value
            for other in (f"{value}a", value[:-1], value.swapcase(), "zebra", value[::-1]):
                yield self._with("another value", at, _valued(one, other))
            yield self._with("a secret for a text", at, _valued(one, Secret(value)))
            for other in (value.swapcase(), f"{value}1", "zebra"):
                yield self._with("another secret for a text", at, _valued(one, Secret(other)))
            if hidden:
                other = value.translate(str.maketrans("0123456789", "1234567890"))
                yield self._with("another value, hidden as well", at, _valued(one, other))
        if isinstance(value, Secret):
            yield self._with("a text for a secret", at, _valued(one, value.value))
            yield self._with("a text for a secret", at, _valued(one, "battery"))
            yield from self._of_secret(at, one, value)
            for other in ("battery staple, and more", "abc", value.value[::-1]):
                swapped = [_with_secret(each, value, Secret(other)) for each in self._steps]
                yield Edit("another secret", tuple(swapped), at)
        if "to" in one.named:
            yield self._with("another value", at, replace(one, named={**one.named, "to": one.named["to"] - 1}))

    def _of_secret(self, at: int, one: Step, value: Secret) -> Iterator[Edit]:
        earlier = [each.named.get("value") for each in self._steps[:at]]
        for other in (each for each in earlier if isinstance(each, Secret) and each != value):
            yield self._with("a secret from another place", at, _valued(one, other))
            for text in (other.value, other.value[:3]):
                yield self._with("a text for a secret", at, _valued(one, text))

    def _of_check(self, at: int, one: Step) -> Iterator[Edit]:
        text, fails = one.named.get("text"), at == self._failed
        kind = "another time-out of what failed" if fails else "another time-out"
        for seconds in (0.3, 0.9, 2.5, 6.0, 11.0, 30.0):
            yield self._with(kind, at, _named(one, timeout=seconds))
        if isinstance(text, Secret):
            yield self._with(
                "a check of another secret", at, _named(one, text=Secret("zebra crossing"), timeout=1)
            )
        if isinstance(text, str):
            yield from self._of_text(at, one, text)
        if one.verb == "expect_screen":
            yield self._with("a check of another text", at, replace(one, args=("Zebra",)))
        if one.verb in ("expect_visible", "expect_screen", "expect_checked"):
            for seconds in (0.1, 0.7, 1.5, 20.0):
                yield self._with("a check that has to last", at, _named(one, stays=seconds))
        before = max((place for place in range(at) if self._steps[place].kind == "action"), default=0)
        if before:
            steps = [*self._steps]
            moved = replace(steps.pop(at), on_outcome=False)
            if moved.named or moved.args:
                steps.insert(before, moved)
                yield Edit("a check before its action", tuple(steps), before)

    def _of_text(self, at: int, one: Step, text: str) -> Iterator[Edit]:
        if one.verb != "expect_gone":
            part = {**one.named, "text_contains": text[1:-1] or text}
            part.pop("text")
            yield self._with("a weaker check", at, replace(one, named=part))
        for other in (f"{text}.", NOT_THERE):
            kind = "a check of another text"
            if one.verb != "expect_gone":
                yield self._with(kind, at, _named(one, text=other))
                yield self._with(kind, at, _named(one, text=other, timeout=0.2))
        opposite = {"expect_visible": "expect_gone", "expect_gone": "expect_visible"}.get(one.verb)
        if opposite:
            for given in ({}, {"timeout": 0.2}):
                yield self._with(
                    "the opposite check", at, replace(one, verb=opposite, named={"text": text, **given})
                )

    def _at(self, at: int, one: Step) -> Iterator[Edit]:
        """Something is added before a step."""
        for seconds in (0.3, 2.0):
            yield self._with("a sleep", at, step("sleep", seconds), instead=0)
        for seconds in (0.8, 1.3, 2.5, 4.0) if self._tape.flow.moves and one.kind == "check" else ():
            yield self._with("a sleep while the screen changes", at, step("sleep", seconds), instead=0)
        if at == 0:
            return
        phone = self._steps[at - 1].phone
        if self._steps[at - 1].kind in ("action", "check"):
            for text in self._texts(at - 1):
                added = step("expect_visible", text=text, phone=phone)
                yield self._with("a check that holds, added", at, added, instead=0)
        gone = step("expect_gone", text=NOT_THERE, phone=phone)
        yield self._with("absence of what was never there", at, gone, instead=0)
        for look in (step("snapshot", phone=phone), step("find_all", role="button", phone=phone)):
            yield self._with("a look, added", at, look, instead=0)
        waits = step("wait_for", text=NOT_THERE, timeout=0.5, phone=phone)
        yield self._with("a wait for what is not there", at, waits, instead=0)
        if self._tape.flow.platform == "android":
            yield self._with("a check of the log, added", at, step("expect_no_crash", phone=phone), instead=0)
        if self._steps[at - 1].kind == "check" == one.kind:
            swapped = self._steps[at - 1]
            yield Edit(
                "two checks swapped", (*self._steps[: at - 1], one, swapped, *self._steps[at + 1 :]), at - 1
            )
        if self._steps[at - 1].kind == "action":
            yield self._with("nothing changed", at, then("expect_unchanged", phone=phone), instead=0)
        if at > self._failed >= 0:
            return
        yield self._with("an extra action", at, step("back", phone=phone), instead=0)
        taps = [each for each in self._steps[:at] if each.verb == "tap" and each.phone == phone]
        if taps:
            yield self._with(
                "an extra action", at, replace(taps[-1], named={**taps[-1].named, "timeout": 1}), instead=0
            )
        if self._tape.flow.phones > 1 and one.kind != "sleep":
            yield self._with("on the other phone", at, replace(one, phone=1 - one.phone, on_outcome=False))

    def _orders(self) -> Iterator[Edit]:
        actions = [at for at, one in enumerate(self._steps) if one.kind == "action"]
        for one, other in itertools.pairwise(actions):
            if self._steps[one] != self._steps[other]:
                steps = [*self._steps]
                steps[one], steps[other] = steps[other], steps[one]
                yield Edit("two actions swapped", tuple(steps), one)

    def _ends(self) -> Iterator[Edit]:
        for at in range(1, len(self._steps)):
            yield Edit("cut short", self._steps[:at], at)
        end, phone = len(self._steps), self._steps[-1].phone
        if self._failed >= 0:
            return
        for seconds in (1.0, 10.0):
            for check in (by(text=NOT_THERE), by(text=next(iter(self._texts(end - 1)), NOT_THERE))):
                late = step("expect_visible", check, phone=phone)
                yield self._with("a check after the end", end, step("sleep", seconds), late)
        yield self._with("an extra action at the end", end, step("back", phone=phone))
        screen = self._screen(end - 1)
        for element in itertools.islice(self._tappable(screen), 3):
            extra = step("tap", _only(screen, element), phone=phone)
            yield self._with("an extra action at the end", end, extra)

    # --- what was on the screen ----------------------------------------------------------------------------
    def _before(self, at: int) -> Snapshot:
        """The screen as it was read last when a step sent something."""
        return self._parsed(self._tape.live.starts[at], self._steps[at].phone)

    def _screen(self, at: int) -> Snapshot:
        """The screen as it was read last when a step was over."""
        starts = [*self._tape.live.starts, len(self._tape.live.entries)]
        return self._parsed(starts[at + 1], self._steps[at].phone)

    def _parsed(self, before: int, phone: int) -> Snapshot:
        own = [(at, blob) for at, whose, blob in self._dumps if whose == phone]
        earlier = [blob for at, blob in own if at < before]
        source = self._tape.live.recording.blob(earlier[-1] if earlier else own[0][1])
        scale = self._tape.cassette.phones[phone].info.density
        platform = self._tape.flow.platform
        return Snapshot.parse(source, platform, scale=float(scale) if platform == "ios" else 1.0)

    def _texts(self, at: int) -> Iterable[str]:
        """Some texts of the screen on which a step ended."""
        if at >= len(self._tape.live.starts):
            return []
        labels = dict.fromkeys(one.label for one in self._screen(at).elements if one.label)
        return [*labels][:: max(len(labels) // 2, 1)][:2]

    def _tappable(self, screen: Snapshot) -> Iterator[Element]:
        for one in screen.elements:
            if one.node.clickable and one.label and _only(screen, one) is not None:
                yield one

    def _others(self, screen: Snapshot, found: Element | None) -> Iterator[Selector]:
        """Locators of other elements of the screen that lie apart from it."""
        if found is None:
            return
        apart = [one for one in self._tappable(screen) if not found.bounds.contains(one.bounds.center)]
        for one in apart[:4]:
            yield _only(screen, one)

    def _locators(self, screen: Snapshot, found: Element | None, given: Selector) -> Iterator[Selector]:
        """Other locators of the same element."""
        if found is None:
            return
        label, name = found.label, found.resource_id.rpartition("/")[2]
        row = {"row_with": given.row_with} if given.row_with is not None else {}
        tried: list[dict[str, Any]] = [
            {"resource_id": name, **row},
            {"text": label, "role": found.semantic_role, **row},
            {"text_contains": label[:-1], **row},
            {"text_matches": f"^{label[:3]}", **row},
        ]
        for keywords in tried:
            if all(keywords.values()):
                better = by(**keywords)
                if screen.every(better) == [found]:
                    yield better


# --- steps -----------------------------------------------------------------------------------------------------


def selector_of(one: Step) -> Selector | None:
    """The locator of an action; None where it has none."""
    named = {name: value for name, value in one.named.items() if name in SELECTOR_KEYWORDS}
    return by(**named) if named else None


def _found(screen: Snapshot, target: Selector) -> Element | None:
    try:
        return screen.one(target)
    except TargetError:
        return None


def _only(screen: Snapshot, element: Element) -> Any:
    """A locator that matches this element alone; None where there is none that is plain."""
    for given in (by(text=element.label), by(description=element.label)):
        if screen.every(given) == [element]:
            return given
    return None


def _aimed(one: Step, target: Selector, **more: Any) -> Step:
    named = {name: value for name, value in one.named.items() if name not in SELECTOR_KEYWORDS}
    return replace(one, args=(target, *one.args), named={**named, **more})


def _named(one: Step, **more: Any) -> Step:
    return replace(one, named={**one.named, **more})


def _valued(one: Step, value: str | Secret) -> Step:
    return _named(one, value=value)


def _with_secret(one: Step, then_was: Secret, now: Secret) -> Step:
    return replace(one, named={name: now if value == then_was else value for name, value in one.named.items()})
