"""Self-contained pages: one file, no network, a Content-Security-Policy that names each script by
hash."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Any

from ...model.printable import plain_text
from ..artifacts.storage import script_json

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
{links}<title>{title}</title>
{style}</head>
<body>
{body}
<noscript><p class="noscript">This page draws itself with its own script, which is not run here: open it from disk, in a tab of its own. The same facts, as data: {data_name}, beside it.</p></noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501  # the layout of the page, kept as it is sent


def page(
    title: str, name: str, data: object, data_name: str, links: str = "", *, packed: bool = False
) -> str:
    """A page out of assets of this package, with the styles and scripts that the one of that
    ``name`` asks for. ``data`` reaches its script as JSON in the element ``#data``.

    ``title`` is text, ``links`` are markup of our own. Half a surrogate pair in the title is
    replaced. A ``packed`` page is a third as large; a browser of before 2023 may not be able to
    unpack it.
    """
    body = asset(name)
    style = "\n".join(map(asset, _STYLE.findall(body)))
    script = '"use strict";\n(() => {\n' + "\n".join(map(asset, _SCRIPT.findall(body))) + "})();\n"
    policy, spelled = _policy([script], [style]), script_json(data)
    if packed:
        loader = asset("unpack.js")
        policy = _policy([loader, script], ["", style], _ELSEWHERE)
        spelled = script_json({"parts": _packed_parts(style, script), "data": _packed(spelled)})
        style, script = "", loader
    return _PAGE.format(
        policy=policy,
        title=html.escape(plain_text(title)),
        links=links,
        style=f"<style>{style}</style>\n" if style else "",  # an empty one breaks the policy
        body=_SCRIPT.sub("", _STYLE.sub("", body)),
        data_name=html.escape(data_name),
        data=spelled,
        script=script,
    )


_STYLE = re.compile(r'<link rel="stylesheet" href="([\w.]+)">\n')
_SCRIPT = re.compile(r'<script src="([\w.]+)"></script>\n')


@cache
def asset(name: str) -> str:
    """The text of a file in ``assets/``."""
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


LARGEST_DATA = 256_000_000
"""Bytes that the data of a page may have."""

_ELSEWHERE = "data: file: 'self'"
"""Where the pictures of a packed page may be: in the report, as files or on the server that it came
from."""


def _packed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


def page_data(text: str) -> Any:
    """The data of a page as its script sees it. Raises ``ValueError``."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    data = json.loads(found[1] if found else "")
    if "parts" in data:
        unpacked = zlib.decompressobj()
        with suppress(zlib.error):
            data = json.loads(unpacked.decompress(base64.b64decode(data["data"]), LARGEST_DATA))
    return data


@cache
def _packed_parts(style: str, script: str) -> str:
    return _packed(script_json([style, script]))


def _policy(scripts: Sequence[str], styles: Sequence[str], pictures: str = "data:") -> str:
    script, style = (" ".join(map(_hash, texts)) for texts in (scripts, styles))
    return (
        f"default-src 'none'; script-src {script}; style-src {style}; img-src {pictures}; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def _hash(text: str) -> str:
    return (
        "'sha256-"
        + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        + "'"
    )
