"""A scripted agent for ``replicant``: rules that match the words of a goal to the labels that were
printed.

It holds no label, ref or screen of any app, and reads nothing but what the command line answers. A
goal is clauses, parted by commas; what stands in quotes is the user's own data::

    sign in with the email "ada@example.com" and the password $SHOP_PASSWORD, add "Red mug" to the cart
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from .exploring_screen import (
    Seen,
    Shown,
    advice_in,
    best,
    proposed_in,
    relabelled_in,
    screen_in,
    words,
)

_VALUE = r'"(?P<value>[^"]*)"'
_MOST_OWN = 2  # checks of one step that the agent writes itself
_MOST_TRIES = 3
_MOST_LOOKS = 20  # at a screen that is loading
_OPENS = frozenset(words("open show choose pick"))


class Surface(Protocol):
    """Whatever runs a command: its text, errors included, and its exit code."""

    def run(self, *argv: str) -> tuple[str, int]: ...


class GaveUp(Exception):
    """The agent found no way on; says at which clause, and what it had read last."""


@dataclass
class Agent:
    """``style`` "ref" names elements by the printed ref, "call" by their label. ``allowed`` are
    words for the guard that its user gave along with the goal."""

    surface: Surface
    style: str = "call"
    allowed: tuple[str, ...] = ()
    screen: Seen = field(default_factory=Seen)
    fresh: bool = False
    said: str = ""
    unchecked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Checks that were proposed or written and did not hold when they were made."""
    steps: int = 0
    clause: str = ""

    # --- the loop ---------------------------------------------------------------------------------

    def pursue(self, goal: str) -> None:
        """Does each clause, and checks each step. Raises ``GaveUp``."""
        for clause in clauses_of(goal):
            self.clause = clause
            self._do_clause(clause)

    def _do_clause(self, clause: str) -> None:
        for pattern, act in _RULES:
            if found := pattern.fullmatch(clause):
                act(self, found)
                return
        raise GaveUp(f"{clause!r}: no rule reads this")

    def look(self) -> Seen:
        """The screen, asked for only where the last answer did not print it whole."""
        for _ in range(_MOST_LOOKS):
            if self.fresh and not self.screen.is_loading:
                break
            text, code = self.surface.run("look")
            self._take(text)
            if code:
                raise GaveUp(f"{self.clause!r}: {text}")
        return self.screen

    def _take(self, text: str) -> None:
        self.said, seen = text, screen_in(text)
        self.fresh = seen is not None
        self.screen = seen or self.screen

    def step(self, code: str, check: str = "") -> str:
        """Does a step and checks it. Raises ``GaveUp`` where it fails and its advice does too."""
        text = self._try(code)
        self.steps += 1
        proposed = proposed_in(text)
        shown = " ".join(each for _, each in proposed)
        changed = [each for each in relabelled_in(text) if each not in shown]
        own = [f"expect_visible(text={_quoted(each)})" for each in changed[:_MOST_OWN]]
        asked = [check] if check else []
        good = [one for one in (*(id for id, _ in proposed), *asked, *own) if self._holds(one)]
        if not good and not self._holds("expect_changed()"):
            self.unchecked.append(code)
        return text

    def _holds(self, check: str) -> bool:
        text, code = self.surface.run("expect", check)
        if code:
            self.refused.append(f"{self.clause}: {check}: {text.splitlines()[0] if text else ''}")
        return code == 0

    def _try(self, code: str) -> str:
        tried: list[str] = []
        while True:
            text, failed = self.surface.run(
                "do", code, *(word for one in self.allowed for word in ("--allow", one))
            )
            self._take(text)
            if not failed:
                return text
            tried.append(code)
            code = advice_in(text)
            if not code or code in tried or len(tried) == _MOST_TRIES:
                raise GaveUp(f"{self.clause!r}: {tried[-1]}: {text}")

    # --- naming -----------------------------------------------------------------------------------

    def _named(self, verb: str, one: Shown, more: str = "") -> str:
        """The step on this element. A label that several have needs the ref."""
        alike = sum(other.label == one.label for other in self.screen.elements)
        if self.style == "ref" or not one.label or alike > 1:
            return f"{verb}({_quoted(one.ref)}{more})"
        return f"{verb}(text={_quoted(one.label)}{more})"

    def _must(self, wanted: str, where: Callable[[Shown], bool] = lambda one: True) -> Shown:
        found = best([one for one in self.look().elements if where(one)], wanted)
        if found is None:
            raise self._lost(f"nothing on the screen is {wanted!r}")
        return found

    def _lost(self, why: str) -> GaveUp:
        return GaveUp(f"{self.clause!r}: {why}; printed was\n{self.said}")

    def _row(self, value: str) -> tuple[Shown, list[Shown]]:
        """The row with that text, scrolled to where it is not printed."""
        row = self.look().row_of(value)
        if row is None:
            quoted = _quoted(value)
            self.step(f"scroll_to(text={quoted})", f"expect_visible(text={quoted})")
            self.fresh = False
            row = self.look().row_of(value)
        if row is None:
            raise self._lost(f"{value!r} was scrolled to and is not printed")
        return row

    # --- the rules --------------------------------------------------------------------------------

    def with_slots(self, found: re.Match[str]) -> None:
        """sign in with the email "..." and the password $..."""
        for part in found["slots"].split(" and "):
            noun, _, value = part.removeprefix("the ").rpartition(" ")
            self.fill(noun, value)
        self.press(found["verb"])

    def fill(self, noun: str, value: str) -> None:
        at = self._must(noun, lambda one: one.is_field)
        if value.startswith("$"):
            self.step(self._named("fill", at, f', env="{value[1:]}"'), "expect_changed()")
        else:
            text = value if value.startswith('"') else _quoted(value)
            check = "expect_changed()" if "[password]" in at.rest else f"expect_value({text})"
            self.step(self._named("fill", at, f", value={text}"), check)

    def type_into(self, found: re.Match[str]) -> None:
        self.fill(found["noun"], _quoted(found["value"]))

    def press(self, wanted: str) -> None:
        """The control that says so; and again in the dialog that asks whether it is meant."""
        at = self._must(wanted, lambda one: not one.is_field and not one.is_disabled)
        self.step(self._named("tap", at))
        self._confirm(wanted)

    def _confirm(self, wanted: str) -> None:
        if self.fresh and self.screen.dialog:
            button = best([one for one in self.screen.elements if one.kind == "Button"], wanted)
            if button is not None:
                self.step(self._named("tap", button))

    def repeat(self, found: re.Match[str]) -> None:
        """press "+" 2 times: the control with that label, or that text on it."""
        value = found["value"]
        for _ in range(int(found["times"])):
            shown = [
                one for one in self.look().elements if value and value in (one.label, one.text)
            ]
            at = (
                shown[0]
                if shown
                else self._must(value or found["noun"], lambda one: one.is_pressed)
            )
            self.step(self._named("tap", at))

    def in_row(self, found: re.Match[str]) -> None:
        """add "Red mug" to the cart: the button of its row that says so, or the row itself."""
        verb, value = found["verb"], found["value"]
        holder, inside = self._row(value)
        quoted = _quoted(value)
        button = best([one for one in inside if one.is_pressed], verb)
        if button is not None:
            by_row = f"tap(text={_quoted(button.label)}, row_with={quoted})"
            self.step(by_row if self.style == "call" else f'tap("{button.ref}")')
        elif words(verb) <= _OPENS:
            self.step(self._named("tap", holder) if self.style == "ref" else f"tap(text={quoted})")
        else:
            raise self._lost(f"the row of {value!r} has nothing for {verb!r}")
        self._confirm(verb)

    def choose_for(self, found: re.Match[str]) -> None:
        """choose "Sweden" for the country: a choice that is there, or one of the list that the
        field opens."""
        value, noun = found["value"], found["noun"]
        here = self._labelled(value)
        if here is None:
            self.step(self._named("tap", self._must(noun)))
            here = self._labelled(value)
        if here is None:
            raise self._lost(f"no choice {value!r}")
        self.step(self._named("tap", here))
        self.fresh = False
        chosen = next((one for one in self.look().elements if f'value="{value}"' in one.rest), None)
        if chosen is not None:
            self._holds(self._named("expect_value", chosen, f", expected={_quoted(value)}"))

    def _labelled(self, label: str) -> Shown | None:
        return next((one for one in self.look().elements if one.label == label), None)

    def set_to(self, found: re.Match[str]) -> None:
        at = self._must(found["noun"], lambda one: one.kind in ("SeekBar", "Slider"))
        number = found["value"]
        self.step(self._named("adjust", at, f", to={number}"), f"expect_value({number})")

    def turn(self, found: re.Match[str]) -> None:
        at = self._must(found["noun"], lambda one: one.kind in ("Switch", "CheckBox"))
        self.step(self._named("tap", at), f"expect_checked({found['way'] == 'on'})")

    def back(self, found: re.Match[str]) -> None:
        self.step("back()")

    def see_in_row(self, found: re.Match[str]) -> None:
        value, row = (_quoted(found[one]) for one in ("value", "row"))
        self._verify(f"expect_visible(text={value}, row_with={row})")

    def see_value(self, found: re.Match[str]) -> None:
        self._verify(f"expect_visible(text={_quoted(found['value'])})")

    def see_noun(self, found: re.Match[str]) -> None:
        """see the total: the text that is printed for it, as it is."""
        texts = [one for one in self.look().elements if not one.is_field and not one.is_pressed]
        whole = [one for one in texts if words(found["noun"]) <= words(one.label)]
        if not whole:
            raise self._lost(f"no text is {found['noun']!r}")
        at = min(whole, key=lambda one: len(one.label))
        self._verify(f"expect_visible(text={_quoted(at.label)})")

    def _verify(self, check: str) -> None:
        text, code = self.surface.run("expect", check)
        if code and (advice := advice_in(text)).startswith("expect_"):
            text, code = self.surface.run("expect", advice)
        if code:
            raise GaveUp(f"{self.clause!r}: {check} does not hold: {text}")

    def default(self, found: re.Match[str]) -> None:
        self.press(found[0])


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def clauses_of(goal: str) -> list[str]:
    """Its parts; commas in quotes part nothing."""
    parts = re.findall(r'(?:"[^"]*"|[^,"])+', goal)
    return [part.strip().removeprefix("then ") for part in parts if part.strip()]


_RULES: tuple[tuple[re.Pattern[str], Callable[[Agent, re.Match[str]], None]], ...] = tuple(
    (re.compile(pattern), act)
    for pattern, act in (
        (r"(?P<verb>[^\"]+?) with (?P<slots>.+)", Agent.with_slots),
        (rf"(?P<noun>search) for {_VALUE}", Agent.type_into),
        (rf"type {_VALUE} into (?P<noun>.+)", Agent.type_into),
        (rf"choose {_VALUE} for (?P<noun>.+)", Agent.choose_for),
        (r"set (?P<noun>.+) to (?P<value>-?\d+)", Agent.set_to),
        (r"turn (?P<way>on|off) (?P<noun>.+)", Agent.turn),
        (r"go back", Agent.back),
        (rf'press (?:{_VALUE}|(?P<noun>[^"]+?)) (?P<times>\d+) times', Agent.repeat),
        (rf"see {_VALUE} next to \"(?P<row>[^\"]*)\"", Agent.see_in_row),
        (rf"see {_VALUE}", Agent.see_value),
        (r"see (?P<noun>[^\"]+)", Agent.see_noun),
        (rf"(?P<verb>[^\"]+?) {_VALUE}(?: .*)?", Agent.in_row),
        (r"[^\"]+", Agent.default),
    )
)
