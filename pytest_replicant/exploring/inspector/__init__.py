"""``replicant inspect``: one page on the loopback, of a phone that is open or of a trace that was
kept."""
