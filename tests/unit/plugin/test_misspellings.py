"""Names that are almost right, wherever a user writes one: each is answered with the right name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_replicant import UsageError, by
from pytest_replicant.cli import main
from pytest_replicant.model import ManualClock
from pytest_replicant.options import read, read_marks
from pytest_replicant.pool import DeviceRequirements, demo_apps, parse_uri
from pytest_replicant.session import build_session
from pytest_replicant.virtual import shop
from tests.conftest import Capture
from tests.unit.session.kit_phone import KitPhone

CALLS = [
    # devices, and what they have
    ("device URI", 'parse_uri("virtul")', "Did you mean 'virtual'?"),
    ("device URI", 'parse_uri("andriod:R5CT")', "Did you mean 'android'?"),
    ("device URI", 'parse_uri("ios:8100")', "Did you mean ios:http://127.0.0.1:8100?"),
    (
        "device URI",
        'parse_uri("http://127.0.0.1:8100")',
        "Did you mean 'ios:http://127.0.0.1:8100'?",
    ),
    ("device URI", 'parse_uri("virtual:iphone")', "virtual:ios"),
    ("device URI", 'parse_uri("adb:host:5037/R5CT")', "adb://HOST:PORT/SERIAL"),
    ("knob", 'parse_uri("virtual?latncy=0")', "Did you mean 'latency'?"),
    ("knob", 'parse_uri("virtual?fail_dmup=0.1")', "Did you mean 'fail_dump'?"),
    ("knob", 'parse_uri("virtual?profile=pixle")', "Did you mean pixel?"),
    ("demo app", 'demo_apps(["dev.replicant.shpo"])', "Did you mean dev.replicant.shop?"),
    ("API level", 'phones(api="=>34")', '">=34"'),
    ("API level", 'phones(api="Android 14")', '">=34"'),
    ("platform", 'phones(platform="andriod")', "Did you mean android?"),
    ("ability", 'phones(needs=frozenset({"shel"}))', "Did you mean shell?"),
    # targets
    ("bare string", 'mobile.tap("Sign in")', 'Did you mean tap(text="Sign in")?'),
    ("bare string", 'mobile.expect_visible("Email")', 'Did you mean expect_visible(text="Email")?'),
    ("bare string", 'mobile.expect_state("Email", focused=True)', 'Did you mean by(text="Email")?'),
    ("ref", 'mobile.tap("[k427]")', 'without its brackets: "k427"'),
    ("ref", 'mobile.tap("K427")', 'text="K427"'),
    ("keyword", 'mobile.tap(txt="Sign in")', 'Did you mean tap(text="Sign in")?'),
    ("keyword", 'mobile.tap(id="sign_in")', 'Did you mean tap(resource_id="sign_in")?'),
    ("keyword", 'mobile.tap(test_id="sign_in")', 'Did you mean tap(resource_id="sign_in")?'),
    ("keyword", 'mobile.tap(content_desc="Cart")', 'Did you mean tap(description="Cart")?'),
    ("keyword", 'mobile.tap(text="Add", index=0)', 'Did you mean tap(text="Add", nth=0)?'),
    (
        "keyword",
        'mobile.tap(text="Add", row_wiht="Red mug")',
        'Did you mean tap(text="Add", row_with="Red mug")?',
    ),
    ("keyword", 'mobile.tap(text="Add", timout=3)', 'Did you mean tap(text="Add", timeout=3)?'),
    (
        "keyword",
        'mobile.fill(text="Email", valu="ada")',
        'Did you mean fill(text="Email", value="ada")?',
    ),
    ("keyword", 'mobile.locator(txt="Email")', 'Did you mean locator(text="Email")?'),
    ("keyword", 'by(txt="Email")', 'Did you mean by(text="Email")?'),
    ("role", 'mobile.tap(role="buton")', "Did you mean 'button'?"),
    ("role", 'mobile.tap(by(role="swich"))', "Did you mean 'switch'?"),
    ("role", 'mobile.tap(role="textbox")', "Did you mean 'text_field'?"),
    ("role", 'mobile.tap(role="listitem")', "Did you mean 'cell'?"),
    ("kind", 'mobile.tap(text="Add", row_with=7)', "by(text="),
    ("kind", 'mobile.tap(text="Add", row_with=["Red mug"])', "by(text="),
    ("kind", 'mobile.tap(text="Add", has=7)', "by(text="),
    ("pattern", 'mobile.tap(text_matches="(")', "no regular expression"),
    (
        "pattern",
        'mobile.expect_visible(text=re.compile(b"x"))',
        "a regular expression of text, not of bytes",
    ),
    # values
    ("direction", 'mobile.swipe("lft")', 'Did you mean "left"?'),
    ("direction", 'mobile.scroll("dwon")', 'Did you mean "down"?'),
    ("direction", 'mobile.scroll_to(text="Help", direction="bottom")', '"down"'),
    (
        "state",
        'mobile.expect_state(by(text="Remember me"), chekced=True)',
        "Did you mean checked=?",
    ),
    (
        "state",
        'mobile.expect_state(by(text="Remember me"), selectd=True)',
        "Did you mean selected=?",
    ),
    (
        "state",
        'mobile.tap(text="Sign in", enabeld=True)',
        'Did you mean tap(text="Sign in", enabled=True)?',
    ),
    ("choice", 'mobile.rotate("landscap")', 'Did you mean "landscape"?'),
    ("choice", 'mobile.answer_permission("alow")', 'Did you mean "allow"?'),
    (
        "choice",
        'mobile.expect_app("forground", "dev.replicant.shop")',
        'Did you mean "foreground"?',
    ),
    ("timeout", 'mobile.tap(text="Sign in", timeout=5000)', "in seconds, and at most an hour"),
    ("timeout", 'mobile.tap(text="Sign in", timeout="5")', "a number of seconds from 0"),
    ("value", 'mobile.fill("ada", text="Email")', 'Did you mean fill(text="Email", value="ada")?'),
    ("label", 'mobile.expect_visible(text="Emial", timeout=0.5)', 'Did you mean text="Email"?'),
    ("label", 'mobile.tap(text="sign in", timeout=0.5)', '"Sign in"'),
    ("screen", 'mobile.expect_screen("Sing in", timeout=0.5)', "Sign in"),
    # methods, of other tools too
    ("method", 'mobile.click(text="Sign in")', "mobile.tap("),
    ("method", 'mobile.is_visible(text="Sign in")', "expect_visible("),
    ("method", "mobile.go_back()", "mobile.back()"),
    ("method", "mobile.swipe_left()", 'mobile.swipe("left")'),
    ("method", 'mobile.install_app("shop.apk")', "mobile.install("),
    ("method", "mobile.page_source", "mobile.snapshot()"),
    ("method", 'mobile.expect_toast("Added")', "expect_seen("),
    ("method", 'mobile.expect_dialog("Sure?")', "expect_visible("),
    ("method", "mobile.wait_for_timeout(3000)", "wait_for("),
    ("method", 'mobile.scroll_into_view(text="Help")', "scroll_to("),
    ("method", "mobile.set_location(52.5, 13.4)", "the emulator's console"),
    ("method", "mobile.clipboard", "fill()"),
    ("method", 'mobile.expect_visble(text="Email")', "Did you mean expect_visible?"),
    ("method", "mobile.lauch()", "Did you mean launch?"),
    ("method", 'outcome.expect_not_visible(text="Email")', "expect_gone("),
    ("method", 'outcome.click(text="Sign in")', "mobile.tap("),
    ("method", 'outcome.expect_toast("Added")', "expect_seen("),
    ("method", 'outcome.expect_scren("Sign in")', "Did you mean expect_screen?"),
    ("method", "email.click()", "tap()"),
    ("method", "email.is_visible()", "expect_visible()"),
    ("method", 'email.send_keys("ada")', "fill()"),
    ("method", 'email.expect_vlaue("ada")', "Did you mean expect_value?"),
]


@pytest.fixture(scope="module")
def names() -> Iterator[dict[str, Any]]:
    """What a call in the table may name: a session on the shop's first screen, an outcome and a
    locator of it."""
    clock = ManualClock()
    phone = KitPhone.__new__(KitPhone)
    phone.hold(clock, shop(), "dev.replicant.shop")
    mobile, recorder = build_session(phone, clock=clock, screenshots=False, quiet=0.0)
    yield {
        "by": by,
        "re": re,
        "demo_apps": demo_apps,
        "parse_uri": parse_uri,
        "phones": DeviceRequirements,
        "mobile": mobile,
        "email": mobile.locator(text="Email"),
        "outcome": mobile.expect_visible(text="Email"),
    }
    recorder.close()


@pytest.mark.parametrize(
    ("place", "written", "right"), CALLS, ids=[f"{row[0]}: {row[1]}" for row in CALLS]
)
def test_a_call_is_answered_with_the_right_name(
    names: dict[str, Any], place: str, written: str, right: str
) -> None:
    with pytest.raises(Exception, match=re.escape(right)) as refused:
        eval(written, names)
    assert place, refused


@pytest.mark.parametrize(
    ("command", "right"),
    [
        ("snapsht", "Did you mean snapshot?"),
        ("--verison", "Did you mean --version?"),
        ("snapshot --devce virtual", "Did you mean --device?"),
        ("snapshot --replicant-devices virtual", "Did you mean --replicant-device?"),
        ("snapshot cart.xml --selector-s", "Did you mean --selectors?"),
        ("snapshot --device virtul", "Did you mean 'virtual'?"),
        ("doctor --jsno", "Did you mean --json?"),
        ("triage --flakey", "Did you mean --flaky?"),
        ("zip --outptu=x", "Did you mean --output?"),
        ("record --minuts 3", "Did you mean --minutes?"),
        ("virtual srve", "Did you mean serve?"),
        ("virtual serve andriod", "Did you mean android?"),
        ("virtual serve --app dev.replicant.shpo", "Did you mean dev.replicant.shop?"),
        ("virtual serve --knob lose_tpa=1", "Did you mean 'lose_tap'?"),
    ],
)
def test_a_command_is_answered_with_the_right_name(
    command: str,
    right: str,
    capsys: Capture,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "cart.xml").touch()
    monkeypatch.chdir(tmp_path)
    assert main(command.split()) == 2
    assert right in capsys.readouterr().err


def test_a_wrong_option_shows_the_usage_of_its_own_command(capsys: Capture) -> None:
    for words in (["triage", "--flakey"], ["triage", "runs", "--flakey"], ["zip", "a", "b"]):
        assert main(words) == 2
        assert capsys.readouterr().err.startswith(f"usage: replicant {words[0]} ")


def test_both_names_of_a_phone_are_right(capsys: Capture) -> None:
    for option in ("--device", "--replicant-device"):
        for command in ("snapshot", "record", "doctor"):
            assert main([command, option, "virtul"]) == 2
            assert "device 'virtul' is no device URI" in capsys.readouterr().err
    assert main(["record", "virtual", "--device", "virtual"]) == 2
    assert "record takes one phone" in capsys.readouterr().err


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("pytest-replicant ")


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"platfrom": "ios"}, "Did you mean platform=?"),
        ({"need": ["shell"]}, "Did you mean needs=?"),
        ({"allow": ["relunch"]}, "Did you mean relaunch?"),
        ({"reset": "stopp"}, "Did you mean stop?"),
        ({"id": 123}, 'a string such as "C123"'),
    ],
    ids=str,
)
def test_a_marker_is_answered_with_the_right_name(given: dict[str, Any], right: str) -> None:
    marks = [pytest.mark.replicant(**given).mark]
    item: Any = SimpleNamespace(iter_markers=lambda: iter(marks))
    with pytest.raises(UsageError, match=re.escape(right)):
        read_marks(item)


def test_options_of_pytest_are_answered_with_the_right_names(pytester: pytest.Pytester) -> None:
    """Also that of pytest-playwright, and those that a user may think of without the prefix."""
    written = {
        "--replicant-devce=virtual": "--replicant-device",
        "--replicant-tarce=on": "--replicant-trace",
        "--replicant-outptu=x": "--replicant-output",
        "--replicant_matrix": "--replicant-matrix",
        "--repliant-app=x": "--replicant-app",
        "--device=android": "--replicant-device",
        "--replicant-read-on=0": "-o replicant_read_on=VALUE",
    }
    with pytest.raises(pytest.UsageError) as refused:
        pytester.parseconfig(*written, "--unheard-of=1")
    for option, right in written.items():
        assert f"There is no option {option.partition('=')[0]}. Did you mean {right}?" in str(
            refused.value
        )
    assert "no option --unheard-of" not in str(refused.value)


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("--replicant-trace=retain-on-fail", "retain-on-failure"),
        ("--replicant-screenshot=only-on-fail", "only-on-failure"),
        ("--replicant-recovery=alow", "allow"),
        ("-oreplicant_devcie=virtual", "Did you mean replicant_device?"),
        ("-oreplicant_devicess=virtual", "Did you mean replicant_devices?"),
        ("-oreplicant_action_timeuot=3", "Did you mean replicant_action_timeout?"),
        ("-oreplicant_matrix=true", "It is an option: --replicant-matrix"),
        ("-oreplicant_crash=fial", "Did you mean fail?"),
        ("-oreplicant_prepare=animation", "Did you mean animations?"),
    ],
)
def test_a_value_or_key_of_pytest_is_answered_with_the_right_name(
    pytester: pytest.Pytester, written: str, right: str
) -> None:
    with pytest.raises((UsageError, pytest.UsageError), match=re.escape(right)):
        read(pytester.parseconfig(written))


FIXTURES = """
import pytest

def test_1(mobil): ...
def test_2(moblie): ...
def test_3(new_mobil): ...
def test_4(mobile_devise): ...
def test_5(driver): ...
def test_6(tmp_pth): ...

@pytest.fixture
def signed_in(mobille): ...

def test_7(signed_in): ...
"""
MARKED = """
import pytest

@pytest.mark.replicnt(platform="ios")
def test_8(mobile): ...
"""


@pytest.mark.parametrize(
    "strict", ["--strict-markers", pytest.param("-Werror", marks=pytest.mark.ci)]
)
def test_fixtures_and_markers_are_answered_with_the_right_name(
    pytester: pytest.Pytester, strict: str
) -> None:
    """A fixture of another plugin is left to pytest; a marker that pytest only warns of is refused
    by its test."""
    pytester.makepyfile(test_fixtures=FIXTURES, test_marked=MARKED)
    result = pytester.runpytest_inprocess(
        strict, "--continue-on-collection-errors", "-p", "no:randomly"
    )
    result.assert_outcomes(errors=8)
    result.stdout.fnmatch_lines(["There is no marker replicnt. Did you mean replicant[?]"])
    right = {
        "mobil": "mobile", "moblie": "mobile", "new_mobil": "new_mobile",
        "mobile_devise": "mobile_device", "driver": "mobile", "mobille": "mobile",
    }  # fmt: skip
    for name, fixture in right.items():
        result.stdout.fnmatch_lines([f"E *fixture '{name}' not found. Did you mean {fixture}[?]"])
    result.stdout.fnmatch_lines(["E *fixture 'tmp_pth' not found"])
