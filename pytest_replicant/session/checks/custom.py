"""Checks of a test's own: a function of the screen, with the waiting, proof and tracing of the built-in ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, overload

from ...errors import TargetError, UsageError
from ...snapshots import Snapshot
from ..reachability import describe_dialog
from .check import Check, CheckInput, Sample, undecided

P = ParamSpec("P")
Predicate = Callable[Concatenate[Snapshot, P], bool]


@dataclass(frozen=True)
class CustomCheck:
    """One claim about a screen, for ``expect``. ``claim`` is the call that made it; ``holds`` judges a screen."""

    claim: str
    presence: bool
    holds: Callable[[Snapshot], bool] = field(repr=False)


@overload
def check(predicate: Predicate[P], /) -> Callable[P, CustomCheck]: ...
@overload
def check(*, presence: bool) -> Callable[[Predicate[P]], Callable[P, CustomCheck]]: ...
def check(predicate: Any = None, /, *, presence: bool = False) -> Any:
    """Decorator: makes a check of a function that judges a ``Snapshot``.

    The function takes the screen, then whatever the claim needs, and returns True or False. What it raises as
    ``AssertionError`` or ``TargetError`` means False, and says what was observed. It asks the screen alone, since
    it is called on each read and once on the screen before the action. With ``presence`` it holds by what it finds
    alone. Without, it may hold by what is missing, which no screen shows that is loading, cut off or under a
    dialog. Raises ``UsageError`` where it returns anything but True or False.
    """
    if predicate is None:
        return lambda given: check_of(given, presence=presence)
    return check_of(predicate, presence=presence)


def check_of(predicate: Predicate[P], *, presence: bool) -> Callable[P, CustomCheck]:
    """The maker of such checks: called with what the function takes behind the screen."""
    if not callable(predicate):
        raise UsageError(f"@check on {predicate!r}: it makes a check of a function of the screen")

    @wraps(predicate)
    def make(*args: P.args, **named: P.kwargs) -> CustomCheck:
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())]
        claim = f"{getattr(predicate, '__name__', 'check')}({', '.join(given)})"
        return CustomCheck(claim, presence, lambda screen: predicate(screen, *args, **named))

    return make


def custom_check(given: CustomCheck) -> Check:
    """The check of a claim. Raises ``UsageError`` for anything else."""
    if not isinstance(given, CustomCheck):
        called = "; call it first, with what it takes behind the screen" if callable(given) else ""
        raise UsageError(
            f"expect({given!r}) takes a check that @check made{called}. The built-in ones have names of "
            "their own, such as expect_visible(...)"
        )

    def test(look: CheckInput) -> Sample:
        screen = look.snapshot
        try:
            held = given.holds(screen)
        except (AssertionError, TargetError) as failed:
            return Sample(False, str(failed).partition("\n")[0] or "it does not hold")
        if not isinstance(held, bool):
            raise UsageError(f"{given.claim} returned {held!r}: a check returns True or False")
        doubt = "" if given.presence or not held else _unfinished(screen)
        return undecided(doubt) if doubt else Sample(held, "it holds" if held else "it does not hold")

    return Check(
        "expect",
        given.claim,
        wanted={"check": given.claim},
        problem="check",
        proves_absence=not given.presence,
        test=test,
    )


def _unfinished(screen: Snapshot) -> str:
    """Why something that this screen does not show may be there all the same; "" where it would show it."""
    if screen.limit:
        return screen.limit
    if screen.alone:
        return f"{describe_dialog(screen)} is open, and hides the rest"
    return "the screen is loading, and may still bring more" if screen.loading else ""
