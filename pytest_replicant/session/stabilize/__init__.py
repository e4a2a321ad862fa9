"""Reading the screen: one read, reads that agree, and waiting until something is there."""
