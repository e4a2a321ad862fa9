"""Text fields that do not hold what was typed."""

from __future__ import annotations

import re

from ...app_kit import Button, EditText, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, page, result
from .state import Lab, witness

PASSWORD = "open sesame"
CORRECTIONS = {"teh": "the", "adn": "and", "recieve": "receive"}
_MISSPELT = re.compile(rf"\b({'|'.join(CORRECTIONS)})\b")


class DroppingField(Exhibit):
    """A field that loses letters while one types fast, until it has caught up.

    Stands for fields that reformat while one types, and for slow phones.

    A good test reads back what the field holds, clears it, and types again. Had it not looked, it
    would sign in with half a name.
    """

    slug = "dropping-field"
    activity = ".DroppingField"
    title = "Field that drops letters"
    summary = "Loses letters, the first time or always"
    parameters = (
        Parameter("every", 3, 1, 100, "every so manieth letter is lost"),
        Parameter("lost", 1, 0, 10_000, "letters lost in all, then it works"),
    )
    text: str = ""
    typed: int = 0
    lost: int = 0

    def content(self, app: Lab) -> Widget:
        field = EditText("Name", id="name", text=self.text, margin=(0, 16), on_change=self.take)
        return page(field, result(f"Hello, {self.text}" if self.text else ""))

    def take(self, text: str) -> None:
        """Handles the new letters one by one."""
        same = next(
            (
                at
                for at, pair in enumerate(zip(self.text, text, strict=False))
                if pair[0] != pair[1]
            ),
            None,
        )
        start = min(len(self.text), len(text)) if same is None else same
        self.text = text[:start] + "".join(glyph for glyph in text[start:] if self.catches())

    def catches(self) -> bool:
        self.typed += 1
        if self.typed % self.settings["every"] or self.lost >= self.settings["lost"]:
            return True
        self.lost += 1
        return False


class AutocorrectField(Exhibit):
    """A field that turns "teh" into "the" as soon as a space follows, or one goes on to the next
    field.

    Stands for the correction of keyboards, phone numbers that are regrouped, trimmed names.

    A good test says what it expects to read ("the"), and not what it typed, or reports the
    difference.
    """

    slug = "autocorrect-field"
    activity = ".AutocorrectField"
    title = "Field that corrects"
    summary = "Changes what was typed, once one is done"
    text: str = ""
    answer: str = ""

    def content(self, app: Lab) -> Widget:
        field = EditText(
            "Note", id="note", text=self.text, margin=(0, 16, 0, 8), on_change=self.take
        )
        field.on_done = lambda: self.leave(app)
        other = EditText("Signed", id="signed", text=self.answer, on_click=self.correct)
        other.on_change = lambda text: setattr(self, "answer", text)
        return page(field, other, result(f"It says: {self.text}" if self.text else ""))

    def take(self, text: str) -> None:
        words, space, last = text.rpartition(" ")
        self.text = corrected(words) + space + last

    def correct(self) -> None:
        self.text = corrected(self.text)

    def leave(self, app: Lab) -> None:
        self.correct()
        app.focus("signed")


def corrected(text: str) -> str:
    """With every known slip put right."""
    return _MISSPELT.sub(lambda found: CORRECTIONS[found[0]], text)


class MaskedField(Exhibit):
    """A password field. What it shows is as many dots as there are letters; the password is "open
    sesame".

    Stands for passwords and codes.

    A good test compares the length and says so, takes the dots for no text, and proves the rest by
    signing in. What was typed is in no log and no report.
    """

    slug = "masked-field"
    activity = ".MaskedField"
    title = "Masked field"
    summary = "Shows dots in place of letters"
    text: str = ""
    said: str = ""

    def content(self, app: Lab) -> Widget:
        field = EditText(
            "Password", id="password", text=self.text, input="password", margin=(0, 16)
        )
        field.on_change = lambda text: setattr(self, "text", text)
        button = Button(
            "Open", id="open", radius=PILL, width="fill", on_click=lambda: self.check(app)
        )
        return page(field, button, result(self.said))

    def check(self, app: Lab) -> None:
        self.said = "Open" if self.text == PASSWORD else "Wrong password"
        witness(app, f"password {'right' if self.text == PASSWORD else 'wrong'}")


class LimitedField(Exhibit):
    """A field that takes eight letters and silently cuts off the rest.

    Stands for post codes, nicknames, one-time codes.

    A good test finds by reading back that not everything went in, and says how much did.
    """

    slug = "limited-field"
    activity = ".LimitedField"
    title = "Field with a limit"
    summary = "Cuts off long text, and says nothing"
    parameters = (Parameter("most", 8, 1, 200, "letters that go in"),)
    text: str = ""

    def content(self, app: Lab) -> Widget:
        most = self.settings["most"]
        field = EditText("Nickname", id="nickname", text=self.text, max_length=most, margin=(0, 16))
        field.on_change = lambda text: setattr(self, "text", text)
        return page(field, result(f"{len(self.text)} of {most}"))


class HintField(Exhibit):
    """Two fields that look the same: one is empty and shows its hint "City", in the other somebody
    typed "City".

    Stands for dumps that give the hint as the text of an empty field.

    A good test of an empty field is not deceived by the hint, and one that types "City" gets no
    report that nothing was typed.
    """

    slug = "hint-field"
    activity = ".HintField"
    title = "Text equal to the hint"
    summary = 'Empty or not, it reads "City"'
    texts: tuple[str, str] = ("", "City")

    def content(self, app: Lab) -> Widget:
        empty = EditText("City", id="empty_city", text=self.texts[0], margin=(0, 16, 0, 8))
        empty.on_change = lambda text: setattr(self, "texts", (text, self.texts[1]))
        held = EditText("City", id="typed_city", text=self.texts[1])
        held.on_change = lambda text: setattr(self, "texts", (self.texts[0], text))
        lengths = " and ".join(str(len(text)) for text in self.texts)
        return page(empty, held, Text(f"{lengths} letters", id="result", size=18, margin=(0, 16)))
