"""Whose phone it is."""

from __future__ import annotations

from collections.abc import Mapping

PERSONAL_TEXTS: Mapping[str, str] = {
    "name": "Wilhelmina Oduya",
    "email": "wilhelmina.oduya@example.org",
    "phone name": "Mina\u2019s phone",
    "phone number": "+44 7700 900461",
    "wifi": "Oduya-Attic-5G",
    "bluetooth": "Mina\u2019s earbuds",
    "serial": "R58N31KQ7ZX",
    "imei": "356938035643809",
    "wifi address": "3c:28:6d:a1:0f:9e",
    "ip address": "192.168.178.43",
    "friend": "Tobias Lindqvist-\u00c5berg",
    "friend's email": "tobias.lindqvist@example.net",
    "friend's number": "+46 8 123 456 78",
    "other friend": "\u674e\u6653\u96ef",
    "other friend's number": "(212) 555-0147",
}
"""What the system's apps show that is private: made up, of numbers and names that are kept for such
use."""

PEOPLE = tuple(
    (PERSONAL_TEXTS[who], PERSONAL_TEXTS[number], PERSONAL_TEXTS.get(email, ""))
    for who, number, email in (
        ("friend", "friend's number", "friend's email"),
        ("other friend", "other friend's number", ""),
    )
)
"""Name, number and address of each contact."""
