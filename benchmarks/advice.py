"""The judge of advice: where does a test end that pastes what a failure proposes?

A hundred reds are planted on screens of apps that the advice was not tuned on, on Android and an
iPhone: right calls, with a slip of the keyboard, other words, another value, or without what says
which one is meant; and right calls under a dialog, on another screen, after an answer of 500. So
the judge knows the element that was meant. What the failure proposes is pasted, on the virtual
phone. It is wrong if it finds another element, several, or raises.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from pytest_replicant import (
    ActionFailed,
    Element,
    ExpectationFailed,
    ReplicantError,
    Selector,
    TargetError,
    by,
)
from pytest_replicant.model import MOST_ADVICE, Advice, Failure, Proposals
from pytest_replicant.session import DeviceSession
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual.demo_apps.lab.exhibits import all_exhibits
from tests.lab.lab_phone import LabPhone, lab_phone

from .table import Table

COMMAND = "python -m benchmarks advice"
NUMBERS = {
    "typo": 22, "reworded": 18, "other value": 12, "two candidates": 16, "dialog": 12,
    "wrong screen": 12, "500": 8,
}  # fmt: skip
QUICK: dict[str, Any] = {
    "action_timeout": 0.6, "expect_timeout": 0.6, "window": 0.2, "interval": 0.05, "quiet": 0.1,
    "read_on": 0.0, "screenshots": False, "recover": None,
}  # fmt: skip
LAB, SHOP = "dev.replicant.lab", "dev.replicant.shop"
Verdict = Literal["wrong", "proposed", "none"]
VERDICTS: tuple[Verdict, ...] = ("wrong", "proposed", "none")
_NOTE = """Each of the 100 reds was planted on a screen of every second exhibit of the lab, two
in three on Android. The advice was tuned on other apps and the other exhibits. *Proposed*: what was pasted
finds the element that was meant, or of several that fit one each. If no call helps, the advice names the cause:
the value shown, the screen, the answer of the server. *Wrong*: it finds another one, or several, or raises.
*Nearest first*: the first of the nearest elements is the one that was meant, or none if that is not to be seen."""


@dataclass(frozen=True)
class Red:
    """A call that fails. ``right`` finds the element that it was written for,
    which has that ``label``.
    ``says``: words of which advice without code needs one."""

    kind: str
    verb: str
    args: tuple[Any, ...]
    right: Selector
    wrong: Selector
    label: str = ""
    says: tuple[str, ...] = ()

    def call(self, mobile: DeviceSession, selector: Selector) -> object:
        if self.kind == "500":
            return mobile.tap(text="Load").expect_visible(selector, timeout=2)
        return getattr(mobile, self.verb)(selector, *self.args)


@dataclass(frozen=True)
class Judgement:
    red: Red
    verdict: Verdict
    nearest: bool


# --- planting -------------------------------------------------------------------------------------


def _exchanged(text: str) -> str:
    """Two letters inside the longest word are exchanged."""
    word = max(re.findall(r"[^\W\d_]+", text), key=len, default="")
    at = next((at for at in range(1, len(word) - 1) if word[at] != word[at + 1]), 0)
    if len(word) < 5 or not at:
        return text
    return text.replace(word, f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}", 1)


def _reworded(text: str) -> str:
    first, _, rest = text.partition(" ")
    return f"Choose {rest}" if rest else f"{first} now"


def _counted_on(text: str) -> str:
    return re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text, count=1)


_RESPELT: Mapping[str, Callable[[str], str]] = {
    "typo": _exchanged, "reworded": _reworded, "other value": _counted_on
}  # fmt: skip


def _verb(element: Element) -> tuple[str, tuple[Any, ...]]:
    """The call that a test makes on such an element."""
    if element.states.editable:
        return "fill", ("Ada",)
    if element.semantic_role in ("slider", "stepper") and isinstance(element.value, (int, float)):
        return "adjust", (element.value,)
    if element.semantic_role == "dropdown":
        return "select", (str(element.value),)
    if element.states.checked is not None:
        return "expect_checked", ()
    return ("tap" if element.node.clickable else "expect_visible"), ()


def _right(snapshot: Snapshot, element: Element) -> Selector | None:
    """The selector that a test has for it: by its label, in its row where others have that too."""
    label, row = element.label, element.row_title
    ways = [by(text=label)] if label else []
    ways += [by(text=label, row_with=row)] if label and row else []
    return next((one for one in ways if snapshot.every(one) == [element]), None)


def _of_label(snapshot: Snapshot, kind: str, element: Element, right: Selector) -> Selector | None:
    """The wrong selector; None where there is none of that kind."""
    if kind == "two candidates":
        ways = [replace(right, row_with=None), by(role=element.semantic_role)]
        return next((one for one in ways if 2 <= len(snapshot.every(one)) <= 8), None)
    if kind not in _RESPELT:
        return right
    wrong = replace(right, text=_RESPELT[kind](element.label))
    return wrong if wrong != right else None


def reds(snapshot: Snapshot, kind: str) -> Iterator[Red]:
    """Every red of that kind that this screen has a place for."""
    for element in snapshot.elements:
        right = _right(snapshot, element)
        wrong = _of_label(snapshot, kind, element, right) if right is not None else None
        if right is not None and wrong is not None:
            named = (element.label,)
            says = {"other value": named, "reworded": named, "wrong screen": (snapshot.screen,)}
            yield Red(kind, *_verb(element), right, wrong, element.label, says.get(kind, ()))


# --- judging --------------------------------------------------------------------------------------


def proposals_of(error: ActionFailed | ExpectationFailed | TargetError) -> Proposals:
    """What the failure shows as its advice: values, calls and locators apart from sentences."""
    parts = error.parts
    if not isinstance(parts, Failure):
        return ()
    decides = parts.undecided.more.advice if parts.undecided is not None else ()
    return (*parts.advice, *decides)[:MOST_ADVICE]


def _pasted(mobile: DeviceSession, red: Red, advice: Advice, among: Sequence[Element]) -> Verdict:
    """Where the test ends that pastes it. Of several that fit, each is right to be proposed."""
    names = {"by": by, "re": re}
    try:
        if advice.locator is None:
            eval(f"mobile.{advice.call}", {**names, "mobile": mobile})
            mobile.wait_for_any(it=red.right, timeout=10)
            return "proposed"
        keywords = {**dict(red.wrong.given()), **eval(f"dict({advice.locator})", names)}
        found = mobile.snapshot().match_labels(by(**keywords))
    except (ActionFailed, ExpectationFailed, TargetError):
        return "none"  # a search in vain
    except Exception:
        return "wrong"
    if not found:  # gone by now
        return "none"
    return "proposed" if len(found) == 1 and found[0] in among else "wrong"


def judge(mobile: DeviceSession, red: Red) -> Judgement | None:
    """None if the call did not fail: it is no red then."""
    try:
        red.call(mobile, red.wrong)
    except (ActionFailed, ExpectationFailed, TargetError) as failed:
        error = failed
    else:
        return None
    snapshot = mobile.snapshot()
    several = str(error).startswith("AMBIGUOUS")
    among = snapshot.match_labels(red.wrong if several else red.right)
    near = [one.label for one in error.failure.candidates] if error.failure is not None else []
    wanted = [red.label] if among else []
    nearest = set(wanted) <= set(near) if several else near[:1] == wanted
    nearest = nearest or (red.kind == "dialog" and near[:1] == [red.label])  # known, and under it
    advice = proposals_of(error)
    verdicts = {_pasted(mobile, red, one, among) for one in advice if isinstance(one, Advice)}
    if any(word in str(one) for word in red.says for one in advice):
        verdicts.add("proposed")
    verdict: Verdict = next((one for one in VERDICTS if one in verdicts), "none")
    return Judgement(red, verdict, nearest)


# --- the apps -------------------------------------------------------------------------------------

Way = Callable[[DeviceSession], object]


def _exhibit(slug: str) -> Way:
    def go(mobile: DeviceSession) -> None:
        mobile.open_url(f"lab://{slug}", LAB)

    return go


TEST: tuple[Way, ...] = tuple(_exhibit(one.slug) for one in [*all_exhibits()][1::2])


def _happens(phone: LabPhone, mobile: DeviceSession, red: Red, at: int) -> None:
    """What the red needs to fail beyond its selector."""
    if red.kind == "dialog":
        phone.phone.show_system_dialog("Battery low", "15% remaining")
    elif red.kind == "wrong screen":
        mobile.home() if at % 2 else mobile.launch(SHOP)
    phone.clock.sleep(1.0)  # what was read before no longer counts
    mobile.snapshot()


_ANSWER = by(text="Two parcels are on their way")


def _one_red(
    phone: LabPhone, mobile: DeviceSession, way: Way, kind: str, at: int
) -> Judgement | None:
    """None where this screen has no place for a red of that kind."""
    if kind == "500":
        _exhibit(("failing-backend", "silent-backend")[at % 2])(mobile)
        return judge(mobile, Red(kind, "", (), _ANSWER, _ANSWER, says=("500",)))
    way(mobile)
    fit = list(reds(mobile.snapshot(), kind))
    if not fit:
        return None
    red = fit[at % len(fit)]
    _happens(phone, mobile, red, at)
    return judge(mobile, red)


_MOST_TURNS = 1000


def planted(ways: Sequence[Way], numbers: Mapping[str, int] = NUMBERS) -> list[Judgement]:
    """So many reds of each kind, in turn on every screen and on both platforms."""
    found: list[Judgement] = []
    left = Counter(numbers)
    with lab_phone(apps=[SHOP]) as android, lab_phone("ios", apps=[SHOP]) as iphone:
        for at in range(_MOST_TURNS):
            kinds = [kind for kind in numbers if left[kind] > 0]
            if not kinds:
                break
            kind, way = kinds[at % len(kinds)], ways[at % len(ways)]
            phone = android if kind == "500" or at % 3 else iphone  # an iPhone has no log
            phone.reset()
            phone.phone.clear_app(SHOP)
            with (
                phone.session(**QUICK) as mobile,
                suppress(ReplicantError),
            ):  # of a screen that cannot be read
                judgement = _one_red(phone, mobile, way, kind, at)
                found += [judgement] if judgement is not None else []
                left[kind] -= judgement is not None
    return found


# --- the figures ----------------------------------------------------------------------------------


def _row(name: str, found: Sequence[Judgement]) -> tuple[Any, ...]:
    counts = Counter(one.verdict for one in found)
    return (name, len(found), *(counts[one] for one in VERDICTS), sum(one.nearest for one in found))


def _table(found: Sequence[Judgement]) -> Table:
    kinds = {kind: [one for one in found if one.red.kind == kind] for kind in NUMBERS}
    rows = [*(_row(kind, each) for kind, each in kinds.items()), _row("all", found)]
    columns = ("reds", "planted", *VERDICTS, "nearest first")
    return Table("advice", "Advice that is pasted", COMMAND, columns, tuple(rows), _NOTE)


def measure() -> Table:
    return _table(planted(TEST))
