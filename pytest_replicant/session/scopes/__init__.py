"""What holds for a part of a test."""
