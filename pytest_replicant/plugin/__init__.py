"""What pytest calls. Registers the rooms, and imports nothing heavy: that waits until a phone is
used.

Its assertions are not rewritten: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

import datetime
import os
import pickle
import sys
from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from ..errors import UsageError
from ..model import AnyDict, Redactor
from ..options import options
from ..options.marks import MARKER
from ..pool import Quarantine, read_uri
from ..pytest_private import load_plainly
from ..reporting.allure.public import allure_active
from ..reporting.attempts.attempt import ShortTracebacks, SoftChecks
from ..reporting.junit import JUnitAttempts, JUnitProperties
from ..reporting.redaction import AllureRedaction, ReportRedaction
from ..reporting.run_reporter import RunReporter, WorkerDeaths
from ..reporting.test_reporter import TestReporter
from ..running import (
    APP,
    OPTIONS,
    RUN_ID,
    SECRETS,
    HeldPhones,
    LeaseHandover,
    LossWatch,
    Matrix,
    Requeue,
    RunSetup,
    Sharding,
    Tapes,
    app_line,
    end_in_order,
)
from . import fixtures, hookspecs
from .debugging import Debugging
from .misspelt import Misspelt, hint_at_options


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    load_plainly(pluginmanager.rewrite_hook)  # of a further run in this process
    options.register(parser)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hookspecs)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    parser: pytest.Parser, args: Sequence[str]
) -> Generator[None, None, None]:
    """A ``conftest.py`` may declare options too, so that unknown ones are known only after it."""
    yield
    hint_at_options(parser, args)


def pytest_configure(config: pytest.Config) -> None:
    try:
        _configure(config)
    except UsageError as error:
        raise pytest.UsageError(f"replicant: {error}") from None


def _configure(config: pytest.Config) -> None:
    config.stash[OPTIONS] = options.read(config)
    config.addinivalue_line("markers", MARKER)
    end_in_order(config)
    worker: AnyDict | None = getattr(config, "workerinput", None)
    if worker:
        config.stash[RUN_ID] = worker["replicant_run_id"]
        _take_over(config, worker)
    else:
        # when it began, since readers of earlier runs sort them by name, and what keeps apart those
        # of one moment
        now = datetime.datetime.now()
        config.stash[RUN_ID] = f"{now:%Y%m%d-%H%M%S-%f}{os.urandom(2).hex()}"
    chosen = config.stash[OPTIONS]
    if any("apps" in uri.knobs for uri in chosen.devices):
        sys.path.append(str(config.rootpath))
    hidden = (part for uri in chosen.devices for part in uri.secrets)
    config.stash[SECRETS] = Redactor(hidden, patterns=chosen.redact)
    register = config.pluginmanager.register
    register(fixtures, "replicant-fixtures")
    register(Misspelt([name for name in vars(fixtures) if "mobile" in name]), "replicant-misspelt")
    register(Matrix(), "replicant-matrix")
    register(LeaseHandover(config), "replicant-lease-handover")
    _register_reports(config, on_controller=worker is None)
    if chosen.replay:
        _register_replay(config, on_controller=worker is None)
    elif chosen.known_flaky:
        from ..reporting.known_flaky import KnownFlaky

        register(KnownFlaky(config), "replicant-known-flaky")
    tests = TestReporter(config)
    register(tests, "replicant-test-reporter")
    register(HeldPhones(), HeldPhones.NAME)
    register(Tapes(), Tapes.NAME)
    register(Debugging(config), "replicant-debugging")
    register(SoftChecks(), "replicant-soft-checks")
    register(ShortTracebacks(), "replicant-short-tracebacks")
    register(ReportRedaction(config), "replicant-redaction")
    if config.pluginmanager.hasplugin("pytest-bdd"):
        from ..reporting.attempts.gherkin import GherkinSteps

        register(GherkinSteps(), "replicant-gherkin")
    if not chosen.replay:  # which has no phone that could be lost
        register(LossWatch(config), "replicant-losses")
        register(Requeue(config), "replicant-requeue")
    if not worker:
        config.add_cleanup(lambda: Quarantine(config.stash[RUN_ID]).forget())
        register(RunSetup(), "replicant-run-setup")
        deaths = WorkerDeaths(config)
        register(deaths, "replicant-worker-deaths")
        register(RunReporter(config, tests, deaths), "replicant-run-reporter")


def _register_replay(config: pytest.Config, *, on_controller: bool) -> None:
    from ..reporting.replays import Recordings, ReplayReporter
    from .replaying import Replaying

    recordings = Recordings(config)
    config.pluginmanager.register(Replaying(config, recordings), Replaying.NAME)
    if on_controller:
        config.pluginmanager.register(ReplayReporter(config, recordings), ReplayReporter.NAME)


def _take_over(config: pytest.Config, worker: AnyDict) -> None:
    """The phones and the app that the controller of a parallel run has found."""
    found = worker["replicant_options"]
    devices = tuple(map(read_uri, found["devices"]))
    config.stash[OPTIONS] = replace(config.stash[OPTIONS], **{**found, "devices": devices})
    if "replicant_app" in worker:
        config.stash[APP] = pickle.loads(worker["replicant_app"])


def _register_reports(config: pytest.Config, *, on_controller: bool) -> None:
    """The users of the report hooks, each with a name to switch it off by."""
    manager = config.pluginmanager
    manager.register(JUnitProperties(config), "replicant-junit")
    if on_controller and config.getoption("xmlpath", None):
        manager.register(JUnitAttempts(config), "replicant-junit-attempts")
    if config.getoption("htmlpath", None):
        from ..reporting.pytest_html import PytestHtml, report_page

        if page := report_page(config):
            manager.register(PytestHtml(page), "replicant-pytest-html")
    if config.stash[OPTIONS].accessibility == "report":
        _register_accessibility(config, on_controller=on_controller)
    if allure_active(config):
        _register_allure(config, on_controller=on_controller)


def _register_allure(config: pytest.Config, *, on_controller: bool) -> None:
    import allure_commons

    from ..reporting.allure.results import AllureResults
    from ..reporting.allure.run_files import AllureRunFiles

    manager, results = config.pluginmanager, AllureResults(config)
    ours: list[object] = [AllureRedaction(config.stash[SECRETS])]  # which is called last
    manager.register(results, "replicant-allure")
    if not manager.is_blocked("replicant-allure"):
        ours.append(results)
    for one in ours:
        allure_commons.plugin_manager.register(one)
        config.add_cleanup(partial(allure_commons.plugin_manager.unregister, one))
    if on_controller and not manager.is_blocked("replicant-allure"):
        manager.register(AllureRunFiles(config), "replicant-allure-run")


def _register_accessibility(config: pytest.Config, *, on_controller: bool) -> None:
    from ..reporting.accessibility import AccessibilityReport, ScreensOfTests

    manager = config.pluginmanager
    manager.register(ScreensOfTests(config), ScreensOfTests.NAME)
    if on_controller and not manager.is_blocked(ScreensOfTests.NAME):
        manager.register(AccessibilityReport(), AccessibilityReport.NAME)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """The controller alone empties Allure's folder: a worker that begins later would take others'
    results. Of a part of the tests it is recorded how they were divided."""
    if hasattr(config, "workerinput") and getattr(config.option, "clean_alluredir", False):
        config.option.clean_alluredir = False
    if getattr(
        config.option, "splits", None
    ):  # of pytest-split, which registers its hooks after this
        config.pluginmanager.register(Sharding(config), "replicant-sharding")


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """``-n auto``: as many workers as the run's phones can serve; None leaves it to
    pytest-xdist."""
    from ..running import workers_for

    return workers_for(config)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """The workers of a parallel run report into the controller's folder, and use the phones that it
    has found and the app that it has built."""
    found = node.config.stash[OPTIONS]
    node.workerinput["replicant_run_id"] = node.config.stash[RUN_ID]
    if APP in node.config.stash:
        node.workerinput["replicant_app"] = pickle.dumps(node.config.stash[APP])
    node.workerinput["replicant_options"] = {
        "devices": [uri.text for uri in found.devices],
        "app": found.app,
        "shared_phones": found.shared_phones,
    }


def pytest_report_header(config: pytest.Config) -> list[str]:
    chosen = config.stash[OPTIONS]
    lines = []
    if not chosen.replay:
        devices = [uri.masked for uri in chosen.devices]
        devices += [f"avd:{name}" for name in chosen.avds]
        lines.append(
            f"{', '.join(devices)} (another phone: --replicant-device=android, android:SERIAL, "
            "virtual:ios, ios:URL)"
        )
    if names := [name for uri in chosen.devices for name in uri.knobs.get("profile", ())]:
        from ..virtual import profile_lines

        lines += profile_lines(names)
    if APP in config.stash:
        lines.append(app_line(config.stash[APP]))
    return [f"replicant: {line}" for line in lines]


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> None:
    """Every device URI is read before the first test, unless a driver of the user's own may know
    it.

    That late, as each ``conftest.py`` is known only after collection. The controller of a parallel
    run never collects, and so leaves it to the tests.
    """
    config = session.config
    parallel = hasattr(config, "workerinput") or config.pluginmanager.hasplugin("dsession")
    if parallel or session.testsfailed or not session.items or config.option.collectonly:
        return
    if config.hook.pytest_replicant_driver.get_hookimpls():
        return
    for uri in config.stash[OPTIONS].devices:
        try:
            if "apps" in uri.checked().knobs:
                from ..pool import installed_apps  # which few runs need

                installed_apps(uri)
        except UsageError as error:
            raise pytest.UsageError(f"replicant: {error}") from None
