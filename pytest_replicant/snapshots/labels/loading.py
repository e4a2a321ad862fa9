"""Whether a screen, or a part of it, is still loading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import compress

from ...model import Node
from ..parsers.roles import role_of
from ..screen.layout import Layout
from ..text import short_id
from .rows import Labels

_STATUS = (
    "(?:loading|please wait|just a moment|one moment(?:,? please)?|refreshing|(?:wird|werden) "
    "geladen|bitte warten|einen moment(?:,? bitte)?|chargement en cours|veuillez "
    "patienter|cargando|por favor,? esper[ea]|carregando|por favor,? aguarde|caricamento in "
    "corso|attendere,? prego|bezig met laden|even geduld|proszę czekać|yükleniyor|(?:пожалуйста,? "
    ")?подождите|ид[её]т загрузка|読み込み中(?:です)?|ロード中|お待ちください|加载中|正在加载|載入中|正在載入|请稍候|請稍候|로딩 ?중|불러오는 "  # noqa: E501
    "중)"
)
"""What a text says that says nothing else. In other languages such words as are no name of
anything."""

_SAYS_SO = re.compile(
    rf"{_STATUS}(?:[ ,.;:…-]{{1,4}}{_STATUS}){{0,2}} ?(?P<goes_on>…|\.{{2,4}})?[.!]?", re.IGNORECASE
)
_SAYS_WHAT = re.compile(
    r"(?:\b(?:loading|fetching|getting|retrieving|refreshing|updating|searching|syncing|"
    r"synchroni[sz]ing"
    r"|geladen|lädt|lade|laden|abgerufen|aktualisiert|chargement|actualisation|récupération"
    r"|cargando|actualizando|obteniendo|buscando|carregando|carregar|atualizando|caricamento|"
    r"aggiornamento"
    r"|ładowanie|wczytywanie|pobieranie|загрузка|загружа\w+|обновление|завантаження|yükleniyor|"
    r"načítá\w*"
    r"|laddar|hämtar|indlæser|henter|laster|ladataan|betöltés|φόρτωση|încarcă|memuat|đang tải|"
    r"טוען)\b"
    r"|تحميل|लोड|読み込|読込|ロード|加载|加載|載入|载入|로딩|불러오|กำลังโหลด)",
    re.IGNORECASE,
)
"""A word in a few others that says so where dots follow: "Loading orders…", "Bestellungen werden
geladen…"."""

_DOTS = re.compile(r"(?:…|\.{2,4})$")
_DOTTED = "…."  # what such a text ends with
_MOST_WORDS = 4
_LONGEST_STATUS = 50

_AT_REST = ("0", "false")
_BAR_ASPECT = 3  # wider than that is a bar, which may show a finished download
_OVERLAY_SHARE = (
    4  # a control over more than a quarter of the screen is no button but what blocks touches
)

_ROW = "(?:row|item|card|line|cell|list)"
_SKELETON = re.compile(f"shimmer|skeleton|placeholder_?{_ROW}|{_ROW}_?placeholder")
_WHEEL = re.compile(
    r"(?:\w+_)?(?:loading|loader|progress)(?:_?(?:view|indicator|animation|anim|icon|wheel|"
    r"circle|spinner))?"
)
_FRAMES = ("Layout", "ViewGroup", "Group")  # stay when what they held has gone


def loading_signs(labels: Labels) -> Iterator[int]:
    """Yields turning spinners, texts that say only "loading", and what stands for rows to come. A
    bar, or anything that prints a number, may stay as it is for ever."""
    layout = labels.layout
    for node in compress(layout.nodes, layout.shown):
        label = labels.own[node.index]
        found = progress = role_of(node.class_name).name == "progress"
        if not progress or not _turns(node):
            if label:
                found = len(label) <= _LONGEST_STATUS and _says_so(label, node, labels)
            else:
                found = not progress and _is_named_so(node, layout)
        if found:
            yield node.index


def _turns(node: Node) -> bool:
    """Whether a spinner turns, as iOS reports it. Elsewhere one that is as high as wide and has no
    number does."""
    if node.class_name == "ActivityIndicator":
        return node.value not in _AT_REST
    if _is_bar(node):
        return False
    return not any(sign.isdecimal() for sign in f"{node.text}{node.description}{node.value or ''}")


def _is_bar(node: Node) -> bool:
    return node.bounds.width >= _BAR_ASPECT * max(node.bounds.height, 1)


def _says_so(label: str, node: Node, labels: Labels) -> bool:
    """Whether a text says "loading", or with dots something that is. Alone on the screen the words
    are enough; in a button, a tab or a row "Loading" may be a name, unless dots follow."""
    match = _SAYS_SO.fullmatch(label)
    if match is None and not (label[-1] in _DOTTED and _DOTS.search(label)):
        return False
    owner, row = labels.owner[node.index], labels.row_of(node)
    above = labels.nodes[row].parent if row >= 0 else -1
    # whether the list of a row has one that says something else
    texts = labels.own[above + 1 : labels.ends[above]] if above >= 0 else []
    in_row = not {*texts} <= {"", label}
    if match is None:
        few = len(label.split()) <= _MOST_WORDS and not in_row
        return few and _SAYS_WHAT.search(label) is not None
    if match["goes_on"] or (owner < 0 and not in_row):
        return True
    if row >= 0 and not in_row:  # nothing but such rows stands for a list
        return owner == row
    if owner < 0:
        return False
    return labels.nodes[owner].bounds.area * _OVERLAY_SHARE > labels.layout.screen.area


def _is_named_so(node: Node, layout: Layout) -> bool:
    """Whether its id says that it stands for something to come: a part without any text, or a wheel
    that an app draws itself. A frame that is left empty is neither."""
    if node.clickable or node.states.editable:
        return False
    skeleton, wheel = _named(node.resource_id, node.class_name)
    if not (skeleton or wheel) or (not node.children and node.class_name.endswith(_FRAMES)):
        return False
    if skeleton:
        return not any(one.words for one in layout.below(node.index))
    return not node.children and not _is_bar(node)


@lru_cache(maxsize=4096)
def _named(resource_id: str, class_name: str) -> tuple[bool, bool]:
    """Whether id and class name the rows to come, and whether the id names a wheel."""
    name = short_id(resource_id).lower()
    skeleton = _SKELETON.search(f"{name} {class_name.lower()}")
    return skeleton is not None, name != "" and _WHEEL.fullmatch(name) is not None
