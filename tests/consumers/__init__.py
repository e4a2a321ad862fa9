"""What others make of what a run leaves behind: their programs, unmodified, over the files of a
real run."""
