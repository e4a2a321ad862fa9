"""Calls of the phone off the loop: whoever is cancelled while one ends stays cancelled."""

from __future__ import annotations

import asyncio
import time

import pytest

from pytest_replicant.virtual import in_thread, task_group


@pytest.mark.slow
def test_a_cancellation_is_not_lost_as_the_call_ends() -> None:
    async def work() -> None:
        await in_thread(lambda: None)
        await asyncio.sleep(3600)

    async def lost() -> int:
        count = 0
        for number in range(300):
            task = asyncio.ensure_future(work())
            await asyncio.sleep(0)
            until = (
                time.perf_counter() + number % 30 * 2e-5
            )  # the call ends in its thread about now
            while time.perf_counter() < until:
                pass
            task.cancel()
            done, _ = await asyncio.wait({task}, timeout=1)
            count += not done
            task.cancel()
        return count

    assert asyncio.run(lost()) == 0


def test_a_task_that_loses_a_cancellation_is_ended_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(task_group, "CANCEL_AGAIN", 0.01)

    async def deaf_once() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            await asyncio.sleep(3600)

    async def ended() -> bool:
        task = asyncio.ensure_future(deaf_once())
        await asyncio.sleep(0)
        await asyncio.wait_for(task_group.end(task), 5)
        return task.cancelled()

    assert asyncio.run(ended())
