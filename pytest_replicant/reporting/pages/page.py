"""Self-contained pages: one file, no network, a Content-Security-Policy that names each script by hash."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Sequence
from functools import cache
from importlib import resources

from ..artifacts.document import script_json

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
<noscript><p class="noscript">This page draws itself with its own script, which is not run here: open it from disk, in a tab of its own. The same facts, as data: {data_name}, beside it.</p></noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""  # noqa: E501  # the layout of the page, kept as it is sent


def page(
    title: str, body: str, styles: Sequence[str], scripts: Sequence[str], data: object, data_name: str
) -> str:
    """A page out of assets of this package. ``data`` reaches its script as JSON in the element ``#data``.

    ``title`` is text, ``body`` markup of our own. Half a surrogate pair in the title is replaced.
    """
    style = "\n".join(asset(name) for name in styles)
    script = '"use strict";\n(() => {\n' + "\n".join(asset(name) for name in scripts) + "})();\n"
    return _PAGE.format(
        policy=_policy(script, style),
        title=html.escape("".join(sign if sign.isprintable() else "\ufffd" for sign in title)),
        style=style,
        body=body,
        data_name=html.escape(data_name),
        data=script_json(data),
        script=script,
    )


@cache
def asset(name: str) -> str:
    """The text of a file in ``assets/``."""
    return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _policy(script: str, style: str) -> str:
    return (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii") + "'"
