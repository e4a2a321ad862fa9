"""Apps of a team's own: which are found at the places of ``apps=``, what a wrong place is answered
with, and the kit that they are declared in."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from inspect import getdoc
from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import installed_apps, parse_uri, virtual_phone
from pytest_replicant.testing import virtual

from .test_profile_files import DOCUMENT, SCREEN
from .toy_app import Hand

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "your-own-virtual-app.md"
OWN = """
from pytest_replicant.testing.virtual import App, Screen, Text

class Front(Screen):
    def build(self, app):
        return Text(f"start {len(app.stored['starts'])}")

def begun(stored):
    stored.setdefault("starts", []).append(1)

def app(id, label="Own", start=Front):
    return App(package=id, label=label, state=begun, start=start)

ONE, TWO = app("com.acme.one"), app("com.acme.two")
both, twice, empty, text, calls = [ONE, TWO], (ONE, ONE), [], "ONE", [app]
SHOP, UNNAMED, ENDLESS = app("dev.replicant.shop"), app("my app"), app("com.acme.three", start=lambda: 1 / 0)

def make():
    return both

def fail():
    raise ValueError("no stock")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with modules in it."""
    (tmp_path / "own_phone.py").write_text(OWN)
    (tmp_path / "own_broken.py").write_text("import own_missing_part\n")
    (tmp_path / "seen.json").write_text(
        json.dumps({**DOCUMENT, "screens": [{**SCREEN, "app": "com.acme.one"}]})
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def ids(query: str) -> list[str]:
    return [app.package for app in installed_apps(parse_uri(f"virtual?{query}"))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("apps=own_phone:ONE", ["com.acme.one"]),
        ("apps=own_phone:both", ["com.acme.one", "com.acme.two"]),
        ("apps=own_phone:make", ["com.acme.one", "com.acme.two"]),
        ("apps=own_phone:TWO,own_phone:ONE", ["com.acme.two", "com.acme.one"]),
        ("apps=own_phone:TWO&app=dev.replicant.lab&apps=own_phone:ONE",
         ["com.acme.two", "com.acme.one", "dev.replicant.lab"]),
        ("apps=own_phone:ONE&app=com.acme.one", ["com.acme.one"]),
        ("latency=0", ["dev.replicant.shop", "dev.replicant.lab"]),
    ],
)  # fmt: skip
def test_the_apps_at_a_place_are_in_the_place_of_the_demo_apps(
    folder: Path, query: str, expected: list[str]
) -> None:
    assert ids(query) == expected


@pytest.mark.parametrize(
    ("apps", "said"),
    [
        ("own_phones:ONE",
         "apps=own_phones:ONE: there is no module 'own_phones'. Did you mean own_phone?"),
        ("own_phone:bth", "own_phone.py) has no attribute 'bth'. Did you mean both?"),
        ("own_phone:Q", "has no attribute 'Q'. Its apps: ENDLESS, ONE, SHOP, TWO, UNNAMED."),
        ("own_phone:ONE.start.x", "has no attribute 'x'"),
        ("own_phone:text", "apps=own_phone:text is a str: give an App, a list of them"),
        ("own_phone:Front", "apps=own_phone:Front() is a Front"),
        ("own_phone:empty", "apps=own_phone:empty is empty"),
        ("own_phone:calls",
         "apps=own_phone:calls[0] is a function, and an App is needed. Call it in the list."),
        ("own_phone:twice",
         "apps=own_phone:twice[1]: the id com.acme.one is used by apps=own_phone:twice[0]"),
        ("own_phone:SHOP", "the id dev.replicant.shop belongs to an app that comes with the phone"),
        ("own_phone:ONE&profile=./seen.json", "an app that comes with the phone or its profile"),
        ("own_phone:UNNAMED", "'my app' is no id of an app"),
        ("own_phone:ENDLESS",
         "first screen raised ZeroDivisionError: division by zero (own_phone.py, line 16)"),
        ("own_phone:fail", "calling it raised ValueError: no stock (own_phone.py, line 22)"),
        ("own_broken:ONE",
         "ModuleNotFoundError: No module named 'own_missing_part' (own_broken.py, line 1)"),
        ("own_phone", "Did you mean apps=own_phone:apps?"),
        ("tests/own_phone.py:ONE", "Did you mean apps=tests.own_phone:ONE?"),
        ("dev.replicant.shop", "Write app=dev.replicant.shop; apps= is for your own."),
        ("own_phone:ONE,", "apps=: this names no app."),
    ],
)  # fmt: skip
def test_a_wrong_place_is_a_usage_error_that_says_where(folder: Path, apps: str, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        ids(f"apps={apps}")


def test_reading_a_uri_imports_nothing(folder: Path) -> None:
    assert parse_uri("virtual:2?apps=own_phone:both").members[1].knobs["apps"] == (
        "own_phone:both",
    )
    assert "own_phone" not in sys.modules


def test_each_phone_begins_with_nothing_stored_and_again_when_the_data_are_cleared(
    folder: Path,
) -> None:
    one, other = map(virtual_phone, parse_uri("virtual:2?latency=0&apps=own_phone:ONE").members)
    for number in (1, 2):
        one.stop_app("com.acme.one")
        one.start_app("com.acme.one")
        Hand(one).find(text=f"start {number}")
    other.start_app("com.acme.one")
    Hand(other).find(text="start 1")
    assert one.clear_app("com.acme.one")
    one.start_app("com.acme.one")
    Hand(one).find(text="start 1")


def test_the_names_of_the_kit_are_those_on_its_page_and_each_has_a_docstring() -> None:
    table = PAGE.read_text(encoding="utf-8").split("\n## The names\n")[1]
    rows = re.findall(r"^\|[^|]+\| (`.*) \|$", table, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(virtual.__all__)
    for name in virtual.__all__:
        assert not (getdoc(getattr(virtual, name)) or f"{name}(").startswith(f"{name}("), name


def test_the_module_lists_the_same_names_in_its_own_docstring() -> None:
    assert {
        name for name in virtual.__all__ if f"``{name}``" not in (virtual.__doc__ or "")
    } == set()
    assert set(virtual.__all__) <= set(dir(import_module("pytest_replicant.testing.virtual")))
