"""Files of one test: its folder, and those that tests share."""
