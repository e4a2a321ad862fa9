"""``replicant doctor``: checks of this computer and of phones, each bounded in time."""
