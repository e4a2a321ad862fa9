"""The tour: a short way through a phone's own apps, on which nothing is changed.

Phones speak any language: elements are found by intents, ids and structure, never by words alone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from ..drivers import Capability, Driver
from ..model import Clock, Element, Point, Strings, come_true
from ..session import DeviceSession, build_session
from ..snapshots import Snapshot
from ..testing.contract import Clause, Clauses, DriverScene, NotOffered, must, screen_of
from .capture import Reached
from .collector import Collector

INTENTS: Mapping[str, Strings] = {
    "settings": ("android.settings.SETTINGS",),
    "display": ("android.settings.DISPLAY_SETTINGS",),
    "search": ("android.settings.APP_SEARCH_SETTINGS",),
    "contacts": ("android.intent.action.MAIN", "-c", "android.intent.category.APP_CONTACTS"),
    "dialler": ("android.intent.action.DIAL",),
}
"""Of ``am start -a``. The search came with Android 10."""
BUNDLES: Mapping[str, str] = {
    "settings": "com.apple.Preferences",
    "search": "com.apple.Preferences",
    "contacts": "com.apple.MobileAddressBook",
    "dialler": "com.apple.mobilephone",
}
EXTRAS = ("contacts", "dialler")
WORD = "replicant"
START_SECONDS = 30.0
FIELD_SECONDS = 10.0
_POLL = 0.1
_CHOOSER = "android"  # which asks the user where several apps answer
_GENERAL = (
    "General",
    "com.apple.settings.general",
)  # a page of an iPhone that shows nothing personal


def answering(driver: Driver, *intent: str) -> str:
    """The app that answers an intent, "" if none does, or several: there is no asking the user."""
    words = ["cmd", "package", "resolve-activity", "--brief", "-a", *intent]
    found = re.findall(
        r"^([\w.]+)/[\w.$]+\s*$", driver.shell(words, START_SECONDS).stdout, re.MULTILINE
    )
    return str(found[-1]) if found and found[-1] != _CHOOSER else ""


class Places:
    """Apps of the tour on one phone, by stop, "" for one that it does not have; and how they come
    to the front. ``driver`` is not the one that is judged."""

    def __init__(self, driver: Driver, clock: Clock) -> None:
        self._driver, self._clock = driver, clock
        self.by_intent = driver.traits.android_commands and Capability.SHELL in driver.capabilities
        self.apps = {stop: BUNDLES.get(stop, "") for stop in INTENTS}
        if self.by_intent:
            self.apps = {stop: answering(driver, *intent) for stop, intent in INTENTS.items()}

    def open(self, stop: str) -> Reached:
        """Brings a stop to the front. Settings start at their first page."""
        app = self.apps[stop]
        if stop not in EXTRAS:
            self._driver.stop(app)
        if not self.by_intent:
            self._driver.launch(app, None, ())
            return Reached("launch")
        said = self._driver.shell(["am", "start", "-a", *INTENTS[stop]], START_SECONDS)
        words = f"{said.stdout}{said.stderr}"
        must("Error" not in words, f"{INTENTS[stop][0]}: {words}")
        return Reached("intent", intent=" ".join(INTENTS[stop]))

    def show_field(self) -> Point:
        """Brings the search field of the settings to the front; a pixel of it."""
        self.open("search")
        found: list[Element] = []

        def look() -> bool:
            screen = screen_of(self._driver)
            if screen.app == self.apps["search"]:
                found[:] = [one for one in screen.elements if one.states.editable]
            return bool(found)

        must(
            come_true(self._clock, look, FIELD_SECONDS, _POLL),
            "the search of the settings shows no text field",
        )
        return found[0].center


@dataclass(frozen=True)
class TourScene:
    """What a clause of the tour is given: the driver that is judged, in ``scene``, and the places.
    ``collector`` keeps each stop, such as "settings", once its screen stands still. ``found`` is
    what earlier ones have found."""

    scene: DriverScene
    places: Places
    collector: Collector | None = None
    found: dict[str, str] = field(default_factory=dict)

    def at(self, stop: str) -> Visit:
        """A new session, with the stop in front."""
        way = self.places.open(stop)
        app = self.places.apps[stop]
        self.scene.wait_for(lambda: self.scene.driver.app_in_front().app == app, f"{app} in front")
        return self.here(way)

    def here(self, way: Reached) -> Visit:
        mobile, _ = build_session(
            self.scene.driver, clock=self.scene.clock, screenshots=False, trace=False
        )
        return Visit(self, mobile, way)


@dataclass(frozen=True)
class Visit:
    """One stop, and the session that is there."""

    tour: TourScene
    mobile: DeviceSession
    way: Reached

    def read(self) -> Snapshot:
        """The screen, once it stands still and its outline has something that can be used."""
        screen = self.mobile.snapshot()
        must(bool(screen.elements), f"nothing can be used on this screen:\n{screen.outline()}")
        refs = [one.ref for one in screen.elements]
        must(len({*refs}) == len(refs), f"two elements have one ref:\n{screen.outline()}")
        must(
            all(re.fullmatch(r"[a-z][0-9]{3,15}", ref) for ref in refs),
            f"not all of these are refs: {refs}",
        )
        return screen

    def seen(self, name: str, way: Reached | None = None) -> None:
        if self.tour.collector:
            self.tour.collector.seen(name, way or self.way)


@dataclass(frozen=True)
class TourClause(Clause[TourScene]):
    """A promise of the session on a phone's own apps. ``stop`` is where it is looked at; an
    "android" one is asked of a phone that has intents."""

    stop: str = "settings"
    android: bool = False

    def unmet(self, scene: TourScene) -> str:
        if self.android and not scene.places.by_intent:
            return "not offered: there are no intents on this phone"
        if not scene.places.apps[self.stop]:
            return f"not offered: the phone names no app for {self.stop}"
        return ""


TOUR = Clauses(TourClause)


@TOUR.clause("the settings open, and what can be used has refs")
def _tour_settings(scene: TourScene) -> None:
    _opens(scene, "settings")


def _opens(scene: TourScene, stop: str) -> None:
    visit = scene.at(stop)
    visit.read()
    visit.seen(stop)


@TOUR.clause("a page of the settings opens by an intent of its own", stop="display", android=True)
def _tour_display(scene: TourScene) -> None:
    before = scene.at("settings").read()
    visit = scene.at("display")
    screen = visit.read()
    must(
        screen.traits.differ(before.traits),
        f"what opens are the settings themselves:\n{screen.outline()}",
    )
    scene.found["display"] = screen.title
    switches = [one for one in screen.elements if one.node.class_name == "Switch"]
    silent = [one.describe() for one in switches if one.states.checked is None]
    must(not silent, f"switches without a state: {silent}")
    visit.seen("display")


@TOUR.clause("scrolling shows more of a list")
def _tour_scrolled(scene: TourScene) -> None:
    visit = scene.at("settings")
    before = visit.read()
    moved = visit.mobile.scroll("down")
    if moved.reached_end and not moved.new_elements:
        must(
            not _goes_on(before),
            f"the list goes on below the screen, and a swipe moves nothing:\n{before.outline()}",
        )
        raise NotOffered("all of the list is on the screen")
    after = moved.snapshot
    must(
        bool(moved.new_elements),
        f"scrolled down, the list shows nothing new:\n{after.outline()}",
    )
    must(
        not after.traits.differ(before.traits),
        f"scrolled down, it is another screen:\n{after.outline()}",
    )
    visit.seen("scrolled", Reached("scroll", "settings"))


def _goes_on(screen: Snapshot) -> bool:
    """Whether something reaches the lower end of the largest part that says it can be scrolled."""
    lists = [one for one in screen.elements if one.states.scrollable]
    box = max((one.bounds for one in lists), key=lambda bounds: bounds.area, default=None)
    inside = (one.bounds for one in screen.elements if one not in lists)
    return box is not None and any(
        one.bottom >= box.bottom and box.contains(one.center) for one in inside
    )


@TOUR.clause("a tap on a row opens its page, back leads back, and refs name the same as before")
def _tour_page(scene: TourScene) -> None:
    visit = scene.at("settings")
    before, row, source = visit.read(), None, "settings"
    names = {scene.found.get("display", ""), *_GENERAL} - {""}
    while (row := _known(before, names)) is None and not visit.mobile.scroll("down").reached_end:
        before, source = visit.read(), "scrolled"
    row = row or _row(before)
    page = visit.mobile.tap(row).snapshot
    if page.locate(row).element and not page.traits.differ(before.traits):
        must(page.fingerprint != before.fingerprint, f"a tap on {row.describe()} changed nothing")
        raise NotOffered("its pages open next to the list")
    visit.seen("page", Reached("tap", source, row.bounds))
    after = visit.mobile.back().snapshot
    must(not after.traits.differ(before.traits), f"back from a page leads to:\n{after.outline()}")
    _must_keep_refs(before, after, row)


def _must_keep_refs(before: Snapshot, after: Snapshot, row: Element) -> None:
    """The row is there again, and what else is has its label: a list may stand elsewhere."""
    refs = {one.ref: one.label for one in after.elements}
    lost = [
        one.describe()
        for one in before.elements
        if one.label and refs.get(one.ref, one.label) != one.label
    ]
    must(
        refs.get(row.ref) == row.label and not lost,
        f"refs changed: {lost or row.describe()}\n{after.outline()}",
    )


def _known(screen: Snapshot, names: Collection[str]) -> Element | None:
    """The row of a page that is known to show nothing personal: that of the display, or an iPhone's
    General."""
    rows = (one for one in screen.elements if _leads(one, screen))
    return next((one for one in rows if {*names} & {one.name, one.label, one.resource_id}), None)


def _row(screen: Snapshot) -> Element:
    """A row that does nothing but lead to a page, from the middle: accounts come first."""
    rows = [one for one in screen.elements if _leads(one, screen)]
    must(bool(rows), f"no row of the settings can be tapped:\n{screen.outline()}")
    return rows[len(rows) // 2]


def _leads(row: Element, screen: Snapshot) -> bool:
    parts = (row, *row.children)
    acts = any(
        one.states.editable or one.states.checked is not None or one.adjustable for one in parts
    )
    listed = row.label != "" and row.parent is not None and not row.states.scrollable
    return listed and not acts and row.bounds.width > screen.size[0] // 2


@TOUR.clause("a search field takes a word, shows it, and is emptied", stop="search")
def _tour_search(scene: TourScene) -> None:
    visit, box = _search(scene)
    visit.mobile.fill(box, value=WORD).expect_state(text=WORD)
    visit.mobile.clear_text(box).expect_state(text="")
    visit.seen("search")


def _search(scene: TourScene) -> tuple[Visit, Element]:
    place = scene.places.show_field()
    way = Reached("launch")
    if scene.places.by_intent:
        way = Reached("intent", intent=INTENTS["search"][0])
    visit = scene.here(way)
    screen = visit.read()
    boxes = [one for one in screen.elements if one.states.editable and one.bounds.contains(place)]
    must(len(boxes) == 1, f"of the search field there are {len(boxes)}:\n{screen.outline()}")
    return visit, boxes[0]


@TOUR.clause(
    "an open keyboard is known as one, and hides no other element of the app's", stop="search"
)
def _tour_keyboard(scene: TourScene) -> None:
    visit, box = _search(scene)
    screen = visit.mobile.tap(box).snapshot
    if not come_true(
        scene.scene.clock, scene.scene.driver.keyboard_shown, scene.scene.patience, _POLL
    ):
        raise NotOffered("no keyboard comes up on the screen")
    screen = visit.mobile.snapshot()
    must(screen.dialog is None, f"the keyboard is taken for a dialog:\n{screen.outline()}")
    must(
        any(one.states.editable for one in screen.elements),
        f"the field is gone:\n{screen.outline()}",
    )


@TOUR.clause("the contacts open, and can be read", stop="contacts")
def _tour_contacts(scene: TourScene) -> None:
    _opens(scene, "contacts")


@TOUR.clause("the dialler opens, and can be read", stop="dialler")
def _tour_dialler(scene: TourScene) -> None:
    _opens(scene, "dialler")


def tour(extras: Collection[str] = ()) -> list[TourClause]:
    """The clauses, in the order of the tour, with those of the further stops that are asked for."""
    return [each for each in TOUR if each.stop not in EXTRAS or each.stop in extras]
