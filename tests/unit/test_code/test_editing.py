"""A test is written into a file, and every other line of it stays as it was."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant import ReplicantError, UsageError
from pytest_replicant.test_code import (
    NewTest,
    inserted,
    patch_of,
    read_source,
    with_check,
    write_source,
    written,
)

ORDER = NewTest("test_order", ("mobile",), ('mobile.tap(text="Buy").expect_screen("Cart")',), ())
SECRET = replace(
    ORDER,
    body=('mobile.fill(text="Password", value=Secret(os.environ["SHOP_PASSWORD"]))',),
    imports=("import os", "from pytest_replicant import Secret, by"),
)
TEST = '\n\ndef test_order(mobile):\n    mobile.tap(text="Buy").expect_screen("Cart")\n'
LONG = (
    'mobile.tap(text="Sign in").expect_screen("Catalogue and more").expect_visible(text="Welcome, '
    'Ada")',
    'with mobile.step("Sign in with a rather long name for a button in this app and now it is too '
    'long"):',
    '    mobile.tap(text="Sign in with a rather long name for a button in this '
    'app").expect_screen("Catalogue")',
)


def ruff(text: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--isolated", *arguments, "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


# --- a new file -----------------------------------------------------------------------------------


def test_a_file_without_code_is_as_a_new_one() -> None:
    for source in (None, "", "\n\n", "\ufeff\r\n"):
        assert written(source, ORDER) == TEST.lstrip("\n")


def test_imports_are_sorted_into_blocks(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n", encoding="utf-8")
    (tmp_path / "pages.py").touch()
    wanted = (
        "from pages import SignIn",
        "from pytest_replicant import by, Secret",
        "import pytest",
        "import os",
    )
    new = replace(ORDER, imports=(*wanted, "from pytest_replicant import by"))
    assert written(None, new, path=tmp_path / "test_x.py").splitlines()[:7] == [
        "import os",
        "",
        "import pytest",
        "from pytest_replicant import Secret, by",
        "",
        "from pages import SignIn",
        "",
    ]


def test_long_calls_are_wrapped_as_ruff_does(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text("line-length = 72\n", encoding="utf-8")
    new = replace(
        SECRET,
        body=LONG,
        arguments=("mobile", "signed_in_as_ada", "with_an_empty_cart", "in_a_narrow_window"),
    )
    text = written(None, new, path=tmp_path / "tests" / "test_x.py")
    flat = text[: text.index("def ")] + f"def test_order({', '.join(new.arguments)}):\n"
    flat += "".join(f"    {line}\n" for line in LONG)
    assert text == ruff(flat, "--line-length=72")


@pytest.mark.parametrize(("config", "source"), [("", "x=1\n"), ("[tool.ruff\n", "x = 1\n")])
def test_what_no_formatter_has_left_so_is_not_formatted(
    tmp_path: Path, config: str, source: str
) -> None:
    (tmp_path / "pyproject.toml").write_text(config, encoding="utf-8")
    new = replace(ORDER, body=(f'mobile.tap(text="{"x" * 88}")',))
    assert written(source, new, path=tmp_path / "test_x.py").endswith(f"):\n    {new.body[0]}\n")


def test_what_no_line_of_a_test_can_be_is_refused() -> None:
    for body in (("# a\nimport os",), ("x = (",), ("a\0b",)):
        with pytest.raises(ReplicantError, match="no test was written"):
            written(None, replace(ORDER, body=body))
    with pytest.raises(ReplicantError, match="'break' outside loop"):
        written(None, replace(ORDER, body=("break",)))
    assert written(None, replace(ORDER, body=("# nothing",))).endswith("    # nothing\n    pass\n")


def test_a_text_of_several_lines_stays_what_it_was() -> None:
    body = ('text = """a', "  b", "", '    c"""', "if text:", "    mobile.note(text)")
    scope: dict[str, object] = {}
    source = written("class Shop:\n\tx = 1\n", replace(ORDER, body=body))
    exec(source.replace("mobile.note(text)", "mobile(text)"), scope)
    said: list[str] = []
    scope["test_order"](said.append)  # type: ignore[operator]
    assert said == ["a\n  b\n\n    c"]


# --- a file that is there -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\n", "x = 1\n" + TEST),
        ("x = 1\n\n\n\n", "x = 1\n\n\n\n" + TEST.lstrip("\n")),
        ("x = 1", ("x = 1\n" + TEST)[:-1]),
        ("\ufeffx = 1\r\ny = 2\r\n", "\ufeff" + ("x = 1\ny = 2\n" + TEST).replace("\n", "\r\n")),
        ("# licence\n", "# licence\n" + TEST),
        (
            "def test_a():\n    pass\n    # in it\n# out\n",
            "def test_a():\n    pass\n    # in it\n# out\n" + TEST,
        ),
        (
            "def test_a():\n\tif 1:\n\t\tpass\n",
            "def test_a():\n\tif 1:\n\t\tpass\n" + TEST.replace("    ", "\t"),
        ),
    ],
    ids=["plain", "empty lines", "no last end", "windows", "comments", "comment below", "tabs"],
)
def test_a_test_is_appended(source: str, expected: str) -> None:
    assert written(source, ORDER) == expected


def test_a_name_that_is_taken_is_refused_with_its_place() -> None:
    path = Path("tests/test_shop.py")
    with pytest.raises(
        UsageError, match=r"^tests.test_shop\.py:3: test_order is there already.*--replace"
    ):
        written("@dec\n\ndef test_order():\n    pass\n", ORDER, path=path)
    for source in (
        "test_order = 1\n",
        "if 1:\n    def test_order(): ...\n",
        "class test_order: ...\n",
    ):
        with pytest.raises(UsageError, match="test_order is something else there"):
            written(source, ORDER, replace=True)
    with pytest.raises(UsageError, match="is async"):
        written("async def test_order(mobile):\n    pass\n", ORDER, replace=True)
    with pytest.raises(UsageError, match="there 2 times"):
        written("def test_order(): ...\n" * 2, ORDER, replace=True)
    with pytest.raises(UsageError, match=":1: test_order is something else"):
        written("from elsewhere import test_order\n", ORDER)


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (
            '@dec\ndef test_order(a: (int), mobile, b=1) -> None:  # c\n    """D."""\n\n',
            "    # old\n    old()\n",
        ),
        ("def test_order(*, mobile):\n", "    # first\n\n    old()\n"),
        ('def test_order(mobile):\n    """D."""\n', ""),
    ],
)
def test_only_the_body_is_replaced(head: str, body: str) -> None:
    source = f"y = 2\n{head}{body}# below\nx = 1"
    assert (
        written(source, ORDER, replace=True) == f"y = 2\n{head}    {ORDER.body[0]}\n# below\nx = 1"
    )


def test_a_function_that_the_body_does_not_fit_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r":1: test_order does not ask for mobile.*Next: add mobile"
    ):
        written("def test_order(x=1):\n    old()\n", ORDER, replace=True)
    with pytest.raises(UsageError, match=":1: test_order is on one line"):
        written("def test_order(mobile): old()\n", ORDER, replace=True)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "from pytest_replicant import Screen\n",
            "from pytest_replicant import Screen\nimport os\n\nfrom pytest_replicant import "
            "Secret, by\n",
        ),
        ("import os.path\nfrom pytest_replicant.model import Secret, by\n", None),
        ("import os\nfrom pytest_replicant import by, Secret  # two\n", None),
        (
            "import os\nfrom pytest_replicant import (\n    Screen,  # why\n    mobile_state\n)\n",
            "import os\nfrom pytest_replicant import (\n    Screen,  # why\n    mobile_state\n)\n"
            "from pytest_replicant import Secret, by\n",
        ),
        (
            "import sys\nimport pytest_replicant as pr\n",
            "import sys\nimport pytest_replicant as pr\nimport os\n\nfrom pytest_replicant import "
            "Secret, by\n",
        ),
        (
            '#!/bin/python\n"""D."""\n\nfrom __future__ import annotations\nx = 1\n',
            '#!/bin/python\n"""D."""\n\nfrom __future__ import annotations\nimport os\n\n'
            "from pytest_replicant import Secret, by\nx = 1\n",
        ),
        ('"""D."""\n', '"""D."""\n\nimport os\n\nfrom pytest_replicant import Secret, by\n'),
        (
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pytest_replicant "
            "import Secret\n",
            "from typing import TYPE_CHECKING\nimport os\n\nfrom pytest_replicant import Secret, "
            "by\nif TYPE_CHECKING:\n    from pytest_replicant import Secret\n",
        ),
    ],
)
def test_only_imports_that_are_missing_are_added(source: str, expected: str | None) -> None:
    text = written(source, SECRET)
    assert text == (expected or source) + text[text.index("\n\ndef test_order") :]


def test_imports_of_a_sorted_file_are_merged_and_sorted(tmp_path: Path) -> None:
    source = "import sys\n\nfrom pytest_replicant import Screen\n"
    text = written(source, SECRET, path=tmp_path / "test_x.py")
    assert text.startswith(
        "import os\nimport sys\n\nfrom pytest_replicant import Screen, Secret, by\n\n\ndef"
    )


def test_a_name_that_means_something_else_is_never_imported() -> None:
    for source in (
        "by = 1\n",
        "from selenium import by\n",
        "try:\n    from x import by\nexcept ImportError: ...\n",
        "import x as os\n",
    ):
        with pytest.raises(
            UsageError, match=r"(by|os) is something else there, but the test needs"
        ):
            written(source, SECRET)
    assert (
        written("def f(by): ...\n", SECRET).count("import") == 2
    )  # within a function it is no one's else


@pytest.mark.parametrize("source", ["def f(:\n", "x = 1\0\n"])
def test_what_is_no_python_is_refused(source: str) -> None:
    with pytest.raises(UsageError, match=r"test_x\.py:\d+: cannot be edited"):
        written(source, ORDER, path=Path("test_x.py"))


PARTS = st.lists(
    st.sampled_from(
        [
            '"""Doc."""',
            "import sys; import re",
            "x = 'é' ; y = 2  # c",
            "",
            "  ",
            "def f(a,\n      b=2): return a",
            "class A:\n\n\tx = 1\n\n\t# in\n",
            "@dec\ndef g():\n  pass\n  # in g",
            "class TestShop:\n    def test_a(self): ...\n    # in\n  # between",
            "if __name__ == '__main__':\n    f()",
            "text = '''a\n\n  b\n'''",
            "\f",
            "def test_order(x):\n    # old\n    old()\n\n    # end",
        ]
    ),
    max_size=8,
)


@given(
    parts=PARTS,
    newline=st.sampled_from(["\n", "\r\n", "\r"]),
    ended=st.booleans(),
    bom=st.sampled_from(["", "\ufeff"]),
)
@settings(max_examples=50, deadline=None)
def test_all_other_lines_stay_as_they_are(
    parts: list[str], newline: str, ended: bool, bom: str
) -> None:
    source = bom + "\n".join(parts).replace("\n", newline) + newline * ended
    newline = newline if newline in source else "\n"
    try:
        text = written(source, SECRET)
    except UsageError:  # it is no Python, or has such a test
        return
    ast.parse(text.removeprefix("\ufeff"))
    assert "test_order" in text
    if source.strip("\ufeff \f\r\n"):
        assert text.startswith(bom)
        assert text.endswith(newline) is source.endswith(newline)
        left = iter(text.removeprefix("\ufeff").split(newline))
        assert all(
            line in left for line in source.removeprefix("\ufeff").split(newline)
        )  # in their order


# --- steps ----------------------------------------------------------------------------------------

PAUSED = (
    "import os\n\ndef test_a(mobile):\r\n\twith "
    'mobile.step("x"):\n\t\tmobile.tap(\n\t\t\ttext="a",\n\t\t)\n'
    "\t\t# c\n\t\tmobile.pause(); x = 1  # d\n\tfor _ in x: mobile.back()\n\treturn 3"
)


@pytest.mark.parametrize(("line", "after"), [(4, 9), (5, 7), (6, 7), (7, 7), (9, 9)])
def test_steps_go_below_the_statement_of_a_line(line: int, after: int) -> None:
    lines = PAUSED.split("\n")
    indent = "\t" if line == 4 else "\t\t"
    new = [f"{indent}if x:", f'{indent}\tmobile.tap(text="Z")']
    assert inserted(PAUSED, line, ("if x:", '    mobile.tap(text="Z")'), ("import os",)).split(
        "\n"
    ) == [
        *lines[:after],
        *new,
        *lines[after:],
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (0, "no statement of a test"),
        (1, "no statement of a test"),
        (8, "no statement of a test"),
        (10, "on one line"),
        (11, "nothing after"),
    ],
)
def test_where_no_step_can_be_is_said(line: int, why: str) -> None:
    with pytest.raises(UsageError, match=rf"^test_x\.py:{line}: .*{why}.* Next: "):
        inserted(PAUSED, line, ("mobile.back()",), (), path=Path("test_x.py"))


def test_the_one_check_that_fits_is_replaced() -> None:
    new = 'expect_text(expected=re.compile("B"))'

    def put(statement: str, line: int = 2) -> str:
        text = f"def test_a(mobile):\n    {statement}\n"
        return with_check(text, line, "expect_screen", new, ("import re",), Path("test_a.py"))

    head = "import re\n\n\ndef test_a(mobile):\n    "
    assert (
        put('x = mobile.tap().expect_screen("A").back()  # é')
        == f"{head}x = mobile.tap().{new}.back()  # é\n"
    )
    assert (
        put('(\n  mobile  # a.b\n).expect_screen("A")', 4) == f"{head}(\n  mobile  # a.b\n).{new}\n"
    )
    for statement, why in (
        ('mobile.expect_screen("A").expect_screen("A")', "several"),
        ("mobile.back()", "is not in this statement"),
        ('if mobile.expect_screen("A"): pass', "is not in this statement"),
    ):
        with pytest.raises(UsageError, match=f"{why}.*Next: put .expect_text"):
            put(statement)


# --- bytes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"x = 1\r\ny = '\xc3\xa9'", "utf-8"),
        (b"# coding: latin-1\nx = '\xe9'\n", "iso-8859-1"),
    ],
)
def test_bytes_come_out_the_same(tmp_path: Path, data: bytes, encoding: str) -> None:
    path = tmp_path / "test_x.py"
    path.write_bytes(data)
    text, found = read_source(path)
    assert found == encoding
    write_source(path, text, encoding)
    assert path.read_bytes() == data


def test_what_cannot_be_decoded_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "test_x.py"
    for data in (b"x = '\xff'\n", b"# coding: klingon\n", b"# coding: utf-7\nx = '+AGE-'\n"):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=r"test_x\.py.* Next: save it as UTF-8"):
            read_source(path)
    with pytest.raises(UsageError, match=r"cannot be read"):
        read_source(tmp_path)
    with pytest.raises(UsageError, match=r"null (byte|character)"):
        read_source(Path("a\0.py"))
    with pytest.raises(UsageError, match=r"null (byte|character)"):
        write_source(Path("a\0.py"), "x")
    path.write_bytes(b"# coding: latin-1\n")
    with pytest.raises(UsageError, match="cannot hold this test"):
        write_source(path, "日本", "iso-8859-1")
    assert path.read_bytes() == b"# coding: latin-1\n"


def test_a_write_that_fails_leaves_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "test_x.py"
    path.write_text("old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match="cannot be written: No space left on device"):
        write_source(path, "new")
    assert [each.name for each in tmp_path.iterdir()] == ["test_x.py"]
    assert path.read_text() == "old"


def test_a_patch_says_what_changes() -> None:
    assert patch_of("tests/test_x.py", None, "a\nb") == (
        "--- /dev/null\n+++ b/tests/test_x.py\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of "
        "file\n"
    )
    assert patch_of("a b.py", "x\r\ny", "x\r\ny\n") == (
        "--- a/a b.py\t\n+++ b/a b.py\t\n@@ -1,2 +1,2 @@\n x\r\n-y\n\\ No newline at end of "
        "file\n+y\n"
    )
    assert patch_of("x.py", "a\n", "a\n") == ""
