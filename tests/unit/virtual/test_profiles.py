"""``virtual?profile=NAME``: facts with a source each, what is said about any other name, knobs over
facts."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import parse_uri
from pytest_replicant.virtual import (
    IPHONE,
    MAKES,
    Profile,
    VirtualPhone,
    profile_lines,
)


@pytest.mark.parametrize("name", MAKES)
def test_every_fact_has_a_source_and_is_said_once(name: str) -> None:
    make = MAKES[name]
    said = [fact for facts in make.facts for fact in facts.values]
    assert len(said) == len(set(said))
    assert all(facts.source and facts.values for facts in make.facts)
    assert set(said) <= {field.name for field in fields(Profile)} - {"platform", "serial"}


@pytest.mark.parametrize("name", MAKES)
def test_a_profile_is_its_facts_and_for_the_rest_the_platforms_own_phone(name: str) -> None:
    make = MAKES[name]
    own = IPHONE if make.platform == "ios" else Profile()
    told = {fact: value for facts in make.facts for fact, value in facts.values.items()}
    profile = VirtualPhone.from_knobs([], make.platform, {"profile": name}).profile
    assert {field.name: getattr(profile, field.name) for field in fields(Profile)} == {
        **{field.name: getattr(own, field.name) for field in fields(Profile)},
        **told,
    }


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("virtual?profile=pixle", "no profile 'pixle'. Did you mean pixel? Profiles: "),
        ("virtual?profile=PIXEL", "Did you mean pixel?"),
        ("virtual?profile=nokia", "no profile 'nokia'. Profiles: pixel"),
        ("virtual:3?profile=nokia", "no profile 'nokia'"),
        (
            "virtual?profile=iphone",
            "profile iphone is Apple iPhone 15, iOS 17: write virtual:ios?profile=iphone",
        ),
        ("virtual:ios?profile=pixel", "write virtual?profile=pixel. Here: iphone"),
        ("virtual?profile=", "knob profile has no value"),
        ("virtual?profile=pixel&profile=pixel", "given twice"),
    ],
)
def test_any_other_name_is_a_usage_error(uri: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_uri(uri)
    assert said in str(refused.value)
    assert repr(uri) in str(refused.value)


class Asked(dict[str, str]):
    """Notes what is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def pop(self, name: str, *unset: Any) -> Any:
        self.names.add(name)
        return unset[0]


def test_the_header_says_which_phone_it_is_and_what_is_a_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, make in MAKES.items():
        (line,) = profile_lines([name, name])
        assert line.startswith(f"profile {name}: {make.called}")
        assert ("; guesses: " in line) == bool(make.guesses)
        assert all(guess in line for guess in make.guesses)


def test_apps_keep_clear_of_a_camera_in_the_screen() -> None:
    phone = VirtualPhone.from_knobs([], "android", {"profile": "pixel", "latency": "0"})

    def seen(rotation: int) -> tuple[int, int, int]:
        """Left and right edge of the app's window, and the height of the status bar."""
        phone.set_rotation(rotation)
        app, bar = (
            next(w for w in phone.windows() if w.kind == kind) for kind in ("app", "status_bar")
        )
        return app.root.bounds.left, app.root.bounds.right, bar.root.bounds.height

    assert [seen(rotation) for rotation in (0, 1, 3)] == [
        (0, 1080, 137),
        (137, 2400, 63),
        (0, 2263, 63),
    ]
