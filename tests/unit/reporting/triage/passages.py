"""Runs of a test as far as they are compared, built by hand."""

from __future__ import annotations

from typing import Any

from pytest_replicant.reporting.triage.passage import Passage, PassageStep, Place

SIGN_IN = Place(
    "Sign in",
    "key-1",
    "dev.replicant.shop",
    ("Sign in  (dev.replicant.shop)", '[k020] EditText "Email"', '[m987] Button "Sign in"'),
)
REFUSED = Place(SIGN_IN.name, SIGN_IN.key, SIGN_IN.app, (*SIGN_IN.outline, '[h068] "Wrong password"'))
CATALOGUE = Place(
    "Catalogue",
    "key-2",
    "dev.replicant.shop",
    ("Catalogue  (dev.replicant.shop)", '[s518] "Welcome, Ada"', '[c236] Button "Cart, 0 items"'),
)
CART = Place("Cart", "key-3", "dev.replicant.shop", ("Cart  (dev.replicant.shop)", '[o777] Button "Check out"'))
RATING = Place(
    "Catalogue", "key-4", "dev.replicant.shop", (CATALOGUE.outline[0], 'Dialog "Rate us"', '[n443] Button "Later"')
)
BUTTON = ("Button", "Sign in", "dev.replicant.shop:id/sign_in", "")


def act(title: str, after: Place = CATALOGUE, **known: Any) -> PassageStep:
    name = title.partition(" ")[0]
    return PassageStep("action", name, title, **{"duration_ms": 400, "after": after, **known})


def check(title: str, after: Place = CATALOGUE, **known: Any) -> PassageStep:
    name = title.partition(" ")[0]
    return PassageStep("check", name, title, **{"duration_ms": 100, "after": after, **known})


def passed(*steps: PassageStep, **known: Any) -> Passage:
    return Passage(**{"nodeid": "t.py::test", "outcome": "passed", "steps": steps, **known})


def failed(*steps: PassageStep, **known: Any) -> Passage:
    return Passage(**{"nodeid": "t.py::test", "outcome": "failed", "steps": steps, **known})


def numbered(*steps: PassageStep) -> tuple[PassageStep, ...]:
    """With anchors and starts, as a trace has them."""
    from dataclasses import replace

    return tuple(
        replace(step, id=f"a{at}", start_ms=at * 1000, source=f"tests/test_shop.py:{10 + at}")
        for at, step in enumerate(steps, 1)
    )
