"""The commands as a whole: the help in groups, a name that none has, and what a shell completes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pytest_replicant import cli
from pytest_replicant.cli import main
from tests.conftest import Capture


def test_the_help_has_each_command_once_below_the_heading_of_a_group(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out.partition("COMMAND\n")[2]
    assert re.findall(r"^  (\w.*):$", text, re.M) == [
        "explore an app", "read a report", "phones", "repair tests", "shell",
    ]  # fmt: skip
    assert re.findall(r"^    ([\w-]+)", text, re.M) == [*cli._parser()[1]]


@pytest.mark.parametrize(
    ("word", "said"),
    [
        (
            "traige",
            "'traige' is no command. Did you mean triage? Next: replicant --help lists them",
        ),
        (
            "zip-trace",
            "'zip-trace' is no command. Did you mean zip? Next: replicant --help lists them",
        ),
        ("foo", "'foo' is no command. Next: replicant --help lists them"),
        ("click", "'click' is no command but a step, tap(). Next: do 'tap ...'"),
    ],
)
def test_a_name_that_no_command_has(word: str, said: str, capsys: Capture) -> None:
    assert main([word, "m987"]) == 2
    assert capsys.readouterr().err == f"replicant: {said}\n"


def completed(folder: Path, *words: str) -> list[str]:
    """What bash proposes for the last word."""
    typed = " ".join(f"'{word}'" for word in words)
    lines = [
        "source ./script",
        f"COMP_WORDS=({typed})",
        f"COMP_CWORD={len(words) - 1}",
        f"_shtab_replicant replicant '{words[-1]}'",
        """printf '%s\\n' "${COMPREPLY[@]}\"""",
    ]
    done = subprocess.run(
        ["bash", "--norc", "-c", "; ".join(lines)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return sorted(done.stdout.split())


def test_bash_completes_commands_options_and_files(tmp_path: Path, capsys: Capture) -> None:
    assert main(["completion", "bash"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out, "utf-8")
    (tmp_path / "reports").mkdir()
    assert completed(tmp_path, "replicant", "s") == [
        "save",
        "screens",
        "sessions",
        "skill",
        "snapshot",
    ]
    assert completed(tmp_path, "replicant", "triage", "--fl") == ["--flaky"]
    assert completed(tmp_path, "replicant", "virtual", "serve", "i") == ["ios"]
    assert completed(tmp_path, "replicant", "triage", "re") == ["reports"]


@pytest.mark.parametrize(("shell", "begins"), [("zsh", "#compdef replicant"), ("fish", "#")])
def test_each_shell_has_its_script(shell: str, begins: str, capsys: Capture) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert script.startswith(begins)
    assert {*cli._parser()[1]} <= {*re.findall(r"[\w-]+", script)}
    assert main(["completion", "tcsh"]) == 2
