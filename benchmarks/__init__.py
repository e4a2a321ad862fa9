"""Figures that the documents quote, each with the command that makes it: ``python -m benchmarks
[name ...]``."""
