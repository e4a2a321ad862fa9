"""What a project has for recorded steps is found without running it, and only where it is surely
the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pytest_replicant.test_code import Fit, fits, project_files

STEPS = (
    'mobile.launch("dev.replicant.shop").expect_screen("Sign in")',
    'mobile.fill(text="Email", value="ada@example.com")',
    'mobile.tap(text="Sign in").expect_screen("Catalogue").expect_visible(text="Welcome, Ada")',
    'mobile.tap(text="Add", row_with=by(text="Red mug"))',
    'mobile.expect_visible(text="Red mug")',
)
SIGNED_IN = """\
import pytest
from pytest_replicant import by

@pytest.fixture
def signed_in(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(value='ada@example.com', text="Email")
    mobile.tap(text="Sign in").expect_screen("Catalogue").expect_visible(text="Welcome, Ada")
    return mobile
"""
PAGES = """\
from pytest_replicant import by

class SignIn:
    def __init__(self, mobile):
        self.mobile = mobile

    def sign_in(self, email, *, timeout=5):
        self.mobile.fill(text="Email", value=email)
        self.mobile.tap(text="Sign in").expect_screen("Catalogue").expect_visible(text="Welcome, Ada")
        return self

class Shelf:
    def __init__(self, phone):
        self.phone = phone

    def add(self, product):
        self.phone.tap(text="Add", row_with=by(text=product))
        return self.phone.expect_visible(text=product)
"""
FIXTURE = Fit(0, 2, "", ("signed_in",), (), "tests/conftest.py:5")
SIGN_IN = Fit(
    1,
    2,
    'SignIn(mobile).sign_in(email="ada@example.com")',
    (),
    ("from pages import SignIn",),
    "tests/pages.py:7",
)
ADD = Fit(
    3,
    4,
    'Shelf(mobile).add(product="Red mug")',
    (),
    ("from pages import Shelf",),
    "tests/pages.py:16",
)


@pytest.fixture
def near(tmp_path: Path) -> Path:
    """The file that a test goes to, of a project that has nothing yet."""
    (tmp_path / "tests").mkdir()
    return tmp_path / "tests" / "test_shop.py"


def found(near: Path, *steps: str, **files: str) -> list[Fit]:
    """What fits the steps with these files next to the test; ``own`` is the test's own file."""
    for name, text in files.items():
        path = near if name == "own" else near.parent / f"{name}.py"
        path.write_text(text, encoding="utf-8")
    return fits(steps or STEPS, near.parents[1], near)


def test_fixtures_and_page_objects_are_found(near: Path) -> None:
    assert found(near) == []
    assert found(near, pages=PAGES) == [SIGN_IN, ADD]
    assert found(near, conftest=SIGNED_IN) == [FIXTURE, ADD]
    assert found(near, own=PAGES.replace("Shelf", "Store")) == [
        FIXTURE,  # of two that fit equally, neither
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("value='ada@example.com'", "value='eve@example.com'"),
        ("    return mobile", "    yield mobile\n    mobile.stop('x')"),
        ("@pytest.fixture", "@pytest.fixture(scope='session')"),
        ("@pytest.fixture", "@pytest.fixture(autouse=True)"),
        ("@pytest.fixture", "@other\n@pytest.fixture"),
        ("import pytest", "import mine as pytest"),
        ("(mobile)", "(mobile, unheard_of)"),
        ("def signed_in", "async def signed_in"),
        ('"dev.replicant.shop"', "SHOP"),
        ("    mobile.fill(", "    if 1: mobile.fill("),
        ("from pytest_replicant import by", "@pytest.fixture\ndef mobile(): ..."),
        (SIGNED_IN, SIGNED_IN + SIGNED_IN.partition("by\n")[2].replace("signed_in", "also")),
    ],
)  # fmt: skip
def test_a_fixture_that_may_do_something_else_fits_nothing(
    near: Path, before: str, after: str
) -> None:
    assert found(near, conftest=SIGNED_IN) == [FIXTURE]
    assert before in SIGNED_IN
    changed = SIGNED_IN.replace(before, after)
    assert found(near, conftest=changed) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    return mobile\n", ""),
        ("def signed_in", "def make"),
        ('"dev.replicant.shop"', "SHOP"),
        ("@pytest.fixture", "@mobile_state(proof=by(text='Welcome'))"),
        ("(mobile)", "(mobile, request, tmp_path)"),
        ("(mobile)", "(mobile, account)"),
    ],
)  # fmt: skip
def test_a_fixture_can_be_written_in_other_words(near: Path, before: str, after: str) -> None:
    head = "from pytest_replicant import mobile_state\nSHOP = 'dev.replicant.shop'\n"
    text = head + "import pytest\n@pytest.fixture(scope='session')\ndef account(): return load()\n"
    text += SIGNED_IN.replace(before, after)
    if after == "def make":
        text = text.replace("@pytest.fixture\n", "@pytest.fixture(name='signed_in')\n")
    [fit] = found(near, conftest=text)
    assert (fit.first, fit.last, fit.arguments) == (0, 2, ("signed_in",))


def test_a_fixture_that_builds_on_another_stands_for_both(near: Path) -> None:
    above = (
        "import pytest\nfrom pytest_replicant import by\n@pytest.fixture\ndef "
        "with_mug(signed_in):\n"
    )
    body = '    signed_in.tap(text="Add", row_with=by(text="Red mug"))\n'
    [fit] = found(near, conftest=SIGNED_IN, own=above + body)
    assert (fit.first, fit.last, fit.arguments) == (0, 3, ("with_mug",))
    assert found(near, own=above + body.replace("Add", "Remove")) == [FIXTURE]
    assert found(near, *STEPS[1:], own=above + body) == []  # not the first steps


def test_the_nearest_fixture_of_a_name_counts(near: Path) -> None:
    (near.parents[1] / "conftest.py").write_text(SIGNED_IN, encoding="utf-8")
    assert [fit.source for fit in found(near)] == ["conftest.py:5"]
    assert found(near, conftest=SIGNED_IN.replace("ada@", "eve@")) == []
    aside = near.parent / "aside"
    aside.mkdir()
    (aside / "conftest.py").write_text(SIGNED_IN, encoding="utf-8")
    assert found(near) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("email, *", "email, name, *"),
        ("email, *", "*email, more"),
        (
            "        self.mobile = mobile",
            "        self.mobile = mobile\n        mobile.launch('x')",
        ),
        ("    def __init__", "    @other\n    def __init__"),
        ("class SignIn:", "class SignIn(Base):"),
        ("    def sign_in", "    @property\n    def sign_in"),
        ("    def sign_in", "    def forget(self):\n        self.mobile = None\n\n    def sign_in"),
        ("    def sign_in", "    def __getattribute__(self, name): ...\n\n    def sign_in"),
        ("        return self", "        return Catalogue(self.mobile)"),
        ("value=email", 'value=f"{email}"'),
    ],
)
def test_a_page_object_that_may_do_something_else_fits_nothing(
    near: Path, before: str, after: str
) -> None:
    assert before in PAGES
    assert SIGN_IN in found(near, pages=PAGES)
    assert [fit.code for fit in found(near, pages=PAGES.replace(before, after, 1))] == [ADD.code]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    def __init__(self, mobile):", "    def __init__(self, mobile: Mobile) -> None:"),
        ("self.mobile", "self._phone"),
        ("        return self\n", "        return self.mobile\n"),
    ],
)
def test_a_page_object_can_be_written_in_other_words(near: Path, before: str, after: str) -> None:
    assert before in PAGES
    assert SIGN_IN.code in [fit.code for fit in found(near, pages=PAGES.replace(before, after))]


def test_each_value_of_a_parameter_is_the_same(near: Path) -> None:
    steps = (STEPS[3], STEPS[4].replace("Red", "Blue"))
    assert found(near, *steps, pages=PAGES) == []
    assert found(near, *STEPS[3:], *steps) == [Fit(0, 1, ADD.code, (), ADD.imports, ADD.source)]
    secret = ('mobile.fill(text="Email", value=Secret(os.environ["E"]))', STEPS[2])
    assert [fit.code for fit in found(near, *secret)] == [
        'SignIn(mobile).sign_in(email=Secret(os.environ["E"]))'
    ]
    late = ('mobile.fill(text="Email", value=mobile.find(text="X").text)', STEPS[2])
    assert found(near, *late) == []  # what it is asked for first is on another screen


def test_names_mean_what_they_mean_in_their_file(near: Path) -> None:
    for imports in (
        "import pytest_replicant as by_us",
        "from pytest_replicant.model import by as b",
    ):
        name = "by_us.by" if "by_us" in imports else "b"
        text = PAGES.replace("from pytest_replicant import by", imports).replace(
            "=by(", f"={name}("
        )
        assert found(near, pages=text) == [SIGN_IN, ADD]
    for imports in (
        "from elsewhere import by",
        "by = 1",
        "",
        "from pytest_replicant import by\nby = other",
    ):
        text = PAGES.replace("from pytest_replicant import by", imports)
        assert [fit.code for fit in found(near, pages=text)] == [SIGN_IN.code]


def test_only_what_can_be_imported_is_used(near: Path) -> None:
    root = near.parents[1]
    (root / "lib").mkdir()
    (root / "lib" / "pages.py").write_text(PAGES, encoding="utf-8")
    assert found(near) == []
    assert [fit.imports for fit in found(near, own="from lib.pages import Shelf\n")] == [
        ("from lib.pages import SignIn",), ("from lib.pages import Shelf",)
    ]  # fmt: skip
    near.unlink()
    (root / "conftest.py").touch()  # for which pytest puts the folder on the path
    assert [fit.imports[0] for fit in found(near)] == [
        "from lib.pages import SignIn",
        "from lib.pages import Shelf",
    ]
    assert [fit.code for fit in found(near, own="Shelf = 1\n")] == [SIGN_IN.code]
    (root / "pytest.ini").write_text(
        "[pytest]\naddopts = --import-mode=importlib\n", encoding="utf-8"
    )
    assert found(near) == []


def test_packages_are_imported_by_their_whole_name(near: Path) -> None:
    (near.parent / "__init__.py").touch()
    assert [fit.imports[0] for fit in found(near, pages=PAGES)] == [
        "from tests.pages import SignIn", "from tests.pages import Shelf"
    ]  # fmt: skip
    for name in ("test_pages", "conftest"):
        (near.parent / "pages.py").rename(near.parent / f"{name}.py")
        assert found(near) == []
        (near.parent / f"{name}.py").rename(near.parent / "pages.py")


def test_files_that_cannot_be_read_are_left_out(
    near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = near.parent
    (folder / "bad.py").write_bytes(b"x = '\xff'\n.tap(")
    (folder / "loop.py").symlink_to(folder / "loop.py")
    os.mkfifo(folder / "pipe.py")
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "pages.py").write_text(PAGES, encoding="utf-8")
    assert found(near, pages=PAGES) == [SIGN_IN, ADD]
    monkeypatch.setattr(project_files, "MOST_BYTES", len(PAGES) - 1)
    assert found(near) == []
    monkeypatch.undo()
    monkeypatch.setattr(project_files, "MOST_FILES", 1)
    assert found(near) == []


def test_nothing_of_the_project_is_run(near: Path) -> None:
    trap = f"open({str(near.parent / 'ran')!r}, 'w')\n"
    assert found(near, pages=PAGES + trap, conftest=SIGNED_IN + trap, own=trap) == [FIXTURE, ADD]
    assert not (near.parent / "ran").exists()
