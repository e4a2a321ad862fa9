"""What the shop sells: forty things, always the same, always in the same order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Product:
    """``pence`` is the price; ``picture`` and ``colour`` are how it is drawn."""

    name: str
    pence: int
    picture: str
    colour: str
    description: str

    @property
    def price(self) -> str:
        return pounds(self.pence)

    @property
    def key(self) -> str:
        """The name as an identifier: "blue_mug"."""
        return self.name.lower().replace(" ", "_")


def pounds(pence: int) -> str:
    """``990`` is "£9.90"."""
    return f"£{pence // 100}.{pence % 100:02d}"


BLUE, RED, GREEN, TEAL = "#3f6fd1", "#c9453b", "#4f8f63", "#3f8f8f"
OAK, WALNUT, OCHRE, PLUM = "#b98a54", "#7d5638", "#d9903a", "#7a5ba8"
SLATE, ROSE, SAND, INK = "#5b6b80", "#c9718c", "#c8ae86", "#434860"

_STONEWARE = (
    "Glazed stoneware, fired twice. Holds 350 ml. Safe in the dishwasher and the microwave."
)
_TRAY = "Cut from one board and oiled by hand. Wipe clean with a damp cloth."
_GLASS = "Blown glass, so that no two are quite alike. Wash by hand."
_LINEN = "Washed linen that softens with every year. Machine wash at 40 degrees."
_STEEL = "Forged steel with a full tang. Dry it after washing and it will outlive you."
_LIGHT = "Warm light for a desk or a bedside. Takes an E14 bulb, which is included."
_WOOD = "Solid wood, joined without a single screw. Arrives in one piece."
_PAPER = "Stitched binding, 192 pages of heavy cream paper that lies flat."
_CLAY = "Unglazed outside, watertight inside. A saucer comes with it."
_WILLOW = "Woven by hand from English willow, with a handle that will not pinch."
_WAX = "Beeswax and a cotton wick. Burns for about thirty hours."

PRODUCTS: tuple[Product, ...] = (
    Product("Blue mug", 990, "mug", BLUE, _STONEWARE),
    Product("Red mug", 800, "mug", RED, _STONEWARE),
    Product("Oak tray", 1200, "tray", OAK, _TRAY),
    Product("Glass bowl", 1550, "bowl", TEAL, _GLASS),
    Product("Green teapot", 2990, "teapot", GREEN, _STONEWARE),
    Product("Linen cushion", 2400, "cushion", SAND, _LINEN),
    Product("Desk lamp", 4500, "lamp", OCHRE, _LIGHT),
    Product(
        "Wall clock",
        3600,
        "clock",
        SLATE,
        "A quiet movement behind a paper face. One AA cell lasts a year.",
    ),
    Product("Walnut chair", 12900, "chair", WALNUT, _WOOD),
    Product("Willow basket", 2750, "basket", OAK, _WILLOW),
    Product("Flower vase", 1850, "vase", ROSE, _CLAY),
    Product("Beeswax candle", 650, "candle", OCHRE, _WAX),
    Product("Dinner plate", 1100, "plate", BLUE, _STONEWARE),
    Product("Side plate", 750, "plate", ROSE, _STONEWARE),
    Product("Water glass", 520, "glass", TEAL, _GLASS),
    Product("Milk jug", 1325, "jug", SLATE, _STONEWARE),
    Product("Serving spoon", 475, "spoon", WALNUT, _WOOD),
    Product("Chef's knife", 5900, "knife", INK, _STEEL),
    Product("Frying pan", 4250, "pan", INK, _STEEL),
    Product("Recipe book", 1695, "book", RED, _PAPER),
    Product("Herb pot", 880, "plant", RED, _CLAY),
    Product("Bath towel", 1999, "towel", BLUE, _LINEN),
    Product(
        "Olive oil", 1140, "bottle", GREEN, "Pressed within a day of picking. 500 ml in dark glass."
    ),
    Product("Yellow mug", 995, "mug", OCHRE, _STONEWARE),
    Product("Walnut tray", 1850, "tray", WALNUT, _TRAY),
    Product("Salad bowl", 3200, "bowl", OAK, _WOOD),
    Product("Iron teapot", 5450, "teapot", INK, _STEEL),
    Product("Velvet cushion", 3150, "cushion", PLUM, _LINEN),
    Product("Reading lamp", 6800, "lamp", TEAL, _LIGHT),
    Product("Kitchen clock", 2250, "clock", RED, "Large figures, and a hand that does not tick."),
    Product("Garden chair", 8400, "chair", GREEN, _WOOD),
    Product("Bread basket", 1575, "basket", SAND, _WILLOW),
    Product("Tall vase", 2640, "vase", BLUE, _CLAY),
    Product("Pillar candle", 940, "candle", ROSE, _WAX),
    Product("Wine glass", 860, "glass", PLUM, _GLASS),
    Product("Notebook", 725, "book", BLUE, _PAPER),
    Product("House plant", 1460, "plant", OCHRE, _CLAY),
    Product("Hand towel", 899, "towel", GREEN, _LINEN),
    Product("Sauce pan", 3890, "pan", SLATE, _STEEL),
    Product("Paring knife", 2175, "knife", RED, _STEEL),
)
