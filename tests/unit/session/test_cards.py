"""One card at a time, and one dialog at a time: what stands on the next one in the same place is another thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Literal

import pytest

from pytest_replicant import ActionFailed, DeviceSession, ExpectationFailed, by
from pytest_replicant.recovery import builtin
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Spinner,
    Switch,
    Text,
    Widget,
)

from .on_phone import QUICK, trial

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
                Spinner(["Red", "Green"], id="colour", on_change=note("choose")),
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
            return stack.enter_context(
                virtual_session(trial(Cards, card_kind=kind), platform=request.param, **QUICK)
            )

        yield dealt


USES: dict[str, tuple[str, Callable[[DeviceSession, Any], object]]] = {
    "tap": ("Like", lambda on, it: on.tap(it)),
    "double tap": ("Like", lambda on, it: on.double_tap(it)),
    "long press": ("Like", lambda on, it: on.long_press(it)),
    "fill": ("Note", lambda on, it: on.fill(it, value="hello")),
    "clear": ("Note", lambda on, it: on.clear_text(it)),
    "drag": ("Like", lambda on, it: on.drag(it, on.find(text="Next"))),
    "select": ("Red", lambda on, it: on.select(it, option="Green", silent=True)),
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


class Asking(Screen[dict[str, Any]]):
    title = "Asking"

    def build(self, app: Deck) -> Widget:
        def ask() -> None:
            app.show(Dialog("Remove?", "It cannot be undone", (DialogButton("Yes"), DialogButton("No"))))
            app.after(900, lambda: app.system_dialog("Battery low", "20 %"))

        return Column([Button("Ask", on_click=ask)])


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_dialog_that_another_apps_lay_over_is_not_gone(platform: Literal["android", "ios"]) -> None:
    """It may be there still, and it is: once the other is answered its buttons are in sight again."""
    with virtual_session(trial(Asking), platform=platform, **QUICK) as mobile:
        yes = mobile.tap(text="Ask").expect_visible(text="Remove?").snapshot.find(text="Yes")
        mobile.expect_visible(text="Battery low", timeout=3)
        mobile.tap(text="OK").expect_visible(text="Remove?")
        for target in (yes, yes.ref):
            with pytest.raises(ExpectationFailed):
                mobile.expect_gone(target, timeout=0.3)


# --- which texts name a card ----------------------------------------------------------------------------


Held = Callable[[Widget, str], list[Widget]]
LIKE = "Like"
LAYOUTS: dict[str, Held] = {
    "a heading stays": lambda like, name: [Text("Candidate"), Text(name), like],
    "one line is shared": lambda like, name: [Text(name), Text("Engineer"), like],
    "one has a badge": lambda like, name: [Text(name), *([Text("Verified")] if name == "Bob" else []), like],
    "the name is below": lambda like, name: [like, Text(name)],
    "the name is beside": lambda like, name: [Row([like, Text(name)])],
    "a caption is below": lambda like, name: [Text(name), Row([Column([like, Text("12 times")]), Text("Share")])],
    "many texts": lambda like, name: [Text(name), Text("a"), Text(f"b {name}"), Text(f"c {name}"), like],
    "the name is nested": lambda like, name: [Column([Column([Column([Column([Text(name)])])])]), like],
    "the name is a button": lambda like, name: [Button(name), like],
    "the name is in a field": lambda like, name: [EditText("Name", text=name), like],
}


class OneOfTwo(Screen[dict[str, Any]]):
    title = "Cards"

    def build(self, app: Deck) -> Widget:
        state = app.state
        name = ["Alice", "Bob"][state.get("card", 0)]
        like_id = {"": "", "each": f"like_{name.lower()}"}.get(state["ids"], "like")
        like = Button(LIKE, id=like_id, on_click=lambda: state.update(liked=name))
        bar = Row([Button("Next", on_click=lambda: state.update(card=1 - state.get("card", 0)))])
        card = Column(LAYOUTS[state["layout"]](like, name), id="card" if state["ids"] else "")
        return Column([bar, card], height="fill")


@contextmanager
def screen_of(
    start: type[Screen[Any]], platform: Any, recover: Any = None, **state: Any
) -> Iterator[DeviceSession]:
    with virtual_session(trial(start, **state), platform=platform, **{**QUICK, "recover": recover}) as session:
        yield session


PLATFORMS = pytest.mark.parametrize("platform", ["android", "ios"])


@PLATFORMS
@pytest.mark.parametrize("ids", ["", "one", "each"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_whatever_names_the_card(layout: str, ids: str, platform: str) -> None:
    """With the built-in recovery, which takes no control of another card either, also under an id of its own."""
    with screen_of(OneOfTwo, platform, builtin, layout=layout, ids=ids) as mobile:
        element = mobile.find(text=LIKE)
        mobile.tap(text="Next").expect_changed()
        for target in (element.ref, element):
            with pytest.raises(ActionFailed, match="STALE_REFERENCE"):
                mobile.tap(target)
        mobile.tap(mobile.find(text=LIKE))


# --- what may change on one card ------------------------------------------------------------------------


class Changing(Screen[dict[str, Any]]):
    """ "Later" stands apart, and changes something on the card."""

    title = "Shop"

    def build(self, app: Deck) -> Widget:
        state = app.state
        later, what = state.get("later", False), state["what"]
        buy = Button("Buy", id="buy", on_click=lambda: state.update(bought=state.get("bought", 0) + 1))
        follow = Button("Following" if later else "Follow", id="follow")
        saved = [Text("Saved")] if later else []
        cards: dict[str, list[Widget]] = {
            "counter": [Text(f"{7 if later else 0} in cart"), buy],
            "price": [Text("Mug"), Text("£7.50" if later else "£12.00"), buy],
            "sold by number": [Text("Mug"), Text("2 left" if later else "10 left"), Text("1h ago"), buy],
            "age": [Text("Mug"), Text("just now" if later else "5 minutes ago"), buy],
            "count in the name": [Text("Mugs (3)" if later else "Mugs"), buy],
            "error": [EditText("Mail"), *([Text("Wrong mail")] if later else []), buy],
            "error under a name": [Text("Mug"), *([Text("Sold out")] if later else []), buy],
            "error gone": [Text("Mug"), *([] if later else [Text("Sold out")]), buy],
            "its other button": [Text("Mug"), follow, buy],
            "other button beside a button": [Button("Mug"), Button("Share"), follow, buy],
            "banner": [Text("Mug"), buy],
            "banner in its part": [Text("Mug"), Column([*([Text("Now free")] if later else []), buy])],
            "banner above a result": [*([Text("Now free")] if later else []), buy, Text("Nothing yet")],
            "result below": [Text("Mug"), buy, Text("Bought it" if later else "Nothing yet")],
            "result beside": [Text("Mug"), Row([buy, Text("Bought it" if later else "Nothing yet")])],
        }
        card = cards.get(what, [Text("Mug"), buy])
        rows = [Row([Text(f"Item {name}"), Button("Add")], key=name) for name in ("ZABC" if later else "ABC")]
        top: list[Widget] = [Row([Button("Later", on_click=lambda: state.update(later=True))])]
        if what == "rows":
            return Column([*top, RecyclerList(rows, weight=1)], height="fill")
        return Column([*(saved if what == "banner" else []), *top, Column(card)], height="fill")


STAYS = [
    "counter",
    "price",
    "sold by number",
    "age",
    "count in the name",
    "error",
    "error under a name",
    "error gone",
    "its other button",
    "other button beside a button",
    "banner in its part",
    "banner above a result",
    "result below",
    "result beside",
    "banner",
]


@PLATFORMS
@pytest.mark.parametrize("what", STAYS)
def test_a_ref_of_a_card_that_is_still_the_same(what: str, platform: str) -> None:
    with screen_of(Changing, platform, what=what) as mobile:
        element = mobile.find(text="Buy")
        mobile.tap(text="Later", silent=True)
        mobile.tap(element.ref, silent=True).expect_visible(element)
        mobile.tap(element, silent=True).expect_visible(element.ref)


@PLATFORMS
def test_a_button_that_is_called_otherwise_is_the_same_button(platform: str) -> None:
    with screen_of(Changing, platform, what="its other button") as mobile:
        follow = mobile.find(text="Follow")
        mobile.tap(text="Later").expect_visible(text="Following")
        mobile.tap(follow.ref, silent=True)
        mobile.tap(follow, silent=True)


@PLATFORMS
def test_a_row_before_which_another_came(platform: str) -> None:
    with screen_of(Changing, platform, what="rows") as mobile:
        add = mobile.find(by(text="Add", row_with=by(text="Item B")))
        mobile.tap(text="Later").expect_visible(text="Item Z")
        mobile.tap(add.ref, silent=True)
        mobile.tap(add, silent=True)


class Profile(Screen[dict[str, Any]]):
    """A form whose fields hold something, without any text."""

    title = "Profile"

    def build(self, app: Deck) -> Widget:
        state = app.state

        def field(key: str, value: str) -> EditText:
            held = state.get(key, value)
            return EditText(key, id=key.lower(), text=held, on_change=lambda text: state.update({key: text}))

        fields = [field("Name", "Alice"), field("City", "Bonn")]
        return Column([Row([Button("Help")]), Column([*fields, Button("Save", id="save")])], height="fill")


@PLATFORMS
def test_what_was_typed_makes_no_other_card(platform: str) -> None:
    with screen_of(Profile, platform) as mobile:
        name, city, save = (mobile.find(resource_id=each) for each in ("name", "city", "save"))
        mobile.fill(name, value="Bob")
        mobile.fill(city.ref, value="Rome")
        mobile.fill(name.ref, value="Carol")
        for target in (save, save.ref):
            mobile.tap(target, silent=True)


class Sheets(Screen[dict[str, Any]]):
    """A sheet drawn in the app's own window, with one heading for all."""

    title = "People"

    def build(self, app: Deck) -> Widget:
        state = app.state

        def ask(who: str) -> Button:
            return Button(f"Ask {who}", on_click=lambda: state.update(sheet=who))

        who = state.get("sheet", "")
        buttons = [Button("Yes", id="yes"), Button("No", on_click=lambda: state.update(sheet=""))]
        sheet = [Column([Text("Remove this person?"), Text(who), *buttons], id="sheet")] if who else []
        return Column([ask("Ada"), ask("Bob"), *sheet], height="fill")


@PLATFORMS
def test_a_sheet_of_the_app_asks_about_another(platform: str) -> None:
    with screen_of(Sheets, platform) as mobile:
        mobile.tap(text="Ask Ada").expect_visible(text="Yes")
        yes = mobile.find(text="Yes")
        mobile.tap(text="No").expect_gone(text="Yes")
        mobile.tap(text="Ask Bob").expect_visible(text="Yes")
        for target in (yes, yes.ref):
            with pytest.raises(ActionFailed, match='says "Bob" now, no longer "Ada"'):
                mobile.tap(target)
