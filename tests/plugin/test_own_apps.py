"""Runs on a virtual phone with a team's own apps: with workers, from another folder, as the how-to
shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.architecture.test_documents import fences
from tests.conftest import Capture, Run
from tests.unit.cli.test_cli_virtual import serving

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "your-own-virtual-app.md"
OWN = """
from pytest_replicant.testing.virtual import App, Button, Column, Screen, Text

class Front(Screen):
    title = "Front"

    def build(self, app):
        taps = app.stored.get("taps", 0)
        return Column([Text(f"{taps} taps"), Button("Tap", on_click=lambda: app.stored.update(taps=taps + 1))])

def apps():
    return [App(package="com.acme.own", label="Own", state=lambda stored: None, start=Front)]
"""
TAPS = """
def test_taps(mobile):
    mobile.launch("com.acme.own").expect_screen("Front")
    before = int(mobile.find(text_contains=" taps").label.split()[0])
    mobile.tap(text="Tap").expect_visible(text=f"{before + 1} taps")
"""


@pytest.fixture
def own(pytester: pytest.Pytester) -> Path:
    """The folder of a run, with the module in it."""
    return pytester.makepyfile(own_phone=OWN).parent


def test_an_own_app_is_on_the_phone_of_a_run(run: Run, own: Path) -> None:
    run(TAPS, "--replicant-device=virtual?latency=0&apps=own_phone:apps").assert_outcomes(passed=1)


def test_a_wrong_place_ends_the_run_before_its_first_test(run: Run, own: Path) -> None:
    result = run(TAPS, "--replicant-device=virtual?latency=0&apps=own_phone:app")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = (
        "apps=own_phone:app: own_phone (*own_phone.py) has no attribute 'app'. Did you mean apps?"
    )
    result.stderr.fnmatch_lines([f"*replicant: {said}"])
    assert "passed" not in result.stdout.str()


@pytest.mark.ci
@pytest.mark.slow
@pytest.mark.parametrize(
    "device", ["virtual:ios:2?fail_dump=0.2&seed=3", "virtual:2?profile=android-7"]
)
def test_an_own_app_goes_with_the_other_knobs_and_several_phones(
    run: Run, own: Path, device: str
) -> None:
    both = TAPS + TAPS.replace("test_taps", "test_taps_again")
    phones = f"--replicant-device={device}&latency=0&apps=own_phone:apps"
    run(both, phones, "-n", "2").assert_outcomes(passed=2)


@pytest.mark.ci
@pytest.mark.slow
def test_the_module_is_found_in_the_rootdir_of_a_run_in_another_folder(
    pytester: pytest.Pytester, run: Run, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("", ini="replicant_devices = virtual?apps=own_phone:apps&latency=0\n")
    folder = pytester.mkdir("inner")
    (folder / "test_inner.py").write_text(TAPS)
    monkeypatch.chdir(folder)
    command = [str(Path(sys.executable).with_name("pytest")), "-p", "no:randomly", "test_inner.py"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.ci
@pytest.mark.slow
def test_the_examples_of_the_how_to_run(run: Run, pytester: pytest.Pytester) -> None:
    files = {
        code.split("\n")[0].removeprefix("# ").removesuffix(".py"): code for code in fences(PAGE)
    }
    assert files.keys() == {"phone", "pages", "test_pages", "conftest", "test_policy"}
    pytester.makepyfile(**files)
    outcomes = run("", "--replicant-device=virtual?apps=phone:apps&latency=0").parseoutcomes()
    assert outcomes == {"passed": 2, "recovered": 1}


@pytest.mark.slow
def test_a_command_finds_the_app_by_pythonpath(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for name in ("a folder", "start"):
        (own / name).mkdir()
    (own / "own_phone.py").rename(own / "a folder" / "phone_by_path.py")
    monkeypatch.chdir(own / "start")
    monkeypatch.setattr(sys, "path", [*sys.path])
    asked = ["snapshot", "--device", "virtual?latency=0&apps=phone_by_path:apps"]
    (own / "pytest.ini").write_text("[pytest]\npythonpath = 'a folder'\n")
    assert main(["snapshot", "--device", "virtual?latency=0&apps=phone_by_nothing:apps"]) == 2
    assert main(asked) == 0
    (own / "pytest.ini").write_text('[pytest]\npythonpath = "no end\n')
    assert main(asked) == 0  # a broken line is pytest's to report
    assert "Front  (com.acme.own)" in capsys.readouterr().out


@pytest.mark.ci
@pytest.mark.slow
def test_an_own_app_outside_a_run(own: Path, capsys: Capture) -> None:
    assert main(["snapshot", "--device", "virtual?latency=0&apps=own_phone:apps"]) == 0
    assert "Front  (com.acme.own)" in capsys.readouterr().out
    assert main(["doctor", "--device", "virtual?apps=own_phone:app"]) == 1
    assert "has no attribute 'app'. Did you mean apps?" in " ".join(capsys.readouterr().out.split())
    with serving("ios", "--apps", "own_phone:apps", "--app", "com.acme.own") as (_, printed):
        url = re.search(r"WebDriverAgent at (\S+)", printed)
        assert url
        assert main(["snapshot", "--device", f"ios:{url[1]}"]) == 0
    assert "Front  (com.acme.own)" in capsys.readouterr().out
    assert main(["virtual", "serve", "--apps", "own_phone:app"]) == 2
    assert "apps=own_phone:app: own_phone" in capsys.readouterr().err


@pytest.mark.ci
@pytest.mark.slow
def test_an_app_imports_neither_drivers_nor_sessions() -> None:
    code = (
        "import sys, benchmarks.broken_runs.bank_app\nprint(sorted({'pytest_replicant.drivers', "
        "'pytest_replicant.session', 'lxml', 'PIL'} & {*sys.modules}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "[]\n"
