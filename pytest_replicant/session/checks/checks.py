"""``Checks``: every ``expect_*``. One base waits, recovers and explains; each check is one line."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from ...errors import UsageError, did_you_mean
from ...model import (
    HasSelector,
    Rect,
    Screen,
    Selector,
    SelectorKeywords,
)
from ..arguments import TargetLike, as_selector
from ..drawn import Source
from ..photos import refuse_absence, source_of
from . import elements, phone, screens
from .accessibility import KIND, Ignored, NoFindings, wanted_of
from .elements import ElementStates, OneState
from .run import CheckBase
from .screens import CustomCheck, custom_check

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack


class Checks(CheckBase):
    """The checks, shared by what an action returns and by the session itself.

    Each takes ``timeout`` in seconds (option ``replicant_expect_timeout``, default 5), waits until
    the check holds on two consecutive fresh reads, and returns self. Raises ``ExpectationFailed``
    if it does not, and ``DeviceError`` if too little could be read to know. With ``stays``,
    seconds, a check of presence must hold for as long as that: for what an app shows at once and
    takes back.
    """

    def expect_screen(
        self,
        screen: str | re.Pattern[str] | Screen,
        *,
        timeout: float | None = None,
        stays: float = 0,
    ) -> Self:
        """The screen has this title, activity, or activity without "Activity"; or fits the
        ``Screen``."""
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
        """At least one element matches; labels that are printed with their row count. A ref or an
        element is visible while it is still the element that was printed. With
        ``source="picture"``, and for an image, it is enough that two pictures in a row show it in
        one place, which the trace says."""
        wanted = self._target("expect_visible", target, by)
        if source_of("expect_visible", wanted, source, self._context) == "picture":
            return self._expect(elements.drawn(cast("Selector", wanted)), timeout, stays)
        return self._expect(elements.visible(wanted), timeout, stays)

    def expect_gone(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        source: Source | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """No element matches, through one whole window of successful reads
        (``replicant_stabilize``). A picture proves no absence: ``source="picture"`` is a
        ``UsageError``."""
        refuse_absence(source)
        return self._expect(elements.gone(self._target("expect_gone", target, by)), timeout)

    def expect_seen(
        self,
        target: TargetLike | None = None,
        /,
        *,
        timeout: float | None = None,
        **by: Unpack[SelectorKeywords],
    ) -> Self:
        """It was on the screen at any read since the action was sent, and may be gone by now;
        platform toasts count. Takes a selector, since what comes and goes has no ref to hold on
        to."""
        return self._expect(elements.seen(self._target("expect_seen", target, by)), timeout)

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
        wanted = elements.checked_count(n)
        counted = self._context.as_recorded(
            as_selector("expect_count", selector, by, scope=self._scope)
        )
        return self._expect(elements.count_is(wanted, counted), timeout, stays)

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
        """Each of ``text, value, checked, selected, focused, enabled, expanded`` that is given is
        reported and equal; ``tolerance`` goes with a number in ``value``. The acted element if no
        target is given. A state that the phone does not report is neither True nor False; on iOS,
        one of several is ``checked`` as it is selected. ``text`` is what a field holds, else the
        label; a compiled pattern is searched for. Outcomes and locators have a check for each
        state, such as ``expect_text``."""
        names = list(ElementStates.__annotations__)
        for name in wanted_states:
            if name not in names:
                meant = did_you_mean(name, names, form="{}=")
                raise UsageError(
                    f"expect_state() has no state {name!r}.{meant} It takes {', '.join(names)}."
                    " Name the element first: expect_state(by(resource_id=...), checked=True)"
                )
        wanted = self._checked("expect_state", target) if target is not None else None
        given = {
            name: self._known(value) for name, value in wanted_states.items() if value is not None
        }
        return self._expect(
            elements.state_is("expect_state", wanted, given, tolerance), timeout, stays
        )

    def expect(self, check: CustomCheck, *, timeout: float | None = None, stays: float = 0) -> Self:
        """A check of the test's own holds: one that ``@check`` made of a function of the screen."""
        return self._expect(custom_check(check, self._context), timeout, stays)

    def expect_outline(
        self, outline: str, *, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """The screen is what this outline says, as ``print(mobile.snapshot())`` shows one.

        Refs are ignored, and so may be left out, as may the first line. Indentation is hierarchy,
        and what all lines are indented by does not count. Class and label of a line are compared as
        they are; value, states and what follows them only if they are written. A line that is not
        written fails the check, unless a line of ``...`` at its place and depth stands for it, and
        for any number of others. The title of a dialog is such a line, ``Dialog "Delete?"``, not
        indented. A note below the lines, such as ``(keyboard open)``, counts if it is written.
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
        """The settled screen, or the one element, looks as it does on the picture that was kept
        under this name.

        Pictures are kept for each look of a phone (size, density, platform, language, dark mode),
        next to the test file: ``looks/<test file>/<name>/<look>.png``. ``--replicant-update=looks``
        writes them. The system's bars and keyboard, clocks and ages, the caret, secrets and what
        never rests are not compared, nor are ``masks``: elements, or areas in pixels. ``tolerance``
        is the share of the compared pixels that may differ. A picture without a baseline is *not
        compared*, and fails (``replicant_missing_look``).
        """
        from .looks import looks_like  # heavy, for pictures

        if not isinstance(masks, (list, tuple)):
            raise UsageError(
                f"expect_looks_like(masks={masks!r}): elements and areas, in a list",
                advice=f"expect_looks_like({name!r}, masks=[by(text=...)])",
            )
        hidden = [
            one if isinstance(one, Rect) else self._checked("expect_looks_like", one)
            for one in masks
        ]
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
        """The app is in front ("foreground"), behind ("background"), or does not run ("stopped"):
        the one that the test is about, or launched last, if none is named."""
        return self._expect(
            phone.app_is(status, self._context.known_app("expect_app", app)), timeout, stays
        )

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

        ``pattern`` is a part of the message, in its own letters, or a compiled expression that it
        is searched for. ``level`` is the least severe that counts, of V, D, I, W, E and F; ``tag``
        is the whole tag; ``app`` leaves only what that app's processes wrote. Raises
        ``Unsupported`` if the log cannot be read.
        """
        return self._expect(phone.log_says(pattern, level=level, tag=tag, app=app), timeout)

    def expect_no_crash(self, app: str | None = None, *, timeout: float | None = None) -> Self:
        """No app of this test, or not this one, died or stopped answering since the last action was
        sent.

        Reads the log twice and waits for nothing else. Does not verify the action. Raises
        ``Unsupported`` if crashes cannot be read. One at any other moment of the test is found at
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
        """No rule of accessibility that fails tests speaks against the screen; never that it is
        accessible.

        ``rules`` are the names of those to judge by, each of which fails then. ``ignore`` takes
        names of rules, elements, and pairs of both: ``["touch-target", by(text="Ad"),
        ("missing-label", by(class_name="Map"))]``. ``baseline`` is a JSON file, from the folder of
        the test file, of findings that are known; ``--replicant-update=accessibility`` writes it.
        What it observed names the rules that were not run. A screen that loads, or lies under a
        dialog of the system, is undecided. So is one on which a rule that ``rules`` names was not
        run, such as "apple-audit" on an iPhone before iOS 17. Does not verify the action. Raises
        ``UsageError`` for a rule that there is not, and for a baseline that is missing.
        """
        wanted = wanted_of(KIND, self._context, rules, ignore)
        check = NoFindings(self._context, wanted, baseline)
        self._expect(check.check(), timeout)
        check.keep()
        return self


class ScreenChecks(Checks):
    """The checks of the current screen, which need a target."""

    @property
    def soft(self) -> Self:
        """The same checks, collected instead of raised; the test fails at its end with all of
        them."""
        return self._view(scope=self._scope, soft=True)

    def expect_changed(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here that could have changed something."""
        raise UsageError(
            "expect_changed() needs the outcome of an action: mobile.tap(...).expect_changed()"
        )

    def expect_unchanged(self, **_: Any) -> NoReturn:
        """Not on a session: there is no action here to compare around."""
        raise UsageError(
            "expect_unchanged() needs the outcome of an action: mobile.tap(...).expect_unchanged()"
        )


class LocatorChecks(OneState):
    """The session's checks of a target, of the element that ``selector`` describes."""

    _verbs: ScreenChecks
    selector: Selector

    def expect_visible(
        self, *, timeout: float | None = None, stays: float = 0, source: Source | None = None
    ) -> Self:
        """At least one is on the screen; with ``source="picture"``, in two pictures that agree."""
        self._verbs.expect_visible(self.selector, timeout=timeout, stays=stays, source=source)
        return self

    def expect_gone(self, *, timeout: float | None = None) -> Self:
        """None is there, through one whole window."""
        self._verbs.expect_gone(self.selector, timeout=timeout)
        return self

    def expect_seen(self, *, timeout: float | None = None) -> Self:
        """It was there since the last action was sent."""
        self._verbs.expect_seen(self.selector, timeout=timeout)
        return self

    def expect_count(self, n: int, *, timeout: float | None = None, stays: float = 0) -> Self:
        """Exactly ``n`` are there."""
        self._verbs.expect_count(n, self.selector, timeout=timeout, stays=stays)
        return self

    def expect_state(
        self,
        *,
        timeout: float | None = None,
        stays: float = 0,
        tolerance: float | None = None,
        **wanted_states: Unpack[ElementStates],
    ) -> Self:
        """Each of the states that are given is reported and equal."""
        self._verbs.expect_state(
            self.selector, timeout=timeout, stays=stays, tolerance=tolerance, **wanted_states
        )
        return self

    def expect_looks_like(
        self,
        name: str,
        *,
        masks: Sequence[TargetLike | Rect] = (),
        tolerance: float = 0.0,
        timeout: float | None = None,
    ) -> Self:
        """It looks as it does on the picture that was kept under this name."""
        self._verbs.expect_looks_like(
            name, self.selector, masks=masks, tolerance=tolerance, timeout=timeout
        )
        return self

    def _check_state(
        self,
        kind: str,
        expected: object,
        timeout: float | None,
        stays: float,
        tolerance: float | None = None,
    ) -> Self:
        self._verbs._check_state(kind, expected, timeout, stays, tolerance, self.selector)
        return self
