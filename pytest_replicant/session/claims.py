"""The predicates behind ``expect_*``: each is a function from what is wanted to a ``Claim``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from ..errors import UsageError, is_told
from ..model.element import Element
from ..model.screen import Screen
from ..model.secret import Secret
from ..model.selector import Selector
from .resolve import STALE_VERDICTS, resolve, witness_of
from .step import StageFailed
from .targets import check_selector, describe
from .verify import Claim, Look, Verdict

if TYPE_CHECKING:
    from .step import Target

__tracebackhide__ = is_told


def screen_is(wanted: str | re.Pattern[str] | Screen) -> Claim:
    if isinstance(wanted, Screen):
        if not wanted.has:
            raise UsageError(f'expect_screen(Screen("{wanted.name}")): has=[by(...)] must say what is on it')
        for selector in (*wanted.has, *wanted.lacks):
            check_selector("expect_screen", selector)
        return Claim("expect_screen", wanted.name, lambda look: _described_screen(look, wanted))
    if not isinstance(wanted, (str, re.Pattern)) or wanted == "":
        raise UsageError(f"expect_screen({wanted!r}): give a title, an activity, a pattern or a Screen")
    if isinstance(wanted, re.Pattern) and wanted.search("") is not None:
        raise UsageError(f"expect_screen({wanted.pattern!r}): the pattern fits every screen")
    expected = wanted if isinstance(wanted, str) else f"/{wanted.pattern}/"
    return Claim("expect_screen", expected, lambda look: _named_screen(look, wanted))


def _named_screen(look: Look, wanted: str | re.Pattern[str]) -> Verdict:
    title = look.snapshot.title
    if title and _is_name(title, wanted):
        return Verdict(True, title)
    activity = look.observer.activity_of(look.snapshot) if look.now else ""
    short = activity.rsplit(".", 1)[-1]
    bare = short.removesuffix("Activity")
    names = [name for name in (activity, short, bare) if name]
    held = any(_is_name(name, wanted) for name in names)
    shown = f"{title} ({short})" if title and short else title or short or "a screen without title or activity"
    return Verdict(held, shown)


def _is_name(name: str, wanted: str | re.Pattern[str]) -> bool:
    return name == wanted if isinstance(wanted, str) else wanted.search(name) is not None


def _described_screen(look: Look, screen: Screen) -> Verdict:
    missing = [item.describe() for item in screen.has if not look.snapshot.match_labels(item)]
    extra = [item.describe() for item in screen.lacks if look.snapshot.match_labels(item)]
    if not missing and not extra:
        return Verdict(True, screen.name)
    told = [f"missing {item}" for item in missing] + [f"should not show {item}" for item in extra]
    return Verdict(False, f"{look.snapshot.screen or 'a screen'}: {'; '.join(told)}")


def visible(target: Target) -> Claim:
    def test(look: Look) -> Verdict:
        found, told = _sighting(look, target)
        return Verdict(found is True, told)

    return Claim("expect_visible", describe(target), test)


def gone(target: Target) -> Claim:
    def test(look: Look) -> Verdict:
        found, told = _sighting(look, target)
        return Verdict(found is False, told)

    return Claim("expect_gone", describe(target), test, "window")


def seen(selector: Target) -> Claim:
    if not isinstance(selector, Selector):
        raise UsageError("expect_seen() takes a selector: what comes and goes has no ref to hold on to")

    def test(look: Look) -> Verdict:
        observer = look.observer
        for snapshot in observer.seen:
            if snapshot.match_labels(selector):
                return Verdict(True, f"seen on {snapshot.screen or snapshot.id}")
        observer.hear_toast()
        for toast in observer.toasts:
            if _text_fits(selector, toast):
                return Verdict(True, f'toast "{toast}"')
        others = ", ".join(f'"{toast}"' for toast in observer.toasts)
        return Verdict(False, f"not seen; toasts: {others}" if others else "not seen, no toast either")

    return Claim("expect_seen", describe(selector), test, "once")


def changed() -> Claim:
    def test(look: Look) -> Verdict:
        diff = look.snapshot.diff(look.before)
        differs = look.before is not None and not diff.empty
        return Verdict(differs, diff.summary if differs else "the same as before the action")

    return Claim("expect_changed", "some change", test, verifies=False)


def unchanged() -> Claim:
    def test(look: Look) -> Verdict:
        if look.before is None:
            return Verdict(False, "what was there before is not known")
        for snapshot in (*look.observer.seen, look.snapshot):  # there and back again is a change too
            diff = snapshot.diff(look.before)
            if not diff.empty:
                return Verdict(False, diff.summary)
        return Verdict(True, "unchanged")

    return Claim("expect_unchanged", "no change", test, "window")


def count_is(wanted: int, selector: Selector) -> Claim:
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        raise UsageError(f"expect_count({wanted!r}): the count is a whole number from 0")

    def test(look: Look) -> Verdict:
        found = look.snapshot.match_labels(selector)
        return Verdict(len(found) == wanted, f"{len(found)}")

    how: Literal["settled", "window"] = "window" if wanted == 0 else "settled"  # none: as expect_gone has it
    return Claim("expect_count", f"{wanted} of {selector.describe()}", test, how)


STATES = ("checked", "selected", "focused", "enabled", "expanded")


def state_is(target: Target | None, wanted: dict[str, Any], tolerance: float | None) -> Claim:
    """Every state given must be reported and equal; numbers within the tolerance. RFC 004: unreported is not
    False, and types do not mix."""
    _check_states(wanted, tolerance)
    expected = ", ".join(
        f'text="{value}"' if name == "text" else f"{name}={value!r}" for name, value in wanted.items()
    )
    where = f"{describe(target)}: " if target is not None else ""

    def test(look: Look) -> Verdict:
        element, why = _acted_or(look, target)
        if element is None:
            return Verdict(False, why)
        verdicts = [_state(element, name, value, tolerance) for name, value in wanted.items()]
        return Verdict(all(item.held for item in verdicts), ", ".join(item.observed for item in verdicts))

    return Claim("expect_state", where + expected, test, code="EXPECT_STATE_MISMATCH")


def _check_states(wanted: dict[str, Any], tolerance: float | None) -> None:
    if not wanted:
        raise UsageError(
            "expect_state() needs a state: text=, value=, checked=, selected=, focused=, enabled=, expanded="
        )
    for name in STATES:
        if name in wanted and not isinstance(wanted[name], bool):
            raise UsageError(f"expect_state({name}={wanted[name]!r}): states are True or False")
    if "text" in wanted and not isinstance(wanted["text"], (str, Secret)):
        raise UsageError(f"expect_state(text={wanted['text']!r}): text is a string")
    number = isinstance(wanted.get("value"), (int, float)) and not isinstance(wanted.get("value"), bool)
    if tolerance is not None and not number:
        raise UsageError("expect_state(tolerance=) goes with a number in value=")


def _state(element: Element, name: str, wanted: Any, tolerance: float | None) -> Verdict:
    if name == "text":
        return _text_state(element, wanted)
    if name == "value":
        return _value_state(element, wanted, tolerance)
    actual = getattr(element.states, name)
    told = _unreported(element, name) if actual is None else repr(actual)
    return Verdict(actual is wanted, f"{name}={told}")


def _unreported(element: Element, name: str) -> str:
    """A row is not checked, the switch in it is."""
    inside = [one for one in element.children if name == "checked" and one.states.checked is not None]
    hint = f"; but {inside[0].describe()} in it is checked={inside[0].states.checked}" if len(inside) == 1 else ""
    return f"not reported by this phone{hint}"


def _text_state(element: Element, wanted: str | Secret) -> Verdict:
    """A field is read by its content, anything else by its label. Masked text shows nothing but its length."""
    shown = text_of(element)
    if isinstance(wanted, Secret):
        held = len(shown) == len(wanted.value) if element.states.password else shown == wanted.value
        return Verdict(held, f"text={'the expected text' if held else 'another text'}")
    return Verdict(shown == wanted, f'text="{shown}"')


def text_of(element: Element) -> str:
    """What a field holds, as far as it shows: of a masked one, its bullets."""
    if element.states.password:
        empty = element.text in (element.hint, element.label)  # a hint in the place of text
        return "" if empty else element.text
    if element.states.editable:
        return str(element.value) if element.value is not None else ""
    return element.text or element.label


def _value_state(element: Element, wanted: Any, tolerance: float | None) -> Verdict:
    actual = element.value
    if actual is None:
        return Verdict(False, "value=not reported by this phone")
    numbers = all(isinstance(item, (int, float)) and not isinstance(item, bool) for item in (actual, wanted))
    if numbers:
        held = abs(float(actual) - float(wanted)) <= (tolerance or 0)
    else:
        held = type(actual) is type(wanted) and actual == wanted
    return Verdict(held, f"value={actual!r}")


def _acted_or(look: Look, target: Target | None) -> tuple[Element | None, str]:
    wanted = target if target is not None else look.acted
    if wanted is None:
        raise UsageError(
            "expect_state(): there is no element to look at; name it first: "
            'expect_state(by(text="Add"), enabled=True). Keywords such as text= are the states that it should have'
        )
    if isinstance(wanted, Selector):
        found = look.snapshot.every(wanted)
        if len(found) == 1:
            return found[0], ""
        return None, "absent" if not found else f"{len(found)} matches: {_told_matches(found)}"
    try:
        return resolve(look.observer, look.snapshot, wanted), ""
    except StageFailed as failed:
        return None, failed.failure.message.split("\n", 1)[0]


def _sighting(look: Look, target: Target) -> tuple[bool | None, str]:
    """Whether the target is on the screen; None where that cannot be told, which proves neither."""
    if isinstance(target, Selector):
        found = look.snapshot.match_labels(target)
        return bool(found), _told_matches(found)
    witness = witness_of(look.observer, target)
    if witness is None:
        raise UsageError(
            f"{describe(target)} was never printed in this session; use a ref from an outline, or a selector"
        )
    located = look.snapshot.locate(witness)
    if located.verdict == "ambiguous":
        return None, f"ambiguous: {located.reason}"
    if located.element is None or located.verdict in STALE_VERDICTS:
        return False, f"{located.verdict}: {located.reason}"
    return True, located.element.describe()


def _told_matches(found: list[Element]) -> str:
    if not found:
        return "absent"
    shown = "   ".join(item.describe() for item in found[:4])
    more = f"   … and {len(found) - 4} more" if len(found) > 4 else ""
    return shown + more


def _text_fits(selector: Selector, text: str) -> bool:
    """Whether a toast, which is nothing but text, is what a selector of nothing but text means."""
    given = dict(selector.given())
    if set(given) - {"text", "text_contains", "text_matches"}:
        return False
    return (
        (selector.text is None or selector.text == text)
        and (selector.text_contains is None or selector.text_contains in text)
        and (selector.text_matches is None or re.search(selector.text_matches, text) is not None)
    )
