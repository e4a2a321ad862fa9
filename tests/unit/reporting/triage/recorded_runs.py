"""Recorded runs of a test, built by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_replicant.kept_runs import RecordedAttempt, RecordedScreen, RecordedStep
from pytest_replicant.model import ElementRecord, RaisedError

SIGN_IN = RecordedScreen(
    "Sign in",
    "key-1",
    "dev.replicant.shop",
    ("Sign in  (dev.replicant.shop)", '[k020] EditText "Email"', '[m987] Button "Sign in"'),
)
REFUSED = RecordedScreen(
    SIGN_IN.name, SIGN_IN.key, SIGN_IN.app, (*SIGN_IN.outline, '[h068] "Wrong password"')
)
CATALOGUE = RecordedScreen(
    "Catalogue",
    "key-2",
    "dev.replicant.shop",
    ("Catalogue  (dev.replicant.shop)", '[s518] "Welcome, Ada"', '[c236] Button "Cart, 0 items"'),
)
CART = RecordedScreen(
    "Cart",
    "key-3",
    "dev.replicant.shop",
    ("Cart  (dev.replicant.shop)", '[o777] Button "Check out"'),
)
RATING = RecordedScreen(
    "Catalogue",
    "key-4",
    "dev.replicant.shop",
    (CATALOGUE.outline[0], 'Dialog "Rate us"', '[n443] Button "Later"'),
    dialog="Rate us",
)
BUTTON = ElementRecord("Button", "Sign in", "dev.replicant.shop:id/sign_in")


def act(title: str, after: RecordedScreen = CATALOGUE, **known: Any) -> RecordedStep:
    name = title.partition(" ")[0]
    return RecordedStep("action", name, title, **{"duration_ms": 400, "after": after, **known})


def check(title: str, after: RecordedScreen = CATALOGUE, **known: Any) -> RecordedStep:
    name = title.partition(" ")[0]
    return RecordedStep("check", name, title, **{"duration_ms": 100, "after": after, **known})


def passed(*steps: RecordedStep, **known: Any) -> RecordedAttempt:
    return RecordedAttempt(
        **{"nodeid": "t.py::test", "outcome": "passed", "steps": numbered(*steps), **known}
    )


def failed(
    *steps: RecordedStep, failure: str = "", failed_at: str = "", step: str = "", **known: Any
) -> RecordedAttempt:
    """``failure`` is the message of what failed it, ``step`` the id of the step that raised it."""
    errors = (RaisedError(failure, "", failed_at, step=step),) if failure else ()
    return RecordedAttempt(
        **{
            "nodeid": "t.py::test",
            "outcome": "failed",
            "steps": numbered(*steps),
            "failures": errors,
            **known,
        }
    )


def numbered(*steps: RecordedStep) -> tuple[RecordedStep, ...]:
    """With anchors and starts, as a trace has them; those that have them keep them."""
    return tuple(
        step
        if step.id
        else replace(step, id=f"a{at}", start_ms=at * 1000, source=f"tests/test_shop.py:{10 + at}")
        for at, step in enumerate(steps, 1)
    )
