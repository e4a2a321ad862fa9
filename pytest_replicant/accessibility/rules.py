"""The rules that a hierarchy alone decides. Each looks once at every element, and says of each
finding why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from PIL.Image import Image

from .. import vision
from ..model import Element, Node, Rect, Strings, ancestors
from ..snapshots import Snapshot, clean, is_icon, is_pane

# a wordless area of a third of the screen or more catches touches, and is no control
_MOST_OF_SCREEN = 3
_LEAST_SIDE = 4  # dp: anything thinner is no control that anyone could mean
_TOUCH_DP, _TOUCH_AT_EDGE_DP, _TOUCH_PT = 48, 32, 44
_STATUS_BAR = 24  # dp or points, of any phone at least
_ROUNDING = 0.75  # dp or points: sizes are rounded to pixels
_CANVASES = (
    "WebView",
    "SurfaceView",
    "TextureView",
    "GLSurfaceView",
    "MapView",
    "VideoView",
    "PlayerView",
)
_OWN_SIZES = frozenset(
    {"Switch", "Toggle", "Slider", "SegmentedControl", "Stepper", "PageIndicator", "DatePicker",
     "SearchField",
     "TextField", "SecureTextField", "Cell"}
)  # fmt: skip
"""Controls of the iPhone that Apple makes smaller than its own guideline, and cells: a heading is
one as well, and nothing says what acts."""
_IOS_BARS = frozenset({"NavigationBar", "TabBar", "Toolbar", "StatusBar", "Keyboard"})
_SYSTEM = frozenset({"com.android.systemui"})

ROLE_WORDS: Mapping[str, Strings] = {
    "button": (
        "button", "btn", "schaltfläche", "knopf", "bouton", "botón", "botão", "pulsante", "bottone",
        "knop", "knapp", "przycisk", "кнопка", "düğme", "按钮", "按鈕", "ボタン", "버튼", "לחצן", "زر",  # noqa: E501
    ),
    "checkbox": ("checkbox", "check box", "kontrollkästchen", "case à cocher", "casilla", "复选框",
                 "チェックボックス"),
    "switch": ("switch", "toggle", "schalter", "interrupteur", "interruptor", "переключатель", "开关",  # noqa: E501
               "スイッチ"),
    "radio": ("radio button", "optionsfeld", "bouton radio", "botón de opción", "单选按钮", "ラジオボタン"),  # noqa: E501
    "slider": ("slider", "seek bar", "seekbar", "schieberegler", "curseur", "滑块", "スライダー"),
    "link": ("link", "hyperlink", "lien", "enlace", "ссылка", "链接", "リンク"),
    "text_field": ("text field", "edit box", "edit text", "input field", "textfeld", "eingabefeld",
                   "文本框"),
}  # fmt: skip
"""What a screen reader adds to the label of such a control, in a few languages."""

_LEADING = frozenset(
    {
        "bouton",
        "botón",
        "botão",
        "pulsante",
        "кнопка",
        "lien",
        "enlace",
        "casilla",
        "case à cocher",
        "לחצן",
        "زر",
    }
)

LINK_WORDS = frozenset(
    {
        "click here", "tap here", "press here", "here", "this link", "this page", "read more",
        "learn more", "see more", "more info", "more information", "hier", "hier klicken", "mehr",
        "weiterlesen", "mehr erfahren", "ici", "cliquez ici", "en savoir plus", "lire la suite",
        "aquí", "haga clic aquí", "leer más", "ver más", "clique aqui", "saiba mais", "clicca qui",
        "qui", "scopri di più", "klik hier", "lees meer", "здесь", "подробнее", "点击这里", "这里",
        "了解更多", "こちら", "여기", "더 보기",
    }
)  # fmt: skip
"""Texts that say nothing about where a link leads, in a few languages. Those that name tabs too are
left out."""


class Found(NamedTuple):
    """A node against which a rule speaks, and why."""

    node: Node
    message: str
    bounds: Rect | None = None  # where they are not those of the node


class Screen:
    """A screen as the rules see it: the elements that are the app's own, and what lies in each.
    ``density`` is pixels a dp or point, None if the phone did not say; ``image`` the screenshot and
    ``texts`` those drawn on it, None if there are none."""

    def __init__(
        self,
        snapshot: Snapshot,
        density: float | None,
        image: Image | None,
        texts: Sequence[vision.Found] | None,
    ) -> None:
        self.snapshot, self.density, self.image, self.texts = snapshot, density, image, texts
        self.platform, self.nodes = snapshot.platform, snapshot.nodes
        self.whole = Rect(0, 0, *snapshot.size)
        self.by_node: dict[int, Element] = {}
        for one in sorted(snapshot.printed, key=lambda one: one.index):
            if self._is_own(one.node):
                self.by_node[one.index] = one
        own = self.by_node.values()
        self.acting = [one for one in own if acts(one.node) and one.states.enabled is not False]
        self._acts = {node.index for node in self.nodes if acts(node) and self.shows(node)}

    def _is_own(self, node: Node) -> bool:
        app = self.snapshot.app
        if self.platform == "ios" or not app:
            return True
        return node.package in ("", app) and node.package not in _SYSTEM

    def is_enabled(self, node: Node) -> bool:
        """Whether a node is the app's own, and not disabled."""
        return node.states.enabled is not False and self._is_own(node)

    def shows(self, node: Node) -> bool:
        """Whether a node of the app's own can be seen."""
        return self.snapshot.shown[node.index] and self._is_own(node)

    def element_of(self, node: Node) -> Element | None:
        """The element that stands for a node: itself, else the nearest around it."""
        standing = (self.by_node.get(one.index) for one in (node, *self.above(node)))
        return next(filter(None, standing), None)

    def above(self, node: Node) -> Iterator[Node]:
        """The nodes around it, the nearest first."""
        return ancestors(self.nodes, node)

    def contrast(self, area: Rect) -> vision.Contrast | None:
        return vision.contrast_in(self.image, area) if self.image is not None else None

    def control_around(self, node: Node) -> Node | None:
        return next((one for one in self.above(node) if one.index in self._acts), None)

    @cached_property
    def app_area(self) -> Rect:
        """The part of the screen that is the app's: no bar of the system and no keyboard."""
        left, top, right, end = self.whole
        top, bottom = round(_STATUS_BAR * (self.density or 1.0)), end
        for node in self.nodes:
            bar, of_system = node.bounds, node.parent < 0 and node.package in _SYSTEM
            if (of_system or node.class_name == "StatusBar") and bar.height * 4 < end:
                if bar.top <= 0:
                    top = max(top, bar.bottom)
                if bar.bottom >= end:
                    bottom = min(bottom, bar.top)
        keyboard = self.snapshot.keyboard
        return Rect(left, top, right, min(bottom, keyboard.top) if keyboard is not None else bottom)

    @cached_property
    def _inside(self) -> tuple[list[list[str]], list[int]]:
        """Of each node: the words in it that no control of its own holds, at most a few, and how
        many controls or scrollers lie in it."""
        words: list[list[str]] = [[] for _ in self.nodes]
        controls = [0] * len(self.nodes)
        for node in reversed(self.nodes):
            if node.parent < 0:
                continue
            own = node.index in self._acts or is_pane(node)
            controls[node.parent] += controls[node.index] + own
            if not own and len(words[node.parent]) < _MOST_WORDS:
                said = spoken(node)
                words[node.parent] += [said] if said else words[node.index][:_MOST_WORDS]
        return words, controls

    def words_of(self, node: Node) -> str:
        """What a screen reader says of a control: its own words, else those in it."""
        return spoken(node) or " ".join(reversed(self._inside[0][node.index]))

    def holds_controls(self, node: Node) -> bool:
        return self._inside[1][node.index] > 0

    def port(self, node: Node) -> Rect:
        """The part of the screen in which it can be seen, by the scrollers around it."""
        port = self.whole
        for pane in filter(is_pane, self.above(node)):
            port = port.intersect(pane.bounds)
        return port

    @cached_property
    def _reach(self) -> list[Rect]:
        """Of each node: the area of it and of all that lies in it."""
        found = [node.bounds for node in self.nodes]
        for node in reversed(self.nodes):
            if node.parent >= 0 and not node.bounds.is_empty:
                found[node.parent] = found[node.parent].union(found[node.index])
        return found

    def is_cut(self, node: Node) -> bool:
        """Whether more of it may lie beyond: it reaches to the edge of a scroller, over the edge of
        the screen, or to where something in it, or next to it, goes on outside of the box around
        them."""
        port, whole, bounds = self.port(node), self.whole, node.bounds
        if not whole.encloses(bounds):
            return True
        box = self.nodes[node.parent].bounds if node.parent >= 0 else whole
        beyond = self._reach[node.parent] if node.parent >= 0 else self._reach[node.index]
        sides = zip(bounds, box, beyond, (-1, -1, 1, 1), strict=True)
        if any(own == its and (goes - its) * way > 0 for own, its, goes, way in sides):
            return True
        if not any(map(is_pane, self.above(node))):
            return False
        high = bounds.top <= port.top or bounds.bottom >= port.bottom
        if port == whole:  # a list from edge to edge: whole pages of it move to the side
            return high
        wide = bounds.left <= port.left and bounds.right >= port.right
        return high or (not wide and (bounds.left <= port.left or bounds.right >= port.right))


_MOST_WORDS = 8  # labels in one control
_UNSEEN = " \u115f\u1160\u180e\u200c\u200d\u2800\u3164\ufe0e\ufe0f\uffa0"


def acts(node: Node) -> bool:
    """Whether a touch on it does something."""
    return node.clickable or node.long_clickable or node.checkable or bool(node.states.editable)


def spoken(node: Node) -> str:
    """A node's own words. The signs of an icon font are none that can be read aloud, nor what has
    no shape."""
    for each in (node.description, node.text, node.hint if node.states.editable else ""):
        said = clean(each)
        if said and not is_wordless(said):
            return said
    return ""


def bare_words(said: str) -> str:
    """Words to compare with those of a list."""
    return re.sub(r"^\W+|\W+$", "", clean(said).casefold())


def is_wordless(said: str) -> bool:
    """Whether a text is nothing but signs of an icon font, or of joiners and blanks that have no
    shape."""
    return is_icon(said) or not said.strip(_UNSEEN)


def missing_label(screen: Screen) -> Iterator[Found]:
    least = _LEAST_SIDE * (screen.density or 1.0)
    for element in screen.acting:
        node = element.node
        if (
            screen.words_of(node)
            or not is_wordless(element.label)
            or element.borrowed
            or node.value
        ):
            continue
        if is_pane(node) or node.class_name.endswith(_CANVASES) or screen.holds_controls(node):
            continue
        if (
            node.bounds.area * _MOST_OF_SCREEN >= screen.whole.area
            or min(node.bounds.width, node.bounds.height) < least
        ):
            continue
        control = screen.control_around(
            node
        )  # no screen reader stops at a wordless box in one with words
        named = node.children and control is not None and screen.words_of(control)
        if named or screen.is_cut(node):
            continue
        yield Found(node, "it has no text, no description and no hint")


def duplicate_label(screen: Screen) -> Iterator[Found]:
    alike: defaultdict[str, list[Node]] = defaultdict(list)
    for element in screen.acting:
        said = screen.words_of(element.node).casefold()
        if said and element.resource_id and screen.control_around(element.node) is None:
            alike[said].append(element.node)
    for nodes in alike.values():
        ids = dict.fromkeys(node.resource_id for node in nodes)
        if len(ids) < 2 or any(screen.holds_controls(node) for node in nodes):
            continue
        yield Found(
            nodes[0], f"{len(ids)} controls with other ids say the same: {', '.join([*ids][1:4])}"
        )


def role_in_label(screen: Screen) -> Iterator[Found]:
    for element in screen.acting:
        words = ROLE_WORDS.get(element.semantic_role or "", ())
        said = bare_words(element.text if screen.platform == "ios" else element.description)
        for word in words:
            # It ends with the word, or begins with it as in some languages: "bouton rechercher".
            blank = "" if word[0] > "\u2e80" else " "  # a script without blanks
            leads = blank and word in _LEADING and f"{said} ".startswith(f"{word} ")
            if leads or f"{blank}{said}".endswith(f"{blank}{word}"):
                yield Found(element.node, f"a screen reader says {word!r} twice")
                break


def touch_target(screen: Screen) -> Iterator[Found]:
    density = screen.density
    if density is None:
        return
    for element in screen.acting:
        node, bounds = element.node, element.bounds
        if not (node.clickable or node.long_clickable) or bounds.is_empty or screen.is_cut(node):
            continue
        if screen.control_around(node) is not None or node.class_name in _OWN_SIZES:
            continue
        around = {one.class_name for one in screen.above(node)}
        if around & _IOS_BARS or any(name.endswith("WebView") for name in around):
            continue
        # most links stand in a line of a text, which makes them as high as they are
        width, height = bounds.width / density, bounds.height / density
        if element.semantic_role == "link" or min(width, height) < _LEAST_SIDE:
            continue
        wide = high = _TOUCH_PT
        if screen.platform != "ios":  # what lies at an edge of the screen may be narrower
            _, _, right, bottom = screen.whole
            in_width, in_height = bounds.left > 0, bounds.top > 0
            wide = _TOUCH_DP if in_width and bounds.right < right else _TOUCH_AT_EDGE_DP
            high = _TOUCH_DP if in_height and bounds.bottom < bottom else _TOUCH_AT_EDGE_DP
        if width + _ROUNDING < wide or height + _ROUNDING < high:
            unit = "pt" if screen.platform == "ios" else "dp"
            yield Found(
                node, f"{width:.0f} x {height:.0f} {unit}, and at least {wide} x {high} are needed"
            )


def duplicate_bounds(screen: Screen) -> Iterator[Found]:
    places: defaultdict[Rect, list[Node]] = defaultdict(list)
    seen = {element.index for element in screen.acting}
    for node in screen.nodes:
        small = node.bounds.area * _MOST_OF_SCREEN < screen.whole.area and not node.bounds.is_empty
        if (
            node.clickable
            and small
            and not is_pane(node)
            and screen.is_enabled(node)
            and not screen.is_cut(node)
        ):
            places[node.bounds].append(node)
    for nodes in places.values():
        # Of those that another covers only its neighbours count: others may belong to a page below.
        here = [one for one in nodes if one.index in seen]
        here += [
            one
            for one in nodes
            if one.index not in seen and one.parent in {each.parent for each in here}
        ]
        if len(here) > 1:
            others = ", ".join(node.resource_id or node.class_name for node in here[1:4])
            yield Found(here[0], f"{len(here)} controls lie exactly here: {others} as well")


def hidden_text(screen: Screen) -> Iterator[Found]:
    for element in screen.acting:
        said, held = clean(element.description), clean(element.text)
        if (
            element.states.editable
            and said
            and held
            and not re.search(rf"(?<!\w){re.escape(held)}(?!\w)", said)
        ):
            yield Found(element.node, "its description is read in place of what was typed")


def unclear_link(screen: Screen) -> Iterator[Found]:
    for element in screen.acting:
        role = element.semantic_role
        if role != "link" and not (role == "text" and element.node.clickable):
            continue
        if bare_words(screen.words_of(element.node)) in LINK_WORDS:
            yield Found(element.node, "its words say nothing about where it leads")


# --- rules that need a picture of the screen ---

_SMALL, _LARGE = 4.5, 3.0  # to 1
# sp or pt, as measured: 18 and 14 are meant, and fonts differ a little
_LARGE_SIZE, _LARGE_BOLD = 17, 13
# of the size of a font: strokes of a regular one are thinner, those of a bold one wider
_BOLD = 0.11
# heights, of the size of a font
_SMALL_LETTERS, _T, _CAPITALS, _BELOW, _COMMA = 0.53, 0.65, 0.72, 0.21, 0.1
_TALL, _DEEP = frozenset("bdfhklß()[]{}|/&%#!?$"), frozenset("gjpqyçþ")
_LAST_LETTER = "\u052f"  # of the Latin, Greek and Cyrillic ones, which are alike in this
_TOLERANCE = 0.01  # of a measured ratio
_MOST_SHARE = 3  # an image of a third of the screen or more is a background
_IOS_TEXTS = frozenset({"StaticText", "TextView", "TextField", "SearchField"})
# their text is their state
_UNDRAWN = ("Switch", "ToggleButton", "SeekBar", "ProgressBar", "RatingBar")
_LEAST_CONFIDENCE = 0.9
_LEAST_LETTERS = 3


def _texts(screen: Screen) -> Iterator[tuple[Node, str]]:
    """The nodes that draw a text of their own and can be seen whole, and that text."""
    for node in screen.nodes:
        if not screen.shows(node) or node.children or node.states.enabled is False:
            continue
        if node.class_name.endswith(_UNDRAWN) or not _is_whole(screen, node):
            continue
        if screen.platform == "ios" and node.class_name not in _IOS_TEXTS:
            continue  # the label of a button may be drawn as an icon
        drawn = node.text or (node.hint if node.states.editable else "")
        control = next(filter(acts, screen.above(node)), None)
        disabled = control is not None and control.states.enabled is False
        if drawn.strip() and not disabled:
            yield node, drawn


def _is_whole(screen: Screen, node: Node) -> bool:
    """Whether nothing of it is cut off by what lies around it, nor covered by a keyboard."""
    keyboard = screen.snapshot.keyboard
    if keyboard is not None and keyboard.meets(node.bounds):
        return False
    around = screen.nodes[node.parent].bounds if node.parent >= 0 else node.bounds
    return around.encloses(node.bounds) and screen.port(node).encloses(node.bounds)


def text_contrast(screen: Screen) -> Iterator[Found]:
    for node, text in _texts(screen):
        # the border and the round corners of a button
        by = min(node.bounds.width, node.bounds.height) // 10
        measured = screen.contrast(node.bounds.inset(by))
        if measured is None or measured.ratio >= _SMALL - _TOLERANCE:
            continue
        # many are drawn in capitals
        shown = text.upper() if node.class_name.endswith("Button") else text
        least = _LARGE if _is_large(shown, measured, screen.density) else _SMALL
        if measured.ratio < least - _TOLERANCE:
            yield Found(node, f"{measured}, and at least {least:g} to 1 is needed")


def _is_large(text: str, measured: vision.Contrast, density: float | None) -> bool:
    """Whether a text is large as WCAG means it, 18 sp or pt, or 14 and bold. If the letters do not
    say how large their font is, it counts as large."""
    whole = [text] if measured.lines == 1 else text.split()
    # whichever words stand in the tallest line
    share = max(map(_share_of_size, whole), default=0.0)
    if density is None or not share or any(sign.isalpha() and sign > _LAST_LETTER for sign in text):
        return True
    size = measured.height / share
    least = _LARGE_BOLD if measured.stroke >= _BOLD * size else _LARGE_SIZE
    return size >= least * density


def _share_of_size(word: str) -> float:
    """The height of a word at least, as a share of the size of its font; 0 without letters and
    digits. The dot of an i stands apart."""
    if not any(map(str.isalnum, word)):
        return 0.0
    above, below = _SMALL_LETTERS, 0.0
    if any(sign.isupper() or sign.isdigit() or sign in _TALL for sign in word):
        above = _CAPITALS
    elif "t" in word:
        above = _T
    if _DEEP.intersection(word):
        below = _BELOW
    elif any(sign in ",;Q" for sign in word):
        below = _COMMA
    return above + below


def image_contrast(screen: Screen) -> Iterator[Found]:
    for element in screen.acting:
        drawing = _image_in(screen, element.node)
        if drawing is None or drawing.bounds.area * _MOST_SHARE >= screen.whole.area:
            continue
        if screen.is_cut(drawing) or not _is_whole(screen, drawing):
            continue
        measured = screen.contrast(drawing.bounds)
        if measured is not None and measured.ratio < _LARGE - _TOLERANCE:
            yield Found(drawing, f"{measured}, and at least {_LARGE:g} to 1 is needed")


def _image_in(screen: Screen, node: Node) -> Node | None:
    """The picture that an acting element is: itself, or the only thing in it. An iPhone does not
    say whether a button shows its label or an icon, for which less will do."""
    while len(node.children) == 1 and (not node.text or screen.platform == "ios"):
        node = screen.nodes[node.children[0]]
    if screen.platform == "ios":
        return node if node.class_name in ("Button", "Image") and not node.children else None
    is_image = node.class_name.endswith(("ImageView", "ImageButton"))
    return node if is_image and not node.children and not node.text else None


def unexposed_text(screen: Screen) -> Iterator[Found]:
    """Text that is drawn and of which no element, not even of the system, says a word. What lies in
    no view that draws, but in a box of views, may belong to a window below."""
    nodes = screen.nodes
    own = [node for node in nodes if screen.shows(node) and not node.bounds.is_empty]
    if not own:
        return
    saying = [node for node in nodes if node.words or node.hint or node.value]
    area = screen.app_area
    for drawn in screen.texts or ():
        words = re.findall(rf"\w{{{_LEAST_LETTERS},}}", drawn.text.casefold())
        if drawn.confidence < _LEAST_CONFIDENCE or not words or not area.encloses(drawn.box):
            continue
        under = (node for node in saying if node.bounds.meets(drawn.box))
        said = " ".join(
            f"{one.text} {one.description} {one.hint} {one.value or ''}" for one in under
        ).casefold()
        if not any(word in said for word in words):
            around = [node for node in own if node.bounds.contains(drawn.box.center)]
            inner = min(around, key=lambda node: (node.bounds.area, -node.index), default=None)
            if inner is not None and not inner.children:
                yield Found(
                    inner, f"{drawn.text!r} is drawn here, and no element says it", drawn.box
                )
