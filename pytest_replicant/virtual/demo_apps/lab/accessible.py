"""What a screen reader, a large finger or a weak eye stumbles over."""

from __future__ import annotations

from ...app_kit import Button, EditText, IconButton, Row, Stack, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import page, result
from .state import Lab, witness


class AccessibilityDefects(Exhibit):
    """A form without a defect, or with one that its link names. 1: an icon without a description.
    2: two buttons of one label. 3: "button" in a description. 4: a button of 30 dp. 5: a control
    exactly on another. 6: a description that hides what was typed. 7: a link "Click here". 8: grey
    words on white. 9: a pale icon.

    Stands for what audits of real apps find most often.

    A good test names the rules that it judges by, ignores those defects that are known, and says no
    more than that these rules found nothing.
    """

    slug = "accessibility-defects"
    activity = ".AccessibilityDefects"
    title = "Accessibility"
    summary = "A form that can be used by everyone, or nearly"
    parameters = (Parameter("defect", 0, 0, 9, "which one, as listed above; 0 is none"),)
    done: str = ""

    def content(self, app: Lab) -> Widget:
        return page(
            result(self.done),
            Row(children=[self.search(app), self.star(app), self.delete(app)], margin=(0, 8)),
            Row(children=self.edits(app), margin=(0, 8)),
            EditText(
                "Name",
                id="name",
                text="Ann",
                description="Your name" if self.shows(6) else "",
                on_change=lambda text: self.do(app, f"typed {text}"),
            ),
            self.help(app),
            self.terms(app),
            Text(
                "Orders are sent within a day", id="note", foreground=_PALE if self.shows(8) else ""
            ),
            self.pay(app),
        )

    def shows(self, defect: int) -> bool:
        return self.settings["defect"] == defect

    def search(self, app: Lab) -> Widget:
        description = "" if self.shows(1) else "Search"
        return IconButton(
            icon="search",
            id="search",
            description=description,
            on_click=lambda: self.do(app, "searched"),
        )

    def star(self, app: Lab) -> Widget:
        shade = _PALE if self.shows(9) else ""
        return IconButton(
            icon="star",
            id="star",
            description="Keep",
            foreground=shade,
            on_click=lambda: self.do(app, "kept"),
        )

    def delete(self, app: Lab) -> Widget:
        description = "Delete button" if self.shows(3) else "Delete"
        return IconButton(
            icon="trash",
            id="trash",
            description=description,
            on_click=lambda: self.do(app, "deleted"),
        )

    def edits(self, app: Lab) -> list[Widget]:
        labels = ("Edit", "Edit") if self.shows(2) else ("Edit name", "Edit address")
        buttons = [
            Button(label, id=f"edit_{at}", margin=(0, 0, 8, 0)) for at, label in enumerate(labels)
        ]
        buttons[0].on_click = lambda: self.do(app, "edited the name")
        buttons[1].on_click = lambda: self.do(app, "edited the address")
        return [*buttons]

    def help(self, app: Lab) -> Widget:
        button = Button("Help", id="help", on_click=lambda: self.do(app, "helped"), margin=(0, 8))
        if self.shows(4):
            button.height = button.min_height = 30
            button.padding = (16, 2)
        return button

    def terms(self, app: Lab) -> Widget:
        label = "Click here" if self.shows(7) else "Terms of sale"
        return Text(
            label,
            id="terms",
            height=48,
            width="fill",
            padding=(0, 14),
            on_click=lambda: self.do(app, "read terms"),
        )

    def pay(self, app: Lab) -> Widget:
        inner = Button("Pay", id="pay", width="fill", on_click=lambda: self.do(app, "paid"))
        around = Stack(children=[inner], id="pay_area", width="fill", margin=(0, 8))
        if self.shows(5):
            around.on_click = lambda: self.do(app, "touched the area")
        return around

    def do(self, app: Lab, what: str) -> None:
        self.done = what.capitalize()
        witness(app, what)


_PALE = "#b5b5b5"  # 2.1 to 1 on white
