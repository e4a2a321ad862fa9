"""``replicant skill``, whose commands are run here, and ``llms.txt``."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.generating import llms
from docs.sentences import faults, sentences
from pytest_replicant.cli import session
from pytest_replicant.exploring import BY_NAME
from pytest_replicant.exploring.process import records

pytestmark = pytest.mark.ci  # processes of their own

ROOT = str(Path(__file__).parents[3])
TEXT = session.PAGE.read_text(encoding="utf-8")
SECRET = "correct horse"
QUICK = """
[pytest]
replicant_device = virtual?latency=0
replicant_stabilize = 0.3 0.01 0.05
replicant_screenshot = off
replicant_trace = off
"""


def commands_of(text: str) -> list[list[str]]:
    """The words of each command in its blocks, as a shell splits them."""
    blocks = re.findall(r"^```console\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    return [shlex.split(line.removeprefix("$ ")) for block in blocks for line in block.splitlines()]


def test_it_is_short_and_its_front_matter_is_what_agents_look_for() -> None:
    assert 1_000 < len(TEXT) <= 3_000
    head = re.match(r"---\nname: replicant\ndescription: (?P<description>.+)\n---\n\n# ", TEXT)
    assert head is not None
    assert ": " not in head["description"]  # it would be no plain text in YAML
    assert len(head["description"]) <= 200


def test_its_sentences_are_short() -> None:
    body = TEXT.split("---\n", 2)[2]
    assert faults([*sentences(body, "skill.md")]) == []


def ran(words: list[str]) -> tuple[int, str]:
    """A command of a shell: its exit code and what it prints."""
    code = "import sys; from pytest_replicant.client import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path
    (folder / "tests").mkdir()
    (folder / "pytest.ini").write_text(QUICK, encoding="utf-8")
    monkeypatch.chdir(folder)
    for name, value in {
        "TMPDIR": str(folder), "PYTHONPATH": ROOT, "SHOP_PASSWORD": SECRET,
        "PYTEST_ADDOPTS": "-p no:hypothesispytest -p no:pytest-bdd",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("REPLICANT_SESSION", raising=False)
    yield folder
    ran(["close", "--all"])


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="the folder of sessions is that of TMPDIR")
def test_each_command_does_what_it_says_in_order(project: Path) -> None:
    commands = commands_of(TEXT)
    assert {words[0] for words in commands} == {"replicant"}
    said = {}
    for words in commands:
        code, shown = ran(words[1:])
        assert code == 0, f"{words}: {shown}"
        said[" ".join(words[1:3])] = shown
    assert "guard: pay, delete, send, call, other apps" in said["open dev.replicant.shop"]
    assert "3a recorded: holds, was false before" in said["expect 3a"]
    assert "recorded: holds, was false before" in said['expect expect_visible(text="Cart, 1 item")']
    assert "steps 1 to 4 run again: ok" in said["rewind 4"]
    assert "Fresh run: passed" in said["save tests/test_order.py::test_order"]
    assert records.names(records.sessions_folder()) == []
    test = (project / "tests" / "test_order.py").read_text(encoding="utf-8")
    assert '.expect_visible(text="Cart, 1 item")' in test
    assert SECRET not in test + "".join(said.values())


def test_it_covers_every_command_that_an_agent_needs() -> None:
    verbs = {words[1] for words in commands_of(TEXT)}
    assert {
        "open",
        "look",
        "do",
        "expect",
        "rewind",
        "evidence",
        "last",
        "save",
        "close",
    } - verbs == set()
    assert verbs <= BY_NAME.keys()


# --- llms.txt


def test_llms_txt_is_what_the_pages_say() -> None:
    assert llms.FILE.read_text(encoding="utf-8") == llms.page(), (
        "write it again: python -m docs.generating"
    )


def test_llms_txt_has_every_page_and_each_is_there() -> None:
    links = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S", llms.page(), flags=re.MULTILINE)
    listed = set(re.findall(r"\]\(([^)#\s]+)", llms.PAGE_LIST.read_text(encoding="utf-8")))
    assert {(llms.ROOT / link).resolve() for link in links} == {
        (llms.ROOT / "docs" / one).resolve() for one in listed
    }
    assert [link for link in links if not (llms.ROOT / link).is_file()] == []
    assert len(links) == len(set(links)) > 40
