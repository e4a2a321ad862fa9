"""What everything is called and holds, and which row it is in."""
