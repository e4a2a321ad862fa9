"""Dumps to do harm to: small ones of every kind, written by hand, and real ones where there are
any."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from benchmarks.captures import corpus
from tests.unit.snapshots.screens import SHOP

MOST_BYTES = 40_000  # of a real one: the harm is small, and so should the reading be

UIAUTOMATOR2 = (
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\">\r\n"
    '  <node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="dev.shop"'
    ' content-desc="" checkable="false" checked="false" clickable="false" enabled="true"'
    ' focusable="false" focused="false" scrollable="false" long-clickable="false" password="false"'
    ' selected="false" visible-to-user="true" bounds="[0,0][1080,2400]" drawing-order="1" '
    'hint="">\r\n'
    '    <node index="0" text="ada &amp; co &#128512;" resource-id="dev.shop:id/email"'
    ' class="android.widget.EditText" package="dev.shop" content-desc="" checkable="false"'
    ' checked="false" clickable="true" enabled="true" focusable="true" focused="true" '
    'scrollable="false"'
    ' long-clickable="true" password="false" selected="false" visible-to-user="true" '
    'bounds="[48,300][1032,420]"'
    ' drawing-order="2" hint="Email" />\r\n'
    '    <node index="1" text="Sign in" class="android.widget.Button" package="dev.shop" '
    'clickable="true"'
    ' enabled="true" bounds="[48,460][1032,580]" />\r\n  </node>\r\n</hierarchy>'
)
APPIUM = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<hierarchy index="0" '
    'class="hierarchy" rotation="0" width="1080" height="2340">\n <android.widget.FrameLayout '
    'index="0" class="android.widget.FrameLayout" bounds="[0,0][1080,2340]" displayed="true">\n  '
    '<android.widget.EditText text="Email" hint="Email" showing-hint="true" '
    'class="android.widget.EditText" bounds="[0,0][500,90]" displayed="true"/>\n  '
    '<android.widget.Switch text="ON" checkable="true" checked="true" clickable="true" '
    'class="android.widget.Switch" bounds="[0,100][500,190]"/>\n '
    "</android.widget.FrameLayout>\n</hierarchy>"
)
_FRAME = 'enabled="true" visible="true" accessible="true"'
XCUITEST = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<XCUIElementTypeApplication '
    'type="XCUIElementTypeApplication"'
    f' name="Shop" label="Shop" {_FRAME} x="0" y="0" width="390" height="844" index="0" '
    'bundleId="dev.shop">\n'
    f' <XCUIElementTypeWindow type="XCUIElementTypeWindow" {_FRAME} x="0" y="0" width="390" '
    'height="844">\n'
    '  <XCUIElementTypeNavigationBar type="XCUIElementTypeNavigationBar" name="Catalogue" '
    f'{_FRAME} x="0" y="47"'
    ' width="390" height="44" index="0"/>\n'
    '  <XCUIElementTypeTable type="XCUIElementTypeTable" visible="true" x="0" y="91" '
    'width="390" height="700">\n'
    f'   <XCUIElementTypeCell type="XCUIElementTypeCell" {_FRAME} x="0" y="91" width="390" '
    'height="60">\n'
    '    <XCUIElementTypeStaticText type="XCUIElementTypeStaticText" value="Blue mug" name="title"'
    f' label="Blue mug" {_FRAME} x="16" y="100" width="200" height="40"/>\n'
    '    <XCUIElementTypeSwitch type="XCUIElementTypeSwitch" value="1" name="fav" label="Favourite"'
    f' {_FRAME} x="320" y="100" width="50" height="30"/>\n'
    "   </XCUIElementTypeCell>\n  </XCUIElementTypeTable>\n"
    '  <XCUIElementTypeTextField type="XCUIElementTypeTextField" value="ada" label="Email"'
    f' placeholderValue="Email" {_FRAME} x="16" y="800" width="300" height="40"/>\n'
    " </XCUIElementTypeWindow>\n</XCUIElementTypeApplication>"
)


def _wda(
    kind: str, label: str | None, rect: tuple[int, int, int, int], *children: object, **more: object
) -> object:
    x, y, width, height = rect
    return {
        "type": kind, "label": label, "name": label, "value": None, "rawIdentifier": None,
        "isEnabled": "1", "isVisible": "1", "isAccessible": "1",
        "frame": f"{{{{{x}, {y}}}, {{{width}, {height}}}}}",
        "rect": {"x": x, "y": y, "width": width, "height": height}, **more,
        **({"children": list(children)} if children else {}),
    }  # fmt: skip


WDA = json.dumps(
    {
        "value": _wda(
            "Application", "Shop", (0, 0, 390, 844),
            _wda(
                "Window", None, (0, 0, 390, 844),
                _wda("Button", "Sign in 😀", (16, 700, 300, 44), testRectangle=None),
                _wda("Slider", "Volume", (16, 600, 300, 44), value="50%"),
                _wda("SecureTextField", "Password", (16, 500, 300, 44), value="•••",
                     placeholderValue="Password"),
            ),
        ),
        "sessionId": "6A1B",
    }
)  # fmt: skip

BY_HAND: dict[str, bytes] = {
    "uiautomator": SHOP.encode(),
    "uiautomator2": UIAUTOMATOR2.encode(),
    "appium": APPIUM.encode(),
    "xcuitest": XCUITEST.encode(),
    "wda": WDA.encode(),
    "utf-16": UIAUTOMATOR2.replace("UTF-8", "UTF-16").encode("utf-16"),
}


@cache
def captures() -> tuple[Path, ...]:
    """Real dumps that are not too long, in a fixed order."""
    folder = corpus()
    if folder is None:
        return ()
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in (".xml", ".json", ".uix", ".txt", "")
    )
    return tuple(path for path in files if path.is_file() and path.stat().st_size < MOST_BYTES)
