"""Accounts of the ini in whole runs: one test at a time, named in the trace, released whatever
happens."""

from __future__ import annotations

import os
import re
import signal
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.conftest import Run, trace_records

pytestmark = pytest.mark.slow

ACCOUNTS = """
replicant_app = dev.replicant.shop
replicant_lease_timeout = 30
replicant_resources =
    account: ada@example.com password=$SHOP_ADA
    account: bob@example.com password=$SHOP_BOB
"""
PASSWORD = "correct horse of Ada"


@pytest.fixture(autouse=True)
def leases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of leases for this test and the runs that it starts."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("SHOP_ADA", PASSWORD)
    monkeypatch.setenv("SHOP_BOB", "battery staple of Bob")
    return tmp_path


def test_an_account_is_released_after_its_test_and_a_typo_is_answered(run: Run) -> None:
    source = """
    def test_one(mobile_resource):
        assert mobile_resource("account").name == "ada@example.com"

    def test_next(mobile_resource):
        assert mobile_resource("account").name == "ada@example.com"

    def test_typo(mobile_resource):
        mobile_resource("acount")

    def test_name(mobile_resource):
        mobile_resource("account", name="ada")
    """
    result = run(source, ini=ACCOUNTS)
    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(['*no kind "acount". Did you mean account? Kinds: account.*'])
    result.stdout.fnmatch_lines(
        [
            "*UsageError: mobile_resource() takes kinds alone, not name=. Next: "
            "*mobile_resource_pool.leased(*"
        ]
    )


def test_a_wider_fixture_that_asks_for_what_one_test_has_is_shown_the_way_out(run: Run) -> None:
    source = """
    import pytest
    from pytest_replicant import by, mobile_state

    @mobile_state(proof=by(text="Home"))
    def home(mobile):
        mobile.launch()

    @pytest.fixture(scope="module")
    def account(mobile_resource): pass

    @pytest.fixture(scope="module")
    def friend(new_mobile): pass

    @pytest.fixture(scope="module")
    def shopper(home): pass

    @pytest.fixture
    def own(): pass

    @pytest.fixture(scope="module")
    def other(own): pass

    def test_account(account): pass

    def test_friend(friend): pass

    def test_shopper(shopper): pass

    def test_other(other): pass
    """
    result = run(source, ini=ACCOUNTS)
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(
        ['*Next: ask for mobile_resource_pool: with mobile_resource_pool.leased("account") *']
    )
    result.stdout.fnmatch_lines(["*Next: ask for new_mobile in the test, *"])
    result.stdout.fnmatch_lines(["*Next: *, or make it a state too, by @mobile_state: *"])
    advice = {line for line in result.outlines if line.startswith(("E       Next: ", "Next: "))}
    assert len({line.partition("Next: ")[2] for line in advice}) == 3


@pytest.mark.ci
def test_a_test_signs_in_with_its_account_and_the_trace_names_it_without_secrets(
    run: Run, pytester: pytest.Pytester
) -> None:
    source = """
    import pytest

    @pytest.fixture(scope="module")
    def friend(mobile_resource_pool):
        with mobile_resource_pool.leased("account", name="bob@example.com") as friend:
            yield friend

    def test_pay(friend, mobile, mobile_resource):
        account = mobile_resource("account")
        assert account.name == "ada@example.com"
        mobile.launch().expect_screen("Sign in")
        mobile.fill(text="Email", value=account.name)
        mobile.fill(text="Password", value=account["password"])
        mobile.tap(text="Sign in").expect_screen("Catalogue")
        raise ValueError(account["password"].value)
    """
    result = run(source, "--replicant-output=out", ini=ACCOUNTS)
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line(f"*{PASSWORD}*")
    (trace,) = trace_records(pytester.path)
    assert trace["device"]["resources"] == "account bob@example.com, account ada@example.com"
    files = [each for each in (pytester.path / "out").rglob("*") if each.is_file()]
    assert [each.name for each in files if PASSWORD.encode() in each.read_bytes()] == []


@pytest.mark.ci
def test_workers_never_share_an_account_and_a_wait_past_its_time_names_the_holder(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytest.importorskip("xdist")
    source = """
    import os, time
    import pytest

    @pytest.mark.parametrize("number", range(9))
    def test_it(mobile_resource, number):
        account = mobile_resource("account")
        os.close(os.open(account.name, os.O_CREAT | os.O_EXCL))
        time.sleep(0.05)
        os.unlink(account.name)

    def test_all(mobile_resource):
        assert len(mobile_resource("account", "account")) == 2
    """
    run(source, "-n", "3", ini=ACCOUNTS).assert_outcomes(passed=10)
    source = """
    import time

    def test_one(mobile_resource):
        mobile_resource("account")
        time.sleep(3)

    def test_other(mobile_resource):
        time.sleep(0.5)
        mobile_resource("account")
    """
    ini = ACCOUNTS.replace("timeout = 30", "timeout = 1").rpartition("    account")[0]
    result = run(source, "-n", "2", ini=ini)
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(
        ["*account ada@example.com: in use by process * (gw?, *::test_one), since *"]
    )


@pytest.mark.ci
def test_the_examples_of_the_page_run(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "accounts.md").read_text(
        encoding="utf-8"
    )
    examples = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(examples) == 3
    uses = """
    def test_module(shopper, mobile_resource):
        assert [shopper.kind, mobile_resource("admin").name] == ["account", "root@example.com"]
    """
    (ini,) = re.findall(r"^```ini\n\[pytest\]\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    for name in ("ADA", "BOB", "ROOT"):
        monkeypatch.setenv(f"SHOP_{name}_PASSWORD", "correct horse")
    result = run("\n".join([*examples, dedent(uses)]), ini=f"{ini}replicant_unverified = ignore\n")
    result.assert_outcomes(passed=3)


COMMANDS = f"""
replicant_resources = voucher: make="{sys.executable} make.py" remove="{sys.executable} remove.py"
"""
MAKE = "import os; print(f'V-{os.getpid()}')"
REMOVE = "import sys; open('removed.txt', 'a').write(sys.argv[1] + '\\n')"


@pytest.mark.ci
@pytest.mark.parametrize("how", ["os.kill(os.getpid(), signal.SIGTERM)", "raise KeyboardInterrupt"])
def test_what_a_command_has_made_is_removed_at_the_end_of_the_run(
    run: Run, pytester: pytest.Pytester, how: str
) -> None:
    pytester.makepyfile(make=MAKE, remove=REMOVE)
    source = f"""
    import os, signal
    from pathlib import Path

    def test_one(mobile_resource):
        voucher = mobile_resource("voucher")
        assert not os.path.exists("removed.txt")
        Path("made.txt").write_text(voucher.name + "\\n")

    def test_two(mobile_resource):
        assert mobile_resource("voucher").name + "\\n" == Path("made.txt").read_text()
        {how}
    """
    run(source, ini=COMMANDS, apart=True)
    assert (pytester.path / "removed.txt").read_text() == (pytester.path / "made.txt").read_text()


@pytest.mark.ci
@pytest.mark.skipif(
    not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process outright"
)
def test_a_killed_run_loses_no_account_and_the_next_one_removes_what_it_made(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(make=MAKE, remove=REMOVE)
    source = """
    import os, signal
    from pathlib import Path

    def test_it(mobile_resource):
        _, _, voucher = mobile_resource("account", "account", "voucher")
        if not os.path.exists("made.txt"):
            Path("made.txt").write_text(voucher.name + "\\n")
            os.kill(os.getpid(), signal.SIGKILL)
        assert Path("removed.txt").read_text() == Path("made.txt").read_text()
    """
    ini = f"{ACCOUNTS.rstrip()}\n    {COMMANDS.partition('=')[2].strip()}\n"
    assert run(source, ini=ini, apart=True).ret == -signal.SIGKILL
    assert not os.path.exists(pytester.path / "removed.txt")
    run(source, ini=ini, apart=True).assert_outcomes(passed=1)


def test_a_line_that_is_none_ends_the_run_before_it_begins(run: Run) -> None:
    result = run("def test_it(): pass", ini="replicant_resources = ada@example.com\n")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        [
            "*replicant_resources, line 1: a line begins with the kind and a colon. Next: *, such "
            "as account: *"
        ]
    )
