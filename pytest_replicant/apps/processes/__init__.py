"""Processes that are started, and ended with all that they started."""
