"""A build, run as a process of the user's own."""
