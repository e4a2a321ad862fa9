"""What a package is, by its own manifest, and whether a phone holds this very one."""
