"""Steps are read as a test writes them, and nothing in them is evaluated."""

from __future__ import annotations

import pytest

from pytest_replicant import UsageError
from pytest_replicant.model import Selector
from pytest_replicant.test_code import read_step, read_steps

READ = [
    ("tap m987", 'mobile.tap("m987")'),
    ("tap [m987]", 'mobile.tap("m987")'),
    ("fill k020 ada and bob", 'mobile.fill("k020", "ada and bob")'),
    ("fill k020 env=PW", 'mobile.fill("k020", value=Secret(os.environ["PW"]))'),
    ("scroll down", 'mobile.scroll("down")'),
    ("adjust k020 -0.5", 'mobile.adjust("k020", -0.5)'),
    ("pinch k020 0.5", 'mobile.pinch("k020", scale=0.5)'),
    ("drag k020 k021", 'mobile.drag("k020", "k021")'),
    ("back", "mobile.back()"),
    ("expect_text k020 Ada Lovelace", 'mobile.expect_state("k020", text="Ada Lovelace")'),
    ('tap(text="Add", row_with="Red mug")', 'mobile.tap(text="Add", row_with="Red mug")'),
    ('tap(text="Add", row_with=by(text="Red mug"))', 'mobile.tap(text="Add", row_with="Red mug")'),
    (
        'mobile.tap(by(text="a") | by(text="b"))',
        'mobile.tap(by(any_of=[by(text="a"), by(text="b")]))',
    ),
    ('tap(text="a").expect_screen("b").expect_visible(text="c")', None),
    ('locator(role="button").first.tap()', 'mobile.tap(by(role="button", nth=0))'),
    ('fill(text="P", env="PW")', 'mobile.fill(text="P", value=Secret(os.environ["PW"]))'),
    ('tap(text=re.compile("a.*", re.I))', 'mobile.tap(text=re.compile("a.*", re.IGNORECASE))'),
    ('expect_screen(Screen("A", has=["x"]))', None),
    ("tap_at(10.5, -1)", None),
    ('tap(text="a")  # why', 'mobile.tap(text="a")'),
]


@pytest.mark.parametrize(("given", "code"), READ, ids=[given for given, _ in READ])
def test_a_step_is_read_and_written_as_a_test_has_it(given: str, code: str | None) -> None:
    written = read_step(given).code("mobile.")
    assert written == (code or f"mobile.{given}")
    assert read_step(written).code("mobile.") == written


REFUSED = [
    ("tapp m987", "Did you mean tap"),
    ("tap Sign in", r'tap\(text="Sign in"\)'),
    ("tap", "tap REF"),
    ("back now", "more words"),
    ('tap(text=open("/etc/passwd"))', "evaluates nothing"),
    ('__import__("os").system("ls")', "no locator"),
    ("tap(**{})", r"\*"),
    ("tap(text='a', text='b')", "given twice"),
    ('shell("ls")', "'shell' is no step"),
    ('fill(text="a", env="1 bad")', "by the name of a variable"),
    ('tap(text="a", silent=True)', "leave silent out"),
    ("click m987", r"here it is tap\. Next: tap m987$"),
    ("mobile.click(text='a')", r"here it is tap\. Next: mobile\.tap\(text='a'\)$"),
    (
        "tap(text='a').expect_disabled(text='b')",
        r"here it is expect_enabled\(False\)\. Next: a step is",
    ),
    ("tap(tex='a')", r'it takes no tex=\. Did you mean tap\(text="a"\)\?$'),
    ("swipe(direction='up')", r'given without its name\. Did you mean swipe\("up"\)'),
    ("tap(text='a').expect_changed(time=1)", r"Did you mean expect_changed\(timeout=1\)"),
    ("tap(", "no call in Python"),
    ("", "empty"),
    ("tap(text='" + "a" * 5000 + "')", "at most"),
    ("tap(\0)", "no call in Python"),
    ("[" * 300 + "]" * 300, "no step"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[given[:30] for given, _ in REFUSED])
def test_what_is_no_step_is_refused_with_what_was_meant(given: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_step(given)


def test_a_ref_becomes_a_locator_wherever_an_element_is_named() -> None:
    def durable(given: str) -> str:
        return read_step(given).durable(lambda ref: Selector(text=ref.upper())).code()

    assert durable("tap k020") == 'tap(text="K020")'
    assert durable("fill k020 k021") == 'fill(text="K020", value="k021")'  # the second is a text
    assert durable("drag k020 k021") == 'drag(by(text="K020"), by(text="K021"))'
    assert durable('tap(text="Add", within="k020")') == 'tap(text="Add", within="K020")'
    assert durable('scroll("down", "k020")') == 'scroll("down", by(text="K020"))'
    assert durable('tap("k020", timeout=2)') == 'tap(text="K020", timeout=2)'


def test_standard_input_is_a_step_a_line() -> None:
    assert read_steps("# first\ntap m987\n\n  back\ntap(text='a'") == [
        "tap m987",
        "back",
        "tap(text='a'",
    ]
