"""Checks of the whole screen: its name, its outline, whether it changed, and what a function of the
test says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, Concatenate, NoReturn, ParamSpec, overload

from ...errors import TargetError, UndecidableText, UsageError, what_happened
from ...model import (
    NOTHING_MORE,
    Advice,
    AppText,
    Explanation,
    HasSelector,
    Line,
    Proposals,
    Screen,
    Secret,
    Selector,
    Undecided,
    described,
    first_line,
    public,
    quoted,
    shortened,
    written,
)
from ...snapshots import (
    Snapshot,
    Word,
    check_selector,
    clean,
    difference,
    first_alike,
    fits,
    is_slip,
    read_outline,
)
from ..reachability import describe_dialog, hides_the_app
from ..step import SessionContext
from .absence import deeper, doubt, in_view, lacks_for_sure, under_dialog, undescribed, while_open
from .check import Check, CheckInput, Failed, Held, Verdict, undecided, under_system, verdict
from .elements import alike_clause, check_pattern, listed, near, value_text

_NAME = re.compile(r'"([^"]*)"')
_NO_BEFORE = Failed("the screen before the action is not known", final=True)


def screen_is(wanted: str | re.Pattern[str] | Screen) -> Check:
    if isinstance(wanted, Screen):
        return _fits(wanted)
    if not isinstance(wanted, (str, re.Pattern)) or (isinstance(wanted, str) and not clean(wanted)):
        raise UsageError(
            f"expect_screen({wanted!r}): give a title, an activity, a pattern or a Screen"
        )
    if isinstance(wanted, re.Pattern):
        check_pattern("expect_screen", wanted)
    expected = wanted if isinstance(wanted, str) else value_text(wanted)
    return _screen_check(expected, lambda look: _named_screen(look, wanted))


def _fits(wanted: Screen) -> Check:
    """A check of a ``Screen``: one with ``has`` is recognised by that alone, and one without by its
    name."""
    has, lacks = map(_selectors, (wanted.has, wanted.lacks))
    check = _screen_check(
        wanted.name, lambda look: _described_screen(look, wanted.name, has, lacks)
    )
    return replace(check, absent=lacks, explains=partial(_why, has=has, lacks=lacks))


def _selectors(given: Sequence[str | Selector | HasSelector]) -> tuple[Selector, ...]:
    found: tuple[Selector, ...] = tuple(map(described, given))
    for selector in found:
        check_selector(selector, "expect_screen", strict=True)
    return found


def _screen_check(name: str, test: Callable[[CheckInput], Verdict]) -> Check:
    return Check("expect_screen", name, wanted={"screen": name}, problem="screen", test=test)


def _named_screen(look: CheckInput, wanted: str | re.Pattern[str]) -> Verdict:
    word = Word(wanted) if isinstance(wanted, str) else Word(wanted.pattern, "pattern")
    title = look.snapshot.as_shown(word).title
    if title and fits(wanted, title) and not look.snapshot.cut:
        return Held(title)
    observer = look.observer
    front = observer.in_front_of(look.snapshot, now=look.now)
    activity = front.activity if front is not None else ""
    short = activity.rsplit(".", 1)[-1]
    bare = short.removesuffix("Activity")
    within = activity.removeprefix(
        look.snapshot.app
    )  # as launch(activity=".Name") takes it, where it is the app's own
    # A pattern is not searched for in the package, which is in the name of every activity.
    longer = (activity, within)
    if not isinstance(wanted, str):
        longer = (within.lstrip("."), "") if within != activity else ("", "")
    held = any(fits(wanted, name) for name in (*longer, short, bare) if name)
    opening = held and front is not None and look.now and not observer.is_drawn(front)
    held = held and not opening  # the screen is still that of another
    if look.snapshot.cut and not held:  # by its title a screen is known as a whole
        why = "the title may lie deeper"
        if title:
            why += f", and {quoted(title)} is shown"
        return undecided(f"{look.snapshot.limit}: {why}", screen=title, activity=short)
    shown = title or short or "a screen without title or activity"
    if title and short:
        shown = f"{title} ({short})"
    facts = {"screen": title or "", "activity": short}
    if isinstance(wanted, str) and not held:
        alike = (alike_clause(wanted, name) for name in (title, short, bare) if name)
        shown += next(filter(None, alike), "")
    if opening:
        shown += ", which is in front and has drawn nothing yet: the screen is still another one"
    before = look.observer.before_dialog if look.snapshot.alone and not held else None
    if before is not None and fits(wanted, before.title):
        return while_open(look.snapshot, f"it came over {quoted(before.title)}", **facts)
    # else the activity is not known now
    decided = look.now or front is not None or not observer.has_activities
    if not held and not decided:
        return Undecided("its activity was not asked for then", known=facts)
    return verdict(held, shown + dialog_over(look), facts, more=_other_name(look, wanted))


def _other_name(look: CheckInput, wanted: str | re.Pattern[str]) -> Explanation:
    """What to write where the name is that of the dialog, or a misspelt one of the screen."""
    dialog, title = look.snapshot.dialog, look.snapshot.title
    if dialog and fits(wanted, dialog):
        visible = Advice(f"expect_visible(text={quoted(dialog)})")
        return Explanation(("It is the title of the dialog.",), (visible,))
    if title and isinstance(wanted, str) and is_slip(wanted, title):
        return Explanation(advice=(Advice(f"expect_screen({quoted(title)})", instead=True),))
    return NOTHING_MORE


def dialog_over(look: CheckInput) -> str:
    """The dialog in front, whose title is not that of the screen."""
    dialog = look.snapshot.dialog
    if dialog is None:
        return ""
    return f", under the dialog {quoted(dialog)}" if dialog else ", under a dialog"


def _described_screen(
    look: CheckInput, name: str, has: Sequence[Selector], lacks: Sequence[Selector]
) -> Verdict:
    named = Held(name) if has else _named_screen(look, name)
    missing = [item for item in has if not look.snapshot.match_labels(item)]
    extra = [item for item in lacks if look.snapshot.match_labels(item)]
    if not extra:
        unknown: list[Verdict | None] = [named if isinstance(named, Undecided) else None]
        unknown += [under_dialog(look, item) or deeper(look.snapshot, item) for item in missing]
        unknown += [doubt(look, item) for item in lacks]
        unknown += [lacks_for_sure(look, item) for item in has if item not in missing]
        for beyond in unknown:
            if beyond is not None:
                return beyond
        if named.held and not missing:
            return named
    wrong = [f"missing {item.describe()}" for item in missing]
    wrong += [f"should not show {item.describe()}" for item in extra]
    here = (look.snapshot.screen or "a screen without title") + dialog_over(look)
    return Failed(f"{here}: {'; '.join(wrong)}" if wrong else here)


def _why(look: CheckInput, has: Sequence[Selector], lacks: Sequence[Selector]) -> Explanation:
    """The nearest match of each missing selector, and the matches of each that should find none."""
    lines: list[Line] = []
    advice: list[Advice | str] = []
    for item in has:
        if not look.snapshot.match_labels(item):
            nearest = near(look, item)
            first, *rest = nearest.lines or ("nothing comes near",)
            lines.append(f"missing {item.describe()}: {written(first)}")
            lines += (f"  {written(line)}" for line in rest)
            advice += nearest.advice
    for item in lacks:
        if extra := look.snapshot.match_labels(item):
            lines += [f"should not show {item.describe()}:", *listed(extra).lines]
    return Explanation(tuple(lines), tuple(advice))


def outline_is(text: str) -> Check:
    wanted = read_outline(text)

    def test(look: CheckInput) -> Verdict:
        snapshot = look.snapshot.as_shown(Word(text))
        shown = snapshot.outline()
        header = first_line(shown) if snapshot.screen or snapshot.app else ""
        found = difference(read_outline(text, header), read_outline(shown, header))
        limit = look.snapshot.limit
        if found is None and not limit:
            if look.snapshot.loading:
                return undecided("the screen is loading, and may still bring more")
            return Held("as expected")
        if found is None:
            return undecided(f"{limit}: as expected so far")
        lines, advice = [f"  {line}" for line in found.lines], Proposals()
        more = any(line[:1] == "+" and line[1:].strip() != "..." for line in found.lines)
        if limit and not more:
            return undecided(f"{limit}: {found.summary}", more=Explanation(tuple(lines)))
        lines += _lookalikes(found.lines, look.snapshot)
        if not any(line.startswith("-") for line in found.lines):
            advice = ('write the unexpected lines as well, or a line of "..." in its place',)
        return Failed(found.summary, more=Explanation(tuple(lines), advice))

    lines = f"of {wanted.count} lines" if wanted.count > 1 else "of 1 line"
    return Check(
        "expect_outline",
        lines,
        wanted={"outline": lines},
        problem="outline",
        proves_absence=True,  # of every line that is not written
        test=test,
    )


def _lookalikes(lines: Sequence[str], snapshot: Snapshot) -> list[str]:
    """A line for each name that is missing if there is one that only looks alike."""
    shown, found = _NAME.findall(str(snapshot)), []
    for name in _NAME.findall("\n".join(line for line in lines if line[:1] == "-")):
        if seen := first_alike(name, shown):
            found.append(f"  For {quoted(name)} there is {quoted(seen[0])}: {seen[1]}.")
    return found


def changed() -> Check:
    def test(look: CheckInput) -> Verdict:
        if look.before is None:
            return _NO_BEFORE
        difference = _difference(look.snapshot, look.before)
        if difference is None:
            return _partly(look.snapshot, look.before)
        if not difference:
            return Failed("the same as before the action")
        return Held(difference)

    return Check(
        "expect_changed",
        "some change",
        wanted={"change": True},
        problem="no change",
        verifies=False,
        proves_absence=True,  # of no change: closing what stands in the way would be one
        test=test,
        compares=True,
    )


def _difference(now: Snapshot, before: Snapshot) -> str | None:
    """The difference now, "" for nothing; None if it is not known, as not all, or not as much of
    one as of the other, could be compared."""
    diff = now.diff(before)
    if diff.cut and (diff.empty or now.cut != before.cut):
        return None
    return "" if diff.empty else diff.summary


def _partly(one: Snapshot, other: Snapshot) -> Verdict:
    """The verdict on two screens whose difference is not known."""
    return undecided(f"{one.limit or other.limit}: what lies deeper may have changed")


def unchanged() -> Check:
    def test(look: CheckInput) -> Verdict:
        if look.before is None:
            return _NO_BEFORE
        partly: Verdict | None = None
        # there and back again is a change too
        for snapshot in (*look.observer.seen, look.snapshot):
            if snapshot.over and not look.before.over:
                partly = under_system(snapshot)
                continue
            difference = _difference(snapshot, look.before)
            if difference:
                return Failed(difference)
            if difference is None:
                partly = _partly(snapshot, look.before)
        look.observer.poll_toast()
        if look.observer.toasts:
            return Failed(("toast ", AppText(look.observer.toasts[-1])))
        return partly or undescribed(look) or Held("unchanged")

    return Check(
        "expect_unchanged",
        "no change",
        wanted={"change": False},
        problem="unchanged",
        proves_absence=True,
        denies_effect=True,
        test=test,
        holds="window",
        compares=True,
    )


# --- what a function of the test says, waited for and traced as the built-in checks are ---

_LONGEST = 300  # characters of a claim in messages

P = ParamSpec("P")
Predicate = Callable[Concatenate[Snapshot, P], bool]


@dataclass(frozen=True)
class CustomCheck:
    """One claim about a screen, for ``expect``. ``claim`` is the call that made it; ``holds``
    judges a screen, and ``secrets`` are those that it was given."""

    claim: str
    presence: bool
    holds: Callable[[Snapshot], bool] = field(repr=False)
    secrets: tuple[Secret, ...] = field(default=(), repr=False)

    def __bool__(self) -> NoReturn:
        raise UsageError(
            f"{self.claim} claims something of a screen, and was not checked: "
            f"mobile.expect({self.claim})"
        )


@overload
def check(predicate: Predicate[P], /) -> Callable[P, CustomCheck]: ...
@overload
def check(*, presence: bool) -> Callable[[Predicate[P]], Callable[P, CustomCheck]]: ...
@public
def check(predicate: Any = None, /, *, presence: bool = False) -> Any:
    """Decorator: makes a check of a function that judges a ``Snapshot``.

    The function takes the screen, then what the claim needs, and returns True or False. What it
    raises as ``AssertionError`` or ``TargetError`` means False, and says what was observed. It is
    called on each read, and on the screen before the action, and does nothing but look at the
    screen: rows that were scrolled away are not on it. With ``presence`` it holds by what it finds
    alone. Without, it may hold by something missing. So it must hold through one whole window, and
    is undecided if something is covered, cut off, loading or under a dialog. Raises ``UsageError``
    if it returns anything but True or False.
    """
    if predicate is None:
        return partial(_maker, presence=presence)
    return _maker(predicate, presence=presence)


def _maker(predicate: Predicate[P], *, presence: bool) -> Callable[P, CustomCheck]:
    """The maker of such checks: called with what the function takes behind the screen."""
    if not callable(predicate):
        raise UsageError(f"@check on {predicate!r}: it makes a check of a function of the screen")

    @wraps(predicate)
    def make(*args: P.args, **named: P.kwargs) -> CustomCheck:
        name = getattr(predicate, "__name__", "check")
        if any(isinstance(one, Snapshot) for one in (*args, *named.values())):
            raise UsageError(
                f"{name}(...): the screen is given by expect(), which calls it on each read"
            )
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())]
        claim = shortened(f"{name}({', '.join(given)})", _LONGEST)
        secrets = tuple(_secrets_in((args, named)))
        return CustomCheck(
            claim, presence, lambda screen: predicate(screen, *args, **named), secrets
        )

    return make


def _secrets_in(given: object) -> Iterator[Secret]:
    if isinstance(given, Mapping):
        given = tuple(given.values())
    if isinstance(given, Secret):
        yield given
    elif isinstance(given, (tuple, list, set, frozenset)):
        for one in given:
            yield from _secrets_in(one)


def custom_check(given: CustomCheck, context: SessionContext) -> Check:
    """The check of a claim. Raises ``UsageError`` for anything else."""
    if not isinstance(given, CustomCheck):
        called = "; call it first, with what it takes behind the screen" if callable(given) else ""
        raise UsageError(
            f"expect({given!r}) takes a check that @check made{called}. The built-in ones have "
            "names of their own, such as expect_visible(...)"
        )
    for secret in given.secrets:
        context.known_secret(secret)

    def test(look: CheckInput) -> Verdict:
        try:
            with context.during("asking"):
                held = given.holds(look.snapshot.as_shown(Word(".", "pattern")))
            if not isinstance(held, bool):
                raise UsageError(f"{given.claim} returned {held!r}: a check returns True or False")
        except (AssertionError, TargetError) as failed:
            why = what_happened(failed) if str(failed) else "it does not hold"
            return Failed(f"{why}{dialog_over(look)}")
        except Exception as broken:
            if look.now or isinstance(broken, UndecidableText):
                raise
            return undecided(f"{type(broken).__name__} on a screen that it was not made for")
        if not held:
            return Failed(f"it does not hold{dialog_over(look)}")
        if given.presence:
            return Held("it holds")
        why = _unfinished(look.snapshot)
        beyond = undecided(why) if why else undescribed(look)
        return beyond or Held("it holds")

    return Check(
        "expect",
        given.claim,
        wanted={"check": given.claim},
        problem="check",
        proves_absence=not given.presence,
        holds="settled" if given.presence else "window",
        test=test,
    )


def _unfinished(screen: Snapshot) -> str:
    """Why something that this screen does not show may be there all the same; "" if it would show
    it."""
    if screen.limit:
        return screen.limit
    if screen.alone or hides_the_app(screen):
        return f"{describe_dialog(screen)} is open, and hides the rest"
    if screen.beneath is not None:
        shown = {one.index for one in screen.printed}
        hidden = (one for one in screen.beneath.elements if one.index not in shown)
        if covered := in_view(screen.beneath, hidden):
            return f"covered, not gone: {covered[0].describe()}"
    return "the screen is loading, and may still bring more" if screen.loading else ""
