"""What came up from one action to the next: toasts, dialogs, lines of the log, recoveries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant import DeviceOffline, Expectation, Recovery, Secret, Unsupported, by
from pytest_replicant.drivers import Capability, Platform
from pytest_replicant.model import ManualClock, TestFacts
from pytest_replicant.session import DeviceSession, build_session, keep_log
from pytest_replicant.virtual import Button, Dialog

from .actionability.test_reachable import dialog, window, windows
from .logging_phone import PID, LoggingPhone
from .on_phone import Page, page_on
from .scripted_phone import APP, button, node, screen

HOME = screen(button("Go"), button("On", 1500), title="Home")
FACTS = TestFacts("test_x.py::test_x", 0, "passed", "2026-01-01T00:00:00.000+00:00", 1)
Logged = Callable[..., "tuple[DeviceSession, LoggingPhone]"]


@pytest.fixture
def logged(clock: ManualClock) -> Iterator[Logged]:
    """``logged(on_gesture=None, **settings)``: a session on a phone that logs, with ``HOME`` on
    it."""
    with ExitStack() as stack:

        def make(on_gesture: Any = None, **settings: Any) -> tuple[DeviceSession, LoggingPhone]:
            phone = LoggingPhone(clock, [HOME], on_gesture=on_gesture)
            session, recorder = build_session(
                phone, clock=clock, screenshots=False, app=APP, **settings
            )
            stack.callback(recorder.close)
            return session, phone

        yield make


def under(title: str) -> bytes:
    """The home screen under a dialog."""
    return windows(
        window(button("Go"), button("On", 1500), bounds="[0,0][1000,2000]"), dialog(title=title)
    )


def announces(*texts: str | None) -> Callable[[LoggingPhone], None]:
    """One toast for each gesture, in order."""

    def touched(phone: LoggingPhone) -> None:
        phone.toast = texts[len(phone.gestures) - 1]

    return touched


def shows(*frames: bytes) -> Callable[[LoggingPhone], None]:
    """These frames after the first gesture."""

    def touched(phone: LoggingPhone) -> None:
        if len(phone.gestures) == 1:
            phone.frames = list(frames)

    return touched


# --- toasts ---------------------------------------------------------------------------------------


def test_a_toast_is_a_line_of_what_changed_and_belongs_to_its_action(logged: Logged) -> None:
    session, phone = logged(announces("Saved", "Sent", None))
    phone.toast = "of before"
    saved = session.tap(text="Go")
    assert str(saved.diff) == 'no change\n* toast "Saved"'
    assert (saved.seen.toasts, str(saved.seen)) == (("Saved",), 'toast: "Saved"')
    assert (saved.diff.empty, saved.changed, saved.summary) == (True, False, "no change")
    sent = session.tap(text="Go")
    phone.toast = "Sent, late"
    assert sent.seen.toasts == ("Sent, late",)
    last = session.tap(text="Go")
    assert [one.seen.toasts for one in (saved, sent, last)] == [("Saved",), ("Sent, late",), ()]
    assert str(last.seen) == "nothing"


def test_a_handler_of_an_interruption_keeps_its_toasts_to_itself(logged: Logged) -> None:
    asked = screen(button("Go"), button("On", 1500), button("Later", 1100), title="Home")

    def touched(phone: LoggingPhone) -> None:
        announces("Paid", "Later, then", None)(phone)
        phone.frames = [HOME]

    session, phone = logged(touched)
    inner: list[Expectation] = []
    with session.on_interrupt(
        by(text="Later"), lambda mobile: inner.append(mobile.tap(text="Later"))
    ):
        outcome = session.tap(text="Go")
        phone.frames = [asked]
        phone.clock.advance(2.0)
        outcome.expect_visible(text="Go")
    phone.toast = "Paid, late"
    assert outcome.seen.toasts == ("Paid", "Paid, late")
    session.tap(text="Go")
    keep_log(session)
    trace = session._context.recorder.finish(FACTS)
    shown = [event.toasts for event in trace.events if event.result]
    assert shown == [("Paid", "Paid, late"), ("Later, then",), ()]
    assert [one.seen.toasts for one in (outcome, *inner)] == shown[:2]


def test_a_toast_is_in_the_trace_and_a_secret_in_it_is_hidden(logged: Logged) -> None:
    session, phone = logged()
    field = node(
        "EditText", (100, 200, 500, 300), text="", resource_id=f"{APP}:id/pin", clickable=True
    )
    phone.frames = [screen(field, button("Go", 1500), title="Home")]
    session.fill(resource_id="pin", value=Secret("4711-hush"), silent=True)
    phone.on_gesture = lambda phone: setattr(phone, "toast", "Wrong: 4711-hush\n<b>")
    outcome = session.tap(text="Go")
    assert "\n" not in str(outcome.seen), "app text stays on its line"
    keep_log(session)
    recorder = session._context.recorder
    event = recorder.finish(FACTS).events[-1]
    assert event.diff is not None
    assert event.diff.lines[0] == '* toast "Wrong: 4711-hush <b>"'
    assert "4711-hush" not in recorder.redactor.text(f"{outcome.seen}\n{outcome.diff}")


# --- dialogs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "frames", "gone"),
    [
        (HOME, [under("Rate us"), HOME], ("Rate us",)),
        (HOME, [under("One"), under("Two"), HOME], ("One", "Two")),
        (HOME, [under(""), under("Its title came late"), HOME], ("Its title came late",)),
        (HOME, [under("Went"), under("Still there")], ("Went",)),
        (under("Of before"), [under("Of before"), HOME], ()),
    ],
)
def test_dialogs_that_came_and_went_are_known_by_their_titles(
    logged: Logged, first: bytes, frames: Sequence[bytes], gone: tuple[str, ...]
) -> None:
    session, phone = logged(shows(*frames))
    phone.frames = [first]
    session.snapshot()
    outcome = session.tap_at(300, 1550)
    for _ in frames:
        session.snapshot()
    assert outcome.seen.dialogs == gone
    session.tap_at(300, 1550)
    phone.frames = [under("Of the next"), HOME]
    session.snapshot()
    assert outcome.seen.dialogs == gone, "of a newer action there is nothing in it"
    assert all(f'dialog: "{title}"' in str(outcome.seen) for title in gone)


# --- the log --------------------------------------------------------------------------------------


def speaks(phone: LoggingPhone) -> None:
    number = len(phone.gestures)
    phone.log(f"slow {number}", level="W")
    phone.log(f"quiet {number}")
    phone.log(f"another's {number}", level="E", pid=77)
    phone.log(f"broken {number}", level="E", tag="Cart")
    phone.log("\tat dev.shop.Cart.pay(Cart.kt:42)", level="E", tag="Cart")
    phone.log("\t... 12 more", level="E", tag="Cart")


def test_warnings_and_errors_of_the_app_are_those_of_this_action(logged: Logged) -> None:
    session, phone = logged(speaks)
    phone.log("of before", level="E")
    first = session.tap(text="Go")
    assert "logs" not in phone.commands, "an action does not read the log"
    asked = len(phone.commands)
    assert str(first.seen) == "log: W Shop: slow 1\nlog: E Cart: broken 1"
    assert phone.commands[asked:] == ["log_mark", "logs"], "the log is read once"
    assert (str(first.diff), phone.commands[asked + 2 :]) == ("no change", [])
    phone.clock.advance(1.0)
    second = session.tap(text="Go")
    assert [line.message for line in first.seen.log] == ["slow 1", "broken 1"]
    assert [line.message for line in second.seen.log] == ["slow 2", "broken 2"]


def test_lines_of_a_process_that_has_ended_count_and_many_are_summed_up(logged: Logged) -> None:
    def dies(phone: LoggingPhone) -> None:
        phone.log(f"Start proc {PID}:{APP}/u0a1 for top-activity", tag="ActivityManager", pid=1402)
        for number in range(250):
            phone.log(f"line {number}", level="W")
        phone.die()

    session, _ = logged(dies)
    seen = session.tap(text="Go").seen
    assert len(seen.log) == 200
    assert seen.log[-1].message == "java.lang.IllegalStateException: no cart"
    assert seen.unknown == ("log: only the newest 200 of 253 lines are kept",)
    assert str(seen).count("\n") == 7
    assert "log: … and 194 more" in str(seen)


def test_lines_that_may_be_of_another_action_are_not_claimed(logged: Logged) -> None:
    """The clock is set back by 5 s: what was stamped in the first second may have been logged in
    the sixth."""
    session, phone = logged(speaks)
    phone.says_last = False
    first = session.tap(text="Go")
    phone.wrong_by -= 5.0
    phone.clock.advance(2.0)
    second = session.tap(text="On")
    phone.clock.advance(8.0)
    assert (first.seen.log, second.seen.log) == ((), ())
    assert first.seen.unknown == (
        "log: 4 more may be of another action: the phone's clock was set",
    )


def test_a_log_that_was_cleared_is_said_to_be(logged: Logged) -> None:
    session, phone = logged(speaks)
    session.tap(text="Go")
    outcome = session.tap(text="Go")
    phone.entries.clear()
    assert outcome.seen.unknown == ("log: the first lines were overwritten or cleared",)


def test_what_cannot_be_read_is_said_to_be_unknown(logged: Logged) -> None:
    session, phone = logged(speaks)
    outcome = session.tap(text="Go", silent=True)
    assert outcome.seen.unknown == ("dialogs: no screen was read after it",)
    phone.trouble = DeviceOffline("the cable is out", device="scripted")
    assert outcome.seen.log == ()
    assert "unknown: log: the cable is out" in str(outcome.seen)
    phone.trouble = None
    phone.capabilities = Capability.NONE
    assert [one.partition(":")[0] for one in outcome.seen.unknown] == ["toasts", "dialogs", "log"]
    assert outcome.diff.toasts is None
    session._context.end("the test is over")
    assert "this session has ended" in str(outcome.seen)


def test_a_toast_that_cannot_be_asked_for_is_not_none(
    logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, phone = logged(announces("Saved", None))
    outcome = session.tap(text="Go")

    def refuse() -> None:
        raise Unsupported("this phone forgets", capability="TOASTS", device="scripted")

    monkeypatch.setattr(phone, "last_toast", refuse)
    assert (outcome.diff.toasts, outcome.seen.unknown) == (None, ("toasts: this phone forgets",))
    monkeypatch.undo()
    session.tap(text="Go")
    assert (outcome.diff.toasts, outcome.seen.unknown) == (("Saved",), ())


# --- recoveries -----------------------------------------------------------------------------------


def test_recoveries_of_the_action_are_in_it(logged: Logged) -> None:
    def answer(*_: Any) -> Recovery:
        return Recovery("re_resolve", target=by(text="On"), reason="it was renamed")

    session, _ = logged(recover=answer, action_timeout=0.2)
    outcome = session.tap(text="Gone")
    other = session.tap(text="Go")
    (recovery,) = outcome.seen.recoveries
    assert (recovery.strategy, recovery.recovered, other.seen.recoveries) == (
        "re_resolve",
        True,
        (),
    )
    shown = "recovery: re_resolve after ELEMENT_NOT_FOUND of tap (it was renamed), it held then"
    assert str(outcome.seen) == shown


# --- on a phone -----------------------------------------------------------------------------------


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_tap_that_toasts_logs_and_shows_a_dialog_for_a_moment(platform: Platform) -> None:
    def saves(app: Page) -> None:
        app.log("no network", level="W")
        app.show(Dialog("Saving…", "One moment"))
        app.after(80, app.dismiss)
        app.after(80, lambda: app.toast("Saved"))

    with page_on(platform, lambda app: Button("Save", on_click=lambda: saves(app))) as (mobile, *_):
        outcome = mobile.tap(text="Save")
        seen, home = outcome.seen, mobile.home()
        if platform == "ios":  # an app draws its toasts itself, and no log can be read
            assert str(outcome.diff).startswith("Front: 1 added")
            assert [one.partition(":")[0] for one in seen.unknown] == ["toasts", "log"]
            assert seen.dialogs == ("Saving…",)
            assert "(com.apple.springboard): " in home.summary
        else:
            assert str(outcome.diff) == 'no change\n* toast "Saved"'
            assert str(seen) == 'toast: "Saved"\ndialog: "Saving…"\nlog: W Trial: no network'
            assert outcome.seen == seen
            assert "(com.replicant.launcher): " in home.summary
