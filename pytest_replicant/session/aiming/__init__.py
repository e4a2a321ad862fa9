"""From what a test names to one element, and the point in it that a gesture goes to."""
