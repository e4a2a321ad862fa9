# Every target works from a clean clone; the first one that needs it makes the environment.
PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python -m

# Bytecode is kept, whatever the environment says: without it each worker, and each pytest within a test, rewrites the
# assertions of all test modules again, and compiles the others.
export PYTHONDONTWRITEBYTECODE =

# What `make nightly` runs, each of which runs alone too: `make nightly PART=browser`.
PARTS := ci-tests thorough properties iphone profiles lab-runs slow-phone browser viewer allure newest

.PHONY: demo red-build test check lint types imports conformance virtual-tests docs docs-site clients bench clean nightly ci-tests iphone-examples iphone-releases $(PARTS)

$(VENV)/ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) pip install --quiet --disable-pip-version-check --upgrade "pip>=23"
	$(RUN) pip install --quiet --disable-pip-version-check --editable ".[dev]"
	touch $@

demo: $(VENV)/ready   ## run the example app's tests on a virtual phone and leave a report
	$(RUN) pytest -v -n 4 --dist worksteal -p no:randomly example_app_tests --replicant-device=virtual \
		--html=replicant-report/pytest.html --self-contained-html

red-build: $(VENV)/ready   ## a run that fails in every way there is, to look at reports with
	-$(RUN) pytest -n 2 example_app_tests/red_build/everything_that_happens.py --reruns 1 \
		--only-rerun "expect_screen Catalogue" --replicant-output=replicant-report/red-build \
		--html=replicant-report/red-build/pytest.html --self-contained-html \
		--junitxml=replicant-report/red-build/junit.xml --alluredir=replicant-report/red-build/allure

BY_DAY := not browser and not viewer and not allure and not thorough and not ci

# More workers than cores: sockets and processes are waited for now and then, and in whole runs most of the time.
test: $(VENV)/ready   ## the project's own tests: no phone, adb, Java, browser or network
	$(RUN) pytest -n 3 --dist worksteal -m "$(BY_DAY)" --replicant-device="virtual?latency=0" \
		--replicant-screenshot=off -p tests.shared_clock tests example_app_tests

ci-tests: $(VENV)/ready   ## whole runs with workers, and faults in the middle of one
	$(RUN) pytest -n 4 --dist worksteal -m "ci and not thorough and not browser" tests

nightly: $(VENV)/ready   ## everything that takes long, or PART=x of it; goes on after a part that fails, and names it
	@failed=""; for part in $(or $(PART),$(PARTS)); do \
		echo "nightly: $$part"; $(MAKE) --no-print-directory $$part RUNS=2000 FIRST=$(TODAY) || failed="$$failed $$part"; \
	done; test -z "$$failed" || { echo "nightly: failed:$$failed"; exit 1; }

thorough: $(VENV)/ready   ## reports in every way they can be asked for, whole runs, cost and length
	$(RUN) pytest -n 2 --dist worksteal -m thorough tests

properties: $(VENV)/ready   ## the property tests with thousands of new examples each
	$(RUN) pytest -n 2 --dist worksteal tests/properties --hypothesis-profile=nightly --timeout=7200

slow-phone: $(VENV)/ready   ## the example tests, unchanged, on a phone whose dumps take 1.5 s and fail one time in ten
	$(RUN) pytest -n 2 --dist worksteal -p tests.shared_clock example_app_tests \
		--replicant-device="virtual?dump_ms=1500&fail_dump=0.1&seed=7" --replicant-output=replicant-report/slow-phone

RUNS ?= 1000
FIRST ?= 1
TODAY := $(shell date +%Y%m%d)
lab-runs: $(VENV)/ready   ## 1,000 random walks, or as many as RUNS says, through the lab with random faults, and an independent witness; by night 2,000, by the day's seed
	$(RUN) tests.lab.seeded_runs --runs $(RUNS) --first $(FIRST)

profiles: $(VENV)/ready   ## the example tests and the lab's, unchanged, on every make of phone, or on those that PROFILES names
	$(RUN) tests.lab.on_profiles $(PROFILES)

iphone: iphone-examples iphone-releases   ## the example tests and the lab's, unchanged, and random walks, on virtual iPhones
	$(RUN) pytest -n 2 --dist worksteal tests/lab --lab-platform=ios
	$(RUN) tests.lab.seeded_runs --platform ios --first 101 --runs 100

# The oldest WebDriverAgent that is driven, one without bundle ids in its page source, and the newest; with notifications
# over the app as well. The tutorial's tests do the same, in `thorough`.
iphone-releases: $(VENV)/ready
	failed=""; for wda in 9.0 10.0 16.7; do for banners in 0 0.2; do \
		$(RUN) pytest -n 2 --dist worksteal -p tests.shared_clock example_app_tests \
			--replicant-device="virtual:ios?wda=$$wda&banners=$$banners&seed=5" \
			--replicant-output=replicant-report/iphone-releases || failed="$$failed $$wda/$$banners"; \
	done; done; test -z "$$failed" || { echo "WebDriverAgent/banners:$$failed"; exit 1; }

iphone-examples: $(VENV)/ready
	$(RUN) pytest -n 4 --dist worksteal example_app_tests \
		--replicant-device=virtual:ios --replicant-output=replicant-report/iphone

# An environment of its own, in which pip may go beyond the bounds of pyproject.toml.
NEWEST := .venv-newest
newest: $(VENV)/ready   ## the tests that touch other packages, with the newest pytest, xdist, allure-pytest and uiautomator2
	$(PYTHON) -m venv --clear $(NEWEST)
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=23"
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(NEWEST)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade \
		pytest pytest-xdist allure-pytest uiautomator2 adbutils pytest-html pytest-rerunfailures
	$(NEWEST)/bin/python -m pip list --disable-pip-version-check | grep -iE "^(pytest|allure|uiautomator2|adbutils)"
	$(NEWEST)/bin/python -m pytest -n 2 --dist worksteal -m "$(BY_DAY)" --replicant-device="virtual?latency=0" \
		tests/plugin tests/conformance tests/unit/drivers tests/unit/reporting example_app_tests

check: lint types imports   ## everything that reads the code without running it

lint: $(VENV)/ready
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: $(VENV)/ready
	$(RUN) mypy

imports: $(VENV)/ready
	$(VENV)/bin/lint-imports

conformance: $(VENV)/ready   ## unmodified outside clients against the virtual phone
	$(RUN) pytest tests/conformance
	if adb=$$(command -v adb); then $(RUN) pytest tests/conformance/test_adb_binary.py --adb "$$adb"; fi

virtual-tests: $(VENV)/ready   ## the virtual phone's own tests: its parts, and outside clients against the whole
	$(RUN) pytest -n 2 --dist worksteal -m "$(BY_DAY)" -p tests.shared_clock tests/unit/virtual tests/conformance

browser: $(VENV)/ready   ## the report's pages in headless Chromium (Debian: chromium)
	$(RUN) pytest tests/browser -m browser

viewer: $(VENV)/ready   ## trace.zip in Playwright's own trace viewer (needs chromium, npm and once the registry)
	$(RUN) pytest tests/consumers -m viewer

allure: $(VENV)/ready   ## Allure 3 (npm) over the results of a run with every outcome, in headless Chromium
	$(RUN) pytest tests/consumers -m allure

docs: $(VENV)/ready   ## the reference pages that are made from docstrings
	$(RUN) docs.generating

# An environment of its own: what builds the site is no part of what the tests run with.
SITE := .venv-docs
$(SITE)/ready: pyproject.toml
	$(PYTHON) -m venv --clear $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=23"
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	touch $@

docs-site: $(SITE)/ready   ## README and docs/ as a site with a search, in docs-site/index.html; a dead link fails
	$(SITE)/bin/python -m sphinx --fail-on-warning --keep-going --quiet --fresh-env \
		--conf-dir docs --doctree-dir $(SITE)/doctrees . docs-site

clients: $(VENV)/ready   ## other people's clients, from PyPI, npm and Debian, run again for docs/reference/clients.md
	$(RUN) docs.generating clients

bench: $(VENV)/ready   ## the figures in docs/, measured again
	$(RUN) benchmarks

clean:
	rm -rf $(VENV) $(NEWEST) $(SITE) docs-site replicant-report .mypy_cache .ruff_cache .pytest_cache
