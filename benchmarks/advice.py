"""The judge of advice: where does a test end that follows ``Next:``?

The right calls are those of the example tests and of the lab. Each is broken in every way that applies, so that
the judge knows the element that was meant. The advice of the failure is read as Python, and applied on the
virtual phone. It is wrong where it leads to another element, does not parse, or raises; a search that ends in vain
lost nothing.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pytest_replicant import (
    ActionFailed,
    Element,
    ExpectationFailed,
    ReplicantError,
    Selector,
    TargetError,
    UsageError,
    by,
)
from pytest_replicant.model import SELECTOR_KEYWORDS
from pytest_replicant.session import DeviceSession, Expectation
from pytest_replicant.session.locator import Locator
from tests.lab.lab_phone import LabPhone, lab_phone

from .broken_calls import Break, Call, breaks, changed
from .table import Table

Verdict = Literal["leads there", "a choice with it", "a choice without it", "harmless", "no advice", "wrong"]
VERDICTS: tuple[Verdict, ...] = (
    "leads there", "a choice with it", "a choice without it", "harmless", "no advice", "wrong"
)  # fmt: skip
COMMAND = "python -m benchmarks advice"
_NOTE = """*Leads there*: the advice, applied, finds the element that was meant. *A choice*: the failure is
ambiguous, and the advice names a keyword for each candidate and picks none; the meant one may be out of sight.
*Harmless*: a search or a wait that ends in vain. *Wrong*: another element, or it does not parse, or it raises.
Every second exhibit of the lab is kept for the test: nothing was tuned on it."""
ROOT = Path(__file__).parents[1]
QUICK: dict[str, Any] = {
    "action_timeout": 0.6, "expect_timeout": 0.6, "window": 0.2, "interval": 0.05, "quiet": 0.1, "read_on": 0.0,
    "screenshots": False, "recover": None,
}  # fmt: skip
_ELSEWHERE = {"dev.replicant.shop": "dev.replicant.lab", "dev.replicant.lab": "dev.replicant.shop"}


# --- reading advice ----------------------------------------------------------------------------------------------

_NEXT = re.compile(r"^Next: (.*)$", re.MULTILINE)
_START = re.compile(r"(?<![\w.=\"'])([a-z_]+)(\(|=(?=[^=\s.,;]))")
_STEP_KEYWORDS = frozenset({"direction", "container", "max_swipes"})


@dataclass(frozen=True)
class Piece:
    """Code in an advice: a whole call, or one keyword of the call that failed. Its values are source."""

    source: str
    verb: str = ""
    keyword: str = ""


def pieces(advice: str) -> list[Piece]:
    """The code in a line of advice. Raises ``SyntaxError`` for a call that does not parse."""
    found: list[Piece] = []
    at = 0
    while (start := _START.search(advice, at)) is not None:
        name, is_call = start[1], start[2] == "("
        at = start.end()
        if is_call and not callable(getattr(DeviceSession, name, None)):
            continue
        if not is_call and name not in SELECTOR_KEYWORDS | _STEP_KEYWORDS:
            continue
        source = _balanced(advice, start.start() if is_call else start.end())
        ast.parse(source, mode="eval")
        end = advice.index(source, start.start()) + len(source)
        if not advice.startswith(" if any will do", end):
            found.append(Piece(source, verb=name) if is_call else Piece(source, keyword=name))
        at = end
    return found


def _balanced(text: str, start: int) -> str:
    """The shortest Python expression from there that is a call, a list, or a plain value."""
    for end in range(start + 1, len(text) + 1):
        source = text[start:end]
        if source[-1] not in "\"')]" and re.match(r"[\w(.]", text[end:]):
            continue
        with suppress(SyntaxError, ValueError):
            body = ast.parse(source, mode="eval").body
            if not isinstance(body, ast.Name):
                return source
    raise SyntaxError(f"no Python: {text[start:]!r}")


# --- one trial ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    call: str
    broken: str
    verdict: Verdict
    advice: str
    why: str = ""


_ELSEWHERE_IT_LEADS = "it leads to"


class Trial:
    """One right call, on a phone that stands where the test makes it."""

    def __init__(self, phone: LabPhone, mobile: DeviceSession, call: Call) -> None:
        self.phone = phone
        self.mobile = mobile
        self.call = call
        self.changed = False  # the phone is no longer as it was
        self.found = self._found(call.selector)

    def _found(self, selector: Selector) -> list[Element]:
        with suppress(TargetError):
            self.mobile.wait_for_any(it=selector, timeout=1)
        snapshot = self.mobile.snapshot()
        is_check = self.call.verb.startswith("expect_")
        return snapshot.match_labels(selector) if is_check else snapshot.every(selector)

    def judge(self, broken: Break) -> Judgement | None:
        """None where the call did not fail."""
        if broken.happens:
            self.changed = True
            if not getattr(self, broken.happens)():
                return None
        ref = self.found[0].ref if broken.by_ref else ""
        wrong = replace(self.call, selector=broken.selector or self.call.selector, ref=ref)
        if broken.verb:
            wrong = Call(self.mobile, broken.verb, wrong.selector)
        if wrong == self.call and not broken.happens:
            return None
        try:
            wrong.again()
        except (ActionFailed, ExpectationFailed, TargetError) as error:
            message = str(error)
        except (ReplicantError, UsageError):
            return None  # refused at once, or the phone's trouble
        else:
            self.changed = True
            return None
        advice = " / ".join(_NEXT.findall(message))
        verdict, why = self.verdict(wrong, advice, broken, ambiguous=message.startswith("AMBIGUOUS"))
        return Judgement(str(wrong), broken.name, verdict, advice, why)

    def verdict(self, wrong: Call, advice: str, broken: Break, *, ambiguous: bool) -> tuple[Verdict, str]:
        try:
            code = pieces(advice)
        except SyntaxError as error:
            return "wrong", str(error)
        if not code:
            return "no advice", ""
        ends = [self._applied(piece, advice, wrong, broken) for piece in code]
        bad = [why for verdict, why in ends if verdict == "wrong"]
        good = [why for verdict, why in ends if verdict == "leads there"]
        raised = [why for why in bad if not why.startswith(_ELSEWHERE_IT_LEADS)]
        if raised or (bad and not ambiguous):
            return "wrong", (raised or bad)[0]
        if not ambiguous:
            return ("leads there", "") if good else ends[0]
        return ("a choice with it", "") if good else ("a choice without it", bad[0] if bad else "")

    def _applied(self, piece: Piece, advice: str, wrong: Call, broken: Break) -> tuple[Verdict, str]:
        names = {"by": by, "re": re}
        try:
            if piece.verb:
                self.changed = self.changed or piece.verb not in ("find", "wait_for", "snapshot", "changes")
                on = wrong.on if piece.verb.startswith("expect_") else self.mobile
                eval(f"it.{piece.source}", {**names, "it": on})
                if piece.verb == "expect_seen":
                    return ("leads there", "") if broken.meant else ("wrong", "it was seen")
                selector = wrong.selector
            elif piece.keyword in _STEP_KEYWORDS:
                self.changed = True
                wrong.again(**{piece.keyword: eval(piece.source, names)})
                selector = wrong.selector
            else:
                selector = changed(wrong.selector, piece.keyword, eval(piece.source, names))
                for name in {*re.findall(r" in place of (\w+)=", advice)} - {piece.keyword}:
                    selector = changed(selector, name, None)
        except (TargetError, ActionFailed, ExpectationFailed):
            return "harmless", "in vain"
        except Exception as error:
            return "wrong", f"{type(error).__name__}: {error}"
        return self._led_to(selector, wrong.ref, broken)

    def _led_to(self, selector: Selector, ref: str, broken: Break) -> tuple[Verdict, str]:
        """Where the call ends with this selector."""
        snapshot = self.mobile.snapshot()
        is_check = self.call.verb.startswith("expect_")
        found = snapshot.match_labels(selector) if is_check else snapshot.every(selector)
        if ref:
            found = [one for one in snapshot.elements if one.ref == ref]
        if not found or (len(found) > 1 and not is_check):
            return "harmless", "it finds none" if not found else "it finds several"
        right = (
            [snapshot.locate(one).element for one in self.found]
            if self.found
            else snapshot.every(self.call.selector)
        )
        if broken.meant and any(one in right for one in found):
            return "leads there", ""
        return "wrong", f"{_ELSEWHERE_IT_LEADS} {found[0].describe()}"

    # --- what happens to the phone ---

    def scroll_away(self, further: int = 0) -> bool:
        """Whether the target could be scrolled out of view, ``further`` screens on, and half of that back."""
        mobile, wanted = self.mobile, self.call.selector
        ways: tuple[Literal["down", "up"], ...] = ("down", "up")
        for way, back in zip(ways, reversed(ways), strict=True):
            with suppress(ReplicantError):
                for _ in range(4):
                    mobile.scroll(way)
                    if not mobile.find_all(wanted):
                        break
                else:
                    continue
                for on in [way] * further + [back] * (further // 2):
                    mobile.scroll(on)
                return not mobile.find_all(wanted)
        return False

    def scroll_further_away(self) -> bool:
        return self.scroll_away(2)

    def open_other_app(self) -> bool:
        app = self.mobile.current_app.app
        return self._went(lambda: self.mobile.launch(_ELSEWHERE.get(app, "dev.replicant.shop")))

    def go_home(self) -> bool:
        return self._went(self.mobile.home)

    def go_back(self) -> bool:
        return self._went(self.mobile.back)

    def show_dialog(self) -> bool:
        return self._went(lambda: self.phone.phone.show_system_dialog("Battery low", "15% remaining"))

    def _went(self, go: Callable[[], object]) -> bool:
        with suppress(ReplicantError):
            go()
            self.phone.clock.sleep(1.0)  # what was read before no longer counts
            self.mobile.snapshot()
            return True
        return False


# --- playing tests -----------------------------------------------------------------------------------------------


class _Stop(BaseException):
    """The call that is judged was reached, and judged."""


_VERBS = frozenset({
    "tap", "fill", "select", "adjust", "long_press", "double_tap", "clear_text", "scroll_to", "find", "wait_for",
    "expect_visible", "expect_state", "expect_text", "expect_value", "expect_checked", "expect_enabled", "drag",
})  # fmt: skip
Play = Callable[["Played"], object]


class Played:
    """A session or an outcome, whose call number ``at`` is given to ``judge`` in place of being made."""

    def __init__(self, thing: Any, tape: _Tape) -> None:
        self._thing, self._tape = thing, tape

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._thing, name)
        if isinstance(value, PLAYED):
            return Played(value, self._tape)
        if not callable(value) or name not in _VERBS | _OTHERS:
            return value

        def call(*args: Any, **keywords: Any) -> Any:
            args = tuple(_bare(one) for one in args)
            keywords = {key: _bare(one) for key, one in keywords.items()}
            self._tape.note(self._thing, name, args, keywords)
            got = value(*args, **keywords)
            return Played(got, self._tape) if isinstance(got, PLAYED) else got

        return call


def _bare(value: object) -> Any:
    return value._thing if isinstance(value, Played) else value


PLAYED = (DeviceSession, Expectation, Locator)
_OTHERS = frozenset(name for kind in PLAYED for name, value in inspect.getmembers(kind) if callable(value))


@dataclass
class _Tape:
    """Counts the calls with a selector."""

    at: int
    judge: Callable[[Call], None]
    count: int = 0

    def note(self, on: Any, verb: str, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
        if verb not in _VERBS:
            return
        rest = {name: value for name, value in keywords.items() if name not in SELECTOR_KEYWORDS}
        given = {name: value for name, value in keywords.items() if name in SELECTOR_KEYWORDS}
        own = on.selector if isinstance(on, Locator) else None
        first = getattr(args[0], "selector", args[0]) if args and own is None else None
        if not isinstance(first, Selector):
            first = None
        selector = own or first or (by(**given) if given else None)
        if selector is None:
            return
        call = Call(on, verb, selector, args[1:] if first is not None else args, rest)
        if self.count == self.at:
            self.judge(call)
            raise _Stop
        self.count += 1


def judged(phone: LabPhone, play: Play, *, most: int = 10_000) -> list[Judgement]:
    """All the judgements about the first ``most`` calls of one test."""
    found: list[Judgement] = []
    for at in range(most):
        left: list[Break] | None = None
        while left is None or left:
            left, reached = _round(phone, play, at, left, found)
            if not reached:
                return found
    return found


def _round(
    phone: LabPhone, play: Play, at: int, left: list[Break] | None, found: list[Judgement]
) -> tuple[list[Break], bool]:
    """Plays the test up to that call, and tries what is left, until something has changed the phone. Returns what
    is left then, and whether the call was reached."""
    remaining: list[Break] = [] if left is None else list(left)

    with phone.session(**QUICK) as mobile:

        def judge(call: Call) -> None:
            trial = Trial(phone, mobile, call)
            if left is None:
                applicable = trial.found or call.verb == "scroll_to"
                remaining.extend([*breaks(call.selector, trial.found), *_of_before(trial)] if applicable else ())
            while remaining and not trial.changed:
                judgement = trial.judge(remaining.pop(0))
                found.extend([judgement] if judgement is not None else [])

        phone.reset()
        tape = _Tape(at, judge)
        try:
            play(Played(mobile, tape))
        except _Stop:
            return remaining, True
        except Exception:
            return [], False  # without recovery, or with such short time-outs, some tests end here
    return [], False


def _of_before(trial: Trial) -> Iterator[Break]:
    """Labels of the screen before the action, which a check must not be advised to have seen."""
    on = trial.call.on
    before = on.before if isinstance(on, Expectation) and "scroll" not in on.result.action_type else None
    if before is not None:
        shown = {one.label for one in trial.mobile.snapshot().elements}
        gone = [one.label for one in before.elements if one.label and one.label not in shown]
        for label in gone[:2]:
            yield Break("text: of the screen before", Selector(text=label), meant=False)


def examples() -> dict[str, Play]:
    """The example tests of one phone, by name."""
    conftest = importlib.import_module("example_app_tests.conftest")
    found: dict[str, Play] = {}
    for path in sorted((ROOT / "example_app_tests").glob("test_0[1-5]*.py")):
        module = importlib.import_module(f"example_app_tests.{path.stem}")
        for name, test in inspect.getmembers(module, inspect.isfunction):
            if name.startswith("test_"):
                found[name] = _with_fixtures(test, {**vars(conftest), **vars(module)})
    signed_in = _with_fixtures(inspect.unwrap(conftest.signed_in), vars(conftest))
    found["rows"] = lambda mobile: [signed_in(mobile), *(_add(mobile, name) for name in ROWS)]
    return found


ROWS = ("Blue mug", "Red mug", "Oak tray", "Linen cushion", "House plant", "Pillar candle")
"""Of the catalogue, two of them further down."""


def _add(mobile: Played, name: str) -> object:
    mobile.scroll_to(text=name)
    return mobile.tap(text="Add", row_with=by(text=name))


def _with_fixtures(test: Callable[..., object], fixtures: Mapping[str, Any]) -> Play:
    def play(mobile: Played) -> object:
        needed = [name for name in inspect.signature(test).parameters if name != "mobile"]
        given = {name: _with_fixtures(inspect.unwrap(fixtures[name]), fixtures)(mobile) for name in needed}
        return test(**({"mobile": mobile} if "mobile" in inspect.signature(test).parameters else {}), **given)

    return play


def lab_tests(half: Literal["tune", "test"]) -> dict[str, Play]:
    """What the lab's tests and walks do at every second exhibit, by name."""
    from pytest_replicant.virtual.demo_apps.lab.exhibits import EXHIBITS
    from tests.lab.stations import STATIONS

    slugs = [exhibit.slug for family in EXHIBITS.values() for exhibit in family]
    mine = set(slugs[0 if half == "tune" else 1 :: 2])
    found: dict[str, Play] = {}
    for station in STATIONS:
        if station.link.partition("?")[0] in mine:
            found[f"lab://{station.link}"] = _walk(station.link, station.acts)
    return found


def _walk(link: str, acts: Sequence[Any]) -> Play:
    def play(mobile: Played) -> None:
        mobile.open_url(f"lab://{link}", "dev.replicant.lab")
        for act in acts:
            act.do(mobile)

    return play


# --- the figures -------------------------------------------------------------------------------------------------


def judgements(plays: Mapping[str, Play], platform: Literal["android", "ios"] = "android") -> list[Judgement]:
    with lab_phone(platform, apps=("dev.replicant.shop",)) as phone:
        return [one for play in plays.values() for one in judged(phone, play)]


SETS: Mapping[str, Callable[[], list[Judgement]]] = {
    "example tests": lambda: judgements(examples()),
    "example tests, iPhone": lambda: judgements(examples(), "ios"),
    "lab, the half for tuning": lambda: judgements(lab_tests("tune")),
    "lab, the half for the test": lambda: judgements(lab_tests("test")),
}


def measure() -> Table:
    counted = {name: _counts(make()) for name, make in SETS.items()}
    rows = tuple((name, sum(counts), *counts) for name, counts in counted.items())
    columns = ("set", "failures", *VERDICTS)
    return Table("advice", "Advice that is followed", COMMAND, columns, rows, _NOTE)


def _counts(found: Sequence[Judgement]) -> list[int]:
    counts = Counter(one.verdict for one in found)
    return [counts[verdict] for verdict in VERDICTS]


def _by_break(found: Sequence[Judgement]) -> dict[str, Counter[str]]:
    table: dict[str, Counter[str]] = {}
    for one in found:
        table.setdefault(one.broken, Counter())[one.verdict] += 1
    return table


def alone(options: list[str]) -> list[Table]:
    """``--list VERDICT...`` prints each such judgement of the sets for tuning."""
    which = options[1:] or ["wrong"]
    found = judgements({**examples(), **lab_tests("tune")})
    for broken, counts in sorted(_by_break(found).items()):
        print(f"{broken:40} {dict(counts)}")
    for one in found:
        if one.verdict in which:
            print(f"{one.verdict}: {one.broken}: {one.call}\n    {one.advice}\n    {one.why}")
    rows = (("for tuning", len(found), *_counts(found)),)
    return [Table("advice-tuning", "Advice that is followed", COMMAND, ("set", "failures", *VERDICTS), rows)]
