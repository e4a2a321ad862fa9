"""Commands that make and remove resources: without a shell, bounded, and what they say is believed
by no one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_replicant.errors import ResourceUnavailable, UsageError
from pytest_replicant.model import SystemClock
from pytest_replicant.running import run_command

pytestmark = pytest.mark.slow


def ran(
    folder: Path, code: str, *words: str, timeout: float = 20, redact: Callable[[str], str] = str
) -> str:
    return run_command(
        [sys.executable, "-ISc", code, *words], folder, timeout, SystemClock(), redact
    )


def test_its_standard_output_is_what_counts(tmp_path: Path) -> None:
    code = "import os, sys; print('made', file=sys.stderr); print(os.getcwd(), *sys.argv[1:])"
    assert ran(tmp_path, code, "$HOME; ls", "*") == f"{tmp_path} $HOME; ls *\n", (
        "no shell reads its words"
    )


def test_a_failure_says_how_it_ended_in_one_line_without_secrets(tmp_path: Path) -> None:
    code = "import sys; print('out'); sys.exit('no account: hunter22\\x1b[31m is wrong')"
    with pytest.raises(
        ResourceUnavailable, match=r"ended with exit code 1: no account: X\\x1b\[31m is wrong$"
    ) as it:
        ran(tmp_path, code, redact=lambda text: text.replace("hunter22", "X"))
    assert "hunter22" not in str(it.value)


def test_a_program_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere V-1: No such file.* Next: correct the command"):
        run_command(["nowhere", "V-1"], tmp_path, 5, SystemClock())


def test_one_that_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    child = "import time; time.sleep(0.7); open('late', 'w')"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-ISc', {child!r}])"
    with pytest.raises(ResourceUnavailable, match=r"took longer than 0.2 s, and was ended"):
        ran(tmp_path, code, timeout=0.2)
    time.sleep(0.6)
    assert not (tmp_path / "late").exists()


def test_one_that_writes_without_end_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ResourceUnavailable, match="wrote more than 1000000 bytes, and was ended"):
        ran(tmp_path, "while True: print('x' * 9999)")


def test_a_failure_shows_no_value_of_a_key_that_names_a_credential(tmp_path: Path) -> None:
    code = "import sys; sys.exit(f'pwd={sys.argv[2]} is refused for plan=gold')"
    with pytest.raises(
        ResourceUnavailable, match=r"--key '•••' 'pin=•••' .*: pwd=••• is refused for plan=gold$"
    ) as it:
        ran(tmp_path, code, "--key", "hunter2", "pin=hunter 2")
    assert "hunter" not in str(it.value)
