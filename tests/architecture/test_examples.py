"""The example files of the how-tos: they hold together, and name only options and commands that
there are."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from groovy_parser.parser import parse_groovy_content
from lark.exceptions import UnexpectedInput
from ruamel.yaml import YAML

from pytest_replicant import cli
from tests.apks import apk
from tests.architecture.test_documents import known_names

from .source_tree import ROOT

HOW_TO = ROOT / "docs" / "how-to"
EXAMPLES_FOLDER = HOW_TO / "examples"
EXAMPLES = sorted(path for path in EXAMPLES_FOLDER.iterdir() if path.is_file())
TEXTS = [*EXAMPLES, ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def unknown_names(text: str) -> list[str]:
    """Options and ini keys of ours that are none."""
    known = known_names()
    named = re.findall(r"--replicant-[a-z-]+", text) + re.findall(r"\breplicant_[a-z_]+", text)
    return sorted(
        {name for name in named if name not in known} - {"replicant_outcome"}
    )  # a label in Allure


def commands(text: str) -> list[list[str]]:
    """Every ``replicant …`` that is run, word by word, without a shell's lists of words."""
    lines = re.findall(r"^\s*(?:- |\$ |run: |- run: )*(replicant [a-z].*)$", text, re.MULTILINE)
    plain = [
        re.split(r" (?:>|<|\|| #)", re.sub(r"\$\{\{.*?\}\}|\"\$\w+\"", "1", line))[0]
        for line in lines
        if "[" not in line
    ]
    return [[word for word in shlex.split(line)[1:] if word[0] != "$"] for line in plain]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_only_options_and_keys_that_there_are(path: Path) -> None:
    assert unknown_names(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_only_commands_that_there_are(path: Path) -> None:
    for words in commands(path.read_text(encoding="utf-8")):
        cli._parser()[0].parse_args(words)


def test_commands_are_found_at_all() -> None:
    found = [words[0] for path in TEXTS for words in commands(path.read_text(encoding="utf-8"))]
    assert found.count("doctor") >= 4
    assert "triage" in found


def to_run(text: str) -> list[str]:
    """Each ``$ replicant …`` and ``$ pytest …`` that names real things, with a virtual phone for a
    real one."""
    lines = re.findall(r"^ *\$ ((?:replicant|pytest)(?: (?:\\\n|.)*)?)$", text, re.MULTILINE)
    whole = [re.sub(r"\\\n *", "", line) for line in lines]
    real = [
        line
        for line in whole
        if not re.search(
            r"\[--|\[SCREEN|\b(?:FILE|URI|DIR|PORT)\b|serve|record|prove|--phone|phone\.", line
        )
    ]
    return [
        re.sub(
            r"\b(?:avd:|adb://|android(?!\w))[^\s\"']*",
            "'virtual?latency=0'",
            re.sub(r"ios:http\S*", "virtual:ios", line),
        )
        for line in real
    ]


def test_what_there_is_not_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert unknown_names("--replicant-devise=x\nreplicant_apps = y\n--replicant-device") == [
        "--replicant-devise",
        "replicant_apps",
    ]
    for line in ("replicant doctors", "- run: replicant doctor --devise x"):
        with pytest.raises(SystemExit):
            cli._parser()[0].parse_args(commands(line)[0])


def yaml_of(name: str) -> Any:
    return YAML(typ="safe").load((EXAMPLES_FOLDER / name).read_text(encoding="utf-8"))


def schema_faults(kind: str, file: Path) -> str:
    """What the published schema of ``kind`` finds wrong with the file; "" for nothing."""
    transform = ["--data-transform", "gitlab-ci"] if kind == "gitlab-ci" else []
    command = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        f"vendor.{kind}",
        *transform,
        str(file),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    return ended.stdout if ended.returncode else ""


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("github-workflows", "github.yml"),
        ("github-workflows", "github-emulators.yml"),
        ("gitlab-ci", "gitlab-ci.yml"),
    ],
)
def test_a_file_for_ci_is_valid_by_its_published_schema(
    kind: str, name: str, tmp_path: Path
) -> None:
    """And one with a word of the system misspelt is not."""
    assert schema_faults(kind, EXAMPLES_FOLDER / name) == ""
    text = (EXAMPLES_FOLDER / name).read_text(encoding="utf-8")
    wrong = tmp_path / name
    wrong.write_text(
        text.replace("steps:", "step:")
        .replace("  script:", "  scripts:")
        .replace("stage:", "stages:")
    )
    assert "Schema validation errors" in schema_faults(kind, wrong)


@pytest.mark.slow
@pytest.mark.ci
def test_the_jenkinsfile_is_groovy() -> None:
    text = (EXAMPLES_FOLDER / "Jenkinsfile").read_text(encoding="utf-8")
    parse_groovy_content(text)
    with pytest.raises(UnexpectedInput):
        parse_groovy_content(text.replace("steps {", "steps ", 1))


@pytest.mark.slow
@pytest.mark.thorough
def test_the_commands_of_the_pages_run(tmp_path: Path) -> None:
    """In one folder, with the files that they name; the tutorial and proving a phone have their own
    tests."""
    (tmp_path / "gradlew").write_text("#!/bin/sh\n")
    (tmp_path / "gradlew").chmod(0o700)
    package = tmp_path / "app" / "build" / "outputs" / "apk" / "debug"
    package.mkdir(parents=True)
    apk(package, "app-debug.apk", activity=".SignInActivity")
    _write_project(tmp_path)
    shutil.copy(tmp_path / "tests" / "test_shop.py", tmp_path / "test_cart.py")
    screen = re.search(
        r"```xml\n(.*?)```", (ROOT / "docs" / "reference" / "selectors.md").read_text(), re.DOTALL
    )
    assert screen is not None
    for name in ("window_dump.xml", "cart.xml"):
        (tmp_path / name).write_text(screen[1])
    _run_job(tmp_path, ["pytest --replicant-output=reports --replicant-trace=on"], on_github=False)
    for name in ("downloaded-reports", "earlier", "replicant-report"):
        shutil.copytree(tmp_path / "reports", tmp_path / name)
    (trace,) = tmp_path.glob("replicant-report/*/*/trace.json")
    pages = sorted(
        {*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"}
        - {*(ROOT / "docs" / "tutorial").glob("*.md")}
    )
    lines = [line for page in pages for line in to_run(page.read_text(encoding="utf-8"))]
    assert len(lines) > 20
    _run_job(
        tmp_path,
        [re.sub(r"replicant-report/\d+-\S+", str(trace.parent), line) for line in lines],
        on_github=False,
    )


def scripts(name: str) -> dict[str, list[str]]:
    """The shell commands of each job of a file for CI, in their order."""
    if name == "Jenkinsfile":
        return {
            "test": re.findall(
                r"^\s*sh '(.*)'$", (EXAMPLES_FOLDER / name).read_text(encoding="utf-8"), re.M
            )
        }
    if name == "gitlab-ci.yml":
        jobs = {job: body for job, body in yaml_of(name).items() if "script" in body}
        return {job: body["script"] for job, body in jobs.items()}
    jobs = yaml_of(name)["jobs"]
    return {job: [_of_step(step) for step in body["steps"]] for job, body in jobs.items()}


def _of_step(step: Mapping[str, Any]) -> str:
    return str(step.get("run") or step.get("with", {}).get("script", ""))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "merged"),
    [
        ("github.yml", False),
        ("github-emulators.yml", True),
        ("gitlab-ci.yml", True),
        ("Jenkinsfile", False),
    ],
)
def test_what_a_file_for_ci_runs_leaves_a_report_and_a_history(
    name: str, merged: bool, tmp_path: Path
) -> None:
    """Each job twice, on a virtual phone, without what installs packages. The second run finds the
    first one."""
    _write_project(tmp_path)
    for _ in range(2):
        for job, lines in scripts(name).items():
            if (
                job == "report" and name == "github-emulators.yml"
            ):  # as the action downloads the artifacts
                shutil.move(tmp_path / "replicant-report", tmp_path / "reports" / "report-1")
            can_run = [
                line for line in lines if not re.search(r"gradlew|sudo|pip install|-m venv", line)
            ]
            _run_job(tmp_path, can_run, on_github=name.startswith("github"))
    history = json.loads((tmp_path / "replicant-report" / "history.json").read_text())
    assert [letters for _, letters, *_ in history["tests"]] == ["pp"]
    assert (tmp_path / "junit.xml").is_file()
    assert len([*tmp_path.glob("replicant-report/*/index.html")]) >= 1
    assert (tmp_path / "summary.md").is_file() == name.startswith("github")
    assert merged == (tmp_path / "reports").exists()


def _write_project(folder: Path) -> None:
    """One that needs no more than a virtual phone, with the examples' configuration."""
    (folder / "tests").mkdir()
    (folder / "tests" / "test_shop.py").write_text(
        'def test_opens(mobile):\n    mobile.launch("dev.replicant.shop").expect_screen("Sign '
        'in")\n'
    )
    shutil.copy(EXAMPLES_FOLDER / "ci.ini", folder / "pytest.ini")
    shutil.copy(EXAMPLES_FOLDER / "known-flaky.json", folder)


def _run_job(folder: Path, lines: Sequence[str], on_github: bool) -> None:
    programs = Path(sys.executable).parent
    script = (
        "\n".join(lines)
        .replace(".venv/bin/", "")
        .replace("android", "virtual")
        .replace("--splits=3 --group=${{ matrix.shard }}", "--splits=1 --group=1")
    )
    script = script.replace("--replicant-app=app/app-debug.apk", "")
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "GITHUB", "CI"))
    }
    environment = {
        **kept,
        **({"GITHUB_STEP_SUMMARY": str(folder / "summary.md")} if on_github else {}),
        "PATH": f"{programs}:{os.environ['PATH']}",
        "SHOP_PASSWORD": "correct horse",
        "TMPDIR": str(folder),  # for sessions of its own
        "DEVICE": "virtual?latency=0",
        "CI_NODE_INDEX": "1",
        "CI_NODE_TOTAL": "1",
    }
    ended = subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_a_workflow_hands_on_what_it_made() -> None:
    """What one job needs is a job, and the shards that pytest is given are those of the matrix."""
    jobs = yaml_of("github-emulators.yml")["jobs"]
    assert {body["needs"] for body in jobs.values() if "needs" in body} <= set(jobs)
    shards = jobs["test"]["strategy"]["matrix"]["shard"]
    assert any(
        f"--splits={len(shards)} --group=" in _of_step(step) for step in jobs["test"]["steps"]
    )


def test_the_ini_is_one() -> None:
    parser = configparser.ConfigParser()
    parser.read_string((HOW_TO / "examples" / "one-phone.ini").read_text(encoding="utf-8"))
    assert parser["pytest"]["replicant_devices"].split() == ["android"]


def test_the_shell_script_lends_tests_and_lets_go(tmp_path: Path) -> None:
    """With commands in place of the real ones that take down how they were called; tests that fail
    let go too."""
    for name in ("adb", "pytest", "replicant"):
        program = tmp_path / name
        program.write_text(
            f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/called\n[ {name} != pytest ]\n'
        )
        program.chmod(0o700)
    script = HOW_TO / "examples" / "remote-adb.sh"
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    ended = subprocess.run(["sh", str(script), "a:1", "b:2"], env=environment, check=False)
    assert ended.returncode == 1
    assert (tmp_path / "called").read_text().splitlines() == [
        "adb connect a:1",
        "adb connect b:2",
        "replicant doctor --device android:a:1 --device android:b:2",
        "pytest -n 2 --replicant-device=android:a:1 --replicant-device=android:b:2 "
        "--replicant-output=report",
        "adb disconnect a:1",
        "adb disconnect b:2",
    ]
    assert (
        subprocess.run(
            ["sh", str(script)], env=environment, stderr=subprocess.DEVNULL, check=False
        ).returncode
        == 2
    )


def test_the_page_of_the_doctor_names_every_check() -> None:
    """Those that the source names, and no other."""
    source = "".join(
        path.read_text() for path in (ROOT / "pytest_replicant" / "pool").rglob("*.py")
    )
    checks = set(re.findall(r'Finding\(\s*"\w+",\s*"([\w -]+)"', source)) - {"checks", "driver"}
    page = (ROOT / "docs" / "reference" / "doctor-command.md").read_text(encoding="utf-8")
    section = page.split("## Checks")[1].split("`replicant doctor --help`")[0]
    told = set(
        re.findall(
            r"`([A-Za-z][\w -]*)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE))
        )
    )
    assert checks | {"pytest-replicant", "uiautomator2"} == told | {"screen"}
    assert len(checks) > 20


def test_every_example_is_on_a_page() -> None:
    told = "".join(page.read_text(encoding="utf-8") for page in HOW_TO.glob("*.md"))
    assert [path.name for path in EXAMPLES if f"](examples/{path.name})" not in told] == []
    assert len(EXAMPLES) >= 4
