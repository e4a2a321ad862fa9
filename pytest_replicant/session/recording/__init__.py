"""Building the trace while stages run, and keeping what a test left behind."""
