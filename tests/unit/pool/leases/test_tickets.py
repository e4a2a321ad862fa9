"""Who waits longest is next, and whoever is gone waits no more."""

from __future__ import annotations

from pathlib import Path

from pytest_replicant.pool import MUTEX, Tickets
from pytest_replicant.pool.leases.tickets import is_wanted


def test_tickets_are_in_the_order_in_which_they_were_drawn(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with (
        tickets.queue_up(["a"]) as first,
        tickets.queue_up(["b"]) as second,
        Tickets(tmp_path).queue_up(["c"]) as third,
    ):
        assert tickets.waiting() == [first, second, third]
    assert tickets.waiting() == []
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


def test_numbers_go_on_while_somebody_waits(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with tickets.queue_up(["a"]):
        with tickets.queue_up(["b"]) as second:
            pass
        with tickets.queue_up(["c"]) as third:
            assert third.name[:12] == second.name[:12]
            assert [ticket.phones for ticket in tickets.waiting()] == [("a",), ("c",)]


def test_a_ticket_that_nobody_holds_is_removed(tmp_path: Path) -> None:
    left = tmp_path / "000000000001-77-abcd.ticket"
    left.write_text('{"phones": ["a"]}')
    left.with_suffix(".ticket-lock").touch()
    with Tickets(tmp_path).queue_up(["b"]) as mine:
        assert mine.name.startswith("000000000001-"), "it counts nothing"
        assert Tickets(tmp_path).waiting() == [mine]
    assert [path.name for path in tmp_path.iterdir()] == [MUTEX]


def test_what_is_no_ticket_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "bus.ticket").touch()
    with Tickets(tmp_path).queue_up(["a"]) as mine:
        assert Tickets(tmp_path).waiting() == [mine]
    assert (tmp_path / "bus.ticket").exists()


def test_a_ticket_may_ask_for_less(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with tickets.queue_up(["a", "b"]) as wide:
        narrow = tickets.narrow(wide, ["b"])
        assert tickets.waiting() == [narrow]
        assert (narrow.name, narrow.phones) == (wide.name, ("b",))


def test_only_earlier_tickets_come_first(tmp_path: Path) -> None:
    tickets = Tickets(tmp_path)
    with tickets.queue_up(["a"]) as first, tickets.queue_up(["a", "b"]) as second:
        waiting = tickets.waiting()
    assert is_wanted("a", waiting, second)
    assert not is_wanted("b", waiting, second)
    assert not is_wanted("a", waiting, first)
    assert is_wanted("b", waiting, None), "who has no ticket comes after all of them"
    assert not is_wanted("c", waiting, None)
