"""Clauses about processes, and about what the log says of their end."""

from __future__ import annotations

from ...drivers import Capability
from ...logs import read_deaths
from .apps import ABSENT
from .clause import Clause, Scene, must


def _processes_come_and_go(scene: Scene) -> None:
    scene.front()
    pids = scene.driver.pids(scene.app)
    must(len(pids) > 0, f"{scene.app} is in front, and has no process")
    told = scene.driver.crashes(None, scene.app).pids
    must(told == pids, f"crashes says that the processes are {told}, pids says {pids}")
    scene.driver.stop(scene.app)
    scene.wait_for(lambda: scene.driver.pids(scene.app) == (), "the process's end")
    told = scene.driver.crashes(None, scene.app).pids
    must(told == (), f"an app that was stopped has the processes {told}")


def _what_is_not_there_has_no_process(scene: Scene) -> None:
    must(scene.driver.pids(ABSENT) == (), "an app that is not installed has a process")
    scene.front()
    told = scene.driver.crashes(None).pids
    must(told == (), f"asked about no app, crashes gives the processes {told}")


def _what_was_stopped_has_not_crashed(scene: Scene) -> None:
    scene.front()
    mark = scene.driver.log_mark()
    scene.driver.stop(scene.app)
    told = scene.driver.crashes(mark, scene.app)
    deaths = [str(one) for one in read_deaths(told.lines, scene.driver.info.platform) if one.is_of(scene.app)]
    must(deaths == [], f"an app that was stopped is told to have died: {deaths}")


def _a_reading_ends_where_the_next_begins(scene: Scene) -> None:
    scene.front()
    first = scene.driver.crashes(None)
    must(all("\n" not in line for line in first.lines), "an entry is no single line")
    again = scene.driver.crashes(first.until)
    must(
        not first.lines or again.lines != first.lines,
        f"read again from its end on, it says the same: {again.lines}",
    )


DYING = (
    Clause("pids", "a running app has processes, a stopped one none", _processes_come_and_go, Capability.CRASHES),
    Clause("pids-absent", "no app, no process", _what_is_not_there_has_no_process, Capability.CRASHES),
    Clause("stop-is-no-crash", "stop is told as no death", _what_was_stopped_has_not_crashed, Capability.CRASHES),
    Clause(
        "crashes",
        "a reading ends where the next begins",
        _a_reading_ends_where_the_next_begins,
        Capability.CRASHES,
    ),
)
