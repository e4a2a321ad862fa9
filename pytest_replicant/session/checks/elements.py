"""Checks of elements: whether one is there, was there, how often, whether two pictures show it; and
its state."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from itertools import product, starmap
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from ...errors import TargetError, UndecidableText, UsageError
from ...model import (
    NO_VERB,
    NOTHING_MORE,
    Advice,
    AnyMapping,
    Element,
    Explanation,
    Failure,
    PublicMethods,
    Secret,
    Selector,
    Verb,
    one_line,
    quoted,
    verb_of,
    written,
)
from ...snapshots import Snapshot, code_points, first_alike, fits, fits_label, same_text
from ..actionability import STALE_VERDICTS, resolve, unknown, witness_of
from ..advice import advised, came_and_went
from ..arguments import Target, describe, is_number
from ..drawn import DrawnElement, ImageSelector
from ..element_state import CHOICES, checked_of, text_of, true_text_of, truly
from ..photos import drawn_on, nearest_drawn, photograph
from ..reachability import hides_the_app, over_the_app
from ..step import SessionContext, StageFailed
from .absence import (
    bears_its_id,
    deeper,
    describe_matches,
    doubt,
    lacks_for_sure,
    more_doubt,
    under_dialog,
    under_keyboard,
)
from .check import Check, CheckInput, Failed, Held, Verdict, undecided, verdict

if TYPE_CHECKING:
    from typing_extensions import Self

_MOST_LISTED = 12
_STILL = 0.5  # of what was found in a picture lies where it was found in the one before


def visible(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, shown = _sighting(look, target)
        beyond: Verdict | None = None
        if found is False:
            beyond = under_keyboard(look, target) or under_dialog(look, target)
        if not found:
            beyond = beyond or deeper(look.snapshot, target, matches=0)
        elif isinstance(target, Selector):
            beyond = lacks_for_sure(look, target)
        return beyond or verdict(found is True, shown, {"matches": int(bool(found))})

    return Check(
        "expect_visible",
        describe(target),
        problem="missing",
        test=test,
        target=target,
        explains=partial(_why_not_visible, target=target),
        came="appeared",
    )


def drawn(target: Selector) -> Check:
    """It is in the hierarchy, or two pictures in a row show it in one place. Never that it is not
    there."""
    before: list[DrawnElement] = []

    def ask(context: SessionContext) -> Verdict:
        snapshot = context.observer.read().snapshot
        try:
            found = [] if isinstance(target, ImageSelector) else snapshot.match_labels(target)
        except UndecidableText as error:
            return undecided(error.why)
        if found:
            facts = {"source": "hierarchy", "matches": len(found)}
            return Held(f"{describe_matches(found)} in the hierarchy", facts, snapshot)
        shot = photograph(context)
        snapshot, last = shot.snapshot, list(before)
        before.clear()
        try:
            seen = drawn_on(context, shot, target)
        except StageFailed as failed:  # of within=
            why = f"where to look: {failed.what}"
            return Failed(why, problem="missing", snapshot=snapshot)
        before[:] = seen
        facts = {"source": "picture", "matches": len(seen)}
        if not seen:
            why = "in no element of the hierarchy, and not seen in a picture"
            more = Explanation(nearest_drawn(context, shot, target))
            return Failed(why, facts, snapshot, "missing", more)
        if last and not any(starmap(_agree, product(last, seen))):
            return Failed("seen in pictures, each time in another place", facts, snapshot)
        surest = max(seen, key=lambda one: one.confidence)
        facts["confidence"] = round(surest.confidence, 2)
        return Held(f"by picture: {surest.describe()}", facts, snapshot)

    named = None if isinstance(target, ImageSelector) else target
    return Check(
        "expect_visible", f"{describe(target)} (picture)", problem="missing", ask=ask, target=named
    )


def _agree(one: DrawnElement, now: DrawnElement) -> bool:
    return one.bounds.intersect(now.bounds).area >= _STILL * min(one.bounds.area, now.bounds.area)


def gone(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, shown = _sighting(look, target)
        beyond = doubt(look, target) if found is False else None
        facts = {"matches": int(bool(found)), "hidden": False}
        if not found:
            beyond = beyond or deeper(look.snapshot, target, **facts)
        return beyond or verdict(found is False, shown, facts)

    return Check(
        "expect_gone",
        describe(target),
        problem="unexpected",
        proves_absence=True,
        test=test,
        holds="window",
        target=target,
        explains=partial(_one_a_line, target=target),
        came="gone",
    )


def seen(selector: Target) -> Check:
    if not isinstance(selector, Selector):
        raise UsageError(
            "expect_seen() takes a selector: what comes and goes has no ref to hold on to"
        )

    def test(look: CheckInput) -> Verdict:
        if not look.now:
            return verdict(bool(look.snapshot.match_labels(selector)), "on the screen before")
        observer = look.observer  # whose record does not keep all of very many screens
        where = observer.record.showed(
            selector, look.snapshot.platform, look.snapshot, poll=observer.poll_toast
        )
        if where:
            return Held(where)
        others = ", ".join(
            quoted(toast) + alike_clause(selector, toast) for toast in observer.toasts
        )
        return Failed(f"not seen; toasts: {others}" if others else "not seen, no toast either")

    return Check(
        "expect_seen",
        describe(selector),
        problem="missing",
        test=test,
        holds="once",
        target=selector,
        came="appeared",
    )


def alike_clause(wanted: Selector | str, shown: str) -> str:
    """`` (it looks alike, but ...)`` where a text differs in what no reader can see; else ""."""
    texts = [wanted] if isinstance(wanted, str) else [wanted.text, wanted.text_contains]
    for text in filter(None, texts):
        found = first_alike(text, [shown], part=text is not texts[0])
        if found is not None:
            return f" ({found[1]})"
    return ""


def checked_count(wanted: int) -> int:
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        raise UsageError(
            f"expect_count({wanted!r}): the count is a whole number from 0, and comes first: "
            "expect_count(3, by(...))"
        )
    return wanted


def count_is(wanted: int, selector: Selector) -> Check:
    """A count of none is held to what ``gone`` is held to."""

    def test(look: CheckInput) -> Verdict:
        found = look.snapshot.match_labels(selector)
        count, beyond = len(found), None
        if count < wanted:
            beyond = under_dialog(look, selector)
        if wanted == count == 0:
            beyond = doubt(look, selector)
        elif count <= wanted:
            beyond = beyond or more_doubt(look, selector, count)
        problem = "missing" if not found else "ambiguous" if wanted == 1 else ""
        facts = {"matches": count, "hidden": False}
        return beyond or verdict(count == wanted, f"{count} found", facts, problem=problem)

    check = Check(
        "expect_count",
        f"{wanted} of {selector.describe()}",
        wanted={"count": wanted},
        problem="count",
        test=test,
        target=selector,
        explains=lambda look: _one_a_line(look, selector) or near(look, selector),
    )
    if wanted:
        return check
    return replace(check, problem="unexpected", holds="window", proves_absence=True)


def _why_not_visible(look: CheckInput, target: Target) -> Explanation:
    """The dialog that hides the whole app, and how to get past it; else that it came and went, or
    the nearest matches."""
    snapshot = look.snapshot
    if hides_the_app(snapshot) and not _is_within_dialog(snapshot, target):
        return over_the_app(snapshot)
    return came_and_went(look.observer, snapshot, target, look.before) or why_absent(look, target)


def why_absent(look: CheckInput, target: Target, verb: Verb = NO_VERB) -> Explanation:
    """The nearest matches, or where the session has seen it."""
    near_it = near(look, target, verb)
    failure = Failure("ELEMENT_NOT_FOUND", nearest=near_it.lines, advice=near_it.advice)
    better = advised(look.observer, look.snapshot, target, failure, for_check=True)
    return Explanation(better.nearest, better.advice)


def _sighting(look: CheckInput, target: Target) -> tuple[bool | None, str]:
    """Whether the target is on the screen, and how; None if that is undecided, which proves
    neither."""
    if isinstance(target, Selector):
        found = look.snapshot.match_labels(target)
        return bool(found), describe_matches(found)
    witness = (
        look.observer.shown(target)
        if isinstance(target, str)
        else witness_of(look.observer, target)
    )
    if witness is None:
        raise UsageError(
            f"{unknown(look.observer, target)}. Use a ref from an outline, or a selector"
        )
    if witness.screen is not None and not look.now:  # its dialog was not closed then
        witness = replace(witness, screen=replace(witness.screen, closed=False))
    located = look.snapshot.locate(witness)
    why = f"{located.verdict}: {located.reason}"
    if located.verdict in ("ambiguous", "renamed"):  # neither what was printed nor known to be gone
        return None, why
    if located.element is not None and located.verdict not in STALE_VERDICTS:
        return True, located.element.describe()
    if located.verdict in ("replaced", "gone"):
        if (again := _opened_again(look, witness)) is not None:
            return None, f"{why}; {again.describe()} is there, of that dialog or an equal one"
        if (renamed := _renamed(look, witness)) is not None:
            return None, f"renamed: its id is that of {renamed.describe()} now"
    return False, why


def _opened_again(look: CheckInput, was: Element) -> Element | None:
    """What looks the same in a dialog of the same words, where another app's was on top of its own
    since: it may be that, or another one."""
    if was.screen is None or not was.screen.unseen or look.snapshot.dialog is None:
        return None
    then = replace(was.screen, closed=False, unseen=False)
    if then.differ_on_top(look.snapshot.traits):  # other words
        return None
    for one in look.snapshot.elements:
        alike = bears_its_id(was, one) or one.label == was.label != ""
        if alike and one.class_name == was.class_name:
            return one
    return None


def _renamed(look: CheckInput, was: Element) -> Element | None:
    """The one element with its id on the same screen, in its row if it was in one: it is called
    something else now. Where several have that id, or had it then, an id says nothing."""
    then = look.observer.kept(was.snapshot_id)
    found, rivals = (
        [one for one in each if bears_its_id(was, one) and was.row_title == one.row_title]
        for each in (look.snapshot.elements, then.elements if then is not None else [was])
    )
    elsewhere = was.screen is not None and was.screen.differ(look.snapshot.traits)
    return found[0] if len(found) == len(rivals) == 1 and not elsewhere else None


def near(look: CheckInput, target: Target, verb: Verb = NO_VERB) -> Explanation:
    """The nearest matches of a selector that matches nothing, and why they do not."""
    snapshot = look.snapshot
    if isinstance(target, Selector) and snapshot.match_labels(target):
        return NOTHING_MORE
    if hides_the_app(snapshot) and not _is_within_dialog(snapshot, target):
        return over_the_app(snapshot)
    if isinstance(target, Selector):
        try:
            snapshot.one(target, before=look.observer.record.before, verb=verb)
        except TargetError as error:
            parts = error.parts
            return Explanation((*parts.details, *parts.nearest), parts.advice)
    return NOTHING_MORE


def _is_within_dialog(snapshot: Snapshot, target: Target) -> bool:
    """Whether the target is looked for within what the dialog shows, if only its title."""
    part = target.within if isinstance(target, Selector) else None
    return isinstance(part, Selector) and bool(snapshot.match_labels(part))


def listed(found: list[Element]) -> Explanation:
    """The elements, one a line."""
    lines = [f"  {item.describe()}" for item in found[:_MOST_LISTED]]
    if len(found) > _MOST_LISTED:
        lines.append(f"  … and {len(found) - _MOST_LISTED} more")
    return Explanation(tuple(lines))


def _one_a_line(look: CheckInput, target: Target) -> Explanation:
    found = look.snapshot.match_labels(target) if isinstance(target, Selector) else []
    return listed(found) if len(found) > 1 else NOTHING_MORE


# --- one state of an element, or several ----------------------------------------------------------

STATES = ("checked", "selected", "focused", "enabled", "expanded")


Text: TypeAlias = "str | Secret | re.Pattern[str]"
"""What an element is to show: the text, or a pattern that is searched for."""
Value: TypeAlias = "str | float | re.Pattern[str]"
"""What a control is to report."""


class ElementStates(TypedDict, total=False):
    """What ``expect_state`` compares of an element."""

    text: Text | None
    value: Value | None
    checked: bool | None
    selected: bool | None
    focused: bool | None
    enabled: bool | None
    expanded: bool | None


class OneState(PublicMethods):
    """The checks of one state of one element: a locator's, or the one that an action was about.
    ``expect_state`` checks several at once, and those of any other element. Each takes ``timeout``
    and ``stays`` in seconds."""

    def _check_state(
        self,
        kind: str,
        expected: object,
        timeout: float | None,
        stays: float,
        tolerance: float | None = None,
    ) -> Self:
        raise NotImplementedError

    def expect_text(
        self, expected: Text, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It shows this whole text: what a field holds, else the label. A compiled pattern is
        searched for."""
        return self._check_state("expect_text", expected, timeout, stays)

    def expect_not_text(
        self, expected: Text, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It is there, and shows another text; if its text is masked, nothing is known of it."""
        return self._check_state("expect_not_text", expected, timeout, stays)

    def expect_value(
        self,
        expected: Value,
        *,
        tolerance: float | None = None,
        timeout: float | None = None,
        stays: float = 0,
    ) -> Self:
        """It reports this value: a number of its own unit, give or take ``tolerance``, or the text
        of a field."""
        return self._check_state("expect_value", expected, timeout, stays, tolerance)

    def expect_not_value(
        self,
        expected: Value,
        *,
        tolerance: float | None = None,
        timeout: float | None = None,
        stays: float = 0,
    ) -> Self:
        """It is there, and reports another value of the same type."""
        return self._check_state("expect_not_value", expected, timeout, stays, tolerance)

    def expect_checked(
        self, expected: bool = True, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """The switch, checkbox or radio button is checked; with False, it is reported as not
        checked."""
        return self._check_state("expect_checked", expected, timeout, stays)

    def expect_enabled(
        self, expected: bool = True, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It is enabled, or with False disabled."""
        return self._check_state("expect_enabled", expected, timeout, stays)

    def expect_focused(
        self, expected: bool = True, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It has the focus; with False, it is reported without it."""
        return self._check_state("expect_focused", expected, timeout, stays)

    def expect_selected(
        self, expected: bool = True, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """The tab, row or chip is selected; with False, it is reported as not selected."""
        return self._check_state("expect_selected", expected, timeout, stays)


def state_is(
    kind: str,
    target: Target | None,
    wanted: AnyMapping,
    tolerance: float | None = None,
    *,
    differs: bool = False,
) -> Check:
    """Every state given must be reported and equal, or with ``differs`` reported and not equal;
    numbers within the tolerance. RFC 004: unreported is not False, and types do not mix."""
    _check_states(kind, wanted, tolerance)
    verb = NO_VERB
    for name in ("value", "checked"):
        if name in wanted:
            verb = verb_of(f"expect_{name}")

    def test(look: CheckInput) -> Verdict:
        element = acted_or(look, kind, target)
        if not isinstance(element, Element):
            return element
        samples = [
            _state(look, element, name, value, tolerance, target) for name, value in wanted.items()
        ]
        return verdict(
            all(not one.excused and one.held is not differs for one in samples),
            ", ".join(written(item.observed) for item in samples),
            problem="disabled" if wanted.get("enabled") and element.states.enabled is False else "",
            facts={name: value for item in samples for name, value in item.facts.items()},
        )

    where = f"{describe(target)}: " if target is not None else ""
    return Check(
        kind,
        where
        + ("other than " if differs else "")
        + ", ".join(f"{name}={value_text(value)}" for name, value in wanted.items()),
        wanted={
            name: value if isinstance(value, (int, float)) else _plain(value)
            for name, value in wanted.items()
        },
        problem="state",
        about_acted=target is None,
        test=test,
        code="EXPECT_STATE_MISMATCH",
        target=target,
        explains=partial(
            _explained, target=target, wanted=None if differs else wanted.get("text"), verb=verb
        ),
    )


def value_text(value: object) -> str:
    """A wanted value, as messages show it: a text in quotes, a pattern between slashes."""
    if isinstance(value, re.Pattern):
        return f"/{one_line(str(value.pattern))}/"
    return quoted(str(value)) if isinstance(value, (str, Secret)) else repr(value)


def _plain(value: object) -> str:
    return value_text(value) if isinstance(value, re.Pattern) else str(value)


def check_pattern(
    kind: str, pattern: re.Pattern[Any], shown: str = "a screen shows", every: str = "text"
) -> None:
    """Raises ``UsageError`` for a pattern of bytes, and for one that is found in everything."""
    if not isinstance(pattern.pattern, str):
        raise UsageError(
            f"{kind}({pattern.pattern!r}): {shown} text, and this is a pattern of bytes"
        )
    if pattern.search("") is not None:
        raise UsageError(f"{kind}({pattern.pattern!r}): the pattern fits every {every}")


def _check_states(kind: str, wanted: AnyMapping, tolerance: float | None) -> None:
    if not wanted:
        raise UsageError(
            f"{kind}() needs a state: text=, value=, checked=, selected=, focused=, enabled=, "
            "expanded="
        )
    for name, value in wanted.items():
        given = f"{kind}({name if kind == 'expect_state' else 'expected'}={value!r})"
        if name in STATES and not isinstance(value, bool):
            raise UsageError(f"{given}: states are True or False")
        if name == "text" and not isinstance(value, (str, Secret, re.Pattern)):
            raise UsageError(f"{given}: text is a string, a Secret or a compiled pattern")
        if name == "value" and not isinstance(value, (str, re.Pattern)) and not is_number(value):
            raise UsageError(f"{given}: a value is a number, a string or a compiled pattern")
        if isinstance(value, re.Pattern):
            check_pattern(kind, value)
    if tolerance is not None:
        if not is_number(wanted.get("value")):
            raise UsageError(f"{kind}(tolerance=) goes with a number as the value")
        if not is_number(tolerance) or tolerance < 0:
            raise UsageError(f"{kind}(tolerance={tolerance!r}): a tolerance is a number from 0")


def _state(
    look: CheckInput,
    element: Element,
    name: str,
    wanted: Any,
    tolerance: float | None,
    target: Target | None,
) -> Verdict:
    """One state of an element against the one that is wanted. ``excused``: they cannot be compared,
    so that the one does not differ from the other either."""
    if name == "text":
        return _text_state(element, wanted, look.snapshot, _label_meant(look, element, target))
    if name == "value":
        return _value_state(truly(look.snapshot, element, element.value), wanted, tolerance)
    reported, how = getattr(element.states, name), ""
    # On iOS a chosen button or row has the trait Selected, where traits are reported; the field
    # with the keyboard is in no hierarchy, and asked for.
    if reported is None and name == "checked":
        reported, how = checked_of(look.snapshot, element), " (by the trait Selected)"
    elif reported is None and name == "focused":
        reported = (
            look.observer.has_focus(element) if element.states.editable and look.now else None
        )
    shown = _unreported(element, name) if reported is None else f"{reported!r}{how}"
    return verdict(
        reported is wanted, f"{name}={shown}", {name: reported}, excused=reported is None
    )


def _unreported(element: Element, name: str) -> str:
    """The observed line of a state that is not reported, with the element or state to check
    instead."""
    hint = ""
    if name == "checked":
        if element.class_name in CHOICES and element.states.selected is False:
            return "not reported by this phone; it is not selected, which selected= checks"
        inside = [one for one in element.children if one.states.checked is not None]
        if len(inside) == 1:
            hint = f"; but {inside[0].describe()} in it is checked={inside[0].states.checked}"
    return f"not reported by this phone{hint}"


def _label_meant(look: CheckInput, element: Element, target: Target | None) -> str | None:
    """The label that a selector found where that is printed with its row: the row has others.
    Raises ``UndecidableText`` if it may be one of several."""
    if (
        not isinstance(target, Selector)
        or not element.folded
        or element in look.snapshot.match(target)
    ):
        return None
    platform = look.snapshot.platform
    found = {
        text
        for text in element.folded
        if any(fits_label(one, text, platform) for one in target.alternatives)
    }
    if len(found) > 1:
        raise UndecidableText(f"{element.describe()} is printed with several labels that fit")
    return next(iter(found), None)


def _text_state(element: Element, wanted: Text, snapshot: Snapshot, label: str | None) -> Verdict:
    """Compares a field by its content, anything else by its ``label`` or its own. Masked text shows
    only its length."""
    shown = true_text_of(snapshot, element) if label is None else label
    if isinstance(wanted, Secret):
        if element.states.password:
            # Android may mask each of them.
            units = len(wanted.value.encode("utf-16-le", "surrogatepass")) // 2
            held = len(shown) in (len(wanted.value), units)
            return verdict(
                held, f"text=masked, {'as many' if held else 'another number of'} letters"
            )
        held = same_text(shown, wanted.value)
        return verdict(held, f"text={'the expected text' if held else 'another text'}")
    if element.states.password and shown:  # its dots are no text
        return Failed(
            f"text={quoted(shown)}; it is masked: text=Secret(...) compares the length",
            excused=True,
        )
    return verdict(
        fits(wanted, shown), f"text={quoted(shown)}{_alike(wanted, shown)}", facts={"text": shown}
    )


def _explained(look: CheckInput, target: Target | None, wanted: object, verb: Verb) -> Explanation:
    """The several that it may be, with what leaves one that has the state, the nearest to a missing
    one, or the check of a text that is elsewhere."""
    if not isinstance(target, Selector):
        return NOTHING_MORE
    found = look.snapshot.every(target)
    if not found:
        return why_absent(look, target, verb)
    if len(found) == 1:
        if target.row_with is None and isinstance(wanted, str) and wanted:
            there = Selector(text=wanted, row_with=replace(target, nth=None))
            if len(look.snapshot.match_labels(there)) == 1:
                visible = Advice(f"expect_visible({there.describe()})")
                return Explanation(("Its row says it in another place.",), (visible,))
        return NOTHING_MORE
    try:
        look.snapshot.one(target, verb=verb)
    except TargetError as error:
        return Explanation(listed(found).lines, error.parts.advice)
    return listed(found)


def _alike(wanted: object, shown: object) -> str:
    """What no reader can see of two texts that look alike."""
    unseen = (
        code_points(wanted, shown) if isinstance(wanted, str) and isinstance(shown, str) else ""
    )
    return f" ({unseen})" if unseen else ""


def _value_state(element: Element, wanted: Any, tolerance: float | None) -> Verdict:
    actual = element.value
    if element.states.password and actual:  # its dots are no value
        return Failed(f"value={actual!r}; it is masked: Secret(...) as its text", excused=True)
    if actual is None:
        shown = text_of(element)
        hint = (
            f"; it shows {quoted(shown)}, which text= compares"
            if any(map(str.isdigit, shown))
            else ""
        )
        return Failed(f"value=not reported by this phone{hint}", excused=True)
    known = is_number(actual) == is_number(wanted)
    if is_number(actual) and is_number(wanted):
        held = abs(float(actual) - float(wanted)) <= (tolerance or 0)
    else:
        held = isinstance(actual, str) and known and fits(wanted, actual)
    return verdict(
        held, f"value={actual!r}{_alike(wanted, actual)}", {"value": actual}, excused=not known
    )


def acted_or(look: CheckInput, kind: str, target: Target | None) -> Element | Verdict:
    """The one element that is meant, else the verdict that says why there is none."""
    wanted = target if target is not None else look.acted
    if wanted is None or isinstance(wanted, DrawnElement):  # which is never looked up again
        raise UsageError(
            f"{kind}(): there is no element to look at. Next: name it first, as in "
            'expect_state(by(text="Add"), '
            "enabled=True), in which keywords such as text= are the states that it should have"
        )
    if isinstance(wanted, Selector):
        return _one_match(look, wanted)
    try:
        return resolve(look.observer, look.snapshot, wanted)
    except StageFailed as failed:
        if look.snapshot.cut:
            return undecided(f"{failed.what}: {look.snapshot.limit}")
        return under_dialog(look, wanted) or Failed(
            failed.what,
            problem="missing" if failed.failure.code != "AMBIGUOUS_TARGET" else "ambiguous",
        )


def _one_match(look: CheckInput, selector: Selector) -> Element | Verdict:
    found = look.snapshot.every(selector)
    facts = {"matches": len(found)}
    if len(found) > 1:
        return Failed(f"{len(found)} matches, and it must be one", facts, problem="ambiguous")
    beyond = deeper(look.snapshot, selector, **facts)
    if found:
        return beyond or lacks_for_sure(look, selector) or found[0]
    return beyond or under_dialog(look, selector) or Failed("absent", facts, problem="missing")
