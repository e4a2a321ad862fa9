"""Checks of one state of one element, as locators and outcomes have them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, ParamSpec, TypeAlias, TypedDict, TypeVar, cast

from ...errors import UsageError
from ...model import SELECTOR_KEYWORDS, PublicMethods, Secret, verb_of

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


Of = TypeVar("Of", bound="OneState")
P = ParamSpec("P")


def _or_of_another(check: Callable[Concatenate[Of, P], Of]) -> Callable[Concatenate[Of, P], Of]:
    """Of an outcome also as tests had it before ``expect_state``: of a named element, by ``expected``."""

    @wraps(check)
    def called(self: Of, *args: P.args, **given: P.kwargs) -> Of:
        kind = check.__name__
        names_it = "expected" in given or (verb_of(kind).is_flag and args[:1] not in ((True,), (False,)))
        is_older = (args and names_it) or not SELECTOR_KEYWORDS.isdisjoint(given)
        if not (is_older and self._checks_others):
            return check(self, *args, **given)
        self._check_older(kind, *args, **given)
        return self

    return cast("Callable[Concatenate[Of, P], Of]", called)


def older_value(kind: str, expected: object) -> object:
    """What an older check compares with. Raises ``UsageError`` for a denial that denies itself."""
    verb = verb_of(kind)
    if not verb.is_flag:
        return expected
    if verb.proves == "absence" and expected is not None:
        plain = kind.replace("not_", "")
        raise UsageError(f"{kind}(expected={expected!r}) says it twice. Next: {plain}({not expected})")
    return True if expected is None else expected


class OneState(PublicMethods):
    """The checks of one state of one element: a locator's, or the one that an action was about. ``expect_state``
    checks several at once, and those of any other element. Each takes ``timeout`` and ``stays`` in seconds."""

    _checks_others: ClassVar[bool] = False

    def _check_state(
        self, kind: str, expected: object, timeout: float | None, stays: float, tolerance: float | None = None
    ) -> Self:
        raise NotImplementedError

    def _check_older(self, kind: str, *args: Any, **given: Any) -> Self:
        """A check that tests have from before ``expect_state``."""
        raise NotImplementedError

    @_or_of_another
    def expect_text(self, expected: Text, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It shows this whole text: what a field holds, else the label. A compiled pattern is searched for."""
        return self._check_state("expect_text", expected, timeout, stays)

    @_or_of_another
    def expect_not_text(self, expected: Text, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It is there, and shows another text; if its text is masked, nothing is known of it."""
        return self._check_state("expect_not_text", expected, timeout, stays)

    @_or_of_another
    def expect_value(
        self, expected: Value, *, tolerance: float | None = None, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It reports this value: a number of its own unit, give or take ``tolerance``, or the text of a field."""
        return self._check_state("expect_value", expected, timeout, stays, tolerance)

    @_or_of_another
    def expect_not_value(
        self, expected: Value, *, tolerance: float | None = None, timeout: float | None = None, stays: float = 0
    ) -> Self:
        """It is there, and reports another value of the same type."""
        return self._check_state("expect_not_value", expected, timeout, stays, tolerance)

    @_or_of_another
    def expect_checked(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """The switch, checkbox or radio button is checked; with False, it is reported as not checked."""
        return self._check_state("expect_checked", expected, timeout, stays)

    @_or_of_another
    def expect_enabled(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It is enabled, or with False disabled."""
        return self._check_state("expect_enabled", expected, timeout, stays)

    @_or_of_another
    def expect_focused(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """It has the focus; with False, it is reported without it."""
        return self._check_state("expect_focused", expected, timeout, stays)

    @_or_of_another
    def expect_selected(self, expected: bool = True, *, timeout: float | None = None, stays: float = 0) -> Self:
        """The tab, row or chip is selected; with False, it is reported as not selected."""
        return self._check_state("expect_selected", expected, timeout, stays)
