"""The file that a test goes to: what it holds already, and the test put into it, no other line touched."""
