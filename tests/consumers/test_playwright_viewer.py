"""``trace.zip`` in the trace viewer of Playwright: what a reader finds there."""

from __future__ import annotations

import json
from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pytest_replicant.model import LogRecord, RaisedError, Rect, ShownElement, TestTrace
from tests.browser.chromium import BROWSER
from tests.unit.reporting.factory import (
    BUTTON,
    HOSTILE,
    hostile_trace,
    recovered_trace,
    tiny_trace,
    written,
)
from tests.unit.reporting.story import failing_story

from .trace_viewer import Viewer, viewer_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import Run

    Opened = Callable[[TestTrace], Viewer]

pytestmark = [
    pytest.mark.viewer,
    pytest.mark.slow,
    pytest.mark.skipif(
        BROWSER is None, reason="no chromium on PATH: the viewer is used in a real browser"
    ),
]

TITLES = "[data-testid=actions-tree] .action-title-method"
FAILED = "[data-testid=actions-tree] .tree-view-entry.error .action-title-method"


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    files, reason = viewer_files()
    if files is None:
        pytest.skip(reason)
    opened = Viewer(files, tmp_path_factory.mktemp("zips"), tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture
def opened(viewer: Viewer, tmp_path: Path) -> Opened:
    def open_trace(trace: TestTrace) -> Viewer:
        files = written(trace, tmp_path)
        assert files.warnings == ()
        assert files.trace_zip is not None
        viewer.open(files.trace_zip.read_bytes(), f"{tmp_path.name}.zip")
        return viewer

    return open_trace


def _story() -> TestTrace:
    """The failing story, with the elements of its first screen and a device log."""
    story = failing_story()
    elements = (
        ShownElement("r118", "CheckBox", "Remember me", Rect(50, 900, 1030, 1060)),
        ShownElement("k427", "Button", "Sign in", BUTTON),
    )
    logs = (
        LogRecord(1300, "I", "Shop", "signing in", 4058),
        LogRecord(2400, "E", "Shop", "no stock", 4058),
    )
    first = replace(story.snapshots["s1"], elements=elements)
    return replace(story, snapshots={**story.snapshots, "s1": first}, logs=logs)


def test_calls_are_listed_in_order_under_the_name_of_the_test(opened: Opened) -> None:
    story = _story()
    viewer = opened(story)
    assert story.test.nodeid in viewer.text()
    viewer.unfold()
    assert viewer.texts(TITLES) == [
        'launch "dev.replicant.shop"',
        'fill text="Password" value=•••',
        'tap text="Sign in"',
        'expect_screen "Catalogue"',
        'expect_visible text="Welcome, Ada"',
        "Order two mugs",
        'tap text="Add" row_with="Blue mug"',
        "recover: re_resolve",
        'expect_visible text="Search"',
        "Cart",
        'tap text_contains="Cart"',
        'expect_screen "Cart"',
        'swipe on text="Blue mug £9.90"',
        'expect_state text="Total £19.80"',
        "test failed at attempt 2",
    ]
    assert viewer.texts(FAILED) == ["Order two mugs", "Cart", 'expect_state text="Total £19.80"']
    assert viewer.texts(".action-duration")[:3] == ["840ms", "410ms", "522ms"]
    assert viewer.texts(".action-title-subtitle")[:3] == [
        "not verified",
        "not verified",
        "verified",
    ]
    assert viewer.said == []


def test_the_failure_is_open_and_reported_once(opened: Opened) -> None:
    viewer = opened(_story())
    chosen = '[role=treeitem][aria-selected="true"] .action-title-method'
    assert viewer.texts(chosen)[-1] == 'expect_state text="Total £19.80"'
    assert "Errors1" in viewer.texts("[role=tab]")
    viewer.show("Errors")
    message = viewer.text(".error-message")
    assert message.startswith(
        'ExpectationFailed  expect_state text="Total £19.80": was "Total £9.90" in 6 reads'
    )
    assert '[o777] Button "Check out"' in message
    assert viewer.texts(".action-location button") == ["test_checkout.py:20"]


def test_screens_stand_before_and_after_with_the_target_and_the_touch(opened: Opened) -> None:
    viewer = opened(_story())
    viewer.select('tap text="Sign in"')
    viewer.show("Before")
    picture = "page.querySelector('img')?.naturalWidth === 540"
    viewer.shows(
        f"{picture} && page.querySelector('[data-testid=k427]')?.style.outline.includes('2px')"
    )
    box = "page.querySelector('[data-testid=k427]').getBoundingClientRect()"
    viewer.shows(
        f"Math.abs({box}.left - 90 * 412 / 1080) < 1 && Math.abs({box}.top - 2090 * 412 / 1080) < 1"
    )
    viewer.shows(
        "page.querySelector('[data-testid=r118]').getAttribute('aria-label') === 'Remember me'"
    )
    viewer.shows("page.querySelector('[data-testid=r118]').style.outline === ''")
    viewer.show("Action")
    viewer.shows(
        f"{picture} && page.querySelector('x-pw-pointer') && "
        "!page.querySelector('x-pw-pointer-warning')"
    )
    viewer.show("After")
    viewer.shows(f"{picture} && !page.querySelector('[__playwright_target__]')")
    assert viewer.said == []


def test_each_screen_shows_its_own_picture_and_elements(viewer: Viewer, tmp_path: Path) -> None:
    """They are spelled once, and pointed at from then on."""
    files = written(_story(), tmp_path)
    assert files.trace_zip is not None
    pictures = {name: b64encode(path.read_bytes()).decode() for name, path in files.screenshots}
    assert len(set(pictures.values())) == 4
    viewer.open(files.trace_zip.read_bytes(), "screens.zip")
    for call, phase, snapshot, elements in (
        ("fill", "Before", "s1", 2),
        ('tap text="Sign in"', "Before", "s1", 2),
        ('tap text="Sign in"', "After", "s2", 0),
        ("tap text_contains", "Before", "s3", 0),
        ("tap text_contains", "After", "s4", 0),
        ("swipe", "Before", "s4", 0),
        ('expect_screen "Catalogue"', "Before", "s1", 2),
    ):
        viewer.unfold()
        viewer.select(call)
        viewer.show(phase)
        viewer.shows(
            f"page.querySelector('img')?.src.endsWith({json.dumps(',' + pictures[snapshot])})"
            f" && page.querySelectorAll('[data-testid]').length === {elements}"
        )


def test_a_swipe_shows_where_it_began_and_ended(opened: Opened) -> None:
    viewer = opened(_story())
    viewer.select("swipe")
    viewer.show("Action")
    viewer.shows("page.querySelector('x-pw-pointer')?.style.left === '351px'")
    viewer.shows("page.querySelector('.touch:not(.first)')?.style.left === '68.7px'")
    viewer.shows("!page.querySelector('x-pw-pointer-warning')")


def test_the_film_the_console_the_source_and_the_attachments(opened: Opened) -> None:
    viewer = opened(_story())
    drawn = (
        "[...document.querySelectorAll('.film-strip-frame')].map((one) => "
        "one.style.backgroundImage)"
    )
    viewer.tab.wait_for(f"new Set({drawn}).size === 4")
    first = viewer.tab.run(f"{drawn}[0]").split('"')[1]
    assert viewer.tab.run(f"fetch({json.dumps(first)}).then((one) => one.status)") == 200
    viewer.show("Console")
    assert [line[-40:] for line in viewer.texts(".console-line")] == [
        "1.3sShop:4058I signing in",
        "2.4sShop:4058E no stock",
    ]
    viewer.show("Attachments")
    viewer.tab.run(
        "document.querySelector('.attachment-item .expandable-title, .attachment-item "
        "span').click()"
    )
    viewer.select('tap text="Sign in"')
    viewer.show("Source")
    viewer.tab.wait_for(
        "/expect_screen/.test(document.querySelector('.source-line-running')?.textContent)"
    )
    viewer.show("Network")
    assert "No network calls" in viewer.text()


def test_a_recovery_stands_within_its_action(opened: Opened) -> None:
    viewer = opened(recovered_trace("recovered"))
    viewer.unfold()
    titles = viewer.texts(TITLES)
    at = titles.index("recover: state_refresh by a notice was in the way")
    assert titles[at - 1 : at + 2] == [
        'tap text="Sign in"',
        titles[at],
        "recover: step_back by careless",
    ]
    viewer.show("Console")
    assert "dev.replicant.shop died: no cart (Cart.kt:4)" in viewer.text(".console-tab")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text(opened: Opened, name: str) -> None:
    trace = hostile_trace(HOSTILE[name])
    elements = (ShownElement("k427", HOSTILE[name], HOSTILE[name], Rect(90, 2090, 990, 2240)),)
    snapshots = {key: replace(record, elements=elements) for key, record in trace.snapshots.items()}
    viewer = opened(replace(trace, snapshots=snapshots))
    viewer.unfold()
    for call in range(len(viewer.texts(TITLES))):
        # a step that was open for its selected call alone folds when another is selected
        viewer.unfold()
        viewer.tab.run(f"document.querySelectorAll({json.dumps(TITLES)})[{call}].click()")
        for tab in ("Before", "After", "Call", "Log", "Errors", "Console", "Source", "Attachments"):
            viewer.show(tab)
    viewer.unfold()
    viewer.tab.run(f"document.querySelectorAll({json.dumps(TITLES)})[1].click()")
    viewer.show("Before")
    viewer.shows(
        "page.querySelectorAll('body *').length <= 2 && page.querySelector('[data-testid=k427]')"
    )
    assert viewer.tab.run("document.title") == "Playwright Trace Viewer"
    assert (
        viewer.tab.run(
            "[...document.querySelectorAll('img')].filter((one) => one.src.endsWith('/x')).length"
        )
        == 0
    )
    assert [line for line in viewer.said if "404" not in line] == []


def test_without_pictures_the_elements_are_drawn(opened: Opened) -> None:
    viewer = opened(replace(_story(), screenshots={}))
    viewer.select('tap text="Sign in"')
    viewer.show("Before")
    viewer.shows("page.querySelector('[data-testid=r118]')?.textContent === 'Remember me'")


def test_a_test_without_any_call_opens(opened: Opened) -> None:
    failure = RaisedError("no phone", "NoDeviceAvailable", phase="setup")
    viewer = opened(TestTrace(tiny_trace("infra").test, failures=(failure,)))
    assert viewer.texts(TITLES) == ["setup: NoDeviceAvailable", "test infra"]
    assert viewer.texts(FAILED) == ["setup: NoDeviceAvailable"]
    viewer.show("Errors")
    assert viewer.text(".error-message") == "no phone"


def test_a_run_on_a_virtual_phone(viewer: Viewer, run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
        def test_it(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            with mobile.step("nowhere to be found"):
                mobile.expect_visible(text="Nowhere", timeout=0.3)
        """,
        "--replicant-output=out",
    ).assert_outcomes(failed=1)
    (archive,) = (pytester.path / "out").glob("*/*/trace.zip")
    viewer.open(archive.read_bytes(), "run.zip")
    viewer.unfold()
    titles = viewer.texts(TITLES)
    assert titles[:3] == [
        "launch dev.replicant.shop",
        "expect_screen Sign in",
        "nowhere to be found",
    ]
    assert titles[-1] == "test failed"
    viewer.select("expect_screen")
    viewer.shows("page.querySelector('img')?.naturalWidth > 500")
    viewer.shows(
        "[...page.querySelectorAll('[aria-label]')].some((one) => one.ariaLabel === 'Sign in')"
    )
