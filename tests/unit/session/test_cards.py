"""One card at a time, and one dialog at a time: what stands on the next one in the same place is
another thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_replicant import ActionFailed, DeviceSession, ExpectationFailed, by
from pytest_replicant.recovery import builtin
from pytest_replicant.virtual import (
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    RecyclerList,
    Row,
    Spinner,
    Switch,
    Text,
    Widget,
)

from .on_phone import Page, done, noting, page_on

BOTH = pytest.mark.parametrize("platform", ["android", "ios"])


def next_card(app: Page) -> Button:
    return Button("Next", on_click=lambda: app.state.update(card=1 - app.state.get("card", 0)))


def name_of(app: Page) -> str:
    return ["Alice", "Bob"][app.state.get("card", 0)]


def cards(app: Page) -> Widget:
    """A card with its controls; "Next" brings the next one. "Ask" asks about the card."""
    state, name = app.state, name_of(app)

    def held(what: str) -> Callable[[Any], object]:
        return lambda value: state.update({f"{what} {name}": value})

    buttons = (DialogButton("Yes", on_click=noting(app, f"remove {name}")), DialogButton("No"))
    ask = Button(
        "Ask", on_click=lambda: app.show(Dialog("Remove?", "It cannot be undone", buttons))
    )
    card = [
        Text(name),
        Button("Like", id="like", on_click=noting(app, f"like {name}")),
        EditText("Note", id="note", text=state.get(f"text {name}", ""), on_change=held("text")),
        Switch(
            "Follow",
            id="follow",
            checked=state.get(f"follow {name}", False),
            on_change=held("follow"),
        ),
        Spinner(["Red", "Green"], id="colour", on_change=held("colour")),
    ]
    return Column([Row([next_card(app), ask]), Column(card, id="card")])


USES: list[tuple[str, Callable[[DeviceSession, Any], object]]] = [
    ("Like", lambda on, it: on.tap(it)),
    ("Note", lambda on, it: on.fill(it, value="hello")),
    ("Like", lambda on, it: on.drag(it, on.find(text="Next"))),
    ("Red", lambda on, it: on.select(it, option="Green", silent=True)),
    ("Follow", lambda on, it: on.adjust(it, to=True)),
]


@BOTH
def test_a_ref_of_one_card_is_not_used_on_the_next(platform: Any) -> None:
    with page_on(platform, cards) as (mobile, app, _):
        known = {label: mobile.find(text=label) for label, _ in USES}
        mobile.tap(text="Next").expect_visible(text="Bob")
        for label, act in USES:
            for target in (known[label], known[label].ref):
                with pytest.raises(ActionFailed, match='says "Bob" now, no longer "Alice"'):
                    act(mobile, target)
        for check in (mobile.expect_visible, mobile.expect_gone):
            with pytest.raises(ExpectationFailed, match="ambiguous"):
                check(known["Like"].ref, timeout=0.2)
        assert done(app) == []
        mobile.tap(mobile.find(text="Like"))  # the ref of this card
        assert done(app) == ["like Bob"]


@BOTH
def test_a_ref_of_the_same_card_goes_on_working(platform: Any) -> None:
    with page_on(platform, cards) as (mobile, *_):
        screen = mobile.snapshot()
        mobile.tap(screen.ref(text="Like"))
        mobile.fill(screen.ref(text="Note"), value="hello")
        mobile.tap(screen.ref(text="Like"))
        for name in ("Bob", "Alice", "Bob"):
            mobile.tap(screen.ref(text="Next")).expect_visible(text=name)


@BOTH
def test_a_ref_of_a_dialog_ends_with_it(platform: Any) -> None:
    """The next one says the very same, and asks about something else."""
    with page_on(platform, cards) as (mobile, *_):
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


@BOTH
def test_a_dialog_that_another_apps_lay_over_is_not_gone(platform: Any) -> None:
    """It may be there still, and it is: once the other is answered its buttons are in sight
    again."""

    def asking(app: Page) -> Widget:
        def ask() -> None:
            app.show(
                Dialog("Remove?", "It cannot be undone", (DialogButton("Yes"), DialogButton("No")))
            )
            app.after(900, lambda: app.system_dialog("Battery low", "20 %"))

        return Column([Button("Ask", on_click=ask)])

    with page_on(platform, asking) as (mobile, *_):
        yes = mobile.tap(text="Ask").expect_visible(text="Remove?").snapshot.find(text="Yes")
        mobile.expect_visible(text="Battery low", timeout=3)
        mobile.tap(text="OK").expect_visible(text="Remove?")
        for target in (yes, yes.ref):
            with pytest.raises(ExpectationFailed):
                mobile.expect_gone(target, timeout=0.3)


# --- which texts name a card ----------------------------------------------------------------------


LAYOUTS: dict[str, Callable[[Widget, str], list[Widget]]] = {
    "a heading stays": lambda like, name: [Text("Candidate"), Text(name), like],
    "one line is shared": lambda like, name: [Text(name), Text("Engineer"), like],
    "one has a badge": lambda like, name: [
        Text(name),
        *([Text("Verified")] if name == "Bob" else []),
        like,
    ],
    "the name is below": lambda like, name: [like, Text(name)],
    "the name is beside": lambda like, name: [Row([like, Text(name)])],
    "a caption is below": lambda like, name: [
        Text(name),
        Row([Column([like, Text("12 times")]), Text("Share")]),
    ],
    "many texts": lambda like, name: [
        Text(name),
        Text("a"),
        Text(f"b {name}"),
        Text(f"c {name}"),
        like,
    ],
    "the name is nested": lambda like, name: [
        Column([Column([Column([Column([Text(name)])])])]),
        like,
    ],
    "the name is a button": lambda like, name: [Button(name), like],
    "the name is in a field": lambda like, name: [EditText("Name", text=name), like],
}


@pytest.mark.parametrize(
    ("platform", "ids"), [("android", "one"), ("ios", ""), ("android", "each")]
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_whatever_names_the_card(layout: str, ids: str, platform: Any) -> None:
    """With the built-in recovery, which takes no control of another card either, also under an id
    of its own."""

    def one_of_two(app: Page) -> Widget:
        name = name_of(app)
        like = Button(
            "Like", id={"": "", "each": f"like_{name}"}.get(ids, "like"), on_click=noting(app, name)
        )
        card = Column(LAYOUTS[layout](like, name), id="card" if ids else "")
        return Column([Row([next_card(app)]), card], height="fill")

    with page_on(platform, one_of_two, recover=builtin) as (mobile, app, _):
        element = mobile.find(text="Like")
        mobile.tap(text="Next").expect_changed()
        for target in (element.ref, element):
            with pytest.raises(ActionFailed, match="STALE_REFERENCE"):
                mobile.tap(target)
        mobile.tap(mobile.find(text="Like"))
        assert done(app) == ["Bob"]


# --- what may change on one card ------------------------------------------------------------------


def changing(app: Page, what: str) -> Widget:
    """ "Later" stands apart, and changes something on the card."""
    later = app.state.get("later", False)
    buy = Button("Buy", id="buy", on_click=noting(app, "bought"))
    follow = Button("Following" if later else "Follow", id="follow")
    saved = [Text("Saved")] if later and what == "banner" else []
    name = Text("Mug")
    cards: dict[str, list[Widget]] = {
        "counter": [Text(f"{7 if later else 0} in cart"), buy],
        "price": [name, Text("£7.50" if later else "£12.00"), buy],
        "sold by number": [name, Text("2 left" if later else "10 left"), Text("1h ago"), buy],
        "age": [name, Text("just now" if later else "5 minutes ago"), buy],
        "count in the name": [Text("Mugs (3)" if later else "Mugs"), buy],
        "error": [EditText("Mail"), *([Text("Wrong mail")] if later else []), buy],
        "error under a name": [name, *([Text("Sold out")] if later else []), buy],
        "error gone": [name, *([] if later else [Text("Sold out")]), buy],
        "its other button": [name, follow, buy],
        "other button beside a button": [Button("Mug"), Button("Share"), follow, buy],
        "banner": [name, buy],
        "banner in its part": [name, Column([*([Text("Now free")] if later else []), buy])],
        "banner above a result": [*([Text("Now free")] if later else []), buy, Text("Nothing yet")],
        "result below": [name, buy, Text("Bought it" if later else "Nothing yet")],
        "result beside": [name, Row([buy, Text("Bought it" if later else "Nothing yet")])],
    }
    top = Row([Button("Later", on_click=lambda: app.state.update(later=True))])
    if what == "rows":
        names = "ZABC" if later else "ABC"
        rows = [Row([Text(f"Item {each}"), Button("Add")], key=each) for each in names]
        return Column([top, RecyclerList(rows, weight=1)], height="fill")
    return Column([*saved, top, Column(cards[what])], height="fill")


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


@BOTH
@pytest.mark.parametrize("what", STAYS)
def test_a_ref_of_a_card_that_is_still_the_same(what: str, platform: Any) -> None:
    with page_on(platform, lambda app: changing(app, what)) as (mobile, *_):
        element = mobile.find(text="Buy")
        mobile.tap(text="Later", silent=True)
        mobile.tap(element.ref, silent=True).expect_visible(element)
        mobile.tap(element, silent=True).expect_visible(element.ref)


@BOTH
def test_a_button_that_is_called_otherwise_is_the_same_button(platform: Any) -> None:
    with page_on(platform, lambda app: changing(app, "its other button")) as (mobile, *_):
        follow = mobile.find(text="Follow")
        mobile.tap(text="Later").expect_visible(text="Following")
        mobile.tap(follow.ref, silent=True)
        mobile.tap(follow, silent=True)


@BOTH
def test_a_row_before_which_another_came(platform: Any) -> None:
    with page_on(platform, lambda app: changing(app, "rows")) as (mobile, *_):
        add = mobile.find(by(text="Add", row_with=by(text="Item B")))
        mobile.tap(text="Later").expect_visible(text="Item Z")
        mobile.tap(add.ref, silent=True)
        mobile.tap(add, silent=True)


@BOTH
def test_what_was_typed_makes_no_other_card(platform: Any) -> None:
    """A form whose fields hold something, without any text."""

    def profile(app: Page) -> Widget:
        def field(key: str, value: str) -> EditText:
            held = app.state.get(key, value)
            return EditText(
                key, id=key, text=held, on_change=lambda text: app.state.update({key: text})
            )

        form = Column([field("name", "Alice"), field("city", "Bonn"), Button("Save", id="save")])
        return Column([Row([Button("Help")]), form], height="fill")

    with page_on(platform, profile) as (mobile, *_):
        name, city, save = (mobile.find(resource_id=each) for each in ("name", "city", "save"))
        mobile.fill(name, value="Bob")
        mobile.fill(city.ref, value="Rome")
        mobile.fill(name.ref, value="Carol")
        for target in (save, save.ref):
            mobile.tap(target, silent=True)


@BOTH
def test_a_sheet_of_the_app_asks_about_another(platform: Any) -> None:
    """Drawn in the app's own window, with one heading for all."""

    def sheets(app: Page) -> Widget:
        def ask(who: str) -> Button:
            return Button(f"Ask {who}", on_click=lambda: app.state.update(sheet=who))

        who = app.state.get("sheet", "")
        buttons = [
            Button("Yes", id="yes"),
            Button("No", on_click=lambda: app.state.update(sheet="")),
        ]
        sheet = (
            [Column([Text("Remove this person?"), Text(who), *buttons], id="sheet")] if who else []
        )
        return Column([ask("Ada"), ask("Bob"), *sheet], height="fill")

    with page_on(platform, sheets) as (mobile, *_):
        mobile.tap(text="Ask Ada").expect_visible(text="Yes")
        yes = mobile.find(text="Yes")
        mobile.tap(text="No").expect_gone(text="Yes")
        mobile.tap(text="Ask Bob").expect_visible(text="Yes")
        for target in (yes, yes.ref):
            with pytest.raises(ActionFailed, match='says "Bob" now, no longer "Ada"'):
                mobile.tap(target)
