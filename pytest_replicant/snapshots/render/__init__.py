"""Renderings of a snapshot: outline, JSON, diff, and the expected outline of a test."""
