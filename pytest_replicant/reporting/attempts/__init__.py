"""One attempt of one test while pytest runs it, and what became of it."""
