"""Documents that are tested: their examples are tests that pass, their links lead somewhere, and
what they list is what there is."""

from __future__ import annotations

import importlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.sentences import faults as too_long
from docs.sentences import pages as written_pages
from docs.sentences import sentences, strange, unusual
from pytest_replicant.model import TABLE
from pytest_replicant.options import SETTINGS
from pytest_replicant.pool import KNOBS
from pytest_replicant.virtual import MAKES
from tests.conftest import Run

from .source_tree import ROOT

README = ROOT / "README.md"
PAGE_LIST = ROOT / "docs" / "README.md"
REFERENCE = ROOT / "docs" / "reference"
EXPLANATION = ROOT / "docs" / "explanation"
A_DRIVER = ROOT / "docs" / "how-to" / "write-a-driver.md"
CONFTEST = "# conftest.py"
"""The first line of an example that belongs there."""
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def tour() -> str:
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_the_tour_runs(run: Run) -> None:
    run(tour()).assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_tour_that_is_wrong_fails(run: Run) -> None:
    """And its advice is the one in the picture: if not, ``python -m docs.picture`` draws it
    again."""
    wrong = tour().replace('"Cart, 1 item"', '"Cart, 1 items"')
    result = run(wrong, "-o", "replicant_expect_timeout=0.5")
    result.assert_outcomes(failed=1)
    shown = re.search(r"the advice is to (.*?)\]", README.read_text(encoding="utf-8"))
    assert shown is not None
    result.stdout.fnmatch_lines([f"*Next: {shown[1]}*"])


@pytest.mark.thorough
@pytest.mark.timeout(900)  # most of it pip's, for some twenty packages
def test_the_lines_that_install_work_in_an_empty_environment(tmp_path: Path) -> None:
    """A clone, the lines of README in it, and the tour in a folder of the reader's own."""
    asked = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--retries=1",
        "--timeout=15",
        "setuptools>=77",
    ]
    index = subprocess.run(
        [*asked, "--dest", tmp_path], capture_output=True, text=True, check=False
    )
    if index.returncode:
        pytest.skip(f"needs a package index: {index.stderr.strip()[-200:]}")
    subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / "clone"], check=True)
    lines = [
        line.removeprefix("$ ") for line in console_of(README).splitlines() if line.startswith("$ ")
    ]
    assert "pip install ." in lines
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "test_cart.py").write_text(tour(), encoding="utf-8")
    script = "\n".join(["set -e", *lines, "cd ../own", "pytest -s test_cart.py"])
    empty = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "PYTEST"))
    }
    empty["PATH"] = os.pathsep.join([str(Path(sys.base_prefix) / "bin"), os.defpath])
    run = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path / "clone",
        env=empty,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "replicant: 1 passed on virtual" in run.stdout


def console_of(page: Path) -> str:
    """The block of a page that installs the package."""
    found = re.search(
        r"```console\n((?:\$ .*\n)*\$ pip install .*\n)```", page.read_text(encoding="utf-8")
    )
    assert found is not None
    return found[1]


NAME = "pytest-replicant"
INVITATION = re.compile(
    # not a path to a checkout
    rf"\b(?:pip3?|pipx|uvx?|poetry|pdm|conda)\b[^\n]*(?<![\w./-]){NAME}(?![\w-])"
    rf"|(?<!\w){NAME}\["
    rf"|^\s*(?:- )?{NAME}\s*(?:[<>=~!].*)?$",  # a line of requirements
    re.MULTILINE,
)


def test_no_text_invites_to_install_a_name_that_is_not_ours() -> None:
    """The name on the public index is anyone's to take."""
    tracked = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    found = {}
    for name in tracked:
        path = ROOT / name
        # The extras that pyproject.toml gives `dev` are resolved to the checkout itself.
        if name == "pyproject.toml" or not path.is_file():
            continue
        found[name] = INVITATION.findall(path.read_text(encoding="utf-8", errors="ignore"))
    assert len(found) > 1000
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.mark.parametrize(
    ("line", "invites"),
    [
        (f"$ pip install {NAME}", True),
        (f"$ python -m pip install --upgrade '{NAME}>=1'", True),
        (f"uv add {NAME}", True),
        (f"pip wheel -r requirements.txt {NAME}", True),
        (f'needs "{NAME}[ocr]"', True),
        (f"    {NAME}==1.0", True),
        (f"$ pip install ./{NAME}", False),
        ("$ pip install '.[ocr]'", False),
        (f"in a checkout of {NAME}, {'pip'} install .", False),
        (f"# {NAME}", False),
    ],
)
def test_an_invitation_is_found(line: str, invites: bool) -> None:
    assert bool(INVITATION.search(f"Next:\n{line}\n")) == invites


def test_the_tour_is_short() -> None:
    assert len(tour().splitlines()) <= 12


def test_links_and_pictures_of_the_readme_lead_to_the_repository_on_an_index() -> None:
    """The address is that of pyproject.toml; what stands behind it is a file here."""
    setup = runpy.run_path(str(ROOT / "setup.py"))
    address, text = setup["address"](), setup["readme"]()
    for kind, pattern in (
        ("raw", r"!\[[^\]]*\]\(([^)]+)\)"),
        ("blob", r"(?<!red-build)\]\(([^)#]+)[^)]*\)"),
    ):
        links = [link for link in re.findall(pattern, text) if kind == "raw" or "/raw/" not in link]
        files = [link.removeprefix(f"{address}/{kind}/HEAD/") for link in links]
        assert links
        assert [name for name in files if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """To a file, and where they name one to a heading in it."""
    links = [
        link
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert [link for link in links if not _leads_somewhere(page, link)] == []


def _leads_somewhere(page: Path, link: str) -> bool:
    path, _, heading = link.partition("#")
    target = page.parent / path if path else page
    return target.exists() and (
        not heading or heading in anchors(target.read_text(encoding="utf-8"))
    )


def anchors(text: str) -> list[str]:
    """What GitHub makes of the headings outside of code; the second of one name has a number."""
    headings = re.findall(
        r"^#{1,6} (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.M
    )
    names = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return [
        f"{name}-{names[:at].count(name)}" if names[:at].count(name) else name
        for at, name in enumerate(names)
    ]


def test_a_link_to_a_heading_that_is_not_there_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One\n## What it is, and why\n## One\n```\n# code\n```\n")
    found = [
        name
        for name in ("one", "one-1", "what-it-is-and-why", "code", "two")
        if _leads_somewhere(page, f"#{name}")
    ]
    assert found == ["one", "one-1", "what-it-is-and-why"]


@pytest.mark.parametrize(
    "page", written_pages(), ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_sentences_are_short(page: Path) -> None:
    """At most 30 words, 15 on average of a page; ``python -m docs.sentences`` shows the longest."""
    name = page.relative_to(ROOT).as_posix()
    assert too_long([*sentences(page.read_text(encoding="utf-8"), name)]) == []


def test_a_sentence_is_counted_by_its_words() -> None:
    """A span of code is one word; items and cells stand alone; code does not count."""
    text = (
        "# A heading that is not counted\n"
        "One `span of code` is [a word](of/a/link.md). It ends\nhere! Not at e.g. this.\n\n"
        "- an item\n- Another one. (And a third.)\n\n"
        "| a cell | Done. |\n|---|---|\n\n```python\nnot = 'counted'\n```\n"
    )
    found = [(each.line, each.words, each.whole) for each in sentences(text)]
    assert found == [
        (2, 5, True), (2, 3, True), (3, 4, True), (5, 2, False), (6, 2, True), (6, 3, True),
        (8, 2, False), (8, 1, True),
    ]  # fmt: skip


def test_a_sentence_that_is_too_long_is_found_and_so_is_a_page_of_long_ones() -> None:
    long, longish = "word " * 30 + "word.", "word " * 15 + "word."
    assert too_long([*sentences(long, "page.md")])[0].startswith("page.md:1: 31 words: word")
    assert too_long([*sentences(longish, "page.md")]) == [
        "page.md: 16.0 words a sentence, more than 15"
    ]
    assert (
        too_long([*sentences("word " * 30, "page.md")])
        == too_long([*sentences(longish + " Yes.")])
        == []
    )


def test_no_page_and_no_docstring_has_a_word_that_no_mainstream_document_uses() -> None:
    assert strange() == []


def test_unusual_words_are_found() -> None:
    text = "Take whatever is there,\nand 0 else. Nothing else, `told else.`\n\n- Looked up afresh\n"
    assert unusual(text, "page.md") == [
        "page.md:1: 'whatever' in ...Take whatever is there, and 0 else. Nothing...",
        "page.md:2: 'else' in ...Take whatever is there, and 0 else. Nothing else, X...",
        "page.md:4: 'afresh' in ...- Looked up afresh...",
    ]


def fences(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "passed", "recovered"),
    [
        (REFERENCE / "session.md", 3, 0),
        (EXPLANATION / "architecture.md", 1, 0),
        pytest.param(A_DRIVER.with_name("accessibility.md"), 3, 0, marks=pytest.mark.ci),
        pytest.param(EXPLANATION / "verification.md", 6, 0, marks=pytest.mark.ci),
        pytest.param(EXPLANATION / "recovery.md", 4, 3, marks=pytest.mark.ci),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_the_examples_of_a_page_run(
    page: Path, passed: int, recovered: int, run: Run, pytester: pytest.Pytester
) -> None:
    """Each as a file of its own, with what the page puts into a ``conftest.py``."""
    examples = [code for code in fences(page) if "def test_" in code]
    pytester.makeconftest("\n\n".join(code for code in fences(page) if code.startswith(CONFTEST)))
    pytester.makepyfile(**{f"test_example_{number}": code for number, code in enumerate(examples)})
    outcomes = run("").parseoutcomes()
    told = {name: outcomes.pop(name, 0) for name in ("passed", "recovered")}
    assert (told, outcomes) == ({"passed": passed, "recovered": recovered}, {})


@pytest.mark.slow
@pytest.mark.thorough
def test_the_driver_that_is_written_on_a_page_keeps_the_contract(
    run: Run, pytester: pytest.Pytester
) -> None:
    """And another one that does not refuse what it lacks breaks it."""
    examples = (code.replace('"virtual"', '"virtual?latency=0"') for code in fences(A_DRIVER))
    car, car_check, module, check, clauses = examples
    pytester.makepyfile(
        car=car, test_car=car_check, television=module, test_check=check, test_clauses=clauses
    )
    pytester.makepyfile(
        radio=module.replace("raise Unsupported", "return Unsupported"),
        test_radio=clauses.replace("television", "radio"),
    )
    result = run("")
    result.assert_outcomes(passed=3, skipped=8, failed=1)
    result.stdout.fnmatch_lines(["*rotate, which needs ROTATE, gives Unsupported(*"])


@pytest.mark.slow
def test_the_drivers_on_a_page_are_imported_and_keep_the_contract(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("car", "check_of_car", "television", "check_of_television", "clauses_of_television")
    for name, code in zip(names, fences(A_DRIVER), strict=True):
        (tmp_path / f"{name}.py").write_text(
            code.replace('"virtual"', '"virtual?latency=0"'), encoding="utf-8"
        )
    monkeypatch.syspath_prepend(tmp_path)
    modules = {name: importlib.import_module(name) for name in names}
    modules["check_of_car"].test_the_car_keeps_the_contract()
    modules["check_of_television"].test_the_television_keeps_the_contract()


@pytest.mark.slow
def test_the_script_on_the_page_of_the_session_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (script,) = (code for code in fences(REFERENCE / "session.md") if "with connect(" in code)
    exec(script.replace('"virtual"', '"virtual?latency=0"'), {})
    assert "Sign in" in capsys.readouterr().out


def test_every_example_of_a_page_is_run_or_only_a_signature() -> None:
    for page in sorted(EXPLANATION.glob("*.md")):
        for code in fences(page):
            is_run = "def test_" in code or code.startswith(CONFTEST)
            assert is_run or page.name == "refs.md", f"{page.name}: {code}"


MOST_OPTIONS, MOST_KEYS = 8, 28
"""A setting more is a decision that every user has to make: whoever adds one changes these
knowingly."""


def test_there_are_few_settings() -> None:
    settings = [one for one in SETTINGS if not one.mode]
    assert len([one for one in settings if one.option is not None]) <= MOST_OPTIONS
    assert len([one for one in settings if one.keys]) <= MOST_KEYS
    assert [one.name for one in SETTINGS if one.mode] == [
        "baseline",
        "replay",
        "update",
        "accessibility",
        "matrix",
        "debug",
    ]
    assert not any(one.keys for one in SETTINGS if one.mode)


def known_names() -> set[str]:
    """Every option and ini key of ours."""
    return {name for one in SETTINGS for name in (one.flag, *one.keys) if name}


def test_the_readme_is_short_and_has_its_picture() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 150
    pictures = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", text)
    assert [
        path
        for alt, path in pictures
        if len(alt) < 30 or not (ROOT / path).stat().st_size <= 60_000
    ] == []
    assert len(pictures) == 1


def deep_imports(text: str) -> list[str]:
    """What a reader would import from below the front doors."""
    found = re.findall(r"^\s*(?:from|import) (pytest_replicant\.[\w.]+)", text, re.MULTILINE)
    return sorted({*found} - {"pytest_replicant.testing", "pytest_replicant.testing.virtual"})


def test_documents_import_from_the_front_doors_alone() -> None:
    pages = [README, *(ROOT / "docs").rglob("*.md"), *(ROOT / "example_app_tests").rglob("*.py")]
    pages += [path for path in (ROOT / "docs" / "how-to" / "examples").iterdir() if path.is_file()]
    deep = {path.name: deep_imports(path.read_text(encoding="utf-8")) for path in pages}
    assert {name: modules for name, modules in deep.items() if modules} == {}


def test_a_planted_deep_import_is_found() -> None:
    text = "from pytest_replicant import by\nfrom pytest_replicant.testing import check_driver\n"
    assert deep_imports(text) == []
    assert deep_imports(text + "    from pytest_replicant.pool import open_device\n") == [
        "pytest_replicant.pool"
    ]


def test_the_list_of_pages_has_every_page() -> None:
    folder = PAGE_LIST.parent
    pages = {page.relative_to(folder).as_posix() for page in folder.rglob("*.md")} - {
        PAGE_LIST.name
    }
    assert [
        page for page in sorted(pages) if f"]({page})" not in PAGE_LIST.read_text(encoding="utf-8")
    ] == []


def test_the_list_of_pages_has_the_name_that_each_page_and_the_sidebar_have() -> None:
    """The sidebar of the site shows the heading of a page."""
    listed = re.findall(r"\[([^\]]+)\]\(([^)]+\.md)\)", PAGE_LIST.read_text(encoding="utf-8"))
    headings = [
        (PAGE_LIST.parent / page).read_text(encoding="utf-8").partition("\n")[0]
        for _, page in listed
    ]
    assert [f"# {name}" for name, _ in listed] == headings
    assert len(listed) > 50


def beyond_tables(text: str) -> list[str]:
    """What the page of figures has below its first table besides headings, commands and tables."""
    below = text.partition("\n## ")[2].splitlines()[1:]
    return [line for line in below if not re.match(r"## |\||`(python -m|pytest) .*`$|$", line)]


def test_the_page_of_figures_is_made_of_tables_alone() -> None:
    text = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert beyond_tables(text) == []
    assert beyond_tables(f"{text}\nMedian of 30 runs.\n") == ["Median of 30 runs."]


RECIPES = ROOT / "docs" / "how-to" / "recipes.md"


def test_recipes_are_short() -> None:
    for code in fences(RECIPES):
        lines = [
            line
            for line in code.removeprefix(CONFTEST).splitlines()
            if line and "import" not in line
        ]
        assert 2 <= len(lines) <= 8, code


@pytest.mark.slow
@pytest.mark.ci
def test_the_recipes_run(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_PASSWORD", "correct horse")
    codes = fences(RECIPES)
    pytester.makeconftest(next(code for code in codes if code.startswith(CONFTEST)))
    (resources,) = re.findall(
        "^replicant_resources = (.*)$", RECIPES.read_text(encoding="utf-8"), re.MULTILINE
    )
    imports = "import uuid\nimport pytest\nfrom pytest_replicant import by, recorded\n"
    tests = [code for code in codes if "def test_" in code]
    result = run("\n".join([imports, *tests]), "-o", f"replicant_resources={resources}")
    result.assert_outcomes(passed=len(re.findall("def test_", "".join(tests))))


@pytest.mark.slow
@pytest.mark.thorough
def test_the_site_is_built_and_a_dead_link_fails(tmp_path: Path) -> None:
    """To a page, a heading and a file; a page that no one links fails too."""
    subprocess.run(["make", "--silent", "docs-site"], cwd=ROOT, check=True)
    assert "README.html" in (ROOT / "docs-site" / "index.html").read_text(encoding="utf-8")
    copy = tmp_path / "copy"
    left_out = shutil.ignore_patterns(".*", "*.egg-info", "docs-site", "replicant-report", "tests")
    shutil.copytree(ROOT, copy, ignore=left_out)
    with (copy / "docs" / "how-to" / "shards.md").open("a") as page:
        page.write(
            "\n[1](no-page.md) [2](one-phone.md#no-heading) [3](examples/no-file.ini) "
            "[4](#no-heading)\n"
        )
    (copy / "docs" / "unlinked.md").write_text("# Unlinked\n")
    python = ROOT / ".venv-docs" / "bin" / "python"
    command = [str(python), "-m", "sphinx", "-qW", "--keep-going", "-c", str(copy / "docs")]
    ended = subprocess.run(
        [*command, str(copy), str(tmp_path / "site")], capture_output=True, text=True, check=False
    )
    found = re.findall(r"(no-page.md|no-heading|no-file.ini|unlinked.md)", ended.stderr)
    assert (ended.returncode, sorted(found)) == (
        1,
        ["no-file.ini", "no-heading", "no-heading", "no-page.md", "unlinked.md"],
    )


def test_what_may_be_repeated_is_told_in_full() -> None:
    text = (EXPLANATION / "recovery.md").read_text(encoding="utf-8")
    told = text.split("Some actions do no more")[1].split("They may be repeated")[0]
    assert set(re.findall(r"`(\w+)`", told)) - {"append"} == {
        one.name for one in TABLE if one.idempotent
    }


REAL_PHONES = (REFERENCE / "real-phones.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (?!what )(.*) \|$", re.MULTILINE)
_TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows_of(section: str) -> list[list[str]]:
    """Its rows: what phones do, evidence, profile or knob, test."""
    text = REAL_PHONES.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return [[cell.strip() for cell in cells.split(" | ")] for cells in _ROW.findall(text)]


@pytest.mark.parametrize(
    ("section", "least"),
    [("In drivers, parsers and preparation", 30), ("In the virtual phone", 16)],
)
def test_all_that_real_phones_do_has_evidence_and_a_test(section: str, least: int) -> None:
    rows = rows_of(section)
    assert len(rows) >= least
    assert [row for row in rows if len(row) != 4 or not all(row)] == []
    assert [row for row in rows if _TEST.fullmatch(row[3]) is None] == []


def test_each_test_that_is_named_there_exists() -> None:
    named = _TEST.findall(REAL_PHONES)
    sources = {path: (ROOT / "tests" / path).read_text(encoding="utf-8") for path, _ in named}
    assert [name for path, name in named if f"def {name}(" not in sources[path]] == []


def test_profiles_and_knobs_that_are_named_there_exist() -> None:
    knobs = {name.split("=")[0] for name in re.findall(r"`(\w+=)[\w-]*`", REAL_PHONES)}
    assert knobs <= set(KNOBS)
    page = (REFERENCE / "virtual-phone.md").read_text(encoding="utf-8")
    assert [name for name in MAKES if f"| `{name}` |" not in page] == []
    assert set(re.findall(r"`profile=([\w-]+)`", README.read_text(encoding="utf-8"))) <= set(MAKES)
