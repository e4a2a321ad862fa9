"""Trees of elements, made by hand."""

from __future__ import annotations

from pytest_replicant.virtual import Frame, XCElement

PLACE = Frame(10.0, 20.5, 100.0, 40.0)


def element(kind: str, name: str = "", *children: XCElement, **facts: object) -> XCElement:
    """``name`` is the label; ``facts`` are fields of ``XCElement``."""
    made = XCElement(kind, PLACE, label=name or None, children=list(children))
    for fact, value in facts.items():
        setattr(made, fact, value)
    for index, child in enumerate(made.children):
        child.index = index
    return made


def shop() -> XCElement:
    """Two rows with a text and a button each, in a window; a button next to it."""
    rows = [
        element(
            "Cell",
            f"row {number}",
            element("StaticText", name),
            element("Button", "Add", value=str(number)),
        )
        for number, name in enumerate(("Lamp", "Café table"), start=1)
    ]
    window = element(
        "Window", "", element("Table", "rows", *rows), element("Button", "Buy", enabled=False)
    )
    return element("Application", "Shop", window, bundle_id="dev.example.shop")


def names(found: list[XCElement]) -> list[str | None]:
    return [each.name for each in found]
