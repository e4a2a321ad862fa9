"""The inspector's page in a real browser, of a virtual phone and of a kept trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.testing.virtual import (
    App,
    Button,
    Column,
    EditText,
    Row,
    RunningApp,
    Screen,
    Text,
    Widget,
)
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
                Row(
                    [Button(f"Key {row * 2 + at} of the keys", weight=1) for at in range(2)],
                    height=34,
                )
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
        "document.querySelectorAll('#outline [data-ref]').length > 1 && "
        "!!document.querySelector('#element p')"
    )


def done(tab: Tab) -> None:
    tab.wait_for("!document.body.classList.contains('busy')")


def line(tab: Tab, words: str) -> str:
    """The ref of the last line of the outline with these words."""
    ref: str = tab.run(
        "[...document.querySelectorAll('#outline [data-ref]')]"
        f".filter((row) => row.innerText.includes({json.dumps(words)})).pop().dataset.ref"
    )
    return ref


def place(tab: Tab, ref: str) -> tuple[float, float]:
    """The middle of an element in the picture."""
    x, y = tab.run(
        "(async () => { const state = await (await fetch('state')).json(); const screen = "
        "state.screen; const [left, top, right, bottom] = "
        f"screen.elements[{json.dumps(ref)}].bounds; const box = "
        "document.getElementById('glass').getBoundingClientRect(); return [box.left + (left + "
        "right) / 2 / screen.size[0] * box.width, box.top + (top + bottom) / 2 / screen.size[1] * "
        "box.height]; })()"
    )
    return x, y


def chosen(tab: Tab, ref: str) -> None:
    """An element by its line."""
    tab.click(f"[data-ref={ref}]")
    tab.wait_for(f"document.querySelector('#element h2 .ref')?.innerText === '{ref}'")


def step(tab: Tab, words: str) -> None:
    tab.run(f"document.getElementById('step').value = {json.dumps(words)}")
    tab.run("document.getElementById('step-form').requestSubmit()")
    done(tab)


def signed_in(tab: Tab, page: Inspected) -> None:
    page.do(*SIGN_IN, secrets=SECRETS)
    opened(tab, page)


def test_pointing_at_the_picture_marks_the_line_and_the_other_way_round(
    tab: Tab, shop: Inspected
) -> None:
    signed_in(tab, shop)
    ref, hovered = line(tab, '"Add"'), "document.querySelector('#outline .hovered').dataset.ref"
    tab.point_at(*place(tab, ref))  # a button in a row in a list
    assert tab.run(hovered) == ref
    other = line(tab, "Settings")
    box = f"document.querySelector('[data-ref={other}]').getBoundingClientRect()"
    tab.point_at(*tab.run(f"[{box}.left + 9, {box}.top + 9]"))
    mark = "document.querySelector('.overlay .hovered')"
    bounds = shop.state()["screen"]["elements"][other]["bounds"]
    assert (
        tab.run(f"[{mark}.getAttribute('x'), {mark}.getAttribute('y')].map(Number)") == bounds[:2]
    )
    tab.point_at(2, 2)
    assert tab.count(".hovered") == 0
    tab.click("#refs")
    tab.wait_for("document.getElementById('picture').naturalHeight === 1000")
    assert "/marked/" in tab.run("document.getElementById('picture').src")
    tab.point_at(*place(tab, ref))
    assert tab.run(hovered) == ref
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
        last = line(tab, "Key 39 of the keys")
        state = page.state()["screen"]
        scale = 1000 / max(state["size"])
        box, natural = tab.run(
            "(() => { const box = picture.getBoundingClientRect();"
            " return [[box.left, box.top, box.width], picture.naturalWidth]; })()"
        )
        left, top, right, bottom = (
            side * scale * box[2] / natural for side in state["elements"][last]["bounds"]
        )
        middle = box[1] + (top + bottom) / 2
        tab.point_at(box[0] + (left + right) / 2, middle)
        assert tab.run("document.querySelector('#outline .hovered').dataset.ref") == last
        tab.point_at(box[0] + box[2] - 8, middle)
        assert tab.count(".hovered") == 0
        leave(tab, tmp_path)


def test_a_click_on_the_picture_taps_and_the_test_grows(tab: Tab, shop: Inspected) -> None:
    signed_in(tab, shop)
    before = tab.run("document.getElementById('code').innerText")
    tab.click_at(*place(tab, line(tab, "Settings")))
    tab.wait_for("document.querySelector('#outline').innerText.startsWith('Settings')")
    done(tab)
    code = tab.run("document.getElementById('code').innerText")
    assert code.startswith(before.rstrip())
    assert code.rstrip().endswith('mobile.tap(text="Settings")')
    assert tab.text("#count") == "· 4 steps"


def test_a_click_elsewhere_offers_and_one_that_does_not_tap_selects(
    tab: Tab, shop: Inspected
) -> None:
    box = "document.getElementById('glass').getBoundingClientRect()"
    tab.click_at(*tab.run(f"[{box}.x + 6, {box}.bottom - 60]"))
    assert "Tap there: tap_at(" in tab.text("#answer")
    assert shop.state()["count"] == 0
    tab.click("#answer button")
    tab.wait_for("document.getElementById('count').innerText === '· 1 step'")
    done(tab)
    tab.click("#taps")
    ref = line(tab, "Sign in")
    tab.click_at(*place(tab, ref))
    tab.wait_for(f"document.querySelector('#element h2 .ref')?.innerText === '{ref}'")
    assert (
        tab.run(f"document.querySelector('[data-ref={ref}]').getAttribute('aria-selected')")
        == "true"
    )
    assert 'by(resource_id="sign_in")' in tab.text("#element .locators")
    assert shop.state()["count"] == 1


def test_typing_and_a_secret_that_stays_out_of_the_page(tab: Tab, shop: Inspected) -> None:
    for words, name, typed in (
        ("Email", "", "ada@"),
        ("Password", "SHOP_PASSWORD", "correct horse"),
    ):
        chosen(tab, line(tab, words))
        if name:
            tab.run(f"document.getElementById('secret-name').value = '{name}'")
        tab.run(f"document.getElementById('typed').value = '{typed}'")
        tab.run("document.querySelector('.typing').requestSubmit()")
        tab.wait_for(f"document.getElementById('code').innerText.includes('{name or typed}')")
        done(tab)
    assert 'value=Secret(os.environ["SHOP_PASSWORD"])' in tab.text("#code")
    assert "correct horse" not in tab.run("document.documentElement.outerHTML")


def test_checks_are_buttons_and_go_once_recorded(tab: Tab, shop: Inspected) -> None:
    step(tab, SIGN_IN[0])
    chosen(tab, line(tab, "Remember me"))
    tab.run(
        "[...document.querySelectorAll('#element .check')].find((one) => one.innerText === 'not "
        "checked').click()"
    )
    tab.wait_for("document.getElementById('code').innerText.includes('.expect_state(')")
    shop.do(SIGN_IN[1], secrets=SECRETS)
    step(tab, SIGN_IN[2])
    assert tab.count(".proposal") == 2
    tab.click(".proposal")
    tab.wait_for("document.querySelectorAll('.proposal').length === 1")
    assert 'tap(text="Sign in").expect_screen("Catalogue")' in tab.text("#code")
    assert "recorded: holds" in tab.text("#answer")


def test_an_error_is_said_and_what_is_advised_fills_the_line(tab: Tab, shop: Inspected) -> None:
    wrong, typed = 'tap(text="sign in", timeout=0.2)', "document.getElementById('step').value"
    step(tab, wrong)
    assert "FAILED ELEMENT_NOT_FOUND" in tab.text("#answer .bad pre")
    assert tab.run(typed) == wrong  # to be corrected
    tab.click("#answer .bad button")
    assert tab.run(typed).startswith('tap(text="Sign in"')
    tab.press("ArrowUp")
    assert tab.run(typed) == wrong


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
    written = (tmp_path / "tests" / "test_mail.py").read_text()
    assert written.split() == tab.text("#code").split()
    tab.click("#save-form button[value=save]")
    tab.wait_for("!!document.querySelector('#saved .bad')")


def test_what_the_app_does_by_itself_is_followed(tab: Tab, shop: Inspected) -> None:
    assert shop.typed is not None
    context = shop.typed.explorer.session._context
    context.driver.press_key("home")
    context.clock.sleep(1)
    tab.wait_for("!document.querySelector('#outline').innerText.startsWith('Sign in')")
    assert tab.text("#count") == ""


class Front(Screen[list[int]]):
    title = EVIL

    def build(self, app: RunningApp[list[int]]) -> Widget:
        return Column(
            [Text(EVIL, id="evil"), Button(f"{EVIL}go", id="go"), EditText("');", id="field")]
        )


def test_what_an_app_shows_is_never_markup(tab: Tab, tmp_path: Path) -> None:
    hostile: App[list[int]] = App(
        package="com.acme.evil", label=EVIL, state=lambda stored: [0], start=Front
    )
    with inspected(tmp_path, hostile) as page:
        opened(tab, page)
        tab.click(f"[data-ref={line(tab, 'go')}]")
        tab.wait_for("!!document.querySelector('#element .actions')")
        tab.click("#element .actions button")
        tab.wait_for("document.getElementById('count').innerText === '· 1 step'")
        done(tab)
        step(tab, f"tap(text={EVIL!r}, timeout=0.1)")
        assert tab.run("document.title") == "com.acme.evil · inspect"
        assert tab.count("body script, img:not(#picture), [onerror]") == 0
        assert EVIL in tab.text("#outline")
        leave(tab, tmp_path)


def test_an_inspector_that_was_ended_is_said(tab: Tab, shop: Inspected) -> None:
    tab.run(
        "[...document.querySelectorAll('#buttons button')].find((one) => one.innerText === "
        "'End').click()"
    )
    tab.wait_for("document.getElementById('trouble').innerText.includes('has ended')")
    assert tab.run(
        "[...document.querySelectorAll('main button:not(.copy)')].every((one) => one.disabled)"
    )
    tab.console.clear()  # the browser names the request that was answered with "ended"


def test_a_kept_trace_has_its_steps_and_nothing_to_tap(tab: Tab, tmp_path: Path) -> None:
    first = screen(button("Sign in"), text("Help"), title="Welcome")
    steps = [
        Step("tap", 'text="Sign in"', first, CATALOGUE),
        Step("expect_visible", 'text="Tray"', CATALOGUE),
    ]
    run = write_report(tmp_path, {"buy": steps})
    with kept(str(run)) as page:
        opened(tab, page)
        assert tab.count("#recorded-steps li") == 2
        tab.click("#recorded-steps [data-side=before]")
        tab.wait_for("document.querySelector('#outline').innerText.startsWith('Welcome')")
        assert tab.text("#which") == "Before step 1"
        tab.click(f"[data-ref={line(tab, 'Sign in')}]")
        tab.wait_for(
            "document.querySelector('#element').innerText.includes('by(text=\"Sign in\")')"
        )
        assert tab.count(".actions, #element .check") == 0
        assert tab.run(
            "document.getElementById('stepping').hidden && document.getElementById('mode').hidden"
        )
        tab.click("#recorded-steps [data-side=after]")
        tab.wait_for("document.querySelector('#outline').innerText.startsWith('Catalogue')")
        leave(tab, tmp_path)


def test_nothing_is_cut_off(tab: Tab, shop: Inspected) -> None:
    signed_in(tab, shop)
    tab.run(f"document.querySelector('[data-ref={line(tab, 'Red mug')}]').click()")
    tab.wait_for("!!document.querySelector('#element .actions')")
    for width in (1280, 800, 420):
        tab.resize(width, 800)
        assert tab.run("document.documentElement.scrollWidth <= innerWidth")
        assert tab.run(
            "[...document.querySelectorAll('.grows')].every((one) => one.scrollHeight <= "
            "one.clientHeight + 1)"
        )
