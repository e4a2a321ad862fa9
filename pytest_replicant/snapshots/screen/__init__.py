"""From nodes to what can be seen and reached on the screen."""
