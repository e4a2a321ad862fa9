"""Output of real builds that failed, as PowerShell kept it.

What is expected of each was read in it by eye. How many errors there are is counted in another way
than the reader goes.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.logs import read_build_output
from pytest_replicant.pool import lines_of

pytestmark = pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)

FOLDER = "logs/G7-Enterprise__Control-Medicamentos-App"
TASK = ":app:compileDebugKotlin"
TOO_LARGE = "Method too large"

Expected = tuple[str, "int | None", "int | None", str]

# The first errors: each the name of its file, line, column and the beginning of its message.
READ: dict[str, list[Expected]] = {
    "app__compile-errors.txt": [
        ("MainActivity.kt", 7006, 36, "Argument type mismatch"),
        ("MainActivity.kt", 7006, 102, "Assignment type mismatch"),
        ("NuevoRegistroForm.kt", 103, 18, "Unresolved reference"),
    ],
    "build_errors.txt": [("MainActivity.kt", None, None, TOO_LARGE)],
    "build_errors2.txt": [("MainActivity.kt", None, None, TOO_LARGE)],
    "build_errors3.txt": [
        ("MedicamentoFormBody.kt", 12, 50, "Unresolved reference 'Carr"),
        ("MedicamentoFormBody.kt", 21, 50, "Unresolved reference 'Vade"),
        ("MedicamentoFormBody.kt", 22, 39, "Unresolved reference 'data"),
    ],
    "build_errors4.txt": [("MedicamentoFormBody.kt", None, None, TOO_LARGE)],
    "build_errors5.txt": [("MedicamentoFormUI.kt", None, None, TOO_LARGE)],
    "build_errors6.txt": [("MedicamentoFormUICompact.kt", None, None, TOO_LARGE)],
    "build_errors7.txt": [("MedicamentoFormUICompact.kt", None, None, TOO_LARGE)],
    "build_errors8.txt": [
        ("MedicamentoFormUI.kt", 82, 77, "Unresolved reference 'ALL'"),
        ("MedicamentoFormUI.kt", 190, 114, "Unresolved reference 'ALL'"),
        ("MedicamentoFormUI.kt", 191, 115, "Unresolved reference 'ALL'"),
    ],
    "build_errors9.txt": [
        ("MedicamentoFormUI.kt", 767, 42, "Unresolved reference 'eFall"),
        ("MedicamentoFormUI.kt", 886, 49, "Unresolved reference 'eSig"),
        ("MedicamentoFormUICompact.kt", 52, 8, "No parameter with name"),
    ],
    "build_errors10.txt": [
        ("MedicamentoFormUICompact.kt", 52, 8, "No parameter with name 'opcionesToma' found"),
        ("MedicamentoFormUICompact.kt", 53, 8, "No parameter with name 'ciclos' found"),
        ("MedicamentoFormUICompact.kt", 54, 8, "No parameter with name 'opcionesPeso"),
    ],
    "build_errors11.txt": [("MedicamentoFormUI.kt", None, None, TOO_LARGE)],
    "build_fix1.txt": [
        ("MainActivity.kt", 1451, 8, "Cannot access 'fun applyP"),
        ("MainActivity.kt", 1483, 18, "Cannot access 'fun calc"),
        ("MainActivity.kt", 2165, 67, "Cannot access 'fun formatD"),
    ],
    "build_fix2.txt": [
        ("MainActivity.kt", 1451, 8, "Cannot access 'fun applyP"),
        ("MainActivity.kt", 1483, 18, "Cannot access 'fun calc"),
        ("MainActivity.kt", 2165, 67, "Cannot access 'fun formatD"),
    ],
    "build_fix3.txt": [
        ("MainActivity.kt", 1451, 8, "Cannot access 'fun applyP"),
        ("MedicamentoFormUI.kt", 752, 47, "Unresolved reference. None of the following candidates"),
        ("MedicamentoFormUI.kt", 2691, 17, "Unresolved reference 'first'"),
    ],
    "build_fix4.txt": [("MainActivity.kt", 1451, 8, "Cannot access 'fun applyP")],
    "build_fix5.txt": [("MedicamentoFormUICompact.kt", None, None, TOO_LARGE)],
}


def text_of(name: str) -> str:
    folder = corpus()
    assert folder is not None
    return "\n".join(lines_of([(folder / FOLDER / name).read_bytes()]))


@pytest.mark.parametrize("name", sorted(READ))
def test_the_first_errors_are_reported(name: str) -> None:
    expected = READ[name]
    summary = read_build_output(text_of(name).splitlines(keepends=True))
    assert (summary.verdict, summary.task) == ("failed", TASK)
    found = [
        (Path((error.file or "").replace("\\", "/")).name, error.line, error.column)
        for error in summary.errors[: len(expected)]
    ]
    assert found == [(file, line, column) for file, line, column, _ in expected]
    for error, (*_, message) in zip(summary.errors, expected, strict=False):
        assert error.message.startswith(message)
        assert (error.kind, error.task) == ("kotlin", TASK)


@pytest.mark.parametrize("name", sorted(READ))
def test_every_error_is_counted_once(name: str) -> None:
    """All of it in one string, in which no line break is left that could be PowerShell's."""
    whole = re.sub(r"\r?\n(?!e: )", "", text_of(name))
    places = re.findall(r"(?:^| : )e: file:///(.+?\.kt):(\d+):(\d+)", whole, re.MULTILINE)
    breakdowns = re.findall(r" : e: java\.lang\.RuntimeException", whole)
    summary = read_build_output(text_of(name).splitlines(keepends=True))
    assert [
        (error.file, str(error.line), str(error.column)) for error in summary.errors if error.line
    ] == places
    assert summary.error_count == len(places) + len(breakdowns)


def test_every_file_was_read() -> None:
    folder = corpus()
    assert folder is not None
    names = {path.name for path in (folder / FOLDER).glob("*.txt")}
    assert {name for name in names if "build_" in name or "compile" in name} == set(READ)
