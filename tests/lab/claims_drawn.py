"""Claims that are drawn at random, and whether one that passed was true."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pytest_replicant import by
from pytest_replicant.model import Rect

from .lab_phone import PACKAGE, QUICK
from .oracle import Dump, Moment, Witness, vocabulary
from .stations import ALIEN, TITLES

Truth = Callable[[Moment], bool]
FRESH = 0.5  # seconds: how old a read may be and still count
ROUNDING = 0.025  # seconds: what the clock's own ticks may make of a duration


@dataclass(frozen=True)
class Drawn:
    """``check`` is called with what has the checks; ``truth`` judges one moment of the real
    screen."""

    told: str
    check: Callable[[Any], object]
    truth: Truth
    how: Literal["settled", "window", "once", "app", "log"] = "settled"
    pattern: str = ""  # of a line of the log


Printed = tuple[str, str, str, str]
"""A ref, with the id and the text of what it was printed for, and the title of the screen."""


def draw(
    chance: random.Random, witness: Witness, *, on_outcome: bool, printed: Sequence[Printed] = ()
) -> Drawn:
    """About half of them are true of the screen as it is now."""
    moment = witness.moments[-1]
    if printed and chance.random() < 0.2:
        return _of_ref(*chance.choice(printed), gone=chance.random() < 0.5)
    words = sorted({word for word in vocabulary(moment) if len(word) < 60})
    word = chance.choice(words) if words and chance.random() < 0.55 else chance.choice(ALIEN)
    kinds = [
        _visible,
        _visible,
        _gone,
        _gone,
        _count,
        _seen,
        _result,
        _enabled,
        _screen,
        _front,
        _log,
        _chosen,
    ]
    if on_outcome:
        kinds += [_unchanged, _changed]
    return chance.choice(kinds)(chance, word, moment)


def _of_ref(ref: str, id: str, text: str, title: str, *, gone: bool) -> Drawn:
    """A ref proves what it was printed for: what says something else by now is neither visible nor
    gone."""

    def is_so(moment: Moment) -> bool:
        found = moment.having(id=id) if moment.title == title else []
        return not found if gone else any(view in found for view in moment.having(text=text))

    if gone:
        return Drawn(
            f"expect_gone({ref}: {text!r})", lambda on: on.expect_gone(ref), is_so, "window"
        )
    return Drawn(f"expect_visible({ref}: {text!r})", lambda on: on.expect_visible(ref), is_so)


def _visible(_: random.Random, word: str, __: Moment) -> Drawn:
    return Drawn(f"expect_visible({word!r})", lambda on: on.expect_visible(text=word), _has(word))


def _gone(_: random.Random, word: str, __: Moment) -> Drawn:
    def lacks(moment: Moment) -> bool:
        return not moment.having(text=word)  # covered is not gone

    return Drawn(f"expect_gone({word!r})", lambda on: on.expect_gone(text=word), lacks, "window")


def _seen(_: random.Random, word: str, __: Moment) -> Drawn:
    def told(moment: Moment) -> bool:
        return bool(moment.having(text=word)) or moment.toast == word

    return Drawn(f"expect_seen({word!r})", lambda on: on.expect_seen(text=word), told, "once")


def _count(chance: random.Random, word: str, moment: Moment) -> Drawn:
    number = chance.choice([len(moment.having(text=word)), 1, 2])

    def counted(then: Moment) -> bool:
        found = then.having(text=word)
        if not number:
            return not found
        reachable = [view for view in found if view.on_top]
        return number in (len(found), len(reachable), sum(not view.covered for view in reachable))

    how: Literal["settled", "window"] = "settled" if number else "window"
    return Drawn(
        f"expect_count({number}, {word!r})",
        lambda on: on.expect_count(number, text=word),
        counted,
        how,
    )


def _result(chance: random.Random, word: str, moment: Moment) -> Drawn:
    """The line that tells what came of it."""
    lines = [view.text for view in moment.having(id="result") if view.text]
    said = chance.choice([*lines, word])

    def says(then: Moment) -> bool:
        return [view.text.split() for view in then.having(id="result")] == [said.split()]

    line = by(resource_id="result")
    return Drawn(
        f"expect_state(result, text={said!r})", lambda on: on.expect_state(line, text=said), says
    )


def _enabled(chance: random.Random, word: str, _: Moment) -> Drawn:
    wanted = chance.random() < 0.7

    def is_so(then: Moment) -> bool:
        return any(view.enabled is wanted for view in then.having(text=word))

    told = f"expect_state({word!r}, enabled={wanted})"
    return Drawn(told, lambda on: on.expect_state(by(text=word), enabled=wanted), is_so)


def _chosen(chance: random.Random, word: str, moment: Moment) -> Drawn:
    """Whether it is selected, or checked."""
    state = chance.choice(["selected", "checked"])
    set_so = [view for view in moment.views if getattr(view, state) and view.texts]
    words = [*sorted({each for view in set_so for each in view.texts}), word]
    named, wanted = chance.choice(words), chance.random() < 0.5

    def is_so(then: Moment) -> bool:
        return any(getattr(view, state) is wanted for view in then.having(text=named))

    told = f"expect_state({named!r}, {state}={wanted})"
    return Drawn(told, lambda on: on.expect_state(by(text=named), **{state: wanted}), is_so)


def _screen(chance: random.Random, _: str, moment: Moment) -> Drawn:
    title = chance.choice([moment.title or "Lab", chance.choice(TITLES)])
    return Drawn(
        f"expect_screen({title!r})",
        lambda on: on.expect_screen(title),
        lambda then: then.title == title,
    )


def _front(chance: random.Random, _: str, __: Moment) -> Drawn:
    status = chance.choice(["foreground", "foreground", "stopped"])

    def is_so(then: Moment) -> bool:
        return then.package == PACKAGE if status == "foreground" else not then.runs

    return Drawn(f"expect_app({status!r})", lambda on: on.expect_app(status, PACKAGE), is_so, "app")


def _log(chance: random.Random, _: str, __: Moment) -> Drawn:
    pattern = chance.choice(
        ["tap 1", "order 1 placed", "server answered", "FATAL", "archived", "no such line"]
    )
    return Drawn(
        f"expect_log({pattern!r})",
        lambda on: on.expect_log(pattern),
        lambda _: False,
        "log",
        pattern,
    )


def _unchanged(_: random.Random, __: str, ___: Moment) -> Drawn:
    return Drawn("expect_unchanged()", lambda on: on.expect_unchanged(), lambda _: True, "window")


def _changed(_: random.Random, __: str, ___: Moment) -> Drawn:
    return Drawn("expect_changed()", lambda on: on.expect_changed(), lambda _: True)


def _has(word: str) -> Truth:
    return lambda moment: bool(moment.having(text=word))


# --- judging --------------------------------------------------------------------------------------


def falsehood(drawn: Drawn, witness: Witness, asked: float, acted: float, end: float) -> str:
    """Why a claim that passed was not true; "" where it was. ``asked`` is when the check began,
    ``acted`` when the action was sent that it is about."""
    last = max([0.0, *(at for at, _ in witness.gestures if at <= end)])
    since = min(
        acted, last
    )  # an action that failed before it sent anything is none: the one before counts
    if drawn.how == "log":
        return (
            ""
            if any(drawn.pattern in line for line in witness.logged(since))
            else "no such line was logged"
        )
    if drawn.how == "app":
        return (
            ""
            if any(map(drawn.truth, witness.between(asked, end)))
            else "it was at no moment of the check"
        )
    if drawn.how == "once":
        reads = (
            dump.shown for dump in witness.evidence(since, end) if dump.shown
        )  # a stale one too
        seen = any(map(drawn.truth, (*witness.between(since, end), *reads)))
        return "" if seen else "it was at no moment since the action"
    touched = max(
        last, asked - FRESH - QUICK["interval"] - ROUNDING
    )  # what was read since then may be used
    dumps = witness.evidence(touched, end)
    sent = last if last >= acted else end  # an action that had nothing to do sent nothing
    before = [dump.shown for dump in witness.evidence(acted - FRESH, sent) if dump.shown]
    if drawn.how == "window":
        return _not_throughout(drawn, witness, dumps, touched, before)
    real = witness.between(touched, end)
    if drawn.told.startswith("expect_changed"):
        return _nothing_else(dumps, before)
    if not any(drawn.truth(moment) for moment in real):
        return "it was at no moment of the check"
    row = 0
    for dump in dumps:
        row = row + 1 if dump.shown is not None and drawn.truth(dump.shown) else 0
        if row == 2:
            return ""
    return "no two reads in a row can have shown it"


def _not_throughout(
    drawn: Drawn, witness: Witness, dumps: list[Dump], touched: float, before: list[Moment]
) -> str:
    """A read proves what it shows for the moment that it is about: of a stale one, that of the read
    before."""
    truth = drawn.truth
    if drawn.told.startswith("expect_unchanged"):
        was = [content(one) for one in before]
        truth = lambda moment: content(moment) in was  # noqa: E731
    row: list[Dump] = []
    for dump in reversed(dumps):
        if dump.shown is None or not truth(dump.shown):
            break
        row.insert(0, dump)
    if len(row) < 2 or row[-1].at - row[0].at < QUICK["window"] - QUICK["interval"] - ROUNDING:
        return f"only {len(row)} reads in a row can have shown it"
    for moment in witness.between(max(row[0].of, touched), row[-1].of):
        if not truth(moment) and witness.lasted(moment, row[-1].of) > QUICK["interval"] + ROUNDING:
            return "it was otherwise in between, for longer than from one read to the next"
    return ""


def _nothing_else(dumps: list[Dump], before: list[Moment]) -> str:
    was = [(content(one), _places(one)) for one in before]
    shown = [(content(dump.shown), _places(dump.shown)) for dump in dumps if dump.shown]
    differs = any(content != earlier for content in shown for earlier in was)
    return "" if differs else "every read showed what was there before"


def _places(moment: Moment) -> list[tuple[str, Rect]]:
    """What moved has changed."""
    return sorted(
        (view.text, view.place) for view in moment.views if view.texts and not view.covered
    )


def content(moment: Moment) -> list[tuple[Any, ...]]:
    return sorted(
        (view.id, sorted(view.texts), str(view.checked), view.enabled, view.selected)
        for view in moment.views
        if (view.texts or view.checked is not None) and not view.covered
    )


def has_been_true(drawn: Drawn, witness: Witness, start: float, end: float) -> bool:
    """Whether it was true all the time, so that a good check passes wherever the phone can be
    read."""
    return drawn.how in ("settled", "window") and all(
        drawn.truth(one) for one in witness.between(start, end)
    )
