"""The tutorial, page by page, as its reader follows it: the files that it shows, and each of its
commands with its output, on virtual phones without latency."""

from __future__ import annotations

import difflib
import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import Latency, VirtualPhone, start_server

pytestmark = [pytest.mark.slow, pytest.mark.ci]

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "docs" / "tutorial").glob("*.md"))
SET_UP = (
    "python3 -m venv ",
    ". .venv/",
    "pip install ",
    "adb start-server",
    "export SHOP_PASSWORD=",
)
"""What the machine of these tests has done already."""
QUICK = (
    "-p no:randomly -p no:hypothesispytest -p no:pytest-bdd -o replicant_screenshot=off -o "
    "replicant_read_on=0 -o replicant_stabilize='0.3 0.01 0.05' -o replicant_expect_timeout=1 -o "
    "replicant_action_timeout=1 -o replicant_device=virtual?latency=0"
)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_JSON = re.compile(r"^In `([\w./-]+\.json)`:\n\n```json\n", re.MULTILINE)  # which has no comments
_FILE = re.compile(r"# ([\w./-]+\.\w+)\n")
FILES = ("python", "ini", "json")
_PROMPT = re.compile(r"^\(Pdb\) (.*)$", re.MULTILINE)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and content of each block of code."""
    return _BLOCK.findall(_JSON.sub(r"```json\n# \1\n", page.read_text(encoding="utf-8")))


def steps(console: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, and the output that is shown below it."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def write(block: str, folder: Path) -> None:
    named = _FILE.match(block)
    assert named is not None, f"a file that is shown begins with its name: {block}"
    path = folder / named[1]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block[named.end() :] if path.suffix == ".json" else block, encoding="utf-8")


def follow(command: str, shown: str, pytester: pytest.Pytester) -> tuple[int, str]:
    """The exit code and the output; what is shown behind a prompt is typed. In this process, which
    has loaded all that each would load, unless the command has workers or a prompt."""
    quick = re.sub(r"(?<=virtual)(:4)?\?app=", "?latency=0&app=", command)
    quick = re.sub(r"(?<=device=virtual)(:\w+)?(?= |$)", r"\1?latency=0", quick)
    quick = re.sub(r"^replicant open .*", r"\g<0> --device='virtual?latency=0'", quick)
    program, *words = shlex.split(quick)
    typed = "".join(f"{line}\n" for line in _PROMPT.findall(shown))
    if program == "pytest" and not typed and "-n" not in words:
        result = pytester.runpytest_inprocess(*words)
        code, lines = int(result.ret), [*result.outlines, *result.errlines]
        return code, "\n".join(lines).replace("?latency=0", "") + "\n"
    if program == "cat":
        return 0, (pytester.path / words[0]).read_text(encoding="utf-8")
    module = {"replicant": "pytest_replicant.client", "pytest": "pytest"}[program]
    ended = subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=pytester.path,
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=100,
    )
    return ended.returncode, ended.stdout.replace("?latency=0", "")


def difference(shown: str, output: str) -> str:
    """How the output differs from what is shown, where ``...`` stands for anything, and alone for
    any number of lines; "" where it does not. What is typed at a prompt is in the page alone."""
    wanted = re.sub(r"^\.\.\.\n", "...", _PROMPT.sub("(Pdb)", shown), flags=re.MULTILINE)
    output = re.sub(r"\(Pdb\) ", "(Pdb)\n", output)
    wanted, output = (re.sub(r"(\(Pdb\)\n)+", "(Pdb)\n", text) for text in (wanted, output))
    if doctest.OutputChecker().check_output(wanted, output, doctest.ELLIPSIS):
        return ""
    return "\n".join(
        difflib.unified_diff(shown.splitlines(), output.splitlines(), "page", "output", lineterm="")
    )


@pytest.fixture(autouse=True)
def _attached(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[None]:
    """A phone behind an adb server, as after ``adb start-server``, and no CI around."""
    apps = demo_apps(["dev.replicant.shop", "dev.replicant.lab"])
    phone = VirtualPhone(apps, latency=Latency.from_knobs({"latency": "0"}))
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "CI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("SHOP_PASSWORD", "correct horse")
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # for sessions of its own
    monkeypatch.setenv("PYTEST_ADDOPTS", QUICK)
    with start_server(phone) as server:
        monkeypatch.setenv("ANDROID_ADB_SERVER_ADDRESS", "127.0.0.1")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        yield


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_of_the_tutorial_can_be_followed(page: Path, pytester: pytest.Pytester) -> None:
    for earlier in PAGES[: PAGES.index(page)]:
        for language, block in blocks(earlier):
            if language in FILES:
                write(block, pytester.path)
    for language, block in blocks(page):
        if language in FILES:
            write(block, pytester.path)
        for command, shown in steps(block) if language == "console" else ():
            if command.startswith(SET_UP):
                continue
            code, output = follow(command, shown, pytester)
            if wrong := difference(shown or "...\n", output):
                pytest.fail(f"$ {command}\n{wrong}", pytrace=False)
            assert (code == 0) == (re.search(" failed| FAILED ", shown) is None), (
                f"{command}: exit code {code}\n{output}"
            )
            assert "checks that prove little" not in output


def test_the_first_test_of_the_readme_prints_what_is_shown(pytester: pytest.Pytester) -> None:
    readme = blocks(ROOT / "README.md")
    write(next(block for language, block in readme if language == "python"), pytester.path)
    ((command, shown),) = [
        step
        for _, block in readme
        for step in steps(block)
        if step[0].startswith("pytest -s test_cart.py")
    ]
    assert difference(shown, follow(command, shown, pytester)[1]) == ""
    for wda in ("9.0", "16.7"):
        run = pytester.runpytest_inprocess(
            f"--replicant-device=virtual:ios?latency=0&wda={wda}", "test_cart.py"
        )
        run.assert_outcomes(passed=1)


def test_the_session_of_the_readme_ends_in_a_test_that_passed(pytester: pytest.Pytester) -> None:
    (session,) = [
        block for language, block in blocks(ROOT / "README.md") if "replicant open" in block
    ]
    said = [
        follow(command, shown, pytester)
        for command, shown in steps(session)
        if not command.startswith(SET_UP)
    ]
    assert [code for code, _ in said] == [0] * len(said), said
    assert "Fresh run: passed" in said[-2][1]


def test_a_difference_is_found() -> None:
    output = "(Pdb) a\nb\n(Pdb) (Pdb) c\n"
    assert difference("(Pdb) print(x)\na\n...\n(Pdb) y = 1\n(Pdb) print(z)\nc\n", output) == ""
    assert "-2 passed" in difference("...\n2 passed\n", "header\n1 passed\n")


NEEDS_A_PROMPT = "test_look.py"  # stands still at one
REFUSED = re.compile(r"fresh=True|reset|activity=")
"""What an iPhone cannot do for a test, in the words of the refusal."""


def outcomes(run: pytest.RunResult) -> list[str]:
    """The lines of the summary about tests that did not pass, but for those that are refused in
    words."""
    bad = (line for line in run.outlines if re.match(r"(FAILED|ERROR|INFRA) \S+\.py::", line))
    return [line for line in bad if not REFUSED.search(line)]


@pytest.mark.thorough
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("wda", "banners"), [("9.0", "0.2"), ("10.0", "0"), ("16.7", "0.2")])
def test_the_tests_of_the_tutorial_pass_on_an_iphone(
    wda: str, banners: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As they are, those that ask for a fresh start are refused in words, and the others pass.
    Without asking, each passes on a phone of its own, but for those that start an activity."""
    monkeypatch.setenv("COLUMNS", "300")
    device = f"--replicant-device=virtual:ios?latency=0&wda={wda}&banners={banners}&seed=11"
    for language, block in (each for page in PAGES for each in blocks(page)):
        if language in FILES:
            write(block, pytester.path)
    (pytester.path / NEEDS_A_PROMPT).unlink()
    assert outcomes(pytester.runpytest_inprocess(device)) == []
    for path in pytester.path.glob("*.py"):
        kept = (
            path.read_text("utf-8")
            .replace(", fresh=True", "")
            .replace('reset="clear"', 'reset="stop"')
        )
        path.write_text(kept, "utf-8")
    tests = [
        line
        for line in pytester.runpytest_inprocess("--collect-only", "-q").outlines
        if "::" in line
    ]
    runs = [pytester.runpytest_inprocess(device, test) for test in tests]
    assert [line for run in runs for line in outcomes(run)] == []
    assert sum(run.ret == 0 for run in runs) >= len(tests) - 2 > 10
