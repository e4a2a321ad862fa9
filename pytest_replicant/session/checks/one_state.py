"""Checks of one state of one element, as locators and outcomes have them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias, TypedDict

from ...model import PublicMethods, Secret

if TYPE_CHECKING:
    from typing_extensions import Self

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
    """The checks of one state of one element: a locator's, or the one that an action was about. ``expect_state``
    checks several at once, and those of any other element. Each takes ``timeout`` and ``stays`` in seconds."""

    def _check_state(
        self, kind: str, expected: object, timeout: float | None, stays: float, tolerance: float | None = None
    ) -> Self:
        raise NotImplementedError

    def expect_text(self, expected: Text, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It shows this whole text: what a field holds, else the label. A compiled pattern is searched for."""
        return self._check_state("expect_text", expected, timeout, stays)

    def expect_not_text(self, expected: Text, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It is there, and shows another text; if its text is masked, nothing is known of it."""
        return self._check_state("expect_not_text", expected, timeout, stays)

    def expect_value(
        self, expected: Value, *, tolerance: float | None = None, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It reports this value: a number of its own unit, give or take ``tolerance``, or the text of a field."""
        return self._check_state("expect_value", expected, timeout, stays, tolerance)

    def expect_not_value(
        self, expected: Value, *, tolerance: float | None = None, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It is there, and reports another value of the same type."""
        return self._check_state("expect_not_value", expected, timeout, stays, tolerance)

    def expect_checked(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """The switch, checkbox or radio button is checked; with False, it is reported as not checked."""
        return self._check_state("expect_checked", expected, timeout, stays)

    def expect_enabled(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It is enabled, or with False disabled."""
        return self._check_state("expect_enabled", expected, timeout, stays)

    def expect_focused(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It has the focus; with False, it is reported without it."""
        return self._check_state("expect_focused", expected, timeout, stays)

    def expect_selected(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """The tab, row or chip is selected; with False, it is reported as not selected."""
        return self._check_state("expect_selected", expected, timeout, stays)
