"""The outline, the diff, and JSON."""
