"""An option on the command line replaces that of ``addopts``; repeated there, it is a pool."""

from __future__ import annotations

import pytest

from pytest_replicant.options import read


@pytest.mark.parametrize(
    ("environment", "words", "phones"),
    [
        ("", ["--replicant-device=virtual:ios"], ["virtual:ios"]),
        ("", ["--replicant-device", "virtual:ios"], ["virtual:ios"]),
        ("", [], ["virtual"]),
        ("--replicant-device=virtual:ios", [], ["virtual:ios"]),
        ("--replicant-device=virtual:2", ["--replicant-device=virtual:ios"], ["virtual:ios"]),
        ("", ["@phones.txt"], ["virtual:ios"]),
        ("@phones.txt", [], ["virtual:ios"]),
        ("", ["@both.txt"], ["virtual:ios", "virtual"]),
        (
            "",
            ["--replicant-device=virtual:ios", "--replicant-device", "virtual"],
            ["virtual:ios", "virtual"],
        ),
    ],
)
def test_the_last_source_wins(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    environment: str,
    words: list[str],
    phones: list[str],
) -> None:
    pytester.makeini("[pytest]\naddopts = --replicant-device=virtual\n")
    (pytester.path / "phones.txt").write_text("--replicant-device=virtual:ios\n")
    (pytester.path / "both.txt").write_text("@phones.txt\n--replicant-device\nvirtual\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", environment)
    assert [*map(str, read(pytester.parseconfig(*words)).devices)] == phones
