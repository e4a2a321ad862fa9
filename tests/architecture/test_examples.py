"""The example files of the how-tos: they hold together, and name only options and commands that there are."""

from __future__ import annotations

import configparser
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from pytest_replicant import cli
from tests.architecture.test_documents import known_names

from .source_tree import ROOT

HOW_TO = ROOT / "docs" / "how-to"
EXAMPLES = sorted(path for path in (HOW_TO / "examples").iterdir() if path.is_file())
YAML = [path for path in EXAMPLES if path.suffix == ".yml"]
PAGES = [
    HOW_TO / f"{name}.md"
    for name in ("one-phone", "many-phones", "ci-matrix", "remote-adb", "aws-device-farm", "report-elsewhere")
]
TEXTS = [*EXAMPLES, *PAGES, ROOT / "docs" / "reference" / "doctor-command.md"]

_KEY = re.compile(r"(?:- )?[\w\"'.$-]+:(?: .*)?")
_ITEM = re.compile(r"- \S.*")


def unknown_names(text: str) -> list[str]:
    """Options and ini keys of ours that are none."""
    known = known_names()
    named = re.findall(r"--replicant-[a-z-]+", text) + re.findall(r"\breplicant_[a-z_]+", text)
    return sorted({name for name in named if name not in known})


def commands(text: str) -> list[list[str]]:
    """Every ``replicant …`` that is run, word by word, without a shell's lists of words."""
    lines = re.findall(r"^\s*(?:- |\$ |run: |- run: )*(replicant [a-z].*)$", text, re.MULTILINE)
    plain = [re.split(r" (?:>|\|)", re.sub(r"\$\{\{.*?\}\}", "1", line))[0] for line in lines if "[" not in line]
    return [[word for word in shlex.split(line)[1:] if word[0] != "$"] for line in plain]


def yaml_faults(text: str) -> list[str]:
    """What no YAML of this plain kind has: tabs, odd indents, a line that is no key and no item, a key twice."""
    faults, seen, block = [], {}, -1  # type: ignore[var-annotated]
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if not bare or bare.startswith("#") or (block >= 0 and indent > block):
            continue
        block = indent if bare.endswith("|") else -1
        for deeper in [
            level for level in seen if level > indent or (bare.startswith("- ") and level == indent + 2)
        ]:
            del seen[deeper]
        key = bare.removeprefix("- ").partition(":")[0] if _KEY.fullmatch(bare) else ""
        level = indent + 2 if bare.startswith("- ") else indent
        if "\t" in line or indent % 2 or not (key or _ITEM.fullmatch(bare)):
            faults.append(f"{number}: {line}")
        elif key and key in seen.setdefault(level, set()):
            faults.append(f"{number}: {key} again")
        if key:
            seen.setdefault(level, set()).add(key)
    return faults


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_only_options_and_keys_that_there_are(path: Path) -> None:
    assert unknown_names(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_only_commands_that_there_are(path: Path) -> None:
    for words in commands(path.read_text(encoding="utf-8")):
        cli._parser().parse_args(words)


def test_commands_are_found_at_all() -> None:
    found = [words[0] for path in TEXTS for words in commands(path.read_text(encoding="utf-8"))]
    assert found.count("doctor") >= 4
    assert "triage" in found


def test_what_there_is_not_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert unknown_names("--replicant-devise=x\nreplicant_apps = y\n--replicant-device") == [
        "--replicant-devise",
        "replicant_apps",
    ]
    for line in ("replicant doctors", "- run: replicant doctor --devise x"):
        with pytest.raises(SystemExit):
            cli._parser().parse_args(commands(line)[0])


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.name)
def test_yaml(path: Path) -> None:
    assert yaml_faults(path.read_text(encoding="utf-8")) == []


def test_yaml_that_is_none_is_found() -> None:
    assert yaml_faults("a:\n\tb: 1\n") == ["2: \tb: 1"]
    assert yaml_faults("a:\n   b: 1\nc\na: 2\n") == ["2:    b: 1", "3: c", "4: a again"]
    assert yaml_faults("a:\n  - b: 1\n    c: 2\n  - b: 1\n    c: |\n      whatever\n") == []


def test_a_workflow_hands_on_what_it_made() -> None:
    """What one job uploads is what the next one loads, and jobs wait for those that there are."""
    text = (HOW_TO / "examples" / "github-emulators.yml").read_text(encoding="utf-8")
    jobs = re.findall(r"^  (\w+):$", text.split("\njobs:\n")[1], re.MULTILINE)
    assert set(re.findall(r"needs: (\w+)", text)) <= set(jobs)
    shards = re.search(r"shard: \[(.*)\]", text)
    assert shards is not None
    assert f"matrix.shard }}}}/{len(shards[1].split(','))} " in text


def test_the_ini_is_one() -> None:
    parser = configparser.ConfigParser()
    parser.read_string((HOW_TO / "examples" / "one-phone.ini").read_text(encoding="utf-8"))
    assert parser["pytest"]["replicant_devices"].split() == ["android"]


def test_the_shell_script_lends_tests_and_lets_go(tmp_path: Path) -> None:
    """With commands in place of the real ones that take down how they were called; tests that fail let go too."""
    for name in ("adb", "pytest", "replicant"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/called\n[ {name} != pytest ]\n')
        program.chmod(0o700)
    script = HOW_TO / "examples" / "remote-adb.sh"
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    ended = subprocess.run(["sh", str(script), "a:1", "b:2"], env=environment, check=False)
    assert ended.returncode == 1
    assert (tmp_path / "called").read_text().splitlines() == [
        "adb connect a:1",
        "adb connect b:2",
        "replicant doctor --device android:a:1 --device android:b:2",
        "pytest -n 2 --replicant-device=android:a:1 --replicant-device=android:b:2 --replicant-output=report",
        "adb disconnect a:1",
        "adb disconnect b:2",
    ]
    assert (
        subprocess.run(["sh", str(script)], env=environment, stderr=subprocess.DEVNULL, check=False).returncode
        == 2
    )


def test_the_page_of_the_doctor_names_every_check() -> None:
    """Those that the source names, and no other."""
    source = "".join(path.read_text() for path in (ROOT / "pytest_replicant" / "pool").rglob("*.py"))
    checks = set(re.findall(r'Finding\(\s*"\w+",\s*"([\w -]+)"', source)) - {"checks", "driver"}
    page = (ROOT / "docs" / "reference" / "doctor-command.md").read_text(encoding="utf-8")
    section = page.split("## Checks")[1].split("| option |")[0]
    told = set(re.findall(r"`([A-Za-z][\w -]*)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE))))
    assert checks | {"pytest-replicant", "uiautomator2"} == told | {"screen"}
    assert len(checks) > 20


def test_every_example_is_on_a_page() -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in HOW_TO.glob("*.md"))
    assert [path.name for path in EXAMPLES if f"](examples/{path.name})" not in told] == []
    assert len(EXAMPLES) >= 4
