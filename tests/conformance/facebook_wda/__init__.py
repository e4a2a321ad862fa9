"""Plain facebook-wda, as its users write it, against the virtual iPhone."""
