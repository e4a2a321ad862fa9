"""What is written for one test: its folder, and what tests share."""
