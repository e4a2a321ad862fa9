"""What fits a selector."""
