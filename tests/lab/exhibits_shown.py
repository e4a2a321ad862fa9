"""Which exhibit a test is about, and whether it shows what must pass there or what must fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, TypeVar

import pytest

from pytest_replicant import ActionFailed, ExpectationFailed
from pytest_replicant.session import DeviceSession

from .needed import Need, needs_of

Kind = Literal["proves", "refutes"]
F = TypeVar("F", bound=Callable[..., Any])
Visit = Callable[..., DeviceSession]

NOT_GONE = "covered, not gone|of the system hides the app"
"""What is said of what lies below another window: by a phone that shows what does, and by one that
does not."""
DIED = "NullPointerException|is not running any more"
"""What is said of an app that died: by a phone that has a report of it, and by one that has
none."""

SHOWN: dict[str, set[Kind]] = {}
"""Filled as the test files are imported."""
SHOWING: dict[str, set[Kind]] = {}
"""By the name of a test, what it shows."""
NEEDED: dict[Need, set[str]] = {}
"""By what some of their tests need, which not every phone has: the exhibits."""


def _about(kind: Kind, slugs: tuple[str, ...]) -> Callable[[F], F]:
    def mark(test: F) -> F:
        for slug in slugs:
            SHOWN.setdefault(slug, set()).add(kind)
            for need in needs_of(test):
                NEEDED.setdefault(need, set()).add(slug)
        SHOWING.setdefault(test.__name__, set()).add(kind)
        return test

    return mark


def import_tests() -> None:
    """All of them, which fills the tables above."""
    for path in sorted(Path(__file__).parent.glob("test_*.py")):
        import_module(f"{__package__}.{path.stem}")


def proves(*slugs: str) -> Callable[[F], F]:
    """What a good test of the exhibit does, and it passes."""
    return _about("proves", slugs)


def refutes(*slugs: str) -> Callable[[F], F]:
    """A wrong claim about the exhibit, or an action that cannot be done there, and it fails."""
    return _about("refutes", slugs)


def shows(slug: str) -> Callable[[F], F]:
    """Both, one after the other."""
    return lambda test: proves(slug)(refutes(slug)(test))


@contextmanager
def refused(code: str, match: str | None = None) -> Iterator[pytest.ExceptionInfo[ActionFailed]]:
    """The action fails with that code."""
    with pytest.raises(ActionFailed, match=match) as caught:
        yield caught
    assert caught.value.failure_code == code


@contextmanager
def disproved(match: str | None = None, code: str = "VERIFICATION_FAILED") -> Iterator[None]:
    """The check fails as a check does, not as trouble with the phone."""
    with pytest.raises(ExpectationFailed, match=match) as caught:
        yield
    assert caught.value.failure_code == code
