"""``dev.example.library``: a lending library, declared in the public kit alone. ``virtual?apps=library:apps``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_replicant.testing.virtual import (
    App,
    Button,
    Card,
    Column,
    Dialog,
    DialogButton,
    EditText,
    Progress,
    RadioGroup,
    RatingBar,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Scroll,
    SeekBar,
    Switch,
    Text,
    Widget,
    stepper,
)

PACKAGE = "dev.example.library"
NOTIFY = "android.permission.POST_NOTIFICATIONS"
MEMBERS = {"1001": ("4711", "Mira Holm"), "1002": ("2222", "Tom Reed")}
"""By the number of the library card: PIN, name."""
MOST_LOANS = 4
BRANCHES = ("Central", "Harbour", "Hillside")
DUE, RENEWED, OVERDUE = "Due 14 March", "Due 28 March", "Overdue since 1 March"

BOOKS = {
    "A Room with a View": ("E. M. Forster", 1908), "Beloved": ("Toni Morrison", 1987),
    "Brighton Rock": ("Graham Greene", 1938), "Cold Comfort Farm": ("Stella Gibbons", 1932),
    "Cranford": ("Elizabeth Gaskell", 1853), "Dracula": ("Bram Stoker", 1897),
    "Dubliners": ("James Joyce", 1914), "Emma": ("Jane Austen", 1815),
    "Excellent Women": ("Barbara Pym", 1952), "Frankenstein": ("Mary Shelley", 1818),
    "Giovanni's Room": ("James Baldwin", 1956), "Great Expectations": ("Charles Dickens", 1861),
    "Howards End": ("E. M. Forster", 1910), "Invisible Cities": ("Italo Calvino", 1972),
    "Jane Eyre": ("Charlotte Brontë", 1847), "Kim": ("Rudyard Kipling", 1901),
    "Middlemarch": ("George Eliot", 1871), "Mrs Dalloway": ("Virginia Woolf", 1925),
    "Native Son": ("Richard Wright", 1940), "Orlando": ("Virginia Woolf", 1928),
    "Passing": ("Nella Larsen", 1929), "Persuasion": ("Jane Austen", 1817),
    "Quartet": ("Jean Rhys", 1928), "Rebecca": ("Daphne du Maurier", 1938),
    "Silas Marner": ("George Eliot", 1861), "Stoner": ("John Williams", 1965),
    "The Bell": ("Iris Murdoch", 1958), "The Go-Between": ("L. P. Hartley", 1953),
    "The Leopard": ("Giuseppe Tomasi di Lampedusa", 1958), "The Moonstone": ("Wilkie Collins", 1868),
    "The Waves": ("Virginia Woolf", 1931), "Things Fall Apart": ("Chinua Achebe", 1958),
    "Ulysses": ("James Joyce", 1922), "Vanity Fair": ("W. M. Thackeray", 1848),
    "Villette": ("Charlotte Brontë", 1853), "Wide Sargasso Sea": ("Jean Rhys", 1966),
}  # fmt: skip
"""By title: author, year."""
LENT_TO_OTHERS = ("Cranford", "Emma", "Rebecca", "Stoner")
FIRST_LOANS = {"1001": {"Middlemarch": DUE, "The Waves": OVERDUE}, "1002": {}}


@dataclass
class Library:
    """``stored`` outlives the process: who is signed in, loans by card and title, settings. The rest does not."""

    stored: dict[str, Any]
    card: str = ""
    pin: str = ""
    refused: bool = False
    search: str = ""
    hidden: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        begun = {"loans": {card: dict(each) for card, each in FIRST_LOANS.items()}, "ratings": {}, "notify": {}}
        for name, value in {"member": "", "light": 60, "days": 3, "branch": 0, **begun}.items():
            self.stored.setdefault(name, value)

    @property
    def loans(self) -> dict[str, str]:
        loans: dict[str, str] = self.stored["loans"][self.stored["member"]]
        return loans

    def setting(self, name: str) -> Callable[[Any], None]:
        return lambda value: self.stored.update({name: value})

    def found(self) -> list[str]:
        words = self.search.strip().lower()
        return [
            each
            for each, (author, _) in BOOKS.items()
            if words in f"{each} {author}".lower() and each not in self.hidden
        ]

    def is_free(self, title: str) -> bool:
        lent = any(title in loans for loans in self.stored["loans"].values())
        return not lent and title not in LENT_TO_OTHERS


Running = RunningApp[Library]


class Opening(Screen[Library]):
    """The first screen: it loads, then shows the catalogue, or asks who you are."""

    activity = ".OpeningActivity"

    def build(self, app: Running) -> Widget:
        wheel = Progress(description="Loading", gravity="center", margin=(0, 200, 0, 16))
        return Column([wheel, Text("Opening the library…", gravity="center")])

    def opened(self, app: Running) -> None:
        app.after(1200, lambda: app.replace(Catalogue() if app.state.stored["member"] else SignIn()))


class SignIn(Screen[Library]):
    activity = ".SignInActivity"
    title = "Sign in"

    def build(self, app: Running) -> Widget:
        state = app.state
        wrong = Text("Card number and PIN do not match", visible=state.refused, foreground=app.theme.error)
        card = EditText("Card number", id="card", input="number", text=state.card)
        card.on_change = lambda text: setattr(state, "card", text)
        pin = EditText("PIN", id="pin", input="password", text=state.pin, max_length=4)
        pin.on_change, pin.on_done = lambda text: setattr(state, "pin", text), lambda: self.submit(app)
        sign_in = Button("Sign in", id="sign_in", width="fill", on_click=lambda: self.submit(app))
        sign_in.enabled = bool(state.card and state.pin)
        help_text = "Show your card at any desk and choose a new PIN."
        forgot = Button("Forgot your PIN?", flat=True, gravity="center")
        forgot.on_click = lambda: app.show(Dialog("New PIN", help_text, [DialogButton("Close")]))
        return Scroll([card, pin, wrong, sign_in, forgot], padding=(16, 24))

    def submit(self, app: Running) -> None:
        state, (pin, _) = app.state, MEMBERS.get(app.state.card, ("", ""))
        state.refused = not pin or state.pin != pin
        if state.refused:
            app.log("sign-in refused", level="W")
        else:
            app.state.stored["member"], state.card = state.card, ""
            app.reset_to(Opening())
        state.pin = ""


class Tab(Screen[Library]):
    """A screen with the bar of tabs at the bottom. The back key leads to the first tab, and from there out."""

    def build(self, app: Running) -> Widget:
        kinds = (Catalogue, Loans, Settings)
        tabs = [
            Button(kind.title, flat=True, weight=1, selected=kind is type(self), on_click=self.opener(app, kind))
            for kind in kinds
        ]
        bar = Row(tabs, background=app.theme.surface, elevation=4)
        return Column([Column(self.content(app), weight=1), bar], height="fill")

    def opener(self, app: Running, kind: Callable[[], Screen[Library]]) -> Callable[[], object]:
        return lambda: None if kind is type(self) else app.replace(kind())

    def content(self, app: Running) -> Sequence[Widget]:
        raise NotImplementedError

    def back(self, app: Running) -> bool:
        if not isinstance(self, Catalogue):
            app.replace(Catalogue())
        return not isinstance(self, Catalogue)


def borrow(app: Running, title: str) -> None:
    if len(app.state.loans) >= MOST_LOANS:
        text = f"You have {MOST_LOANS} books on loan. Return one first."
        app.show(Dialog("Loan limit reached", text, [DialogButton("OK")]))
    else:
        app.state.loans[title] = DUE
        app.toast(f"Borrowed {title}")


def ask_return(app: Running, title: str) -> None:
    def give_back() -> None:
        del app.state.loans[title]
        app.toast(f"Returned {title}")

    app.show(Dialog("Return book?", title, [DialogButton("Return", give_back), DialogButton("Keep")]))


class Catalogue(Tab):
    activity = ".CatalogueActivity"
    title = "Catalogue"

    def content(self, app: Running) -> Sequence[Widget]:
        state, found = app.state, app.state.found()
        search = EditText("Search titles and authors", id="search", text=state.search, margin=(16, 8))
        search.on_change = lambda text: setattr(state, "search", text)
        if not found:
            return [search, Text(f"No books match “{state.search}”", gravity="center", margin=24)]
        count = Text(f"{len(found)} books" if len(found) > 1 else "1 book", muted=True, margin=(16, 0))
        return [search, count, RecyclerList([self.row(app, each) for each in found], weight=1)]

    def row(self, app: Running, title: str) -> Widget:
        words = Column(
            [Text(title, bold=True), Text(BOOKS[title][0], size=14, muted=True)], weight=1, width="wrap"
        )
        free = Button("Borrow", id="borrow", on_click=lambda: borrow(app, title))
        end = free if app.state.is_free(title) else Text("On loan", id="status", muted=True)
        row = Card([words, end], direction="row", key=title, on_click=lambda: app.go(Book(title)))
        row.on_long_click = lambda: self.menu(app, title)
        return row

    def menu(self, app: Running, title: str) -> None:
        def hide() -> None:
            app.state.hidden.add(title)
            app.snackbar(f"{title} is hidden", "Undo", lambda: app.state.hidden.discard(title), ms=6000)

        choices = [DialogButton("Hide", hide), DialogButton("Details", lambda: app.go(Book(title)))]
        app.show(Dialog(title, BOOKS[title][0], choices))


class Book(Screen[Library]):
    activity = ".BookActivity"
    title = "Book"
    up = True

    def __init__(self, book: str) -> None:
        self.book = book
        self.without_leave = False

    def build(self, app: Running) -> Widget:
        state, book = app.state, self.book
        (author, year), rating = BOOKS[book], state.stored["ratings"].get(book, 0)
        mine = Text(f"Your rating: {rating} of 5" if rating else "Not rated yet", id="rating_text")
        stars = RatingBar(id="rating", description="Rating", value=rating)
        stars.on_change = lambda value: state.stored["ratings"].update({book: value})
        return Scroll(
            [
                Text(book, size=24, bold=True),
                Text(f"{author}, {year}", muted=True),
                mine,
                stars,
                *self.ending(app),
            ],
            padding=(16, 16),
        )

    def ending(self, app: Running) -> list[Widget]:
        """What can be done with the book now."""
        book = self.book
        if book in app.state.loans:
            return [
                Text(app.state.loans[book], margin=(0, 8)),
                Button("Return", width="fill", on_click=lambda: ask_return(app, book)),
            ]
        if app.state.is_free(book):
            return [Button("Borrow", width="fill", on_click=lambda: borrow(app, book))]
        switch = Switch(
            "Notify me", id="notify", width="fill", checked=app.state.stored["notify"].get(book, False)
        )
        switch.on_change = lambda on: self.notify(app, on)
        refused = Text("Notifications are not allowed", visible=self.without_leave, foreground=app.theme.error)
        return [Text("On loan", margin=(0, 8)), switch, refused]

    def notify(self, app: Running, on: bool) -> None:
        def answered(granted: bool) -> None:
            self.without_leave = not granted
            app.state.stored["notify"][self.book] = granted

        if on:
            app.request_permission(NOTIFY, answered)
        else:
            app.state.stored["notify"][self.book] = False


class Loans(Tab):
    activity = ".LoansActivity"
    title = "Loans"

    def content(self, app: Running) -> Sequence[Widget]:
        loans = app.state.loans
        if not loans:
            return [Text("You have no loans", gravity="center", margin=24)]
        count = Text(f"{len(loans)} of {MOST_LOANS} loans", muted=True, margin=(16, 8))
        return [count, RecyclerList([self.row(app, *each) for each in loans.items()], weight=1)]

    def row(self, app: Running, title: str, due: str) -> Widget:
        late = app.theme.error if due == OVERDUE else ""
        words = Column([Text(title, bold=True), Text(due, id="due", foreground=late)], weight=1, width="wrap")
        renew = Button("Renew", flat=True, enabled=due == DUE, on_click=lambda: self.renew(app, title))
        give_back = Button("Return", flat=True, on_click=lambda: ask_return(app, title))
        return Card([words, renew, give_back], direction="row", key=title)

    def renew(self, app: Running, title: str) -> None:
        app.state.loans[title] = RENEWED
        app.toast(f"Renewed {title}")


class Settings(Tab):
    activity = ".SettingsActivity"
    title = "Settings"

    def content(self, app: Running) -> Sequence[Widget]:
        state, stored = app.state, app.state.stored
        light = SeekBar(id="light", description="Brightness", value=stored["light"], step=10)
        light.on_change = state.setting("light")
        days = "day" if stored["days"] == 1 else "days"
        sign_out = Button("Sign out", width="fill", margin=(0, 16), on_click=lambda: self.sign_out(app))
        page = [
            Text(f"Signed in as {MEMBERS[stored['member']][1]}", bold=True),
            Text(f"Brightness: {stored['light']} %", margin=(0, 16, 0, 0)),
            light,
            Text(f"Remind me {stored['days']} {days} before", margin=(0, 16, 0, 0)),
            stepper(stored["days"], state.setting("days"), low=1, high=7, name="days"),
            Text("Pick-up branch", bold=True, margin=(0, 16, 0, 0)),
            RadioGroup(options=BRANCHES, chosen=stored["branch"], on_change=state.setting("branch")),
            sign_out,
        ]
        return [Scroll(page, padding=(16, 16))]

    def sign_out(self, app: Running) -> None:
        app.state.stored["member"] = ""
        app.reset_to(SignIn())


def apps() -> list[App[Library]]:
    """What a virtual phone of the library's own has installed."""
    return [App(package=PACKAGE, label="Library", state=Library, start=Opening, permissions=[NOTIFY])]
