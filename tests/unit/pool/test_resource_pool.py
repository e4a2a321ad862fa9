"""Accounts and other resources: how they are written, and that no two users have one at a time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pytest_replicant import Secret
from pytest_replicant.errors import ResourceUnavailable, UsageError
from pytest_replicant.model import ManualClock
from pytest_replicant.pool import MUTEX, Declared, Resource, ResourcePool, read_resources

ACCOUNTS = (
    "account: ada@example.com password=$ADA role=admin",
    "account: bob@example.com password=${BOB}",
)
VOUCHER = 'voucher: make="new voucher" remove="end voucher" shop=tea'


@pytest.fixture(autouse=True)
def _variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADA", "correct horse")
    monkeypatch.setenv("BOB", "battery staple")


def a_pool(
    folder: Path, *lines: str, commands: Commands | None = None, timeout: float = 5
) -> ResourcePool:
    return ResourcePool(
        read_resources(lines or ACCOUNTS),
        commands or Commands(),
        timeout,
        folder=folder,
        clock=ManualClock(),
    )


class Commands:
    """Commands that were run; each makes the next voucher, unless it has something else to print or
    raise."""

    def __init__(self, *outputs: str | BaseException) -> None:
        self.ran: list[list[str]] = []
        self._outputs = list(outputs)

    def __call__(self, words: Sequence[str]) -> str:
        self.ran.append([*words])
        if words[0] == "end" and not any(isinstance(one, BaseException) for one in self._outputs):
            return ""
        output = self._outputs.pop(0) if self._outputs else f"V-{len(self.ran)}\n"
        if isinstance(output, BaseException):
            raise output
        return output


# Lines of the ini


def test_a_line_is_a_kind_a_name_and_entries() -> None:
    (ada, bob, made) = read_resources(["", *ACCOUNTS, VOUCHER])
    assert ada == Declared("account", "ada@example.com", {"password": "$ADA", "role": "admin"})
    assert bob.entries == {"password": "${BOB}"}
    assert made == Declared("voucher", "", {"shop": "tea"}, ("new", "voucher"), ("end", "voucher"))


def test_entries_may_have_blanks_within_quotes() -> None:
    (ada,) = read_resources(["account: 'Ada Lovelace' city='New York'"])
    assert (ada.name, dict(ada.entries)) == ("Ada Lovelace", {"city": "New York"})


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("ada@example.com", "a line begins with the kind and a colon"),
        ("my account: ada", "a line begins with the kind and a colon"),
        ("account:", "a line has a name, or make=COMMAND in its place"),
        ("account: password=x", "a line has a name, or make=COMMAND in its place"),
        ("account: ada make=x", "a line has a name, or make=COMMAND in its place"),
        ("account: remove=x", "a line has a name, or make=COMMAND in its place"),
        ("account: ada bob", "(account): the word after the name is no key=value"),
        ("account: ada a=1 a=2", "(account): a= is given twice"),
        ("account: 'ada", "(account): the line has a quote that is not closed"),
        ("account: --all", "without a dash in front"),
        ("account: 'a\nb'", "no printable text"),
    ],
)
def test_a_line_that_is_none_is_named_by_its_number_with_an_example(line: str, why: str) -> None:
    with pytest.raises(
        UsageError,
        match=rf"replicant_resources, line 2.*{re.escape(why)}.* Next: write KIND: NAME .*, such as account: ada@",
    ):
        read_resources(["admin: root", "", line])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("account: ada password=hunter1 password=hunter2", "password= is given twice"),
        ("account: ada aHVudGVyMg=hunter1 aHVudGVyMg=hunter2", "a key is given twice"),
        ("account: ada password=hunter1 odd", "the word after password= is no key=value"),
        ("account: ada password= hunter2", "the word after password= is no key=value"),
        ("account: ada pass word=hunter2", "the word after the name is no key=value"),
        ('account: ada token=hunter1 "pass word"=hunter2', "the word after token= is no key=value"),
        ('account: ada password="hunter2', "the line has a quote that is not closed"),
        ('account: make="x --token \'hunter2"', "make= has a quote that is not closed"),
        ("account hunter1: password=hunter2", "a line begins with the kind and a colon"),
        ("account: -hunter1 password=hunter2", "without a dash in front"),
        ("account: ada password=hunter2 make=x", "a line has a name, or make=COMMAND"),
    ],
)
def test_an_error_shows_no_part_of_a_line_but_its_kind_and_plain_keys(line: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as refused:
        read_resources([line])
    assert not re.search("hunter|aHV", str(refused.value))
    assert "hunter" not in repr(
        read_resources(["account: ada password=hunter2", "card: make='x hunter2'"])
    )


@pytest.mark.parametrize("line", ["account: ada", "voucher: make=new"])
def test_the_same_resource_twice_is_an_error(line: str) -> None:
    with pytest.raises(UsageError, match=r"line 2 \(\w+\): it has .* of line 1\. Next: remove"):
        read_resources([line, line])


# What a test gets


def test_values_from_the_environment_and_credentials_are_secrets(tmp_path: Path) -> None:
    known: list[str] = []
    pool = a_pool(tmp_path, "account: ada pin=$ADA password=plain role=admin")
    pool.secret = known.append
    with pool.leased("account") as account:
        assert (account["pin"], account["password"]) == (Secret("correct horse"), Secret("plain"))
        assert account["role"] == "admin"
        assert known == ["correct horse", "plain"]
        assert "correct" not in repr(account) + str(account)
    assert "correct" not in "".join(path.read_text() for path in tmp_path.iterdir())


def test_an_unknown_entry_is_answered_with_the_right_one() -> None:
    with pytest.raises(
        UsageError, match=r'account ada has no entry "pasword"\. Did you mean password\?'
    ):
        Resource("account", "ada", {"password": "x"})["pasword"]


@pytest.mark.parametrize(
    ("kind", "name", "answer"),
    [
        (
            "acount",
            "",
            r'no kind "acount"\. Did you mean account\? Kinds: account\. Next: add a line',
        ),
        (
            "account",
            "bo@example.com",
            r'no account "bo@example.com"\. Did you mean bob@example.com\?',
        ),
    ],
)
def test_an_unknown_kind_or_name_is_answered_with_the_right_one(
    tmp_path: Path, kind: str, name: str, answer: str
) -> None:
    with pytest.raises(UsageError, match=answer):
        a_pool(tmp_path).acquire(kind, name=name)


def test_an_unset_variable_of_any_of_the_kind_is_an_error_whichever_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = a_pool(tmp_path)
    monkeypatch.setenv("BOB", "")
    with pytest.raises(
        UsageError, match=r"not set\. Next: export them:\n  account bob@example.com: BOB"
    ):
        pool.acquire("account")
    assert pool.held == ()


# One user at a time


def test_two_pools_never_have_one_resource(tmp_path: Path) -> None:
    one, other = a_pool(tmp_path), a_pool(tmp_path)
    with one.leased("account") as ada, other.leased("account") as bob:
        assert {ada.name, bob.name} == {"ada@example.com", "bob@example.com"}
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


def test_a_resource_in_use_is_awaited_and_the_error_says_who_has_it(tmp_path: Path) -> None:
    holder, waiting = a_pool(tmp_path), a_pool(tmp_path)
    holder.user = lambda: "gw3, test_shop.py::test_pay"
    holder.acquire("account", "account")
    with pytest.raises(
        ResourceUnavailable, match=r"no account came free in 5 s\. Next: start fewer"
    ) as busy:
        waiting.acquire("account")
    assert re.search(
        r"account ada@example.com: in use by .*gw3, test_shop.py::test_pay, since", str(busy.value)
    )
    assert waiting.last_wait >= 5
    assert not list(tmp_path.glob("*.ticket*")), "it left the queue"


def test_several_are_had_at_once_or_not_at_all(tmp_path: Path) -> None:
    lines = ("account: ada", "account: bob", "printer: hall")
    pool, other = a_pool(tmp_path, *lines), a_pool(tmp_path, *lines)
    with pool.leased("account", "account", "printer") as (one, two, printer):
        assert [str(each) for each in (one, two, printer)] == [
            "account ada",
            "account bob",
            "printer hall",
        ]
    other.acquire("printer")
    with pytest.raises(ResourceUnavailable, match="no account and printer came free"):
        pool.acquire("account", "printer")
    assert pool.held == ()


def test_who_holds_one_waits_for_none_of_the_kind(tmp_path: Path) -> None:
    pool, other = a_pool(tmp_path), a_pool(tmp_path)
    pool.acquire("account")
    other.acquire("account")
    with pytest.raises(
        ResourceUnavailable, match=r'in one call, mobile_resource\("account", "account"\), or add'
    ):
        pool.acquire("account")
    assert pool.last_wait == 0
    assert pool.clock.now() == ManualClock().now()


def test_who_holds_one_waits_only_for_kinds_that_come_later(tmp_path: Path) -> None:
    lines = ("account: ada", "printer: hall")
    waiting, holder = a_pool(tmp_path, *lines), a_pool(tmp_path, *lines)
    waiting.acquire("account")
    holder.acquire("printer")
    with pytest.raises(ResourceUnavailable, match="no printer came free in 5 s"):
        waiting.acquire("printer")
    with pytest.raises(ResourceUnavailable, match="It does not wait"):
        holder.acquire("account")


def test_the_one_that_was_used_last_is_preferred_as_its_app_may_be_signed_in(
    tmp_path: Path,
) -> None:
    pool, other = a_pool(tmp_path), a_pool(tmp_path)
    with other.leased("account"):
        pool.release(*pool.acquire("account"))
    assert pool.acquire("account")[0].name == "bob@example.com"
    assert other.acquire("account")[0].name == "ada@example.com"


def test_projects_share_the_accounts_that_they_share(tmp_path: Path) -> None:
    one, other = a_pool(tmp_path, "account: ada"), a_pool(tmp_path, "account: eve", "account: ada")
    one.acquire("account")
    assert other.acquire("account")[0].name == "eve"
    other.timeout = 0
    other.close()
    with pytest.raises(ResourceUnavailable):
        other.acquire("account", name="ada")


# Resources that a command makes


def test_a_made_one_is_kept_for_the_next_test_and_removed_at_the_end(tmp_path: Path) -> None:
    commands = Commands('{"name": "V-1", "code": "x", "api_key": "k", "amount": 5, "used": false}')
    pool = a_pool(tmp_path, VOUCHER, commands=commands)
    for _ in range(2):
        with pool.leased("voucher") as voucher:
            entries: dict[str, str | Secret] = {
                "shop": "tea",
                "code": Secret("x"),
                "api_key": Secret("k"),
                "amount": "5",
                "used": "false",
            }
            assert voucher == Resource("voucher", "V-1", entries)
    assert commands.ran == [["new", "voucher"]]
    pool.close()
    assert commands.ran[1:] == [["end", "voucher", "V-1"]]
    assert pool.left == []
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


@pytest.mark.parametrize(
    "output",
    [
        "",
        "two\nlines",
        "-rf",
        "{not json",
        "[" * 3 + "\x1b",
        '{"n": 1}',
        '{"name": 1}',
        '{"name": "a", "b": []}',
    ],
)
def test_output_that_is_no_resource_is_an_error(tmp_path: Path, output: str) -> None:
    pool = a_pool(tmp_path, "voucher: V-0", VOUCHER, commands=Commands(output))
    with pytest.raises(
        UsageError, match=r"the command that makes a voucher: .* Next: let it print"
    ):
        pool.acquire("voucher", "voucher")
    assert pool.held == (), "the other one is free again"


def test_a_command_that_makes_what_another_process_holds_is_refused(tmp_path: Path) -> None:
    first = a_pool(tmp_path, VOUCHER, commands=Commands("V-1"))
    assert first.acquire("voucher")
    with pytest.raises(UsageError, match=r"the command made voucher V-1, which .* holds"):
        a_pool(tmp_path, VOUCHER, commands=Commands("V-1")).acquire("voucher")


def test_an_interrupted_removal_is_named_and_the_others_are_removed(tmp_path: Path) -> None:
    pool = a_pool(
        tmp_path, VOUCHER, commands=(commands := Commands("V-1", "V-2", KeyboardInterrupt()))
    )
    pool.acquire("voucher", "voucher")
    with pytest.raises(KeyboardInterrupt):
        pool.close()
    pool.close()
    assert pool.left == ["voucher V-2 was not removed: it was interrupted. Next: remove it by hand"]
    assert commands.ran[-1] == ["end", "voucher", "V-1"]


def test_what_a_killed_run_of_the_project_has_made_is_removed_by_the_next(tmp_path: Path) -> None:
    commands, pools = Commands(), []
    coupon = VOUCHER.replace(
        "voucher:", "coupon:"
    )  # the same command removes it, and no one makes one now
    for project, kind in (
        ("ours", "voucher"),
        ("theirs", "voucher"),
        ("ours", "coupon"),
        ("ours", "voucher"),
    ):
        pools.append(killed := a_pool(tmp_path, VOUCHER, coupon, commands=commands))
        killed.project = project
        killed.acquire(kind)
        if len(pools) > 1:  # the system takes the lock of a process that dies, and leaves its files
            killed._places[0].lease._lock.release()
    pool = a_pool(tmp_path, VOUCHER, commands=commands)
    pool.project = "ours"
    pool.acquire("voucher")
    assert commands.ran == [["new", "voucher"]] * 4 + [
        ["end", "voucher", "V-4"],
        ["new", "voucher"],
    ]


# Many processes

MANY = """
import os, signal, sys, time
from pathlib import Path
from pytest_replicant.pool import ResourcePool, read_resources

folder, apart, end = Path(sys.argv[1]), sys.argv[2] == "apart", time.monotonic() + 20
lines = [f"account: {number}" for number in range(8)]

def work(worker):
    leases = folder / (f"leases-{worker}" if apart else "leases")
    leases.mkdir(exist_ok=True)
    pool = ResourcePool(read_resources(lines), lambda words: "", 20, folder=leases)
    for turn in range(3):
        with pool.leased("account") as account:
            mark = folder / f"in-use-{account.name}"
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return 2
            time.sleep(0.01)
            mark.unlink()
            if turn == 1 and worker % 5 == 0:
                os.kill(os.getpid(), signal.SIGKILL)
    return 0

children = []
for worker in range(40):
    pid = os.fork()
    if not pid:
        code = 3
        try:
            code = work(worker)
        except BaseException as error:
            print(error, file=sys.stderr, flush=True)
        finally:
            os._exit(code)
    children.append(pid)
codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children]
pool = ResourcePool(read_resources(lines), lambda words: "", 0, folder=folder / "leases")
free = 0 if apart else len(pool.acquire(*["account"] * 8))
pool.close()
print(codes.count(0), codes.count(-signal.SIGKILL), codes.count(2), free)
"""


@pytest.mark.ci
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are quick to start")
@pytest.mark.parametrize("leases", ["shared", "apart"])
def test_forty_workers_share_eight_accounts_though_some_are_killed(
    tmp_path: Path, leases: str
) -> None:
    """Every account has a mark while it is in use, apart from its lease: with leases apart two meet
    there."""
    root = str(Path(__file__).parents[3])
    ran = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path), leases],
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    finished, killed, shared, free = map(int, ran.stdout.split())
    if leases == "shared":
        assert (finished, killed, shared, free) == (32, 8, 0, 8), ran.stderr
        assert [path.name for path in (tmp_path / "leases").iterdir()] == [MUTEX]
    else:
        assert shared > 0
