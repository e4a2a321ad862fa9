"""A suite of which some tests are flaky on purpose, run many times."""
