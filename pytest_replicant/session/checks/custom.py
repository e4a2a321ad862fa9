"""Checks of a test's own: a function of the screen, with the waiting, proof and tracing of the built-in ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, NoReturn, ParamSpec, overload

from ...errors import TargetError, UndecidableText, UsageError, what_happened
from ...model import Secret, public, shortened
from ...snapshots import Snapshot, Word
from ..reachability import describe_dialog, hides_the_app
from ..step import SessionContext
from .absence import in_view, undescribed
from .check import Check, CheckInput, Failed, Held, Verdict, undecided
from .screens import dialog_over

_LONGEST = 300  # characters of a claim in messages

P = ParamSpec("P")
Predicate = Callable[Concatenate[Snapshot, P], bool]


@dataclass(frozen=True)
class CustomCheck:
    """One claim about a screen, for ``expect``. ``claim`` is the call that made it; ``holds`` judges a screen, and
    ``secrets`` are those that it was given."""

    claim: str
    presence: bool
    holds: Callable[[Snapshot], bool] = field(repr=False)
    secrets: tuple[Secret, ...] = field(default=(), repr=False)

    def __bool__(self) -> NoReturn:
        raise UsageError(
            f"{self.claim} claims something of a screen, and was not checked: mobile.expect({self.claim})"
        )


@overload
def check(predicate: Predicate[P], /) -> Callable[P, CustomCheck]: ...
@overload
def check(*, presence: bool) -> Callable[[Predicate[P]], Callable[P, CustomCheck]]: ...
@public
def check(predicate: Any = None, /, *, presence: bool = False) -> Any:
    """Decorator: makes a check of a function that judges a ``Snapshot``.

    The function takes the screen, then what the claim needs, and returns True or False. What it raises as
    ``AssertionError`` or ``TargetError`` means False, and says what was observed. It is called on each read, and
    on the screen before the action, and does nothing but look at the screen: rows that were scrolled away are not
    on it. With ``presence`` it holds by what it finds alone. Without, it may hold by something missing. So it
    must hold through one whole window, and is undecided if something is covered, cut off, loading or under a
    dialog. Raises ``UsageError`` if it returns anything but True or False.
    """
    if predicate is None:
        return lambda given: _maker(given, presence=presence)
    return _maker(predicate, presence=presence)


def _maker(predicate: Predicate[P], *, presence: bool) -> Callable[P, CustomCheck]:
    """The maker of such checks: called with what the function takes behind the screen."""
    if not callable(predicate):
        raise UsageError(f"@check on {predicate!r}: it makes a check of a function of the screen")

    @wraps(predicate)
    def make(*args: P.args, **named: P.kwargs) -> CustomCheck:
        name = getattr(predicate, "__name__", "check")
        if any(isinstance(one, Snapshot) for one in (*args, *named.values())):
            raise UsageError(f"{name}(...): the screen is given by expect(), which calls it on each read")
        given = [*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())]
        claim = shortened(f"{name}({', '.join(given)})", _LONGEST)
        secrets = tuple(_secrets_in((args, named)))
        return CustomCheck(claim, presence, lambda screen: predicate(screen, *args, **named), secrets)

    return make


def _secrets_in(given: object) -> Iterator[Secret]:
    if isinstance(given, Secret):
        yield given
    elif isinstance(given, Mapping):
        yield from _secrets_in(tuple(given.values()))
    elif isinstance(given, (tuple, list, set, frozenset)):
        for one in given:
            yield from _secrets_in(one)


def custom_check(given: CustomCheck, context: SessionContext) -> Check:
    """The check of a claim. Raises ``UsageError`` for anything else."""
    if not isinstance(given, CustomCheck):
        called = "; call it first, with what it takes behind the screen" if callable(given) else ""
        raise UsageError(
            f"expect({given!r}) takes a check that @check made{called}. The built-in ones have names of "
            "their own, such as expect_visible(...)"
        )
    for secret in given.secrets:
        context.known_secret(secret)

    def test(look: CheckInput) -> Verdict:
        try:
            with context.during("asking"):
                held = given.holds(look.snapshot.as_shown(Word(".", "pattern")))
            if not isinstance(held, bool):
                raise UsageError(f"{given.claim} returned {held!r}: a check returns True or False")
        except (AssertionError, TargetError) as failed:
            return _says(what_happened(failed) if str(failed) else "it does not hold", look)
        except Exception as broken:
            if look.now or isinstance(broken, UndecidableText):
                raise
            return undecided(f"{type(broken).__name__} on a screen that it was not made for")
        if not held:
            return _says("it does not hold", look)
        return (None if given.presence else _doubt(look)) or Held("it holds")

    return Check(
        "expect",
        given.claim,
        wanted={"check": given.claim},
        problem="check",
        proves_absence=not given.presence,
        holds="settled" if given.presence else "window",
        test=test,
    )


def _says(why: str, look: CheckInput) -> Verdict:
    return Failed(f"{why}{dialog_over(look)}")


def _doubt(look: CheckInput) -> Verdict | None:
    why = _unfinished(look.snapshot)
    return undecided(why) if why else undescribed(look)


def _unfinished(screen: Snapshot) -> str:
    """Why something that this screen does not show may be there all the same; "" if it would show it."""
    if screen.limit:
        return screen.limit
    if screen.alone or hides_the_app(screen):
        return f"{describe_dialog(screen)} is open, and hides the rest"
    shown = {one.index for one in (*screen.elements, *screen.headings)}
    hidden = [one for one in screen.beneath.elements if one.index not in shown] if screen.beneath else []
    if screen.beneath is not None and (covered := in_view(screen.beneath, hidden)):
        return f"covered, not gone: {covered[0].describe()}"
    return "the screen is loading, and may still bring more" if screen.loading else ""
