"""Pages that a person opens: one file each, drawn by their own script."""
