"""What a CI system is told at the end of a run, in its own words."""
