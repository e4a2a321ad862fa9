"""Which test runs where: on every phone of a matrix, in this part of a run, once more on another phone."""
