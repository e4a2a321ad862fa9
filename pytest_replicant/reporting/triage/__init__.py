"""Why tests failed: records of runs, causes, what differs from the last pass. Knows nothing of pytest."""
