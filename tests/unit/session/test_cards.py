"""One card at a time, and one dialog at a time: what stands on the next one in the same place is another thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, ExpectationFailed
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Row,
    RunningApp,
    Screen,
    Switch,
    Text,
    Widget,
)

from .on_phone import PACKAGE, QUICK

Deck = RunningApp[dict[str, Any]]


class Cards(Screen[dict[str, Any]]):
    """A card with its controls, with ids and without; "Next" brings the next one. "Ask" asks about the card."""

    title = "Cards"

    def build(self, app: Deck) -> Widget:
        state = app.state
        number = state.get("card", 0)
        name = ["Alice", "Bob"][number]

        def note(what: str) -> Callable[..., None]:
            return lambda *_: state.update(done=[*state.get("done", ()), f"{what} {name}"])

        def ask() -> None:
            yes = DialogButton("Yes", on_click=note("remove"))
            app.show(Dialog("Remove?", "It cannot be undone", (yes, DialogButton("No"))))

        def tapped() -> None:
            state.update(taps=state.get("taps", 0) + 1)

        named = Column(
            [
                Text(name, id="name"),
                Button("Like", id="like", on_click=note("like"), on_long_click=note("hold")),
                EditText("Note", id="note", text=state.get(f"text {name}", ""),
                         on_change=lambda text: state.update({f"text {name}": text})),
                Switch("Follow", id="follow", checked=state.get(f"follow {name}", False),
                       on_change=lambda on: state.update({f"follow {name}": on})),
            ],
            id="card",
        )  # fmt: skip
        nameless = Column([Text(name), Button("Wave", on_click=note("wave"))])
        counted = Column([Text(f"{state.get('taps', 0)} taps"), Button("Count", on_click=tapped)])
        bar = Row([Button("Next", on_click=lambda: state.update(card=1 - number)), Button("Ask", on_click=ask)])
        card = {"named": named, "nameless": nameless, "counted": counted}[state["card_kind"]]
        return Column([bar, card])


Deal = Callable[[str], DeviceSession]


@pytest.fixture(params=["android", "ios"])
def deal(request: pytest.FixtureRequest) -> Iterator[Deal]:
    """``deal("named")``: a session with a card of that kind in front."""
    with ExitStack() as stack:

        def dealt(kind: str) -> DeviceSession:
            app: App[dict[str, Any]] = App(
                package=PACKAGE, label="Trial", state=lambda _: {"card_kind": kind}, start=Cards
            )
            return stack.enter_context(virtual_session(app, platform=request.param, **QUICK))

        yield dealt


USES: dict[str, tuple[str, Callable[[DeviceSession, Any], object]]] = {
    "tap": ("Like", lambda on, it: on.tap(it)),
    "long press": ("Like", lambda on, it: on.long_press(it)),
    "fill": ("Note", lambda on, it: on.fill(it, value="hello")),
    "adjust": ("Follow", lambda on, it: on.adjust(it, to=True)),
    "without an id": ("Wave", lambda on, it: on.tap(it)),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("kind", ["ref", "element"])
def test_a_ref_of_one_card_is_not_used_on_the_next(deal: Deal, use: str, kind: str) -> None:
    label, act = USES[use]
    mobile = deal("nameless" if use == "without an id" else "named")
    element = mobile.find(text=label)
    target = element.ref if kind == "ref" else element
    mobile.tap(text="Next").expect_visible(text="Bob")
    with pytest.raises(ActionFailed, match='says "Bob" now, no longer "Alice"'):
        act(mobile, target)
    for check in (mobile.expect_visible, mobile.expect_gone):
        with pytest.raises(ExpectationFailed, match="ambiguous"):
            check(target, timeout=0.2)
    act(mobile, mobile.find(text=label))  # the ref of this card


def test_a_ref_of_the_same_card_goes_on_working(deal: Deal) -> None:
    mobile = deal("named")
    screen = mobile.snapshot()
    mobile.tap(screen.ref(text="Like"))
    mobile.fill(screen.ref(text="Note"), value="hello")
    mobile.tap(screen.ref(text="Like"))
    mobile.tap(screen.ref(text="Next")).expect_visible(text="Bob")
    mobile.tap(screen.ref(text="Next")).expect_visible(text="Alice")
    mobile.tap(screen.ref(text="Next")).expect_visible(text="Bob")


def test_a_ref_next_to_a_number_that_counts_goes_on_working(deal: Deal) -> None:
    mobile = deal("counted")
    ref = mobile.snapshot().ref(text="Count")
    mobile.tap(ref).expect_visible(text="1 taps")
    mobile.tap(ref).expect_visible(text="2 taps")


def test_a_ref_of_a_dialog_ends_with_it(deal: Deal) -> None:
    """The next one says the very same, and asks about something else."""
    mobile = deal("named")
    mobile.tap(text="Ask").expect_visible(text="Remove?")
    yes = mobile.find(text="Yes")
    mobile.expect_visible(yes).expect_visible(yes.ref)
    mobile.tap(text="No").expect_gone(text="Remove?")
    mobile.expect_gone(yes.ref)
    mobile.tap(text="Next").expect_visible(text="Bob")
    mobile.tap(text="Ask").expect_visible(text="Remove?")
    for target in (yes, yes.ref):
        with pytest.raises(ActionFailed, match="STALE_REFERENCE"):
            mobile.tap(target)
        mobile.expect_gone(target)
    mobile.tap(mobile.find(text="Yes").ref).expect_gone(text="Remove?")
