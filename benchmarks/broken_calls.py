"""Right calls of tests, and every way to get them wrong: for the judge of advice, who so knows what was meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pytest_replicant import Element, Selector, by
from pytest_replicant.session.locator import Locator


@dataclass(frozen=True)
class Call:
    """One call of a test: ``on`` is the session, outcome or locator, ``selector`` its target, the rest its other
    arguments."""

    on: Any
    verb: str
    selector: Selector
    args: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = field(default_factory=dict)
    ref: str = ""

    def again(self, **changes: Any) -> Any:
        """Makes the call, with other keywords."""
        keywords = {**self.keywords, **changes}
        if isinstance(self.on, Locator) and not self.ref:
            return getattr(Locator(self.on._context, self.selector), self.verb)(*self.args, **keywords)
        return getattr(self.on, self.verb)(self.ref or self.selector, *self.args, **keywords)

    def __str__(self) -> str:
        return f"{self.verb}({self.selector.describe()})"


@dataclass(frozen=True)
class Break:
    """``selector`` is the wrong one in place of the right one, ``verb`` another call. ``happens`` names what is
    done to the phone first. ``by_ref``: the call is given a ref from before. Where nothing on the phone is what
    was ``meant``, every element is the wrong one."""

    name: str
    selector: Selector | None = None
    meant: bool = True
    happens: str = ""
    verb: str = ""
    by_ref: bool = False


def changed(selector: Selector, name: str, value: object) -> Selector:
    """The selector with another value of one keyword."""
    keywords: Any = {name: value}
    return replace(selector, **keywords)


def _exchanged(text: str) -> str:
    """Two letters inside the longest word are exchanged."""
    word = max(re.findall(r"[^\W\d_]+", text), key=len, default="")
    pairs = [at for at in range(1, len(word) - 1) if word[at] != word[at + 1]]
    if len(word) < 4 or not pairs:
        return text
    at = pairs[0]
    return text.replace(word, f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}", 1)


def _short(text: str) -> str:
    word = max(re.findall(r"[^\W\d_]+", text), key=len, default="")
    return text.replace(word, f"{word[:2]}{word[3:]}", 1) if len(word) > 4 else text


def _counted_on(text: str) -> str:
    return re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text, count=1)


RESPELT: dict[str, tuple[Callable[[str], str], bool]] = {
    "letters exchanged": (_exchanged, True),
    "a letter too few": (_short, True),
    "in other letters": (str.swapcase, True),
    "a word's other form": (lambda text: f"{text}d" if text.endswith("e") else f"{text}ed", False),
    "another number": (_counted_on, False),
    "another word": (lambda _: "Zebra crossing", False),
}
"""By name, how a label or id is written wrongly, and whether it still means the same element."""


def breaks(right: Selector, found: Sequence[Element]) -> Iterator[Break]:
    """Every way to get the call wrong that applies to it."""
    if not found:  # of scroll_to
        yield Break("not scrolled to", verb="wait_for")
    for name in ("text", "description", "resource_id", "text_contains"):
        value = getattr(right, name)
        for how, (respell, meant) in RESPELT.items() if isinstance(value, str) else ():
            yield Break(f"{name}: {how}", changed(right, name, respell(value)), meant)
    for name in ("row_with", "near", "within"):
        anchor = getattr(right, name)
        if not isinstance(anchor, Selector) or not isinstance(anchor.text, str):
            continue
        for how, (respell, meant) in RESPELT.items():
            yield Break(f"{name}: {how}", changed(right, name, replace(anchor, text=respell(anchor.text))), meant)
        yield Break(f"{name}: left out", changed(right, name, None))
    first = found[0] if found else None
    for role in ("slider", "link", "checkbox", "text"):
        yield Break(f"role: {role}", replace(right, role=role), right.role in (None, role) or first is not None)
    yield Break("class: of another platform", replace(right, class_name="XCUIElementTypeButton"))
    yield Break("class: another", replace(right, class_name="Zebra"))
    yield Break("id: another as well", replace(right, resource_id="zebra"))
    yield Break("nth: too many", replace(right, nth=7))
    yield Break("within: not there", replace(right, within=by(text="Zebra crossing")))
    yield Break("row: not there", replace(right, row_with=by(text="Zebra crossing")))
    if first is not None:
        for state in ("enabled", "checked", "selected"):
            value = getattr(first.states, state)
            yield Break(f"state: not {state}", changed(right, state, not value))
        if right.row_with is None and right.text is not None:
            yield Break("text: only its role", Selector(role=first.semantic_role))
    yield Break("scrolled away", happens="scroll_away")
    if first is not None:
        if isinstance(right.text, str):
            misspelt = replace(right, text=_exchanged(right.text))
            yield Break("scrolled away, and misspelt", misspelt, happens="scroll_away")
        yield Break("scrolled away, by its ref", happens="scroll_away", by_ref=True)
        yield Break("scrolled away, and back in part", happens="scroll_further_away")
    yield Break("another app in front", happens="open_other_app")
    yield Break("the home screen", happens="go_home")
    yield Break("the screen before", happens="go_back")
    yield Break("a dialog in front", happens="show_dialog")
