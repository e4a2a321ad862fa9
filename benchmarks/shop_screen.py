"""A made-up shop screen of any size, every node with the seventeen attributes that a phone
prints."""

from __future__ import annotations

from html import escape

_PACKAGE = "dev.replicant.shop"
_NODES_A_ROW = 10
_ROW_HEIGHT = 16  # so low that thousands of rows are on the screen: nothing is left out of the work
_NAMES = (
    "Blue mug",
    "Red mug",
    "Oak tray",
    "Tea & honey",
    "Crème brûlée",
    "Candle",
    "Linen “Ada”",
    "Vase",
)


def shop_screen(nodes: int, *, changed: int = 0) -> bytes:
    """``nodes`` nodes, rounded to whole rows: a toolbar above a list of rows, every other of which
    can be tapped as a whole. The first ``changed`` rows have another price and are on the wish
    list."""
    rows = max(round((nodes - 5) / _NODES_A_ROW), 1)
    height = 400 + rows * _ROW_HEIGHT
    title = _node("TextView", (40, 80, 600, 160), text="Catalogue", id="title")
    cart = _node("ImageButton", (900, 60, 1080, 180), description="Cart", id="cart", clickable=True)
    bar = _node("Toolbar", (0, 60, 1080, 180), title, cart, id="toolbar")
    products = [
        _row(number, 400 + number * _ROW_HEIGHT, number < changed) for number in range(rows)
    ]
    shelf = _node("RecyclerView", (0, 180, 1080, height), *products, id="products", scrollable=True)
    screen = _node("FrameLayout", (0, 0, 1080, height), bar, shelf)
    declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes" ?>'
    return f'{declaration}<hierarchy rotation="0">{screen}</hierarchy>'.encode()


def _row(number: int, top: int, changed: bool) -> str:
    middle, bottom = top + _ROW_HEIGHT // 2, top + _ROW_HEIGHT
    name = f"{_NAMES[number % len(_NAMES)]} {number}"
    price = f"£{number % 90 + changed}.90"
    return _node(
        "LinearLayout",
        (0, top, 1080, bottom),
        _node("ImageView", (0, top, 100, bottom), id="picture"),
        _node(
            "LinearLayout",
            (110, top, 700, bottom),
            _node("TextView", (110, top, 700, middle), text=name, id="name"),
            _node(
                "LinearLayout", (110, middle, 700, bottom),
                _node("TextView", (110, middle, 300, bottom), text=price, id="price"),
                _node("TextView", (310, middle, 700, bottom), text=f"{number % 7} in stock",
                      id="stock"),
            ),
        ),
        _node(
            "LinearLayout",
            (710, top, 1080, bottom),
            _node("CheckBox", (710, top, 860, bottom), description="Wish", id="wish",
                  clickable=True,
                  checkable=True, checked=changed),
            _node("Button", (870, top, 1080, bottom), text="Add", id="add", clickable=True),
        ),
        id="row",
        clickable=number % 2 == 0,
    )  # fmt: skip


def _node(
    class_name: str,
    bounds: tuple[int, int, int, int],
    *inside: str,
    text: str = "",
    description: str = "",
    id: str = "",
    clickable: bool = False,
    checkable: bool = False,
    checked: bool = False,
    scrollable: bool = False,
) -> str:
    left, top, right, bottom = bounds
    values: dict[str, str | bool] = {
        "index": "0", "text": text, "resource-id": f"{_PACKAGE}:id/{id}" if id else "",
        "class": f"android.widget.{class_name}", "package": _PACKAGE, "content-desc": description,
        "checkable": checkable, "checked": checked, "clickable": clickable, "enabled": True,
        "focusable": clickable, "focused": False, "scrollable": scrollable, "long-clickable": False,
        "password": False, "selected": False, "bounds": f"[{left},{top}][{right},{bottom}]",
    }  # fmt: skip
    head = "<node" + "".join(' '
        f'{name}="{escape(str(value)) if isinstance(value, str) else str(value).lower()}"'
                             for name, value in values.items())  # fmt: skip
    return f"{head}>{''.join(inside)}</node>" if inside else f"{head} />"
