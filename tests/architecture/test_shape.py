"""The house keeps its shape: no cycles, no more code than is allowed, nothing heavy at the door."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

from benchmarks.house import DIALECT, INNER, above, ceilings, counts
from benchmarks.startup import install
from benchmarks.weighing import complexities, folder_tokens, foreign_attributes, tokens
from pytest_replicant.model.lazy_names import lazy_names, listed

from .source_tree import PACKAGE, ROOT, cycle, imports

HEAVY = (
    "adbutils", "uiautomator2", "wda", "lxml", "PIL", "requests", "xxhash", "allure", "filelock",
    "configparser", "msgspec", "statistics", "pytest_replicant.pool.apps.package",
    "pytest_replicant.drivers.base", "pytest_replicant.logs", "pytest_replicant.model.element",
    "pytest_replicant.model.failure", "pytest_replicant.model.test_trace",
    "pytest_replicant.pool.device_pool", "pytest_replicant.pool.leases",
    "pytest_replicant.recovery", "pytest_replicant.reporting.artifacts.storage",
    "pytest_replicant.reporting.publisher", "pytest_replicant.reporting.triage",
    "pytest_replicant.session", "pytest_replicant.snapshots", "pytest_replicant.virtual",
)  # fmt: skip
"""Libraries and rooms that a run without phones does not load."""
MOST_LOADED = 50
"""Modules of the package that it does."""


def test_no_import_cycles() -> None:
    assert cycle(imports(PACKAGE)) == []


def test_a_planted_cycle_is_found(tmp_path: Path) -> None:
    package = tmp_path / "house"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("def f():\n    from . import two\n")
    (package / "two.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .one import f\n"
    )
    assert cycle(imports(package)) == ["house.one", "house.two", "house.one"]


@pytest.mark.slow
def test_the_import_contracts_hold() -> None:
    # In a process of its own: the linter configures logging, which mutes every logger that exists
    # by then.
    lint = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    command = [sys.executable, "-c", lint, "--no-cache"]
    linted = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


EYES = (
    "rapidocr", "onnxruntime", "cv2", "numpy", "pytest_replicant.accessibility",
    "pytest_replicant.vision.text", "pytest_replicant.vision.icons",
    "pytest_replicant.vision.marks", "pytest_replicant.vision.compare",
    "pytest_replicant.vision.contrast", "pytest_replicant.vision.picture",
)  # fmt: skip
"""Whatever looks at pictures, or judges by rules: loaded by the first call that asks for it."""


@pytest.mark.slow
def test_a_session_that_looks_at_no_picture_loads_nothing_for_it() -> None:
    code = (
        "import sys\n"
        "from pytest_replicant.testing import virtual_session\n"
        "with virtual_session('dev.replicant.shop', screenshots=False) as mobile:\n"
        "    mobile.tap(text='Sign in').expect_visible(text='Sign in')\n"
        f"    print('EYES', [name for name in {EYES!r} if name in sys.modules])\n"
        "    mobile.shot()\n"
        "    print('THEN', 'pytest_replicant.vision.picture' in sys.modules)\n"
    )
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert "EYES []" in run.stdout, run.stdout + run.stderr
    assert "THEN True" in run.stdout  # the test can fail


@pytest.mark.slow
def test_a_run_without_phones_imports_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text("def test_plain():\n    pass\n")
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_unconfigure(config):\n"
        f"    print('HEAVY', sorted(m for m in {HEAVY!r} if m in sys.modules))\n"
        "    print('LOADED', sum(m.startswith('pytest_replicant') for m in sys.modules))\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:allure_pytest", "-p", "no:randomly"]
    if not _installed():
        command += ["-p", "pytest_replicant.plugin"]
    run = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "1 passed" in run.stdout, run.stdout + run.stderr
    assert "HEAVY []" in run.stdout
    assert int(run.stdout.partition("LOADED ")[2].split()[0]) <= MOST_LOADED


CONFTEST = """
import os, sys
from pathlib import Path

def checked(value):
    assert value == 2

def pytest_sessionfinish():
    ours = [name for name, module in sys.modules.items() if name.startswith("pytest_replicant")]
    rewritten = [name for name in ours if "@pytest_ar" in vars(sys.modules[name])]
    Path("rewritten-" + os.environ.get("PYTEST_XDIST_WORKER", "here")).write_text(" ".join(rewritten))
"""
USERS_PLUGIN = """
def also_checked(value):
    assert value == 2
"""
USERS_DISTRIBUTION = {
    "METADATA": "Metadata-Version: 2.1\nName: users\nVersion: 0\n",
    "RECORD": "users_plugin.py,,\n",
    "entry_points.txt": "[pytest11]\nusers = users_plugin\n",
}
USERS_TESTS = """
from conftest import checked
from users_plugin import also_checked

def test_phone(mobile):
    from pytest_replicant.testing import contract
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_of_tests(pytester):
    pytester.makepyfile("def test_inner(): assert 1 == 2")
    pytester.runpytest_inprocess("-W", "error").stdout.fnmatch_lines("*assert 1 == 2")

def test_here():
    assert [1, 1] == [1, 2]

def test_in_conftest():
    checked(1)

def test_in_a_plugin():
    also_checked(1)
"""


@pytest.mark.slow
@pytest.mark.ci
@pytest.mark.parametrize(
    ("options", "plainly"),
    [
        ((), True),
        (("-n", "1"), True),
        (("-p", "no:replicant", "-p", "pytest_replicant.plugin"), True),
        (("-p", "rewritten"), False),  # as pytest does with other plugins: the test can fail
    ],
)
def test_only_assertions_of_users_and_of_testing_are_rewritten(
    options: tuple[str, ...], plainly: bool, tmp_path: Path
) -> None:
    site, project = tmp_path / "site", tmp_path / "project"
    install(site)
    (site / "users_plugin.py").write_text(USERS_PLUGIN)
    (site / "users-0.dist-info").mkdir()
    for name, text in USERS_DISTRIBUTION.items():
        (site / "users-0.dist-info" / name).write_text(text)
    project.mkdir()
    (project / "conftest.py").write_text(CONFTEST)
    (project / "test_users.py").write_text(USERS_TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-W",
        "error",
        "-p",
        "pytester",
        "-p",
        "no:randomly",
        *options,
    ]
    command += ["--replicant-device=virtual?latency=0", "--replicant-screenshot=off"]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")
    }
    environment["PYTHONPATH"] = str(site)
    run = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False
    )
    assert "3 failed, 2 passed" in run.stdout, run.stdout + run.stderr
    assert run.stdout.count("E       assert 1 == 2\n") == 2
    assert "At index 1 diff: 1 != 2" in run.stdout
    rewritten = (project / f"rewritten-{'gw0' if '-n' in options else 'here'}").read_text().split()
    assert "pytest_replicant.testing.contract" in rewritten
    others = [name for name in rewritten if not name.startswith("pytest_replicant.testing")]
    assert ("pytest_replicant.session.step" in others) == (not plainly)
    assert (others == []) == plainly


def _installed() -> bool:
    from importlib.metadata import entry_points

    return any(point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11"))


def test_the_facade_is_sorted_and_real() -> None:
    import pytest_replicant

    assert list(pytest_replicant.__all__) == sorted(pytest_replicant.__all__)
    assert [name for name in pytest_replicant.__all__ if not hasattr(pytest_replicant, name)] == []


def test_the_facade_gives_no_module_for_what_it_promises() -> None:
    """Importing a submodule sets its name on the package, over what is to be found there under that
    name."""
    import pytest_replicant

    modules_beside = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()
    }
    assert modules_beside & set(pytest_replicant.__all__) == set()
    from pytest_replicant import connect

    assert callable(connect)


FRONT_DOORS = [
    path
    for path in PACKAGE.glob("**/__init__.py")
    if "lazy_names(" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", FRONT_DOORS, ids=lambda path: path.parent.name)
def test_a_front_door_loads_what_it_shows(path: Path) -> None:
    """A module of the name of what it holds would stand in its place, once it is imported."""
    name = ".".join(("pytest_replicant", *path.parent.relative_to(PACKAGE).parts))
    room = importlib.import_module(name)
    shown = listed(name, path.read_text(encoding="utf-8")).keys()
    assert [each for each in sorted(shown) if not hasattr(room, each)] == []
    assert shown <= set(dir(room))
    modules_inside = {
        each.stem for each in path.parent.iterdir() if each.suffix == ".py" or each.is_dir()
    }
    assert shown & modules_inside == set()


def test_a_front_door_reads_relative_imports_with_their_aliases() -> None:
    text = (
        "from .z import Z\nif TYPE_CHECKING:\n    from .a.b import A as B, C\n    from ..d "
        "import D\n"
    )
    assert listed("house.room", text) == {
        "B": ("house.room.a.b", "A"), "C": ("house.room.a.b", "C"), "D": ("house.d", "D")
    }  # fmt: skip


@pytest.mark.parametrize(
    "line", ["from a import A", "from . import a", "from .a import *", "import a", "A = 1"]
)
def test_a_front_door_that_cannot_be_read_says_where(line: str) -> None:
    with pytest.raises(
        ImportError, match=f"house, line 2: .{re.escape(line)}. is no import that lazy_names reads"
    ):
        listed("house", f"if TYPE_CHECKING:\n    {line}\n")


def test_a_front_door_without_its_source_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    bare = types.ModuleType("bare_house")
    bare.__file__ = "bare_house.pyc"
    monkeypatch.setitem(sys.modules, "bare_house", bare)
    with pytest.raises(ImportError, match="bare_house is installed without its source"):
        lazy_names("bare_house")[0]("anything")


def test_a_front_door_has_nothing_else() -> None:
    with pytest.raises(
        AttributeError, match=r"module 'pytest_replicant.logs' has no attribute 'Nothing'"
    ):
        _ = importlib.import_module("pytest_replicant.logs").Nothing


def test_rooms_never_import_the_facade() -> None:
    graph = imports(PACKAGE)
    assert [name for name, targets in graph.items() if "pytest_replicant" in targets] == []


@pytest.mark.slow
@pytest.mark.ci
def test_assertions_say_a_type_and_guard_nothing() -> None:
    """Under ``python -O`` there are none."""
    rooms = [PACKAGE / name for name in ("session", "recovery", "drivers", "pool")]
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for room in rooms for path in room.rglob("*.py")
    ]
    said = [
        ast.unparse(one.test)
        for tree in trees
        for one in ast.walk(tree)
        if isinstance(one, ast.Assert)
    ]
    assert [one for one in said if not re.fullmatch(r"[\w.]+ is not None", one)] == []


@pytest.mark.ci
def test_the_house_does_not_grow_unnoticed() -> None:
    """A ceiling is lowered if there is less now, and raised only on purpose."""
    now = counts()
    assert now.keys() == ceilings().keys()
    assert above(now) == {}


@pytest.mark.parametrize("name", ceilings())
def test_a_count_above_its_ceiling_is_named(name: str) -> None:
    most, reason = ceilings()[name]
    assert reason
    assert above({name: most}) == {}
    assert above({name: most + 1}) == {name: most + 1}


def test_a_count_without_a_ceiling_is_named() -> None:
    assert above({"windows": 1}) == {"windows": 1}


def test_a_planted_house_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    branchy = "def f(a):\n" + "    if a:\n        a.b = 1\n" * 12  # 6 tokens, and 8 a time
    # 21 tokens
    dense = '"""It is so where it is, if at all."""\nfrom .branchy import f\nx = [a if b and c and d else e for e in f]\n'
    files = {
        "pytest_replicant/branchy.py": branchy,
        "pytest_replicant/dense.py": dense,
        "pytest_replicant/page.css": "a {\n}\n",
        "pytest_replicant/virtual/__init__.py": "",
        "pytest_replicant/virtual/phone.py": f"{branchy}# twelve more\n",
        "tests/unit/test_it.py": "from pytest_replicant.pool.warm import y\n",
        "benchmarks/speed.py": "speed = 1\n",
        "docs/page.md": "You are told.\n",
        "README.md": "Nobody is.\n",
        "CHANGELOG.md": "What was told is not counted.\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr("pytest_replicant.__all__", ["one"])
    monkeypatch.setattr("pytest_replicant.testing.__all__", ["another"])
    monkeypatch.setattr("pytest_replicant.options.options.SETTINGS", ())
    assert list(counts(tmp_path).values()) == [
        124, 102, 8, 3, 2, 5, 1, 2, 1, 26, 8.06, 8.06, 8.06, 1000.0, 1, 1.0, 12, 2, 0, 0, 1, 2
    ]  # fmt: skip


WEIGHED = '''"""A docstring is free."""
def f(a: int = 1) -> str:
    """So is this."""  # and this
    b = """no docstring"""
    return f"{a!r:>{a}} and {f'{b}'} {{}}" + f"""
    {a + len("x")}
    """
'''


def test_an_f_string_is_one_token() -> None:
    assert tokens(WEIGHED) == 19
    assert tokens(WEIGHED.replace("f(a:", "f(b, a:")) == 21


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13"])
def test_every_python_counts_the_same(version: str, tmp_path: Path) -> None:
    here = Path.home().glob(f".pyenv/versions/{version}.*/bin/python")
    python = next(map(str, here), None) or shutil.which(f"python{version}")
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    (tmp_path / "weighed.py").write_text(WEIGHED)
    command = [python, "-m", "benchmarks.weighing", str(tmp_path), "docs"]
    counted = subprocess.check_output(command, cwd=ROOT, text=True, timeout=60)
    assert int(counted) == 19 + folder_tokens(ROOT / "docs")


def test_branches_are_counted() -> None:
    code = "def f(a):\n    assert a and a or a\n    return [b if b else a for b in a if b]\n"
    assert list(complexities(ast.parse(code))) == [7]
    nested = "def f(a):\n    def g():\n        while a:\n            pass\n"
    assert list(complexities(ast.parse(nested))) == [2, 2]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("a.b = c.d = 1", 2), ("a.b, (c.d, e) = f", 2), ("a.b += 1", 1), ("a.b: int = 1", 1),
        ("setattr(a, 'b', 1)", 1), ("object.__setattr__(a, 'b', 1)", 1),
        ("self.b = cls.b = b = 1", 0), ("a.b", 0), ("a['b'] = 1", 0),
    ],
)  # fmt: skip
def test_assignments_to_another_object_are_counted(line: str, count: int) -> None:
    assert foreign_attributes(ast.parse(line)) == count


def test_words_and_inner_imports_are_counted() -> None:
    assert DIALECT.findall("It is told anew, and nobody mends what is mendable; untold, retold.") == [
        "told", "anew", "nobody", "mends", "what is", "mendable"
    ]  # fmt: skip
    inner = ["    from pytest_replicant.pool.warm import y", "import pytest_replicant.a.b"]
    assert len(INNER.findall("\n".join(["from pytest_replicant.pool import x", *inner]))) == 2
