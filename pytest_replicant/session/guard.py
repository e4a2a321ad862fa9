"""``Guard``: what to leave alone while an app is explored, such as another app, or a button that
pays.

It is asked when a gesture's target is known, before anything is sent.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from unicodedata import category, normalize

from ..drivers import SystemDialogs
from ..errors import Guarded
from ..model import Element, Strings, quoted, verb_of
from ..snapshots import Snapshot

_WRITTEN: Mapping[str, str] = {
    "pay": (
        "pay, pay now, buy, buy now, purchase, place order, order now, complete order, subscribe, "
        "donate, bezahlen, zahlen, jetzt kaufen, kaufen, zahlungspflichtig bestellen, bestellen, "
        "abonnieren, spenden, payer, acheter, commander, s'abonner, pagar, comprar, suscribirse, "
        "hacer pedido, paga, acquista, compra, ordina, abbonati, assinar, finalizar compra, "
        "betalen, kopen, afrekenen en betalen, betala, köp, betal, køb, kjøp, maksa, osta, "
        "zapłać, kup, zaplatit, koupit, fizetés, оплатить, купить, заказать, öde, satın al, ادفع, "
        "اشتر, शुल्क, भुगतान, खरीदें, 支払う, 購入, 注文を確定, 支付, 购买, 付款, 立即购买, 付費, 결제, 구매, 주문하기"  # noqa: E501
    ),
    "delete": (
        "delete, delete all, erase, erase all, remove account, close account, deactivate account, "
        "empty trash, factory reset, reset phone, löschen, konto schließen, entfernen, supprimer, "
        "effacer, eliminar, borrar, elimina, cancella account, apagar, excluir, verwijderen, "
        "wissen, radera, ta bort, slet, slett, poista, usuń, smazat, odstranit, törlés, удалить, "
        "стереть, sil, حذف, हटाएं, 削除, 消去, 删除, 刪除, 清空, 삭제"
    ),
    "send": (
        "send, post, publish, tweet, reply, submit review, senden, absenden, abschicken, posten, "
        "veröffentlichen, envoyer, publier, enviar, publicar, invia, pubblica, verzenden, "
        "versturen, plaatsen, skicka, publicera, lähetä, wyślij, opublikuj, odeslat, küldés, "
        "отправить, опубликовать, gönder, paylaş, إرسال, भेजें, 送信, 投稿, 发送, 發送, 发布, 보내기, 게시"  # noqa: E501
    ),
    "call": (
        "call, call now, video call, dial, emergency call, anrufen, notruf, appeler, llamar, "
        "chiama, ligar, bellen, ring, ring upp, soita, zadzwoń, zavolat, hívás, позвонить, вызов, "
        "ara, اتصال, कॉल करें, 電話をかける, 発信, 拨打, 撥打, 呼叫, 전화 걸기, 통화"
    ),
}
WORDS: Mapping[str, Strings] = {kind: tuple(text.split(", ")) for kind, text in _WRITTEN.items()}
"""What a label says that pays, deletes, sends or calls, in several languages. A label is refused
where it holds one of these as words of its own; a word written without spaces, wherever it stands
in it."""

_KEYS = frozenset({"back", "home", "tab", "delete", "escape", "volume_up", "volume_down"})
"""Keys that submit nothing and switch nothing off: what another one does is for the app to say."""
_DOTTED = str.maketrans({"İ": "i", "I": "ı"})


@dataclass(frozen=True)
class Guard:
    """Lets nothing be touched outside ``apps`` but the system's own dialogs, and no label that is
    refused.

    ``refused`` are further labels. ``allowed`` are words: a kind such as "pay", a label such as
    "Place order", "other apps", or "tap_at". Each refusal is a ``UsageError``: nothing was sent.
    """

    apps: frozenset[str]
    allowed: frozenset[str] = frozenset()
    refused: Strings = ()

    @classmethod
    def of(cls, words: Collection[str], apps: Collection[str]) -> Guard:
        """Of lines such as ``on``, ``allow pay`` and ``refuse Book now``. Without ``apps``, all are
        free."""
        split = [line.partition(" ") for line in words]
        allowed = {rest.strip() for word, _, rest in split if word == "allow"}
        allowed |= set() if apps else {"other apps"}
        refused = tuple(rest for word, _, rest in split if word == "refuse")
        return cls(frozenset(apps), frozenset(allowed), refused)

    def allowing(self, words: Collection[str]) -> Guard:
        """With these words allowed as well."""
        return replace(self, allowed=self.allowed | frozenset(words))

    @property
    def lines(self) -> list[str]:
        """It as lines, for another process."""
        return [
            "on",
            *(f"allow {one}" for one in sorted(self.allowed)),
            *(f"refuse {one}" for one in self.refused),
        ]

    def describe(self) -> str:
        """All that it guards, in a line."""
        kinds = [kind for kind in WORDS if kind not in self.allowed]
        own = [quoted(one) for one in self.refused if one.casefold() not in self._allowed]
        return (
            ", ".join([*kinds, *own, *(["other apps"] if "other apps" not in self.allowed else [])])
            or "nothing"
        )

    def touches(
        self, verb: str, elements: Collection[Element], screen: Snapshot | None, own: SystemDialogs
    ) -> None:
        """Before a gesture of that kind on these elements; raises ``UsageError``. ``own`` are the
        system's."""
        self._check_app(verb, elements, screen, own)
        kind = verb_of(verb).guard
        if kind == "point" and verb not in self._allowed:
            raise _refusal(verb, "what lies there is not known", verb, "tap the element by its ref")
        if kind != "label" or not screen:
            return
        for element in elements:
            for label in _labels(element, screen):
                self.says(f"{verb} {element.ref}", label)

    def says(self, step: str, label: str) -> None:
        """Before something with that label is chosen. Raises ``UsageError``."""
        if kind := self._kind(label):
            what = f"{quoted(label[:60])} {f'may {kind}' if kind in WORDS else 'is refused'}"
            raise _refusal(step, what, kind if kind in WORDS else label, "leave it alone")

    def presses(self, key: str) -> None:
        """Before a key is pressed. Raises ``UsageError`` for one that may submit, call or switch
        off."""
        if key not in _KEYS and key.casefold() not in self._allowed:
            raise _refusal(
                f"press_key {key}", "what it does there is not known", key, "tap the button instead"
            )

    def names(self, verb: str, app: str) -> None:
        """Before something is done with an app by its name, or with the phone. Raises
        ``UsageError`` for another app."""
        if app not in self.apps and "other apps" not in self._allowed:
            what = f"{app or 'that'} is not the app that is explored"
            raise _refusal(
                f"{verb} {app}".strip(),
                what,
                "other apps",
                f"open a session for {app}" if app else "",
            )

    def opens(self, url: str, app: str | None) -> None:
        """Before a link is opened: only in the app itself. Raises ``UsageError``."""
        if app is None and "other apps" not in self._allowed:
            named = f'open_url({quoted(url)}, "{min(self.apps)}")' if self.apps else ""
            raise _refusal(
                f"open_url {url[:80]}",
                "whichever app takes that link may act on it",
                "other apps",
                named,
            )
        if app is not None:
            self.names("open_url", app)

    @property
    def _allowed(self) -> frozenset[str]:
        return frozenset(word.casefold() for word in self.allowed)

    def _check_app(
        self, verb: str, elements: Collection[Element], screen: Snapshot | None, own: SystemDialogs
    ) -> None:
        if not screen or not verb_of(verb).guard or "other apps" in self._allowed:
            return
        for app in {element.package or screen.app for element in elements} or {screen.app}:
            if app and app not in self.apps and app not in own.packages and not own.asks(app):
                what = f"{app} is in front, and not the app that is explored"
                raise _refusal(
                    verb,
                    what,
                    "other apps",
                    f'launch("{min(self.apps)}")' if self.apps else "go back",
                )

    def _kind(self, label: str) -> str:
        """Which kind of words it holds, or the refused label; "" for none, and for a label that is
        allowed."""
        texts = _folded(label)
        if texts & {each for one in self.allowed for each in _folded(one)}:
            return ""
        rules = [(kind, words) for kind, words in WORDS.items() if kind not in self._allowed]
        rules += [(label, tuple(_folded(label))) for label in self.refused]
        for kind, words in rules:
            if any(_holds(*each) for each in product(texts, words)):
                return kind
        return ""


def _folded(label: str) -> set[str]:
    """The label as it is read: in small letters, of a Turkish text too, without the unseen."""
    seen = "".join(each for each in normalize("NFKC", label) if category(each) != "Cf")
    ways = (seen.casefold(), seen.translate(_DOTTED).casefold(), label.casefold())
    return {text for way in ways if (text := " ".join(way.split()))}


def _holds(text: str, word: str) -> bool:
    if not word or word not in text:
        return False
    if re.search(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", word):
        return True
    return re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", text) is not None


def _labels(element: Element, screen: Snapshot) -> Iterator[str]:
    """All that names what a finger would touch there: the element, all that is in it, and what
    takes its touch."""
    touched = [element]
    around = element
    while not around.node.clickable and (parent := screen.parent_of(around)) is not None:
        around = parent
    if around is not element and around.node.clickable:
        touched.append(around)
    nodes = [one.node for one in touched] + [
        one for one in screen.below(element) if not one.clickable
    ]
    for one in touched:
        yield from (one.label, *one.folded)
    for node in nodes:
        yield from filter(None, (node.text, node.description, _words(node.resource_id)))


def _words(resource_id: str) -> str:
    """``deleteAccount`` in words."""
    return " ".join(re.findall(r"[A-Za-z][a-z]*|\d+", resource_id.rpartition("/")[2]))


def _refusal(step: str, what: str, word: str, instead: str) -> Guarded:
    allowed = f"--allow {quoted(word) if ' ' in word else word}"
    return Guarded(
        f"{step}: {what}. Nothing was sent. Where it is meant, allow it by word: {allowed}",
        word=word,
        advice=instead or "leave it alone",
    )
