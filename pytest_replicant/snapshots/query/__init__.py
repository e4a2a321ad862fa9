"""Queries: selectors matched against the search index of a screen."""
