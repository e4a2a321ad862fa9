"""Why tests failed: records of runs, causes, the difference from the last pass. Knows nothing of
pytest."""
