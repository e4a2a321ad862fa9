"""The command that runs a test again: it names that test and nothing else, whatever the test is
called."""

from __future__ import annotations

import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_replicant.model import Redactor
from pytest_replicant.reporting.report_rows import rerun_command, with_phones

from .factory import HOSTILE


def config(folder: str = "") -> Any:
    """As pytest's own, started in a folder of the project."""
    root = Path("/project")
    return SimpleNamespace(rootpath=root, invocation_params=SimpleNamespace(dir=root / folder))


@pytest.mark.parametrize(
    "name", ["a b", "it's $HOME", "`id`", "$(id)", ";id", '"', "-x", "a/b::c", "[]]", "é"]
)
def test_a_shell_takes_the_id_as_one_word(name: str) -> None:
    nodeid = f"tests/test_a.py::test_b[{name}]"
    command = rerun_command(config(), nodeid, Redactor(), name)
    assert shlex.split(command) == ["pytest", nodeid]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_a_terminal_does_not_show_as_it_is_is_in_no_command(name: str) -> None:
    nodeid = f"tests/test_a.py::test_b[{HOSTILE[name]}]"
    command = rerun_command(config(), nodeid, Redactor(), HOSTILE[name])
    assert command.isprintable()
    assert shlex.split(command)[1] in (nodeid, "tests/test_a.py::test_b")


def test_a_secret_parameter_is_left_out() -> None:
    redactor = Redactor()
    redactor.add("hunter2hunter2")
    nodeid = "tests/test_a.py::test_b[hunter2hunter2]"
    command = rerun_command(config(), nodeid, redactor, "hunter2hunter2")
    assert command == "pytest tests/test_a.py::test_b"
    assert rerun_command(config(), "tests/hunter2hunter2.py::test_b", redactor) == ""


def test_it_is_run_where_pytest_was_started() -> None:
    nodeid = "tests/test_a.py::test_b[x/y::z]"
    assert (
        rerun_command(config("tests"), nodeid, Redactor()) == "pytest 'test_a.py::test_b[x/y::z]'"
    )
    assert (
        rerun_command(config("docs"), nodeid, Redactor())
        == "pytest '../tests/test_a.py::test_b[x/y::z]'"
    )


@pytest.mark.parametrize(
    ("given", "phone", "words"),
    [
        ([], "virtual", []),
        (["virtual?latency=0"], "virtual", ["--replicant-device=virtual?latency=0"]),
        (["virtual", "virtual:ios"], "virtual:ios", ["--replicant-device=virtual:ios"]),
        (["virtual", "virtual:ios"], "virtual", ["--replicant-device=virtual"]),
        (["android", "virtual"], "android:R58M", ["--replicant-device=android"]),
        (["virtual:2"], "virtual-1", ["--replicant-device=virtual:2"]),
        (
            ["ios:http://ada:hunter2@mac"],
            "ios:http://mac",
            ["--replicant-device=ios:http://•••@mac"],
        ),
        (
            ["avd:a", "avd:b"],
            "android:emulator-5554",
            ["--replicant-device=avd:a", "--replicant-device=avd:b"],
        ),
    ],
)
def test_the_phone_is_named_as_the_user_did(given: list[str], phone: str, words: list[str]) -> None:
    assert shlex.split(with_phones("pytest a.py::b", given, phone)) == ["pytest", "a.py::b", *words]


def test_under_a_matrix_all_phones_are_named_since_the_id_depends_on_them() -> None:
    command = with_phones(
        "pytest 'a.py::b[ios]'", ["virtual", "virtual:ios"], "virtual:ios", matrix=True
    )
    assert command.endswith(
        "--replicant-device=virtual --replicant-device=virtual:ios --replicant-matrix"
    )


def test_without_a_command_there_is_none() -> None:
    assert with_phones("", ["virtual"], "virtual") == ""
