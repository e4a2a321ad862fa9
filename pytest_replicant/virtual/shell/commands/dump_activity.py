"""What ``dumpsys activity`` says: which activity is in front, and what runs."""

from __future__ import annotations

from collections.abc import Sequence

from ...device.display import other_displays
from ...device.phone import VirtualPhone
from .dump_display import activity_record, token
from .intent import short_component


def dump_activity(phone: VirtualPhone, words: Sequence[str]) -> str:
    """``dumpsys activity [activities|top|services|processes|…]``; without a word most of them."""
    sections = {
        "activities": _activities,
        "a": _activities,
        "top": _top,
        "services": _services,
        "s": _services,
        "processes": _processes,
        "p": _processes,
        "recents": _recents,
        "r": _recents,
    }
    plain = [word for word in words if not word.startswith("-")]
    if not plain:
        return "-------------------------------------------------------------------------------\n".join(
            section(phone) for section in (_services, _recents, _activities, _processes)
        )
    section = sections.get(plain[0])
    if section is None:
        return f"ACTIVITY MANAGER {plain[0].upper()} (dumpsys activity {plain[0]})\n  (nothing)\n"
    return section(phone)


def _activities(phone: VirtualPhone) -> str:
    """The displays from the top down, each with what it has resumed; then what has the focus of each (AOSP's
    RootWindowContainer.dumpActivities)."""
    front = [(0, *phone.foreground())]
    front += [(window.display, window.package, f".{window.title}") for window in other_displays(phone.profile)]
    records = {display: activity_record(package, activity) for display, package, activity in front}
    lines = ["ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)"]
    for display, package, activity in reversed(front):
        lines += [
            f"Display #{display} (activities from top to bottom):",
            f"  * Task{{{token(package)} #{display + 1} type=standard A=10100:{package} U=0 visible=true}}",
            f"    mResumedActivity: {records[display]}",
            f"    topResumedActivity={records[display]}",
            f"    * Hist  #0: {records[display]}",
            f"      packageName={package} processName={package}",
            f"      mActivityComponent={short_component(package, activity)}",
            "      state=RESUMED",
            "  Resumed activities in task display areas (from top to bottom):",
            f"    Resumed: {records[display]}",
        ]
    lines += [f"  ResumedActivity: {records[0]}", "ActivityTaskSupervisor state:"]
    for display, record in records.items():
        lines += [f"  Display: mDisplayId={display} (organized)", f"  mFocusedApp={record}"]
    return "\n".join(lines) + "\n  KeyguardController:\n    mKeyguardShowing=false\n"


def _top(phone: VirtualPhone) -> str:
    package, activity = phone.foreground()
    pid = phone.processes().get(package, "(not running)")
    component = short_component(package, activity)
    return (
        f"TASK 10100:{package} id=1 userId=0\n"
        f"  ACTIVITY {component} {token(f'{package}/{activity}')} pid={pid}\n"
        f"    Local Activity {token(component)} State:\n"
        "      mResumed=true mStopped=false mFinished=false\n"
    )


def _services(phone: VirtualPhone) -> str:
    return "ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  (nothing)\n"


def _recents(phone: VirtualPhone) -> str:
    package, _ = phone.foreground()
    return (
        "ACTIVITY MANAGER RECENT TASKS (dumpsys activity recents)\n"
        f"  * Recent #0: Task{{{token(package)} #1 type=standard A=10100:{package}}}\n"
    )


def _processes(phone: VirtualPhone) -> str:
    lines = ["ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)"]
    for name, pid in phone.processes().items():
        package = phone.packages.get(name)
        owner = f"u0a{package.user_id - 10_000}" if package and package.user_id >= 10_000 else "1000"
        lines.append(f"  *APP* UID {owner} ProcessRecord{{{token(name)} {pid}:{name}/{owner}}}")
    return "\n".join(lines) + "\n"
