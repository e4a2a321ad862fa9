"""The virtual phone: a real server that unmodified clients drive."""
