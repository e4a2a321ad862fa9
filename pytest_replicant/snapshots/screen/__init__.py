"""The visible screen: its windows, its layout, and what obstructs a node."""
