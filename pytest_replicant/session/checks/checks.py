"""``Checks``: every ``expect_*``. One base waits, recovers and explains; each check is one line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias, TypedDict, cast

from ...errors import ExpectationFailed, UsageError, did_you_mean
from ...model import (
    HasSelector,
    Recovery,
    Rect,
    Screen,
    Secret,
    Selector,
    SelectorKeywords,
)
from ...snapshots import Snapshot
from ..arguments import TargetLike, as_selector, checked_seconds, refuse_unmatchable
from ..by_picture import refuse_absence, source_of
from ..drawn import Source
from ..recording.trace import StepLog, traceback_of_test
from ..step import SessionView
from . import drawn, phone, presence, screens, states
from .accessibility import KIND, Ignored, NoFindings, wanted_of
from .check import Baseline, Check, held_before
from .custom import CustomCheck, custom_check
from .run import CheckRun

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

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


class Checks(SessionView):
    """The checks, shared by what an action returns and by the session itself.

    Each takes ``timeout`` in seconds (option ``replicant_expect_timeout``, default 5), waits until the
    check holds on two consecutive fresh reads, and returns self. Raises ``ExpectationFailed`` where it does not,
    and ``DeviceError`` where too little could be read to know. With ``stays``, seconds, a check of presence
    must hold for as long as that: for what an app shows at once and takes back.
    """

    def expect_screen(
        self, screen: str | re.Pattern[str] | Screen, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """The screen has this title, activity, or activity without "Activity"; or fits the ``Screen``."""
        return self._expect(screens.screen_is(self._known(screen)), timeout, stays)

    def expect_visible(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        stays: float = 0,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """At least one element matches; labels that are printed with their row count. A ref or an element is
        visible while it is still the element that was printed. With ``source="picture"``, and for an image, it is
        enough that two pictures in a row show it in one place, which the trace says."""
        wanted = self._target("expect_visible", target, by)
        if source_of("expect_visible", wanted, source, self._context) == "picture":
            return self._expect(drawn.drawn(cast("Selector", wanted)), timeout, stays)
        return self._expect(presence.visible(wanted), timeout, stays)

    def expect_gone(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """No element matches, through one whole window of successful reads (``replicant_stabilize``). A picture
        proves no absence: ``source="picture"`` is a ``UsageError``."""
        refuse_absence("expect_gone", source)
        return self._expect(presence.gone(self._target("expect_gone", target, by)), timeout)

    def expect_seen(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """It was on the screen at any read since the action was sent, and may be gone by now; platform toasts
        count. Takes a selector, since what comes and goes has no ref to hold on to."""
        return self._expect(presence.seen(self._target("expect_seen", target, by)), timeout)

    def expect_count(
        self,
        n: int,
        selector: Selector | HasSelector | None = None,
        /,
        *,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """Exactly ``n`` elements match what the selector says; none, through one whole window."""
        wanted = presence.checked_count(n)
        counted = self._context.as_recorded(as_selector("expect_count", selector, by, scope=self._scope))
        return self._expect(presence.count_is(wanted, counted), timeout, stays)

    def expect_state(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        stays: float = 0,
        tolerance: float | None = None,
        **wanted_states: Unpack[ElementStates],
    ) -> Self:
        """Each of ``text, value, checked, selected, focused, enabled, expanded`` that is given is reported and
        equal; ``tolerance`` goes with a number in ``value``. The acted element where no target is given. A state
        that the phone does not report is neither True nor False; on iOS, one of several is ``checked`` as it is
        selected. ``text`` is what a field holds, else the label. For one state there is a check of its own, such
        as ``expect_text``."""
        for name in wanted_states:
            if name not in ElementStates.__annotations__:
                names = list(ElementStates.__annotations__)
                meant = did_you_mean(name, names, form="{}=")
                raise UsageError(
                    f"expect_state() has no state {name!r}.{meant} It takes {', '.join(names)}."
                    " Name the element first: expect_state(by(resource_id=...), checked=True)"
                )
        wanted = self._checked("expect_state", target) if target is not None else None
        given = {name: self._known(value) for name, value in wanted_states.items() if value is not None}
        return self._expect(states.state_is("expect_state", wanted, given, tolerance), timeout, stays)

    def expect_text(
        self,
        target: TargetLike | None = None,
        /,
        *,
        expected: Text,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element shows this whole text: what a field holds, else the label. A compiled pattern is searched
        for. The acted element where no target is given."""
        return self._expect_one("expect_text", target, by, expected, timeout, stays)

    def expect_not_text(
        self,
        target: TargetLike | None = None,
        /,
        *,
        expected: Text,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and shows another text; where its text is masked, nothing is known of it."""
        return self._expect_one("expect_not_text", target, by, expected, timeout, stays)

    def expect_value(
        self,
        target: TargetLike | None = None,
        /,
        *,
        expected: Value,
        tolerance: float | None = None,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element reports this value: a number of its own unit, give or take ``tolerance``, or the text of a
        field."""
        return self._expect_one("expect_value", target, by, expected, timeout, stays, tolerance)

    def expect_not_value(
        self,
        target: TargetLike | None = None,
        /,
        *,
        expected: Value,
        tolerance: float | None = None,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and reports another value of the same type."""
        return self._expect_one("expect_not_value", target, by, expected, timeout, stays, tolerance)

    def expect_checked(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The switch, checkbox or radio button is checked, or not where ``expected`` is False."""
        return self._expect_one("expect_checked", target, by, expected, timeout, stays)

    def expect_not_checked(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and reported as not checked."""
        return self._expect_one("expect_not_checked", target, by, expected, timeout, stays)

    def expect_enabled(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is enabled, or disabled where ``expected`` is False."""
        return self._expect_one("expect_enabled", target, by, expected, timeout, stays)

    def expect_not_enabled(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and disabled."""
        return self._expect_one("expect_not_enabled", target, by, expected, timeout, stays)

    def expect_focused(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element has the focus, or not where ``expected`` is False."""
        return self._expect_one("expect_focused", target, by, expected, timeout, stays)

    def expect_not_focused(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and reported without the focus."""
        return self._expect_one("expect_not_focused", target, by, expected, timeout, stays)

    def expect_selected(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The tab, row or chip is selected, or not where ``expected`` is False."""
        return self._expect_one("expect_selected", target, by, expected, timeout, stays)

    def expect_not_selected(
        self,
        target: TargetLike | bool | None = None,
        /,
        *,
        expected: bool = True,
        timeout: float | None = None,
        stays: float = 0,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The element is there, and reported as not selected."""
        return self._expect_one("expect_not_selected", target, by, expected, timeout, stays)

    def expect(self, check: CustomCheck, *, timeout: float | None = None, stays: float = 0) -> Self:
        """A check of the test's own holds: one that ``@check`` made of a function of the screen."""
        return self._expect(custom_check(check, self._context), timeout, stays)

    def expect_outline(self, outline: str, *, timeout: float | None = None, stays: float = 0) -> Self:
        """The screen is what this outline says, as ``print(mobile.snapshot())`` shows one.

        Refs are ignored, and so may be left out, as may the first line. Indentation is hierarchy, and what all
        lines are indented by does not count. Class and label of a line are compared as they are; value, states and
        what follows them only where they are written. A line that is not written fails the check, unless a line of
        ``...`` at its place and depth stands for it, and for any number of others. The title of a dialog is such a
        line, ``Dialog "Delete?"``, not indented. A note below the lines, such as ``(keyboard open)``, counts where
        it is written.
        """
        return self._expect(screens.outline_is(outline), timeout, stays)

    def expect_looks_like(
        self,
        name: str,
        target: TargetLike | None = None,
        /,
        *,
        masks: Sequence[TargetLike | Rect] = (),
        tolerance: float = 0.0,
        timeout: float | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """The settled screen, or the one element, looks as it does on the picture that was kept under this name.

        Pictures are kept for each look of a phone (size, density, platform, language, dark mode), next to the test
        file: ``looks/<test file>/<name>/<look>.png``. ``--replicant-update=looks`` writes them. The system's bars
        and keyboard, clocks and ages, the caret, secrets and what never rests are not compared, nor are ``masks``:
        elements, or areas in pixels. ``tolerance`` is the share of the compared pixels that may differ. A picture
        without a baseline is *not compared*, and fails (``replicant_missing_look``).
        """
        from .looks import looks_like  # heavy, for pictures

        hidden = [one if isinstance(one, Rect) else self._checked("expect_looks_like", one) for one in masks]
        wanted = self._target("expect_looks_like", target, by) if target is not None or by else None
        return self._expect(looks_like(self._context, name, wanted, hidden, tolerance), timeout)

    def expect_app(
        self,
        status: Literal["foreground", "background", "stopped"],
        app: str | None = None,
        *,
        timeout: float | None = None,
        stays: float = 0,
    ) -> Self:
        """The app is in front ("foreground"), behind ("background"), or does not run ("stopped"): the one that the
        test is about, or launched last, where none is named."""
        return self._expect(phone.app_is(status, self._context.known_app("expect_app", app)), timeout, stays)

    def expect_log(
        self,
        pattern: str | re.Pattern[str],
        *,
        level: str | None = None,
        tag: str | None = None,
        app: str | None = None,
        timeout: float | None = None,
    ) -> Self:
        """The phone logged a line since the last action was sent, across restarts of the app.

        ``pattern`` is a part of the message, in its own letters, or a compiled expression that it is searched for.
        ``level`` is the least severe that counts, of V, D, I, W, E and F; ``tag`` is the whole tag; ``app`` leaves
        only what that app's processes wrote. Raises ``Unsupported`` where the log cannot be read.
        """
        return self._expect(phone.log_says(pattern, level=level, tag=tag, app=app), timeout)

    def expect_no_crash(self, app: str | None = None, *, timeout: float | None = None) -> Self:
        """No app of this test, or not this one, died or stopped answering since the last action was sent.

        Reads the log twice and waits for nothing else. Does not verify the action: what does not crash need not
        work. Raises ``Unsupported`` where crashes cannot be read. One at any other moment of the test is found at
        its end, without this.
        """
        meant = self._context.known_app("expect_no_crash", app) if app is not None else None
        return self._expect(phone.no_crash(meant), timeout)

    def expect_no_accessibility_findings(
        self,
        *,
        rules: Collection[str] | None = None,
        ignore: Ignored | Sequence[Ignored] = (),
        baseline: str | Path | None = None,
        timeout: float | None = None,
    ) -> Self:
        """No rule of accessibility that fails tests speaks against the screen; never that it is accessible.

        ``rules`` are the names of those to judge by, each of which fails then. ``ignore`` takes names of rules,
        elements, and pairs of both: ``["touch-target", by(text="Ad"), ("missing-label", by(class_name="Map"))]``.
        ``baseline`` is a JSON file, from the folder of the test file, of findings that are known;
        ``--replicant-update=accessibility`` writes it. What it observed names the rules that were not run. A
        screen that loads, or lies under a dialog of the system, is undecided. So is one on which a rule that
        ``rules`` names was not run, such as "apple-audit" on an iPhone before iOS 17. Does not verify the action.
        Raises ``UsageError`` for a rule that there is not, and for a baseline that is missing.
        """
        wanted = wanted_of(KIND, self._context, rules, ignore)
        check = NoFindings(self._context, wanted, baseline)
        self._expect(check.check(), timeout)
        check.keep()
        return self

    def _expect_one(
        self,
        kind: str,
        target: TargetLike | bool | None,
        by: SelectorKeywords,
        expected: object,
        timeout: float | None,
        stays: float,
        tolerance: float | None = None,
    ) -> Self:
        """One state of an element, which the name of the check says."""
        if isinstance(target, bool):  # of an outcome, whose element is known
            target, expected = None, target if not by else expected
        expected = self._known(expected)
        wanted = self._target(kind, target, by) if target is not None or by else None
        state, differs = kind.rpartition("_")[2], kind.startswith("expect_not_")
        check = states.state_is(kind, wanted, {state: expected}, tolerance, differs=differs)
        return self._expect(check, timeout, stays)

    def _known(self, value: Any) -> Any:
        """The expected value: of a secret, as the session compares it."""
        if isinstance(value, Secret):
            return self._context.known_secret(value)
        return self._context.tape.text(value) if isinstance(value, str) else value

    def _expect(self, check: Check, timeout: float | None, stays: float = 0) -> Self:
        """Awaits one check, recovers where it fails, and records how it ended."""
        self._context.refuse_while_asking(check.kind)
        self._check_usable(check.kind)
        refuse_unmatchable(check.kind, self._context.driver.info.platform, check.target, *check.absent)
        check = replace(check, stays=checked_seconds(check.kind, stays, 0.0, name="stays"))
        seconds = checked_seconds(check.kind, timeout, self._context.settings.expect_timeout)
        failure = CheckRun(self, check, seconds).failure()
        if failure is None:
            return self
        if not self._is_soft or not isinstance(failure, ExpectationFailed):
            raise failure
        self._context.recorder.soft_failures.append(failure.with_traceback(traceback_of_test()))
        return self

    # --- of the screen now; what an action returns is about that action ---------------------------------------

    def _check_usable(self, kind: str) -> None:
        """Raises ``UsageError`` where a newer action makes this check meaningless."""

    def _baseline(self) -> Baseline:
        return Baseline(self._context.recorder.latest)

    def _verifies(self, check: Check, seen: Snapshot | None) -> bool:
        """Whether a check that held proves that the action before it worked: not one that held before it."""
        acted_on = self._context.before_latest
        return held_before(self._context, check, Baseline(before=acted_on), seen) is not True

    def _why_not(self, again: Recovery) -> str:
        """Reason why the linked action must not be repeated, where ``again`` asks for that; "" if it may."""
        return "there is no action of this check to step back to" if again.strategy == "step_back" else ""

    def _step_back(self, log: StepLog) -> str:
        """Repeats the linked action. Returns the reason where that failed, else ""."""
        return "there is no action of this check to step back to"


class ScreenChecks(Checks):
    """The checks of the current screen, which need a target."""

    @property
    def soft(self) -> Self:
        """The same checks, collected instead of raised; the test fails at its end with all of them."""
        return self._view(scope=self._scope, soft=True)

    def expect_changed(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here that could have changed something."""
        raise UsageError("expect_changed() needs the outcome of an action: mobile.tap(...).expect_changed()")

    def expect_unchanged(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here to compare around."""
        raise UsageError("expect_unchanged() needs the outcome of an action: mobile.tap(...).expect_unchanged()")
