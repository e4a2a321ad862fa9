"""Type checkers see what a test may call: right calls pass and wrong ones fail, in mypy and in
pyright."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
HEAD = """\
from __future__ import annotations
import re
from collections.abc import Callable
from typing import Any
import pytest
from pytest_replicant import (
    Element, Expectation, Locator, Mobile, NewMobile, Screen, Secret, Selector, Snapshot, by, check, connect
)

@check
def cart_total(screen: Snapshot, amount: str) -> bool:
    return bool(screen.find_all(text=amount))

def tried(
    mobile: Mobile, outcome: Expectation, email: Locator, screen: Snapshot, new_mobile: NewMobile
) -> None:
"""
RIGHT = """\
mobile.tap(text="Add", row_with="Red mug")
mobile.tap(text="Add", row_with=by(text="Red mug"), timeout=2, silent=True)
mobile.tap("k427")
mobile.tap(email)
mobile.tap(by(text="A") | by(text="B"))
mobile.tap(role="button", text=re.compile("Sign"))
mobile.tap(text="Add", near=email, within="Cart", has_not="Sold out", nth=-1)
mobile.fill(text="Email", value="ada")
mobile.fill("k427", "ada", append=True)
mobile.fill(by(text="Email"), Secret("x"))
mobile.adjust(text="Volume", to=3, tolerance=1)
mobile.adjust("k427", True)
mobile.select(text="Country", option="Norway")
mobile.swipe("left", email)
mobile.scroll("down").reached_end
mobile.press_key("enter")
mobile.expect_state(text="Wi-Fi", checked=True) if False else None
mobile.expect_state(by(text="Wi-Fi"), checked=True, text=re.compile("Wi"))
mobile.expect_state(by(text="Email"), text="ada").expect_visible(text="Cart")
mobile.expect_state("k427", enabled=False).locator(text="Wi-Fi").expect_checked(False)
mobile.locator(text="Volume").expect_value(3, tolerance=0.5)
mobile.expect(cart_total("£8.00"))
outcome.expect_text(expected=re.compile("ada")).expect_screen("Catalogue").summary.upper()
outcome.soft.expect_gone(text="Cart")
email.fill("ada").expect_text("ada").expect_not_value("bob")
email.fill("ada").expect_text(expected="ada")
outcome.expect_state(by(text="Email"), text="ada").expect_value(3, tolerance=1)
email.expect_text("ada").expect_not_text(re.compile("bob")).expect_enabled()
email.row("Red mug").within(text="Cart").filter(has="Sale", has_not=by(text="Sold out")).first.tap()
(email | by(text="User")).last.expect_checked(False).expect_count(1)
mobile.locator(by(text="Email")).nth(2).locator(role="button").find().label.upper()
mobile.within(text="Cart").locator(text="Pay").tap()
mobile.wait_for_any(home=by(text="Home"), error=email)
screen.find(text="Add", row_with="Red mug").ref.upper()
by(android=by(text="A"), ios=by(text="B"), any_of=[by(text="C")])
new_mobile(platform="ios", timeout=5).tap(text="Add")
"""
WRONG = """\
mobile.tap(txt="Add")
mobile.tap(text=3)
mobile.tap(role="buton")
mobile.tap(text="Add", row_wiht="Red mug")
mobile.tap(text="Add", nth="first")
mobile.tap(3)
mobile.tap(text="Add", timeout="2 s")
mobile.fill(text="Email", valu="ada")
mobile.fill(text="Email")
mobile.fill("k427")
mobile.fill(text="Email", value=3)
mobile.fill("k427", text="Email", value="ada")
mobile.adjust(text="Volume")
mobile.adjust(text="Volume", too=3)
mobile.select(text="Country")
mobile.swipe("sideways")
mobile.scroll("dwon")
mobile.press_key("enterr")
mobile.click(text="Add")
mobile.expect_state(by(text="Wi-Fi"), chekced=True)
mobile.expect_state(by(text="Wi-Fi"), checked="yes")
mobile.expect_text(text="Email", expected="ada")
outcome.expect_checked("yes")
email.expect_not_checked(expected=False)
mobile.expect_visble(text="Cart")
mobile.expect_count("3", text="Add")
mobile.expect_app("front")
mobile.rotate("sideways")
mobile.answer_permission("yes")
mobile.expect(cart_total(3))
mobile.expect(cart_total)
mobile.expect(email)
outcome.expect_vsible(text="A")
outcome.expect_text()
outcome.expect_text(text="Email")
outcome.expect_text(3)
mobile.expect_text("ada")
email.fill(valu="ada")
email.fill()
email.expect_text()
email.expect_text(3)
email.tap(text="Add")
email.nth("first")
email.row(txt="Red mug")
email.filter(hass="Sale")
email.click()
mobile.locator(txt="Email")
mobile.within(tex="Cart")
by(txt="Email")
by(role="buton")
screen.find(txt="Add")
new_mobile(platfrom="ios")
"""
EXTENSIONS = """\
from collections.abc import Sequence
from pytest_replicant import (
    Appearance, AppInFront, AppStatus, AuditIssue, BaseDriver, Capability, CrashLog, DeviceInfo, Failure,
    FocusedField, Key, LogMark, NodeText, Orientation, PermissionAnswer, Platform, Recovery, RecoveryContext,
    RecoveryState, ShellOutput, SystemDialogs, Traits
)

class Wall(BaseDriver):
    instead = {Capability.LOGS: "none"}

    @property
    def info(self) -> DeviceInfo:
        return DeviceInfo("1", "android", "Wall", "1", 10, 10, 1.0)

    @property
    def traits(self) -> Traits:
        return Traits(one_session=True, log_drains=True)

    def press_key(self, key: Key) -> None: ...
    def focused_field(self) -> FocusedField | None: return None
    def app_in_front(self) -> AppInFront: return AppInFront("dev.shop")
    def app_status(self, app: str) -> AppStatus: return "stopped"
    def orientation(self) -> Orientation: return "portrait"
    def appearance(self) -> Appearance: return Appearance("en-GB")
    def log_mark(self) -> LogMark: return LogMark("0")
    def crashes(self, since: LogMark | None, app: str = "") -> CrashLog: return CrashLog((), LogMark("0"))
    def accessibility_audit(self) -> Sequence[AuditIssue]: return ()
    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput: return ShellOutput("", "", 0)
    def tap(self, point: str) -> None: ...

def pytest_replicant_recover(
    session: RecoveryContext, failure: Failure, state: RecoveryState
) -> Recovery | None:
    return Recovery("state_refresh", reason=failure.nothing)
"""
Judge = Callable[..., set[int]]
OF_A_PART = {"name-defined", "import-not-found", "reportUndefinedVariable", "reportMissingImports"}
"""What a part of a file is blamed for: names that are made above it."""
OF_A_PART.add(
    "reportIncompatibleMethodOverride"
)  # a driver may state its capabilities as a plain attribute


def mypy(path: Path, *, ignored: frozenset[str] | set[str] = frozenset()) -> set[int]:
    """The lines that mypy complains about; strictly, unless something is ``ignored``."""
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--no-error-summary",
        "--hide-error-context",
    ]
    command += [
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
        "--check-untyped-defs" if ignored else "--strict",
        str(path),
    ]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert ended.returncode in (0, 1), ended.stdout + ended.stderr
    # By its name: what mypy has kept of an equal file has the other one's folder.
    found = re.findall(
        rf"^(?:.*/)?{re.escape(path.name)}:(\d+): error: .*\[([\w-]+)\]$",
        ended.stdout,
        re.MULTILINE,
    )
    return {int(line) for line, rule in found if rule not in ignored}


def pyright(path: Path, *, ignored: frozenset[str] | set[str] = frozenset()) -> set[int]:
    """The lines with an error by pyright's rules."""
    settings = path.with_name("pyrightconfig.json")
    settings.write_text(json.dumps({"typeCheckingMode": "standard", "extraPaths": [str(ROOT)]}))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "-p", str(settings), str(path)]
    ended = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    found = [
        each
        for each in json.loads(ended.stdout)["generalDiagnostics"]
        if each["severity"] == "error"
    ]
    return {each["range"]["start"]["line"] + 1 for each in found if each.get("rule") not in ignored}


JUDGES = pytest.mark.parametrize("judge", [mypy, pyright])


@JUDGES
def test_right_calls_pass_and_each_wrong_one_fails(judge: Judge, tmp_path: Path) -> None:
    calls = [*RIGHT.splitlines(), *WRONG.splitlines()]
    written = tmp_path / "calls.py"
    written.write_text(HEAD + "".join(f"    {call}\n" for call in calls), encoding="utf-8")
    begin = len(HEAD.splitlines()) + 1
    complained = judge(written)
    refused = {call for number, call in enumerate(calls, begin) if number in complained}
    assert refused - set(WRONG.splitlines()) == set()
    assert set(WRONG.splitlines()) - refused == set()


@JUDGES
def test_drivers_and_policies_have_types(judge: Judge, tmp_path: Path) -> None:
    """All but two planted lines."""
    written = tmp_path / "extensions.py"
    written.write_text(EXTENSIONS, encoding="utf-8")
    lines = EXTENSIONS.splitlines()
    refused = [lines[number - 1].strip() for number in sorted(judge(written))]
    assert refused == [
        "def tap(self, point: str) -> None: ...",
        'return Recovery("state_refresh", reason=failure.nothing)',
    ]


def python_blocks() -> Iterator[tuple[str, str]]:
    """The examples of the documents, each with its place."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 2
            yield f"{page.relative_to(ROOT)}:{line}", found[1]


FIXTURES = {"mobile": "Mobile", "new_mobile": "NewMobile", "session": "Mobile"}


def typed(block: str) -> str:
    """The example with the types of the fixtures in it, which pytest gives by their names."""
    return re.sub(r"(?m)^(\s*def (\w+)\()([^()]*)\) *:", _signature, block)


def _signature(found: re.Match[str]) -> str:
    given = [part.strip() for part in found[3].split(",") if part.strip()]
    known = [f"{name}: {FIXTURES[name]}" if name in FIXTURES else name for name in given]
    return f"{found[1]}{', '.join(known)}) -> {'None' if found[2] == '__init__' else 'Any'}:"


@pytest.mark.thorough
@JUDGES
def test_every_documented_example_is_one_that_type_checks(judge: Judge, tmp_path: Path) -> None:
    head = HEAD.partition("@check")[0]
    written, places = tmp_path / "examples.py", dict[int, str]()
    lines = head.splitlines()
    for place, block in python_blocks():
        try:
            ast.parse(block)
        except SyntaxError:
            continue  # a part of a call
        given = ", ".join(f"{name}: {kind}" for name, kind in FIXTURES.items())
        lines.append(f"def _{len(places)}({given}, screen: Snapshot) -> Any:")
        body = [
            f"    {line}" for line in typed(block).splitlines() if "from __future__" not in line
        ]
        for number, line in enumerate(body):
            places[len(lines) + 1 + number] = f"{place} {line.strip()}"
        lines += [*body, "    pass"]
    written.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert [
        places[line] for line in sorted(judge(written, ignored=OF_A_PART) & places.keys())
    ] == []
