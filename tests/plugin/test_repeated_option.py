"""An option on the command line replaces that of ``addopts``; repeated there, it is a pool."""

from __future__ import annotations

import pytest

HEADER = "replicant: *"


@pytest.mark.parametrize(
    ("ini", "environment", "words", "phones"),
    [
        ("virtual", "", ["--replicant-device=virtual:ios"], "virtual:ios"),
        ("virtual", "", ["--replicant-device", "virtual:ios"], "virtual:ios"),
        ("virtual", "", [], "virtual"),
        ("virtual", "--replicant-device=virtual:ios", [], "virtual:ios"),
        ("virtual", "--replicant-device=virtual:2", ["--replicant-device=virtual:ios"], "virtual:ios"),
        ("virtual", "", ["@phones.txt"], "virtual:ios"),
        ("virtual", "@phones.txt", [], "virtual:ios"),
        ("virtual", "", ["@both.txt"], "virtual:ios, virtual"),
        (
            "virtual",
            "",
            ["--replicant-device=virtual:ios", "--replicant-device", "virtual"],
            "virtual:ios, virtual",
        ),
    ],
)
def test_the_last_source_wins(
    pytester: pytest.Pytester,
    monkeypatch: pytest.MonkeyPatch,
    ini: str,
    environment: str,
    words: list[str],
    phones: str,
) -> None:
    pytester.makeini(f"[pytest]\naddopts = --replicant-device={ini}\n")
    (pytester.path / "phones.txt").write_text("--replicant-device=virtual:ios\n")
    (pytester.path / "both.txt").write_text("@phones.txt\n--replicant-device\nvirtual\n")
    monkeypatch.setenv("PYTEST_ADDOPTS", environment)
    result = pytester.runpytest("-p", "no:cacheprovider", *words)
    result.stdout.fnmatch_lines([f"replicant: {phones} (another phone*"])
