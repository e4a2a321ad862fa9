"""Secrets and patterns: what a redactor finds, in every spelling, and what it leaves."""

from __future__ import annotations

import html
import json
import re
import shlex
import time
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from pytest_replicant.model import MASK, Redactor, compiled, names_a_credential, without_values
from pytest_replicant.redaction import masked_value
from pytest_replicant.snapshots import clean

REACH = 2_000  # characters that one search looks at, beyond its beginning

CARD = r"\b\d{4}(?: ?\d{4}){3}\b"


def hidden(pattern: str, text: str) -> str:
    return Redactor(patterns=[compiled(pattern)]).text(text).replace(MASK, "*")


@pytest.mark.parametrize(
    ("source", "message"),
    [("(", "not a regular expression"), ("x*", "empty text"), ("|x", "empty")],
)
def test_what_cannot_be_meant_is_refused(source: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compiled(source)


@pytest.mark.parametrize(
    ("pattern", "text", "shown"),
    [
        (CARD, "pay 4111 1111 1111 1111, or 4111111111111111.", "pay *, or *."),
        (CARD, "141111111111111111", "141111111111111111"),
        (r"\b", "a b", "a b"),
        (r"(?<=pin=)\d+", "pin=12 pin=x pan=3", "pin=* pin=x pan=3"),
        (r"(?m)^token .*$", "token a\nno token b", "*\nno token b"),
        (r"x", "xxaxx", "**a**"),
    ],
)
def test_each_match_is_hidden_and_nothing_else(pattern: str, text: str, shown: str) -> None:
    assert hidden(pattern, text) == shown


@pytest.mark.parametrize("before", [0, REACH - 8, REACH - 1, REACH, 2 * REACH - 4, 3 * REACH - 7])
def test_a_match_is_found_wherever_a_search_begins_again(before: int) -> None:
    around = ("-" * before, "-" * 3 * REACH)
    assert hidden(r"\bkey\d+\b", "key123".join(around)) == "*".join(around)
    assert hidden(r"\bkey\d+\b", "akey123".join(around)) == "akey123".join(around)
    token = "eyJ" + "x" * (5 * REACH)  # longer than a search
    assert hidden(r"eyJ\w+", f"a {token} b {token}") == "a * b *"


def test_a_match_goes_in_every_spelling() -> None:
    redactor = Redactor(patterns=[compiled(r'iban "[^"]+"|pin: \d+\n\d+')])
    for secret in ('iban "DE02 1"', "pin: 12\n34"):
        assert redactor.text(f"a {secret} b") == f"a {MASK} b"
        assert redactor.text(json.dumps(f"a {secret} b")) == f'"a {MASK} b"'
        assert redactor.text(repr(f"a {secret} b"))[1:-1] == f"a {MASK} b"
    assert redactor
    assert masked_value({"k": ["pin: 1\n2", 3]}, redactor) == {"k": [MASK, 3]}


def test_what_is_cut_off_is_hidden_as_well() -> None:
    redactor = Redactor(["correct horse"], [compiled(CARD)])
    assert redactor.text('TextView "so correct ho…"') == f'TextView "so {MASK}…"'
    assert redactor.text("cor… co… incorrect horses…") == f"{MASK}… co… in{MASK}s…"
    assert redactor.text("card 4111 1111 11…") == "card 4111 1111 11…"
    assert redactor.text("'so corr...horse, t...'") == f"'so {MASK}...{MASK}, t...'"
    assert redactor.text("... nothing ...orse") == f"... nothing ...{MASK}"
    tidied = Redactor(["correct  ho\u0301rse"])
    assert tidied.text("label: correct hór… and") == f"label: {MASK}… and"
    assert tidied.text("…ct\xa0ho\u0301rse, it") == f"…{MASK}, it"
    redactor.learn("x" * 150 + " 4111 1111 1111 1111")
    assert redactor.text("card 4111 1111 11…") == f"card {MASK}…"


@pytest.mark.parametrize(
    ("secrets", "pattern", "text", "shown"),
    [
        (["ada"], r"\b\d{4}\b", "card ada4111", "card •••"),
        (["ada"], r"\b\d{4}\b", "card ada4111ada", "card •••"),
        (["ada"], r"token=\w{8}", "token=ada12345", "•••"),
        ([], r"hunter\d", "hunter2", "•••"),
        (["pin", "pinned down"], r"\b-\b", "the pin, 'pinned down', pins", "the •••, '•••', •••s"),
    ],
)
def test_secrets_and_what_touches_them_go(
    secrets: list[str], pattern: str, text: str, shown: str
) -> None:
    assert re.sub("(•••)+", "•••", Redactor(secrets, [compiled(pattern)]).text(text)) == shown


@pytest.mark.parametrize(
    "secret", ["a", "42", " b ", "    ", "a\u200bb", "é", "e\u0301", "열쇠", "\u200b\u200b\u200b"]
)
def test_a_short_secret_goes_only_where_it_is_all_there_is(secret: str) -> None:
    redactor = Redactor([secret])
    prose = "    a bad band at 42 or 421, with b and it's a\"b, about é and the 열쇠고리, ab"
    assert redactor.text(prose) == prose
    assert redactor.text(secret) == MASK
    assert redactor.text(f'EditText "Email" "{secret}"') == f'EditText "Email" "{MASK}"'
    assert redactor.text(f"filled with '{secret}'.") == f"filled with '{MASK}'."
    assert masked_value({"text": [secret]}, redactor) == {"text": [MASK]}


SPELLED: dict[str, Callable[[str], str]] = {
    "plain": str,
    "python": lambda text: repr(text)[1:-1],
    "ascii": lambda text: ascii(text)[1:-1],
    "json": lambda text: json.dumps(text)[1:-1],
    "html": html.escape,
    "numbers": lambda text: "".join(f"&#{ord(sign)};" for sign in text),
    "address": quote,
    "form": quote_plus,
    "shell": lambda text: shlex.quote(f"{text}'")[1:-6],
}
TIDIED: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "as a label": clean,
    "blanks": lambda text: re.sub(r"\s+", " ", text),
    "no-break blanks": lambda text: re.sub(r"\s", "\xa0", text),
    "a line each": lambda text: re.sub(r"\s+", "\r\n\t ", text),
    "composed": lambda text: unicodedata.normalize("NFC", text),
    "decomposed": lambda text: unicodedata.normalize("NFD", text),
    "marks between": "\u200b\u2060".join,
    "turned": lambda text: f"\u2068{text}\u2069",
}


@pytest.mark.parametrize(
    "secret",
    [
        "correct  horse", "correct\xa0horse", "tab\there", "two\nlines", "café noir",
        "cafe\u0301 noir", "it's all", "ze\u200bro wi\u200cdth", "\u200edirection\u200f",
        "so\xadft hyphen", "ậ ạ\u0302 x", "비밀 번호", " at end ", "a\"b 'c", "back\\slash it",
    ],
)  # fmt: skip
def test_every_form_that_a_reader_takes_for_it_goes_and_what_stands_around_stays(
    secret: str,
) -> None:
    redactor = Redactor([secret])
    for tidy in TIDIED.values():
        for spell in SPELLED.values():
            cleaned = redactor.text(f"before é [{spell(tidy(secret))}] after\n\n it")
            without_marks = re.sub(
                r"\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[a-z])", "", cleaned
            )  # at its ends
            assert re.fullmatch(
                rf"before é \[[^a-z]*{MASK}[^a-z]*\] after\n\n it", without_marks
            ), cleaned
            other = f"before é [{spell('correct horde')}]"
            assert redactor.text(other) == other


@pytest.mark.parametrize(
    "text", ["4111 2222 3333 4444", "41\u200b11 2222\xa03333 4444", "4111\n2222  3333 4444"]
)
def test_a_pattern_finds_what_a_reader_would(text: str) -> None:
    assert Redactor((), [compiled(CARD)]).text(f"ü  {text} é\u0301") == f"ü  {MASK} é\u0301"
    assert (
        Redactor((), [compiled("Zoë \\w+")]).text("Zoe\u0308 Müller, Zo\u200bë  X")
        == f"{MASK}, {MASK}"
    )


def test_how_often_one_is_shown_is_counted_in_each_spelling() -> None:
    redactor = Redactor(["correct  hórse"])
    assert redactor.count("correct horse") == 0
    assert redactor.count('text("correct\\u00a0h\\u00f3rse", "correct hórse")') == 2


@pytest.mark.parametrize(
    "source",
    [
        'Secret("x1y2")',
        "Secret('x1y2')",
        'Secret(value="x1y2")',
        'Secret(r"x1y2")',
        'Secret("x1" "y2")',
    ],
)
def test_a_literal_goes_though_no_one_typed_it(source: str) -> None:
    cleaned = Redactor().text(f"fill(value={source}, timeout=1)")
    assert cleaned in (
        f"fill(value=Secret('{MASK}'), timeout=1)",
        f"fill(value=Secret(value='{MASK}'), timeout=1)",
    )


def test_what_is_no_secret_stays() -> None:
    text = "MySecret('x') Secret(name) Secret( Secret('open"
    assert Redactor().text(text) == text
    assert not Redactor(["", ""])


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "GET https://ada:hunter2@host/api?token=x1&n=1",
            "GET https://ada:•••@host/api?token=•••&n=1",
        ),
        (
            "https://ghp_x1@host and postgres://ada:p@ss@db:1/x",
            "https://•••@host and postgres://ada:•••@db:1/x",
        ),
        ("lab://open?access_token=ABCD", "lab://open?access_token=•••"),
        ("SignIn(name=ada, password=hunter2)", "SignIn(name=ada, password=•••)"),
        ("password   = 'a, b'; x = 'y'", "password   = '•••'; x = 'y'"),
        ("{'name': 'ada', 'user_password': 'a\"b'}", "{'name': 'ada', 'user_password': '•••'}"),
        (r'{"body": "{\"apiKey\": \"a b\"}"}', r'{"body": "{\"apiKey\": \"•••\"}"}'),
        (
            "Authorization: Bearer ey.J.x, api_key=x1 client_secret=x2",
            "Authorization: Bearer •••, api_key=••• client_secret=•••",
        ),
        ('secret="cut of', 'secret="•••'),
    ],
)
def test_credentials_are_hidden_by_their_name(text: str, shown: str) -> None:
    assert Redactor().text(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "expect_state password=True: password=False",
        '[k427] EditText "Password" value="ada" [password]',
        'tap text="Password" on "Reset password": "Total £17.90", not "Token"',
        "sign_in(password=PASSWORD, token=self.token, secret=vault.read('x'), "
        "api_key=os.environ[name])",
        "Token: 5 left. Secret: off. The auth= of ssh://git@host, monkey=banana, author=Ada, "
        "tokens=5, key=1",
        "https://{user}:{password}@host?token=%s&secret=<secret>&password=$PASSWORD",
        '<node text="Password" password="false" resource-id="a:id/token" />',
        "address = 'https://host?token=' + token + '&n=1'",
        f"token={MASK} password='{MASK}' secret=*** api_key=",
    ],
)
def test_what_only_names_a_credential_stays(text: str) -> None:
    assert Redactor().text(text) == text


def test_a_line_of_code_keeps_its_variables_and_loses_its_literals() -> None:
    line = "login(password=given, token='x1', url='https://host?token=x1')"
    assert (
        Redactor().text(line, code=True)
        == f"login(password=given, token='{MASK}', url='https://host?token={MASK}')"
    )


def test_entries_of_a_mapping_are_hidden_by_their_name() -> None:
    values = {
        "token": "x1",
        "password": True,
        "by": [{"client_secret": "x2", "secret": "no", "author": "Ada"}],
    }
    hidden_ones = json.loads(
        json.dumps(values).replace('"x1"', f'"{MASK}"').replace('"x2"', f'"{MASK}"')
    )
    assert masked_value(values, Redactor()) == hidden_ones


@pytest.mark.parametrize(
    "text",
    [
        "password" * 20_000, "{ " * 50_000 + "token=", "token=" + "\\" * 100_000 + '"',
        "://a:" * 20_000 + "@", "e" + "\u0301\u0323" * 50_000, "c\u200b" * 50_000,
        "cor..." * 20_000, "%41" * 40_000, "&#99;" * 20_000, " \xa0" * 50_000,
        "correct  hors" * 10_000, "correct  horse" * 5_000, "\\u0301" * 20_000,
    ],
)  # fmt: skip
def test_a_long_text_of_an_app_is_searched_in_little_time(text: str) -> None:
    began = time.process_time()
    Redactor(["correct horse", "tête-à-tête"]).text(text)
    assert time.process_time() - began < 3


CREDENTIALS = """password user_password passwd pwd db-pwd pass userPass passphrase passcode pin userPIN
pin_code PINCode otp totp otp_code cvv cvc2 code accessCode auth_code verification-code key apiKey
api-key APIKEY privateKey credential credentials client_secret secret token accessToken token_2 id_token
accesstoken auth oauth authorization"""
OTHERS = """country_code zip_code postcode code_name postal-code promo_code codec keyboard keypad
primary_key key_count monkey turkey passenger passengers passport compass pins_colour pin_colour spinner
shopping pinned author secretary tokenizer opinion option description cvs name plan city"""


def test_a_key_names_a_credential_by_its_words() -> None:
    assert [name for name in CREDENTIALS.split() if not names_a_credential(name)] == []
    assert [name for name in OTHERS.split() if names_a_credential(name)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "pwd=hunter2 refused, pin='4 7 1', plan=gold",
            f"pwd={MASK} refused, pin={MASK}, plan=gold",
        ),
        (
            '{"otp": "1234", "cvv": 123, "name": "ada"}',
            f'{{"otp": {MASK}, "cvv": {MASK}, "name": "ada"}}',
        ),
        (
            "--api-key=x1 exit code: 5, country_code=GB",
            f"--api-key={MASK} exit code: 5, country_code=GB",
        ),
    ],
)
def test_values_of_keys_that_name_credentials_are_replaced(text: str, shown: str) -> None:
    assert without_values(text) == shown
