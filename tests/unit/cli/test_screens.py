"""``replicant screens``: the list, one screen, and who uses a locator."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture

from ..snapshots.screens import SHOP, button, node, screen, text
from .made_reports import Step, write_report

SIGN_IN = screen(button("Sign in"), text("Help"), title="Welcome")
ADD = 'text="Add", row_with="Red mug"'
TESTS = {
    "buy": [
        Step("tap", 'text="Sign in"', SIGN_IN, SHOP, line=3),
        Step("tap", ADD, SHOP, line=4),
        Step("expect_visible", 'text="Tray"', SHOP, line=5),
    ],
    "look": [
        Step("tap", 'text="Sign in"', SIGN_IN, SHOP, line=8),
        Step("tap", 'text="Tray"', SHOP, screen(text("£12.00"), title="Product")),
    ],
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_report(tmp_path, TESTS)


def printed(capsys: Capture, *arguments: object) -> str:
    assert main(["screens", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_each_screen_with_the_ways_to_it_and_what_is_used_there(run: Path, capsys: Capture) -> None:
    assert printed(capsys, run) == (
        "3 screens of 2 tests\n"
        '\n"Welcome" · dev.shop · 2 tests, 2 reads\n  used: text="Sign in" (2)\n'
        '\n"Catalogue" · dev.shop · 2 tests, 2 reads\n  in: tap text="Sign in" from "Welcome" (2)\n'
        f'  used: text="Tray" (2); {ADD} (1)\n'
        '\n"Product" · dev.shop · 1 test, 1 read\n  in: tap text="Tray" from "Catalogue" (1)\n'
    )


def test_a_screen_takes_no_more_than_300_characters(tmp_path: Path, capsys: Capture) -> None:
    wide = screen(title="y" * 300)
    many = [Step("tap", f'text="{at} {"x" * 50}"', wide, SHOP if at else wide) for at in range(30)]
    run = write_report(tmp_path, {"long": [*many, Step("tap", 'text="z"', SHOP, wide)]})
    first, *screens = printed(capsys, run).split("\n\n")
    assert first == "2 screens of 1 test"
    assert [len(each) for each in screens if len(each) > 300] == []
    assert max(map(len, screens)) > 230


def test_screens_of_one_name_are_told_apart(tmp_path: Path, capsys: Capture) -> None:
    shapes = [
        screen(
            node("ScrollView", text(label), at=(0, 100, 1080, 2000), resource_id=f"a:id/{label}")
        )
        for label in "ab"
    ]
    run = write_report(tmp_path, {"a": [Step("tap", 'text="a"', shapes[0], shapes[1])]})
    names = [each.partition(" ·")[0] for each in printed(capsys, run).split("\n\n")[1:]]
    assert len(set(names)) == 2
    assert all(name.startswith("untitled, dev.shop (") for name in names)
    key = names[1].partition("(")[2][:6]
    assert printed(capsys, run, "--screen", key).startswith(names[1])


def test_one_screen_whole(run: Path, capsys: Capture) -> None:
    text = printed(capsys, run, "--screen", "catalogue")
    assert text.startswith('"Catalogue" · dev.shop · 2 tests, 2 reads, 1 distinct snapshot · key ')
    assert "  | Catalogue  (dev.shop)\n  | [" in text
    assert 'ways in:\n  tap text="Sign in" from "Welcome" (2 tests)' in text
    assert 'ways out:\n  tap text="Tray" to "Product" (1 test)' in text
    assert f'locators used:\n  text="Tray" (2 tests)\n  {ADD} (1 test)' in text
    assert "Welcome" not in printed(capsys, run, "--screen", "Product")


@pytest.mark.parametrize(
    ("name", "hint"),
    [("Catalog", "Did you mean 'Catalogue'?"), ("", "no test saw it"), ("zzzzzz", "")],
)
def test_a_screen_that_no_test_saw(run: Path, capsys: Capture, name: str, hint: str) -> None:
    assert main(["screens", str(run), "--screen", name]) == 2
    assert hint in capsys.readouterr().err


@pytest.mark.parametrize(
    "written", [ADD, f"by({ADD})", 'mobile.locator(text="Add").row("Red mug")']
)
def test_who_uses_a_locator_and_where_it_matches(run: Path, capsys: Capture, written: str) -> None:
    assert printed(capsys, run, "--uses", written) == (
        f"{ADD}: used by 1 test\n"
        '  tap at tests/test_buy.py:4 on "Catalogue": tests/test_buy.py::test_buy\n'
        "matches on 1 of 3 screens\n"
        '  "Catalogue": one on 1, several on 0, none on 0 of 1 snapshot\n'
    )


def test_a_locator_that_no_test_uses_is_tried_all_the_same(run: Path, capsys: Capture) -> None:
    text = printed(capsys, run, "--uses", 'text="Add"')
    assert text.startswith('text="Add": used by no test\n')
    assert "one on 0, several on 1, none on 0 of 1 snapshot" in text
    assert printed(capsys, run, "--uses", 'text="Nothing"').endswith("matches on 0 of 3 screens\n")


@pytest.mark.parametrize("written", ['text=open("made", "w")', "k427", "", 'txt="a"'])
def test_what_is_no_locator_is_said_and_not_evaluated(
    run: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, written: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["screens", str(run), "--uses", written]) == 2
    assert capsys.readouterr().err.startswith("replicant: --uses ")
    assert not (tmp_path / "made").exists()


def test_control_characters_are_not_obeyed(tmp_path: Path, capsys: Capture) -> None:
    evil = screen(button("Go\x9b31m\u202e"), title="Shop\u202e\x9b2J")
    run = write_report(tmp_path, {"a\x1b[2J": [Step("tap", 'text="Go\x1b[31m"', evil, SHOP)]})
    shown = [
        printed(capsys, run),
        printed(capsys, run, "--screen", "Catalogue"),
        printed(capsys, run, "--uses", 'text="Go\x1b[31m"'),
    ]
    assert all(each.replace("\n", "").isprintable() for each in shown)
    assert "\\x9b2J" in shown[0]
