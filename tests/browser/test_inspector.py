"""The inspector's page in a real browser, of a virtual phone and of a kept trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.testing.virtual import App, Button, Column, EditText, Row, RunningApp, Screen, Text, Widget
from tests.unit.cli.made_reports import Step, write_report
from tests.unit.exploring.inspected import EVIL, Inspected, inspected, kept
from tests.unit.exploring.sessions import SECRETS, SIGN_IN
from tests.unit.snapshots.screens import SHOP as CATALOGUE
from tests.unit.snapshots.screens import button, screen, text

from .chromium import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Keys(Screen[None]):
    """Forty buttons whose labels fill them."""

    activity = ".KeysActivity"
    title = "Keys"

    def build(self, app: RunningApp[None]) -> Widget:
        return Column(
            [
                Row([Button(f"Key {row * 2 + at} of the keys", weight=1) for at in range(2)], height=34)
                for row in range(20)
            ]
        )


@pytest.fixture
def shop(tab: Tab, tmp_path: Path) -> Iterator[Inspected]:
    with inspected(tmp_path) as found:
        opened(tab, found)
        yield found
        leave(tab, tmp_path)


def leave(tab: Tab, folder: Path) -> None:
    """Before the server goes, which the page would report."""
    (folder / "left.html").write_text("<title>left</title>")
    tab.open((folder / "left.html").as_uri())


def opened(tab: Tab, page: Inspected) -> None:
    tab.open(page.server.address)
    tab.wait_for(
        "document.querySelectorAll('#outline [data-ref]').length > 1 && !!document.querySelector('#element p')"
    )


def done(tab: Tab) -> None:
    tab.wait_for("!document.body.classList.contains('busy')")


def read(tab: Tab, selector: str) -> str:
    found: str = tab.run(f"document.querySelector({json.dumps(selector)}).innerText")
    return found


def line(tab: Tab, words: str) -> str:
    """The ref of the last line of the outline with these words."""
    ref: str = tab.run(
        "[...document.querySelectorAll('#outline [data-ref]')]"
        f".filter((row) => row.innerText.includes({json.dumps(words)})).pop().dataset.ref"
    )
    return ref


def point(tab: Tab, ref: str, kind: str = "mouseMoved", **more: Any) -> None:
    """The mouse at the middle of an element in the picture."""
    x, y = tab.run(
        "(async () => { const state = await (await fetch('state')).json(); const screen = state.screen;"
        f" const [left, top, right, bottom] = screen.elements[{json.dumps(ref)}].bounds;"
        " const box = document.getElementById('glass').getBoundingClientRect();"
        " return [box.left + (left + right) / 2 / screen.size[0] * box.width,"
        " box.top + (top + bottom) / 2 / screen.size[1] * box.height]; })()"
    )
    tab._send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


def click_picture(tab: Tab, ref: str) -> None:
    for kind in ("mousePressed", "mouseReleased"):
        point(tab, ref, kind, button="left", clickCount=1)


def step(tab: Tab, words: str) -> None:
    tab.run(f"document.getElementById('step').value = {json.dumps(words)}")
    tab.run("document.getElementById('step-form').requestSubmit()")
    done(tab)


def signed_in(tab: Tab, page: Inspected) -> None:
    page.do(*SIGN_IN, secrets=SECRETS)
    opened(tab, page)


def test_pointing_at_the_picture_marks_the_line_and_the_other_way_round(tab: Tab, shop: Inspected) -> None:
    ref = line(tab, "Forgot password?")
    point(tab, ref)
    assert tab.run("document.querySelector('#outline .hovered').dataset.ref") == ref
    other = line(tab, "Remember me")
    x, y = tab.run(
        f"(() => {{ const box = document.querySelector('[data-ref={other}]').getBoundingClientRect();"
        " return [box.left + 9, box.top + 9]; })()"
    )
    tab._send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    bounds = shop.state()["screen"]["elements"][other]["bounds"]
    mark = "document.querySelector('.overlay .hovered')"
    assert tab.run(f"[{mark}.getAttribute('x'), {mark}.getAttribute('y')].map(Number)") == bounds[:2]
    tab._send("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    assert tab.run(f"{mark}") is None
    assert tab.run("document.querySelectorAll('.hovered').length") == 0


def test_refs_are_shown_on_the_picture_where_they_are_asked_for(tab: Tab, shop: Inspected) -> None:
    signed_in(tab, shop)
    ref = line(tab, '"Add"')
    tab.click("#refs")
    tab.wait_for("document.getElementById('picture').naturalHeight === 1000")
    assert "/marked/" in tab.run("document.getElementById('picture').src")
    point(tab, ref)
    assert tab.run("document.querySelector('#outline .hovered').dataset.ref") == ref
    tab.click("#refs")
    tab.wait_for("document.getElementById('picture').src.includes('/picture/')")


def test_the_margin_with_refs_is_no_part_of_the_screen(tab: Tab, tmp_path: Path) -> None:
    """Buttons that fill a screen have no room for refs."""
    app = App(package="dev.replicant.keys", label="Keys", state=lambda stored: None, start=Keys)
    with inspected(tmp_path, app) as page:
        opened(tab, page)
        width = tab.run("document.getElementById('glass').clientWidth")
        tab.click("#refs")
        tab.wait_for("document.getElementById('picture').naturalWidth > 480")
        tab.wait_for(f"document.getElementById('glass').clientWidth > {width}")
        tab.screenshot(tmp_path / "refs.png")
        last = line(tab, "Key 39 of the keys")
        state = page.state()["screen"]
        scale = 1000 / max(state["size"])
        box, natural = tab.run(
            "(() => { const box = picture.getBoundingClientRect();"
            " return [[box.left, box.top, box.width], picture.naturalWidth]; })()"
        )
        left, top, right, bottom = (side * scale * box[2] / natural for side in state["elements"][last]["bounds"])
        middle = {"x": box[0] + (left + right) / 2, "y": box[1] + (top + bottom) / 2}
        tab._send("Input.dispatchMouseEvent", type="mouseMoved", **middle)
        assert tab.run("document.querySelector('#outline .hovered').dataset.ref") == last
        tab._send("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + box[2] - 8, y=middle["y"])
        assert tab.run("document.querySelectorAll('.hovered').length") == 0
        leave(tab, tmp_path)


def test_the_smallest_element_under_the_pointer_is_meant(tab: Tab, shop: Inspected) -> None:
    signed_in(tab, shop)
    ref = line(tab, '"Add"')
    point(tab, ref)  # a button in a row in a list
    assert tab.run("document.querySelector('#outline .hovered').dataset.ref") == ref


def test_a_click_on_the_picture_taps_and_the_test_grows(tab: Tab, shop: Inspected) -> None:
    signed_in(tab, shop)
    before = read(tab, "#code")
    click_picture(tab, line(tab, "Settings"))
    tab.wait_for("document.querySelector('#outline').innerText.startsWith('Settings')")
    done(tab)
    assert read(tab, "#code").startswith(before.rstrip())
    assert read(tab, "#code").rstrip().endswith('mobile.tap(text="Settings")')
    assert read(tab, "#count") == "· 4 steps"


def test_a_click_selects_where_clicks_do_not_tap(tab: Tab, shop: Inspected) -> None:
    tab.click("#taps")
    ref = line(tab, "Sign in")
    click_picture(tab, ref)
    tab.wait_for(f"document.querySelector('#element h2 .ref')?.innerText === '{ref}'")
    assert tab.run(f"document.querySelector('[data-ref={ref}]').getAttribute('aria-selected')") == "true"
    assert [each.strip() for each in read(tab, "#element .locators").split("\n") if "by(" in each] == [
        'by(resource_id="sign_in")', 'by(text="Sign in")',
    ]  # fmt: skip
    assert shop.state()["count"] == 0


def test_a_place_without_an_element_is_offered_and_not_tapped(tab: Tab, shop: Inspected) -> None:
    box = tab.run(
        "(() => { const b = document.getElementById('glass').getBoundingClientRect(); return [b.x, b.bottom]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        tab._send("Input.dispatchMouseEvent", type=kind, x=box[0] + 6, y=box[1] - 60, button="left", clickCount=1)
    assert "Tap there: tap_at(" in read(tab, "#answer")
    assert shop.state()["count"] == 0
    tab.click("#answer button")
    tab.wait_for("document.getElementById('count').innerText === '· 1 step'")


def test_typing_and_a_secret_that_stays_out_of_the_page(tab: Tab, shop: Inspected) -> None:
    for words, name, typed in (("Email", "", "ada@"), ("Password", "SHOP_PASSWORD", "correct horse")):
        ref = line(tab, words)
        tab.click(f"[data-ref={ref}]")
        tab.wait_for(f"document.querySelector('#element h2 .ref')?.innerText === '{ref}'")
        if name:
            tab.run(f"document.getElementById('secret-name').value = '{name}'")
        tab.run(f"document.getElementById('typed').value = '{typed}'")
        tab.run("document.querySelector('.typing').requestSubmit()")
        tab.wait_for(f"document.getElementById('code').innerText.includes('{name or typed}')")
        done(tab)
    assert 'value=Secret(os.environ["SHOP_PASSWORD"])' in read(tab, "#code")
    assert "correct horse" not in tab.run("document.documentElement.outerHTML")


def test_checks_are_buttons_and_are_recorded(tab: Tab, shop: Inspected) -> None:
    step(tab, SIGN_IN[0])
    ref = line(tab, "Remember me")
    tab.click(f"[data-ref={ref}]")
    tab.wait_for("!!document.querySelector('#element .check')")
    tab.run(
        "[...document.querySelectorAll('#element .check')].find((one) => one.innerText === 'not checked').click()"
    )
    tab.wait_for("document.getElementById('code').innerText.includes('.expect_state(')")


def test_proposed_checks_are_buttons_and_go_once_recorded(tab: Tab, shop: Inspected) -> None:
    shop.do(*SIGN_IN[:2], secrets=SECRETS)
    step(tab, SIGN_IN[2])
    assert tab.run("document.querySelectorAll('.proposal').length") == 2
    tab.click(".proposal")
    tab.wait_for("document.querySelectorAll('.proposal').length === 1")
    assert 'tap(text="Sign in").expect_screen("Catalogue")' in read(tab, "#code")
    assert "recorded: holds" in read(tab, "#answer")


def test_an_error_is_said_and_what_is_advised_fills_the_line(tab: Tab, shop: Inspected) -> None:
    step(tab, 'tap(text="sign in", timeout=0.2)')
    assert "FAILED ELEMENT_NOT_FOUND" in read(tab, "#answer .bad pre")
    assert (
        tab.run("document.getElementById('step').value") == 'tap(text="sign in", timeout=0.2)'
    )  # to be corrected
    tab.click("#answer .bad button")
    assert tab.run("document.getElementById('step').value").startswith('tap(text="Sign in"')
    tab.press("ArrowUp")
    assert tab.run("document.getElementById('step').value") == 'tap(text="sign in", timeout=0.2)'


def test_it_is_used_from_the_keyboard(tab: Tab, shop: Inspected) -> None:
    tab.run("document.querySelector('#outline [tabindex=\"0\"]').focus()")
    for key in ("ArrowDown", "ArrowDown"):
        tab.press(key)
    ref = line(tab, "Email")
    assert tab.run("document.activeElement.dataset.ref") == ref
    tab.wait_for(f"document.querySelector('#element h2 .ref')?.innerText === '{ref}'")
    tab.press("Enter")
    tab.wait_for("document.activeElement.innerText === 'Tap'")
    tab.press("Enter")
    tab.wait_for("document.getElementById('count').innerText === '· 1 step'")
    done(tab)
    tab.press("/")
    assert tab.run("document.activeElement.id") == "step"


def test_the_test_is_saved(tab: Tab, shop: Inspected, tmp_path: Path) -> None:
    step(tab, SIGN_IN[0])
    tab.run("document.getElementById('place').value = 'tests/test_mail.py::test_inspected'")
    tab.click("#save-form button[value=save]")
    tab.wait_for("document.getElementById('saved').innerText.includes('written, +')")
    assert (tmp_path / "tests" / "test_mail.py").read_text().rstrip() == read(tab, "#code").rstrip()
    tab.click("#save-form button[value=save]")
    tab.wait_for("!!document.querySelector('#saved .bad')")


def test_what_the_app_does_by_itself_is_followed(tab: Tab, shop: Inspected) -> None:
    assert shop.typed is not None
    context = shop.typed.explorer.session._context
    context.driver.press_key("home")
    context.clock.sleep(1)
    tab.wait_for("!document.querySelector('#outline').innerText.startsWith('Sign in')")
    assert read(tab, "#count") == ""


class Front(Screen[list[int]]):
    title = EVIL

    def build(self, app: RunningApp[list[int]]) -> Widget:
        return Column([Text(EVIL, id="evil"), Button(f"{EVIL}go", id="go"), EditText("');", id="field")])


def test_what_an_app_shows_is_never_markup(tab: Tab, tmp_path: Path) -> None:
    hostile: App[list[int]] = App(package="com.acme.evil", label=EVIL, state=lambda stored: [0], start=Front)
    with inspected(tmp_path, hostile) as page:
        opened(tab, page)
        tab.click(f"[data-ref={line(tab, 'go')}]")
        tab.wait_for("!!document.querySelector('#element .actions')")
        tab.click("#element .actions button")
        tab.wait_for("document.getElementById('count').innerText === '· 1 step'")
        done(tab)
        step(tab, f"tap(text={EVIL!r}, timeout=0.1)")
        assert tab.run("document.title") == "com.acme.evil · inspect"
        assert tab.run("document.querySelectorAll('body script, img:not(#picture), [onerror]').length") == 0
        assert EVIL in read(tab, "#outline")
        leave(tab, tmp_path)


def test_an_inspector_that_was_ended_is_said(tab: Tab, shop: Inspected) -> None:
    tab.run("[...document.querySelectorAll('#buttons button')].find((one) => one.innerText === 'End').click()")
    tab.wait_for("document.getElementById('trouble').innerText.includes('has ended')")
    assert tab.run("[...document.querySelectorAll('main button:not(.copy)')].every((one) => one.disabled)")
    tab.console.clear()  # the browser names the request that was answered with "ended"


def test_a_kept_trace_has_its_steps_and_nothing_to_tap(tab: Tab, tmp_path: Path) -> None:
    first = screen(button("Sign in"), text("Help"), title="Welcome")
    steps = [Step("tap", 'text="Sign in"', first, CATALOGUE), Step("expect_visible", 'text="Tray"', CATALOGUE)]
    run = write_report(tmp_path, {"buy": steps})
    with kept(str(run)) as page:
        opened(tab, page)
        assert tab.run("document.querySelectorAll('#recorded-steps li').length") == 2
        tab.click("#recorded-steps [data-side=before]")
        tab.wait_for("document.querySelector('#outline').innerText.startsWith('Welcome')")
        assert read(tab, "#which") == "Before step 1"
        tab.click(f"[data-ref={line(tab, 'Sign in')}]")
        tab.wait_for("document.querySelector('#element').innerText.includes('by(text=\"Sign in\")')")
        assert tab.run("document.querySelectorAll('.actions, #element .check').length") == 0
        assert tab.run("document.getElementById('stepping').hidden && document.getElementById('mode').hidden")
        tab.click("#recorded-steps [data-side=after]")
        tab.wait_for("document.querySelector('#outline').innerText.startsWith('Catalogue')")
        leave(tab, tmp_path)


@pytest.mark.parametrize("width", [1280, 800, 420])
def test_nothing_is_cut_off_or_lies_over_another(tab: Tab, shop: Inspected, width: int) -> None:
    signed_in(tab, shop)
    tab.resize(width, 800)
    tab.run(f"document.querySelector('[data-ref={line(tab, 'Red mug')}]').click()")
    tab.wait_for("!!document.querySelector('#element .actions')")
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    boxes = tab.run(
        "['#glass', ...document.querySelectorAll('.sheet')].map((one) => typeof one === 'string'"
        " ? document.querySelector(one) : one).filter((one) => one.offsetParent).map((one) => {"
        " const box = one.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom]; })"
    )
    assert len(boxes) == 5
    assert tab.run(
        "[...document.querySelectorAll('.grows')].every((one) => one.scrollHeight <= one.clientHeight + 1)"
    )
    over = [(a, b) for a in boxes for b in boxes if a is not b and _overlap(a, b)]
    assert over == []


def _overlap(a: list[float], b: list[float]) -> bool:
    return a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
