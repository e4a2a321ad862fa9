"""Setting a control to a value by feedback: act, read, correct, until it is there or cannot be."""
