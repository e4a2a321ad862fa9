"""Test scheduling over phones: matrix, shards, workers, lease handover, rerun after a lost
phone."""
