from __future__ import annotations

import json
from urllib.parse import quote, quote_plus

import pytest

from pytest_replicant.model import MASK, Redactor


def test_a_secret_goes_wherever_it_stands() -> None:
    redactor = Redactor(["pin", "pinned down"])
    assert redactor.text("the pin, 'pinned down', pins") == f"the {MASK}, '{MASK}', {MASK}s"


@pytest.mark.parametrize("secret", ["a", "42", " b ", "    "])
def test_a_short_secret_goes_only_where_it_is_all_there_is(secret: str) -> None:
    redactor = Redactor([secret])
    prose = "    a bad band at 42 or 421, with b and it's a\"b"
    assert redactor.text(prose) == prose
    assert redactor.text(secret) == MASK
    assert redactor.text(f'EditText "Email" "{secret}"') == f'EditText "Email" "{MASK}"'
    assert redactor.text(f"filled with {secret!r}.") == f"filled with {MASK!r}."
    assert redactor.value({"text": secret, "more": [f"x{secret}x"]}) == {"text": MASK, "more": [f"x{secret}x"]}


@pytest.mark.parametrize("secret", ["a\"b'c", "two\nlines", "tab\there", "über", "back\\slash", "half \ud800"])
def test_escaped_spellings_go_as_well(secret: str) -> None:
    redactor = Redactor([secret])
    whole = secret.encode("utf-8", errors="surrogatepass")
    for text in (secret, repr(secret), ascii(secret), json.dumps(secret), quote(whole), quote_plus(whole)):
        cleaned = redactor.text(f"before {text} after")
        assert MASK in cleaned
        assert cleaned.replace(MASK, "").strip("'\" ").split() in (
            ["before", "after"],
            ["before", "''", "after"],
            ["before", '""', "after"],
        )


@pytest.mark.parametrize(
    "source",
    ['Secret("x1y2")', "Secret('x1y2')", 'Secret(value="x1y2")', 'Secret(r"x1y2")', 'Secret("x1" "y2")'],
)
def test_a_literal_goes_though_nobody_typed_it(source: str) -> None:
    cleaned = Redactor().text(f"fill(value={source}, timeout=1)")
    assert cleaned in (
        f"fill(value=Secret('{MASK}'), timeout=1)",
        f"fill(value=Secret(value='{MASK}'), timeout=1)",
    )


def test_what_is_no_secret_stays() -> None:
    text = "MySecret('x') Secret(name) Secret( Secret('open"
    assert Redactor().text(text) == text
    assert not Redactor(["", ""])
