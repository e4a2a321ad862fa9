"""Labels: the name of each element, the row it belongs to, its value, and the title of the
screen."""
