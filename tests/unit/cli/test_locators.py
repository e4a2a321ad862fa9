"""``replicant locators``: each kind of finding is shown, and is absent where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture

from ..snapshots.screens import SHOP, button, catalogue, node, row, screen, text
from .made_reports import Step, write_report

NARROWED = screen(catalogue(row("Blue mug", "£9.90", 400)), title="Catalogue")
CART = 'text="Cart, 1 item"'


def sign_in(label: str = "Sign in", *more: str) -> str:
    fields = (
        node("EditText", at=(0, 150 * at, 900, 150 * at + 100), hint=hint)
        for at, hint in ((1, "Email"), (2, "Code"))
    )
    return screen(
        *fields,
        button(label, at=(0, 600, 900, 700)),
        text("Help", at=(0, 800, 900, 850)),
        *more,
        title="Welcome",
    )


def switches(first: str, second: str = "Sounds") -> str:
    rows = (
        node(
            "Switch",
            at=(0, top, 900, top + 90),
            text=name,
            checkable="true",
            resource_id=f"dev.shop:id/{name[:4]}",
        )
        for name, top in ((first, 200), (second, 900))
    )
    around = (text(f"Note {at}", at=(0, at * 100, 900, at * 100 + 50)) for at in (4, 5, 6))
    return screen(*rows, *around, title="Settings")


def with_cart(label: str) -> str:
    return screen(
        button(label, at=(0, 110, 900, 200)),
        catalogue(row("Tray", "£12.00", 400)),
        title="Catalogue",
    )


def found(capsys: Capture, *arguments: object) -> tuple[int, dict[str, Any]]:
    ended = main(["locators", *map(str, arguments), "--json"])
    return ended, json.loads(capsys.readouterr().out)


def test_several_matches_on_a_screen_where_a_test_needs_one(
    tmp_path: Path, capsys: Capture
) -> None:
    step = Step("tap", 'text="Add"', NARROWED, line=9)
    run = write_report(
        tmp_path, {"buy": [step], "look": [Step("expect_visible", 'text="Red mug"', SHOP)]}
    )
    assert main(["locators", str(run)]) == 1
    printed = capsys.readouterr().out
    assert "1 finding: 2 locators of 2 tests, tried on 2 snapshots of 1 screen" in printed
    assert 'ambiguous: text="Add"\n  on "Catalogue": several on 1 of 2 snapshots' in printed
    assert (
        'candidates: Button "Add" in row "Blue mug £9.90" · Button "Add" in row "Red mug £8.00"'
        in printed
    )
    assert "used: tap at tests/test_buy.py:9" in printed
    assert "Next, where it is ambiguous: narrow it" in printed


@pytest.mark.parametrize(
    ("call", "about"),
    [
        ("tap", 'text="Add", row_with="Red mug"'),
        ("expect_visible", 'text="Add"'),
        ("expect_count", '3 of text="Add"'),
        ("tap", "k427"),
    ],
)
def test_one_match_or_a_check_of_any_number_is_no_finding(
    tmp_path: Path, capsys: Capture, call: str, about: str
) -> None:
    run = write_report(tmp_path, {"buy": [Step(call, about, SHOP)]})
    assert main(["locators", str(run)]) == 0
    assert "no finding" in capsys.readouterr().out


def test_what_matched_before_and_no_more(tmp_path: Path, capsys: Capture) -> None:
    old = write_report(tmp_path / "old", {"in": [Step("tap", 'text="Sign in"', sign_in())]})
    new = write_report(tmp_path / "new", {"in": [Step("tap", 'text="Sign in"', sign_in("Log in"))]})
    assert main(["locators", str(new), str(old)]) == 1
    printed = capsys.readouterr().out
    assert 'vanished: text="Sign in"\n  on "Welcome"\n  was: Button "Sign in"\n' in printed
    assert 'now: nothing (replaced: Button "Log in" is in its place)' in printed
    assert main(["locators", str(new)]) == 0  # without the older one, it is only absent
    assert main(["locators", str(old), str(old)]) == 0


def test_a_content_that_the_older_report_shows_without_it_says_nothing(
    tmp_path: Path, capsys: Capture
) -> None:
    """Who has seen an empty cart only, has not seen the label of a full one go."""
    full, empty = with_cart("Cart, 1 item"), with_cart("Cart, 0 items")
    old = write_report(
        tmp_path / "old", {"a": [Step("tap", CART, full)], "b": [Step("expect_gone", CART, empty)]}
    )
    other = with_cart("Cart, 0 items").replace("£12.00", "£13.00")
    new = write_report(tmp_path / "new", {"b": [Step("expect_gone", CART, other)]})
    assert found(capsys, new, old)[0] == 0
    renamed = write_report(
        tmp_path / "renamed", {"b": [Step("tap", CART, with_cart("Basket, 1 item"))]}
    )
    alone = write_report(tmp_path / "alone", {"a": [Step("tap", CART, full)]})
    ended, document = found(capsys, renamed, alone)
    assert (ended, [one["kind"] for one in document["findings"]]) == (1, ["vanished"])


def test_another_element_than_before(tmp_path: Path, capsys: Capture) -> None:
    step = 'role="switch", nth=0'
    old = write_report(tmp_path / "old", {"set": [Step("tap", step, switches("Dark mode"))]})
    new = write_report(tmp_path / "new", {"set": [Step("tap", step, switches("Location"))]})
    ended, document = found(capsys, new, old)
    (one,) = document["findings"]
    assert (ended, one["kind"], one["was"], one["now"]) == (
        1,
        "changed",
        'Switch "Dark mode"',
        'Switch "Location"',
    )
    assert main(["locators", str(new), str(old)]) == 1
    assert (
        'changed: role="switch", nth=0\n  on "Settings"\n  was: Switch "Dark mode"'
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    "now",
    [
        switches("Dark mode", "Vibration"),
        switches("Dark mode").replace("[0,200][900,290]", "[0,240][900,330]"),
        switches("Dark mode").replace("Note 4", "Note 8"),
    ],
    ids=["another one changed", "it moved", "a number changed"],
)
def test_the_same_element_is_no_finding(tmp_path: Path, capsys: Capture, now: str) -> None:
    step = 'role="switch", nth=0'
    old = write_report(tmp_path / "old", {"set": [Step("tap", step, switches("Dark mode"))]})
    assert (
        found(capsys, write_report(tmp_path / "new", {"set": [Step("tap", step, now)]}), old)[0]
        == 0
    )


@pytest.mark.parametrize(
    ("call", "about", "locators"),
    [
        ("drag", 'text="A" → text="B", nth=0', ['text="A"', 'text="B", nth=0']),
        ("wait_for_any", 'text="A" or text="B"', ['text="A"', 'text="B"']),
        ("expect_state", 'text="A: 1": checked=True, text="B: 2"', ['text="A: 1"']),
        ("expect_text", 'other than text="A"', []),
        ("tap", 'text="A", within="k427"', []),
        (
            "tap",
            'android=by(text="A"), ios=by(text="B")',
            ['android=by(text="A"), ios=by(text="B")'],
        ),
    ],
)
def test_what_a_trace_prints_is_read(
    tmp_path: Path, capsys: Capture, call: str, about: str, locators: list[str]
) -> None:
    run = write_report(tmp_path, {"all": [Step(call, about, SHOP)]})
    assert [one["locator"] for one in found(capsys, run)[1]["locators"]] == locators


# --- the code of tests ----------------------------------------------------------------------------

CODE = """
from pytest_replicant import by
HELP = by(text="Help")
def test_it(mobile, name):
    (mobile.tap(text="Sign in")
        .expect_visible(text="Missing"))
    mobile.fill(text="Email", value="ada@example.com")
    mobile.locator(text="Add").row("Red mug").first.tap()
    mobile.tap(text=name)
    mobile.tap(text=f"{name}!")
    mobile.expect_state(by(text="Code") | by(text="Pin"), checked=True)
    print(text="no locator")
"""


def test_locators_of_the_code_are_tried_too(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "test_it.py").write_text(CODE)
    old = write_report(
        tmp_path / "old", {"look": [Step("expect_visible", 'text="Welcome"', sign_in())]}
    )
    new = write_report(
        tmp_path / "new", {"look": [Step("expect_visible", 'text="Welcome"', sign_in("Log in"))]}
    )
    assert found(capsys, new, old)[0] == 0
    ended, document = found(capsys, new, old, "--tests", tmp_path / "code")
    (one,) = document["findings"]
    assert (ended, one["kind"], one["locator"]) == (1, "vanished", 'text="Sign in"')
    (place,) = one["written"]
    assert place.endswith("code/test_it.py:5")
    places = {each["locator"]: each["written"] for each in document["locators"]}
    assert places['text="Missing"'][0].endswith("code/test_it.py:6")
    written = {each["locator"]: len(each["screens"]) for each in document["locators"]}
    assert written == {
        'text="Welcome"': 1,
        'text="Help"': 1,
        'text="Sign in"': 0,
        'text="Missing"': 0,
        'text="Email"': 1,
        'text="Add", row_with="Red mug", nth=0': 0,
        'any_of=[by(text="Code"), by(text="Pin")]': 1,
    }


def test_what_is_no_report_or_no_code_is_said(tmp_path: Path, capsys: Capture) -> None:
    run = write_report(tmp_path, {"look": [Step("expect_visible", 'text="Help"', sign_in())]})
    (tmp_path / "broken.py").write_text("def (:\n")
    assert main(["locators", str(run), "--tests", f"{tmp_path}/broken.py"]) == 3
    assert "not read (1):" in capsys.readouterr().out
    (tmp_path / "empty").mkdir()
    for words in (
        [run, "--tests", f"{tmp_path}/nowhere"],
        [tmp_path / "empty"],
        [f"{tmp_path}/\0"],
    ):
        assert main(["locators", *map(str, words)]) == 2
        assert capsys.readouterr().err.startswith("replicant: ")


# --- reports that may be anybody's ----------------------------------------------------------------


def test_the_newest_run_that_is_no_replay_counts(tmp_path: Path, capsys: Capture) -> None:
    for run, about in (("1", 'text="Help"'), ("2", 'text="Email"'), ("3-replay", 'text="Code"')):
        write_report(tmp_path, {"look": [Step("tap", about, sign_in())]}, run)
    for named, locator in ((tmp_path, 'text="Email"'), (tmp_path / "1", 'text="Help"')):
        assert [one["locator"] for one in found(capsys, named)[1]["locators"]] == [locator]
    (trace,) = (tmp_path / "1").glob("*/trace.json")
    for named in (trace, trace.parent):
        assert found(capsys, named)[1]["tests"] == 1


def test_a_hierarchy_that_is_not_what_its_name_says_is_not_read(
    tmp_path: Path, capsys: Capture
) -> None:
    run = write_report(tmp_path, {"buy": [Step("tap", 'text="Add"', SHOP)]})
    (blob,) = (run / "blobs").glob("*.xml.gz")
    blob.write_bytes(b"another")
    assert main(["locators", str(run)]) == 3
    assert f"{blob.name}: no hierarchy that could be read" in capsys.readouterr().out


def test_no_other_file_is_opened(tmp_path: Path, capsys: Capture) -> None:
    run = write_report(tmp_path, {"buy": [Step("tap", 'text="Add"', SHOP)]})
    (tmp_path / "secret.xml").write_text(SHOP)
    (trace,) = run.glob("*/trace.json")
    document = json.loads(trace.read_text("utf-8"))
    document["snapshots"]["s1"]["blob"] = f"{tmp_path}/secret.xml"
    trace.write_text(json.dumps(document), "utf-8")
    ended, document = found(capsys, run)
    assert (ended, document["snapshots"]) == (3, 0)


@pytest.mark.parametrize(
    "content", ["[" * 100_000, '{"schema": "other"}', '{"schema": "replicant.trace/2"}']
)
def test_a_trace_of_any_shape_ends_in_order(tmp_path: Path, capsys: Capture, content: str) -> None:
    run = write_report(tmp_path, {"buy": [Step("tap", 'text="Add"', SHOP)]})
    (trace,) = run.glob("*/trace.json")
    trace.write_text(content)
    assert found(capsys, run)[0] == 3


@pytest.mark.parametrize("about", ['text="A" if open("made", "w") else "B"', "(" * 3_000])
def test_nothing_of_a_trace_is_evaluated(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, about: str
) -> None:
    monkeypatch.chdir(tmp_path)
    run = write_report(tmp_path / "out", {"buy": [Step("tap", about, SHOP)]})
    ended, document = found(capsys, run)
    assert (ended, document["locators"]) == (0, [])
    assert not (tmp_path / "made").exists()


def test_an_expression_that_takes_too_long_is_given_up(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_replicant.snapshots.text.SEARCH_SECONDS", 0.01)
    patterns = [f"(a|aa)+{'b?' * at}$" for at in range(7)]
    slow = [
        Step("tap", f'text_matches="{each}"', screen(text(f"{'a' * 40}!"))) for each in patterns
    ]
    run = write_report(tmp_path, {"slow": [*slow, Step("tap", 'text="Add"', NARROWED)]})
    assert main(["locators", str(run)]) == 0
    printed = capsys.readouterr().out
    assert "not tried on every screen (7):" in printed
    assert "takes more than 0.01 s" in printed


@pytest.mark.parametrize(
    ("bound", "of"), [("MOST_SHOTS", "hierarchies"), ("MOST_LOCATORS", "locators")]
)
def test_no_more_is_tried_than_there_is_time_for(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, bound: str, of: str
) -> None:
    run = write_report(
        tmp_path, {"in": [Step("tap", 'text="Help"', sign_in()), Step("tap", 'text="Tray"', SHOP)]}
    )
    assert found(capsys, run)[0] == 0
    monkeypatch.setattr(f"pytest_replicant.test_code.screens_of_runs.{bound}", 1)
    ended, document = found(capsys, run)
    assert (ended, [one.split("; ")[0] for one in document["troubles"]]) == (
        3,
        [f"more than 1 {of}"],
    )
    assert sum(len(one["screens"]) for one in document["locators"]) == 1


def test_control_characters_are_not_obeyed(tmp_path: Path, capsys: Capture) -> None:
    about = 'text_matches="Add|\x1b.31m"'
    run = write_report(
        tmp_path, {"\x1b[2J": [Step("tap", about, SHOP)], "b": [Step("tap", 'text="Add"', SHOP)]}
    )
    assert main(["locators", str(run)]) == 1
    printed = capsys.readouterr()
    assert "\x1b" not in printed.out + printed.err
    assert "\\x1b.31m" in printed.out
