"""Only the keywords of one call change, whatever its file looks like; what cannot be changed so is
refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.model import Selector, by
from pytest_replicant.test_code import Refusal, Source, patch_of

OLD, NEW = by(text="Log in"), by(resource_id="login")


def changed(code: str, line: int, new: Selector = NEW, old: Selector = OLD) -> str:
    source = Source(code.encode(), "test_it.py")
    return source.changed(source.literal_at(line, old), new).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('m.tap(text="Log in")', 'm.tap(resource_id="login")'),
        ("m.tap( text = 'Log in' , timeout=3 )", 'm.tap( resource_id="login" , timeout=3 )'),
        ('m.fill(text="Log in", value="é")', 'm.fill(resource_id="login", value="é")'),
        ('m.fill(by(text="Log in"), "é")', 'm.fill(by(resource_id="login"), "é")'),
        (
            'm.drag(by(text="Log in"), by(text="Bin"))',
            'm.drag(by(resource_id="login"), by(text="Bin"))',
        ),
        (
            'm.tap(text="Log in").expect_gone(text="Log in")',
            'm.tap(resource_id="login").expect_gone(text="Log in")',
        ),
        ('x = "é"; m.tap(text="Log in")', 'x = "é"; m.tap(resource_id="login")'),
    ],
)
def test_a_call_on_one_line(before: str, after: str) -> None:
    assert changed(f"{before}\n", 1) == f"{after}\n"


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "with a byte order mark"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_call_on_several_lines_keeps_its_layout_and_line_ends(mark: str, end: str) -> None:
    lines = [
        'A = "…"',
        "m.fill(  # why",
        '    text="Log in",  # a comment',
        '    value="x",',
        ").expect_changed()",
    ]
    after = [one.replace('text="Log in"', 'resource_id="login"') for one in lines]
    assert changed(mark + end.join(lines), 2) == mark + end.join(after)


def test_keywords_are_added_taken_away_and_left_alone() -> None:
    assert changed('m.tap(text="Log in")', 1, by(text="Log in", role="button")) == (
        'm.tap(text="Log in", role="button")'
    )
    old = by(text="Log in", role="button", nth=0)
    code = 'm.tap(role="button", text="Log in",\n      nth=0, timeout=1)'
    assert changed(code, 1, by(role="button"), old) == 'm.tap(role="button", timeout=1)'
    assert changed(code, 1, by(text="Log in"), old) == 'm.tap(text="Log in", timeout=1)'
    assert changed(code, 1, by(text='Say "hi"\n', nth=0), old) == (
        'm.tap(text="Say \\"hi\\"\\n", nth=0,\n      timeout=1)'
    )


@pytest.mark.parametrize(
    "code",
    [
        'LOGIN = by(text="Log in")\n\ndef test(m):\n    m.tap(LOGIN)\n',
        'LOGIN: Selector = by(text="Log in")\n\ndef test(m):\n    m.fill(LOGIN, "x")\n',
        'def test(m):\n    login = m.locator(text="Log in")\n    print(login)\n    login.tap()\n',
        'class Page:\n    LOGIN = by(text="Log in")\n    def sign(self, m):\n        '
        "m.tap(self.LOGIN)\n",
        'class P:\n    def __init__(self, m): self.login = m.locator(text="Log in")\n    def '
        "sign(self, login):\n"
        "        self.login.fill(login)\n",
    ],
)
def test_a_constant_is_changed_where_it_is_written(code: str) -> None:
    assert changed(code, 4) == code.replace('text="Log in"', 'resource_id="login"')


@pytest.mark.parametrize(
    ("code", "line", "reason"),
    [
        ('LABEL = "Log in"\nm.tap(text=LABEL)', 2, "does not write"),
        ('m.tap(text=f"Log in")', 1, "does not write"),
        ('m.expect_visible(text="Log in")', 1, "does not write"),
        ('m.tap(text="Log in"); m.tap(text="Log in")', 1, "2 times"),
        ('A = by(text="Log in")\nA = by(text="Log in")\nm.tap(A)', 3, "does not write"),
        ('A = by(text="Log in")\nfor A in []: pass\nm.tap(A)', 3, "does not write"),
        ("m.tap(text=", 1, "no Python"),
    ],
)
def test_what_is_no_literal_of_that_line_is_refused(code: str, line: int, reason: str) -> None:
    with pytest.raises(Refusal, match=reason) as refused:
        changed(code, line)
    assert refused.value.code == "no literal"


@pytest.mark.parametrize(
    "check",
    [
        "m.expect_visible(LOGIN)",
        "m.tap(x).soft.expect_gone(LOGIN)",
        "LOGIN.nth(1).expect_gone()",
        "assert m.find_all(LOGIN)",
    ],
)
def test_a_constant_that_an_expectation_claims_is_refused(check: str) -> None:
    with pytest.raises(Refusal, match="claims") as refused:
        changed(f'LOGIN = by(text="Log in")\nm.tap(LOGIN)\n{check}\n', 2)
    assert refused.value.code == "claim"


def test_what_an_action_on_a_constant_returns_is_another_thing() -> None:
    code = (
        'LOGIN = m.locator(text="Log '
        'in")\nLOGIN.tap().expect_screen("Inside")\nm.tap(LOGIN).back()\n'
    )
    assert (
        changed(code, 2) == changed(code, 3) == code.replace('text="Log in"', 'resource_id="login"')
    )


def test_a_comment_between_keywords_is_never_lost() -> None:
    code = 'm.tap(\n    text="Log in",  # first\n    role="button",\n)'
    with pytest.raises(Refusal, match="comment"):
        changed(code, 1, by(text="Log in"), by(text="Log in", role="button"))


def test_without_its_extra_nothing_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pytest_replicant.test_code.healing.changing", raising=False)
    monkeypatch.setitem(sys.modules, "libcst", None)
    with pytest.raises(UsageError, match=r"needs libcst\. Next: .*pip install '.*\[edit\]'"):
        changed('m.tap(text="Log in")', 1)


def test_other_encodings_are_refused() -> None:
    with pytest.raises(Refusal, match="UTF-8"):
        Source('# coding: latin-1\nA = "é"\n'.encode("latin-1"), "test_it.py")


@pytest.mark.parametrize(
    ("before", "after"),
    [("a\r\nb\r\n", "a\r\nc\r\n"), ("a\nb", "a\nc"), ("\ufeffé\nb\n", "\ufeffü\nb\n")],
)
def test_git_applies_the_patch(tmp_path: Path, before: str, after: str) -> None:
    file = tmp_path / "a test é.py"
    file.write_bytes(before.encode())
    patch = b"# evidence\n#   --- a/not this\n" + patch_of(file.name, before, after).encode()
    (tmp_path / "it.patch").write_bytes(patch)
    subprocess.run(["git", "apply", "it.patch"], cwd=tmp_path, check=True, capture_output=True)
    assert file.read_bytes() == after.encode()
