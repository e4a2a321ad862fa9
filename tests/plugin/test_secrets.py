"""No secret reaches a report, whichever plugin writes it and wherever the error comes from."""

from __future__ import annotations

import gzip
import re
import unicodedata
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.file_contents import contents

pytestmark = pytest.mark.slow

REPORTS = (
    "--replicant-output=out",
    "--alluredir=allure",
    "--html=report.html",
    "--junitxml=junit.xml",
)

SOURCE = """
import pytest
from pytest_replicant import Secret

def secret(name):
    return "".join(["hun", "ter2 of ", name])

def sign_in(mobile, typed):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret(typed))
    return typed

def test_failed_check_with_the_outline(mobile):
    sign_in(mobile, secret("check"))
    mobile.expect_visible(text="Nowhere")

def test_own_error(mobile):
    typed = sign_in(mobile, secret("error"))
    raise ValueError("wrong: " + typed, {"password": typed}) from KeyError(typed)

def test_assertion(mobile):
    typed = sign_in(mobile, secret("assertion"))
    assert [typed] == ["other"]

def test_skip(mobile):
    pytest.skip("not with " + sign_in(mobile, secret("skip")))

def test_expected_failure(mobile):
    pytest.xfail("not with " + sign_in(mobile, secret("xfail")))

@pytest.fixture
def typed_before(mobile):
    raise RuntimeError(sign_in(mobile, secret("set-up")))

def test_setup(typed_before):
    pass

@pytest.fixture
def account():
    password = Secret(secret("account"))
    raise RuntimeError("no account for " + password.value)

def test_setup_that_types_nothing(account):
    pass

@pytest.fixture
def late(mobile):
    yield
    password = Secret(secret("teardown"))
    raise RuntimeError("no account for " + password.value)

def test_teardown(late):
    pass

def test_never_typed(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    assert Secret(secret("never typed")) == 3

def test_log_that_names_it_before_it_is_typed(mobile):
    print("typing", secret("log"))
    print("typed", repr(sign_in(mobile, secret("log"))))
    mobile.expect_visible(text="Nowhere")

def test_in_the_source(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    print("typing", "hunter2 literal")
    mobile.fill(text="Email", value=Secret("hunter2 literal"))
    mobile.fill(text="Nowhere", value=Secret('hunter2 never typed'))
"""


@pytest.mark.thorough
def test_no_report_holds_it(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SOURCE, *REPORTS, "-rA", "-l")
    result.assert_outcomes(failed=6, errors=3, passed=1, skipped=1, xfailed=1)
    assert_nowhere(pytester.path, "hunter2")
    result.stdout.no_fnmatch_line("*hunter2*")
    result.stdout.fnmatch_lines(["*mobile.fill(text=\"Email\", value=Secret('•••'))*"])


TIDIED = """
import logging
import unicodedata
import pytest
from pytest_replicant import Secret

P = "correct" + "  hó" + "rse\\u200b stap" + "le"  # two blanks, a composed letter and a mark without a shape
CLEANED = " ".join(P.replace("\\u200b", "").split())
FORMS = (P, " ".join(P.split()), unicodedata.normalize("NFD", P), P.replace(" ", "\\xa0"), CLEANED)

@pytest.mark.parametrize("form", FORMS, ids=["typed", "blanks", "marks", "no-break", "cleaned"])
def test_it(mobile, form):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret(P))
    mobile.fill(text="Email", value=form)
    print("printed", form, repr(form), ascii(form))
    logging.getLogger().warning("logged %s", form)
    mobile.attach("note", "text " + form)
    mobile.attach("page", "<p title='" + form + "'>" + ascii(form) + "</p>", "text/html")
    mobile.shell(["log", "-t", "app", form])
    with mobile.step("Pay with " + form):
        mobile.soft.expect_visible(text="shown " + form)
    raise ValueError("wrong: " + form, {"k": form})
"""


@pytest.mark.ci
@pytest.mark.thorough
def test_no_report_holds_a_form_that_an_app_or_a_label_made_of_it(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(TIDIED, *REPORTS, "-rA", "-l")
    result.assert_outcomes(failed=5)
    files = [*pytester.path.rglob("*")]
    held = [
        data
        for path in files
        if path.is_file() and path.suffix not in (".py", ".pyc")
        for data in contents(path)
    ]
    for data in (*held, result.stdout.str().encode()):
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        shown = re.sub(r"[\s\u200b]|\\\\x..|\\\\u....|&#x?\w+;", "", data.decode(errors="ignore"))
        assert not re.search("correcth|rsestaple", unicodedata.normalize("NFC", shown)), shown[:300]
    assert len(held) > 20


def test_other_plugins_see_a_clean_report_and_the_error_as_it_was_raised(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.hookimpl(wrapper=True)
        def pytest_runtest_makereport(item, call):
            report = yield
            if call.excinfo is not None:
                assert call.excinfo.value.args == ("wrong: hunter2 of error", {"password": "hunter2 of error"})
                print("SEEN", report.longrepr.reprcrash.message)
            return report
        """
    )
    result = run(SOURCE, "-s", "-k", "own_error")
    result.stdout.fnmatch_lines(["*SEEN ValueError: ('wrong: •••', {'password': '•••'})*"])
    result.assert_outcomes(failed=1)


@pytest.mark.thorough
def test_a_short_secret_leaves_words_alone(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        """
        from pytest_replicant import Secret

        def test_an_answer(mobile):
            mobile.launch("dev.replicant.shop").expect_screen("Sign in")
            mobile.fill(text="Email", value=Secret("a"))
            mobile.expect_visible(text="Nowhere at all")
        """,
        *REPORTS,
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ['*expect_visible text="Nowhere at all"*', '*EditText "Email"*"•••"*']
    )
    (page,) = (pytester.path / "out").glob("*/*/trace.html")
    assert "test-an-answer" in page.parent.name


def assert_nowhere(folder: Path, secret: str) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and path.suffix not in (".py", ".pyc"):
            assert not any(secret.encode() in content for content in contents(path)), path
