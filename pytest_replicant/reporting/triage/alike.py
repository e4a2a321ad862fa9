"""One wording for one thing: without numbers, times and ids, and elements alike whatever named them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...model import quoted

if TYPE_CHECKING:
    from ...model import Element

_VOLATILE = re.compile(
    r"0x[0-9a-fA-F]+"
    r"|\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9]*[a-f])[0-9a-f]{8,}\b"
    r"|\d+(?:[.,:/]\d+)*\+?"
)


def masked(text: str) -> str:
    """``Total £9.90`` as ``Total £~``; addresses, UUIDs and long hexadecimal ids likewise."""
    return _VOLATILE.sub("~", text)


def kind_and_label(class_name: str, label: str) -> str:
    """``Button "Sign in"``."""
    return f"{class_name.rpartition('.')[2]} {quoted(label)}".strip()


def told_element(element: Element) -> str:
    return kind_and_label(element.class_name, element.label or element.resource_id)
