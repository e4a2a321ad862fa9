"""Agent-style mobile tests for pytest."""
